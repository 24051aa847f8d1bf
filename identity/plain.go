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
)

// maxConfig is the size from which on a configuration file is left to git.
const maxConfig = 1 << 20

// errFIFO says that a file is a FIFO, which neither we nor git should open.
var errFIFO = errors.New("a pipe")

// glance is one look at the configuration.
type glance struct {
	name  string
	named bool
	doubt string // why git must be asked, "" if it need not be
	pipe  string // a configuration file that is a FIFO: git would wait for somebody to write into it
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
	files := make([]string, 0, 2+len(system))
	if filepath.IsAbs(env.home) {
		files = append(files, filepath.Join(env.home, ".gitconfig"))
	}
	switch {
	case filepath.IsAbs(env.xdg):
		files = append(files, filepath.Join(env.xdg, "git", "config"))
	case env.xdg == "" && filepath.IsAbs(env.home):
		files = append(files, filepath.Join(env.home, ".config", "git", "config"))
	}
	for _, path := range append(files, system...) {
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
		g.pipe = path
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
