package mergedriver

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/planref"
	_ "github.com/gsd-cli/gsd/testdata/memory" // sync is slow on a disk
)

// mergeRepo is a repository whose driver is called directly.
type mergeRepo struct {
	t   *testing.T
	dir string
	env []string
}

func newMergeRepo(t *testing.T) *mergeRepo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git program")
	}
	dir := t.TempDir()
	m := &mergeRepo{t, filepath.Join(dir, "repo"), append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+filepath.Join(dir, "config"),
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=a", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=a")}
	m.write("../config", "")
	m.write("README.md", "")
	m.git("", "init", "-q", "-b", "main")
	return m
}

func (m *mergeRepo) git(in string, args ...string) string {
	m.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = m.dir, m.env, strings.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		m.t.Fatalf("git %v: %v", args, err)
	}
	return strings.TrimSuffix(string(out), "\n")
}

func (m *mergeRepo) write(name, text string) {
	m.t.Helper()
	name = filepath.Join(m.dir, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o755)); err != nil {
		m.t.Fatal(err)
	}
}

// commit commits everything and returns the id.
func (m *mergeRepo) commit(subject string) string {
	m.t.Helper()
	m.git("", "add", "-A")
	m.git("", "commit", "-q", "--no-gpg-sign", "-m", subject)
	return m.git("", "rev-parse", "HEAD")
}

// finished is a roadmap with one phase of three plans, of which these are done.
func finished(plans ...string) string {
	text := "# Roadmap\n\n### Phase 1: Kiln\n\n"
	for _, plan := range []string{"01-01", "01-02", "01-03"} {
		box := " "
		if strings.Contains(strings.Join(plans, " "), plan) {
			box = "x"
		}
		text += "- [" + box + "] " + plan + "-PLAN.md\n"
	}
	status := "In Progress"
	if len(plans) == 0 {
		status = "Planned"
	}
	return text + "\n| Phase | Plans Complete | Status | Completed |\n|---|---|---|---|\n| 1. Kiln | " + string(rune('0'+len(plans))) +
		"/3 | " + status + " |  |\n"
}

// diverged makes two commits that finished a plan each, the first of which is HEAD, and returns what git tells a driver that
// picks the second.
func (m *mergeRepo) diverged() (o Options, theirs string) {
	const name, phase = planref.Planning + "/ROADMAP.md", planref.Planning + "/phases/01-kiln/"
	for _, plan := range []string{"01-01", "01-02", "01-03"} {
		m.write(phase+plan+"-PLAN.md", "<task>do it</task>\n")
	}
	m.write(name, finished())
	m.commit("docs: plan")
	m.git("", "checkout", "-q", "-b", "theirs")
	m.write(phase+"01-02-SUMMARY.md", "done\n")
	m.write(name, finished("01-02"))
	theirs = m.commit("docs(01-02): complete plan")
	m.git("", "checkout", "-q", "main")
	m.write(phase+"01-01-SUMMARY.md", "done\n")
	m.write(name, finished("01-01"))
	m.commit("docs(01-01): complete plan")
	m.write("../base", finished())
	m.write("../ours", finished("01-01"))
	m.write("../theirs", finished("01-02"))
	return Options{Dir: m.dir, Env: m.env, Base: "../base", Ours: "../ours", Theirs: "../theirs", Path: name}, theirs
}

func (m *mergeRepo) merged(o Options) string {
	m.t.Helper()
	if conflicts, err := Merge(m.t.Context(), o); err != nil || conflicts {
		m.t.Fatalf("conflicts: %t, %v", conflicts, err)
	}
	text, err := os.ReadFile(filepath.Join(m.dir, o.Ours))
	if err != nil {
		m.t.Fatal(err)
	}
	return string(text)
}

