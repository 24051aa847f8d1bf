package mergedriver

// sides.go: the merged tree, as far as git lets a driver know it. Git runs a driver before it writes the merged tree, and
// does not say which commits it merges. Whatever hints at them is only believed if their versions of the file are the ones
// that the driver was given.

import (
	"context"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/gitexec"
	"github.com/gsd-cli/gsd/internal/planref"
)

// sides are the commits that are merged.
type sides struct {
	base, ours, theirs string
	merge              bool   // of git merge; otherwise theirs is picked, by git rebase or cherry-pick
	name               string // what git merge was told to merge
}

// errUnknownSides means that git does not say which commits are merged, as in a stash.
var errUnknownSides = errors.New("git does not say which commits are merged")

// maxCandidates is the number of commits that are considered as the one that is picked.
const maxCandidates = 20

// findSides finds the commits that are merged.
func (m *merger) findSides(ctx context.Context, texts [3][]byte) (sides, error) {
	has := func(commit string, text []byte) bool {
		found, err := m.repo.Run(ctx, "", "cat-file", "blob", commit+":"+m.o.Path)
		return err == nil && commit != "" && found == string(text)
	}
	s := sides{ours: m.repo.Ask(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")}
	if !has(s.ours, texts[1]) {
		return s, errUnknownSides
	}
	if heads := m.mergedHeads(); len(heads) > 0 {
		s.merge, s.theirs, s.name = true, heads[0][0], heads[0][1]
		bases := strings.Fields(m.repo.Ask(ctx, "merge-base", "--all", s.ours, s.theirs))
		if len(heads) == 1 && len(bases) == 1 && has(s.theirs, texts[2]) && has(bases[0], texts[0]) {
			s.base = bases[0]
			return s, nil
		}
		return s, errUnknownSides
	}
	picks := func(commit string) bool {
		s.theirs = m.repo.Ask(ctx, "rev-parse", "--verify", "--quiet", commit+"^{commit}")
		s.base = m.repo.Ask(ctx, "rev-parse", "--verify", "--quiet", commit+"^1")
		return has(s.theirs, texts[2]) && has(s.base, texts[0])
	}
	if slices.ContainsFunc(m.stated(ctx), picks) {
		return s, nil
	}
	// A cherry-pick of one commit leaves no trace before git 2.44: look for the commit that made this change.
	blob := m.repo.Ask(ctx, "hash-object", "--no-filters", "--", m.o.at(m.o.Theirs))
	found := strings.Fields(m.repo.Ask(ctx, "log", "--no-ext-diff", "--no-textconv", "--no-color", "--format=%H", "-n", "20", "--find-object="+blob,
		"--all", "--not", s.ours, "--", m.o.Path))
	found = slices.DeleteFunc(found, func(commit string) bool { return !picks(commit) })
	if blob == "" || len(found) != 1 || !picks(found[0]) {
		return s, errUnknownSides
	}
	return s, nil
}

// mergedHeads lists the commits that git merge puts into the environment of its drivers, each with its name.
func (m *merger) mergedHeads() (heads [][2]string) {
	for _, pair := range m.o.Env {
		if id, name, ok := strings.Cut(strings.TrimPrefix(pair, "GITHEAD_"), "="); ok && strings.HasPrefix(pair, "GITHEAD_") && isID(id) {
			heads = append(heads, [2]string{id, name})
		}
	}
	return heads
}

// findNames names the versions for conflict markers in git's words, which git only tells a driver since 2.44. It reports whether
// they are known.
func (m *merger) findNames(ctx context.Context, texts [3][]byte) bool {
	s, err := m.findSides(ctx, texts)
	if err != nil {
		return false
	}
	m.o.OurName = "HEAD"
	if s.merge {
		m.o.TheirName, m.o.BaseName = s.name, m.repo.Ask(ctx, "rev-parse", "--short", s.base)
	} else {
		m.o.TheirName = m.repo.Ask(ctx, "log", "-1", "--no-patch", "--no-color", "--format=%h (%s)", s.theirs, "--")
		m.o.BaseName = "parent of " + m.o.TheirName
	}
	return true
}

// stated lists the commits that may be the one that is picked: git's name for it, and the last step of a rebase.
func (m *merger) stated(ctx context.Context) (commits []string) {
	name, _, _ := strings.Cut(m.o.TheirName, " ")
	words := []string{name}
	if done := m.repo.Ask(ctx, "rev-parse", "--git-path", "rebase-merge/done"); done != "" {
		text, _ := os.ReadFile(m.o.at(done))
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		words = append(words, strings.Fields(lines[len(lines)-1])...)
	}
	for _, word := range words {
		if isID(word) && len(commits) < maxCandidates {
			commits = append(commits, word)
		}
	}
	return append(commits, "REBASE_HEAD", "CHERRY_PICK_HEAD")
}

// isID reports whether a word may be the id of a commit, or the beginning of one.
func isID(s string) bool {
	_, err := hex.DecodeString(s[len(s)&1:])
	return len(s) >= 7 && len(s) <= 64 && err == nil
}

// checkOut puts the merged .planning into a directory of its own. It is the working tree of a temporary repository, which
// borrows the objects of the real one and has the commit that git is about to make, because the position also depends on the
// commits. Of a file that conflicts, it has ours.
func (m *merger) checkOut(ctx context.Context, s sides) (dir string, err error) {
	objects := m.repo.Ask(ctx, "rev-parse", "--git-path", "objects")
	if objects == "" {
		return "", errUnknownSides
	}
	if objects, err = filepath.Abs(m.o.at(objects)); err != nil {
		return "", err
	}
	dir = filepath.Join(m.temp, "tree")
	own := filepath.Join(dir, ".git")
	for _, sub := range []string{"refs", "objects/info", "info"} {
		if err := os.MkdirAll(filepath.Join(own, sub), 0o700); err != nil {
			return "", err
		}
	}
	files := map[string]string{
		"HEAD": s.ours + "\n", "objects/info/alternates": filepath.ToSlash(objects) + "\n",
		// Without links, nothing that is written there can go anywhere else.
		"config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tsymlinks = false\n" +
			"\tsparseCheckout = true\n\tsparseCheckoutCone = false\n",
		"info/sparse-checkout": planref.Planning + "/\n", // in whatever directory

		// The bytes as they are, ours of what conflicts, and no program of the user's.
		"info/attributes": "* -filter -text -ident -working-tree-encoding -merge\n",
	}
	if shallow, err := os.ReadFile(m.o.at(m.repo.Ask(ctx, "rev-parse", "--git-path", "shallow"))); err == nil {
		files["shallow"] = string(shallow)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(own, name), []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	env := slices.DeleteFunc(slices.Clone(m.o.Env), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return strings.HasPrefix(name, "GIT_") && name != "GIT_COMMITTER_DATE" && !strings.HasPrefix(name, "GIT_CONFIG")
	})
	env = append(env, "GIT_DIR="+own, "GIT_WORK_TREE="+dir, "GIT_AUTHOR_NAME=gsd", "GIT_AUTHOR_EMAIL=gsd",
		"GIT_COMMITTER_NAME=gsd", "GIT_COMMITTER_EMAIL=gsd")
	git := func(in string, args ...string) (out string) { // it does nothing after a failure
		if err == nil {
			out, err = gitexec.Git{Dir: dir, Env: env}.Run(ctx, in, args...)
		}
		return out
	}
	git("", "read-tree", "-m", "-u", s.ours)
	if git("", "merge-recursive", s.base, "--", s.ours, s.theirs); exitCode(err) == 1 { // as git merge does it, with renames
		err = nil // there are conflicts
	}
	git(git("", "diff-files", "-z", "--name-only", "--diff-filter=U"), "update-index", "-z", "--add", "--remove", "--stdin")
	args := []string{"commit-tree", strings.TrimSpace(git("", "write-tree")), "-p", s.ours}
	message := "Merge\n"
	if s.merge {
		args = append(args, "-p", s.theirs)
	} else {
		message = git("", "log", "-1", "--no-patch", "--no-color", "--format=%B", s.theirs, "--")
	}
	if id := git(message, args...); err == nil {
		err = os.WriteFile(filepath.Join(own, "HEAD"), []byte(id), 0o600)
	}
	return dir, err
}
