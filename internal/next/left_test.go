package next

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

// A plan is left behind once work is done in a later phase, and none since in its own.
func TestOrderLeftBehind(t *testing.T) {
	const (
		done2 = "02-a/02-01-PLAN.md 02-a/02-01-SUMMARY.md 02-a/02-02-PLAN.md "
		done3 = "03-b/03-01-PLAN.md 03-b/03-01-SUMMARY.md "
		next4 = "### Phase 2: A\n### Phase 3: B\n### Phase 4: C\n"
	)
	for _, c := range []asking{
		{
			name: "begun, then a later phase", files: done2 + done3 + "03-b/03-02-PLAN.md", log: []string{"feat(03-02): x", "docs(03-01): complete plan", "feat(02-02): x"},
			want: "03-02", because: []string{"has-commits count=1 commit=0000000 subject=feat(03-02): x", "active-phase phase=3 commit=0000000 subject=feat(03-02): x"}, left: "02-02",
		},
		{
			name: "never begun", files: done2 + done3 + "03-b/03-02-PLAN.md", log: []string{"docs(03-01): complete plan"},
			want: "03-02", because: []string{"active-phase phase=3 commit=0000000 subject=docs(03-01): complete plan"}, left: "02-02",
		},
		{
			name: "the later phase came first", files: done2 + done3, log: []string{"feat(02-01): x", "feat(03-01): x"},
			want: "02-02", because: []string{"active-phase phase=2 commit=0000000 subject=feat(02-01): x"},
		},
		{
			name: "the plan was written after it", files: done2 + done3, log: []string{"docs: plan @02-02", "feat(03-01): x"},
			want: "02-02", because: []string{"active-phase phase=2 commit=0000000 subject=docs: plan"},
		},
		{
			name: "a later phase is only planned", files: done2 + "03-b/03-01-PLAN.md", log: []string{"docs: plan @03-01", "feat(02-02): x"},
			want: "03-01", because: []string{"active-phase phase=3 commit=0000000 subject=docs: plan"}, also: "02-02",
		},
		{
			name: "a later phase is only talked about", files: done2 + "03-b/03-01-PLAN.md", log: []string{"docs(03-01): discuss", "feat(02-02): x"},
			want: "03-01", because: []string{"has-commits count=1 commit=0000000 subject=docs(03-01): discuss", "active-phase phase=3 commit=0000000 subject=docs(03-01): discuss"}, also: "02-02",
		},
		{
			name: "the roadmap goes on", files: done2 + done3, log: []string{"docs(03-01): complete plan"}, roadmap: next4,
			want: "phase 4", because: []string{"unplanned phase=4 path=ROADMAP.md line=3"}, also: "02-02", left: "02-02",
		},
		{
			name: "nothing else is to be done", files: done2 + done3, log: []string{"docs(03-01): complete plan", "feat(02-02): x"},
			want: "02-02", because: []string{"has-commits count=1 commit=0000001 subject=feat(02-02): x", "only-left"}, left: "02-02",
		},
		{
			name: "nothing else is to be done, and nobody began it", files: done2 + done3, log: []string{"docs(03-01): complete plan"},
			want: "nothing", because: []string{"all-left"}, also: "02-02", left: "02-02",
		},
		{
			name: "nobody began it, and a verification is outstanding", files: done2 + done3 + "03-b/03-VERIFICATION.md", log: []string{"docs(03-01): complete plan"},
			verified: map[string]string{"03-b": "gaps_found"}, want: "phase 3",
			because: []string{"all-left", "not-passed phase=3 verification=gaps_found"}, also: "02-02", left: "02-02",
		},
		{
			name: "nothing else but of earlier phases", files: "01-z/01-01-PLAN.md " + done2 + done3, log: []string{"docs(03-01): complete plan", "feat(02-02): x", "feat(01-01): x"},
			want: "02-02", because: []string{"has-commits count=1 commit=0000001 subject=feat(02-02): x", "only-left"}, left: "01-01 02-02",
		},
		{
			name: "only a person has something to do", files: done2 + done3 + "03-b/03-VERIFICATION.md", log: []string{"docs(03-01): complete plan", "feat(02-02): x"}, roadmap: "### Phase 2: A\n### Phase 3: B\n",
			verified: map[string]string{"03-b": "human_needed"}, want: "02-02", because: []string{"has-commits count=1 commit=0000001 subject=feat(02-02): x", "only-left"}, left: "02-02",
		},
		{
			name: "gaps were found", files: done2 + done3 + "03-b/03-VERIFICATION.md", log: []string{"docs(03-01): complete plan"}, roadmap: "### Phase 2: A\n### Phase 3: B\n",
			verified: map[string]string{"03-b": "gaps_found"}, want: "phase 3", because: []string{"not-passed phase=3 verification=gaps_found path=ROADMAP.md line=2"}, also: "02-02", left: "02-02",
		},
		{
			name: "backlog that nobody began", files: "00.1-z/00.1-01-PLAN.md " + done3 + "03-b/03-02-PLAN.md", log: []string{"docs(03-01): complete plan"},
			want: "03-02", because: []string{"active-phase phase=3 commit=0000000 subject=docs(03-01): complete plan"},
		},
		{
			name: "backlog at work leaves nothing behind", files: done2 + "999.1-z/999.1-01-PLAN.md", log: []string{"feat(999.1-01): x", "feat(02-02): x"},
			want: "999.1-01", because: []string{"has-commits count=1 commit=0000000 subject=feat(999.1-01): x", "active-phase phase=999.1 commit=0000000 subject=feat(999.1-01): x"}, also: "02-02",
		},
		{
			name: "over by the roadmap, and nobody began it", files: done2 + done3, log: []string{"docs(03-01): complete plan"}, roadmap: "- [x] Phase 2: A\n",
			want: "nothing", because: []string{"open-in-over-phases count=1"}, also: "02-02",
		},
		{
			name: "over by the roadmap, and begun", files: done2 + done3 + "03-b/03-02-PLAN.md", log: []string{"docs(03-01): complete plan", "feat(02-02): x"}, roadmap: "- [x] Phase 2: A\n",
			want: "03-02", because: []string{"active-phase phase=3 commit=0000000 subject=docs(03-01): complete plan"}, left: "02-02",
		},
		{
			name: "one's session is on it", files: done2 + done3 + "03-b/03-02-PLAN.md", log: []string{"docs(03-01): complete plan"}, session: "02-02",
			want: "02-02", because: []string{"own-session"}, also: "03-02",
		},
		{
			name: "somebody's session is on it", files: done2 + done3 + "03-b/03-02-PLAN.md", log: []string{"docs(03-01): complete plan", "feat(02-02): x"}, taken: "02-02",
			want: "03-02", because: []string{"active-phase phase=3 commit=0000000 subject=docs(03-01): complete plan", "taken plan=02-02 user=bob"}, also: "02-02",
		},
		{
			name: "all its tasks are complete in a session", files: done2 + done3 + "03-b/03-02-PLAN.md", log: []string{"docs(03-01): complete plan"}, ended: "02-02",
			want: "02-02", because: []string{"tasks-over user=ada"}, also: "03-02",
		},
	} {
		t.Run(c.name, c.check)
	}
}

