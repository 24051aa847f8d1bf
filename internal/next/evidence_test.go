package next

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/roadmap"
	"github.com/gsd-cli/gsd/internal/testenv"
)

// commitOf makes a commit with a subject and changes: `+path`, `~path`, `-path`. Its id is the first word of the
// subject.
func commitOf(subject string, changes ...string) evidence.Commit {
	id, _, _ := strings.Cut(subject, " ")
	o := &objects{}
	for _, text := range changes {
		if !strings.HasPrefix(text[1:], ".planning/") {
			o.outside = true
			continue
		}
		o.changes = append(o.changes, gitlog.Change{Path: text[1:], Kind: map[byte]gitlog.Kind{'+': gitlog.Added, '~': gitlog.Modified, '-': gitlog.Removed}[text[0]]})
	}
	return evidence.Commit{ID: id, Subject: subject, Objects: o}
}

// objects implements evidence.Objects for one commit.
type objects struct {
	changes []gitlog.Change
	lacks   []string
	asked   *int // number of calls of Changes
	outside bool // it changed something else
	foreign bool
	merge   bool
}

func (o *objects) Merge() bool { return o.merge }
func (*objects) Body() string  { return "" }

func (o *objects) Changes() ([]gitlog.Change, error) {
	if o.asked != nil {
		*o.asked++
	}
	return o.changes, nil
}

func (o *objects) Outside() (changed, foreign bool, err error) { return o.outside, o.foreign, nil }

func (*objects) Files() ([]string, error) { return nil, nil }

func (o *objects) Version(file string) (string, error) {
	if slices.Contains(o.lacks, file) {
		return "", nil
	}
	return "v", nil
}

func logOf(commits ...evidence.Commit) iter.Seq[*evidence.Commit] {
	return func(yield func(*evidence.Commit) bool) {
		for _, c := range commits {
			if !yield(&c) {
				return
			}
		}
	}
}

// workText formats the work on plans, in the order of ids: `03-01:2@0` means two commits, and none newer than the last;
// a `c` at the end means that one closed the plan.
func workText(ev Evidence, d *roadmap.Disk) string {
	var all []string
	for _, dir := range d.Phases {
		for _, p := range dir.Plans {
			if w := ev.Work[p.Path]; w != nil {
				text := fmt.Sprintf("%s:%d@%d", p.Label(), w.Commits, w.Age)
				if w.Closed {
					text += "c"
				}
				all = append(all, text)
			}
		}
	}
	return strings.Join(all, " ")
}

const at3 = ".planning/phases/03-auth/"

