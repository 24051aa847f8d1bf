package identity

import (
	"path/filepath"
	"strings"
)

// environment is what one pass over the variables finds.
type environment struct {
	home, xdg, sudo string
	// steering is the first variable that may change git's answer, "" if there is none.
	steering string
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

// readEnvironment looks at every variable once. Where one is set twice the last counts, as in os/exec.
func readEnvironment(env []string) environment {
	var e environment
	profile := ""
	for _, kv := range env {
		key, value, ok := strings.Cut(kv, "=")
		if !ok {
			continue
		}
		switch key {
		case "HOME":
			e.home = value
		case "XDG_CONFIG_HOME":
			e.xdg = value
		case "SUDO_UID":
			e.sudo = value
		case "USERPROFILE":
			profile = value
		default:
			if e.steering == "" && strings.HasPrefix(key, "GIT_") && !harmless(key) {
				e.steering = key
			}
		}
	}
	if platformDoubt != "" && !filepath.IsAbs(e.home) {
		e.home = profile // Windows: where git for Windows looks in the end
	}
	return e
}

// harmless knows the GIT_ variables that do not change what `git config user.name` says, whatever their
// value: they are for commits, editors, pagers, prompts and transports, or not for git at all. A list of
// what is safe, not of what is not: git grows new variables. TestHarmlessVariables holds each against git.
func harmless(key string) bool {
	switch key {
	case "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE",
		"GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_COMMITTER_DATE",
		"GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_MERGE_AUTOEDIT",
		"GIT_PAGER", "GIT_PAGER_IN_USE",
		"GIT_TERMINAL_PROMPT", "GIT_ASKPASS",
		"GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_PROXY_COMMAND", "GIT_HTTP_USER_AGENT",
		"GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_SSL_CERT", "GIT_SSL_KEY", "GIT_SSL_NO_VERIFY", "GIT_SSL_VERSION",
		"GIT_OPTIONAL_LOCKS",
		"GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS":
		return true
	}
	return strings.HasPrefix(key, "GIT_PS1_") || strings.HasPrefix(key, "GIT_LFS_")
}
