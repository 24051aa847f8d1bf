//go:build unix

package identity

// Every way to configure user.name that git has, held against git itself. A case that names what git must
// say (want) tests that the case is about anything; what we must say is always what git says.

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// sceneCase is more than one text: where files stand, what the environment and the repository say.
type sceneCase struct {
	name  string
	build func(s *scene)
	want  string
	plain bool
}

// precedenceCases: which file is stronger.
var precedenceCases = []sceneCase{
	// Precedence.
	{"nothing anywhere", func(s *scene) {}, "-", false},
	{"global over xdg", func(s *scene) {
		s.file("home/.gitconfig", "[user]\nname = Global\n")
		s.file("home/.config/git/config", "[user]\nname = Xdg\n")
	}, "=Global", true},
	{"xdg over system", func(s *scene) {
		s.file("home/.config/git/config", "[user]\nname = Xdg\n")
		s.file("system", "[user]\nname = System\n")
	}, "=Xdg", true},
	{"system alone", func(s *scene) { s.file("system", "[user]\nname = System\n") }, "=System", false},
	{"local over all", func(s *scene) {
		s.repo("work", "[user]\nname = Local\n")
		s.file("home/.gitconfig", "[user]\nname = Global\n")
		s.file("home/.config/git/config", "[user]\nname = Xdg\n")
		s.file("system", "[user]\nname = System\n")
	}, "=Local", true},
	{"local without a name", func(s *scene) {
		s.repo("work", "[user]\nemail = x\n")
		s.file("home/.gitconfig", "[user]\nname = Global\n")
	}, "=Global", true},
	{"empty local over global", func(s *scene) {
		s.repo("work", "[user]\nname =\n")
		s.file("home/.gitconfig", "[user]\nname = Global\n")
	}, "=", true},
	{"empty files", func(s *scene) {
		s.file("home/.gitconfig", "")
		s.file("home/.config/git/config", "")
		s.file("system", "")
	}, "-", false},
	{"broken xdg below global", func(s *scene) {
		s.file("home/.gitconfig", "[user]\nname = Global\n")
		s.file("home/.config/git/config", "[user\n")
	}, "!", false},
}

const localName = "[user]\nname = Local\n"

func (s *scene) global() { s.t.Helper(); s.file("home/.gitconfig", "[user]\nname = Global\n") }

func (s *scene) remove(rel string) { s.t.Helper(); s.must(os.RemoveAll(s.path(rel))) }

// conditional makes a repository and a global file that names Else, and If where the condition holds.
func (s *scene) conditional(condition, repo string) {
	s.t.Helper()
	s.repo(repo, "")
	s.file("home/.gitconfig", "[user]\nname = Else\n[includeIf \""+condition+"\"]\npath = inc\n")
	s.file("home/inc", "[user]\nname = If\n")
}

// worktree makes a real repository in work with a real linked worktree beside it.
func (s *scene) worktree() {
	s.t.Helper()
	s.run(s.work, "init", "-q")
	s.run(s.work, "commit", "-q", "--allow-empty", "-m", "x")
	s.run(s.work, "config", "user.name", "Main")
	s.run(s.work, "worktree", "add", "-q", s.path("linked"))
}

func TestEveryCase(t *testing.T) {
	t.Parallel()
	for _, c := range slices.Concat(precedenceCases, homeCases, variableCases, includeCases, placeCases, worktreeCases, steeringCases, ownerCases, oddFileCases) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			c.build(s)
			s.agree(c.want, c.plain)
		})
	}
}

// Each variable that counts as harmless is set to several odd values: git must not care, and must not be
// needed.
func TestHarmlessVariables(t *testing.T) {
	t.Parallel()
	for _, key := range []string{
		"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE",
		"GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_COMMITTER_DATE",
		"GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_MERGE_AUTOEDIT",
		"GIT_PAGER", "GIT_PAGER_IN_USE",
		"GIT_TERMINAL_PROMPT", "GIT_ASKPASS",
		"GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_PROXY_COMMAND", "GIT_HTTP_USER_AGENT",
		"GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_SSL_CERT", "GIT_SSL_KEY", "GIT_SSL_NO_VERIFY", "GIT_SSL_VERSION",
		"GIT_OPTIONAL_LOCKS",
		"GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS",
		"GIT_PS1_SHOWDIRTYSTATE", "GIT_LFS_SKIP_SMUDGE",
	} {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			for _, value := range []string{"", "0", "true", "garbage", "/nonexistent"} {
				s := newScene(t)
				s.repo("work", localName)
				s.set(key + "=" + value)
				s.agree("=Local", true)
			}
		})
	}
}