func TestGatherWork(t *testing.T) {
	d := roadmap.ScanPhases(listing(slices.Concat(
		below(at3, "03-01-PLAN.md 03-02-PLAN.md 03-03-PLAN.md 03-03-SUMMARY.md"),
		below(".planning/phases", "04-ui/04-01-PLAN.md 05-gc/PLAN.md 2.1-x/01-PLAN.md loose/07-01-PLAN.md"),
		below(".planning/milestones/v1-phases", "09-old/09-01-PLAN.md"))...), ".planning")
	not := func(c evidence.Commit, missing ...string) evidence.Commit {
		c.Objects.(*objects).lacks = missing
		return c
	}
	merge := func(c evidence.Commit) evidence.Commit {
		c.Objects.(*objects).merge = true
		return c
	}
	foreign := func(c evidence.Commit) evidence.Commit {
		c.Objects.(*objects).foreign = true
		return c
	}
	for _, c := range []struct {
		name string
		log  []evidence.Commit
		want string
	}{
		{"one", []evidence.Commit{commitOf("feat(03-01): x")}, "03-01:1@0"},
		{"several", []evidence.Commit{commitOf("chore: x"), commitOf("feat(03-02): x"), commitOf("test(3-2): y"), commitOf("feat(03-01): z")}, "03-01:1@3 03-02:2@1"},
		{"two in one", []evidence.Commit{commitOf("execute plans 3-1, 3-2")}, "03-01:1@0 03-02:1@0"},
		{"no such plan", []evidence.Commit{commitOf("feat(03-09): x"), commitOf("feat(13-01): x")}, ""},
		{"a done plan", []evidence.Commit{commitOf("feat(03-03): x")}, ""},
		{"an archived plan", []evidence.Commit{commitOf("feat(09-01): x")}, ""},
		{"a plan named by its number alone", []evidence.Commit{commitOf("feat(02.1-01): x")}, "02.1-01:1@0"},
		{"in a directory without number", []evidence.Commit{commitOf("feat(07-01): x")}, "07-01:1@0"},
		{"a bare plan has no number to name", []evidence.Commit{commitOf("feat(05-01): x"), commitOf("feat(05): x")}, ""},
		{"closed", []evidence.Commit{commitOf("docs(03-01): complete login plan"), commitOf("feat(03-01): x")}, "03-01:2@0c"},
		{"closed is the one in the scope", []evidence.Commit{commitOf("docs(03-01): complete login plan, next is 03-02")}, "03-01:1@0c"},
		{"closed, and worked on again", []evidence.Commit{commitOf("fix(03-01): x"), commitOf("docs(03-01): complete login plan")}, "03-01:2@0c"},
		{"planning", []evidence.Commit{commitOf("docs(03-01): plan it", "+"+at3+"03-01-PLAN.md")}, ""},
		{"planning again", []evidence.Commit{commitOf("docs(03-01): revise", "~"+at3+"03-01-PLAN.md", "+src/x")}, ""},
		{"planning another", []evidence.Commit{commitOf("feat(03-01): x", "~"+at3+"03-02-PLAN.md")}, "03-01:1@0"},
		{"before the plan was there", []evidence.Commit{not(commitOf("feat(03-01): x"), at3+"03-01-PLAN.md")}, ""},
		{"before one of two was there", []evidence.Commit{not(commitOf("execute 03-01 and 03-02"), at3+"03-01-PLAN.md")}, "03-02:1@0"},
		{"a sibling project's", []evidence.Commit{foreign(commitOf("feat(03-01): x")), foreign(commitOf("feat(03-02): y", "~.planning/STATE.md"))}, "03-02:1@1"},
		{"an old one of the number", []evidence.Commit{commitOf("feat(03-01): new"), not(commitOf("feat(03-01): old"), at3+"03-01-PLAN.md")}, "03-01:1@0"},
		{"reverted", []evidence.Commit{commitOf(`Revert "feat(03-01): x"`), commitOf("feat(03-01): x"), commitOf("feat(03-02): y")}, "03-02:1@2"},
		{"one of two reverted", []evidence.Commit{commitOf(`Revert "feat(03-01): x"`), commitOf("feat(03-01): x"), commitOf("feat(03-01): x")}, "03-01:1@2"},
		{"the revert reverted", []evidence.Commit{commitOf(`Reapply "feat(03-01): x"`), commitOf(`Revert "feat(03-01): x"`), commitOf("feat(03-01): x")}, "03-01:1@2"},
		{"a merge", []evidence.Commit{merge(commitOf("feat(03-02): merged", "+"+at3+"03-02-SUMMARY.md")), commitOf("feat(03-01): x")}, "03-01:1@1"},
		{"none", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			ev := Gather(logOf(c.log...), d)
			if got := workText(ev, d); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if ev.Seen != len(c.log) {
				t.Errorf("%d commits seen of %d", ev.Seen, len(c.log))
			}
		})
	}
}