// A summary counts as work even if no commit names the plan; a commit that was reverted does not.
func TestDeeds(t *testing.T) {
	d := roadmap.ScanPhases(listing(below(".planning/phases", "02-a/02-01-PLAN.md 03-b/03-01-PLAN.md 03-b/03-01-SUMMARY.md")...), ".planning")
	const summary = ".planning/phases/03-b/03-01-SUMMARY.md"
	for _, c := range []struct {
		name, subject, change string
		want                  bool
	}{
		{"summary added", "x", "+" + summary, true},
		{"summary changed", "x", "~" + summary, false},
		{"plan added", "x", "+.planning/phases/03-b/03-01-PLAN.md", false},
		{"named by work", "fix(03-01): x", "", true},
		{"named by completion", "docs(03-01): complete plan", "", true},
		{"named by planning", "plan(03-01): create", "", false},
		{"no plan", "feat(03): x", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			commit := commitOf(c.subject)
			if c.change != "" {
				commit = commitOf(c.subject, c.change)
			}
			deed, worked := Gather(logOf(commitOf("y"), commit), d).Deeds["3"]
			if worked != c.want || worked && (deed.Age != 1 || planref.Compare(deed.Phase, d.Phases[1].Number) != 0 || deed.By.Subject != c.subject) {
				t.Errorf("%+v, %v", deed, worked)
			}
		})
	}
	if deeds := Gather(logOf(commitOf(`Revert "fix(03-01): x"`), commitOf("fix(03-01): x")), d).Deeds; len(deeds) > 0 {
		t.Errorf("reverted: %+v", deeds)
	}
}

