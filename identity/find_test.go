//go:build unix

package identity

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// answering is a world in which git always has the same answer.
func answering(reply GitReply) World {
	return World{
		Env:         []string{"GIT_DIR=x"}, // so that git is asked
		LookGit:     func([]string) string { return "/bin/git" },
		SystemFiles: func(string) ([]string, bool) { return nil, true },
		RunGit:      func(context.Context, GitCall) GitReply { return reply },
		OSUser:      func() (string, error) { return "Os_User", nil },
		Hostname:    func() (string, error) { return "Host.example.com", nil },
	}
}

func TestSources(t *testing.T) {
	no := func() (string, error) { return "", errors.New("nobody") }
	says := func(s string) func() (string, error) { return func() (string, error) { return s, nil } }
	unset := GitReply{Exit: 1}
	for _, c := range []struct {
		name     string
		git      GitReply
		os, host func() (string, error)
		want     User
	}{
		{"git", GitReply{Stdout: []byte("José García\n")}, says("x"), says("y"), User{Name: "jos-garca", Raw: "José García", Source: SourceGit}},
		{"git with newlines", GitReply{Stdout: []byte("a\nb\n\n")}, says("x"), says("y"), User{Name: "ab", Raw: "a\nb\n", Source: SourceGit}},
		{"os", unset, says("Os_User"), says("y"), User{Name: "osuser", Raw: "Os_User", Source: SourceOS}},
		{"hostname", unset, no, says("Box-7.example.com"), User{Name: "box-7", Raw: "Box-7", Source: SourceHostname}},
		{"default", unset, no, no, User{Name: "unknown", Raw: "unknown", Source: SourceDefault}},
		{"os empty", unset, says(""), says(".example"), User{Name: "unknown", Raw: "unknown", Source: SourceDefault}},
		{"git unusable", GitReply{Stdout: []byte("日本語\n")}, says("ann"), no, User{
			Name: "ann", Raw: "ann", Source: SourceOS,
			Warnings: []Warning{{WarnUnusable, `git: "日本語" has no letter a-z and no digit`}},
		}},
		{"git empty", GitReply{Stdout: []byte("\n")}, says("ann"), no, User{
			Name: "ann", Raw: "ann", Source: SourceOS,
			Warnings: []Warning{{WarnUnusable, `git: "" has no letter a-z and no digit`}},
		}},
		{"all unusable", GitReply{Stdout: []byte(".\n")}, says("_"), says("é.x"), User{
			Name: "unknown", Raw: "unknown", Source: SourceDefault,
			Warnings: []Warning{
				{WarnUnusable, `git: "." has no letter a-z and no digit`},
				{WarnUnusable, `os: "_" has no letter a-z and no digit`},
				{WarnUnusable, `hostname: "é" has no letter a-z and no digit`},
			},
		}},
		{"git broken", GitReply{Exit: 128, Stderr: []byte("fatal: bad \x1b[31mconfig\nmore\n")}, says("ann"), no, User{
			Name: "ann", Raw: "ann", Source: SourceOS,
			Warnings: []Warning{{WarnConfigBroken, "fatal: bad [31mconfig"}}, Guessed: true,
		}},
		{"git broken in silence", GitReply{Exit: 3}, says("ann"), no, User{
			Name: "ann", Raw: "ann", Source: SourceOS,
			Warnings: []Warning{{WarnConfigBroken, "git config user.name ended with exit code 3"}}, Guessed: true,
		}},
		{"git too slow", GitReply{Err: context.DeadlineExceeded}, says("ann"), no, User{
			Name: "ann", Raw: "ann", Source: SourceOS,
			Warnings: []Warning{{WarnGitTimeout, "git config user.name gave no answer within 5s"}}, Guessed: true,
		}},
		{"git failed", GitReply{Err: errors.New("no such thing"), Stdout: []byte("x\n")}, says("ann"), no, User{
			Name: "ann", Raw: "ann", Source: SourceOS,
			Warnings: []Warning{{WarnGitFailed, "no such thing"}}, Guessed: true,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := answering(c.git)
			w.OSUser, w.Hostname = c.os, c.host
			if diff := cmp.Diff(c.want, Find(t.Context(), w, t.TempDir()), cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// git gets the environment and the directory as they were given, and nothing else.
func TestHowGitIsAsked(t *testing.T) {
	w := answering(GitReply{})
	var got GitCall
	w.RunGit = func(ctx context.Context, c GitCall) GitReply {
		if _, limited := ctx.Deadline(); !limited {
			t.Error("git is asked without a deadline")
		}
		got = c
		return GitReply{Exit: 1}
	}
	dir := t.TempDir()
	Find(t.Context(), w, dir)
	want := GitCall{Path: "/bin/git", Args: []string{"--no-pager", "config", "user.name"}, Dir: dir, Env: append(slices.Clip(w.Env), "LC_ALL=C", "LANGUAGE=")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The whole of Find in the real world, apart from the system file.
func TestFindForReal(t *testing.T) {
	s := newScene(t)
	s.repo("work", "[user]\nname = Ann Other\n")
	var runs atomic.Int32
	got := Find(t.Context(), staged(s.env, s.system, &runs), s.dir)
	if diff := cmp.Diff(User{Name: "ann-other", Raw: "Ann Other", Source: SourceGit}, got, cmpopts.EquateEmpty()); diff != "" || runs.Load() != 0 {
		t.Errorf("%d runs of git, %s", runs.Load(), diff)
	}
	s.file("home/.gitconfig", "[user\n")
	got = Find(t.Context(), staged(s.env, s.system, &runs), s.dir)
	if got.Source != SourceOS || len(got.Warnings) != 1 || got.Warnings[0].Code != WarnConfigBroken || !strings.Contains(got.Warnings[0].Detail, ".gitconfig") || runs.Load() != 1 {
		t.Errorf("a broken file: %+v after %d runs", got, runs.Load())
	}
	got = Find(t.Context(), staged(s.env, s.system, &runs), s.path("none"))
	if got.Source != SourceOS || len(got.Warnings) != 1 || got.Warnings[0].Code != WarnGitFailed {
		t.Errorf("a directory that is not there: %+v", got)
	}
}

// A relative directory is one below the working directory.
func TestFindRelative(t *testing.T) {
	s := newScene(t)
	s.repo("work", "[user]\nname = Ann\n")
	s.mkdir("work/sub")
	t.Chdir(s.work)
	for _, dir := range []string{".", "", "sub", "./sub/.."} {
		if got := subject(t.Context(), s.env, s.system, dir); got.Raw != "Ann" || got.Asked {
			t.Errorf("in %q: %+v", dir, got)
		}
	}
}

// hostile names a command in every variable of git that is known to run one, and in some that are not.
const hostile = `
[alias]
	config = !CANARY
[alias "user.name"]
	command = !CANARY
[core]
	pager = CANARY
	editor = CANARY
	fsmonitor = CANARY
	sshCommand = CANARY
	askPass = CANARY
	hooksPath = {root}/hooks
	gitProxy = CANARY
	attributesFile = {root}/attributes
	alternateRefsCommand = CANARY
[pager]
	config = CANARY
[credential]
	helper = !CANARY
[diff]
	external = CANARY
	tool = x
[diff "x"]
	command = CANARY
	textconv = CANARY
[difftool "x"]
	cmd = CANARY
[merge "x"]
	driver = CANARY
[mergetool "x"]
	cmd = CANARY
[filter "x"]
	clean = CANARY
	smudge = CANARY
	process = CANARY
	required = true
[gpg]
	program = CANARY
[sequence]
	editor = CANARY
[web]
	browser = CANARY
[uploadpack]
	packObjectsHook = CANARY
[sendemail]
	smtpServer = CANARY
[interactive]
	diffFilter = CANARY
[trailer "x"]
	command = CANARY
[browser "x"]
	cmd = CANARY
[man "x"]
	cmd = CANARY
[url "ext::CANARY"]
	insteadOf = x
[remote "origin"]
	url = ext::CANARY
	uploadpack = CANARY
	vcs = CANARY
[maintenance]
	auto = true
`

// Nothing in a configuration is executed: neither when it is read nor when git is asked.
func TestNothingIsExecuted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, more, user string }{
		{"read", "[user]\nname = Ann\n", "Ann"},
		{"asked", "[user]\nname = Ann\n[include]\npath = {root}/inc\n", "Inc"},
		{"asked for a name like a command", "[include]\npath = {root}/inc\n[user]\nname = $(CANARY) `CANARY` !CANARY\n", ""},
		{"asked for a broken file", "[user\n", ""},
		{"asked for nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			canary := s.path("canary")
			s.script("canary", "#!/bin/sh\n: >"+canary+".sang\n")
			s.mkdir("hooks")
			for _, hook := range []string{"post-index-change", "post-checkout", "reference-transaction", "fsmonitor-watchman"} {
				s.must(os.Symlink(canary, s.path("hooks/"+hook)))
			}
			text := strings.ReplaceAll(hostile+c.more, "CANARY", canary)
			s.repo("work", text)
			s.file("home/.gitconfig", text)
			s.file("inc", strings.ReplaceAll(hostile+"[user]\nname = Inc\n", "CANARY", canary))
			s.set("GIT_PAGER="+canary, "PAGER="+canary, "GIT_EDITOR="+canary, "GIT_SSH_COMMAND="+canary, "GIT_ASKPASS="+canary)
			// A git in the directory is not the git of PATH.
			s.must(os.Symlink(canary, s.path("work/git")))
			s.env = append(s.env, "PATH=:.:"+filepath.Dir(s.git))
			var runs atomic.Int32
			got := Find(t.Context(), staged(s.env, s.system, &runs), s.dir)
			if c.user != "" && got.Raw != c.user {
				t.Errorf("got %+v, want %q", got, c.user)
			}
			if asked := runs.Load() > 0; asked != strings.HasPrefix(c.name, "asked") {
				t.Errorf("git was run %d times", runs.Load())
			}
			if _, err := os.Stat(canary + ".sang"); err == nil {
				t.Error("the canary sang: something was executed")
			}
			// It can sing.
			s.must(exec.Command(canary).Run())
			if _, err := os.Stat(canary + ".sang"); err != nil {
				t.Error("the canary is mute")
			}
		})
	}
}

// Without a git program the reading serves, and warns where git might say something else.
func TestWithoutGit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		build func(s *scene)
		raw   string
		warns bool
	}{
		{"plain", func(s *scene) { s.global() }, "Global", false},
		{"plain local", func(s *scene) { s.global(); s.repo("work", localName) }, "Local", false},
		{"include", func(s *scene) { s.file("home/.gitconfig", "[include]\npath = x\n[user]\nname = Ann\n") }, "Ann", true},
		{"broken", func(s *scene) { s.file("home/.gitconfig", "[user]\nname = Ann\n[x\n") }, "Ann", true},
		{"broken local", func(s *scene) { s.global(); s.repo("work", "[x\n") }, "Global", true},
		{"linked worktree", func(s *scene) { s.global(); s.file("work/.git", "gitdir: x\n") }, "Global", true},
		{"xdg", func(s *scene) { s.file("home/.config/git/config", "[user]\nname = Xdg\n") }, "Xdg", false},
		{"relative xdg", func(s *scene) { s.set("XDG_CONFIG_HOME=x"); s.file("home/.config/git/config", "[user]\nname = Xdg\n") }, "osuser", true},
		{"system", func(s *scene) { s.file("system", "[user]\nname = System\n") }, "System", false},
		{"variable", func(s *scene) { s.global(); s.set("GIT_CONFIG_COUNT=1") }, "Global", true},
		{"relative home", func(s *scene) { s.unset("HOME"); s.set("HOME=x"); s.repo("work", localName) }, "Local", true},
		{"no name", func(s *scene) {}, "osuser", true},
		{"empty name", func(s *scene) { s.file("home/.gitconfig", "[user]\nname =\n") }, "osuser", false},
		{"no directory", func(s *scene) { s.global(); s.in("none") }, "Global", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.unset("PATH")
			s.mkdir("bin")
			s.set("PATH={root}/bin::.:relative")
			// None of these is a git program.
			s.mkdir("work/relative")
			s.script("work/git", "")
			s.file("bin/git", "") // not executable
			c.build(s)
			var runs atomic.Int32
			u := Find(t.Context(), staged(s.env, s.system, &runs), s.dir)
			if u.Raw != c.raw || runs.Load() != 0 {
				t.Errorf("got %+v, want %q; git was run %d times", u, c.raw, runs.Load())
			}
			warned := false
			for _, w := range u.Warnings {
				warned = warned || w.Code == WarnGitMissing
			}
			if warned != c.warns {
				t.Errorf("warnings: %+v", u.Warnings)
			}
		})
	}
}

func TestLookGit(t *testing.T) {
	s := newScene(t)
	for _, dir := range []string{"a", "b/git", "c", "d", "e"} {
		s.mkdir(dir)
	}
	s.file("a/git", "not executable")
	s.script("d/git", "")
	s.must(os.Symlink(s.path("d/git"), s.path("c/git")))
	s.script("work/git", "")
	t.Chdir(s.work)
	for _, c := range []struct{ path, want string }{
		{"{root}/none:{root}/a:{root}/b:{root}/c:{root}/d", "{root}/c/git"},
		{":.:./:work:{root}/d", "{root}/d/git"},
		{"", ""},
		{".", ""},
		{"{root}/work", "{root}/work/git"}, // by its full name it is meant
		{"{root}/a:{root}/b", ""},
	} {
		if got := lookGit([]string{"PATH=/wrong", "PATH=" + s.fill(c.path)}); got != s.fill(c.want) {
			t.Errorf("PATH=%s leads to %q, want %q", c.path, got, c.want)
		}
	}
	if got := lookGit(nil); got != "" {
		t.Errorf("no PATH leads to %q", got)
	}
}

func TestSystemFiles(t *testing.T) {
	s := newScene(t)
	s.file("cellar/git/2/bin/git", "")
	s.mkdir("brew/bin")
	s.link("{root}/cellar/git/2/bin/git", "brew/bin/git")
	for _, c := range []struct {
		git   string
		files []string
		known bool
	}{
		{"", []string{"/etc/gitconfig"}, true},
		{"/usr/bin/git", []string{"/etc/gitconfig"}, true},
		{"/bin/git", []string{"/etc/gitconfig"}, true},
		{"/usr/lib/git-core/git", []string{"/etc/gitconfig"}, true},
		{"/opt/x/bin/git", []string{"/etc/gitconfig", "/opt/x/etc/gitconfig"}, true},
		{"/opt/x/libexec/git-core/git", []string{"/etc/gitconfig", "/opt/x/etc/gitconfig"}, true},
		{"/opt/x/git", []string{"/etc/gitconfig"}, false},
		{s.path("brew/bin/git"), []string{"/etc/gitconfig", s.path("brew/etc/gitconfig"), s.path("cellar/git/2/etc/gitconfig")}, true},
	} {
		files, known := systemFiles(c.git)
		if diff := cmp.Diff(c.files, files); diff != "" || known != c.known {
			t.Errorf("%s: known %t, %s", c.git, known, diff)
		}
	}
}

// A git that is a script may set anything before it calls the real one.
func TestWrappedGit(t *testing.T) {
	s := newScene(t)
	s.global()
	s.script("bin/git", "#!/bin/sh\nGIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0=Wrapped exec "+s.git+" \"$@\"\n")
	s.set("PATH={root}/bin:" + filepath.Dir(s.git))
	if got := subject(t.Context(), s.env, s.system, s.dir); got.Raw != "Wrapped" {
		t.Errorf("got %+v", got)
	}
}

// A git that never answers is stopped, one that answers without end is cut off, one that dies is a failure.
func TestUnrulyGit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, script, code string
		patience           time.Duration
	}{
		{"hangs", "exec sleep 60", WarnGitTimeout, 50 * time.Millisecond},
		{"never ends", "yes", WarnGitTimeout, 200 * time.Millisecond},
		{"says too much", "head -c 2000000 /dev/zero", WarnGitFailed, 0},
		{"kills itself", "kill -9 $$", WarnGitFailed, 0},
		{"is not a program", "", WarnGitFailed, 0},
		{"complains without end", "head -c 2000000 /dev/zero | tr '\\0' x >&2; exit 128", WarnConfigBroken, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			text := "#!/bin/sh\n" + c.script + "\n"
			if c.script == "" {
				text = "#!/nonexistent\n"
			}
			s.script("bin/git", text)
			s.set("PATH={root}/bin:/usr/bin:/bin")
			var runs atomic.Int32
			w := staged(s.env, s.system, &runs)
			w.Patience = c.patience
			u := Find(t.Context(), w, s.dir)
			if u.Raw != "osuser" || len(u.Warnings) != 1 || u.Warnings[0].Code != c.code || len(u.Warnings[0].Detail) > maxDetail {
				t.Errorf("got %+v, want the warning %s", u, c.code)
			}
		})
	}
}

// The caller's own end of patience ends the wait too.
func TestCancelled(t *testing.T) {
	s := newScene(t)
	s.script("bin/git", "#!/bin/sh\nexec sleep 60\n")
	s.set("PATH={root}/bin:/usr/bin:/bin")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var runs atomic.Int32
	u := Find(ctx, staged(s.env, s.system, &runs), s.dir)
	if u.Raw != "osuser" || len(u.Warnings) != 1 || u.Warnings[0].Code != WarnGitFailed {
		t.Errorf("got %+v", u)
	}
}

// The real sources below git have an answer here, and it is the one of whoami.
func TestOSUser(t *testing.T) {
	s := newScene(t)
	w := SystemWorld(s.env)
	name, err := w.OSUser()
	if err != nil {
		t.Skipf("this user has no name: %v", err)
	}
	out := runGit(t.Context(), GitCall{Path: "/usr/bin/whoami", Env: s.env, Dir: s.dir})
	if out.Err != nil {
		t.Skipf("no whoami to compare with: %v", out.Err)
	}
	if want := strings.TrimSpace(string(out.Stdout)); name != want {
		t.Errorf("got %q, whoami says %q", name, want)
	}
}