// The harmless list must not hold a variable that is known to steer git.
func TestSteeringVariables(t *testing.T) {
	for _, key := range []string{
		"GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE", "GIT_CEILING_DIRECTORIES", "GIT_OBJECT_DIRECTORY",
		"GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_CONFIG", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM",
		"GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_0",
		"GIT_CONFIG_PARAMETERS", "GIT_EXEC_PATH", "GIT_TRACE", "GIT_TRACE2_EVENT",
		"GIT_TEST_ASSUME_DIFFERENT_OWNER", "GIT_IMPLICIT_WORK_TREE", "GIT_DEFAULT_HASH", "GIT_",
	} {
		if e := readEnvironment([]string{"HOME=/h", key + "=x"}); e.steering != key {
			t.Errorf("%s counts as harmless", key)
		}
	}
}

// What `git -c` and its relatives set, seen by a program that git itself starts: the subject and the
// oracle both run as a git alias.
func TestBelowGit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		args []string // before the alias
		want string
	}{
		{"plain alias", nil, "=Local"},
		{"-c", []string{"-c", "user.name=Dash C"}, "=Dash C"},
		{"-c twice", []string{"-c", "user.name=One", "-c", "user.name=Two"}, "=Two"},
		{"-c quote", []string{"-c", "user.name=O'Hara \" #"}, "=O'Hara \" #"},
		{"-c newline", []string{"-c", "user.name=a\nb"}, "=a\nb"},
		{"-c empty", []string{"-c", "user.name="}, "="},
		{"-c no value", []string{"-c", "user.name"}, "="},
		{"-c case", []string{"-c", "USER.Name=Case"}, "=Case"},
		{"-c other", []string{"-c", "user.email=x"}, "=Local"},
		{"-c include", []string{"-c", "include.path={root}/inc"}, "=Inc"},
		{"-c safe", []string{"-c", "safe.directory=*"}, "=Local"},
		{"--config-env", []string{"--config-env=user.name=HOME"}, "={root}/home"},
		{"-C", []string{"-C", "{root}/other"}, "=Other"},
		{"--git-dir", []string{"--git-dir={root}/other/.git"}, "=Other"},
		{"--git-dir and --work-tree", []string{"--git-dir={root}/other/.git", "--work-tree={root}/work"}, "=Other"},
		{"--namespace", []string{"--namespace=x"}, "=Local"},
		{"--bare", []string{"--bare"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.repo("work", localName)
			s.repo("other", "[user]\nname = Other\n")
			s.file("inc", "[user]\nname = Inc\n")
			below := func(command string) *exec.Cmd {
				args := []string{}
				for _, a := range c.args {
					args = append(args, s.fill(a))
				}
				cmd := exec.Command(s.git, append(args, "-c", "alias.probe=!"+command, "probe")...)
				cmd.Dir = s.dir
				cmd.Env = withSystem(s.env, s.system)
				return cmd
			}
			oracle := s.heard(below("git config user.name"))
			asked := below(s.helper())
			asked.Env = append(asked.Env, helperVariable+"=1", systemVariable+"="+s.system)
			got := s.helped(asked)
			if oracle.State != got.State || oracle.Raw != got.Raw {
				t.Errorf("git says %v (%s), we say %v", oracle, oracle.Note, got)
			}
			if want := s.fill(c.want); want != "" && sign(oracle) != want {
				t.Errorf("the case wants %q, git says %q (%s)", want, sign(oracle), oracle.Note)
			}
		})
	}
}

