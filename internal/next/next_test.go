package next

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

// asking is a Question in short form.
type asking struct {
	name     string
	files    string            // below phases/, the front matter's lines of a plan in front matter
	meta     map[string]string // front matter by id: `wave: 1; depends_on: [01]`
	tasks    map[string]int    // by id
	log      []string          // subjects, newest first; `@ID` adds that plan, `@~ID` changes it, `@NAME` adds a document
	roadmap  string
	session  string // ids
	ended    string
	skipped  string // of ended
	former   string // of ended
	taken    string
	away     string // done, or being done, on other branches
	beside   string // started there
	halted   string
	verified map[string]string // the status in the report of a phase's directory
	tested   string            // the status in every UAT

	want    string   // the plan's label, `phase N` where a phase is to be planned, `nothing`
	because []string // a part of each sentence, in order
	also    string   // ids in order
	left    string   // ids in order, of plans that were left behind
}

func (c asking) disk() *roadmap.Disk {
	return roadmap.ScanPhases(listing(below(".planning/phases", c.files)...), ".planning")
}

// front returns the front matter of a plan.
func (c asking) front(p *roadmap.Plan) []byte {
	return []byte("---\n" + strings.ReplaceAll(c.meta[p.Label()], "; ", "\n") + "\n---\n")
}

// pathOf returns the path of the plan with an id.
func pathOf(d *roadmap.Disk, id string) string {
	for i := range d.Phases {
		for j := range d.Phases[i].Plans {
			if p := &d.Phases[i].Plans[j]; p.Label() == id {
				return p.Path
			}
		}
	}
	return ""
}

func (c asking) question(d *roadmap.Disk) Question {
	var log []evidence.Commit
	for i, text := range c.log {
		subject, touches, _ := strings.Cut(text, "@")
		commit := commitOf(strings.TrimSpace(subject))
		if touches == "ROADMAP" {
			commit = commitOf(strings.TrimSpace(subject), "~"+d.Root+"/"+roadmap.FileName)
		} else if touches != "" {
			var changes []string
			for touched := range strings.SplitSeq(touches, "@") {
				touched, isChanged := strings.CutPrefix(strings.TrimSpace(touched), "~")
				changed, kind := pathOf(d, touched), "+"
				for file := range strings.FieldsSeq(c.files) {
					if strings.HasPrefix(path.Base(file), touched+".") {
						changed = path.Join(d.Root, "phases", file)
					}
				}
				if isChanged {
					kind = "~"
				}
				changes = append(changes, kind+changed)
			}
			commit = commitOf(strings.TrimSpace(subject), changes...)
		}
		commit.ID = fmt.Sprintf("%07d000", i)
		log = append(log, commit)
	}
	d.Read(func(name string) string {
		if strings.HasSuffix(name, "UAT.md") {
			return c.tested
		}
		for id, front := range c.meta {
			if strings.Contains(front, "status: blocked") && strings.HasSuffix(name, "/"+id+"-PLAN.md") {
				return frontmatter.Blocked
			}
		}
		return c.verified[path.Base(path.Dir(name))]
	}, parse(c.roadmap))
	ended, taken := map[string]Reason{}, map[string]Reason{}
	for _, id := range strings.Fields(c.ended) {
		ended[pathOf(d, id)] = Reason{Code: TasksOver, User: "ada", Skipped: id == c.skipped, Former: id == c.former}
	}
	for _, id := range strings.Fields(c.taken) {
		taken[pathOf(d, id)] = Reason{Code: Taken, User: "bob"}
	}
	away := map[string]bool{}
	for _, id := range strings.Fields(c.away) {
		away[pathOf(d, id)] = true
	}
	for _, id := range strings.Fields(c.beside) {
		away[pathOf(d, id)] = false
	}
	q := Question{
		Elsewhere: away, Disk: d, Roadmap: parse(c.roadmap), Entries: roadmap.Join(d, parse(c.roadmap)), Path: "ROADMAP.md", Evidence: Gather(logOf(log...), d),
		Meta: func(p *roadmap.Plan) frontmatter.Meta {
			if c.meta[p.Label()] == "unusable" {
				return frontmatter.Meta{Unusable: "is empty"}
			}
			return frontmatter.Read(c.front(p))
		},
		Tasks: func(p *roadmap.Plan) int { return c.tasks[p.Label()] },
		Ended: ended, Taken: taken,
	}
	for _, dir := range d.Phases {
		for i := range dir.Plans {
			p := &dir.Plans[i]
			p.Halted = slices.Contains(strings.Fields(c.halted), p.ID)
			if !p.Done() && p.Label() == c.session {
				q.Session = p.Path
			}
		}
	}
	return q
}

// labels joins the labels of plans.
func labels(plans []*roadmap.Plan) string {
	var all []string
	for _, p := range plans {
		all = append(all, p.Label())
	}
	return strings.Join(all, " ")
}

