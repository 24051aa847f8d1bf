//go:build unix

package identity

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSources(t *testing.T) {
	no := func() (string, error) { return "", errors.New("nobody") }
	says := func(s string) func() (string, error) { return func() (string, error) { return s, nil } }
	unusable := func(source, quoted string) Problem {
		return Problem{WarnUnusable, source + ": " + quoted + " has no letter a-z and no digit"}
	}
	for _, c := range []struct {
		git      string // a shell script
		os, host func() (string, error)
		want     User
	}{
		{"echo José García", says("x"), says("y"), User{Name: "jos-garca", Raw: "José García", Source: SourceGit}},
		{`printf 'a\nb\n\n'`, says("x"), says("y"), User{Name: "ab", Raw: "a\nb\n", Source: SourceGit}},
		{"exit 1", says("Os_User"), says("y"), User{Name: "osuser", Raw: "Os_User", Source: SourceOS}},
		{"exit 1", no, says("Box-7.example.com"), User{Name: "box-7", Raw: "Box-7", Source: SourceHostname}},
		{"exit 1", no, no, User{Name: "unknown", Raw: "unknown", Source: SourceDefault}},
		{"exit 1", says(""), says(".example"), User{Name: "unknown", Raw: "unknown", Source: SourceDefault}},
		{"echo 日本語", says("ann"), no, User{
			Name: "ann", Raw: "ann", Source: SourceOS, Warnings: []Problem{unusable("git", `"日本語"`)},
		}},
		{"echo", says("_"), says("é.x"), User{
			Name: "unknown", Raw: "unknown", Source: SourceDefault,
			Warnings: []Problem{unusable("git", `""`), unusable("os", `"_"`), unusable("hostname", `"é"`)},
		}},
		{`printf 'fatal: bad \033[31mconfig\nmore\n' >&2; exit 128`, says("ann"), no, User{
			Name: "ann", Raw: "ann", Source: SourceOS, Guessed: true,
			Warnings: []Problem{{WarnConfigBroken, "fatal: bad [31mconfig"}},
		}},
		{"echo fatal: not a git repository: x >&2; exit 128", says("ann"), no, User{
			Name: "ann", Raw: "ann", Source: SourceOS,
			Warnings: []Problem{{WarnConfigBroken, "fatal: not a git repository: x"}},
		}},
		{"exit 3", says("ann"), no, User{
			Name: "ann", Raw: "ann", Source: SourceOS, Guessed: true,
			Warnings: []Problem{{WarnConfigBroken, "git config user.name ended with exit code 3"}},
		}},
		{"echo x; kill -9 $$", says("ann"), no, User{
			Name: "ann", Raw: "ann", Source: SourceOS, Guessed: true,
			Warnings: []Problem{{WarnGitFailed, "git config user.name: signal: killed"}},
		}},
	} {
		s := newScene(t, "global")
		s.do("script", s.root+"/bin/git", nil, "#!/bin/sh\n"+c.git+"\n")
		w := SystemWorld(append(s.env, "PATH="+s.root+"/bin:/bin"))
		w.osUser, w.hostname = c.os, c.host
		if diff := cmp.Diff(c.want, Find(t.Context(), w, s.dir)); diff != "" {
			t.Errorf("%s: %s", c.git, diff)
		}
	}
}

// git gets the environment and the directory as they were given, a deadline, and nothing to page.
func TestHowGitIsAsked(t *testing.T) {
	s := newScene(t, "set GIT_NEW=x")
	w := SystemWorld(s.env)
	var got *exec.Cmd
	w.run = func(cmd *exec.Cmd) error { got = cmd; return nil }
	Find(t.Context(), w, s.dir)
	if got == nil || got.Dir != s.dir || got.Stdin != nil || got.WaitDelay != waitDelay {
		t.Errorf("git is run as %+v", got)
	}
	if diff := cmp.Diff(append(slices.Clone(s.env), "LC_ALL=C", "LANGUAGE="), got.Env); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{s.git, "--no-pager", "config", "user.name"}, got.Args); diff != "" {
		t.Error(diff)
	}
}