// Documents about a plan do not begin it, whatever the type of their commit.
// TestGatherWords: a commit counts for the plan that its scope calls by a word, and for no other one of the phase.
func TestGatherWords(t *testing.T) {
	d := roadmap.ScanPhases(listing(below(at3, "03-01-PLAN.md 03-02-auth-PLAN.md 03-02-db-PLAN.md 03-fix-PLAN.md 03-fix-more-PLAN.md")...), ".planning")
	for subject, want := range map[string]string{
		"fix(03-fix): x": "03-fix", "fix(3-FIX-more): x": "03-fix-more", "feat(03-02-db): x": "03-02-db", "feat(03-02-auth, 03-01): x": "03-01 03-02-auth",
		"feat(app): 03-fix-more x": "03-fix-more", "feat(03-01-fix): x": "03-01",
		"feat(03-02): x": "03-02-auth 03-02-db", "feat(03): x": "", "feat(03-auth): x": "", "feat(03-fix-it): x": "",
	} {
		ev := Gather(logOf(commitOf(subject)), d)
		var got []string
		for _, p := range d.Open() {
			if ev.Work[p.Path] != nil {
				got = append(got, p.ID)
			}
		}
		slices.Sort(got)
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s is work on %q, want %q", subject, s, want)
		}
	}
}

func TestGatherBegun(t *testing.T) {
	d := roadmap.ScanPhases(listing(below(at3, "03-01-PLAN.md")...), ".planning")
	for subject, want := range map[string]bool{
		"feat(03-01): x": true, "03-01: x": true, "fix(03-01): x": true,
		"docs(03-01): research": false, "chore(03-01): update state": false, "wip(03-01): paused": false,
	} {
		alone, with, without := commitOf(subject, "~.planning/STATE.md"), commitOf(subject, "~.planning/STATE.md", "~src/x"), commitOf(subject)
		if w := Gather(logOf(with), d).Work[at3+"03-01-PLAN.md"]; w == nil || w.Begun != want {
			t.Errorf("%s, with documents: %+v", subject, w)
		}
		if w := Gather(logOf(alone), d).Work[at3+"03-01-PLAN.md"]; w == nil || w.Begun {
			t.Errorf("%s, documents alone: %+v", subject, w)
		}
		if w := Gather(logOf(without, with), d).Work[at3+"03-01-PLAN.md"]; w == nil || !w.Begun {
			t.Errorf("%s, without documents: %+v", subject, w)
		}
	}
}

func TestGatherActive(t *testing.T) {
	d := roadmap.ScanPhases(listing(slices.Concat(
		below(at3, "03-01-PLAN.md 03-02-PLAN.md"),
		below(".planning/phases", "04-ui/04-01-PLAN.md 04-ui/04-01-SUMMARY.md 05-gc/plans/PLAN-01.md 06-x/06-01-PLAN.md 07-y/PLAN.md"))...), ".planning")
	p := ".planning/phases/"
	for _, c := range []struct {
		name   string
		log    []evidence.Commit
		active string
		by     string
	}{
		{"plan", []evidence.Commit{commitOf("a", "+"+p+"04-ui/04-01-PLAN.md")}, "4", "a"},
		{"plan changed", []evidence.Commit{commitOf("a", "~"+p+"04-ui/04-01-PLAN.md")}, "4", "a"},
		{"summary", []evidence.Commit{commitOf("a", "+"+p+"04-ui/04-01-SUMMARY.md")}, "4", "a"},
		{"bare plan", []evidence.Commit{commitOf("a", "+"+p+"07-y/PLAN.md")}, "7", "a"},
		{"bare summary", []evidence.Commit{commitOf("a", "+"+p+"07-y/SUMMARY.md")}, "7", "a"},
		{"nested summary", []evidence.Commit{commitOf("a", "+"+p+"05-gc/plans/SUMMARY-01.md")}, "5", "a"},
		{"newest", []evidence.Commit{commitOf("a", "+src/x"), commitOf("b", "~"+p+"03-auth/03-01-PLAN.md"), commitOf("c", "+"+p+"04-ui/04-01-SUMMARY.md")}, "3", "b"},
		{"subject", []evidence.Commit{commitOf("a: x", "~src/x"), commitOf("b feat(06-01): x")}, "6", "b"},
		{"subject of a phase that is gone", []evidence.Commit{commitOf("a feat(13-01): x"), commitOf("b feat(06-01): x")}, "6", "b"},
		{"subject of a done plan", []evidence.Commit{commitOf("a fix(04-01): x")}, "4", "a"},
		{"subject of a plan that is not there", []evidence.Commit{commitOf("a fix(04-09): x")}, "4", "a"},
		{"changes before subject", []evidence.Commit{commitOf("a feat(06-01): x", "+"+p+"04-ui/04-01-SUMMARY.md")}, "4", "a"},
		{"loose plan", []evidence.Commit{commitOf("a", "+"+p+"06-02-PLAN.md")}, "6", "a"},
		{"in a directory without number", []evidence.Commit{commitOf("a", "+"+p+"setup/06-02-PLAN.md")}, "6", "a"},
		{"named by its plan's number alone", []evidence.Commit{commitOf("a", "+"+p+"05-gc/06-PLAN.md")}, "5", "a"},
		{"removed", []evidence.Commit{commitOf("a", "-"+p+"03-auth/03-01-PLAN.md"), commitOf("b", "+"+p+"04-ui/04-01-PLAN.md")}, "4", "b"},
		{"other files", []evidence.Commit{commitOf("a", "+"+p+"03-auth/03-CONTEXT.md", "+.planning/STATE.md", "+"+p+"03-auth/03-01-PLAN.md.bak")}, "", ""},
		{"archive", []evidence.Commit{commitOf("a", "+.planning/milestones/v1-phases/03-x/03-01-PLAN.md")}, "", ""},
		{"another root", []evidence.Commit{commitOf("a", "+.planning/workstreams/api/phases/03-x/03-01-PLAN.md")}, "", ""},
		{"three phases", []evidence.Commit{commitOf("a", "+"+p+"03-auth/03-01-PLAN.md", "+"+p+"04-ui/04-01-PLAN.md", "+"+p+"06-x/06-01-PLAN.md")}, "3", "a"},
		{"none", nil, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			ev := Gather(logOf(c.log...), d)
			if ev.Active.String() != c.active || ev.By.ID != c.by {
				t.Errorf("phase %q by %q, want %q by %q", ev.Active, ev.By.ID, c.active, c.by)
			}
		})
	}
}

