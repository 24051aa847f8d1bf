//go:build unix

package identity

// The stage of the differential tests: a home, a directory and an environment of their own for every case, git as
// the oracle, and this package as the subject. Neither sees the real home or the real system file.

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
	"strconv"
	"strings"
	"syscall"
	"testing"

	_ "github.com/gsd-cli/gsd/testdata/memory" // sync is slow on a disk
)

// The test binary runs itself, as another user or below a git alias, with these variables.
const (
	helperVariable = "IDENTITY_TEST_HELPER" // anything: be the subject in the working directory
	systemVariable = "IDENTITY_TEST_SYSTEM" // the private system file
)

// verdict is what git or this package says: "=NAME", "-" for no name, "!" for a failure.
type verdict struct {
	Said    string
	Asked   bool   // whether we had git run
	Guessed bool   // whether we had to guess
	Note    string // git's standard error, our doubt
}

func TestMain(m *testing.M) {
	if os.Getenv(helperVariable) == "" {
		os.Exit(m.Run())
	}
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "IDENTITY_TEST_") })
	dir, err := os.Getwd()
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(subject(env, os.Getenv(systemVariable), dir))
	}
	if err != nil {
		panic(err)
	}
}

// staged gives a world that sees env, and system as the only system file, both here and in git.
func staged(env []string, system string, runs *int) World {
	w := SystemWorld(env)
	w.run = func(cmd *exec.Cmd) error {
		*runs++
		cmd.Env = withSystem(cmd.Env, system)
		return cmd.Run()
	}
	w.osUser = func() (string, error) { return "osuser", nil }
	w.hostname = func() (string, error) { return "host.example", nil }
	return w
}

// withSystem puts the private system file first, so that a case's own variables win over it.
func withSystem(env []string, system string) []string {
	return append([]string{"GIT_CONFIG_SYSTEM=" + system}, env...)
}

func subject(env []string, system, dir string) verdict {
	runs := 0
	w := staged(env, system, &runs)
	a := w.gitName(context.Background(), dir)
	v := verdict{Said: "-", Asked: runs > 0, Guessed: a.guessed, Note: w.readConfig(dir).doubt}
	switch {
	case a.named:
		v.Said = "=" + a.name
	case len(a.warnings) > 0:
		v.Said = "!"
	}
	return v
}

// scene is the world of one case.
type scene struct {
	t      testing.TB
	git    string
	root   string // physical; home, work and system are in it
	system string
	dir    string // where git is asked
	env    []string
	uid    int // who asks, 0 for the user who runs the tests
}

// coreLocal is what git init writes first.
const coreLocal = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n"

// newScene builds a scene by a script; see play.
func newScene(t testing.TB, script string) *scene {
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
	if root, err = filepath.EvalSymlinks(root); err != nil {
		t.Fatal(err)
	}
	s := &scene{t: t, git: git, root: root, system: root + "/system", dir: root + "/work"}
	s.env = []string{"HOME=" + root + "/home", "PATH=" + filepath.Dir(git), "LC_ALL=C"}
	s.must(os.Chmod(root, 0o755)) // another user must get in
	s.play("mkdir home\nmkdir work\n" + script)
	return s
}

func (s *scene) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *scene) fill(text string) string {
	return strings.NewReplacer("{root}", s.root, "{git}", s.git, "{local}", "[user]\nname = Local\n").Replace(text)
}

// words splits a line of a script at spaces, but for what Go would quote.
func words(t testing.TB, line string) (all []string) {
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		if line[0] != '"' {
			word, rest, _ := strings.Cut(line, " ")
			all, line = append(all, word), rest
			continue
		}
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		word, _ := strconv.Unquote(quoted)
		all, line = append(all, word), line[len(quoted):]
	}
	return all
}

// play does what the lines of a script say, with paths relative to the root, and fills in {root}, {git} and {local}.
func (s *scene) play(script string) {
	s.t.Helper()
	for line := range strings.Lines(script) {
		args := words(s.t, line)
		if len(args) == 0 {
			continue
		}
		for i := range args {
			args[i] = s.fill(args[i])
		}
		args = append(args, "", "")
		s.do(args[0], filepath.Join(s.root, args[1]), args[1:len(args)-2], args[2])
	}
}