// A git that never answers is stopped, one that answers without end is cut off.
func TestUnrulyGit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		script, code string
		patience     time.Duration
	}{
		{"exec sleep 60", WarnGitTimeout, 50 * time.Millisecond},
		{"yes", WarnGitTimeout, 200 * time.Millisecond},
		{"head -c 1048577 /dev/zero", WarnGitFailed, time.Minute},
		{"head -c 2000000 /dev/zero | tr '\\0' x >&2; exit 128", WarnConfigBroken, time.Minute},
	} {
		t.Run(c.script, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, "set PATH={root}/bin:/usr/bin:/bin")
			s.do("script", s.root+"/bin/git", nil, "#!/bin/sh\n"+c.script+"\n")
			runs := 0
			w := staged(s.env, s.system, &runs)
			w.patience = c.patience
			u := Find(t.Context(), w, s.dir)
			if u.Raw != "osuser" || !u.Guessed || len(u.Warnings) != 1 || u.Warnings[0].Code != c.code || len(u.Warnings[0].Detail) > 300 {
				t.Errorf("got %+v, want the warning %s", u, c.code)
			}
		})
	}
}

func TestGitThatDoesNotStart(t *testing.T) {
	s := newScene(t, "script bin/git \"#!/nonexistent\\n\"\nset PATH={root}/bin")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx context.Context
		env []string
		dir string
	}{
		"no such interpreter": {t.Context(), s.env, s.dir},
		"no such directory":   {t.Context(), append(s.env, "PATH=/usr/bin"), s.root + "/none"},
		"cancelled":           {cancelled, append(s.env, "PATH=/usr/bin"), s.dir},
	} {
		runs := 0
		u := Find(c.ctx, staged(c.env, s.system, &runs), c.dir)
		if u.Raw != "osuser" || !u.Guessed || runs != 1 || len(u.Warnings) != 1 || u.Warnings[0].Code != WarnGitFailed {
			t.Errorf("%s: got %+v", name, u)
		}
	}
}

// A relative directory is one below the working directory.
func TestRelative(t *testing.T) {
	s := newScene(t, "repo work {local}\nmkdir work/sub")
	t.Chdir(s.dir)
	for _, dir := range []string{".", "", "sub", "./sub/.."} {
		if got := subject(s.env, s.system, dir); got.Said != "=Local" || got.Asked {
			t.Errorf("in %q: %+v", dir, got)
		}
	}
}

// Without a git program the reading serves, and warns where git might say something else.
func TestWithoutGit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		script, raw string
		warns       bool
	}{
		{"global", "Global", false},
		{"global\nrepo work {local}", "Local", false},
		{`file home/.gitconfig "[include]\npath = x\n[a.b]\n[user]\nname = Ann\n"`, "Ann", true},
		{`file home/.gitconfig "[user]\nname = Ann\n[x\n[user]\nname = Bob\n"`, "Ann", true},
		{`file home/.gitconfig "[user]\nname = \"A\\\"\" B # C\n"`, `"A\"" B`, true},
		{"global\nrepo work \"[x\\n\"", "Global", true},
		{"global\nfile work/.git \"gitdir: x\\n\"", "Global", true},
		{"global\nrepo work {local}\nchown work 12345", "Global", true},
		{`file home/.config/git/config "[user]\nname = Xdg\n"`, "Xdg", false},
		{"set XDG_CONFIG_HOME=x\n" + `file home/.config/git/config "[user]\nname = Xdg\n"`, "osuser", true},
		{"global\nset GIT_CONFIG_COUNT=1", "Global", true},
		{"unset HOME\nset HOME=x\nrepo work {local}", "Local", true},
		{"", "osuser", true},
		{"global\nin none", "Global", true},
	} {
		t.Run(c.script, func(t *testing.T) {
			t.Parallel()
			// None of these is a git program.
			s := newScene(t, "mkdir work/relative\nscript work/git \"\"\nfile bin/git \"\"\nunset PATH\nset PATH={root}/bin::.:relative\n"+c.script)
			runs := 0
			u := Find(t.Context(), staged(s.env, s.system, &runs), s.dir)
			warned := slices.ContainsFunc(u.Warnings, func(w Problem) bool { return w.Code == WarnGitMissing })
			if u.Raw != c.raw || runs != 0 || warned != c.warns || u.Guessed {
				t.Errorf("got %+v, want %q; git was run %d times", u, c.raw, runs)
			}
		})
	}
}

func TestTooLargeToAsk(t *testing.T) {
	for size, asked := range map[int]bool{maxConfig: false, maxConfig + 1: true, maxAsked: true, maxAsked + 1: false} {
		s := newScene(t, "")
		text := "[user]\nname = Ann\n#"
		s.do("file", s.root+"/home/.gitconfig", nil, text+strings.Repeat("x", size-len(text)))
		runs := 0
		u := Find(t.Context(), staged(s.env, s.system, &runs), s.dir)
		if runs > 0 != asked || u.Guessed != (size > maxAsked) {
			t.Errorf("%d bytes: git was run %d times, %+v", size, runs, u)
		}
	}
}

