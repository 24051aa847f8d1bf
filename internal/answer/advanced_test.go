package answer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

const (
	rows          = "| Phase | Plans Complete | Status |\n|---|---|---|\n"
	milestoneRows = "| Phase | Milestone | Plans Complete | Status |\n|---|---|---|---|\n"
)

// number parses a number; it returns zero for any other text.
func number(text string) planref.Number {
	n, _ := planref.ParseNumber(text)
	return n
}

func parse(src string) *roadmap.Roadmap { return roadmap.Parse([]byte(src), "") }

func TestAdvanced(t *testing.T) {
	for _, c := range []struct{ name, own, src, want string }{
		{"own in progress", "2", rows + "| 1 | 3/3 | Complete |\n| 2 | 1/3 | In progress |\n", ""},
		{"next in progress", "2", rows + "| 2 | 3/3 | Complete |\n| 3 | 0/3 | In Progress |\n", "advanced"},
		{"lagging", "3", rows + "| 2 | 3/3 | In Progress |\n| 3 | 0/3 | Not started |\n", "lagging"},
		{"nothing in progress", "1", rows + "| 1 | 3/3 | Complete |\n| 2 | 0/3 | Planned |\n", ""},
		{"before and after", "2", rows + "| 1 | 1/3 | In Progress |\n| 2 | 3/3 | Complete |\n| 3 | 1/3 | In Progress |\n", ""},
		{"parallel with own", "2", rows + "| 2 | 1/3 | In Progress |\n| 3 | 1/3 | In Progress |\n", ""},
		{"numbers, not text", "2.2", rows + "| 2.2 | 1/1 | Complete |\n| 2.10 | 0/1 | In Progress |\n", "advanced"},
		{"padding", "03", rows + "| 3. Name | 0/1 | In Progress |\n", ""},
		{"own not mentioned", "2", rows + "| 3 | 1/3 | In Progress |\n", "advanced"},
		{"own planned, the word counts", "2", rows + "| 2 | 0/3 | Planned |\n| 3 | 1/3 | In Progress |\n", "advanced"},
		{"plans left unticked prove nothing", "2", "- [x] Phase 2: A\n### Phase 2: A\n- [x] 02-01-PLAN.md\n- [ ] 02-02-PLAN.md\n\n" + rows + "| 3 | 1/3 | In Progress |\n", "advanced"},
		{"ticked box over a stale row of another", "1", "- [x] Phase 2: A\n" + rows + "| 1 | 1/1 | Complete |\n| 2 | 1/3 | In Progress |\n", ""},
		{"ticked box and a live row of its own", "1", "- [x] Phase 1: A\n" + rows + "| 1 | 1/3 | In Progress |\n| 2 | 1/3 | In Progress |\n", ""},
		{"counts of others are not words", "1", rows + "| 1 | 1/1 | Complete |\n| 2 | 1/3 | Planned |\n", ""},
		{"blocked is not in progress", "1", rows + "| 1 | 1/1 | Complete |\n| 2 | 1/3 | Blocked |\n", ""},
		{"heading", "1", "### Phase 1: A - COMPLETE\n### Phase 2: B - IN PROGRESS\n", "advanced"},
		{"status line", "1", "### Phase 1: A\n### Phase 2: B\n**Status:** in progress\n", "advanced"},
		{"numbers start again: a row left over", "2", milestoneRows +
			"| 1 | v1.0 | 1/1 | Complete |\n| 2 | v1.0 | 1/1 | Complete |\n| 5 | v1.0 | 1/5 | In Progress |\n| 1 | v2.0 | 1/1 | Complete |\n| 2 | v2.0 | 0/1 | Not started |\n", "lagging"},
		{"numbers start again: the last counts", "2", milestoneRows +
			"| 2 | v1.9 | 1/1 | Complete |\n| 3 | v1.9 | 1/1 | Complete |\n| 2 | v1.10 | 1/2 | In Progress |\n| 3 | v1.10 | 0/1 | In Progress |\n", ""},
		{"one phase under two names of its milestone", "5", "## v2 Next\n### Phase 5: A\n" + milestoneRows + "| 5 | v2.0.1 | 1/2 | In Progress |\n| 6 | v2.0.1 | 0/2 | In Progress |\n", ""},
		{"empty", "1", "", ""},
		{"no own", "", rows + "| 3 | 1/3 | In Progress |\n", ""},
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
		{"nothing changed", "2.1", rows + "| 2 | 1/1 | Complete |\n| 3 | 0/1 | In progress |\n", "3", "", false},
		{"a later phase still", "2.1", rows + "| 3 | 0/1 | In progress |\n", "3", rows + "| 4 | 0/1 | In progress |\n", false},
		{"the next phase", "2", rows + "| 2 | 0/1 | In progress |\n", "2", rows + "| 2 | 0/1 | Planned |\n| 3 | 0/1 | In progress |\n", true},
		{"the next phase, from an earlier one", "2", rows + "| 1 | 0/1 | In progress |\n", "1", rows + "| 3 | 0/1 | In progress |\n", true},
		{"own complete", "2", rows + "| 2 | 0/1 | Planned |\n", "2", rows + "| 2 | 1/1 | Complete |\n", true},
		{"own was complete, a later one current", "2", rows + "| 2 | 1/1 | Complete |\n| 3 | 0/1 | Planned |\n", "3", "", false},
		{"own was complete, an earlier one current", "2", rows + "| 1 | 0/1 | In progress |\n| 2 | 1/1 | Complete |\n", "complete", rows + "| 2 | 1/1 | Complete |\n| 3 | 0/1 | In progress |\n", false},
		{"all was complete", "2", rows + "| 2 | 1/1 | Complete |\n", "complete", "", false},
		{"own in progress beside an earlier one", "2", rows + "| 1 | 0/1 | In progress |\n| 2 | 0/1 | In progress |\n", "2", "", false},
		{"no phase yet", "2", "", "none", rows + "| 3 | 0/1 | In progress |\n", true},
		{"no phase of it yet, nor of a later one", "2", "", "none", rows + "| 1 | 0/1 | In progress |\n", false},
		{
			"numbers start again", "2", milestoneRows + "| 2 | v1.9 | 1/1 | Complete |\n| 5 | v1.9 | 1/5 | In progress |\n| 2 | v1.10 | 0/1 | Planned |\n", "5",
			milestoneRows + "| 5 | v1.9 | 5/5 | Complete |\n| 2 | v1.10 | 1/1 | Complete |\n", true,
		},
	} {
		own, then := number(c.own), parse(c.then)
		if got := RecordedPhase(then, own); got != c.record {
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
	now := parse(rows + "| 2 | 1/1 | Complete |\n| 3 | 0/1 | In progress |\n")
	for _, record := range []string{"?", "-->", "complete", "99999999999999999999", "3"} {
		if Advanced(now, number("2"), record).Advanced {
			t.Errorf("recorded %q: advanced", record)
		}
	}
}

// The lines are right, so that a message can name ROADMAP.md:7.
func TestAdvancedLines(t *testing.T) {
	a := Advanced(parse("# Roadmap\n\n"+rows+"| 1. A | 3/3 | Complete |\n| 2. B | 2/3 | In Progress |\n| 3. C | 0/1 | in progress |\n"), number("1"), "")
	if a.Own.Line != 5 || a.Own.Status != roadmap.Complete {
		t.Errorf("own: %+v", a.Own)
	}
	if len(a.InProgress) != 2 || a.InProgress[0].Line != 6 || a.InProgress[1].Line != 7 || a.InProgress[1].Number.String() != "3" {
		t.Errorf("in progress: %+v", a.InProgress)
	}
	if a := Advanced(parse(""), number("1"), ""); a.Own != (roadmap.Phase{}) {
		t.Errorf("an own phase that the roadmap does not have: %+v", a.Own)
	}
}

func TestAt(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"nothing", "", ""},
		{"the first in progress", rows + "| 1 | 0/1 | Planned |\n| 2 | 0/1 | In progress |\n| 3 | 0/1 | In progress |\n", "2@4"},
		{"partly done", rows + "| 1 | 0/1 | Planned |\n| 2 | 1/2 | Planned |\n", "2@4"},
		{"the first to come", rows + "| 1 | 1/1 | Complete |\n| 2 | 0/1 | Deferred |\n| 3 | | |\n| 4 | 0/1 | Planned |\n", "3@5"},
		{"all done", rows + "| 1 | 1/1 | Complete |\n| 2 | 0/1 | Deferred |\n", ""},
		{"all plans done, not called complete", rows + "| 1 | 2/2 | Planned |\n| 2 | 0/1 | Planned |\n", "2@4"},
		{"in progress, but all plans done", rows + "| 1 | 2/2 | In progress |\n| 2 | 0/1 | Planned |\n", "2@4"},
		{"in progress, all plans done, and nothing else", rows + "| 1 | 2/2 | In progress |\n| 2 | 1/1 | Complete |\n", "1@3"},
		{"of the milestone under way", "## v1 A\n- [ ] Phase 1: A\n## 🚧 v2 B\n- [ ] Phase 2: B\n## v3 C\n- [ ] Phase 3: C\n", "2@4"},
		{"of the first milestone with an open phase", "## v1 A\n- [x] Phase 1: A\n## v2 B\n- [x] Phase 2: B\n- [ ] Phase 3: B\n## v3 C\n- [~] Phase 4: C (in progress)\n", "3@5"},
		{"of the first milestone", "## v1 A\n- [ ] Phase 1: A\n## v2 B\n- [ ] Phase 2: B\n", "1@2"},
		{"not of a shipped one", "## ✅ v1 A\n" + rows + "| 1 | 1/2 | In progress |\n\n## v2 B\n- [ ] Phase 2: B\n", "2@7"},
		{"folded, but under way", "<details>\n<summary>v1 A — ACTIVE</summary>\n- [ ] Phase 1: A\n</details>\n", "1@3"},
		{"backlog is for later", "- [ ] Phase 999.1: A\n- [ ] Phase 1000: B\n", "1000@2"},
		{"nothing but backlog", "- [x] Phase 1: B\n- [ ] Phase 999.1: A\n", ""},
		{"backlog is never current", "- [x] Phase 1: B\n- [ ] Phase 999.1: A (in progress)\n- [ ] Phase 0.1: C (in progress)\n", ""},
		{"all shipped, and a row forgotten", "## ✅ v1 A\n" + rows + "| 1 | 1/2 | In progress |\n", ""},
		{"the last word counts", "- [x] Phase 1: A\n" + rows + "| 1 | 2/3 | In progress |\n", "1@4"},
	} {
		r := parse(c.src)
		got := ""
		if at := phases(r.Phases()).at(r.Scope(roadmap.Join(&roadmap.Disk{}, r))); at >= 0 {
			got = fmt.Sprintf("%s@%d", r.Phases()[at].Number, r.Phases()[at].Line)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// FuzzAdvanced: a session is never stale as soon as it is started.
func FuzzAdvanced(f *testing.F) {
	for _, s := range []string{
		rows + "| 1 | 3/3 | Complete |\n| 2 | 1/3 | In progress |\n| 3 | 0/3 | In progress |\n",
		"- [x] **Phase 2.1: B** (1/2 plans)\n- [ ] 02.1-03-PLAN.md\n- [~] Phase 7 (v3): x\n## Phase 999.1: Later\n",
		"# v1.0\n- [x] Phase 1: A\n# v02\n- [ ] Phase 1: A\n# v2\n- [ ] Phase 01: A (in progress)\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		r := roadmap.Parse(src, "")
		all := phases(r.Phases())
		for _, ph := range all[:min(len(all), 20)] {
			if a := Advanced(r, ph.Number, ""); a.Advanced && a.Lagging || (a.Advanced || a.Lagging) && len(a.InProgress) == 0 {
				t.Fatalf("%+v", a)
			}
			if since := RecordedPhase(r, ph.Number); Advanced(r, ph.Number, since).Advanced {
				t.Fatalf("%s has advanced as soon as %q is recorded", ph.Number, since)
			}
		}
		if at := all.at(r.Scope(roadmap.Join(&roadmap.Disk{}, r))); at >= 0 && all[at].Status == roadmap.Complete {
			t.Fatalf("it is at %+v of %+v", all[at], all)
		}
	})
}
