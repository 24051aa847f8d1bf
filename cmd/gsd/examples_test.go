//go:build linux

package main

// What the README and the pages of docs/ show of a terminal is what gsd prints.

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// exampleStates are where an example begins that has the line "<!-- example: NAME -->" before it. The others begin where the
// example before them in the page ended, and the first one in the sample project.
var exampleStates = map[string][]act{
	"summary":  {planned, begun, commit("feat(01-02): list notes", "list.go"), summary},
	"left":     {working},
	"dead":     {deadRun},
	"lost":     {planned, begun, later(2 * time.Hour), lost},
	"archive":  {begun},
	"commits":  {planned, commit("feat(01-02): add a note", "add.go", "add_test.go"), commit("feat(01-02): list notes", "list.go")},
	"branch":   {planned, branched},
	"cut":      {planned, commit("feat(01-02): add a note", "add.go"), file("./list.go", "package notes\n"), file("./add.go", "package notes\n")},
	"unhooked": {file("~/.claude/settings.json", "{}")},
	"disabled": {file("./.claude/settings.json", `{"disableAllHooks": true}`), gsd("install claude")},
	"finished": {begun, summary},
	"far":      {working, claude1, elsewhere},
	"laptop":   {planned, begun, published},
	"desktop":  {planned, begun, published, gsd("sync"), cloned},
	"two": {
		working, begins("run start --host codex --id other"), with("CODEX_THREAD_ID=other"), gsd("mark 3 in-progress"), gsd("mark 3 pending"), with("CODEX_THREAD_ID="),
	},
	"aliased": {
		with("SHELL=/bin/zsh"), file("~/.zshrc", "plugins=(git)\nsource $ZSH/oh-my-zsh.sh\n"), file("~/.claude/settings.json", "{}"), gsd("install claude"),
	},
}

// branched leaves the commits of an executor on its branch.
func branched(s *scene) {
	git(s, "switch", "-q", "-c", "worktree-agent-1")
	commit("feat(01-02): add a note", "add.go")(s)
	commit("feat(01-02): list notes", "list.go")(s)
	git(s, "switch", "-q", "main")
}

// published gives the project a remote that has its commits.
func published(s *scene) {
	git(s, "init", "-q", "--bare", "../origin.git")
	git(s, "remote", "add", "origin", "../origin.git")
	git(s, "push", "-q", "-u", "origin", "main")
}

// cloned is at another machine from now on, in a clone.
func cloned(s *scene) {
	s.write("~/.local/state/gsd/machine", "fedcba9876543210fedcba9876543210\n")
	git(s, "clone", "-q", "-b", "main", "../origin.git", "../clone")
	s.dir = filepath.Join(s.root, "clone")
}

// git runs git in the project.
func git(s *scene, args ...string) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = s.dir, append(slices.Clone(s.env), "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("%s: git %q: %v\n%s", s.name, args, err, out)
	}
}

// anyValue finds what is different whenever it is printed: times, names of commits and of other things, numbers of processes.
var anyValue = lazyRegexp(`\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?(Z| UTC)?|\b[0-9a-f]{7,40}\b|\bpid \d+ on [\w.-]+|\b\d+ (minute|hour|day)s? ago|just now`)

// anyID finds the id of a run or of a lost session, for which a command takes the one that the command before it has printed first.
var anyID = lazyRegexp(`\b([0-9a-f]{12}|[0-9a-f]{16})\b`)

// TestExamples: each block "console" of a page is run, line by line. In what it shows, "..." stands for lines that are left out.
func TestExamples(t *testing.T) {
	ran := 0
	for page, text := range pages(t, "docs/*.md", "README.md") {
		var s *scene
		before := ""
		for i, part := range strings.Split(text, "```") {
			block, isConsole := strings.CutPrefix(part, "console\n")
			if i%2 == 0 || !isConsole {
				before = part
				continue
			}
			_, name, marked := strings.Cut(before, "<!-- example: ")
			name, _, _ = strings.Cut(name, " -->")
			if s == nil || marked {
				s = newScene(t, filepath.Base(page)+" "+name)
				acts, ok := exampleStates[name]
				if marked && !ok {
					t.Fatalf("%s: no example %q", page, name)
				}
				for _, act := range acts {
					act(s)
				}
			}
			ran += s.play(page, block)
		}
	}
	if ran < 10 {
		t.Errorf("only %d examples were found", ran)
	}
}

// What stands for others in docs/coming-from.md.
var standsFor = strings.NewReplacer("PLAN", "02-01", "STATUS", "complete", "PID", strconv.Itoa(os.Getppid()), "COMMAND", "true", " N ", " 2 ")