// In a phase that is over, plans are to be done that were added to it later, and no others.
func TestOrderAddedLater(t *testing.T) {
	const (
		over  = "- [x] Phase 2: A\n- [ ] Phase 3: B\n"
		files = "02-a/02-01-PLAN.md 02-a/02-01-SUMMARY.md 02-a/02-02-PLAN.md 02-a/02-03-PLAN.md"
		gap   = "gap_closure: true"
	)
	plan3 := []string{"unplanned phase=3 path=ROADMAP.md line=2", "open-in-over-phases count=2"}
	for _, c := range []asking{
		{name: "nobody knows when", files: files, roadmap: over, want: "phase 3", because: plan3, also: "02-02 02-03"},
		{
			name: "a gap plan", files: files, roadmap: over, meta: map[string]string{"02-03": gap},
			want: "02-03", because: []string{"lowest-phase phase=2"},
		},
		{
			name: "just written", files: files, roadmap: over, log: []string{"x", "docs: plan @02-02", "docs(02-01): complete plan"},
			want: "02-02", because: []string{"active-phase phase=2 commit=0000001 subject=docs: plan"},
		},
		{
			name: "just edited", files: files, roadmap: over, log: []string{"x", "chore: rename a word @~02-02", "docs(02-01): complete plan"},
			want: "phase 3", because: plan3, also: "02-02 02-03",
		},
		{
			name: "the roadmap has changed since", files: files, roadmap: over, log: []string{"x @ROADMAP", "docs: plan @02-02", "docs(02-01): complete plan"},
			want: "phase 3", because: plan3, also: "02-02 02-03",
		},
		{
			name: "none of its plans was ever done", files: "02-a/02-02-PLAN.md", roadmap: over, log: []string{"docs: plan @02-02"},
			want: "phase 3", because: []string{plan3[0], "open-in-over-phases count=1"}, also: "02-02",
		},
		{
			name: "a gap plan, left behind", files: files + " 03-b/03-01-PLAN.md 03-b/03-01-SUMMARY.md", roadmap: over, meta: map[string]string{"02-03": gap},
			log: []string{"docs(03-01): complete plan"}, want: "nothing", because: []string{"open-in-over-phases count=2"}, also: "02-02 02-03",
		},
		{
			name: "phase 0, where the project is", files: "00-a/00-01-PLAN.md 00-a/00-01-SUMMARY.md 00-a/00-02-PLAN.md", roadmap: "- [ ] Phase 0: A\n- [ ] Phase 1: B\n", log: []string{"docs(00-01): complete plan"},
			want: "00-02", because: []string{"active-phase phase=0 commit=0000000 subject=docs(00-01): complete plan"},
		},
		{
			name: "phase 0, where it is not", files: "00-a/00-01-PLAN.md 01-b/01-01-PLAN.md", roadmap: "- [ ] Phase 0: A\n- [ ] Phase 1: B\n", log: []string{"docs: plan @01-01"},
			want: "01-01", because: []string{"active-phase phase=1 commit=0000000 subject=docs: plan"},
		},
	} {
		t.Run(c.name, c.check)
	}
}

