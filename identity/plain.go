package identity

// Reading user.name without git.
//
// The law: an answer without a doubt is git's answer, in every version of git. So a doubt is raised early
// and often; it costs about two milliseconds, a wrong name costs somebody a session. Where there is no git
// program to ask, the same reading goes on past its doubts and gives the best name there is.

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// Sizes of a configuration file, in bytes: from maxConfig on it is left to git, and from maxAsked on git is not asked,
// which keeps a hundred bytes for each name in it.
const (
	maxConfig = 1 << 20
	maxAsked  = 4 << 20
)

// errFIFO says that a file is a FIFO, which neither we nor git should open.
var errFIFO = errors.New("a pipe")

// glance is one look at the configuration.
type glance struct {
	name  string
	named bool
	doubt string // why git must be asked, "" if it need not be
}

// suspect keeps the first doubt.
func (g *glance) suspect(why string) {
	if g.doubt == "" {
		g.doubt = why
	}
}

// look reads the configuration that holds in dir for the git program at the path git. With a git to ask it
// stops at the first doubt; without one (git is "") it reads on.
func (w World) look(git, dir string) glance {
	var g glance
	done := func(why string) bool {
		if why != "" {
			g.suspect(why)
		}
		return g.doubt != "" && git != ""
	}
	if done(platformDoubt) {
		return g
	}
	env := readEnvironment(w.Env)
	if env.steering != "" && done(env.steering+" is set") {
		return g
	}
	if !filepath.IsAbs(env.home) && done("HOME is not an absolute path") {
		return g
	}
	if env.xdg != "" && !filepath.IsAbs(env.xdg) && done("XDG_CONFIG_HOME is not an absolute path") {
		return g
	}
	me, only := effectiveUser()
	if !only && done("the real and the effective user differ") {
		return g
	}
	if me == 0 && env.sudo != "" && done("root with SUDO_UID") {
		return g
	}
	if git != "" && done(wrapped(git)) {
		return g
	}
	system, known := w.SystemFiles(git)
	if !known && done("the system configuration may be anywhere") {
		return g
	}
	here, err := physical(dir)
	if err != nil {
		g.suspect("the directory cannot be looked at")
		if git != "" {
			return g
		}
	}
	var local string
	if err == nil {
		gitDir, why := findRepository(here, me)
		if done(why) {
			return g
		}
		if gitDir != "" {
			local = filepath.Join(gitDir, "config")
		}
	}

	// From the strongest to the weakest; the first name counts, but every file is read to its end,
	// because git answers nothing at all where one of them is broken.
	if local != "" {
		found, why := g.read(local, me)
		if !found && why == "" {
			why = "a .git without config"
		}
		if done(why) {
			return g
		}
	}
	for _, path := range append(env.globalFiles(), system...) {
		if _, why := g.read(path, anyone); done(why) {
			return g
		}
	}
	if !g.named {
		// git may have been built with a system file that is not known here.
		g.suspect("no user.name in the files that are known here")
	}
	return g
}

// anyone is the owner of a file that may belong to anyone.
const anyone = -1

// read reads one configuration file, if it is there, and takes its name if there was none yet.
func (g *glance) read(path string, owner int) (found bool, doubt string) {
	data, is, err := readRegular(path, maxConfig)
	switch {
	case isMissing(err):
		return false, ""
	case errors.Is(err, errFIFO):
		return false, path + " is a pipe"
	case err != nil:
		return false, path + " cannot be read here"
	case owner != anyone && owner != is:
		return false, path + " belongs to another user"
	}
	r := readConfig(data)
	if r.named && !g.named {
		g.name, g.named = r.name, true
	}
	if r.doubt != "" {
		return true, path + ": " + r.doubt
	}
	return true, ""
}

