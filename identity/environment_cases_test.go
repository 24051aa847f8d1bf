//go:build unix

package identity

// homeCases: HOME and XDG_CONFIG_HOME.
var homeCases = []sceneCase{
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
}

// variableCases: the GIT_CONFIG_ variables.
var variableCases = []sceneCase{
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
}

// steeringCases: the variables that say where the repository is.
var steeringCases = []sceneCase{
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
}
