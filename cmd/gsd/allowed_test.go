//go:build unix

package main

// The law of what may be printed: agents obey what they read, so a printed command does nothing that a careful colleague would
// first ask about. allowed is the whole list of programs, verbs and flags; bounds are where they may act. Whatever else helps is
// said in a sentence. Every command that is printed in the states of TestStates (states_test.go) is held against it, and those of the broken projects
// (doctor_test.go) and of the random sequences (sequences_test.go) there.

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// Bounds are where printed commands may act.
type bounds struct {
	dir     string   // where they are run
	project string   // the project
	trees   []string // its other worktrees
	state   string   // gsd's own state directory
}

// allowedVerbs are the verbs of gsd that may be printed, each with its flags besides -C, --json and --help. There is no takeover, which takes
// work away from somebody, run end only names a run that is over, and a lost session cannot be brought back once it is forgotten: of forget,
// only the help may be printed.
var allowedVerbs = map[string]string{
	"": "", "help": "", "hydrate": "", "next": "", "tasks": "", "whoami": "", "config": "", "status": "--all --watch --format", "doctor": "--plans",
	"run list": "", "restore --list": "",
	"archive": "", "bootstrap": "--fresh --again", "mark": "", "done": "--summary", "state": "--write", "sync": "--auto",
	"run sweep": "--dry-run --reset-tasks", "run start": "", "run end": "--status",
	"exec": "", "install": "--scope --absolute --remove", "run": "", "restore": "", "forget": "",
}

// readingVerbs may be printed for any directory.
var readingVerbs = []string{"hydrate", "next", "tasks", "status", "run list", "restore --list", "whoami"}

// forbids returns why a command may not be printed, "" if it may.
func (in *bounds) forbids(words []string) string {
	switch words[0] {
	case "gsd":
		return in.forbidsGsd(words[1:])
	case "git":
		return in.forbidsGit(words[1:])
	case "chmod":
		return in.forbidsChmod(words[1:])
	}
	return "no printed command may run " + words[0]
}

// withValue are the flags that take the next word.
var withValue = lazyRegexp(`^--(host|id|status|wait|scope|format|auto|ws)$|^-C$`)

func (in *bounds) forbidsGsd(words []string) string {
	verb, flags := "", map[string]string{}
	for i := 0; i < len(words) && words[i] != "--"; i++ {
		name, value, _ := strings.Cut(words[i], "=")
		switch {
		case withValue().MatchString(words[i]) && i+1 < len(words):
			i++
			flags[name] = words[i]
		case strings.HasPrefix(name, "-"):
			flags[name] = value
		case verb == "" || verb == "run":
			verb = strings.TrimSpace(verb + " " + name)
		}
	}
	if _, lists := flags["--list"]; lists {
		verb += " --list"
	}
	allowed, known := allowedVerbs[verb]
	if !known {
		return "no printed command may be gsd " + verb
	}
	if _, helps := flags["--help"]; helps {
		return ""
	}
	if verb == "forget" && !slices.Contains(words, "ID") {
		return "a lost session cannot be brought back once it is forgotten"
	}
	if verb == "mark" && slices.Contains(words, "complete") {
		return "Claude Code refuses the word complete in an isolated worktree"
	}
	for name, value := range flags {
		switch {
		case name == "-C":
			if !filepath.IsAbs(value) {
				value = filepath.Join(in.dir, value)
			}
			if !in.has(value) && !slices.Contains(readingVerbs, verb) {
				return value + " is another project"
			}
		case !slices.Contains(strings.Fields("--json --list --ws "+allowed), name):
			return "gsd " + verb + " may not be printed with " + name
		}
	}
	return ""
}

// has reports whether a directory is that of the project or of one of its worktrees, or in it.
func (in *bounds) has(dir string) bool {
	return slices.ContainsFunc(append(in.trees, in.project), func(root string) bool { return dir == root || liesBelow(dir, root) })
}

func liesBelow(name, dir string) bool {
	return dir != "" && filepath.Clean(name) == name && strings.HasPrefix(name, dir+"/")
}

// configKeys are the settings that a printed command may change, in this repository.
var configKeys = lazyRegexp(`^(user\.name|user\.email|gsd\.(remote|refPrefix))$`)

// branchName is a name that no shell and no flag of git can be made of.
var branchName = lazyRegexp(`^[A-Za-z0-9_][A-Za-z0-9_./-]*$`)