func (c asking) check(t *testing.T) {
	t.Helper()
	a := Order(c.question(c.disk()))
	got := "nothing"
	switch {
	case a.Plan != nil:
		got = a.Plan.Label()
	case !a.Phase.IsZero():
		got = "phase " + a.Phase.String()
	}
	if got != c.want || a.Plan != nil && (planref.Compare(a.Phase, a.Plan.Phase) != 0 || a.Meta.Wave != frontmatter.Read(c.front(a.Plan)).Wave) {
		t.Errorf("next is %s of phase %s and wave %d, want %s", got, a.Phase, a.Meta.Wave, c.want)
	}
	if also := labels(a.AlsoReady); also != c.also {
		t.Errorf("also ready %q, want %q", also, c.also)
	}
	var left []*roadmap.Plan
	for _, l := range a.LeftOver {
		left = append(left, l.Plan)
		if l.Why.Code != WorkedSince && l.Why.Code != CompletedSince || !strings.HasPrefix(l.Why.Commit, "000") {
			t.Errorf("%s was left over because %+v", l.Plan.Label(), l.Why)
		}
	}
	if got := labels(left); got != c.left {
		t.Errorf("left over %q, want %q", got, c.left)
	}
	because := inCodes(a.Because...)
	if len(because) != len(c.because) {
		t.Errorf("%d reasons, want %d:\n%s", len(because), len(c.because), strings.Join(because, "\n"))
		return
	}
	for i, part := range c.because {
		if !strings.Contains(because[i], part) {
			t.Errorf("because %d: %q, want %q in it", i, because[i], part)
		}
	}
	isOpen := func(r Reason) bool {
		return (r.Code == NotPassed || r.Code == NotTested) && r.Verification == a.Unverified
	}
	if said := slices.ContainsFunc(a.Because, isOpen); said != (a.Unverified != "") {
		t.Errorf("unverified %q", a.Unverified)
	}
	if a.Ended != (a.Because[0].Code == TasksOver && !a.Because[0].Former) {
		t.Errorf("ended %t", a.Ended)
	}
}

func TestOrderInFlight(t *testing.T) {
	const three = "03-a/03-01-PLAN.md 03-a/03-02-PLAN.md 03-a/03-03-PLAN.md"
	for _, c := range []asking{
		{
			name: "in flight", files: three, tasks: map[string]int{"03-02": 3}, log: []string{"feat(03-02): x", "feat(03-02): y"},
			want: "03-02", because: []string{"has-commits count=2 commit=0000000 subject=feat(03-02): x", "active-phase phase=3 commit=0000000 subject=feat(03-02): x"}, also: "03-01 03-03",
		},
		{
			name: "all tasks committed", files: three, tasks: map[string]int{"03-02": 2}, log: []string{"feat(03-02): x", "feat(03-02): y"},
			want: "03-02", because: []string{"has-commits count=2 commit=0000000 subject=feat(03-02): x", "active-phase phase=3 commit=0000000 subject=feat(03-02): x"}, also: "03-01 03-03",
		},
		{
			name: "latest touched first", files: three, tasks: map[string]int{"03-01": 9, "03-02": 9, "03-03": 9},
			log:  []string{"feat(03-03): x", "feat(03-01): x", "feat(03-02): x"},
			want: "03-03", because: []string{"has-commits count=1 commit=0000000 subject=feat(03-03): x", "active-phase phase=3 commit=0000000 subject=feat(03-03): x"}, also: "03-01 03-02",
		},
		{
			name: "committed ones first, the longest untouched of them", files: three, tasks: map[string]int{"03-01": 1, "03-02": 1, "03-03": 9},
			log:  []string{"feat(03-03): x", "feat(03-01): x", "feat(03-02): x"},
			want: "03-02", because: []string{"has-commits count=1 commit=0000002 subject=feat(03-02): x", "active-phase phase=3 commit=0000000 subject=feat(03-03): x"}, also: "03-01 03-03",
		},
		{
			name: "closed after what is open", files: three, tasks: map[string]int{"03-01": 1},
			log:  []string{"docs(03-01): complete a plan", "feat(03-01): x"},
			want: "03-02", because: []string{"active-phase phase=3 commit=0000000 subject=docs(03-01): complete a plan"}, also: "03-03 03-01",
		},
		{
			name: "closed after what is in flight", files: three, tasks: map[string]int{"03-01": 1, "03-02": 5},
			log:  []string{"docs(03-01): complete a plan", "feat(03-02): x"},
			want: "03-02", because: []string{"has-commits count=1 commit=0000001 subject=feat(03-02): x", "active-phase phase=3 commit=0000000 subject=docs(03-01): complete a plan"}, also: "03-03 03-01",
		},
		{
			name: "closed alone", files: "03-a/03-01-PLAN.md 04-b/04-01-PLAN.md", log: []string{"docs(03-01): complete a plan"},
			want: "03-01", because: []string{"has-commits count=1 commit=0000000 subject=docs(03-01): complete a plan closed=true", "active-phase phase=3 commit=0000000 subject=docs(03-01): complete a plan"},
		},
		{
			name: "what it waits for does not matter once it flies", files: three, meta: map[string]string{"03-02": "wave: 2; depends_on: [03-01]", "03-01": "wave: 1"},
			tasks: map[string]int{"03-02": 5}, log: []string{"feat(03-02): x"},
			want: "03-02", because: []string{"has-commits count=1 commit=0000000 subject=feat(03-02): x", "active-phase phase=3 commit=0000000 subject=feat(03-02): x"}, also: "03-01 03-03",
		},
		{
			name:  "other phases' come last",
			files: three + " 04-b/04-01-PLAN.md 04-b/04-02-PLAN.md 05-c/05-01-PLAN.md 06-d/06-01-PLAN.md",
			tasks: map[string]int{"03-01": 9, "04-01": 9, "04-02": 9, "05-01": 9, "06-01": 9},
			log:   []string{"feat(03-01): x", "feat(06-01): x", "feat(05-01): x", "feat(04-02): x", "feat(04-01): x"},
			want:  "03-01", because: []string{"has-commits count=1 commit=0000000 subject=feat(03-01): x", "active-phase phase=3 commit=0000000 subject=feat(03-01): x"}, also: "03-02 03-03 06-01", left: "04-01 04-02 05-01",
		},
		{
			name: "the active phase has no open plan: where a plan flies", files: "03-a/03-01-PLAN.md 03-a/03-01-SUMMARY.md 04-b/04-01-PLAN.md 05-c/05-01-PLAN.md 05-c/05-02-PLAN.md",
			tasks: map[string]int{"05-02": 4}, log: []string{"docs: x @03-01", "feat(05-02): x"},
			want: "05-02", because: []string{"has-commits count=1 commit=0000001 subject=feat(05-02): x", "in-flight-phase phase=5"}, also: "05-01", left: "04-01",
		},
	} {
		t.Run(c.name, c.check)
	}
}

