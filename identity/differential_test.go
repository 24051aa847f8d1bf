//go:build unix

package identity

// Every way to configure user.name that git has, held against git itself. A case that names what git must
// say (want) tests that the case is about anything; what we must say is always what git says.

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// texts are configuration files, each tried in every place a configuration can stand in.
var texts = []struct {
	name, text, want string
	plain            bool // git must not be needed for it
}{
	{"plain", "[user]\n\tname = Ann Other\n", "=Ann Other", true},
	{"no white space", "[user]\nname=Ann\n", "=Ann", true},
	{"no final newline", "[user]\nname = Ann", "=Ann", true},
	{"crlf", "[user]\r\n\tname = Ann Other\r\n[core]\r\n\teditor = vi\r\n", "=Ann Other", true},
	{"crlf without the last", "[user]\r\nname = Ann\r", "", false},
	{"lone cr between names", "[user]\nname = Ann\rOther\n", "", false},
	{"lone cr as line end", "[user]\rname = Ann\r", "", false},
	{"cr in a comment", "[user] # a\rb\nname = Ann\n", "=Ann", true},
	{"one line", "[user] name = Ann\n", "=Ann", true},
	{"two on one line", "[core] x = 1\n[user] name = Ann\n", "=Ann", true},
	{"blanks around", "  \t[user]\t \n\t  name \t =  Ann  Other \t \n", "=Ann  Other", true},
	{"tab inside", "[user]\nname = Ann\tOther\n", "", false},
	{"tab inside before quotes", "[user]\nname = Ann\t\"Other\"\n", "", false},
	{"tab at the end", "[user]\nname = Ann\t\n", "=Ann", true},
	{"tab before a comment", "[user]\nname = Ann\t # x\n", "=Ann", true},
	{"vertical tab", "[user]\nname = Ann\vOther\f\n", "=Ann\vOther\f", true},
	{"quoted", "[user]\nname = \"Ann Other\"\n", "=Ann Other", true},
	{"quoted blanks", "[user]\nname = \"  Ann  \"  \n", "=  Ann  ", true},
	{"quoted tab", "[user]\nname = \"Ann\tOther\"\n", "=Ann\tOther", true},
	{"partly quoted", "[user]\nname = Ann \" Other\" X\n", "=Ann  Other X", true},
	{"quotes side by side", "[user]\nname = \"Ann\"\"Other\"\n", "=AnnOther", true},
	{"empty quotes", "[user]\nname = \"\"\n", "=", true},
	{"blank then empty quotes", "[user]\nname = Ann \"\"\n", "=Ann ", true},
	{"empty quotes first", "[user]\nname = \"\" Ann\n", "=Ann", true},
	{"unfinished quote", "[user]\nname = \"Ann\n", "!", false},
	{"unfinished quote at the end", "[user]\nname = \"Ann", "!", false},
	{"quote over lines", "[user]\nname = \"Ann\nOther\"\n", "!", false},
	{"escaped quote", "[user]\nname = Ann \\\"O\\\" Other\n", "=Ann \"O\" Other", true},
	{"escaped backslash", "[user]\nname = A\\\\n\n", "=A\\n", true},
	{"escaped tab", "[user]\nname = A\\tB\n", "=A\tB", false},
	{"escaped newline", "[user]\nname = A\\nB\n", "=A\nB", false},
	{"only newlines", "[user]\nname = \"\\n\\n\"\n", "=\n\n", false},
	{"escaped backspace", "[user]\nname = A\\bB\n", "=A\bB", false},
	{"unknown escape", "[user]\nname = A\\xB\n", "!", false},
	{"escaped single quote", "[user]\nname = O\\'Hara\n", "!", false},
	{"octal escape", "[user]\nname = A\\101\n", "!", false},
	{"escaped blank", "[user]\nname = A\\ B\n", "!", false},
	{"continued", "[user]\nname = Ann \\\n  Other\n", "", false},
	{"continued word", "[user]\nname = An\\\nn\n", "=Ann", false},
	{"continued in quotes", "[user]\nname = \"Ann \\\nOther\"\n", "=Ann Other", false},
	{"continued crlf", "[user]\r\nname = Ann\\\r\nOther\r\n", "=AnnOther", false},
	{"continued at the end", "[user]\nname = Ann\\", "=Ann", false},
	{"continued into a section", "[user]\nname = Ann\\\n[core]\n", "=Ann[core]", false},
	{"continued other", "[alias]\nx = \"!f() { \\\n  true; \\\n}; f\"\n[user]\nname = Ann\n", "=Ann", true},
	{"continued other hides a name", "[user]\nemail = x\\\nname = Bob\nname = Ann\n", "=Ann", true},
	{"comment hash", "# c\n[user] # c\nname = Ann # c\n", "=Ann", true},
	{"comment semicolon", "; c\n[user] ; c\nname = Ann ; c\n", "=Ann", true},
	{"comment touching", "[user]#c\nname = Ann#c\n", "=Ann", true},
	{"comment in quotes", "[user]\nname = \"Ann # ; Other\"\n", "=Ann # ; Other", true},
	{"comment ends with backslash", "[user]\nname = Ann # c \\\nname = Bob\n", "=Bob", true},
	{"comment hides a name", "[user]\nname = Ann\n# name = Bob\n", "=Ann", true},
	{"comment at the end", "[user]\nname = Ann\n# no newline", "=Ann", true},
	{"comment after a key", "[user]\nname # c\n", "!", false},
	{"comment for a value", "[user]\nname = # c\n", "=", true},
	{"empty value", "[user]\nname =\n", "=", true},
	{"empty value at the end", "[user]\nname =", "=", true},
	{"empty last", "[user]\nname = Ann\nname =\n", "=", true},
	{"no value", "[user]\nname\n", "=", false},
	{"no value last", "[user]\nname = Ann\nname\n", "=", false},
	{"no value elsewhere", "[core]\nignorecase\n[user]\nname = Ann\nuseconfigonly\n", "=Ann", true},
	{"equals in the value", "[user]\nname = a=b==\n", "=a=b==", true},
	{"two equals", "[user]\nname == Ann\n", "== Ann", true},
	{"brackets in the value", "[user]\nname = [x] Ann\n", "=[x] Ann", true},
	{"last wins", "[user]\nname = Ann\nname = Bob\n", "=Bob", true},
	{"last wins over sections", "[user]\nname = Ann\n[core]\nname = X\n[user]\nname = Bob\n", "=Bob", true},
	{"case of the section", "[USER]\nname = Ann\n", "=Ann", true},
	{"case of the key", "[user]\nNaMe = Ann\n", "=Ann", true},
	{"subsection", "[user \"x\"]\nname = Bob\n", "-", false},
	{"empty subsection", "[user \"\"]\nname = Bob\n", "-", false},
	{"subsection beside", "[user]\nname = Ann\n[user \"x\"]\nname = Bob\n", "=Ann", true},
	{"subsection escapes", "[url \"a\\\"]b\\\\\"]\ninsteadOf = x\n[user]\nname = Ann\n", "=Ann", true},
	{"subsection with bracket", "[url \"]\"]\ninsteadOf = x\n[user]\nname = Ann\n", "=Ann", true},
	{"subsection with a comment sign", "[url \"#;\"]\ninsteadOf = x\n[user]\nname = Ann\n", "=Ann", true},
	{"subsection blanks", "[url   \t \"x\"]\ninsteadOf = x\n[user]\nname = Ann\n", "=Ann", true},
	{"subsection unquoted", "[url x]\n[user]\nname = Ann\n", "!", false},
	{"subsection unclosed", "[url \"x]\n[user]\nname = Ann\n", "!", false},
	{"subsection over lines", "[url \"x\ny\"]\n[user]\nname = Ann\n", "!", false},
	{"subsection with escaped newline", "[url \"x\\\ny\"]\n[user]\nname = Ann\n", "!", false},
	{"subsection blank before bracket", "[url \"x\" ]\n[user]\nname = Ann\n", "!", false},
	{"subsection touching", "[url\"x\"]\n[user]\nname = Ann\n", "!", false},
	{"old subsection", "[user.x]\nname = Bob\n", "-", false},
	{"old subsection that looks like the key", "[user.name]\nname = Bob\n", "-", false},
	{"section ends in a dot", "[user.]\nname = Bob\n", "-", false},
	{"section with blank", "[user ]\nname = Ann\n", "!", false},
	{"section with leading blank", "[ user]\nname = Ann\n", "!", false},
	{"section unclosed", "[user\nname = Ann\n", "!", false},
	{"section unclosed at the end", "[user", "!", false},
	{"section empty", "[]\nname = Ann\n", "", false},
	{"section in Latin-1", "[us\xe9r]\nname = Ann\n", "!", false},
	{"section with underscore", "[my_user]\nname = Ann\n", "!", false},
	{"section with hyphen and digit", "[1-x]\ny = 1\n[user]\nname = Ann\n", "=Ann", true},
	{"two brackets", "[[user]]\nname = Ann\n", "!", false},
	{"bracket at the end", "[user]\nname = Ann\n[", "!", false},
	{"section longer", "[users]\nname = Bob\n[use]\nname = Cid\n", "-", false},
	{"key before a section", "name = Bob\n[user]\nname = Ann\n", "", false},
	{"key with underscore", "[user]\nna_me = x\nname = Ann\n", "!", false},
	{"key with digit first", "[user]\n1name = x\n", "!", false},
	{"key with hyphen first", "[user]\n-name = x\n", "!", false},
	{"key with dot", "[user]\na.name = x\n", "!", false},
	{"key longer", "[user]\nname2 = x\nname-x = y\nnam = z\n", "-", false},
	{"garbage", "hello there\n", "!", false},
	{"garbage behind a name", "[user]\nname = Ann\n= Bob\n", "!", false},
	{"colon", "[user]\nname: Ann\n", "!", false},
	{"json", "{\"user\": {\"name\": \"Ann\"}}\n", "!", false},
	{"merge conflict", "[user]\n<<<<<<< HEAD\nname = Ann\n=======\nname = Bob\n>>>>>>> x\n", "!", false},
	{"bom", "\xef\xbb\xbf[user]\nname = Ann\n", "=Ann", false},
	{"bom twice", "\xef\xbb\xbf\xef\xbb\xbf[user]\nname = Ann\n", "!", false},
	{"bom in part", "\xef\xbb[user]\nname = Ann\n", "!", false},
	{"bom later", "[user]\n\xef\xbb\xbfname = Ann\n", "!", false},
	{"utf-16", "\xff\xfe[\x00u\x00s\x00e\x00r\x00]\x00", "!", false},
	{"utf-8", "[user]\nname = José 日本\n", "=José 日本", true},
	{"latin-1", "[user]\nname = Jos\xe9\n", "=Jos\xe9", true},
	{"no-break space", "[user]\nname = \u00a0Ann\u00a0\n", "=\u00a0Ann\u00a0", true},
	{"nul in the name", "[user]\nname = A\x00B\n", "=A", false},
	{"nul in a comment", "[user]\n# \x00\nname = Ann\n", "=Ann", false},
	{"nul at the start", "\x00[user]\nname = Ann\n", "!", false},
	{"control characters", "[user]\nname = A\x01\x1b[31mB\x7f\n", "=A\x01\x1b[31mB\x7f", true},
	{"ctrl-z at the end", "[user]\nname = Ann\n\x1a", "!", false},
	{"only blanks", " \t\n\n", "-", false},
	{"only comments", "# [user]\n# name = Ann\n", "-", false},
	{"other keys only", "[user]\nemail = a@b\nsigningkey = x\n", "-", false},
	{"long line", "[user]\nname = Ann\nemail = " + strings.Repeat("x", 100_000) + "\n", "=Ann", true},
	{"long name", "[user]\nname = " + strings.Repeat("Ann ", 20_000) + "Other\n", "=" + strings.Repeat("Ann ", 20_000) + "Other", true},
	{"more than a megabyte", "[user]\nname = Ann\n" + strings.Repeat("# "+strings.Repeat("x", 98)+"\n", 11_000), "=Ann", false},
	{"many sections", strings.Repeat("[branch \"b\"]\n\tremote = origin\n\tmerge = refs/heads/b\n", 500) + "[user]\nname = Ann\n", "=Ann", true},
	{"trace2", "[trace2]\neventTarget = 0\n[user]\nname = Ann\n", "=Ann", false},
	{"trace2 without a value", "[trace2]\nnormaltarget\n[user]\nname = Ann\n", "", false},
	{"include without a path", "[include]\n[user]\nname = Ann\n", "=Ann", false},
	{"include with no value", "[include]\npath\n[user]\nname = Ann\n", "", false},
	{"include of nothing", "[include]\npath =\n[user]\nname = Ann\n", "", false},
	{"includes is no include", "[includes]\npath = /nonexistent\n[user]\nname = Ann\n", "=Ann", false},
	{"precompose", "[core]\nprecomposeunicode = true\n[user]\nname = Ann\n", "=Ann", true},
	{"precompose odd", "[core]\nprecomposeunicode = maybe\n[user]\nname = Ann\n", "", false},
	{"ordinary", ordinary, "=Ann Other", true},
}