// Neither a program of the user's configuration, nor a format in it, has anything to do with a merge.
func TestMergeIgnoresConfiguration(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	m := newMergeRepo(t)
	o, theirs := m.diverged()
	head, body, _ := strings.Cut(m.git("", "cat-file", "commit", theirs), "\n\n")
	const signature = "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n -----END PGP SIGNATURE-----\n\n"
	signed := m.git(head+signature+body, "hash-object", "-t", "commit", "-w", "--stdin")
	m.git("", "update-ref", "refs/heads/theirs", signed) // which has to be found
	m.write("../attributes", "* filter=mine diff=mine merge=mine ident\n")
	m.write("../program", "#!/bin/sh\necho \"$0 $*\" >> '"+filepath.Join(m.dir, "../ran")+"'\necho mine\n")
	m.write("../hooks/post-index-change", "#!/bin/sh\necho hook >> '"+filepath.Join(m.dir, "../ran")+"'\n")
	config := ""
	for _, line := range []string{
		"gpg.program=DIR/program", "log.showSignature=true", "commit.gpgSign=true", "core.fsmonitor=DIR/program", "core.hooksPath=DIR/hooks",
		"filter.mine.smudge=DIR/program", "filter.mine.clean=DIR/program", "filter.mine.required=true", "diff.external=DIR/program", "diff.mine.textconv=DIR/program", "merge.mine.driver=DIR/program",
		"core.pager=DIR/program", "color.ui=always", "format.pretty=raw", "log.follow=true", "log.diffMerges=on", "log.date=relative", "core.quotePath=true",
		"i18n.logOutputEncoding=UTF-16", "i18n.commitEncoding=UTF-16", "core.autocrlf=true", "core.sparseCheckoutCone=true", "core.attributesFile=DIR/attributes",
	} {
		key, value, _ := strings.Cut(line, "=")
		section, name, _ := strings.Cut(key, ".")
		if sub, rest, ok := strings.Cut(name, "."); ok {
			section, name = section+" \""+sub+"\"", rest
		}
		config += "[" + section + "]\n\t" + name + " = " + strings.ReplaceAll(value, "DIR", filepath.Dir(m.dir)) + "\n"
	}
	m.write("../config", config)
	if got, want := m.merged(o), finished("01-01", "01-02"); got != want {
		t.Errorf("got %s", got)
	}
	if ran, err := os.ReadFile(filepath.Join(m.dir, "../ran")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it ran %s%v", ran, err)
	}
}

// A directory that one side renamed has what the other added to it, as in git's own merge.
func TestMergeFollowsRenames(t *testing.T) {
	for _, how := range []string{"merge", "cherry-pick"} {
		m := newMergeRepo(t)
		o, _ := m.diverged()
		m.git("", "mv", planref.Planning+"/phases/01-kiln", planref.Planning+"/phases/01-oven")
		text := finished("01-01") + "\nThe oven.\n"
		m.write(o.Path, text)
		m.write(o.Ours, text)
		m.commit("docs(01): rename")
		theirs := m.git("", "rev-parse", "theirs")
		if how == "merge" {
			o.Env = append(o.Env, "GITHEAD_"+theirs+"=theirs")
		}
		if got, want := m.merged(o), finished("01-01", "01-02")+"\nThe oven.\n"; got != want {
			t.Errorf("%s: got %s", how, got)
		}
		// ours and theirs change places
		m.write(o.Ours, finished("01-02"))
		m.write(o.Theirs, text)
		m.git("", "checkout", "-q", "theirs")
		base := m.git("", "merge-base", "main", "theirs")
		renamed := m.git("docs(01): rename\n", "commit-tree", "main^{tree}", "-p", base)
		m.git("", "update-ref", "refs/heads/other", renamed)
		m.git("", "update-ref", "-d", "refs/heads/main")
		o.Env = m.env
		if how == "merge" {
			o.Env = append(o.Env, "GITHEAD_"+renamed+"=other")
		}
		if got, want := m.merged(o), finished("01-01", "01-02")+"\nThe oven.\n"; got != want {
			t.Errorf("%s of the rename: got %s", how, got)
		}
	}
}