func TestOrderPhase(t *testing.T) {
	const (
		done3 = "03-a/03-01-PLAN.md 03-a/03-01-SUMMARY.md "
		open  = "02-z/02-01-PLAN.md 04-b/04-01-PLAN.md 05-c/05-01-PLAN.md"
		both  = done3 + open
	)
	for _, c := range []asking{
		{name: "lowest", files: both, want: "02-01", because: []string{"lowest-phase phase=2"}},
		{name: "decimals", files: "2.10-b/2.10-01-PLAN.md 2.2-a/2.2-01-PLAN.md 3-c/3-01-PLAN.md", want: "02.2-01", because: []string{"lowest-phase phase=2.2"}},
		{name: "letters", files: "3A-b/3A-01-PLAN.md 4-c/4-01-PLAN.md 3-a/3-01-PLAN.md 3-a/3-01-SUMMARY.md", want: "03A-01", because: []string{"lowest-phase phase=3A"}},
		{name: "active", files: both, log: []string{"docs: plan @05-01"}, want: "05-01", because: []string{"active-phase phase=5 commit=0000000 subject=docs: plan"}},
		{name: "the active one is done", files: both, log: []string{"docs: x @03-01"}, want: "02-01", because: []string{"lowest-phase phase=2"}},
		{
			name: "the roadmap's, before the lowest", files: both, log: []string{"docs: x @03-01"}, roadmap: "# R\n\n### Phase 5: C\n**Status:** In progress\n",
			want: "05-01", because: []string{"roadmap-phase phase=5 path=ROADMAP.md line=4"},
		},
		{
			name: "behind the roadmap", files: open, roadmap: "- [x] Phase 2: Z\n- [ ] Phase 4: B (deferred)\n- [x] Phase 6: D\n",
			want: "05-01", because: []string{"lowest-phase phase=5"},
		},
		{
			name: "the phases of a shipped milestone, told as a range", files: "02-z/02-01-PLAN.md 03-y/03-01-PLAN.md 03-y/03-01-SUMMARY.md",
			roadmap: "- ✅ **v1.0 Old** — Phases 1-4 (shipped 2026-01-02)\n", want: "nothing", because: []string{"open-in-over-phases count=1"}, also: "02-01",
		},
		{
			name: "given up, and the roadmap goes on", files: "02-z/02-01-PLAN.md 02-z/02-02-PLAN.md 02-z/02-03-PLAN.md", roadmap: "- [x] Phase 2: Z\n- [ ] Phase 3: A\n",
			want: "phase 3", because: []string{"unplanned phase=3 path=ROADMAP.md line=2", "open-in-over-phases count=3"},
			also: "02-01 02-02 02-03",
		},
		{
			name: "given up, but worked on", files: "02-z/02-01-PLAN.md", roadmap: "- [x] Phase 2: Z\n- [ ] Phase 3: A\n", log: []string{"feat(02-01): x"},
			want: "02-01", because: []string{"has-commits count=1 commit=0000000 subject=feat(02-01): x", "active-phase phase=2 commit=0000000 subject=feat(02-01): x"},
		},
		{
			name: "active, but behind the roadmap", files: "03-a/03-01-PLAN.md 04-b/04-01-PLAN.md 04-b/04-02-PLAN.md 05-c/05-01-PLAN.md", roadmap: "- [x] Phase 3: A\n", log: []string{"docs: x @03-01"},
			want: "04-01", because: []string{"lowest-phase phase=4"}, also: "04-02",
		},
		{
			name: "active and behind the roadmap, but in flight", files: "03-a/03-01-PLAN.md 04-b/04-01-PLAN.md", roadmap: "- [x] Phase 3: A\n", log: []string{"feat(03-01): x"},
			want: "03-01", because: []string{"has-commits count=1 commit=0000000 subject=feat(03-01): x", "active-phase phase=3 commit=0000000 subject=feat(03-01): x"},
		},
		{
			name: "a directory without number", files: "setup/07-01-PLAN.md", want: "07-01", because: []string{"lowest-phase phase=7"},
		},
		{name: "no number at all", files: "setup/auth-PLAN.md", want: ".planning/phases/setup/auth-PLAN.md", because: []string{"lowest-phase directory=setup"}},
	} {
		t.Run(c.name, c.check)
	}
}