// do does what one line says. path is the first argument below the root, text the second argument.
func (s *scene) do(verb, path string, args []string, text string) {
	s.t.Helper()
	switch verb {
	case "mkdir":
		s.must(os.MkdirAll(path, 0o755))
	case "file", "script":
		s.must(os.MkdirAll(filepath.Dir(path), 0o755))
		// No process is started meanwhile: one that inherits the open file makes a program busy.
		syscall.ForkLock.RLock()
		err := os.WriteFile(path, []byte(text), map[string]os.FileMode{"file": 0o644, "script": 0o755}[verb])
		syscall.ForkLock.RUnlock()
		s.must(err)
	case "gitdir": // a directory that git takes for a repository, with this configuration
		s.must(os.MkdirAll(path+"/objects", 0o755))
		s.must(os.MkdirAll(path+"/refs/heads", 0o755))
		s.must(os.WriteFile(path+"/HEAD", []byte("ref: refs/heads/main\n"), 0o644))
		s.must(os.WriteFile(path+"/config", []byte(text), 0o644))
	case "repo": // a plain repository, with more behind what git init writes
		s.do("gitdir", path+"/.git", nil, coreLocal+text)
	case "global":
		s.play(`file home/.gitconfig "[user]\nname = Global\n"`)
	case "conditional": // a repository, and a global file that names Else, and If where the condition holds
		s.play("repo " + text + ` ""` + "\nfile home/inc \"[user]\\nname = If\\n\"\n")
		s.do("file", s.root+"/home/.gitconfig", nil, "[user]\nname = Else\n[includeIf \""+args[0]+"\"]\npath = inc\n")
	case "worktree": // a real repository with a real linked worktree beside it
		s.play("git init -q\ngit commit -q --allow-empty -m x\ngit config user.name Main\ngit worktree add -q {root}/linked")
	case "git":
		cmd := exec.Command(s.git, args...)
		cmd.Dir = s.dir
		cmd.Env = withSystem(slices.Clone(s.env), "/nonexistent")
		for _, who := range []string{"AUTHOR", "COMMITTER"} {
			cmd.Env = append(cmd.Env, "GIT_"+who+"_NAME=a", "GIT_"+who+"_EMAIL=a@b")
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			s.t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	case "link":
		s.must(os.Symlink(text, path))
	case "fifo":
		s.must(syscall.Mkfifo(path, 0o644))
	case "remove":
		s.must(os.RemoveAll(path))
	case "chmod":
		mode, err := strconv.ParseUint(text, 8, 32)
		s.must(err)
		s.must(os.Chmod(path, os.FileMode(mode)))
		s.t.Cleanup(func() { os.Chmod(path, 0o755) })
	case "chown":
		if os.Geteuid() != 0 {
			s.t.Skip("only root can give files away")
		}
		uid, err := strconv.Atoi(text)
		s.must(err)
		s.must(filepath.Walk(path, func(p string, _ os.FileInfo, err error) error {
			return errors.Join(err, os.Lchown(p, uid, uid))
		}))
	case "nobody": // somebody asks who is not root, and owns the scene
		if os.Geteuid() == 0 {
			s.uid = 65534
			s.do("chown", s.root, nil, strconv.Itoa(s.uid))
		}
	case "in":
		s.dir = s.root + "/" + args[0]
	case "set":
		s.env = append(s.env, args...)
	case "unset":
		s.env = slices.DeleteFunc(s.env, func(kv string) bool { return strings.HasPrefix(kv, args[0]+"=") })
	default:
		s.t.Fatalf("no such verb: %s", verb)
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
	v := verdict{Note: strings.TrimSpace(reason.String())}
	var exit *exec.ExitError
	switch {
	case err == nil:
		v.Said = "=" + strings.TrimSuffix(out.String(), "\n")
	case errors.As(err, &exit) && exit.ExitCode() == 1:
		v.Said = "-"
	case errors.As(err, &exit):
		v.Said = "!"
	default:
		s.t.Fatalf("the oracle: %v", err)
	}
	return v
}

// subject is what this package says, as the user who asks.
func (s *scene) subject() verdict {
	s.t.Helper()
	if s.uid == 0 {
		return subject(s.env, s.system, s.dir)
	}
	cmd := exec.Command(s.helper())
	cmd.Dir = s.dir
	cmd.Env = s.helperEnv()
	s.become(cmd)
	return s.helped(cmd)
}

func (s *scene) helped(cmd *exec.Cmd) (v verdict) {
	s.t.Helper()
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	s.must(err)
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
	path := s.root + "/helper.bin"
	if os.Link(self, path) != nil {
		data, err := os.ReadFile(self)
		s.must(err)
		s.do("script", path, nil, string(data))
	}
	return path
}

func (s *scene) become(cmd *exec.Cmd) {
	if s.uid != 0 {
		id := uint32(s.uid)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: id, Gid: id, NoSetGroups: true}}
	}
}

// agree holds the subject against the oracle. want is what the oracle must say for the case to be about anything,
// "*" for whatever this git says. mode is "plain" if git must not be needed, "asks" if it must be, "waits" if git would
// wait for ever and must not be asked, whether or not there is one.
func (s *scene) agree(want, mode string) {
	s.t.Helper()
	got := s.subject()
	if mode == "waits" {
		s.env = append(s.env, "PATH=")
		if without := s.subject(); got.Said != "!" || got.Asked || !got.Guessed || !without.Guessed {
			s.t.Errorf("we say %+v, and without git %+v", got, without)
		}
		return
	}
	oracle := s.oracle()
	if oracle.Said != got.Said {
		s.t.Errorf("git says %q (%s), we say %+v", oracle.Said, oracle.Note, got)
	}
	if want != "*" && s.fill(want) != oracle.Said {
		s.t.Errorf("the case wants %q, git says %q (%s)", want, oracle.Said, oracle.Note)
	}
	if mode == "plain" && got.Asked || mode == "asks" && !got.Asked {
		s.t.Errorf("it should be %s: %s", mode, got.Note)
	}
}

// cases reads a file of cases: "NAME: WANT MODE ...", and lines of a script below.
func cases(t *testing.T, file string, do func(name string, fields []string, script string)) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var heads, scripts []string
	for line := range strings.Lines(string(data)) {
		switch {
		case strings.TrimSpace(line) == "" || line[0] == '#':
		case line[0] == '\t':
			scripts[len(scripts)-1] += line
		default:
			heads, scripts = append(heads, line), append(scripts, "")
		}
	}
	for i, head := range heads {
		name, rest, ok := strings.Cut(head, ": ")
		fields := words(t, rest)
		if !ok || len(fields) < 2 {
			t.Fatal(fmt.Errorf("%s: %s", file, head))
		}
		do(name, fields, scripts[i])
	}
}