// What comes next is in the current milestone, unless that has nothing to do.
func TestOrderMilestone(t *testing.T) {
	const (
		files = "02-a/02-01-PLAN.md 02-a/02-02-PLAN.md 03-b/03-01-PLAN.md 03-b/03-02-PLAN.md"
		two   = "## v1.0 Old\n- [ ] Phase 2: A\n## 🚧 v1.1 New\n- [ ] Phase 3: B\n"
	)
	for _, c := range []asking{
		{
			name: "the latest commit is about another one", files: files, roadmap: two, log: []string{"docs: plan @02-01"},
			want: "03-01", because: []string{"roadmap-phase phase=3 path=ROADMAP.md line=4"}, also: "03-02",
		},
		{
			name: "a plan of another one is in flight", files: files, roadmap: two, log: []string{"feat(02-02): x"}, tasks: map[string]int{"02-02": 2},
			want: "02-02", because: []string{"has-commits count=1 commit=0000000 subject=feat(02-02): x", "active-phase phase=2 commit=0000000 subject=feat(02-02): x"}, also: "02-01",
		},
		{
			name: "the current one is to be planned", files: "02-a/02-01-PLAN.md", roadmap: two, log: []string{"docs: plan @02-01"},
			want: "phase 3", because: []string{"unplanned phase=3 path=ROADMAP.md line=4", "open-elsewhere count=1"}, also: "02-01",
		},
		{
			name: "the current one is done", files: "02-a/02-01-PLAN.md 03-b/03-01-PLAN.md 03-b/03-01-SUMMARY.md", roadmap: two, log: []string{"docs: plan @02-01"},
			want: "02-01", because: []string{"lowest-phase phase=2"},
		},
	} {
		t.Run(c.name, c.check)
	}
}

// A phase that waits for a person does not hold up what an agent can do.
func TestOrderWaitsForPerson(t *testing.T) {
	const files = "02-a/02-01-PLAN.md 02-a/02-01-SUMMARY.md 02-a/02-VERIFICATION.md 03-b/03-01-PLAN.md"
	for status, c := range map[string]asking{
		"human_needed": {want: "03-01", because: []string{"roadmap-phase phase=3 path=ROADMAP.md line=2"}},
		"gaps_found":   {want: "phase 2", because: []string{"not-passed phase=2 verification=gaps_found path=ROADMAP.md line=1"}, also: "03-01"},
	} {
		c.files, c.roadmap, c.verified = files, "### Phase 2: A\n### Phase 3: B\n", map[string]string{"02-a": status}
		t.Run(status, c.check)
	}
}

// What was asked for by name is not left out because it was left behind.
func TestOrderInLeftOver(t *testing.T) {
	c := asking{files: "02-a/02-01-PLAN.md 02-a/02-02-PLAN.md 03-b/03-01-PLAN.md", log: []string{"feat(03-01): x", "feat(02-01): x"}, tasks: map[string]int{"02-01": 2}}
	d := c.disk()
	if got := labels(OrderIn(c.question(d), d.Phases[0].Number)); got != "02-01 02-02" {
		t.Errorf("in phase 2: %q", got)
	}
	c = asking{files: "02-a/02-01-PLAN.md 02-a/02-02-PLAN.md 03-b/03-01-PLAN.md", roadmap: "- [x] Phase 2: A\n- [ ] Phase 3: B\n"}
	d = c.disk()
	if got := labels(OrderIn(c.question(d), d.Phases[0].Number)); got != "02-01 02-02" {
		t.Errorf("in phase 2, which is over: %q", got)
	}
}

