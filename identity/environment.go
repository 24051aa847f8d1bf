package identity

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// environment is what one pass over the variables finds.
type environment struct {
	all                   []string // in the form of os.Environ; git is run with exactly this
	home, xdg, sudo, path string
	steering              string // the first variable that may change git's answer, "" if there is none
}

// readEnvironment looks at every variable once. Where one is set twice the last counts, as in os/exec.
func readEnvironment(env []string) environment {
	e := environment{all: env}
	profile := ""
	for _, kv := range env {
		key, value, ok := strings.Cut(kv, "=")
		if !ok {
			continue
		}
		if runtime.GOOS == "windows" {
			key = strings.ToUpper(key) // it says Path
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
			if e.steering == "" && steers(key) {
				e.steering = key
			}
		}
	}
	if runtime.GOOS == "windows" && !filepath.IsAbs(e.home) {
		e.home = profile // where git for Windows looks in the end
	}
	return e
}

// harmlessVariables do not change what `git config user.name` says, whatever their value: they are for commits,
// editors, pagers, prompts and transports. It is a list of what is safe, not of what is not, because git grows new
// variables.
var harmlessVariables = []string{
	"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE",
	"GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_COMMITTER_DATE",
	"GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_MERGE_AUTOEDIT", "GIT_PAGER", "GIT_PAGER_IN_USE",
	"GIT_TERMINAL_PROMPT", "GIT_ASKPASS", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT",
	"GIT_PROXY_COMMAND", "GIT_HTTP_USER_AGENT", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_SSL_CERT",
	"GIT_SSL_KEY", "GIT_SSL_NO_VERIFY", "GIT_SSL_VERSION", "GIT_OPTIONAL_LOCKS",
	"GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS",
}

// steers reports whether a variable may change git's answer. Those of git's shell prompt and of Git LFS are not
// for git itself.
func steers(key string) bool {
	return strings.HasPrefix(key, "GIT_") && !slices.Contains(harmlessVariables, key) &&
		!strings.HasPrefix(key, "GIT_PS1_") && !strings.HasPrefix(key, "GIT_LFS_")
}

// globalFiles lists the user's own configuration files, the stronger first.
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

// lookGit returns the path of the git program that PATH leads to, "" for none. Empty and relative entries
// mean the current directory, which belongs to whoever wrote the project: no git is taken from there.
func lookGit(path string) string {
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if git, err := exec.LookPath(filepath.Join(dir, "git")); err == nil {
			return git
		}
	}
	return ""
}

// systemFiles lists where a git program that is at PREFIX/bin, or is linked there, may keep its system file:
// at PREFIX/etc, or at /etc where PREFIX is /usr. A build that was told yet another place is not known.
// That is only wrong where the file there is malformed: a name in it is the weakest, see [World.look].
func systemFiles(git string) []string {
	files := []string{"/etc/gitconfig"}
	resolved, _ := filepath.EvalSymlinks(git)
	for _, path := range []string{git, resolved} {
		prefix, ok := strings.CutSuffix(path, "/bin/git")
		if ok && prefix != "" && prefix != "/usr" {
			files = append(files, prefix+"/etc/gitconfig")
		}
	}
	return slices.Compact(files)
}