// Nothing in a configuration is executed: neither when it is read nor when git is asked. The file names a command in
// every variable of git that is known to run one, and in some that are not.
func TestNothingIsExecuted(t *testing.T) {
	t.Parallel()
	hostile, err := os.ReadFile("testdata/hostile.gitconfig")
	if err != nil {
		t.Fatal(err)
	}
	for more, said := range map[string]string{
		"[user]\nname = Ann\n":                     "=Ann",
		"[include]\npath = {root}/inc\n":           "=Inc",
		"[user]\nname = $(CANARY) `CANARY` \\\\\n": "=$(CANARY) `CANARY` \\",
		"[user\n": "!",
		"":        "-",
	} {
		t.Run(said, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, "script canary \"#!/bin/sh\\n: >{root}/sang\\n\"\nmkdir hooks\nlink work/git {root}/canary\n"+
				"set GIT_PAGER={root}/canary PAGER={root}/canary GIT_EDITOR={root}/canary GIT_SSH_COMMAND={root}/canary")
			for _, hook := range []string{"post-index-change", "post-checkout", "reference-transaction", "fsmonitor-watchman"} {
				s.do("link", s.root+"/hooks/"+hook, nil, s.root+"/canary")
			}
			fill := func(text string) string { return strings.ReplaceAll(s.fill(text), "CANARY", s.root+"/canary") }
			s.do("repo", s.root+"/work", nil, fill(string(hostile)+more))
			s.do("file", s.root+"/home/.gitconfig", nil, fill(string(hostile)+more))
			s.do("file", s.root+"/inc", nil, fill(string(hostile)+"[user]\nname = Inc\n"))
			// A git in the directory is not the git of PATH.
			s.env = append(s.env, "PATH=:.:"+filepath.Dir(s.git))
			if got := subject(s.env, s.system, s.dir); got.Said != fill(said) || got.Asked == (said == "=Ann") {
				t.Errorf("got %+v, want %q", got, said)
			}
			if _, err := os.Stat(s.root + "/sang"); err == nil {
				t.Error("something was executed")
			}
			s.must(exec.Command(s.root + "/canary").Run())
			if _, err := os.Stat(s.root + "/sang"); err != nil {
				t.Error("the test would not notice")
			}
		})
	}
}

func TestLookGit(t *testing.T) {
	s := newScene(t, `
		file a/git "not executable"
		mkdir b/git
		mkdir c
		script d/git ""
		link c/git {root}/d/git
		script work/git ""`)
	t.Chdir(s.dir)
	for path, want := range map[string]string{
		"{root}/none:{root}/a:{root}/b:{root}/c:{root}/d": "{root}/c/git",
		":.:./:work:{root}/d":                             "{root}/d/git",
		"":                                                "",
		".":                                               "",
		"{root}/work":                                     "{root}/work/git", // by its full name it is meant
		"{root}/a:{root}/b":                               "",
	} {
		if got := SystemWorld([]string{"PATH=/wrong", "PATH=" + s.fill(path)}).git; got != s.fill(want) {
			t.Errorf("PATH=%s leads to %q, want %q", path, got, want)
		}
	}
}

// Each variable that counts as harmless is set to several odd values: git must not care, and must not be needed.
func TestHarmlessVariables(t *testing.T) {
	t.Parallel()
	for key := range strings.FieldsSeq(`GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE GIT_COMMITTER_NAME
		GIT_COMMITTER_EMAIL GIT_COMMITTER_DATE GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_MERGE_AUTOEDIT GIT_PAGER GIT_PAGER_IN_USE
		GIT_TERMINAL_PROMPT GIT_ASKPASS GIT_SSH GIT_SSH_COMMAND GIT_SSH_VARIANT GIT_SSL_CAINFO GIT_SSL_CAPATH GIT_SSL_CERT
		GIT_SSL_KEY GIT_SSL_NO_VERIFY GIT_SSL_VERSION GIT_OPTIONAL_LOCKS GIT_PS1_SHOWDIRTYSTATE GIT_LFS_SKIP_SMUDGE`) {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			values := []string{"garbage", "", "0", "true", "/nonexistent"}
			if testing.Short() {
				values = values[:1]
			}
			for _, value := range values {
				newScene(t, "repo work {local}\nset "+key+"="+value).agree("=Local", "plain")
			}
		})
	}
	for key := range strings.FieldsSeq(`GIT_DIR GIT_CONFIG GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_TRACE GIT_NEW GIT_`) {
		if e := readEnvironment([]string{"HOME=/h", key + "=x", "GIT_DIR=x"}); e.steering != key {
			t.Errorf("%s counts as harmless", key)
		}
	}
}