func TestOrderReady(t *testing.T) {
	const (
		four = "03-a/03-01-PLAN.md 03-a/03-02-PLAN.md 03-a/03-03-PLAN.md 03-a/03-04-PLAN.md"
		low  = "lowest-phase phase=3"
	)
	waves := func(text string) map[string]string {
		m := map[string]string{}
		for _, word := range strings.Fields(text) {
			id, wave, _ := strings.Cut(word, "=")
			m["03-"+id] = "wave: " + wave
		}
		return m
	}
	for _, c := range []asking{
		{name: "no order told", files: four, want: "03-01", because: []string{low}, also: "03-02 03-03 03-04"},
		{
			name: "one wave", files: four + " 03-a/03-05-PLAN.md 03-a/03-06-PLAN.md 03-a/03-07-PLAN.md", meta: waves("01=1 02=1 03=1 04=1 05=1 06=1 07=1"),
			want: "03-01", because: []string{low, "lowest-wave phase=3 wave=1"}, also: "03-02 03-03 03-04 03-05",
		},
		{
			name: "lowest wave", files: four, meta: waves("01=2 02=1 03=1 04=3"),
			want: "03-02", because: []string{low, "lowest-wave phase=3 wave=1"}, also: "03-03",
		},
		{name: "one that tells no wave is of the first", files: four, meta: waves("02=2 03=1 04=2"), want: "03-01", because: []string{low}, also: "03-03"},
		{
			name: "dependencies", files: four, meta: map[string]string{"03-01": "depends_on: [03-03]", "03-02": "depends_on: [01]", "03-03": "depends_on: []", "03-04": "depends_on: [\"03-03\"]"},
			want: "03-03", because: []string{low},
		},
		{
			name: "what it depends on is done", files: four + " 03-a/03-01-SUMMARY.md", meta: map[string]string{"03-02": "depends_on: [03-01]", "03-03": "depends_on: [03-02]", "03-04": "depends_on: [03-02]"},
			want: "03-02", because: []string{low, "dependencies-done plans=[03-01]"},
		},
		{
			name: "dependency before wave", files: four + " 03-a/03-04-SUMMARY.md", meta: map[string]string{"03-01": "wave: 1; depends_on: [03-02]", "03-02": "wave: 2", "03-03": "wave: 2"},
			want: "03-02", because: []string{low}, also: "03-03",
		},
		{
			name: "a whole phase before it, done", files: four + " 02-z/02-01-PLAN.md 02-z/02-01-SUMMARY.md", meta: map[string]string{"03-01": "depends_on: [Phase 2]", "03-02": "depends_on: [01]", "03-03": "depends_on: [01]", "03-04": "depends_on: [01]"},
			want: "03-01", because: []string{low, "dependencies-done plans=[Phase 2]"},
		},
		{
			name: "a whole phase before it, open", files: four + " 02-z/02-01-PLAN.md 02-z/02-01-SUMMARY.md 02-z/02-02-PLAN.md", log: []string{"x @03-01"},
			meta: map[string]string{"03-01": "depends_on: [Phase 2]", "03-02": "depends_on: [02-01]", "03-03": "depends_on: [01]", "03-04": "depends_on: [02]"},
			want: "03-02", because: []string{"active-phase phase=3 commit=0000000 subject=x", "dependencies-done plans=[02-01]"},
		},
		{
			name: "not understood, nothing is held up", files: "03-a/03-01-PLAN.md", meta: map[string]string{"03-01": "wave: 2; depends_on: [the schema must be there]"},
			want: "03-01", because: []string{low, "lowest-wave phase=3 wave=2"},
		},
		{
			name: "on what is not there", files: "03-a/03-01-PLAN.md 03-a/03-02-PLAN.md", meta: map[string]string{"03-01": "depends_on: [03-09]", "03-02": "depends_on: [09-01]"},
			want: "03-01", because: []string{low}, also: "03-02",
		},
		{
			name: "on itself", files: "03-a/03-01-PLAN.md 03-a/03-02-PLAN.md", meta: map[string]string{"03-01": "depends_on: [03-01]", "03-02": "depends_on: [Phase 3]"},
			want: "03-01", because: []string{low}, also: "03-02",
		},
		{
			name: "a cycle: all of it, by wave", files: four, meta: map[string]string{"03-01": "wave: 2; depends_on: [03-02]", "03-02": "wave: 1; depends_on: [03-01]", "03-03": "wave: 1; depends_on: [03-04]", "03-04": "wave: 1; depends_on: [03-03]"},
			want: "03-02", because: []string{low, "lowest-wave phase=3 wave=1", "all-wait"}, also: "03-03 03-04",
		},
		{
			name: "a cycle beside a free one", files: four, meta: map[string]string{"03-01": "depends_on: [03-02]", "03-02": "depends_on: [03-01]", "03-03": "wave: 4", "03-04": "wave: 5"},
			want: "03-03", because: []string{low},
		},
		{
			name: "archived plans do not count", files: "../milestones/v1-phases/03-a/03-01-PLAN.md 03-b/03-02-PLAN.md", meta: map[string]string{"03-02": "depends_on: [03-01]"},
			want: "03-02", because: []string{low},
		},
	} {
		t.Run(c.name, c.check)
	}
}

