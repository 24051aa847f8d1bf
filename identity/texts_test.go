//go:build unix

package identity

import (
	"strings"
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
	{"raw backspace", "[user]\nname = A\bB\n", "=A\bB", true},
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
