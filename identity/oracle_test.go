//go:build unix

package identity

// The stage of the differential tests: a home, a directory and an environment of their own for every case,
// git as the oracle, and this package as the subject. The law: neither sees the real home or the real
// system file, and both see the same.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
)

// The test binary runs itself, as another user or below a git alias, with these variables.
const (
	helperVariable = "IDENTITY_TEST_HELPER" // anything: be the subject in the working directory
	systemVariable = "IDENTITY_TEST_SYSTEM" // the private system file
)

// verdict is what one side says.
type verdict struct {
	State nameState
	Raw   string
	Asked bool   `json:",omitempty"` // subject only
	Note  string `json:",omitempty"` // the oracle's standard error, the subject's doubt
}

func (v verdict) String() string {
	switch v.State {
	case nameSet:
		return fmt.Sprintf("name %q", v.Raw)
	case nameUnset:
		return "no name"
	}
	return "broken"
}

func TestMain(m *testing.M) {
	if os.Getenv(helperVariable) != "" {
		system := os.Getenv(systemVariable)
		env := slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "IDENTITY_TEST_") })
		dir, err := os.Getwd()
		if err == nil {
			err = json.NewEncoder(os.Stdout).Encode(subject(context.Background(), env, system, dir))
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// staged gives a world that sees env, and system as the only system file, both here and in git.
func staged(env []string, system string, runs *atomic.Int32) World {
	w := SystemWorld(env)
	w.SystemFiles = func(string) ([]string, bool) { return []string{system}, true }
	w.RunGit = func(ctx context.Context, c GitCall) GitReply {
		runs.Add(1)
		c.Env = withSystem(c.Env, system)
		return runGit(ctx, c)
	}
	w.OSUser = func() (string, error) { return "osuser", nil }
	w.Hostname = func() (string, error) { return "host.example", nil }
	return w
}

// withSystem puts the private system file first, so that a case's own variables win over it.
func withSystem(env []string, system string) []string {
	return append([]string{"GIT_CONFIG_SYSTEM=" + system}, env...)
}

// subject is what this package says.
func subject(ctx context.Context, env []string, system, dir string) verdict {
	var runs atomic.Int32
	w := staged(env, system, &runs)
	a := w.gitName(ctx, dir)
	v := verdict{State: a.state, Raw: a.raw, Asked: runs.Load() > 0, Note: a.doubt}
	if v.Asked != a.asked {
		v.Note = fmt.Sprintf("git was run: %t, the answer says %t", v.Asked, a.asked)
		v.State = -1
	}
	return v
}

// scene is the world of one case.
type scene struct {
	t                *testing.T
	git              string
	root, home, work string // physical
	system           string
	dir              string // where git is asked
	env              []string
	uid              int // who asks, 0 for whoever runs the tests
}

// nobody is a user that owns nothing.
const nobody = 65534

func newScene(t *testing.T) *scene {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git program to compare with")
	}
	root, err := os.MkdirTemp("", "gsd-identity-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(root) })
	if err := os.Chmod(root, 0o755); err != nil { // another user must get in
		t.Fatal(err)
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		t.Fatal(err)
	}
	s := &scene{t: t, git: git, root: root, home: root + "/home", work: root + "/work", system: root + "/system"}
	s.dir = s.work
	s.env = []string{"HOME=" + s.home, "PATH=" + filepath.Dir(git), "LC_ALL=C"}
	s.mkdir("home")
	s.mkdir("work")
	return s
}

func (s *scene) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// path makes a path of the scene out of one that is relative to its root.
func (s *scene) path(rel string) string { return filepath.Join(s.root, rel) }

func (s *scene) mkdir(rel string) { s.t.Helper(); s.must(os.MkdirAll(s.path(rel), 0o755)) }

// file writes a file, with {root} put in, and the directories above it.
func (s *scene) file(rel, text string) {
	s.t.Helper()
	s.mkdir(filepath.Dir(rel))
	s.must(os.WriteFile(s.path(rel), []byte(s.fill(text)), 0o644))
}

// script writes a program. No process is started meanwhile: a child that has inherited the open file would
// make the program busy.
func (s *scene) script(rel, text string) {
	s.t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	s.file(rel, text)
	s.must(os.Chmod(s.path(rel), 0o755))
}

func (s *scene) fill(text string) string { return strings.ReplaceAll(text, "{root}", s.root) }

func (s *scene) link(target, rel string) {
	s.t.Helper()
	s.must(os.Symlink(s.fill(target), s.path(rel)))
}

func (s *scene) chmod(rel string, mode os.FileMode) {
	s.t.Helper()
	s.must(os.Chmod(s.path(rel), mode))
	s.t.Cleanup(func() { os.Chmod(s.path(rel), 0o755) })
}

// chown gives a tree to uid; only root can.
func (s *scene) chown(rel string, uid int) {
	s.t.Helper()
	if os.Geteuid() != 0 {
		s.t.Skip("only root can give files away")
	}
	s.must(filepath.Walk(s.path(rel), func(p string, _ os.FileInfo, err error) error {
		return errors.Join(err, os.Lchown(p, uid, uid))
	}))
}

// asNobody lets somebody ask who is not root, and owns the scene.
func (s *scene) asNobody() {
	if os.Geteuid() == 0 {
		s.chown(".", nobody)
		s.uid = nobody
	}
}

func (s *scene) in(rel string) { s.dir = s.path(rel) }

func (s *scene) set(kv ...string) {
	for _, v := range kv {
		s.env = append(s.env, s.fill(v))
	}
}

func (s *scene) unset(key string) {
	s.env = slices.DeleteFunc(s.env, func(kv string) bool { return strings.HasPrefix(kv, key+"=") })
}

// coreLocal is what git init writes first.
const coreLocal = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n"

// gitDir makes a directory that git takes for a repository.
func (s *scene) gitDir(rel, config string) {
	s.t.Helper()
	s.mkdir(rel + "/objects")
	s.mkdir(rel + "/refs/heads")
	s.file(rel+"/HEAD", "ref: refs/heads/main\n")
	s.file(rel+"/config", config)
}

// repo makes a work tree with a plain repository, with more behind what git init writes.
func (s *scene) repo(rel, more string) { s.t.Helper(); s.gitDir(rel+"/.git", coreLocal+more) }

// run runs git on the stage, to build it.
func (s *scene) run(dir string, args ...string) {
	s.t.Helper()
	cmd := exec.Command(s.git, args...)
	cmd.Dir = dir
	cmd.Env = withSystem(append(slices.Clone(s.env), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b"), "/nonexistent")
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// oracle is what `git config user.name` says.
func (s *scene) oracle() verdict {
	s.t.Helper()
	cmd := exec.Command(s.git, "config", "user.name")
	cmd.Dir = s.dir
	cmd.Env = withSystem(s.env, s.system)
	s.become(cmd)
	return s.heard(cmd)
}

// heard runs a command that says what `git config user.name` said.
func (s *scene) heard(cmd *exec.Cmd) verdict {
	s.t.Helper()
	var out, reason bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &reason
	err := cmd.Run()
	v := verdict{Note: reason.String()}
	var exit *exec.ExitError
	switch {
	case err == nil:
		v.State, v.Raw = nameSet, strings.TrimSuffix(out.String(), "\n")
	case errors.As(err, &exit) && exit.ExitCode() == 1:
		v.State = nameUnset
	case errors.As(err, &exit):
		v.State = nameBroken
	default:
		s.t.Fatalf("the oracle: %v", err)
	}
	return v
}

// subject is what this package says, as the user who asks.
func (s *scene) subject() verdict {
	s.t.Helper()
	if s.uid == 0 {
		return subject(s.t.Context(), s.env, s.system, s.dir)
	}
	cmd := exec.Command(s.helper())
	cmd.Dir = s.dir
	cmd.Env = s.helperEnv()
	s.become(cmd)
	return s.helped(cmd)
}

func (s *scene) helped(cmd *exec.Cmd) verdict {
	s.t.Helper()
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	s.must(err)
	var v verdict
	s.must(json.Unmarshal(out, &v))
	return v
}

func (s *scene) helperEnv() []string {
	return append(slices.Clone(s.env), helperVariable+"=1", systemVariable+"="+s.system)
}

// helper gives this binary at a place where another user may run it: go test builds into a private one.
func (s *scene) helper() string {
	s.t.Helper()
	self, err := os.Executable()
	s.must(err)
	dst := s.path("helper.bin")
	if os.Link(self, dst) != nil {
		data, err := os.ReadFile(self)
		s.must(err)
		syscall.ForkLock.RLock()
		err = os.WriteFile(dst, data, 0o755)
		syscall.ForkLock.RUnlock()
		s.must(err)
	}
	return dst
}

func (s *scene) become(cmd *exec.Cmd) {
	if s.uid != 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(s.uid), Gid: uint32(s.uid), NoSetGroups: true}}
	}
}

// agree holds the subject against the oracle. want is what the oracle must say for the case to be about
// anything: "=NAME", "-" for none, "!" for broken, "" for whatever this git says.
func (s *scene) agree(want string, plain bool) {
	s.t.Helper()
	oracle, got := s.oracle(), s.subject()
	if oracle.State != got.State || oracle.Raw != got.Raw {
		s.t.Errorf("git says %v (%s), we say %v (asked: %t, %s)", oracle, strings.TrimSpace(oracle.Note), got, got.Asked, got.Note)
	}
	if said := sign(oracle); want != "" && want != said {
		s.t.Errorf("the case wants %q, git says %q (%s)", want, said, strings.TrimSpace(oracle.Note))
	}
	if plain && got.Asked {
		s.t.Errorf("git was asked for a plain configuration: %s", got.Note)
	}
}

func sign(v verdict) string {
	switch v.State {
	case nameSet:
		return "=" + v.Raw
	case nameUnset:
		return "-"
	}
	return "!"
}