// The doubts that this git does not bear out: another version, another system, or a later state of the
// directory would. Each is raised by one thing in an otherwise plain scene.
func TestDoubts(t *testing.T) {
	t.Parallel()
	local := func(text string) func(s *scene) {
		return func(s *scene) { s.gitDir("work/.git", text+localName) }
	}
	for _, c := range []struct {
		doubt string
		build func(s *scene)
	}{
		{"", func(s *scene) {}},
		{"a NUL byte", local("# \x00\n")},
		{"a byte order mark", local("\xef\xbb\xbf")},
		{"a carriage return inside a line", local("[user]\nx = a\rb\n")},
		{"a variable before the first section", local("x = y\n")},
		{"a section without a name", local("[]\n")},
		{"an old-style subsection", local("[a.b]\n")},
		{"an include section", local("[include]\n")},
		{"an include section", local("[includeIf \"gitdir:x\"]\n")},
		{"a section [extensions]", local("[extensions]\n")},
		{"a section [extensions]", local("[Extensions]\n")},
		{"a section [trace2]", local("[trace2]\n")},
		{"user.name: a control character", local("[user]\nname = \\t\n")},
		{"user.name: a continued line", local("[user]\nname = \\\n\n")},
		{"user.name: a tab inside the value", local("[user]\nname = a\tb\n")},
		{"user.name: no value", local("[user]\nname\n")},
		{"core.bare is not false", local("[core]\nbare\n")},
		{"core.repositoryFormatVersion is not 0", local("[core]\nrepositoryFormatVersion = 1\n")},
		{"core.worktree", local("[core]\nworktree = .\n")},
		{"core.precomposeUnicode is neither true nor false", local("[core]\nprecomposeUnicode = 1\n")},
		{"cannot be read here", local(strings.Repeat("# 3456789012345\n", maxConfig/16))},
		{"cannot be read here", func(s *scene) { s.mkdir("home/.gitconfig") }},
		{".git/commondir", func(s *scene) { s.file("work/.git/commondir", ".\n") }},
		{".git/config.worktree", func(s *scene) { s.file("work/.git/config.worktree", "") }},
		{"a .git without objects", func(s *scene) { s.remove("work/.git/objects") }},
		{"a .git without refs", func(s *scene) { s.remove("work/.git/refs"); s.link("objects", "work/.git/refs") }},
		{"a .git without config", func(s *scene) { s.remove("work/.git/config") }},
		{"a .git that is no directory", func(s *scene) { s.remove("work/.git"); s.file("work/.git", "gitdir: x\n") }},
		{"a HEAD that is no file", func(s *scene) { s.remove("work/.git/HEAD"); s.link("refs/heads/x", "work/.git/HEAD") }},
		{"an unusual HEAD", func(s *scene) { s.file("work/.git/HEAD", "ref: refs/heads/x") }},
		{"an unusual HEAD", func(s *scene) { s.file("work/.git/HEAD", strings.Repeat("a", 41)+"\n") }},
		{"a HEAD outside a .git", func(s *scene) { s.remove("work/.git"); s.file("work/HEAD", "") }},
		{"a HEAD outside a .git", func(s *scene) { s.mkdir("work/a/b"); s.file("work/a/HEAD", ""); s.in("work/a/b") }},
		{"a repository of another user", func(s *scene) { s.chown("work/.git", 12345) }},
		{"belongs to another user", func(s *scene) { s.chown("work/.git/config", 12345) }},
		{"the directory cannot be looked at", func(s *scene) { s.in("none") }},
		{"HOME is not an absolute path", func(s *scene) { s.unset("HOME") }},
		{"HOME is not an absolute path", func(s *scene) { s.set("HOME=x") }},
		{"XDG_CONFIG_HOME is not an absolute path", func(s *scene) { s.set("XDG_CONFIG_HOME=x") }},
		{"GIT_NEW is set", func(s *scene) { s.set("GIT_EDITOR=x", "GIT_NEW=x", "GIT_DIR=x") }},
		{"git is a script", func(s *scene) { s.script("git", "#!/bin/sh\n"); s.git = s.path("git") }},
		{"git cannot be looked at", func(s *scene) { s.git = s.path("none") }},
		{"no user.name", func(s *scene) { s.gitDir("work/.git", coreLocal) }},
		{"the system configuration may be anywhere", func(s *scene) { s.system = "" }},
		{"root with SUDO_UID", func(s *scene) {
			if os.Geteuid() != 0 {
				s.t.Skip("only root is asked about sudo")
			}
			s.set("SUDO_UID=0")
		}},
	} {
		t.Run(c.doubt, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.repo("work", localName)
			c.build(s)
			w := World{Env: s.env, SystemFiles: func(string) ([]string, bool) { return []string{s.system}, s.system != "" }}
			if got := w.look(s.git, s.dir).doubt; !strings.HasSuffix(got, c.doubt) && !strings.HasPrefix(got, c.doubt) || (c.doubt == "") != (got == "") {
				t.Errorf("the doubt is %q, want %q", got, c.doubt)
			}
		})
	}
}