func TestOrderSession(t *testing.T) {
	const files = "03-a/03-01-PLAN.md 03-a/03-02-PLAN.md 03-a/03-03-PLAN.md 03-a/03-03-SUMMARY.md 05-c/05-01-PLAN.md"
	for _, c := range []asking{
		{name: "first", files: files, session: "03-02", want: "03-02", because: []string{"own-session", "lowest-phase phase=3"}, also: "03-01"},
		{
			name: "before what is in flight", files: files, session: "03-02", log: []string{"feat(03-01): x"}, tasks: map[string]int{"03-01": 5},
			want: "03-02", because: []string{"own-session", "active-phase phase=3 commit=0000000 subject=feat(03-01): x"}, also: "03-01",
		},
		{
			name: "in another phase", files: files, session: "05-01", log: []string{"feat(03-01): x"}, tasks: map[string]int{"03-01": 5},
			want: "05-01", because: []string{"own-session"}, also: "03-01 03-02",
		},
		{
			name: "in flight itself", files: files, session: "03-02", log: []string{"feat(03-02): x", "feat(03-02): y"}, tasks: map[string]int{"03-02": 2},
			want: "03-02", because: []string{"own-session", "has-commits count=2 commit=0000000 subject=feat(03-02): x", "active-phase phase=3 commit=0000000 subject=feat(03-02): x"}, also: "03-01",
		},
		{
			name: "on what waits", files: files, session: "03-02", meta: map[string]string{"03-02": "wave: 2; depends_on: [03-01]", "03-01": "wave: 1"},
			want: "03-02", because: []string{"own-session", "lowest-phase phase=3"}, also: "03-01",
		},
	} {
		t.Run(c.name, c.check)
	}
}

// A plan whose tasks are all complete needs its summary and comes before plans that nobody has started; plans that depend
// on it wait.
func TestOrderEnded(t *testing.T) {
	const (
		files = "03-a/03-01-PLAN.md 03-a/03-02-PLAN.md 03-a/03-03-PLAN.md 05-c/05-01-PLAN.md"
		due   = "tasks-over user=ada"
	)
	for _, c := range []asking{
		{name: "first", files: files, ended: "03-02", want: "03-02", because: []string{due, "lowest-phase phase=3"}, also: "03-01 03-03"},
		{
			name: "what depends on it waits", files: files, ended: "03-01", meta: map[string]string{"03-02": "depends_on: [03-01]"},
			want: "03-01", because: []string{due, "lowest-phase phase=3"}, also: "03-03",
		},
		{
			name: "all else waits for it", files: "03-a/03-01-PLAN.md 03-a/03-02-PLAN.md", ended: "03-01", meta: map[string]string{"03-02": "depends_on: [03-01]"},
			want: "03-01", because: []string{due, "lowest-phase phase=3"},
		},
		{
			name: "the last of its phase", files: "03-a/03-01-PLAN.md 05-c/05-01-PLAN.md 05-c/05-02-PLAN.md", ended: "03-01", log: []string{"feat(03-01): x"},
			want: "03-01", because: []string{due, "has-commits count=1 commit=0000000 subject=feat(03-01): x"}, also: "05-01 05-02",
		},
		{name: "some were skipped", files: files, ended: "03-02", skipped: "03-02", want: "03-02", because: []string{due + " skipped=true", "lowest-phase phase=3"}, also: "03-01 03-03"},
		{name: "the last of all", files: "03-a/03-01-PLAN.md", ended: "03-01", roadmap: "- [ ] Phase 3: A\n- [ ] Phase 4: B\n", want: "03-01", because: []string{due}},
		{name: "after one's own session", files: files, session: "03-03", ended: "03-01", want: "03-03", because: []string{"own-session", "lowest-phase phase=3"}, also: "03-01 03-02"},
		{name: "in a phase that the roadmap has behind it", files: files, ended: "03-01", roadmap: "- [x] Phase 3: A\n", want: "03-01", because: []string{due}, also: "05-01"},
		{name: "before what is in flight", files: files, ended: "03-02", log: []string{"feat(03-01): x"}, tasks: map[string]int{"03-01": 5}, want: "03-02", because: []string{due, "active-phase phase=3 commit=0000000 subject=feat(03-01): x"}, also: "03-01 03-03"},
		{name: "in a former session", files: files, ended: "03-02", former: "03-02", want: "03-02", because: []string{due + " former=true", "lowest-phase phase=3"}, also: "03-01 03-03"},
		{
			name: "in a former session, before what is in flight", files: files, ended: "03-02", former: "03-02", log: []string{"feat(03-01): x"}, tasks: map[string]int{"03-01": 5},
			want: "03-02", because: []string{due + " former=true", "active-phase phase=3 commit=0000000 subject=feat(03-01): x"}, also: "03-01 03-03",
		},
		{
			name: "in a former session, of a phase that the roadmap has behind it", files: files, ended: "03-01", former: "03-01", roadmap: "- [x] Phase 3: A\n",
			want: "05-01", because: []string{"lowest-phase phase=5"},
		},
		{
			name: "in a former session, and superseded since", files: files, ended: "03-01", former: "03-01", meta: map[string]string{"03-01": "unusable"},
			want: "03-02", because: []string{"lowest-phase phase=3"}, also: "03-03",
		},
	} {
		t.Run(c.name, c.check)
	}
}

