package roadmap

import (
	"cmp"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/planref"
)

const (
	head          = "| Phase | Plans Complete | Status |\n|---|---|---|\n"
	milestoneHead = "| Phase | Milestone | Plans Complete | Status |\n|---|---|---|---|\n"
)

func TestAdvanced(t *testing.T) {
	for _, c := range []struct{ name, own, src, want string }{
		{"own in progress", "2", head + "| 1 | 3/3 | Complete |\n| 2 | 1/3 | In progress |\n", ""},
		{"next in progress", "2", head + "| 2 | 3/3 | Complete |\n| 3 | 0/3 | In Progress |\n", "advanced"},
		{"lagging", "3", head + "| 2 | 3/3 | In Progress |\n| 3 | 0/3 | Not started |\n", "lagging"},
		{"nothing in progress", "1", head + "| 1 | 3/3 | Complete |\n| 2 | 0/3 | Planned |\n", ""},
		{"before and after", "2", head + "| 1 | 1/3 | In Progress |\n| 2 | 3/3 | Complete |\n| 3 | 1/3 | In Progress |\n", ""},
		{"parallel with own", "2", head + "| 2 | 1/3 | In Progress |\n| 3 | 1/3 | In Progress |\n", ""},
		{"numbers, not text", "2.2", head + "| 2.2 | 1/1 | Complete |\n| 2.10 | 0/1 | In Progress |\n", "advanced"},
		{"padding", "03", head + "| 3. Name | 0/1 | In Progress |\n", ""},
		{"own not mentioned", "2", head + "| 3 | 1/3 | In Progress |\n", "advanced"},
		{"own planned, the word counts", "2", head + "| 2 | 0/3 | Planned |\n| 3 | 1/3 | In Progress |\n", "advanced"},
		{"plans left unticked prove nothing", "2", "- [x] Phase 2: A\n### Phase 2: A\n- [x] 02-01-PLAN.md\n- [ ] 02-02-PLAN.md\n\n" + head + "| 3 | 1/3 | In Progress |\n", "advanced"},
		{"ticked box over a stale row of another", "1", "- [x] Phase 2: A\n" + head + "| 1 | 1/1 | Complete |\n| 2 | 1/3 | In Progress |\n", ""},
		{"ticked box and a live row of its own", "1", "- [x] Phase 1: A\n" + head + "| 1 | 1/3 | In Progress |\n| 2 | 1/3 | In Progress |\n", ""},
		{"counts of others are not words", "1", head + "| 1 | 1/1 | Complete |\n| 2 | 1/3 | Planned |\n", ""},
		{"blocked is not in progress", "1", head + "| 1 | 1/1 | Complete |\n| 2 | 1/3 | Blocked |\n", ""},
		{"heading", "1", "### Phase 1: A - COMPLETE\n### Phase 2: B - IN PROGRESS\n", "advanced"},
		{"status line", "1", "### Phase 1: A\n### Phase 2: B\n**Status:** in progress\n", "advanced"},
		{"numbers start again: a row left over", "2", milestoneHead +
			"| 1 | v1.0 | 1/1 | Complete |\n| 2 | v1.0 | 1/1 | Complete |\n| 5 | v1.0 | 1/5 | In Progress |\n| 1 | v2.0 | 1/1 | Complete |\n| 2 | v2.0 | 0/1 | Not started |\n", "lagging"},
		{"numbers start again: the last counts", "2", milestoneHead +
			"| 2 | v1.9 | 1/1 | Complete |\n| 3 | v1.9 | 1/1 | Complete |\n| 2 | v1.10 | 1/2 | In Progress |\n| 3 | v1.10 | 0/1 | In Progress |\n", ""},
		{"one phase under two names of its milestone", "5", "## v2 Next\n### Phase 5: A\n" + milestoneHead + "| 5 | v2.0.1 | 1/2 | In Progress |\n| 6 | v2.0.1 | 0/2 | In Progress |\n", ""},
		{"empty", "1", "", ""},
		{"no own", "", head + "| 3 | 1/3 | In Progress |\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			own, _ := planref.ParseNumber(c.own)
			a := Advanced(parse(c.src), own, "")
			var got []string
			if a.Advanced {
				got = append(got, "advanced")
			}
			if a.Lagging {
				got = append(got, "lagging")
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("got %q, want %q: %+v", s, c.want, a)
			}
		})
	}
}