func (in *bounds) forbidsGit(words []string) string {
	if len(words) > 2 && words[0] == "-C" {
		if !in.has(words[1]) {
			return words[1] + " is another repository"
		}
		words = words[2:]
	}
	words = slices.DeleteFunc(slices.Clone(words), func(word string) bool { return word == "--literal-pathspecs" })
	switch {
	case len(words) >= 2 && words[0] == "config" && (words[1] == "--show-origin" || configKeys().MatchString(words[1])):
		return ""
	case len(words) == 3 && words[0] == "merge" && words[1] == "--ff-only" && branchName().MatchString(words[2]):
		return "" // it fails where it would overwrite anything
	case len(words) == 4 && words[0] == "checkout" && words[1] == "HEAD" && words[2] == "--" && strings.HasPrefix(words[3], ".planning/"):
		text, err := os.ReadFile(filepath.Join(in.project, words[3]))
		if err == nil && strings.Trim(string(text), "\x00 \t\r\n") != "" {
			return "it overwrites what somebody wrote: " + words[3]
		}
		return ""
	}
	return fmt.Sprintf("git %q is not on the list", words)
}

func (in *bounds) forbidsChmod(words []string) string {
	if len(words) != 2 || !slices.Contains([]string{"u+r", "u+w", "u+rwx"}, words[0]) {
		return fmt.Sprintf("chmod %q is not on the list", words)
	}
	name, planning := words[1], filepath.Join(in.project, ".planning")
	if name != planning && !liesBelow(name, planning) && name != in.state && !liesBelow(name, in.state) {
		return name + " is neither in .planning nor in gsd's state directory"
	}
	if info, err := os.Lstat(name); err == nil {
		if info.Mode()&fs.ModeSymlink != 0 || int(info.Sys().(*syscall.Stat_t).Uid) != os.Geteuid() && os.Geteuid() != 0 {
			return name + " is a link or belongs to somebody else"
		}
	}
	return ""
}

var (
	anyCommand = lazyRegexp(`^ *(?:try|fix): (.+?)(?:  +\(.*\))?$`)
	// inSentence finds what a sentence might tell somebody to run besides gsd.
	inSentence = lazyRegexp("(?:^|[\\s`\"'(])((?:sudo|doas|rm|rmdir|mv|cp|sed|chmod|chown|sh|bash|tee|printf|unalias|apt|apt-get|dnf|yum|apk|zypper|pacman|brew|" +
		"winget|npm|npx|curl|wget|kill|go (?:install|get|run)|git (?:-C|config|rm|checkout|restore|reset|clean|stash|add|commit|push|branch|merge)) [^,;:()`\"'\\s][^,;:()`\"']*)")
	advises = lazyRegexp(`^(hint|warning|note): `)
)

// A breach is a printed command that may not be printed, and why.
type breach struct{ command, why string }

// A law holds printed commands against bounds, each line once.
type law struct {
	bounds
	known    map[string]bool // lines and texts
	breaches []breach
}

func newLaw(in bounds) *law { return &law{bounds: in, known: map[string]bool{}} }

// hold holds all commands in an output, text or JSON. Sentences that advise somebody are searched for commands of other programs;
// all of doctor's do.
func (l *law) hold(out string, isDoctor bool) {
	var value any
	if !strings.HasPrefix(out, "{") || json.Unmarshal([]byte(out), &value) != nil {
		l.holdText(out, isDoctor)
		return
	}
	eachField("", value, func(key string, value any) {
		switch value := value.(type) {
		case string:
			l.holdText(value, false)
		case []any:
			if key == "argv" {
				words := strings.Split(strings.Trim(fmt.Sprintf("%q", value), `[]"`), `" "`)
				l.holdCommand(strings.Join(words, " "), words)
			}
		}
	})
}

func (l *law) holdText(text string, advice bool) {
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimPrefix(line, "! ")
		if l.known[line] {
			continue
		}
		l.known[line] = true
		if m := anyCommand().FindStringSubmatch(line); m != nil {
			words, err := shellWords(m[1])
			if err != nil {
				words = strings.Fields(m[1])
			}
			l.holdCommand(m[1], words)
			continue
		}
		if strings.Contains(line, "gsd ") {
			for _, p := range allPrinted(line) {
				l.holdCommand(p.line, strings.Fields(p.line)) // a name with spaces is no flag
			}
		}
		if advice || advises().MatchString(line) {
			for _, m := range inSentence().FindAllStringSubmatch(line, -1) {
				l.holdCommand(m[1], strings.Fields(m[1]))
			}
		}
	}
}

func (l *law) holdCommand(command string, words []string) {
	if why := l.forbids(words); why != "" {
		l.breaches = append(l.breaches, breach{command, why})
	}
}