// ordinary is what a developer's file looks like.
const ordinary = `# This is Git's per-user configuration file.
[user]
	name = Ann Other
	email = ann@example.com
	signingkey = ~/.ssh/id_ed25519.pub
[core]
	editor = code --wait
	autocrlf = input
	excludesfile = ~/.gitignore_global
	pager = delta
[alias]
	st = status -sb
	lg = log --graph --pretty=format:'%Cred%h%Creset -%C(yellow)%d%Creset %s' --abbrev-commit
	undo = "!git reset --soft HEAD~1; git status"
	sync = "!f() { \
		git fetch --all; \
		git rebase \"$@\"; \
	}; f"
[color]
	ui = auto
[color "diff"]
	meta = "yellow bold"
	old = red bold ; comment
[credential "https://github.com"]
	helper =
	helper = !/usr/bin/gh auth git-credential
[url "git@github.com:"]
	insteadOf = https://github.com/
	insteadOf = gh:
[filter "lfs"]
	clean = git-lfs clean -- %f
	smudge = git-lfs smudge -- %f
	process = git-lfs filter-process
	required = true
[init]
	defaultBranch = main
[pull]
	rebase
[commit]
	gpgsign = true
[gpg]
	format = ssh
[merge "npm"]
	driver = npx npm-merge-driver merge %A %O %B %P
[diff]
	algorithm = histogram
	colorMoved = zebra
[safe]
	directory = *
[push]
	default = simple
	autoSetupRemote = true
`

