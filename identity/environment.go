package identity

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// environment is what the variables say.
type environment struct {
	all                   []string // as from os.Environ; git is run with exactly these
	home, xdg, sudo, path string
	global                *string // GIT_CONFIG_GLOBAL, which git reads instead of the user's own files; nil if it is not set
	steering              string  // the first variable that may change git's answer, "" if there is none
}

// readEnvironment reads the variables. If one is set twice the last counts, as in os/exec.
func readEnvironment(env []string) environment {
	e := environment{all: env}
	profile := ""
	for _, kv := range env {
		key, value, ok := strings.Cut(kv, "=")
		if !ok {
			continue
		}
		if runtime.GOOS == "windows" {
			key = strings.ToUpper(key) // it is called Path
		}
		switch key {
		case "HOME":
			e.home = value
		case "XDG_CONFIG_HOME":
			e.xdg = value
		case "SUDO_UID":
			e.sudo = value
		case "PATH":
			e.path = value
		case "USERPROFILE":
			profile = value
		default:
			if key == "GIT_CONFIG_GLOBAL" {
				e.global = &value
			}
			if e.steering == "" && steers(key) {
				e.steering = key
			}
		}
	}
	if runtime.GOOS == "windows" && !filepath.IsAbs(e.home) {
		e.home = profile // the last place where git for Windows looks
	}
	return e
}

// harmlessVariables are the beginnings of variables that do not change what `git config user.name` says, whatever their
// value. They are for commits, editors, pagers, transports, shell prompts and Git LFS. Everything else may: git grows
// new variables.
var harmlessVariables = []string{
	"GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_MERGE_AUTOEDIT", "GIT_PAGER",
	"GIT_TERMINAL_PROMPT", "GIT_ASKPASS", "GIT_SSH", "GIT_SSL_", "GIT_OPTIONAL_LOCKS", "GIT_PS1_", "GIT_LFS_",
}

// steers reports whether a variable may change git's answer.
func steers(key string) bool {
	harmless := func(prefix string) bool { return strings.HasPrefix(key, prefix) }
	return strings.HasPrefix(key, "GIT_") && !slices.ContainsFunc(harmlessVariables, harmless)
}

// globalFiles returns the user's own configuration files, the one with precedence first.
func (e environment) globalFiles() (files []string) {
	if filepath.IsAbs(e.home) {
		files = append(files, filepath.Join(e.home, ".gitconfig"))
	}
	switch {
	case filepath.IsAbs(e.xdg):
		files = append(files, filepath.Join(e.xdg, "git", "config"))
	case e.xdg == "" && filepath.IsAbs(e.home):
		files = append(files, filepath.Join(e.home, ".config", "git", "config"))
	}
	return files
}

// FindGit returns the path of the git program in PATH, "" for none; see [LookPath].
func FindGit(path string) string { return LookPath(path, "git") }

// LookPath returns the path of the first program of a name in PATH, "" for none. Empty and relative entries mean the current
// directory, whose content comes from the project: nothing is run from there.
func LookPath(path, name string) string {
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return found
		}
	}
	return ""
}
