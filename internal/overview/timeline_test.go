package overview

import (
	"fmt"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/roadmap"
	"github.com/gsd-cli/gsd/internal/testenv"
)

// commitOf makes a commit with a subject and changes: `+path`, `~path`, `-path`. It is a merge if its subject says so.
func commitOf(subject string, changes ...string) evidence.Commit {
	o := &objects{merge: strings.HasPrefix(subject, "merge: ")}
	for _, text := range changes {
		o.changes = append(o.changes, gitlog.Change{Path: text[1:], Kind: map[byte]gitlog.Kind{'+': gitlog.Added, '~': gitlog.Modified, '-': gitlog.Removed}[text[0]]})
	}
	return evidence.Commit{Subject: subject, Objects: o}
}

// objects implements evidence.Objects for one commit.
type objects struct {
	changes []gitlog.Change
	merge   bool
}

func (o *objects) Merge() bool                               { return o.merge }
func (*objects) Body() string                                { return "" }
func (o *objects) Changes() ([]gitlog.Change, error)         { return o.changes, nil }
func (*objects) Outside() (changed, foreign bool, err error) { return false, false, nil }
func (*objects) Files() ([]string, error)                    { return nil, nil }
func (*objects) Version(string) (string, error)              { return "v", nil }

func logOf(commits ...evidence.Commit) iter.Seq[*evidence.Commit] {
	return func(yield func(*evidence.Commit) bool) {
		for _, c := range commits {
			if !yield(&c) {
				return
			}
		}
	}
}

// below returns the paths of names in a directory.
func below(dir, names string) (files []string) {
	for name := range strings.FieldsSeq(names) {
		files = append(files, path.Join(dir, name))
	}
	return files
}

// scan finds the phases of a project with these files.
func scan(files ...string) *roadmap.Disk {
	all := fstest.MapFS{}
	for _, file := range files {
		all[file] = &fstest.MapFile{}
	}
	return roadmap.ScanPhases(func(dir string) (names []string) {
		entries, _ := fs.ReadDir(all, dir)
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}, ".planning")
}

// history dates n commits: the newest, which comes first, is of day n.
func history(commits ...evidence.Commit) []evidence.Commit {
	for i := range commits {
		commits[i].When = day(len(commits) - i)
	}
	return commits
}

func day(n int) time.Time { return time.Date(2026, 3, n, 12, 0, 0, 0, time.UTC) }

// spanText formats a span: `phases/03-a/03-01 2-5 x3 done 5` is a plan with three commits from day 2 to day 5, finished
// on day 5.
func spanText(s *Span) string {
	text := fmt.Sprintf("%s %d-%d x%d", strings.TrimSuffix(strings.TrimPrefix(s.Plan.Path, ".planning/"), "-PLAN.md"), s.First.Day(), s.Last.Day(), s.Commits)
	if !s.Finished.IsZero() {
		text += fmt.Sprintf(" done %d", s.Finished.Day())
	}
	return text
}