// endless says, where there is one, which file git would read in dir and never come to the end of, or not soon: a FIFO, a
// device, or one that is far too large. Git itself opens what it finds, so it must not even be asked. It is a look at the
// names that git always reads, whatever else made us doubt; what they include is git's to find, and its time is bounded.
func (w World) endless(git, dir string) string {
	system, _ := w.SystemFiles(git)
	files := append(readEnvironment(w.Env).globalFiles(), system...)
	if here, err := physical(dir); err == nil {
		files = append(files, gitFiles(here)...)
	}
	for _, path := range files {
		if isEndless(path) {
			return path + " is no regular file, and git would wait for it"
		}
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() > maxAsked {
			return path + " is larger than 4 MiB, which no configuration is"
		}
	}
	return ""
}

// gitFiles lists what git reads of the repository around dir before it says anything: in the nearest .git, which may be a
// file that names the directory, as in a linked worktree, and there may be another one that all worktrees share.
func gitFiles(dir string) []string {
	const enough = 4096
	for {
		dot := filepath.Join(dir, ".git")
		if _, err := lstat(dot); err == nil {
			if line, _, err := readRegular(dot, enough); err == nil {
				dot = lineAt(dir, strings.TrimPrefix(string(line), "gitdir: "))
			}
			files := []string{filepath.Join(dot, "HEAD"), filepath.Join(dot, "commondir"), filepath.Join(dot, "config"), filepath.Join(dot, "config.worktree")}
			if line, _, err := readRegular(files[1], enough); err == nil {
				files = append(files, filepath.Join(lineAt(dot, string(line)), "config"))
			}
			return files
		}
		up := filepath.Dir(dir)
		if up == dir {
			return nil
		}
		dir = up
	}
}

// lineAt gives the path that stands in a file of one line, seen from dir.
func lineAt(dir, line string) string {
	line = strings.TrimRight(line, "\r\n")
	if filepath.IsAbs(line) {
		return line
	}
	return filepath.Join(dir, line)
}

// physical gives the path that getcwd would give in dir: git does not look at PWD when it searches. The path
// is not cleaned before its links are resolved: "link/.." is where the link leads to, and up from there.
func physical(dir string) (string, error) {
	if !filepath.IsAbs(dir) {
		wd, err := os.Getwd()
		if err != nil {
			return "", err
		}
		dir = wd + string(filepath.Separator) + dir
	}
	return filepath.EvalSymlinks(dir)
}

// systemFiles gives the places where git builds keep their system file: /etc for a build with the prefix
// /usr, PREFIX/etc for any other; a relocatable build goes by where the program really is. A build that was
// told yet another place is not known: its system file then counts as absent, which is only wrong where
// that file is malformed, because the system file is the weakest and without any name git is asked.
func systemFiles(git string) (files []string, ok bool) {
	files = append(files, "/etc/gitconfig")
	if git == "" {
		return files, true
	}
	prefixed := func(path string) bool {
		prefix, ok := prefixOf(path)
		if file := filepath.Join(prefix, "etc", "gitconfig"); ok && prefix != "/usr" && file != files[len(files)-1] {
			files = append(files, file)
		}
		return ok
	}
	if !prefixed(git) {
		return files, false
	}
	if resolved, err := filepath.EvalSymlinks(git); err == nil && resolved != git {
		prefixed(resolved)
	}
	return files, true
}

// prefixOf gives the directory that a git program was installed under.
func prefixOf(git string) (prefix string, ok bool) {
	dir := filepath.Dir(git)
	switch filepath.Base(dir) {
	case "bin":
		return filepath.Dir(dir), true
	case "git-core": // what PATH begins with inside a git alias: PREFIX/lib/git-core
		return filepath.Dir(filepath.Dir(dir)), true
	}
	return "", false
}

// wrapped says whether git is a script: it may set variables before it calls the real one.
func wrapped(git string) (doubt string) {
	const shebang = "#!"
	switch magic, err := readStart(git, len(shebang)); {
	case err != nil:
		return "git cannot be looked at"
	case string(magic) == shebang:
		return "git is a script"
	}
	return ""
}
