package action

import (
	"strings"
	"testing"
)

// TestLine: an action as it is typed, and whether it writes.
func TestLine(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		action Action
		want   string
		writes bool
	}{
		{Action{Kind: Done, Task: 2}, "gsd done 2", true},
		{Action{Kind: Begin, Task: 2}, "gsd mark 2 in-progress", true},
		{Action{Kind: Sync, Dir: "/a b"}, "gsd sync -C '/a b'", false},
		{Action{Kind: ListLost}, "gsd restore --list", false},
		{Action{Kind: ShowRuns, Dir: "d"}, "gsd run list -C d", false},
		{Action{Kind: ReadTask, Task: 3}, "gsd tasks 3", false},
		{Action{Kind: ReadTask, Plan: "01-02", Task: 3}, "gsd tasks 01-02 3", false},
		{Action{Kind: ListTasks}, "gsd tasks", false},
		{Action{Kind: AgainFresh, Plan: "a b-PLAN.md"}, "gsd bootstrap 'a b-PLAN.md' --fresh --again", true},
		{Action{Kind: Restore, ID: "a\tb"}, "", true},
		{Action{Kind: Restore, ID: "a\x1bb"}, "", true},
		{Action{Kind: Restore, ID: "-x"}, "gsd restore '-x'", true},
		{Action{Kind: AllowWriting, ID: "/x"}, "chmod u+w /x", false},
		{Action{Kind: BringBack, ID: "p", Dir: "/d"}, "git -C /d --literal-pathspecs checkout HEAD -- p", false},
		{Action{Kind: Install, ID: "codex", Scope: "user"}, "gsd install codex --scope user", false},
		{Action{Kind: Install, ID: "codex"}, "gsd install codex", false},
		{Action{}, "", false},
	} {
		if got := Line(test.action.Words()); got != test.want || test.action.Writes() != test.writes {
			t.Errorf("%+v: %q, writes %v", test.action, got, test.action.Writes())
		}
	}
}

// TestPlace: a command names the directory that -C named, unless it names another one, and is called as gsd is called there.
func TestPlace(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		at     Place
		action Action
		want   string
	}{
		{Place{In: "in"}, Action{Kind: ShowNext}, "gsd next -C in"},
		{Place{In: "it's"}, Action{Kind: ShowNext}, `gsd next -C 'it'\''s'`},
		{Place{In: "in", Program: "/opt/gsd"}, Action{Kind: Visit, Dir: "other"}, "/opt/gsd hydrate -C other"},
		{Place{In: "in", Program: "/opt/gsd"}, Action{Kind: Fetch}, "git -C in fetch"},
		{Place{In: "in"}, Action{Kind: AllowReading, ID: "a"}, "chmod u+r a"},
		{Place{In: "a\x1b[2Jb"}, Action{Kind: ShowNext}, ""},
		{Place{}, Action{Kind: ShowNext}, "gsd next"},
		{Place{In: "in", Root: "ws"}, Action{Kind: HowToEnd}, "gsd run end --help -C in --ws ws"},
		{Place{In: "in", Root: "ws"}, Action{Kind: ShowNext, Root: "other"}, "gsd next --ws other -C in"},
		{Place{In: "in", Root: "ws"}, Action{Kind: BringPlan, ID: "1a", Plan: "p"}, "git -C in restore --source 1a -- p"},
		{Place{In: "in"}, Action{Kind: Start, Plan: "it's -C x -- y-PLAN.md"}, `gsd bootstrap 'it'\''s -C x -- y-PLAN.md' -C in`},
	} {
		if got := test.at.Line(test.action.Words()); got != test.want {
			t.Errorf("%+v: %q", test.action, got)
		}
		if got := Line(test.at.Words(test.action.Words())); test.at.Program == "" && got != test.want {
			t.Errorf("%+v: words %q", test.action, got)
		}
	}
	for line, want := range map[string]string{
		"gsd":                      "gsd -C in",
		"gsd exec -- COMMAND -C x": "gsd exec -C in -- COMMAND -C x",
		"gsd run start":            "gsd run start -C in",
	} {
		if got := (Place{In: "in"}).Typed(line); got != want {
			t.Errorf("%q: %q", line, got)
		}
	}
}

// TestDistinct: what is typed the same is there once.
func TestDistinct(t *testing.T) {
	t.Parallel()
	all := Distinct([]Action{{Kind: Start, Plan: "a"}, {Kind: Adopt, Plan: "a"}, {Kind: Start, Plan: "b"}})
	if len(all) != 2 || all[0].Kind != Start || all[1].Plan != "b" {
		t.Error(all)
	}
}

// TestForms: the kinds that start a session are those of gsd bootstrap, and all of them write.
func TestForms(t *testing.T) {
	t.Parallel()
	for kind, form := range forms {
		if form.starts != strings.HasPrefix(form.words, "gsd bootstrap ") || form.starts && !form.writes {
			t.Errorf("%s: %+v", kind, form)
		}
	}
}