// A phase whose verification did not pass is not complete. Order says so when it names a later one, and names the phase
// itself until work on a later one has started.
func TestOrderUnverified(t *testing.T) {
	const done3, open4 = "03-a/03-01-PLAN.md 03-a/03-01-SUMMARY.md 03-a/03-VERIFICATION.md ", "04-b/04-01-PLAN.md 04-b/04-02-PLAN.md "
	gaps, passed := map[string]string{"03-a": "gaps_found"}, map[string]string{"03-a": "passed"}
	for _, c := range []asking{
		{
			name: "ticked", files: done3 + open4, verified: gaps, roadmap: "- [x] Phase 3: A\n- [ ] Phase 4: B\n", want: "phase 3",
			because: []string{"not-passed phase=3 verification=gaps_found path=ROADMAP.md line=1"}, also: "04-01 04-02",
		},
		{
			name: "passed", files: done3 + open4, verified: passed, roadmap: "- [x] Phase 3: A\n- [ ] Phase 4: B\n", want: "04-01",
			because: []string{"roadmap-phase phase=4 path=ROADMAP.md line=2"}, also: "04-02",
		},
		{
			name: "the later phase was planned", files: done3 + open4, verified: gaps, roadmap: "- [x] Phase 3: A\n- [ ] Phase 4: B\n", log: []string{"docs: plan @04-01"},
			want: "04-01", because: []string{"active-phase phase=4 commit=0000000 subject=docs: plan"}, also: "04-02",
		},
		{
			name: "the later phase was begun", files: done3 + open4 + "04-b/04-01-SUMMARY.md", verified: gaps, roadmap: "- [x] Phase 3: A\n- [ ] Phase 4: B\n",
			want: "04-02", because: []string{"roadmap-phase phase=4 path=ROADMAP.md line=2"},
		},
		{
			name: "the later phase is done, the one after it to be planned", files: done3 + "04-b/04-01-PLAN.md 04-b/04-01-SUMMARY.md", verified: gaps,
			roadmap: "- [x] Phase 3: A\n- [x] Phase 4: B\n- [ ] Phase 5: C\n",
			want:    "phase 5", because: []string{"not-verified phases=[{3 gaps_found}]", "unplanned phase=5 path=ROADMAP.md line=3"},
		},
		{
			name: "its gaps are planned", files: done3 + "03-a/03-02-PLAN.md " + open4, verified: gaps, roadmap: "- [x] Phase 3: A\n- [ ] Phase 4: B\n",
			want: "03-02", because: []string{"roadmap-phase phase=3 path=ROADMAP.md line=1"},
		},
		{name: "without a roadmap", files: done3 + open4, verified: gaps, want: "04-01", because: []string{"lowest-phase phase=4"}, also: "04-02"},
		{
			name: "of a milestone that is over", files: done3 + open4, verified: gaps, roadmap: "## v1.0 Old (shipped)\n- [x] Phase 3: A\n## v1.1 New\n- [ ] Phase 4: B\n",
			want: "04-01", because: []string{"roadmap-phase phase=4 path=ROADMAP.md line=4"}, also: "04-02",
		},
	} {
		t.Run(c.name, c.check)
	}
}