func TestEveryTextEverywhere(t *testing.T) {
	t.Parallel()
	places := []struct {
		name string
		put  func(s *scene, text string)
	}{
		{"global", func(s *scene, text string) { s.file("home/.gitconfig", text) }},
		{"xdg", func(s *scene, text string) { s.file("home/.config/git/config", text) }},
		{"local", func(s *scene, text string) { s.gitDir("work/.git", text) }},
		// Below a name that is stronger: the text then only matters if it is broken.
		{"system", func(s *scene, text string) { s.file("system", text) }},
		{"system below global", func(s *scene, text string) {
			s.file("system", text)
			s.file("home/.gitconfig", "[user]\nname = Strong\n")
		}},
		{"global below local", func(s *scene, text string) {
			s.file("home/.gitconfig", text)
			s.repo("work", "[user]\nname = Strong\n")
		}},
		{"local above global", func(s *scene, text string) {
			s.file("home/.gitconfig", "[user]\nname = Weak\n")
			s.repo("work", text)
		}},
	}
	for _, c := range texts {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, p := range places {
				t.Run(p.name, func(t *testing.T) {
					s := newScene(t)
					p.put(s, c.text)
					want := c.want
					switch {
					case want == "" || want == "!":
					case strings.HasPrefix(c.text, "\xef\xbb\xbf") && p.name == "local above global":
						want = "!" // behind what git init wrote
					case strings.Contains(p.name, "below"):
						want = "=Strong"
					case strings.Contains(p.name, "above") && want == "-":
						want = "=Weak"
					}
					s.agree(want, c.plain)
				})
			}
		})
	}
}