// Where a project rests, what its latest commits say comes first: the phase that they prepare, what they completed.
func TestOrderAtRest(t *testing.T) {
	const (
		begun  = "02-a/02-01-PLAN.md 02-a/02-01-SUMMARY.md 02-a/02-02-PLAN.md "
		next   = "03-b/03-CONTEXT.md "
		phases = "### Phase 2: A\n### Phase 3: B\n### Phase 4: C\n"
	)
	for _, c := range []asking{
		{
			name: "the next phase is prepared", files: begun + next, roadmap: phases, log: []string{"docs(03): capture phase context @03-CONTEXT", "docs: plan @02-02"},
			want: "phase 3", because: []string{"prepared phase=3 documents=[context] commit=0000000 subject=docs(03): capture phase context"}, also: "02-02",
		},
		{
			name: "a later one first", files: begun + next + "04-c/04-RESEARCH.md", roadmap: phases, log: []string{"docs(04): research @04-RESEARCH", "docs(03): context @03-CONTEXT", "docs: plan @02-02"},
			want: "phase 3", because: []string{"prepared phase=3 documents=[context] commit=0000001"}, also: "02-02",
		},
		{
			name: "while a plan is in flight", files: begun + next, roadmap: phases, log: []string{"docs(03): context @03-CONTEXT", "feat(02-02): x"},
			want: "02-02", because: []string{"has-commits count=1", "active-phase phase=2"},
		},
		{
			name: "plans were written since", files: begun + next, roadmap: phases, log: []string{"docs: plan @02-02", "docs(03): context @03-CONTEXT"},
			want: "02-02", because: []string{"active-phase phase=2"},
		},
		{
			name: "its phase was completed, and opened again", files: begun + next, roadmap: phases, log: []string{"x", "docs(phase-02): complete phase execution", "feat(02-02): x"},
			want: "02-02", because: []string{"has-commits count=1", "active-phase phase=2"},
		},
		{
			name: "another milestone was archived", files: begun, roadmap: "## v1.0 Old (shipped)\n- [x] Phase 1: Z\n## v1.1 New\n- [ ] Phase 2: A\n", log: []string{"x", "chore: archive v1.0 milestone", "feat(02-02): x"},
			want: "02-02", because: []string{"has-commits count=1", "active-phase phase=2"},
		},
		{
			name: "plans and a context came at once", files: begun + next, roadmap: phases, log: []string{"docs: import @02-02 @03-CONTEXT"},
			want: "02-02", because: []string{"active-phase phase=2"},
		},
		{
			name: "its phase was completed", files: begun + next, roadmap: "- [x] Phase 2: A\n- [ ] Phase 3: B\n", log: []string{"docs(03): context @03-CONTEXT", "docs(phase-02): complete phase execution", "feat(02-02): x"},
			want: "phase 3", because: []string{"prepared phase=3"}, left: "02-02",
		},
		{
			name: "its phase was completed by the last commit", files: begun, roadmap: phases, log: []string{"docs(phase-02): close phase", "feat(02-02): x"},
			want: "02-02", because: []string{"has-commits count=1", "active-phase phase=2"},
		},
		{
			name: "work went on", files: begun + next, roadmap: phases, log: []string{"feat(02-02): y", "docs(phase-02): complete phase execution", "feat(02-02): x"},
			want: "02-02", because: []string{"has-commits count=2", "active-phase phase=2"},
		},
		{
			name: "its milestone was archived", files: begun, roadmap: "### Phase 3: B\n", log: []string{"chore: archive v1.2 milestone", "feat(02-02): x"},
			want: "phase 3", because: []string{"unplanned phase=3"}, also: "02-02", left: "02-02",
		},
		{
			name: "so was one that nobody began", files: begun, roadmap: "### Phase 3: B\n", log: []string{"chore: complete v1.2 milestone", "docs: summary @02-01"},
			want: "phase 3", because: []string{"unplanned phase=3"}, also: "02-02", left: "02-02",
		},
		{
			name: "but not one of a phase that counts", files: begun, roadmap: phases, log: []string{"chore: complete v1.2 milestone", "docs: summary @02-01"},
			want: "02-02", because: []string{"active-phase phase=2"},
		},
	} {
		t.Run(c.name, c.check)
	}
}

// What a verification found comes first, unless a commit called the phase complete.
func TestOrderGaps(t *testing.T) {
	c := asking{
		files:   "02-a/02-01-PLAN.md 02-a/02-01-SUMMARY.md 02-a/02-VERIFICATION.md",
		roadmap: "### Phase 2: A\n### Phase 3: B\n", verified: map[string]string{"02-a": "gaps_found"},
		want: "phase 2", because: []string{"not-passed phase=2 verification=gaps_found"},
	}
	t.Run("found", c.check)
	c.log = []string{"docs(02): complete phase"}
	c.want, c.because = "phase 3", []string{"not-verified phases=[{2 gaps_found}]", "unplanned phase=3"}
	t.Run("completed", c.check)
	c.log = []string{"feat(02-01): x", "docs(02): complete phase"}
	c.want, c.because = "phase 2", []string{"not-passed phase=2 verification=gaps_found"}
	t.Run("and worked on since", c.check)
	c.log = []string{"docs: verify again @02-VERIFICATION", "docs(02): complete phase"}
	t.Run("and verified since", c.check)
}