// Gather stops at its limit, when nothing is left to learn, or after a hundred commits with twenty about plans; and it
// reads no changes that it does not need.
func TestGatherStops(t *testing.T) {
	open := roadmap.ScanPhases(listing(at3+"03-01-PLAN.md"), ".planning")
	done := roadmap.ScanPhases(listing(at3+"03-01-PLAN.md", at3+"03-01-SUMMARY.md"), ".planning")
	for _, c := range []struct {
		name        string
		disk        *roadmap.Disk
		active      int // the commit that determines the active phase
		about, from int // how many name a plan, and the first of them
		want        int
	}{
		{"open plans: up to the limit", open, 5, 0, 0, mostCommits},
		{"the active phase is never found", open, mostCommits, 0, 0, mostCommits},
		{"all done: until a phase is found", done, 5, 0, 0, 6},
		{"enough", open, mostCommits, enoughAbout, 0, enoughCommits},
		{"too few", open, mostCommits, enoughAbout - 1, 0, mostCommits},
		{"enough, later", open, mostCommits, enoughAbout, enoughCommits + 1 - enoughAbout, enoughCommits + 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			given, asked := 0, 0
			ev := Gather(func(yield func(*evidence.Commit) bool) {
				for i := range 2 * mostCommits {
					given++
					commit := commitOf(fmt.Sprint("x", i))
					if i >= c.from && i < c.from+c.about {
						commit = commitOf("fix(09-01): y")
					}
					if i == c.active {
						commit = commitOf("y", "~"+at3+"03-01-PLAN.md")
					}
					commit.Objects.(*objects).asked = &asked
					if !yield(&commit) {
						return
					}
				}
			}, c.disk)
			if given != c.want || ev.Seen != c.want || asked != min(c.active+1, c.want) || ev.Active.IsZero() != (c.active >= c.want) {
				t.Errorf("%d given, %d seen, %d asked for changes, phase %s", given, ev.Seen, asked, ev.Active)
			}
			if c.from > 0 && ev.Newest.Subject != "x0" {
				t.Errorf("the newest is %q", ev.Newest.Subject)
			}
		})
	}
}