// What `git -c` and its relatives set, seen by a program that git itself starts: the subject and the oracle both run as
// a git alias.
func TestBelowGit(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"-c user.name=Ann": "=Ann", "-c \"user.name=a\\nb\"": "=a\nb", "-c user.name=": "=", "-c user.name": "=",
		"-c USER.Name=Case": "=Case", "-c user.email=x": "=Local", "-c include.path={root}/inc": "=Inc",
		"-c safe.directory=*": "=Local", "--config-env=user.name=HOME": "={root}/home", "-C {root}/other": "=Other",
		"--git-dir={root}/other/.git": "=Other", "--git-dir={root}/other/.git --work-tree={root}/work": "=Other",
		"--namespace=x": "=Local", "--bare": "=Local",
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, `
				repo work {local}
				repo other "[user]\nname = Other\n"
				file inc "[user]\nname = Inc\n"`)
			below := func(command string, env []string) *exec.Cmd {
				cmd := exec.Command(s.git, append(words(t, s.fill(args)), "-c", "alias.probe=!"+command, "probe")...)
				cmd.Dir, cmd.Env = s.dir, withSystem(env, s.system)
				return cmd
			}
			oracle, got := s.heard(below("git config user.name", s.env)), s.helped(below(s.helper(), s.helperEnv()))
			if oracle.Said != got.Said || args != "--bare" && oracle.Said != s.fill(want) {
				t.Errorf("git says %+v, we say %+v, want %q", oracle, got, want)
			}
		})
	}
}

// The name below git's is the one of whoami.
func TestOSUser(t *testing.T) {
	out, err := exec.Command("whoami").Output()
	name, err2 := osUser()
	if err := errors.Join(err, err2); err != nil {
		t.Skip(err)
	}
	if want := strings.TrimSpace(string(out)); name != want {
		t.Errorf("got %q, whoami says %q", name, want)
	}
}

func BenchmarkFind(b *testing.B) {
	for runsEach, more := range []string{"", "[include]\npath = none\n"} {
		b.Run(fmt.Sprintf("%d runs of git", runsEach), func(b *testing.B) {
			s := newScene(b, "repo work {local}\nmkdir work/a/b/c\nin work/a/b/c\nset TERM=xterm LANG=C GIT_EDITOR=true")
			s.do("file", s.root+"/home/.gitconfig", nil, ordinary(b)+more)
			runs, n := 0, 0
			b.ReportAllocs()
			for b.Loop() {
				n++
				if u := Find(b.Context(), staged(s.env, s.system, &runs), s.dir); u.Raw != "Local" {
					b.Fatalf("got %+v", u)
				}
			}
			if runs != n*runsEach {
				b.Fatalf("git was run %d times in %d rounds", runs, n)
			}
		})
	}
}

func TestHidden(t *testing.T) {
	home := t.TempDir()
	config := filepath.Join(home, ".gitconfig")
	hidden := func(env ...string) string {
		return SystemWorld(append(env, "HOME="+home, "USERPROFILE="+home)).Hidden()
	}
	if got := hidden("GIT_CONFIG_GLOBAL=/dev/null"); got != "" {
		t.Errorf("without a file: %q", got)
	}
	if err := os.WriteFile(config, []byte("[user]\n\tname = Ada\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for env, want := range map[string]string{
		"A=b":                         "",
		"GIT_CONFIG_GLOBAL=" + config: "",
		"GIT_CONFIG_GLOBAL=/dev/null": "GIT_CONFIG_GLOBAL=/dev/null hides " + config,
		"GIT_CONFIG_GLOBAL=":          "GIT_CONFIG_GLOBAL= hides " + config,
		"GIT_CONFIG_GLOBAL=" + home:   "GIT_CONFIG_GLOBAL=" + home + " hides " + config,
	} {
		if got := hidden(env); got != want {
			t.Errorf("%s: %q, want %q", env, got, want)
		}
	}
	if os.Geteuid() == 0 {
		return // who may read everything
	}
	if err := os.Chmod(config, 0); err != nil {
		t.Fatal(err)
	}
	if got, want := hidden(), config+" cannot be read: permission denied"; got != want {
		t.Errorf("unreadable: %q, want %q", got, want)
	}
}