// TestComingFrom runs the commands in the right column of docs/coming-from.md, those of a row one after the other, each row in the state
// that is named above its table. It looks up the fields that are named after a command with --json.
func TestComingFrom(t *testing.T) {
	if testing.Short() {
		t.Skip("makes many projects")
	}
	ran := 0
	for _, table := range strings.Split(pages(t, "docs/coming-from.md")["docs/coming-from.md"], "<!-- example: ")[1:] {
		name, table, _ := strings.Cut(table, " -->")
		for _, row := range regexp.MustCompile(`(?m)^\| .* \| (.*) \|$`).FindAllStringSubmatch(table, -1) {
			s, printed := newScene(t, name+" "+row[1]), ""
			for _, act := range exampleStates[name] {
				act(s)
			}
			for _, code := range codes(row[1]) {
				if field, ok := strings.CutPrefix(code, "."); ok {
					if !hasField(t, printed, strings.Split(field, ".")) {
						t.Errorf("%s: there is no %s", row[0], code)
					}
				}
				line, ok := strings.CutPrefix(code, "gsd ")
				if !ok {
					continue
				}
				if strings.HasSuffix(line, " ID") {
					line = strings.TrimSuffix(line, "ID") + anyID().FindString(s.answer("restore --list", false).out)
				}
				r := s.run("", strings.Fields(standsFor.Replace(line))...)
				if printed = r.out; r.code != 0 {
					t.Errorf("gsd %s: exit %d: %s", line, r.code, r.err)
				}
				ran++
			}
		}
	}
	if ran < 40 {
		t.Errorf("only %d commands were run", ran)
	}
}

// hasField reports whether a JSON text has a field, with [] for the first of a list.
func hasField(t *testing.T, text string, path []string) bool {
	t.Helper()
	var at any
	if err := json.Unmarshal([]byte(text), &at); err != nil {
		t.Fatal(err)
	}
	for _, name := range path {
		name, isList := strings.CutSuffix(name, "[]")
		object, _ := at.(map[string]any)
		value, ok := object[name]
		if list, _ := value.([]any); isList && len(list) > 0 {
			value = list[0]
		} else if isList {
			ok = false
		}
		if at = value; !ok {
			return false
		}
	}
	return true
}

// play runs the commands of a block of a page, compares what they print with what it shows, and returns how many there are.
func (s *scene) play(page, block string) (ran int) {
	s.t.Helper()
	printed := ""
	for example := range strings.SplitSeq("\n"+strings.TrimSuffix(block, "\n"), "\n$ ") {
		command, shown, _ := strings.Cut(example, "\n")
		if command == "" {
			continue
		}
		ran++
		line, ok := strings.CutPrefix(command, "gsd ")
		if !ok {
			s.t.Errorf("%s: %q is no command of gsd", page, command)
			continue
		}
		line, _, _ = strings.Cut(line, "  #")
		if ids := anyID().FindAllString(printed, 1); ids != nil {
			line = anyID().ReplaceAllString(line, ids[0])
		}
		r := s.answer(strings.TrimSpace(line), false)
		printed = s.inPages(r.out + r.err)
		if !shows(shown, printed) {
			s.t.Errorf("%s: $ %s\nshown:\n%s\nprinted:\n%s", page, command, shown, printed)
		}
	}
	return ran
}

// inPages replaces the names of this machine and its directories by those in the pages.
func (s *scene) inPages(printed string) string {
	elsewhere := regexp.MustCompile(`\S+:` + filepath.Base(s.root) + `/notes\b`) // another clone, as gsd sync names it
	printed = elsewhere.ReplaceAllString(printed, "laptop:src/notes")
	return strings.NewReplacer(filepath.Join(s.root, "home"), "/home/ada", s.root, "/home/ada").Replace(printed)
}

// shows reports whether a text is what was printed, but for values that change, for lines that are left out, and for where lines break:
// that depends on the width of the terminal.
func shows(shown, printed string) bool {
	form := "^ "
	for line := range strings.Lines(shown) {
		if line = strings.TrimSpace(line); line == "..." {
			form += `(.* )?`
			continue
		}
		form += regexp.QuoteMeta(unbroken(line))
	}
	return regexp.MustCompile(form + "$").MatchString(" " + unbroken(printed))
}

// unbroken returns the words of a text, each with a space after it, with VALUE for what changes.
func unbroken(printed string) string {
	words := anyValue().ReplaceAllString(strings.Join(strings.Fields(printed), " "), "VALUE")
	if words == "" {
		return ""
	}
	return words + " "
}

func TestShows(t *testing.T) {
	const printed = "1 of 3 tasks complete, started 2026-11-20 09:59 UTC\n\nresume at task 2:\n  List notes\ntry: gsd done 2\n"
	for shown, want := range map[string]bool{
		printed: true,
		"1 of 3 tasks complete, started 2020-01-01 00:00 UTC\nresume at task 2: List notes\ntry: gsd done 2\n": true,
		"1 of 3 tasks complete, started 2020-01-01 00:00 UTC\n...\ntry: gsd done 2\n":                          true,
		"...\nresume at task 2: List notes\n...\n":                                                             true,
		"...\ngsd done 2\n":               true,
		"...\ndone 2\n...\n":              true,
		"...\n":                           true,
		"":                                false,
		"...\nresume at task 3\n...\n":    false,
		"...\nesume at task 2\n...\n":     false,
		"...\nresume at task 2: L\n...\n": false,
		"1 of 3 tasks complete\n":         false,
		"...\ntry: gsd done 2\nagain\n":   false,
	} {
		if shows(shown, printed) != want {
			t.Errorf("%q: %t", shown, !want)
		}
	}
	if !shows("", "") {
		t.Error("nothing is not nothing")
	}
}