// For any commits, only open plans have work, and no more than there are commits; older commits only add work; and the
// order of a listing does not matter.
func TestGatherLaws(t *testing.T) {
	files := slices.Concat(
		below(at3, "03-01-PLAN.md 03-02-PLAN.md 03-03-PLAN.md 03-03-SUMMARY.md"),
		below(".planning/phases", "04-ui/04-01-PLAN.md 3A-x/3A-01-PLAN.md loose/03-02-PLAN.md"))
	draw := rapid.Custom(func(t *rapid.T) evidence.Commit {
		subject := rapid.SampledFrom([]string{
			"x", "feat(03-01): x", "execute 3-1, 3-2", "docs(03-02): complete it", "feat(04-01): y", "3a-01", "feat(03-03): z", "2026-03-01", "03-02 04-01",
		}).Draw(t, "subject")
		var changes []string
		for _, file := range rapid.SliceOfN(rapid.SampledFrom(files), 0, 3).Draw(t, "files") {
			changes = append(changes, rapid.SampledFrom([]string{"+", "~", "-"}).Draw(t, "kind")+file)
		}
		c := commitOf(subject, changes...)
		if gone := rapid.SampledFrom(files).Draw(t, "gone"); rapid.Bool().Draw(t, "some") {
			c.Objects.(*objects).lacks = []string{gone}
		}
		return c
	})
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		d := roadmap.ScanPhases(listing(files...), ".planning")
		log := rapid.SliceOfN(draw, 0, 12).Draw(t, "log")
		for i := range log {
			log[i].ID, log[i].When = fmt.Sprint(i), time.Unix(int64(-i), 0)
		}
		ev := Gather(logOf(log...), d)
		open := map[string]bool{}
		for _, p := range d.Open() {
			open[p.Path] = true
		}
		for plan, w := range ev.Work {
			if !open[plan] || w.Commits < 1 || w.Commits+w.Age > len(log) || w.Last.ID != fmt.Sprint(w.Age) {
				t.Fatalf("%s: %+v of %d commits", plan, w, len(log))
			}
		}
		newer := Gather(logOf(log[:rapid.IntRange(0, len(log)).Draw(t, "newer")]...), d)
		if !newer.Active.IsZero() && (newer.Active != ev.Active || newer.By.ID != ev.By.ID) {
			t.Fatalf("older commits make phase %s out of %s", ev.Active, newer.Active)
		}
		for plan, w := range newer.Work {
			if all := ev.Work[plan]; all == nil || all.Commits < w.Commits || all.Age != w.Age || w.Closed && !all.Closed {
				t.Fatalf("%s: %+v became %+v", plan, w, all)
			}
		}
		shuffled := roadmap.ScanPhases(listing(rapid.Permutation(files).Draw(t, "shuffled")...), ".planning")
		if got, want := workText(Gather(logOf(log...), shuffled), shuffled), workText(ev, d); got != want {
			t.Fatalf("another order of names: %s, before %s", got, want)
		}
	})
}

// What another workstream completed is its own.
func TestGatherEndsElsewhere(t *testing.T) {
	d := roadmap.ScanPhases(listing(".planning/phases/02-a/02-01-PLAN.md"), ".planning")
	for subject, changes := range map[string]string{"docs(phase-02): complete phase": "~.planning/workstreams/beta/ROADMAP.md", "chore: archive v1.0 milestone": "+.planning/workstreams/beta/phases/01-x/01-01-SUMMARY.md"} {
		if ev := Gather(logOf(commitOf(subject, changes)), d); len(ev.Ends) > 0 || ev.Shipped != nil {
			t.Errorf("%q of a workstream: %+v, %+v", subject, ev.Ends, ev.Shipped)
		}
		if ev := Gather(logOf(commitOf(subject, "~.planning/ROADMAP.md")), d); len(ev.Ends) == 0 && ev.Shipped == nil {
			t.Errorf("%q is not seen", subject)
		}
	}
}
