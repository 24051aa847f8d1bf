//go:build unix

package identity

import (
	"strings"
)

// placeCases: where in a repository, repositories that are not quite one, and what their own file says of them.
var placeCases = []sceneCase{
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
}

// worktreeCases: linked worktrees.
var worktreeCases = []sceneCase{
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
}