// TestAdvancedSince starts a session at one state of the roadmap, and judges it at another.
func TestAdvancedSince(t *testing.T) {
	for _, c := range []struct {
		name, own, then, record, now string
		want                         bool
	}{
		{"nothing changed", "2.1", head + "| 2 | 1/1 | Complete |\n| 3 | 0/1 | In progress |\n", "3", "", false},
		{"a later phase still", "2.1", head + "| 3 | 0/1 | In progress |\n", "3", head + "| 4 | 0/1 | In progress |\n", false},
		{"the next phase", "2", head + "| 2 | 0/1 | In progress |\n", "2", head + "| 2 | 0/1 | Planned |\n| 3 | 0/1 | In progress |\n", true},
		{"the next phase, from an earlier one", "2", head + "| 1 | 0/1 | In progress |\n", "1", head + "| 3 | 0/1 | In progress |\n", true},
		{"own complete", "2", head + "| 2 | 0/1 | Planned |\n", "2", head + "| 2 | 1/1 | Complete |\n", true},
		{"own was complete, a later one current", "2", head + "| 2 | 1/1 | Complete |\n| 3 | 0/1 | Planned |\n", "3", "", false},
		{"own was complete, an earlier one current", "2", head + "| 1 | 0/1 | In progress |\n| 2 | 1/1 | Complete |\n", "complete", head + "| 2 | 1/1 | Complete |\n| 3 | 0/1 | In progress |\n", false},
		{"all was complete", "2", head + "| 2 | 1/1 | Complete |\n", "complete", "", false},
		{"own in progress beside an earlier one", "2", head + "| 1 | 0/1 | In progress |\n| 2 | 0/1 | In progress |\n", "2", "", false},
		{"no phase yet", "2", "", "none", head + "| 3 | 0/1 | In progress |\n", true},
		{"no phase of it yet, nor of a later one", "2", "", "none", head + "| 1 | 0/1 | In progress |\n", false},
		{
			"numbers start again", "2", milestoneHead + "| 2 | v1.9 | 1/1 | Complete |\n| 5 | v1.9 | 1/5 | In progress |\n| 2 | v1.10 | 0/1 | Planned |\n", "5",
			milestoneHead + "| 5 | v1.9 | 5/5 | Complete |\n| 2 | v1.10 | 1/1 | Complete |\n", true,
		},
	} {
		own, then := number(c.own), parse(c.then)
		if got := CurrentPhase(then, own); got != c.record {
			t.Errorf("%s: %q is recorded, want %q", c.name, got, c.record)
		}
		if c.now == "" {
			c.now = c.then
		}
		if got := Advanced(parse(c.now), own, c.record).Advanced; got != c.want {
			t.Errorf("%s: advanced is %t", c.name, got)
		}
	}
	// What nobody wrote is as good as a later phase.
	now := parse(head + "| 2 | 1/1 | Complete |\n| 3 | 0/1 | In progress |\n")
	for _, record := range []string{"?", "-->", "complete", "99999999999999999999", "3"} {
		if Advanced(now, number("2"), record).Advanced {
			t.Errorf("recorded %q: advanced", record)
		}
	}
}

func TestCompareMilestones(t *testing.T) {
	order := []string{"", "alpha", "beta", "mvp", "0.9", "1", "1.9", "1.10", "2"}
	for i, a := range order {
		for j, b := range order {
			if got, want := compareMilestones(a, b), cmp.Compare(i, j); got != want {
				t.Errorf("%q and %q: %d, want %d", a, b, got, want)
			}
		}
	}
}

// The lines are right, so that a message can name ROADMAP.md:7.
func TestAdvancedLines(t *testing.T) {
	a := Advanced(parse("# Roadmap\n\n"+head+"| 1. A | 3/3 | Complete |\n| 2. B | 2/3 | In Progress |\n| 3. C | 0/1 | in progress |\n"), number("1"), "")
	if a.Own.Line != 5 || a.Own.Status != Complete {
		t.Errorf("own: %+v", a.Own)
	}
	if len(a.InProgress) != 2 || a.InProgress[0].Line != 6 || a.InProgress[1].Line != 7 || a.InProgress[1].Number.String() != "3" {
		t.Errorf("in progress: %+v", a.InProgress)
	}
	if a := Advanced(parse(""), number("1"), ""); a.Own != (Phase{}) {
		t.Errorf("an own phase that the roadmap does not have: %+v", a.Own)
	}
}