// cases are everything that is more than one text: where files stand, what the environment and the
// repository say.
var cases = []struct {
	name  string
	build func(s *scene)
	want  string
	plain bool
}{
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

	// XDG_CONFIG_HOME and HOME.
	{"xdg variable", func(s *scene) {
		s.set("XDG_CONFIG_HOME={root}/x")
		s.file("x/git/config", "[user]\nname = Xdg\n")
		s.file("home/.config/git/config", "[user]\nname = Wrong\n")
	}, "=Xdg", true},
	{"xdg variable empty", func(s *scene) {
		s.set("XDG_CONFIG_HOME=")
		s.file("home/.config/git/config", "[user]\nname = Xdg\n")
	}, "=Xdg", true},
	{"xdg variable relative", func(s *scene) {
		s.set("XDG_CONFIG_HOME=x")
		s.repo("work", "")
		s.file("work/x/git/config", "[user]\nname = Xdg\n")
		s.file("work/sub/x/git/config", "[user]\nname = Sub\n")
		s.in("work/sub")
	}, "", false},
	{"xdg variable relative to a broken file", func(s *scene) {
		s.set("XDG_CONFIG_HOME=x")
		s.repo("work", localName)
		s.file("work/x/git/config", "[user\n")
	}, "!", false},
	{"xdg variable without a file", func(s *scene) {
		s.set("XDG_CONFIG_HOME={root}/x")
		s.file("home/.config/git/config", "[user]\nname = Wrong\n")
	}, "-", false},
	{"home unset", func(s *scene) {
		s.unset("HOME")
		s.file("home/.gitconfig", "[user]\nname = Wrong\n")
	}, "-", false},
	{"home unset with xdg", func(s *scene) {
		s.unset("HOME")
		s.set("XDG_CONFIG_HOME={root}/x")
		s.file("x/git/config", "[user]\nname = Xdg\n")
	}, "", false},
	{"home empty", func(s *scene) { s.unset("HOME"); s.set("HOME=") }, "", false},
	{"home relative", func(s *scene) {
		s.unset("HOME")
		s.set("HOME=h")
		s.repo("work", "")
		s.file("work/h/.gitconfig", "[user]\nname = Rel\n")
	}, "", false},
	{"home with a slash", func(s *scene) {
		s.unset("HOME")
		s.set("HOME={root}/home/")
		s.file("home/.gitconfig", "[user]\nname = Global\n")
	}, "=Global", true},
	{"home missing", func(s *scene) { s.unset("HOME"); s.set("HOME={root}/none") }, "-", false},
	{"home is a file", func(s *scene) {
		s.file("f", "")
		s.unset("HOME")
		s.set("HOME={root}/f")
		s.repo("work", "[user]\nname = Local\n")
	}, "=Local", true},
	{"home is a link", func(s *scene) {
		s.link("home", "h")
		s.unset("HOME")
		s.set("HOME={root}/h")
		s.file("home/.gitconfig", "[user]\nname = Global\n")
	}, "=Global", true},
	{"home twice", func(s *scene) {
		s.set("HOME={root}/second")
		s.file("home/.gitconfig", "[user]\nname = First\n")
		s.file("second/.gitconfig", "[user]\nname = Second\n")
	}, "=Second", true},
	{"home is a repository", func(s *scene) {
		s.repo("home", "[user]\nname = Local\n")
		s.file("home/.gitconfig", "[user]\nname = Global\n")
		s.mkdir("home/x/y")
		s.in("home/x/y")
	}, "=Local", true},

	// GIT_CONFIG_*.
	{"GIT_CONFIG_GLOBAL", func(s *scene) {
		s.set("GIT_CONFIG_GLOBAL={root}/g")
		s.file("g", "[user]\nname = G\n")
		s.file("home/.gitconfig", "[user]\nname = Wrong\n")
	}, "=G", false},
	{"GIT_CONFIG_GLOBAL empty", func(s *scene) {
		s.set("GIT_CONFIG_GLOBAL=")
		s.file("home/.gitconfig", "[user]\nname = Wrong\n")
	}, "-", false},
	{"GIT_CONFIG_GLOBAL null device", func(s *scene) {
		s.set("GIT_CONFIG_GLOBAL=/dev/null")
		s.file("home/.gitconfig", "[user]\nname = Wrong\n")
	}, "-", false},
	{"GIT_CONFIG_GLOBAL missing", func(s *scene) {
		s.set("GIT_CONFIG_GLOBAL={root}/none")
		s.file("home/.gitconfig", "[user]\nname = Wrong\n")
	}, "-", false},
	{"GIT_CONFIG_SYSTEM", func(s *scene) {
		s.set("GIT_CONFIG_SYSTEM={root}/other")
		s.file("other", "[user]\nname = Other\n")
		s.file("system", "[user]\nname = Wrong\n")
	}, "=Other", false},
	{"GIT_CONFIG_NOSYSTEM", func(s *scene) {
		s.set("GIT_CONFIG_NOSYSTEM=1")
		s.file("system", "[user]\nname = Wrong\n")
	}, "-", false},
	{"GIT_CONFIG_NOSYSTEM false", func(s *scene) {
		s.set("GIT_CONFIG_NOSYSTEM=false")
		s.file("system", "[user]\nname = System\n")
	}, "=System", false},
	{"GIT_CONFIG_NOSYSTEM odd", func(s *scene) {
		s.set("GIT_CONFIG_NOSYSTEM=maybe")
		s.file("home/.gitconfig", "[user]\nname = Global\n")
	}, "!", false},
	{"GIT_CONFIG_NOSYSTEM hides a broken file", func(s *scene) {
		s.set("GIT_CONFIG_NOSYSTEM=true")
		s.file("system", "[user\n")
		s.file("home/.gitconfig", "[user]\nname = Global\n")
	}, "=Global", false},
	{"GIT_CONFIG_COUNT", func(s *scene) {
		s.set("GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_0=user.name", "GIT_CONFIG_VALUE_0=Zero", "GIT_CONFIG_KEY_1=user.name", "GIT_CONFIG_VALUE_1=One")
		s.repo("work", "[user]\nname = Local\n")
	}, "=One", false},
	{"GIT_CONFIG_COUNT zero", func(s *scene) {
		s.set("GIT_CONFIG_COUNT=0", "GIT_CONFIG_KEY_0=user.name", "GIT_CONFIG_VALUE_0=Zero")
		s.file("home/.gitconfig", "[user]\nname = Global\n")
	}, "=Global", false},
	{"GIT_CONFIG_COUNT too small", func(s *scene) {
		s.set("GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=user.email", "GIT_CONFIG_VALUE_0=x", "GIT_CONFIG_KEY_1=user.name", "GIT_CONFIG_VALUE_1=One")
	}, "-", false},
	{"GIT_CONFIG_COUNT too large", func(s *scene) {
		s.set("GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_0=user.name", "GIT_CONFIG_VALUE_0=Zero")
	}, "!", false},
	{"GIT_CONFIG_COUNT not a number", func(s *scene) { s.set("GIT_CONFIG_COUNT=x") }, "!", false},
	{"GIT_CONFIG_COUNT empty", func(s *scene) {
		s.set("GIT_CONFIG_COUNT=")
		s.file("home/.gitconfig", "[user]\nname = Global\n")
	}, "", false},
	{"GIT_CONFIG_COUNT without a value", func(s *scene) { s.set("GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=user.name") }, "!", false},
	{"GIT_CONFIG_COUNT bad key", func(s *scene) {
		s.set("GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=nodot", "GIT_CONFIG_VALUE_0=x")
	}, "!", false},
	{"GIT_CONFIG_COUNT empty value", func(s *scene) {
		s.set("GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=user.name", "GIT_CONFIG_VALUE_0=")
		s.file("home/.gitconfig", "[user]\nname = Global\n")
	}, "=", false},
	{"GIT_CONFIG_COUNT includes", func(s *scene) {
		s.set("GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=include.path", "GIT_CONFIG_VALUE_0={root}/inc")
		s.file("inc", "[user]\nname = Inc\n")
	}, "", false},
	{"GIT_CONFIG_PARAMETERS old", func(s *scene) { s.set("GIT_CONFIG_PARAMETERS='user.name=Old Form'") }, "=Old Form", false},
	{"GIT_CONFIG_PARAMETERS new", func(s *scene) { s.set("GIT_CONFIG_PARAMETERS='user.name'='New Form'") }, "=New Form", false},
	{"GIT_CONFIG_PARAMETERS two", func(s *scene) {
		s.set("GIT_CONFIG_PARAMETERS='user.name'='One' 'user.name=Two'")
	}, "=Two", false},
	{"GIT_CONFIG_PARAMETERS no value", func(s *scene) { s.set("GIT_CONFIG_PARAMETERS='user.name'") }, "=", false},
	{"GIT_CONFIG_PARAMETERS bogus", func(s *scene) { s.set("GIT_CONFIG_PARAMETERS=user.name=x") }, "!", false},
	{"GIT_CONFIG_PARAMETERS empty", func(s *scene) {
		s.set("GIT_CONFIG_PARAMETERS=")
		s.file("home/.gitconfig", "[user]\nname = Global\n")
	}, "=Global", false},
	{"GIT_CONFIG", func(s *scene) {
		s.set("GIT_CONFIG={root}/only")
		s.file("only", "[user]\nname = Only\n")
		s.file("home/.gitconfig", "[user]\nname = Wrong\n")
	}, "=Only", false},
	{"GIT_CONFIG missing", func(s *scene) {
		s.set("GIT_CONFIG={root}/none")
		s.file("home/.gitconfig", "[user]\nname = Wrong\n")
	}, "-", false},
	{"GIT_CONFIG without includes", func(s *scene) {
		s.set("GIT_CONFIG={root}/only")
		s.file("only", "[include]\npath = {root}/inc\n")
		s.file("inc", "[user]\nname = Inc\n")
	}, "-", false},
	{"unknown git variable", func(s *scene) {
		s.set("GIT_SOMETHING_NEW=1")
		s.file("home/.gitconfig", "[user]\nname = Global\n")
	}, "=Global", false},
	{"not a git variable", func(s *scene) {
		s.set("GITHUB_TOKEN=x", "NAME=x", "USER=x", "EMAIL=x", "MALFORMED", "=x")
		s.file("home/.gitconfig", "[user]\nname = Global\n")
	}, "=Global", true},

	// include.
	{"include absolute", func(s *scene) {
		s.file("home/.gitconfig", "[include]\npath = {root}/inc\n")
		s.file("inc", "[user]\nname = Inc\n")
	}, "=Inc", false},
	{"include relative", func(s *scene) {
		s.file("home/.gitconfig", "[include]\npath = sub/inc\n")
		s.file("home/sub/inc", "[user]\nname = Inc\n")
	}, "=Inc", false},
	{"include relative through a link", func(s *scene) {
		s.file("dots/gitconfig", "[include]\npath = inc\n")
		s.file("dots/inc", "[user]\nname = Dots\n")
		s.file("home/inc", "[user]\nname = Home\n")
		s.link("{root}/dots/gitconfig", "home/.gitconfig")
	}, "", false},
	{"include in home", func(s *scene) {
		s.file("home/.gitconfig", "[include]\npath = ~/inc\n")
		s.file("home/inc", "[user]\nname = Inc\n")
	}, "=Inc", false},
	{"include missing", func(s *scene) {
		s.file("home/.gitconfig", "[user]\nname = Ann\n[include]\npath = none\n")
	}, "=Ann", false},
	{"include nested", func(s *scene) {
		s.file("home/.gitconfig", "[include]\npath = a\n")
		s.file("home/a", "[include]\npath = d/b\n")
		s.file("home/d/b", "[include]\npath = c\n")
		s.file("home/d/c", "[user]\nname = Deep\n")
	}, "=Deep", false},
	{"include cyclic", func(s *scene) {
		s.file("home/.gitconfig", "[user]\nname = Ann\n[include]\npath = a\n")
		s.file("home/a", "[include]\npath = .gitconfig\n")
	}, "!", false},
	{"include before the name", func(s *scene) {
		s.file("home/.gitconfig", "[include]\npath = inc\n[user]\nname = Ann\n")
		s.file("home/inc", "[user]\nname = Inc\n")
	}, "=Ann", false},
	{"include after the name", func(s *scene) {
		s.file("home/.gitconfig", "[user]\nname = Ann\n[include]\npath = inc\n")
		s.file("home/inc", "[user]\nname = Inc\n")
	}, "=Inc", false},
	{"include broken", func(s *scene) {
		s.file("home/.gitconfig", "[user]\nname = Ann\n[include]\npath = inc\n")
		s.file("home/inc", "[user\n")
	}, "!", false},
	{"include case", func(s *scene) {
		s.file("home/.gitconfig", "[InClude]\nPATH = inc\n")
		s.file("home/inc", "[user]\nname = Inc\n")
	}, "=Inc", false},
	{"include with a subsection", func(s *scene) {
		s.file("home/.gitconfig", "[user]\nname = Ann\n[include \"x\"]\npath = inc\n")
		s.file("home/inc", "[user]\nname = Inc\n")
	}, "=Ann", false},
	{"include in local", func(s *scene) {
		s.repo("work", "[include]\npath = inc\n")
		s.file("work/.git/inc", "[user]\nname = Inc\n")
	}, "=Inc", false},
	{"include in xdg", func(s *scene) {
		s.file("home/.config/git/config", "[include]\npath = inc\n")
		s.file("home/.config/git/inc", "[user]\nname = Inc\n")
	}, "=Inc", false},
	{"include in system", func(s *scene) {
		s.file("system", "[include]\npath = inc\n")
		s.file("inc", "[user]\nname = Inc\n")
	}, "=Inc", false},
	{"include broken in system below a name", func(s *scene) {
		s.file("system", "[include]\npath = inc\n")
		s.file("inc", "[user\n")
		s.file("home/.gitconfig", "[user]\nname = Global\n")
	}, "!", false},
	{"include below a local name", func(s *scene) {
		s.repo("work", "[user]\nname = Local\n")
		s.file("home/.gitconfig", "[include]\npath = inc\n")
		s.file("home/inc", "[user]\nname = Inc\n")
	}, "=Local", false},
	{"include of a directory", func(s *scene) {
		s.file("home/.gitconfig", "[user]\nname = Ann\n[include]\npath = d\n")
		s.mkdir("home/d")
	}, "", false},
	{"include of another user's home", func(s *scene) {
		s.file("home/.gitconfig", "[user]\nname = Ann\n[include]\npath = ~nosuchuser/x\n")
	}, "", false},

	// includeIf.
	{"gitdir exact", func(s *scene) { s.conditional("gitdir:{root}/work/.git", "work") }, "=If", false},
	{"gitdir directory", func(s *scene) { s.conditional("gitdir:{root}/", "work") }, "=If", false},
	{"gitdir without slash", func(s *scene) { s.conditional("gitdir:{root}", "work") }, "=Else", false},
	{"gitdir elsewhere", func(s *scene) { s.conditional("gitdir:/elsewhere/", "work") }, "=Else", false},
	{"gitdir name only", func(s *scene) { s.conditional("gitdir:work/", "work") }, "=If", false},
	{"gitdir stars", func(s *scene) { s.conditional("gitdir:**/work/**", "work") }, "=If", false},
	{"gitdir one star", func(s *scene) { s.conditional("gitdir:{root}/*/.git", "work") }, "=If", false},
	{"gitdir question mark", func(s *scene) { s.conditional("gitdir:{root}/wor?/", "work") }, "=If", false},
	{"gitdir case", func(s *scene) { s.conditional("gitdir:{root}/WORK/", "work") }, "", false},
	{"gitdir/i case", func(s *scene) { s.conditional("gitdir/i:{root}/WORK/", "work") }, "=If", false},
	{"gitdir home", func(s *scene) {
		s.conditional("gitdir:~/p/", "home/p/x")
		s.in("home/p/x")
	}, "=If", false},
	{"gitdir dot", func(s *scene) {
		s.conditional("gitdir:./p/", "home/p/x")
		s.in("home/p/x")
	}, "=If", false},
	{"gitdir from a subdirectory", func(s *scene) {
		s.conditional("gitdir:{root}/work/", "work")
		s.mkdir("work/a/b")
		s.in("work/a/b")
	}, "=If", false},
	{"gitdir without a repository", func(s *scene) {
		s.file("home/.gitconfig", "[user]\nname = Else\n[includeIf \"gitdir:{root}/\"]\npath = inc\n")
		s.file("home/inc", "[user]\nname = If\n")
	}, "=Else", false},
	{"gitdir through a link", func(s *scene) {
		s.conditional("gitdir:{root}/alias/", "work")
		s.link("work", "alias")
		s.in("alias")
	}, "", false},
	{"gitdir through a link with PWD", func(s *scene) {
		s.conditional("gitdir:{root}/alias/", "work")
		s.link("work", "alias")
		s.in("alias")
		s.set("PWD={root}/alias")
	}, "=If", false},
	{"gitdir of the link's target", func(s *scene) {
		s.conditional("gitdir:{root}/work/", "work")
		s.link("work", "alias")
		s.in("alias")
		s.set("PWD={root}/alias")
	}, "=If", false},
	{"gitdir pattern through a link", func(s *scene) {
		s.conditional("gitdir:{root}/alias/work/", "work")
		s.link(".", "alias")
	}, "", false},
	{"onbranch", func(s *scene) { s.conditional("onbranch:main", "work") }, "=If", false},
	{"onbranch other", func(s *scene) { s.conditional("onbranch:other", "work") }, "=Else", false},
	{"onbranch pattern", func(s *scene) {
		s.conditional("onbranch:feature/", "work")
		s.file("work/.git/HEAD", "ref: refs/heads/feature/a/b\n")
	}, "=If", false},
	{"onbranch detached", func(s *scene) {
		s.conditional("onbranch:main", "work")
		s.file("work/.git/HEAD", strings.Repeat("a", 40)+"\n")
	}, "=Else", false},
	{"onbranch without a repository", func(s *scene) {
		s.file("home/.gitconfig", "[user]\nname = Else\n[includeIf \"onbranch:main\"]\npath = inc\n")
		s.file("home/inc", "[user]\nname = If\n")
	}, "=Else", false},
	{"hasconfig", func(s *scene) {
		s.conditional("hasconfig:remote.*.url:https://example.com/**", "work")
		s.file("work/.git/config", coreLocal+"[remote \"origin\"]\nurl = https://example.com/a/b\n")
	}, "", false},
	{"hasconfig other", func(s *scene) {
		s.conditional("hasconfig:remote.*.url:https://example.org/**", "work")
		s.file("work/.git/config", coreLocal+"[remote \"origin\"]\nurl = https://example.com/a/b\n")
	}, "=Else", false},
	{"hasconfig with a remote inside", func(s *scene) {
		s.conditional("hasconfig:remote.*.url:https://example.com/**", "work")
		s.file("work/.git/config", coreLocal+"[remote \"origin\"]\nurl = https://example.com/a/b\n")
		s.file("home/inc", "[remote \"x\"]\nurl = y\n[user]\nname = If\n")
	}, "", false},
	{"unknown condition", func(s *scene) { s.conditional("nosuch:thing", "work") }, "=Else", false},
	{"includeif case", func(s *scene) {
		s.repo("work", "")
		s.file("home/.gitconfig", "[INCLUDEIF \"gitdir:{root}/\"]\nPath = inc\n")
		s.file("home/inc", "[user]\nname = If\n")
	}, "=If", false},
	{"includeif in local", func(s *scene) {
		s.repo("work", "[user]\nname = Else\n[includeIf \"gitdir:work/\"]\npath = inc\n")
		s.file("work/.git/inc", "[user]\nname = If\n")
	}, "=If", false},

	// Where in a repository.
	{"git init", func(s *scene) {
		s.run(s.work, "init", "-q")
		s.run(s.work, "config", "user.name", "Real Init")
	}, "=Real Init", true},
	{"git init with remotes and branches", func(s *scene) {
		s.run(s.work, "init", "-q")
		s.run(s.work, "remote", "add", "origin", "https://example.com/x.git")
		s.run(s.work, "config", "branch.main.remote", "origin")
		s.run(s.work, "config", "branch.fix/a\"b\\c.merge", "refs/heads/x")
		s.run(s.work, "config", "user.name", `Quote " and # and \ `)
	}, `=Quote " and # and \ `, true},
	{"git init global only", func(s *scene) {
		s.run(s.work, "init", "-q")
		s.run(s.work, "config", "--global", "user.name", "Real Global")
	}, "=Real Global", true},
	{"git init with a commit", func(s *scene) {
		s.run(s.work, "init", "-q")
		s.run(s.work, "commit", "-q", "--allow-empty", "-m", "x")
		s.run(s.work, "config", "user.name", "Committed")
		s.run(s.work, "pack-refs", "--all")
		s.run(s.work, "checkout", "-q", "--detach")
	}, "=Committed", true},
	{"git init sha256", func(s *scene) {
		s.run(s.work, "init", "-q", "--object-format=sha256")
		s.run(s.work, "config", "user.name", "Sha256")
	}, "=Sha256", false},
	{"subdirectory", func(s *scene) {
		s.repo("work", "[user]\nname = Local\n")
		s.mkdir("work/a/b/c")
		s.in("work/a/b/c")
	}, "=Local", true},
	{"subdirectory through a link", func(s *scene) {
		s.repo("other", "[user]\nname = Other\n")
		s.mkdir("other/sub")
		s.repo("work", "[user]\nname = Wrong\n")
		s.link("{root}/other/sub", "work/sub")
		s.in("work/sub")
	}, "=Other", true},
	{"up from a link", func(s *scene) {
		s.repo("other", "[user]\nname = Other\n")
		s.mkdir("other/a/b")
		s.repo("work", "[user]\nname = Wrong\n")
		s.link("{root}/other/a/b", "work/link")
		s.dir = s.work + "/link/.."
	}, "=Other", true},
	{"PWD is a lie", func(s *scene) {
		s.repo("work", "[user]\nname = Local\n")
		s.repo("other", "[user]\nname = Wrong\n")
		s.set("PWD={root}/other")
	}, "=Local", true},
	{"repository in a repository", func(s *scene) {
		s.repo("work", "[user]\nname = Outer\n")
		s.repo("work/in", "[user]\nname = Inner\n")
		s.in("work/in")
	}, "=Inner", true},
	{"inside .git", func(s *scene) {
		s.repo("work", "[user]\nname = Local\n")
		s.in("work/.git")
	}, "=Local", false},
	{"inside .git/refs", func(s *scene) {
		s.repo("work", "[user]\nname = Local\n")
		s.in("work/.git/refs")
	}, "=Local", false},
	{"beside a HEAD file", func(s *scene) {
		s.file("work/HEAD", "not a repository\n")
		s.file("home/.gitconfig", "[user]\nname = Global\n")
	}, "=Global", false},
	{"bare", func(s *scene) {
		s.gitDir("work", "[core]\nrepositoryformatversion = 0\nbare = true\n[user]\nname = Bare\n")
	}, "=Bare", false},
	{"below bare", func(s *scene) {
		s.gitDir("work", "[core]\nrepositoryformatversion = 0\nbare = true\n[user]\nname = Bare\n")
		s.in("work/objects")
	}, "=Bare", false},
	{"bare forbidden", func(s *scene) {
		s.gitDir("work", "[core]\nrepositoryformatversion = 0\nbare = true\n[user]\nname = Bare\n")
		s.file("home/.gitconfig", "[user]\nname = Global\n[safe]\nbareRepository = explicit\n")
	}, "", false},
	{"bare inside a work tree", func(s *scene) {
		s.repo("work", "[user]\nname = Outer\n")
		s.gitDir("work/x.git", "[core]\nrepositoryformatversion = 0\nbare = true\n[user]\nname = Bare\n")
		s.in("work/x.git")
	}, "=Bare", false},
	{"no repository", func(s *scene) { s.file("home/.gitconfig", "[user]\nname = Global\n") }, "=Global", true},

	// Repositories that are not quite one.
	{".git empty", func(s *scene) { s.mkdir("work/.git"); s.global() }, "=Global", false},
	{".git empty below a repository", func(s *scene) {
		s.repo("work", "[user]\nname = Outer\n")
		s.mkdir("work/in/.git")
		s.in("work/in")
	}, "=Outer", false},
	{".git without HEAD", func(s *scene) { s.repo("work", localName); s.remove("work/.git/HEAD"); s.global() }, "=Global", false},
	{".git without objects", func(s *scene) { s.repo("work", localName); s.remove("work/.git/objects"); s.global() }, "=Global", false},
	{".git without refs", func(s *scene) { s.repo("work", localName); s.remove("work/.git/refs"); s.global() }, "=Global", false},
	{".git without config", func(s *scene) { s.repo("work", localName); s.remove("work/.git/config"); s.global() }, "=Global", false},
	{".git with refs as a file", func(s *scene) {
		s.repo("work", localName)
		s.remove("work/.git/refs")
		s.file("work/.git/refs", "")
		s.global()
	}, "", false},
	{"HEAD empty", func(s *scene) { s.repo("work", localName); s.file("work/.git/HEAD", ""); s.global() }, "=Global", false},
	{"HEAD garbage", func(s *scene) { s.repo("work", localName); s.file("work/.git/HEAD", "garbage\n"); s.global() }, "=Global", false},
	{"HEAD outside refs", func(s *scene) {
		s.repo("work", localName)
		s.file("work/.git/HEAD", "ref: heads/main\n")
		s.global()
	}, "=Global", false},
	{"HEAD without newline", func(s *scene) { s.repo("work", localName); s.file("work/.git/HEAD", "ref: refs/heads/x") }, "=Local", false},
	{"HEAD with tabs", func(s *scene) { s.repo("work", localName); s.file("work/.git/HEAD", "ref:\t refs/heads/x\n") }, "=Local", false},
	{"HEAD detached", func(s *scene) {
		s.repo("work", localName)
		s.file("work/.git/HEAD", strings.Repeat("0123456789", 4)+"\n")
	}, "=Local", true},
	{"HEAD too short", func(s *scene) {
		s.repo("work", localName)
		s.file("work/.git/HEAD", strings.Repeat("a", 39)+"\n")
		s.global()
	}, "=Global", false},
	{"HEAD a link", func(s *scene) {
		s.repo("work", localName)
		s.remove("work/.git/HEAD")
		s.link("refs/heads/main", "work/.git/HEAD")
	}, "=Local", false},
	{"HEAD a link elsewhere", func(s *scene) {
		s.repo("work", localName)
		s.remove("work/.git/HEAD")
		s.link("/dev/null", "work/.git/HEAD")
		s.global()
	}, "=Global", false},
	{".git a link", func(s *scene) {
		s.repo("other", localName)
		s.link("{root}/other/.git", "work/.git")
	}, "=Local", false},
	{".git a dangling link", func(s *scene) { s.link("none", "work/.git"); s.global() }, "", false},
	{".git a file", func(s *scene) {
		s.repo("other", localName)
		s.file("work/.git", "gitdir: {root}/other/.git\n")
	}, "=Local", false},
	{".git a relative file", func(s *scene) {
		s.repo("other", localName)
		s.file("work/.git", "gitdir: ../other/.git\n")
	}, "=Local", false},
	{".git a file to nowhere", func(s *scene) { s.file("work/.git", "gitdir: none\n"); s.global() }, "", false},
	{".git a garbage file", func(s *scene) { s.file("work/.git", "garbage\n"); s.global() }, "", false},
	{".git an empty file", func(s *scene) { s.file("work/.git", ""); s.global() }, "", false},
	{".git with commondir", func(s *scene) {
		s.repo("work", localName)
		s.repo("other", "[user]\nname = Common\n")
		s.file("work/.git/commondir", "{root}/other/.git\n")
	}, "=Common", false},
	{"submodule", func(s *scene) {
		s.repo("work", "[user]\nname = Super\n")
		s.gitDir("work/.git/modules/sub", "[core]\nrepositoryformatversion = 0\nbare = false\nworktree = ../../../sub\n[user]\nname = Sub\n")
		s.file("work/sub/.git", "gitdir: ../.git/modules/sub\n")
		s.in("work/sub")
	}, "=Sub", false},

	// What the repository's own file says about the repository.
	{"format version 1", func(s *scene) {
		s.gitDir("work/.git", "[core]\nrepositoryformatversion = 1\n[user]\nname = Local\n")
	}, "=Local", false},
	{"format version unknown", func(s *scene) {
		s.gitDir("work/.git", "[core]\nrepositoryformatversion = 99\n[user]\nname = Local\n")
		s.global()
	}, "=Global", false},
	{"format version odd", func(s *scene) {
		s.gitDir("work/.git", "[core]\nrepositoryformatversion = x\n[user]\nname = Local\n")
	}, "!", false},
	{"format version odd, then good", func(s *scene) {
		s.gitDir("work/.git", "[core]\nrepositoryformatversion = x\nrepositoryformatversion = 0\n[user]\nname = Local\n")
	}, "!", false},
	{"no format version", func(s *scene) { s.gitDir("work/.git", "[user]\nname = Local\n") }, "=Local", true},
	{"local file empty", func(s *scene) { s.gitDir("work/.git", ""); s.global() }, "=Global", true},
	{"unknown extension", func(s *scene) {
		s.gitDir("work/.git", "[core]\nrepositoryformatversion = 1\n[extensions]\nnosuch = true\n[user]\nname = Local\n")
		s.global()
	}, "=Global", false},
	{"unknown extension, version 0", func(s *scene) {
		s.repo("work", "[extensions]\nnosuch = true\n[user]\nname = Local\n")
	}, "=Local", false},
	{"bare true in .git", func(s *scene) {
		s.gitDir("work/.git", "[core]\nbare = true\n[user]\nname = Local\n")
	}, "=Local", false},
	{"bare without a value", func(s *scene) { s.gitDir("work/.git", "[core]\nbare\n[user]\nname = Local\n") }, "=Local", false},
	{"bare odd", func(s *scene) { s.gitDir("work/.git", "[core]\nbare = maybe\n[user]\nname = Local\n") }, "!", false},
	{"bare in capitals", func(s *scene) { s.gitDir("work/.git", "[CORE]\nBARE = maybe\n[user]\nname = Local\n") }, "!", false},
	{"bare in a subsection", func(s *scene) {
		s.gitDir("work/.git", "[core \"x\"]\nbare = maybe\n[user]\nname = Local\n")
	}, "=Local", true},
	{"core.worktree", func(s *scene) {
		s.repo("work", "[core]\nworktree = {root}/other\n[user]\nname = Local\n")
		s.mkdir("other")
	}, "=Local", false},
	{"core.worktree missing", func(s *scene) {
		s.repo("work", "[core]\nworktree = {root}/none\n[user]\nname = Local\n")
	}, "", false},
	{"core.worktree and bare", func(s *scene) {
		s.gitDir("work/.git", "[core]\nbare = true\nworktree = {root}/other\n[user]\nname = Local\n")
		s.mkdir("other")
	}, "", false},

	// Linked worktrees.
	{"linked worktree", func(s *scene) { s.worktree(); s.in("linked") }, "=Main", false},
	{"linked worktree without the extension", func(s *scene) {
		s.worktree()
		s.file("work/.git/worktrees/linked/config.worktree", "[user]\nname = Wrong\n")
		s.in("linked")
	}, "=Main", false},
	{"linked worktree with the extension", func(s *scene) {
		s.worktree()
		s.run(s.work, "config", "extensions.worktreeConfig", "true")
		s.file("work/.git/worktrees/linked/config.worktree", "[user]\nname = Linked\n")
		s.in("linked")
	}, "=Linked", false},
	{"main worktree with the extension", func(s *scene) {
		s.worktree()
		s.run(s.work, "config", "extensions.worktreeConfig", "true")
		s.file("work/.git/config.worktree", "[user]\nname = Worktree\n")
	}, "=Worktree", false},
	{"main worktree with a linked one", func(s *scene) { s.worktree() }, "=Main", true},
	{"config.worktree without the extension", func(s *scene) {
		s.repo("work", localName)
		s.file("work/.git/config.worktree", "[user]\nname = Wrong\n")
	}, "=Local", false},
	{"linked worktree whose main is gone", func(s *scene) {
		s.worktree()
		s.remove("work")
		s.global()
		s.in("linked")
	}, "", false},

	// Variables that say where the repository is.
	{"GIT_DIR", func(s *scene) {
		s.repo("work", localName)
		s.repo("other", "[user]\nname = Other\n")
		s.set("GIT_DIR={root}/other/.git")
	}, "=Other", false},
	{"GIT_DIR relative", func(s *scene) {
		s.repo("other", "[user]\nname = Other\n")
		s.set("GIT_DIR=../other/.git")
	}, "=Other", false},
	{"GIT_DIR wrong", func(s *scene) { s.repo("work", localName); s.set("GIT_DIR={root}/none"); s.global() }, "", false},
	{"GIT_DIR empty", func(s *scene) { s.repo("work", localName); s.set("GIT_DIR="); s.global() }, "", false},
	{"GIT_COMMON_DIR", func(s *scene) {
		s.repo("work", localName)
		s.repo("other", "[user]\nname = Common\n")
		s.set("GIT_COMMON_DIR={root}/other/.git")
	}, "=Common", false},
	{"GIT_WORK_TREE", func(s *scene) { s.repo("work", localName); s.set("GIT_WORK_TREE={root}/home") }, "=Local", false},
	{"GIT_CEILING_DIRECTORIES", func(s *scene) {
		s.repo("work", localName)
		s.mkdir("work/a/b")
		s.in("work/a/b")
		s.set("GIT_CEILING_DIRECTORIES={root}/work/a")
		s.global()
	}, "=Global", false},
	{"GIT_CEILING_DIRECTORIES above", func(s *scene) {
		s.repo("work", localName)
		s.mkdir("work/a")
		s.in("work/a")
		s.set("GIT_CEILING_DIRECTORIES={root}")
	}, "=Local", false},
	{"GIT_DISCOVERY_ACROSS_FILESYSTEM", func(s *scene) {
		s.repo("work", localName)
		s.set("GIT_DISCOVERY_ACROSS_FILESYSTEM=1")
	}, "=Local", false},
	{"GIT_OBJECT_DIRECTORY", func(s *scene) {
		s.repo("work", localName)
		s.set("GIT_OBJECT_DIRECTORY={root}/none")
		s.global()
	}, "", false},
	{"GIT_NAMESPACE", func(s *scene) { s.repo("work", localName); s.set("GIT_NAMESPACE=x") }, "=Local", false},

	// Owners.
	{"foreign repository", func(s *scene) {
		s.repo("work", localName)
		s.global()
		s.chown("work", 12345)
	}, "=Global", false},
	{"foreign .git", func(s *scene) {
		s.repo("work", localName)
		s.global()
		s.chown("work/.git", 12345)
	}, "=Global", false},
	{"foreign .git with an own file", func(s *scene) {
		s.repo("work", localName)
		s.global()
		s.chown("work/.git", 12345)
		s.chown("work/.git/config", os.Geteuid())
	}, "=Global", false},
	{"foreign work tree", func(s *scene) {
		s.repo("work", localName)
		s.global()
		s.chown("work", 12345)
		s.chown("work/.git", os.Geteuid())
	}, "=Global", false},
	{"foreign config", func(s *scene) {
		s.repo("work", localName)
		s.chown("work/.git/config", 12345)
	}, "=Local", false},
	{"foreign subdirectory", func(s *scene) {
		s.repo("work", localName)
		s.mkdir("work/sub")
		s.chown("work/sub", 12345)
		s.in("work/sub")
	}, "=Local", true},
	{"foreign global file", func(s *scene) { s.global(); s.chown("home", 12345) }, "=Global", true},
	{"foreign but safe", func(s *scene) {
		s.repo("work", localName)
		s.file("home/.gitconfig", "[safe]\ndirectory = {root}/work\n[user]\nname = Global\n")
		s.chown("work", 12345)
	}, "=Local", false},
	{"foreign but everything is safe", func(s *scene) {
		s.repo("work", localName)
		s.file("system", "[safe]\ndirectory = *\n")
		s.chown("work", 12345)
	}, "=Local", false},
	{"foreign and safe by its own word", func(s *scene) {
		s.repo("work", "[safe]\ndirectory = *\n[user]\nname = Local\n")
		s.global()
		s.chown("work", 12345)
	}, "=Global", false},
	{"foreign and safe elsewhere", func(s *scene) {
		s.repo("work", localName)
		s.file("home/.gitconfig", "[safe]\ndirectory = {root}/other\n[user]\nname = Global\n")
		s.chown("work", 12345)
	}, "=Global", false},
	{"foreign by environment safe", func(s *scene) {
		s.repo("work", localName)
		s.set("GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*")
		s.chown("work", 12345)
	}, "", false},
	{"sudo in the caller's repository", func(s *scene) {
		s.repo("work", localName)
		s.set("SUDO_UID=12345")
		s.chown("work", 12345)
	}, "=Local", false},
	{"sudo in another's repository", func(s *scene) {
		s.repo("work", localName)
		s.set("SUDO_UID=54321")
		s.global()
		s.chown("work", 12345)
	}, "=Global", false},
	{"sudo in root's repository", func(s *scene) {
		s.repo("work", localName)
		s.set("SUDO_UID=12345")
		s.global()
	}, "", false},
	{"sudo with garbage", func(s *scene) {
		s.repo("work", localName)
		s.set("SUDO_UID=garbage")
		s.global()
	}, "", false},

	// Files that are not just files.
	{"global a link", func(s *scene) {
		s.file("dots/gitconfig", "[user]\nname = Dots\n")
		s.link("../dots/gitconfig", "home/.gitconfig")
	}, "=Dots", true},
	{"global a dangling link", func(s *scene) { s.link("none", "home/.gitconfig"); s.repo("work", localName) }, "=Local", true},
	{"global a link to itself", func(s *scene) { s.link(".gitconfig", "home/.gitconfig"); s.repo("work", localName) }, "", false},
	{"global a directory", func(s *scene) { s.mkdir("home/.gitconfig"); s.repo("work", localName) }, "", false},
	{"xdg a directory", func(s *scene) { s.mkdir("home/.config/git/config"); s.global() }, "", false},
	{"xdg directory a file", func(s *scene) { s.file("home/.config", ""); s.global() }, "=Global", true},
	{"local a directory", func(s *scene) {
		s.repo("work", localName)
		s.remove("work/.git/config")
		s.mkdir("work/.git/config")
		s.global()
	}, "", false},
	{"local a link", func(s *scene) {
		s.repo("work", localName)
		s.remove("work/.git/config")
		s.file("elsewhere", coreLocal+"[user]\nname = Linked\n")
		s.link("{root}/elsewhere", "work/.git/config")
	}, "=Linked", true},
	{"local a dangling link", func(s *scene) {
		s.repo("work", localName)
		s.remove("work/.git/config")
		s.link("none", "work/.git/config")
		s.global()
	}, "", false},
	{"global the null device", func(s *scene) { s.link("/dev/null", "home/.gitconfig"); s.repo("work", localName) }, "=Local", false},
	{"system a directory", func(s *scene) { s.mkdir("system"); s.global() }, "", false},

	// Permissions, as somebody who is not root.
	{"as nobody", func(s *scene) { s.repo("work", localName); s.asNobody() }, "=Local", true},
	{"unreadable global", func(s *scene) {
		s.global()
		s.repo("work", localName)
		s.asNobody()
		s.chmod("home/.gitconfig", 0)
	}, "=Local", false},
	{"unreadable xdg", func(s *scene) {
		s.global()
		s.file("home/.config/git/config", "[user\n")
		s.asNobody()
		s.chmod("home/.config/git/config", 0)
	}, "=Global", false},
	{"unsearchable xdg", func(s *scene) {
		s.global()
		s.file("home/.config/git/config", "[user\n")
		s.asNobody()
		s.chmod("home/.config", 0)
	}, "=Global", false},
	{"unsearchable home", func(s *scene) {
		s.global()
		s.repo("work", localName)
		s.asNobody()
		s.chmod("home", 0)
	}, "=Local", false},
	{"unreadable local", func(s *scene) {
		s.global()
		s.repo("work", localName)
		s.asNobody()
		s.chmod("work/.git/config", 0)
	}, "!", false},
	{"unreadable system", func(s *scene) {
		s.global()
		s.file("system", "[user]\nname = System\n")
		s.asNobody()
		s.chmod("system", 0)
	}, "", false},
	{"unreadable HEAD", func(s *scene) {
		s.global()
		s.repo("work", localName)
		s.asNobody()
		s.chmod("work/.git/HEAD", 0)
	}, "=Global", false},
	{"unsearchable .git", func(s *scene) {
		s.global()
		s.repo("work", localName)
		s.asNobody()
		s.chmod("work/.git", 0)
	}, "=Global", false},
	{"unsearchable objects", func(s *scene) {
		s.global()
		s.repo("work", localName)
		s.asNobody()
		s.chmod("work/.git/objects", 0o600)
	}, "=Global", false},
	{"unsearchable refs", func(s *scene) {
		s.global()
		s.repo("work", localName)
		s.asNobody()
		s.chmod("work/.git/refs", 0o600)
	}, "=Global", false},
	{"unreadable parent", func(s *scene) {
		s.repo("work", localName)
		s.mkdir("work/a/b")
		s.asNobody()
		s.chmod("work/a", 0o311)
		s.in("work/a/b")
	}, "=Local", true},
	{"somebody else's repository, as nobody", func(s *scene) {
		s.global()
		s.repo("work", localName)
		s.asNobody()
		s.chown("work", 12345)
	}, "=Global", false},
	{"root's repository, as nobody", func(s *scene) {
		s.global()
		s.repo("work", localName)
		s.asNobody()
		s.chown("work", 0)
	}, "=Global", false},
	{"SUDO_UID means nothing to nobody", func(s *scene) {
		s.repo("work", localName)
		s.asNobody()
		s.set("SUDO_UID=12345")
	}, "=Local", false},
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
	for _, c := range cases {
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
		if g := w.look("", s.dir); rel == "system" && g.name != "Local" {
			t.Errorf("without git, with a FIFO at %s: %+v", rel, g)
		}
	}
}