// A FIFO where a configuration should be would hold git up; it must not hold up the reading, and it is no
// answer either.
func TestFIFO(t *testing.T) {
	t.Parallel()
	for _, rel := range []string{"home/.gitconfig", "home/.config/git/config", "work/.git/config", "work/.git/HEAD", "system"} {
		s := newScene(t)
		s.repo("work", localName)
		s.global()
		s.file("home/.config/git/config", "")
		s.remove(rel)
		s.must(syscall.Mkfifo(s.path(rel), 0o644))
		w := World{Env: s.env, SystemFiles: func(string) ([]string, bool) { return []string{s.system}, true }}
		if g := w.look(s.git, s.dir); g.doubt == "" {
			t.Errorf("a FIFO at %s raises no doubt: %+v", rel, g)
		}
		asked := false
		w.LookGit = func([]string) string { return s.git }
		w.RunGit = func(context.Context, GitCall) GitReply { asked = true; return GitReply{Exit: 1} }
		if a := w.gitName(t.Context(), s.dir); asked || a.state != nameBroken || len(a.warnings) != 1 {
			t.Errorf("a FIFO at %s: git was asked (%v), %+v", rel, asked, a)
		}
		if g := w.look("", s.dir); rel == "system" && g.name != "Local" {
			t.Errorf("without git, with a FIFO at %s: %+v", rel, g)
		}
		w.LookGit = func([]string) string { return "" }
		if a := w.gitName(t.Context(), s.dir); !a.guessed {
			t.Errorf("without git, with a FIFO at %s: %+v is no guess", rel, a)
		}
	}
}

// TestEndless: git is not asked where it would wait for ever, whatever else is a reason to ask it; and is asked where it
// would not.
func TestEndless(t *testing.T) {
	t.Parallel()
	fifo := func(s *scene, rel string) {
		s.remove(rel)
		s.must(syscall.Mkfifo(s.path(rel), 0o644))
	}
	link := func(s *scene, to, rel string) { s.remove(rel); s.link(to, rel) }
	for name, c := range map[string]struct {
		build func(s *scene)
		asked bool
	}{
		"a variable": {func(s *scene) { s.env = append(s.env, "GIT_CONFIG_COUNT=0"); fifo(s, "work/.git/config") }, false},
		"an include": {func(s *scene) { s.file("home/.gitconfig", "[include]\npath=x\n"); fifo(s, "work/.git/config") }, false},
		"a linked worktree": {func(s *scene) {
			s.file("work/.git/worktrees/x/commondir", "../..\n")
			s.file("work/.git/worktrees/x/HEAD", "ref: refs/heads/x\n")
			s.file("other/.git", "gitdir: {root}/work/.git/worktrees/x\n")
			fifo(s, "work/.git/config")
			s.dir = s.path("other")
		}, false},
		"commondir":          {func(s *scene) { fifo(s, "work/.git/commondir") }, false},
		"a link to a FIFO":   {func(s *scene) { fifo(s, "fifo"); link(s, "{root}/fifo", "work/.git/config") }, false},
		"endless zeros":      {func(s *scene) { link(s, "/dev/zero", "work/.git/config") }, false},
		"nothing":            {func(s *scene) { link(s, os.DevNull, "home/.gitconfig"); s.env = append(s.env, "GIT_TRACE=0") }, true},
		"a directory":        {func(s *scene) { s.remove("work/.git/config"); s.file("work/.git/config/x", "") }, true},
		"a .git that is one": {func(s *scene) { s.remove("work/.git"); fifo(s, "work/.git") }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.repo("work", localName)
			s.global()
			c.build(s)
			asked := false
			w := World{
				Env: s.env, LookGit: func([]string) string { return s.git },
				SystemFiles: func(string) ([]string, bool) { return []string{s.system}, true },
				RunGit:      func(context.Context, GitCall) GitReply { asked = true; return GitReply{Exit: 1} },
			}
			if a := w.gitName(t.Context(), s.dir); asked != c.asked || (a.state == nameBroken) == c.asked {
				t.Errorf("git was asked: %v, want %v; %+v", asked, c.asked, a)
			}
		})
	}
}
