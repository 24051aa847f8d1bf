//go:build unix

package identity

import (
	"strings"
)

// includeCases: include and all four conditions of includeIf.
var includeCases = []sceneCase{
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
}