// If no plans left, the roadmap may have a phase to be planned.
func TestOrderToPlan(t *testing.T) {
	const done = "03-a/03-01-PLAN.md 03-a/03-01-SUMMARY.md "
	for _, c := range []asking{
		{name: "nothing", files: done, roadmap: "- [ ] Phase 4: B\n", want: "phase 4", because: []string{"unplanned phase=4 path=ROADMAP.md line=1"}},
		{name: "a context", files: done + "04-b/04-CONTEXT.md", roadmap: "- [ ] Phase 4: B\n", want: "phase 4", because: []string{"prepared phase=4 documents=[context] path=ROADMAP.md line=1"}},
		{name: "research", files: done + "04-b/RESEARCH.md", roadmap: "- [ ] Phase 4: B\n", want: "phase 4", because: []string{"prepared phase=4 documents=[research] path=ROADMAP.md line=1"}},
		{name: "both", files: done + "04-b/04-CONTEXT.md 04-b/04-RESEARCH.md", roadmap: "- [ ] Phase 4: B\n", want: "phase 4", because: []string{"prepared phase=4 documents=[context research] path=ROADMAP.md line=1"}},
		{name: "empty", want: "nothing", because: []string{"no-plan-yet"}},
		{name: "all done", files: done, want: "nothing", because: []string{"all-done"}},
		{
			name: "all done but for verifications that a later phase has left behind",
			files: done + "03-a/03-VERIFICATION.md 04-b/04-01-PLAN.md 04-b/04-01-SUMMARY.md 04-b/04-VERIFICATION.md " +
				"05-c/05-01-PLAN.md 05-c/05-01-SUMMARY.md 05-c/05-VERIFICATION.md",
			roadmap: "- [x] Phase 3: A\n- [x] Phase 4: B\n- [x] Phase 5: C\n", verified: map[string]string{"03-a": "human_needed", "04-b": "gaps_found", "05-c": "passed"},
			want: "phase 3", because: []string{"all-done", "not-passed phase=3 verification=human_needed", "not-verified phases=[{4 gaps_found}]"},
		},
		{name: "a context that the roadmap does not mention", files: done + "04-b/04-CONTEXT.md 05-c/05-RESEARCH.md", roadmap: "", want: "phase 4", because: []string{"prepared phase=4 documents=[context]"}},
		{name: "all done but for a UAT", files: done + "03-a/03-UAT.md", tested: "testing", want: "phase 3", because: []string{"all-done", "not-tested phase=3 verification=testing"}},
		{name: "of several the last", files: done + "03-a/03-UAT.md 04-b/04-01-PLAN.md 04-b/04-01-SUMMARY.md 04-b/UAT.md", tested: "partial", want: "phase 4", because: []string{"all-done", "not-tested phase=4 verification=partial"}},
		{
			name:  "a verification before it, which a later phase has left behind",
			files: done + "03-a/03-VERIFICATION.md 04-b/04-01-PLAN.md 04-b/04-01-SUMMARY.md 04-b/04-HUMAN-UAT.md", verified: map[string]string{"03-a": "human_needed"}, tested: "testing",
			want: "phase 3", because: []string{"all-done", "not-passed phase=3 verification=human_needed"},
		},
		{name: "a UAT, but more plans are to come", files: done + "03-a/03-UAT.md", tested: "testing", roadmap: "- [ ] Phase 3: A (1/3 plans)\n- [ ] Phase 4: B\n", want: "phase 3", because: []string{"not-tested phase=3 verification=testing path=ROADMAP.md line=1"}},
		{name: "a UAT holds up no later phase", files: done + "03-a/03-UAT.md", tested: "diagnosed", roadmap: "- [ ] Phase 3: A\n- [ ] Phase 4: B\n", want: "phase 4", because: []string{"unplanned phase=4 path=ROADMAP.md line=2"}},
		{name: "nor a plan", files: done + "03-a/03-UAT.md 04-b/04-01-PLAN.md", tested: "testing", roadmap: "- [ ] Phase 3: A\n- [ ] Phase 4: B\n", want: "04-01", because: []string{"roadmap-phase phase=4 path=ROADMAP.md line=2"}},
		{name: "the roadmap calls its phase complete", files: done + "03-a/03-UAT.md", tested: "partial", roadmap: "- [x] Phase 3: A\n", want: "nothing", because: []string{"all-done"}},
		{name: "all shipped", files: done, roadmap: "## v1.0 Old (shipped)\n- [x] Phase 3: A\n", want: "nothing", because: []string{"all-done", "all-shipped"}},
		{name: "one is not", files: done, roadmap: "## v1.0 Old (shipped)\n- [x] Phase 3: A\n## v1.1 New\n", want: "nothing", because: []string{"all-done"}},
		{name: "all shipped, and the phases are gone", roadmap: "## v1.0 Old (shipped)\n## v1.1 Less (cancelled)\n", want: "nothing", because: []string{"all-shipped"}},
		{name: "given up", roadmap: "## v1.1 Less (cancelled)\n", want: "nothing", because: []string{"no-plan-yet"}},
		{name: "shipped, and a UAT is open that nobody reads", files: done + "03-a/03-UAT.md", tested: "testing", roadmap: "## v1.0 Old (shipped)\n- [ ] Phase 3: A\n", want: "nothing", because: []string{"all-done", "all-shipped"}},
		{name: "all archived", files: "../milestones/v1-phases/03-a/03-01-PLAN.md", want: "nothing", because: []string{"all-done"}},
		{name: "more plans are to come", files: done, roadmap: "- [ ] Phase 3: A (1/3 plans)\n", want: "phase 3", because: []string{"nothing-open phase=3 path=ROADMAP.md line=1"}},
		{name: "a phase put off", files: done, roadmap: "- [x] Phase 3: A\n- [ ] Phase 4: B (deferred)\n- [ ] Phase 5: C\n", want: "phase 5", because: []string{"unplanned phase=5 path=ROADMAP.md line=3"}},
		{
			name: "numbers that start again, the older not ended", roadmap: "## v1.0 Old\n### Phase 1: A\n## 🚧 v1.1 New\n### Phase 1: C\n**Status:** In progress\n### Phase 2: D\n",
			want: "phase 1", because: []string{"unplanned phase=1 path=ROADMAP.md line=5"},
		},
		{name: "backlog", files: done, roadmap: "- [x] Phase 3: A\n- [ ] Phase 999.1: Later\n", want: "nothing", because: []string{"all-done"}},
	} {
		t.Run(c.name, c.check)
	}
}

