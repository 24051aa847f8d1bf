//go:build unix

package identity

import (
	"os"
)

// ownerCases: whose the repository is.
var ownerCases = []sceneCase{
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
}

// oddFileCases: files that are not just files, and those that may not be read.
var oddFileCases = []sceneCase{
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
