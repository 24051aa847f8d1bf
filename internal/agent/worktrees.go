package agent

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/gitexec"
)

// Uncommitted returns what a person should know who has installed gsd for a project alone, in a host that makes worktrees of the
// repository: what is not committed is not in them. It is empty where nothing is missing there, or nobody can say.
func (w Where) Uncommitted() string {
	h := find(w.Host)
	if h.settings.worktrees == "" || w.Scope != Project || w.GitDir == "" || len(w.plugins()) > 0 {
		return ""
	}
	for _, w.Scope = range []Scope{Local, User} { // which are there in any case (tried with Claude 2.1.331)
		if slices.Contains(Scopes(w.Host), w.Scope) && !(w.Scope == User && w.Home == "") && len(w.starts()) > 0 {
			return ""
		}
	}
	w.Scope = Project
	file := w.path(h.settings.file(Project))
	if !w.lacks(file) {
		return ""
	}
	return "worktrees that " + w.Host + " makes (" + h.settings.worktrees + ") have only what is committed, so gsd is not there until " + w.show(file) +
		" is committed with its hooks; what is installed with --scope local or --scope user is there, too"
}

// lacks reports whether the last commit lacks our start hook in a settings file. It is false where there is no commit.
func (w Where) lacks(file string) bool {
	name, err := filepath.Rel(w.Project, file)
	if err != nil {
		return false
	}
	entry, err := w.git("ls-tree", "HEAD", "--", filepath.ToSlash(name))
	if err != nil {
		return false
	}
	_, id, _ := strings.Cut(entry, " blob ")
	if id, _, _ = strings.Cut(id, "\t"); id == "" {
		return true
	}
	text, err := w.git("cat-file", "blob", id)
	if err != nil {
		return false
	}
	d, err := parse([]byte(text))
	return err == nil && !slices.ContainsFunc(d.ours(), func(h handler) bool { return h.kind == startKind })
}

// ignores reports whether git is known to ignore a file.
func (w Where) ignores(file string) bool {
	name, err := filepath.Rel(w.Project, file)
	if err != nil || w.GitDir == "" {
		return false
	}
	ignored, err := w.git("check-ignore", "--", filepath.ToSlash(name))
	return err == nil && ignored != ""
}

// git runs git in the project and returns its output. It is empty if git check-ignore names nothing (it ends with 1).
func (w Where) git(args ...string) (string, error) {
	env := slices.DeleteFunc(slices.Clone(w.Env), func(pair string) bool { // which would be about another repository
		name, _, _ := strings.Cut(pair, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_CONFIG"}, name)
	})
	out, err := gitexec.Git{Dir: w.Project, Env: env}.Run(context.Background(), "", args...)
	if exit := new(exec.ExitError); errors.As(err, &exit) && exit.ExitCode() == 1 {
		return "", nil
	}
	return out, err
}