// A plan that somebody else has taken comes last, and the answer says so. Plans that depend, directly or
// not, on a halted plan are not offered.
func TestOrderHeldUp(t *testing.T) {
	const files = "03-a/03-01-PLAN.md 03-a/03-02-PLAN.md 03-a/03-03-PLAN.md 03-a/03-04-PLAN.md "
	for _, c := range []asking{
		{
			name: "taken", files: files, taken: "03-01 03-02", want: "03-03",
			because: []string{"lowest-phase phase=3", "taken plan=03-01 user=bob", "taken plan=03-02 user=bob"}, also: "03-04 03-01 03-02",
		},
		{name: "elsewhere", files: "03-a/03-01-PLAN.md 03-a/03-02-PLAN.md", away: "03-01", want: "03-02", because: []string{"lowest-phase phase=3"}, also: "03-01"},
		{
			name: "begun elsewhere out of turn", files: files + "04-b/04-01-PLAN.md 04-b/04-02-PLAN.md", beside: "03-01 03-03 03-04 04-01",
			meta: map[string]string{"03-02": "wave: 2", "03-03": "depends_on: [03-02]", "03-04": "unusable"},
			want: "03-01", because: []string{"lowest-phase phase=3"}, also: "03-03 04-01",
		},
		{
			name: "begun elsewhere, and here", files: files, beside: "03-02", log: []string{"feat(03-02): x"},
			want: "03-02", because: []string{"has-commits", "active-phase phase=3"}, also: "03-01 03-03 03-04",
		},
		{name: "blocked", files: "03-a/03-01-PLAN.md 03-a/03-02-PLAN.md", meta: map[string]string{"03-01": "status: blocked; wave: 1", "03-02": "wave: 2"}, want: "03-02", because: []string{"lowest-phase phase=3", "lowest-wave phase=3 wave=2"}, also: "03-01"},
		{
			name: "blocked, and others in a later phase", files: "03-a/03-01-PLAN.md 04-b/04-01-PLAN.md 04-b/04-02-PLAN.md", meta: map[string]string{"03-01": "status: blocked", "04-01": "depends_on: [03-01]"},
			want: "04-02", because: []string{"lowest-phase phase=4"}, also: "03-01",
		},
		{name: "only one that is blocked", files: "03-a/03-01-PLAN.md", meta: map[string]string{"03-01": "status: blocked"}, want: "03-01", because: []string{"lowest-phase phase=3"}},
		{
			name: "blocked in flight", files: "03-a/03-01-PLAN.md 03-a/03-02-PLAN.md", meta: map[string]string{"03-01": "status: blocked"}, log: []string{"feat(03-01): x"},
			want: "03-02", because: []string{"active-phase phase=3"}, also: "03-01",
		},
		{name: "all taken", files: "03-a/03-01-PLAN.md", taken: "03-01", want: "03-01", because: []string{"lowest-phase phase=3", "taken user=bob"}},
		{
			name: "halted", files: files + "03-a/03-01-SUMMARY.md", halted: "03-01", meta: map[string]string{"03-02": "depends_on: [03-01]", "03-03": "depends_on: [03-02]", "03-04": "wave: 9"},
			want: "03-04", because: []string{"lowest-phase phase=3", "lowest-wave phase=3 wave=9"},
		},
		{
			name: "all wait for a halted one", files: files + "03-a/03-01-SUMMARY.md", halted: "03-01",
			meta: map[string]string{"03-02": "depends_on: [03-01]", "03-03": "depends_on: [02]", "03-04": "depends_on: [Phase 3, 03-03]"},
			want: "phase 3", because: []string{"behind-halted plan=03-02 count=3"},
		},
		{
			name: "each for the next, the last for a halted one", files: files + "03-a/03-04-SUMMARY.md", halted: "03-04",
			meta: map[string]string{"03-01": "depends_on: [03-02]", "03-02": "depends_on: [03-03]", "03-03": "depends_on: [03-04]"},
			want: "phase 3", because: []string{"behind-halted plan=03-01 count=3"},
		},
		{
			name: "for each other", files: files + "03-a/03-01-SUMMARY.md", halted: "03-01",
			meta: map[string]string{"03-02": "depends_on: [03-03]", "03-03": "depends_on: [03-02]", "03-04": "depends_on: [03-01]"},
			want: "03-02", because: []string{"lowest-phase phase=3", "all-wait"}, also: "03-03",
		},
		{
			name: "superseded", files: "02-z/02-01-PLAN.md " + files, meta: map[string]string{"02-01": "status: superseded", "03-01": "status: superseded"},
			want: "03-02", because: []string{"lowest-phase phase=3"}, also: "03-03 03-04",
		},
		{
			name: "unusable", files: "02-z/02-01-PLAN.md " + files, meta: map[string]string{"02-01": "unusable", "03-01": "unusable"},
			want: "03-02", because: []string{"lowest-phase phase=3"}, also: "03-03 03-04",
		},
	} {
		t.Run(c.name, c.check)
	}
}