func TestTimeline(t *testing.T) {
	const (
		p    = ".planning/phases/"
		v1   = ".planning/milestones/v1-phases/"
		plan = p + "03-a/03-01-PLAN.md"
		sum  = p + "03-a/03-01-SUMMARY.md"
	)
	for _, c := range []struct {
		name, files string // below .planning
		log         []evidence.Commit
		want        []string
	}{
		{
			name: "a summary by its prefix", files: "phases/03-a/03-01-mail-PLAN.md phases/03-a/03-01-SUMMARY.md",
			log:  history(commitOf("docs: end", "+"+sum)),
			want: []string{"phases/03-a/03-01-mail 1-1 x1 done 1"},
		},
		{
			name: "a summary while another plan goes", files: "phases/03-a/03-01-PLAN.md phases/03-a/03-01-SUMMARY.md",
			log:  history(commitOf("docs: end, drop the second", "-"+p+"03-a/03-02-PLAN.md", "+"+sum), commitOf("docs: plan", "+"+plan)),
			want: []string{"phases/03-a/03-01 2-2 x1 done 2"},
		},
		{
			name: "a merge brings what was committed before", files: "phases/03-a/03-01-PLAN.md phases/03-a/03-01-SUMMARY.md",
			log: history(
				commitOf("merge: feat(03-01): the branch", "+"+plan, "+"+sum), commitOf("docs(03-01): complete", "+"+sum), commitOf("feat(03-01): x"), commitOf("docs: plan", "+"+plan),
			),
			want: []string{"phases/03-a/03-01 2-3 x2 done 3"},
		},
		{
			name: "moved twice", files: "milestones/v1-phases/03-a/03-01-PLAN.md milestones/v1-phases/03-a/03-01-SUMMARY.md",
			log: history(
				commitOf("archive", "+"+v1+"03-a/03-01-PLAN.md", "-"+p+"03-b/03-01-PLAN.md"),
				commitOf("rename", "-"+plan, "+"+p+"03-b/03-01-PLAN.md"),
				commitOf("plan", "+"+plan),
			),
			want: []string{"milestones/v1-phases/03-a/03-01 1-1 x1"},
		},
		{
			name: "phases numbered again", files: "phases/02-a/02-01-PLAN.md phases/02-a/02-01-SUMMARY.md phases/03/03-01-PLAN.md",
			log: history(
				commitOf("renumber", "-"+plan, "-"+sum, "+"+p+"02-a/02-01-PLAN.md", "+"+p+"02-a/02-01-SUMMARY.md", "-"+p+"04/04-01-PLAN.md", "+"+p+"03/03-01-PLAN.md"),
				commitOf("docs(03-01): complete", "+"+sum), commitOf("feat(04-01): of another phase without a name"),
				commitOf("plan", "+"+plan, "+"+p+"04/04-01-PLAN.md"),
			),
			want: []string{"phases/02-a/02-01 3-3 x1 done 3"},
		},
		{
			name: "bare plans moved together", files: "milestones/v1-phases/01-a/PLAN.md milestones/v1-phases/01-a/SUMMARY.md milestones/v1-phases/02-b/PLAN.md milestones/v1-phases/02-b/SUMMARY.md",
			log: history(
				commitOf("archive", "+"+v1+"01-a/PLAN.md", "+"+v1+"02-b/PLAN.md", "-"+p+"01-a/PLAN.md", "-"+p+"02-b/PLAN.md"),
				commitOf("two", "~"+p+"02-b/PLAN.md"), commitOf("two", "+"+p+"02-b/PLAN.md"), commitOf("one", "+"+p+"01-a/PLAN.md"),
			),
			want: []string{"milestones/v1-phases/01-a/PLAN.md 1-1 x1", "milestones/v1-phases/02-b/PLAN.md 2-3 x2"},
		},
		{
			name: "numbers that start again", files: "milestones/v1-phases/03-a/03-01-PLAN.md phases/03-b/03-01-PLAN.md",
			log: history(
				commitOf("feat(03-01): new"), commitOf("plan the new", "+"+p+"03-b/03-01-PLAN.md"),
				commitOf("archive", "+"+v1+"03-a/03-01-PLAN.md", "-"+plan),
				commitOf("feat(03-01): old"), commitOf("plan the old", "+"+plan),
			),
			want: []string{"milestones/v1-phases/03-a/03-01 2-2 x1", "phases/03-b/03-01 5-5 x1"},
		},
		{
			name: "a summary while another is archived", files: "phases/04-b/SUMMARY.md phases/04-b/PLAN.md milestones/v1-phases/03-a/PLAN.md milestones/v1-phases/03-a/SUMMARY.md",
			log: history(
				commitOf("end and archive", "+"+p+"04-b/SUMMARY.md", "+"+v1+"03-a/PLAN.md", "+"+v1+"03-a/SUMMARY.md", "-"+p+"03-a/PLAN.md", "-"+p+"03-a/SUMMARY.md"),
				commitOf("plans", "+"+p+"04-b/PLAN.md", "+"+p+"03-a/PLAN.md", "+"+p+"03-a/SUMMARY.md"),
			),
			want: []string{"milestones/v1-phases/03-a/PLAN.md 1-1 x1 done 1", "phases/04-b/PLAN.md 2-2 x1 done 2"},
		},
		{
			name: "a summary that has the plan's number with its phase's", files: "phases/05-gc/01-PLAN.md phases/05-gc/05-01-SUMMARY.md",
			log:  history(commitOf("end", "+"+p+"05-gc/05-01-SUMMARY.md"), commitOf("plan", "+"+p+"05-gc/01-PLAN.md")),
			want: []string{"phases/05-gc/01 2-2 x1 done 2"},
		},
		{
			name: "added after its work", files: "phases/03-a/03-01-PLAN.md",
			log:  history(commitOf("feat(03-01): c"), commitOf("plan", "+"+plan), commitOf("chore"), commitOf("feat(03-01): b"), commitOf("feat: a for 03-01"), commitOf("feat(03-01): a")),
			want: []string{"phases/03-a/03-01 1-6 x4"},
		},
		{
			name: "an earlier plan of its id", files: "phases/03-a/03-01-PLAN.md",
			log: history(
				commitOf("feat(03-01): b"), commitOf("plan", "+"+plan), commitOf("archive", "-"+p+"03-old/03-01-PLAN.md", "-"+p+"03-old/03-01-SUMMARY.md"),
				commitOf("docs(03-01): complete it", "+"+p+"03-old/03-01-SUMMARY.md"), commitOf("feat(03-01): of another"),
			),
			want: []string{"phases/03-a/03-01 5-5 x1"},
		},
		{
			name: "work on the plan that was there before", files: "phases/03-a/03-01-PLAN.md",
			log:  history(commitOf("feat(03-01): x"), commitOf("plan", "+"+plan), commitOf("feat(03-01): of another"), commitOf("drop", "-"+plan), commitOf("plan another", "+"+plan)),
			want: []string{"phases/03-a/03-01 3-5 x2"},
		},
		{
			name: "many edited at once are a reformatting", files: "phases/03-a/03-01-PLAN.md phases/03-a/03-01-SUMMARY.md",
			log: history(
				commitOf("format", append(slices.Repeat([]string{"~" + p + "03-a/03-02-PLAN.md"}, manyEdits), "~"+plan)...),
				commitOf("edit", append(slices.Repeat([]string{"~" + p + "03-a/03-02-PLAN.md"}, manyEdits-1), "~"+plan)...), commitOf("plan", "+"+plan),
			),
			want: []string{"phases/03-a/03-01 1-2 x2"},
		},
		{
			name: "written long before its work", files: "phases/03-a/03-01-PLAN.md phases/03-a/03-02-PLAN.md phases/03-a/03-03-PLAN.md",
			log: history(
				commitOf("docs(03-02): say more", "~"+p+"03-a/03-02-PLAN.md"), commitOf("feat(03-02): with its plan", "~"+p+"03-a/03-02-PLAN.md"),
				commitOf("docs(03-01): explain it", "~src/x"), commitOf("feat(03-01): x"), commitOf("chore: else"),
				commitOf("docs(03): plan the phase", "+"+plan, "+"+p+"03-a/03-02-PLAN.md", "+"+p+"03-a/03-03-PLAN.md"),
			),
			want: []string{"phases/03-a/03-01 3-4 x2", "phases/03-a/03-02 5-5 x1"},
		},
		{
			name: "written by a commit without a type that names it", files: "phases/03-a/03-01-PLAN.md",
			log:  history(commitOf("feat(03-01): x"), commitOf("chore: else"), commitOf("Plan 03-01: the mail", "+"+plan)),
			want: []string{"phases/03-a/03-01 3-3 x1"},
		},
		{
			name: "dates out of order", files: "phases/03-a/03-01-PLAN.md",
			log: []evidence.Commit{
				{When: day(3), Subject: "feat(03-01): c", Objects: &objects{}},
				{When: day(9), Subject: "feat(03-01): b", Objects: &objects{}},
				{When: day(5), Subject: "feat(03-01): a", Objects: &objects{}},
			},
			want: []string{"phases/03-a/03-01 3-9 x3"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, s := range Timeline(logOf(c.log...), scan(below(".planning", c.files)...)) {
				got = append(got, spanText(s))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

func TestTimelineStops(t *testing.T) {
	n := 0
	Timeline(func(yield func(*evidence.Commit) bool) {
		for n < 2*maxTimeline {
			if n++; !yield(&evidence.Commit{Subject: "x", Objects: &objects{}}) {
				return
			}
		}
	}, &roadmap.Disk{})
	if n != maxTimeline {
		t.Errorf("%d commits were read", n)
	}
}

// The test generates a history of plans that are written, worked on, finished and archived, and records the spans.
// Timeline, which reads the history backwards, must find the same ones.
func TestTimelineLaws(t *testing.T) {
	type truth struct{ first, last, commits, finished int }
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		var log []evidence.Commit
		files := map[string]bool{}
		plans := map[string]*truth{} // by their current paths
		add := func(subject string, about string, changes ...string) {
			c := commitOf(subject, changes...)
			c.When = day(len(log) + 1)
			log = append(log, c)
			for _, change := range changes {
				files[change[1:]] = change[0] != '-'
			}
			if w := plans[about]; w != nil {
				w.commits, w.last = w.commits+1, len(log)
				if w.first == 0 {
					w.first = len(log)
				}
			}
		}
		steps := rapid.IntRange(1, 25).Draw(t, "steps")
		for range steps {
			// Each plan has its own number: only the files could distinguish plans with the same one.
			id := rapid.SampledFrom([]string{"01-01", "01-02", "02-01", "3A-01", "02.1-07"}).Draw(t, "id")
			phase, _, _ := strings.Cut(id, "-")
			live, old := ".planning/phases/"+phase+"-x/"+id, ".planning/milestones/v1-phases/"+phase+"-x/"+id
			at := live
			if files[old+"-PLAN.md"] {
				at = old
			}
			plan, sum := at+"-PLAN.md", at+"-SUMMARY.md"
			switch step := rapid.SampledFrom([]string{"plan", "work", "work", "finish", "archive", "else"}).Draw(t, "step"); {
			case !files[plan]:
				add("docs: plan", "", "+"+plan)
				plans[plan] = &truth{}
			case step == "work" && at == old:
				add("feat("+id+"): x", "", "~src/x") // of a new plan with this number
			case step == "work":
				add("feat("+id+"): x", plan, "~src/x")
			case step == "finish" && !files[sum]:
				add("docs("+id+"): complete it", plan, "+"+sum)
				plans[plan].finished = len(log)
			case step == "archive" && at == live:
				changes := []string{"+" + old + "-PLAN.md", "-" + plan}
				if files[sum] {
					changes = append(changes, "+"+old+"-SUMMARY.md", "-"+sum)
				}
				add("chore: archive", "", changes...)
				plans[old+"-PLAN.md"] = plans[plan]
				delete(plans, plan)
			default:
				add("chore: else", "", "~src/y")
			}
		}
		var names, want, got []string
		for name, there := range files {
			if there {
				names = append(names, name)
			}
		}
		for plan, w := range plans {
			if w.commits == 0 {
				continue // it was only written
			}
			s := &Span{Plan: &roadmap.Plan{Path: plan}, First: day(w.first), Last: day(w.last), Commits: w.commits}
			if w.finished > 0 {
				s.Finished = day(w.finished)
			}
			want = append(want, spanText(s))
		}
		slices.Reverse(log)
		spans := Timeline(logOf(log...), scan(names...))
		for _, s := range spans {
			if s.Plan.Done() != !s.Finished.IsZero() {
				t.Fatalf("%s is done: %v", spanText(s), s.Plan.Done())
			}
			got = append(got, spanText(s))
		}
		if !slices.IsSortedFunc(spans, func(a, b *Span) int { return a.First.Compare(b.First) }) {
			t.Fatalf("out of order: %q", got)
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}