// eachField calls see for all values, with the key that each or the list that it is in has.
func eachField(key string, value any, see func(key string, value any)) {
	see(key, value)
	switch value := value.(type) {
	case []any:
		for _, v := range value {
			if key != "argv" {
				eachField(key, v, see)
			}
		}
	case map[string]any:
		for k, v := range value {
			eachField(k, v, see)
		}
	}
}

func TestForbids(t *testing.T) {
	t.Parallel()
	in := bounds{dir: "/home/ada", project: "/home/ada/notes", trees: []string{"/home/ada/side"}, state: "/home/ada/.local/state/gsd"}
	for _, test := range []struct {
		out    string
		breaks bool
	}{
		{"try: gsd bootstrap 01-02   (starts a session on it)", false},
		{"try: gsd takeover 01-02   (takes it over)", true},
		{"hint: `gsd help takeover` says how to take it over", false},
		{"hint: `gsd run end --help` says how to end it", false},
		{"try: gsd forget 00ff00ff00ff00ff   (forgets it)", true},
		{"try: gsd forget --help   (says how to forget it)", false},
		{"try: gsd archive .planning/HANDOFF.json   (archives that note)", false},
		{"try: gsd bootstrap 01-02 -C /home/ada/side   (continues it)", false},
		{"try: gsd bootstrap 01-02 -C /home/grace/notes   (starts it)", true},
		{"try: gsd run list -C /home/grace/notes   (shows who is at work)", false},
		{"- `gsd done 1`: when it is done", false},
		{"- `gsd mark 1 complete`: when it is done", true},
		{"  fix: gsd install claude --scope user   (installs it)", false},
		{"  fix: gsd frobnicate   (does it)", true},
		{"  fix: sudo chown -R 65534 /   (makes it yours)", true},
		{"  fix: chmod u+r /home/ada/notes/.planning/ROADMAP.md   (lets you read it)", false},
		{"  fix: chmod u+rwx /home/ada/.local/state/gsd/crumbs   (lets you write there)", false},
		{"  fix: chmod u+rwx /home/ada   (lets you write there)", true},
		{"  fix: chmod -R u+r /home/ada/notes/.planning   (lets you read it)", true},
		{"  fix: chmod u+r /home/ada/notes/.planning/../.git   (lets you read it)", true},
		{"  fix: chmod a+r /home/ada/notes/.planning/ROADMAP.md   (lets you read it)", true},
		{"  fix: git -C /home/ada/notes config gsd.remote up   (chooses it)", false},
		{"  fix: git -C /home/ada/notes config core.hooksPath /tmp   (does it)", true},
		{"  fix: git config --global --add safe.directory /x   (trusts it)", true},
		{"  fix: git -C /home/ada/notes --literal-pathspecs checkout HEAD -- .planning/ROADMAP.md   (brings it back)", false},
		{"  fix: git -C /home/ada/notes checkout HEAD -- src/main.go   (brings it back)", true},
		{"try: git merge --ff-only worktree-agent-1   (brings it here)", false},
		{"try: git -C /home/ada/notes merge --ff-only gsd/phase-01   (brings it here)", false},
		{"try: git merge worktree-agent-1   (brings it here)", true},
		{"try: git merge --ff-only -x   (brings it here)", true},
		{"hint: `git merge x`", true},
		{"  fix: git -C /home/ada/notes rm -r -q --cached -- .planning/sessions/ada   (forgets it)", true},
		{"  fix: sh -c 'echo x >> \"$0\"' /home/ada/.profile   (puts it first)", true},
		{"  fix: sed -i.bak -e '4s|2|3|' /home/ada/notes/.planning/phases/01-a/01-01-PLAN.md   (moves it to wave 3)", true},
		{"  fix: rm /home/ada/notes/.planning/phases/01-a/01-01-PLAN.md   (removes it)", true},
		{"hint: git config --global user.name NAME sets it", true},
		{"hint: git config gsd.refPrefix gsd", false},
		{"hint: run go install github.com/gsd-cli/gsd/cmd/gsd@latest", true},
		{"{\"commands\": [{\"argv\": [\"gsd\", \"takeover\", \"01-02\"], \"does\": \"drops it\"}]}", true},
		{"{\"commands\": [{\"argv\": [\"gsd\", \"run\", \"start\"], \"does\": \"drops it\"}]}", false},
	} {
		l := newLaw(in)
		if l.hold(test.out, false); (len(l.breaches) > 0) != test.breaks {
			t.Errorf("%s: %q", test.out, l.breaches)
		}
	}
}
