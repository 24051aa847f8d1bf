package overview

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/next"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/roadmap"
	"github.com/gsd-cli/gsd/internal/statefile"
)

func of(t *testing.T, text, files string, live, ready map[string]bool) *Overview {
	t.Helper()
	return Of(surveyOf(t, text, files), live, ready, nil)
}

// surveyOf reads a project with a roadmap and, by their names, plans and summaries.
func surveyOf(t *testing.T, text, files string) *project.Survey {
	t.Helper()
	dir := t.TempDir()
	all := map[string]string{"ROADMAP.md": text}
	for _, name := range strings.Fields(files) {
		name, content, ok := strings.Cut(name, "=")
		if !ok && strings.HasSuffix(name, "PLAN.md") {
			content = "<task type=\"auto\">;<name>Burn</name>;</task>;"
		}
		all[name] = strings.NewReplacer(";", "\n", "~", " ").Replace(content)
	}
	for name, content := range all {
		file := filepath.Join(dir, planref.Planning, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	p.Allow(project.DefaultLimit, project.CommandFiles)
	disk := p.Phases(planref.Planning)
	disk.Quick = p.Quick(planref.Planning)
	return p.Survey(disk, nil)
}

const (
	two = "# Roadmap: Kiln\n\n## Phases\n\n- [x] **Phase 1: Clay** - dig\n- [ ] **Phase 2: Fire** - burn\n"
	old = "# Roadmap\n\n## Milestones\n\n- [x] **v1.0 Mud** - Phases 1-1 (shipped 2026-01-02)\n- [ ] **v1.1 Fire** - Phases 2-3 (in progress)\n\n" +
		"## Phases\n\n### v1.1 Fire\n\n- [ ] **Phase 2: Fire**\n- [ ] **Phase 3: Glaze**\n"

	done1 = "phases/01-clay/01-01-PLAN.md phases/01-clay/01-01-SUMMARY.md "
	fire  = "phases/02-fire/02-01-PLAN.md phases/02-fire/02-02-PLAN.md "
)

func TestPosition(t *testing.T) {
	for name, test := range map[string]struct {
		roadmap, files string
		want           string // phase, its place, its plans; all phases, all plans, the share; what STATE.md says
	}{
		"nothing is planned":       {two, "", `2 "Fire" 2 of 2; plan 0 of 0, 0 done; phases 1 of 2, plans 0 of 0, 50%; Ready to plan`},
		"the second is to do":      {two, done1 + fire, `2 "Fire" 2 of 2; plan 1 of 2, 0 done; phases 1 of 2, plans 1 of 3, 33%; Ready to execute`},
		"half of it is done":       {two, done1 + fire + "phases/02-fire/02-01-SUMMARY.md", `2 "Fire" 2 of 2; plan 2 of 2, 1 done; phases 1 of 2, plans 2 of 3, 50%; In progress`},
		"to plan next":             {two, done1, `2 "Fire" 2 of 2; plan 0 of 0, 0 done; phases 1 of 2, plans 1 of 1, 50%; Ready to plan`},
		"all is done":              {strings.ReplaceAll(two, "[ ]", "[x]"), done1, `"" 0 of 2; plan 0 of 0, 0 done; phases 2 of 2, plans 1 of 1, 100%; Milestone complete`},
		"work is one thing":        {strings.ReplaceAll(two, "[ ]", "[x]"), done1 + "phases/01-clay/01-VERIFICATION.md=---;status:human_needed;---;", `1 "Clay" 1 of 2; plan 0 of 1, 1 done; phases 2 of 2, plans 1 of 1, 99%; In progress`},
		"in a second directory":    {two, done1 + fire + "phases/02-old/02-01-PLAN.md phases/02-old/02-01-SUMMARY.md", `2 "Fire" 2 of 2; plan 1 of 2, 0 done; phases 1 of 2, plans 1 of 3, 33%; Ready to execute`},
		"no roadmap and no plan":   {"# Roadmap\n", "phases/01-clay/01-CONTEXT.md", `1 "" 0 of 0; plan 0 of 0, 0 done; phases 0 of 0, plans 0 of 0, -1%; Ready to plan`},
		"of the current milestone": {old, fire, `2 "Fire" 1 of 2; plan 1 of 2, 0 done; phases 0 of 2, plans 0 of 2, 0%; Ready to execute`},
	} {
		t.Run(name, func(t *testing.T) {
			o := of(t, test.roadmap, test.files, nil, nil)
			p, state := o.Position, o.StatePosition()
			got := strings.TrimSpace(fmt.Sprintf("%s %q %d of %d; plan %d of %d, %d done; phases %d of %d, plans %d of %d, %d%%; %s", p.Phase, p.PhaseName,
				p.PhaseIndex, p.Phases, p.Plan, p.Plans, p.PlansDone, p.PhasesDone, p.Phases, p.AllDone, p.AllPlans, p.Percent, state.Status))
			if got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// TestUnread: of a roadmap that cannot be read it is unknown which phases count, and whether everything is done.
func TestUnread(t *testing.T) {
	o := of(t, "\xff\xfe\x00", done1, nil, nil)
	if p := o.Position; p.Percent != -1 {
		t.Errorf("%d%%", p.Percent)
	}
	if p := o.StatePosition(); p.Status == statefile.MilestoneComplete || p.TotalPhases != 0 || p.TotalPlans != 0 {
		t.Errorf("STATE.md would say %+v", p)
	}
}

func TestMilestones(t *testing.T) {
	o := of(t, old, fire+"milestones/v0.9-phases/01-hut/01-01-PLAN.md", nil, nil)
	var got []string
	for _, m := range o.Milestones {
		got = append(got, fmt.Sprintf("%s %s: %s, %v, %d of %d", m.Label, m.Name, m.Status, m.Current, m.PlansDone, m.Plans))
	}
	const want = "v0.9 : complete, false, 0 of 1\nv1.0 Mud: complete, false, 0 of 0\nv1.1 Fire: in-progress, true, 0 of 2"
	if got := strings.Join(got, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if p := o.StatePosition(); p.Milestone != "v1.1" || p.MilestoneName != "Fire" || !p.Milestones {
		t.Errorf("STATE.md would say %+v", p)
	}
}

// TestPlanStatus: a plan is done by its summary, in progress by its users, and ready only if neither.
func TestPlanStatus(t *testing.T) {
	const dir = planref.Planning + "/phases/"
	at := func(names ...string) map[string]bool {
		plans := map[string]bool{}
		for _, name := range names {
			plans[dir+name] = true
		}
		return plans
	}
	for name, test := range map[string]struct {
		live, ready map[string]bool
		want        string
	}{
		"nobody knows anything": {nil, nil, "complete: done; planned: open open"},
		"one is ready":          {nil, at("02-fire/02-01-PLAN.md"), "complete: done; planned: ready open"},
		"somebody works on it":  {at("02-fire/02-01-PLAN.md"), at("02-fire/02-01-PLAN.md", "02-fire/02-02-PLAN.md"), "complete: done; in-progress: in-progress ready"},
		"somebody on what is done": {
			at("01-clay/01-01-PLAN.md"), at("01-clay/01-01-PLAN.md"), "complete: done; planned: open open",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, ph := range of(t, two, done1+fire, test.live, test.ready).Phases {
				text := string(ph.Status) + ":"
				for _, plan := range ph.Plans {
					text += " " + string(plan.Status)
				}
				got = append(got, text)
			}
			if got := strings.Join(got, "; "); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// TestVerification: a phase whose verification did not pass is the current one, and not called ready to plan.
func TestVerification(t *testing.T) {
	o := of(t, two, done1+"phases/01-clay/01-VERIFICATION.md=---;status:gaps_found;---;", nil, nil)
	if ph := o.Current(); ph == nil || ph.Number != "1" || ph.Unverified() != "gaps_found" {
		t.Errorf("the current phase is %+v", ph)
	}
	if p := o.StatePosition(); p.Status != statefile.InProgress {
		t.Errorf("STATE.md would say %q", p.Status)
	}
	if ph := o.Current(); ph.Status != PhaseDone || strings.Join(o.Position.Unverified, " ") != "1" {
		t.Errorf("the phase is %s, and not verified are %v", ph.Status, o.Position.Unverified)
	}
	if (Phase{Verification: "passed"}).Unverified() != "" {
		t.Error("what passed is not verified")
	}
}

// TestCounted: the rows that count have the sum of the position, and the milestone that of its own.
func TestCounted(t *testing.T) {
	text := strings.ReplaceAll(old, "- [ ] **Phase 3: Glaze**", "- [x] **Phase 3: Glaze** (2/2 plans)\n- [ ] ~~**Phase 4: Sell**~~")
	o := of(t, text, fire+"phases/02-fire/02-03-SUMMARY.md phases/02-other/02-01-PLAN.md phases/999.1-x/999.1-01-PLAN.md milestones/v0.9-phases/01-hut/01-01-PLAN.md "+
		"phases/03-glaze/03-VERIFICATION.md=---;status:gaps_found;---;", nil, nil)
	var got []string
	for _, ph := range o.Phases {
		got = append(got, fmt.Sprintf("%s %s %d/%d %v %d %s", ph.Number, ph.Status, ph.Done, ph.Total, ph.Counted, ph.Orphans, ph.LeftOut))
	}
	const want = "1 planned 0/1 false 0 \n2 in-progress 1/3 true 1 \n2 planned 0/1 false 0 repeated\n3 done 2/2 true 0 \n" +
		"4 deferred 0/0 false 0 struck-out\n999.1 planned 0/1 false 0 reserved"
	if got := strings.Join(got, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	p, m := o.Position, o.Milestones[2]
	if p.AllDone != 3 || p.AllPlans != 5 || p.PhasesDone != 1 || p.Phases != 2 || p.Percent != 50 {
		t.Errorf("%+v", p)
	}
	if m.PlansDone != 3 || m.Plans != 5 || m.PhasesDone != 1 || m.Phases != 2 || !m.Current {
		t.Errorf("%+v", m)
	}
}

// TestOpenPlanInClosedPhase: the current milestone is in progress at 67 %, whatever boxes are ticked.
func TestOpenPlanInClosedPhase(t *testing.T) {
	o := of(t, strings.ReplaceAll(old, "- [ ] **Phase", "- [x] **Phase"), fire+"phases/02-fire/02-01-SUMMARY.md phases/03-glaze/03-01-PLAN.md phases/03-glaze/03-01-SUMMARY.md", nil, nil)
	if p, m := o.Position, o.Milestones[1]; p.Percent != 67 || m.Status != PhaseInProgress || m.PhasesDone != 2 {
		t.Errorf("%d %%, %+v", p.Percent, m)
	}
}

// TestQuick: a quick task has the name of its directory.
func TestQuick(t *testing.T) {
	o := of(t, two, "quick/001-fix-the-menu/001-PLAN.md quick/7-odd/7-PLAN.md quick/260322-14r-tidy-up/260322-14r-PLAN.md quick/008/PLAN.md "+
		"quick/009-PLAN.md quick/x_y/PLAN.md", nil, nil)
	var got []string
	for _, q := range o.Quick {
		got = append(got, q.ID+": "+q.Title)
	}
	const want = "quick/001: fix the menu, quick/7: odd, quick/008: , quick/260322-14r: tidy up, quick/x_y: , quick/009: "
	if got := strings.Join(got, ", "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestCommits: commits put a plan in progress, no matter who has a session, and its phase in progress.
func TestCommits(t *testing.T) {
	s := surveyOf(t, two, done1+fire)
	s.Evidence.Work = map[string]*next.Work{planref.Planning + "/phases/02-fire/02-02-PLAN.md": {}}
	ph := Of(s, nil, nil, nil).Phases[1]
	if ph.Status != PhaseInProgress || ph.Plans[0].Status != PlanOpen || ph.Plans[1].Status != PlanInProgress {
		t.Errorf("got %+v", ph)
	}
	due := map[string]next.Reason{ph.Plans[0].Path: {Code: next.TasksOver, Former: true}}
	s.Evidence.Work = nil
	if ph := Of(s, nil, map[string]bool{ph.Plans[0].Path: true}, due).Phases[1]; ph.Status != PhaseInProgress || ph.Plans[0].Status != PlanDue {
		t.Errorf("of a plan that only lacks its summary, got %+v", ph)
	}
	s.Evidence.Work = map[string]*next.Work{planref.Planning + "/phases/02-fire/02-02-PLAN.md": {}}
	if state := Of(s, nil, nil, nil).StatePosition(); state.Status != statefile.InProgress {
		t.Errorf("STATE.md would say %q", state.Status)
	}
}

// TestActivity: git stores any year, JSON and STATE.md do not.
func TestActivity(t *testing.T) {
	for year, want := range map[int]bool{-1: false, 0: false, 1: true, 2026: true, 9999: true, 10000: false} {
		when := time.Date(year, 5, 5, 0, 0, 0, 0, time.UTC)
		got := activity(evidence.Commit{When: when, Subject: "x"})
		if got != (Activity{}) != want || want && (!got.When.Equal(when) || got.What != "x") {
			t.Errorf("%d: got %+v", year, got)
		}
	}
}

func TestMilestoneStatus(t *testing.T) {
	for _, test := range []struct {
		is   Milestone
		want PhaseStatus
	}{
		{Milestone{Status: PhaseNotPlanned, Current: true}, PhaseNotPlanned}, // it has no phases
		{Milestone{Status: PhaseNotPlanned, Phases: 2}, PhaseNotPlanned},
		{Milestone{Status: PhaseNotPlanned, Phases: 2, Current: true}, PhaseInProgress},
		{Milestone{Status: PhaseNotPlanned, Phases: 2, PhasesDone: 1}, PhaseInProgress},
		{Milestone{Status: PhaseNotPlanned, Phases: 2, PlansDone: 1}, PhaseInProgress},
		{Milestone{Status: PhaseInProgress, Phases: 2, PhasesDone: 2}, PhaseComplete},
		{Milestone{Status: PhaseDeferred, Phases: 2, PhasesDone: 2}, PhaseDeferred},
		{Milestone{Status: PhaseComplete, Phases: 2, PhasesDone: 1}, PhaseComplete},
	} {
		got := test.is
		if got.setStatus(); got.Status != test.want {
			t.Errorf("%+v: got %s, want %s", test.is, got.Status, test.want)
		}
	}
}

// TestArchivedPhase: a number that restarts is that of the phase that is not archived, and the last of those.
func TestArchivedPhase(t *testing.T) {
	o := of(t, "# Roadmap\n\n## v1.1 Fire\n\n- [ ] **Phase 1: Ash**\n", "milestones/v1.0-phases/01-mud/01-01-PLAN.md milestones/v1.0-phases/01-mud/01-01-SUMMARY.md", nil, nil)
	if ph := o.Current(); ph == nil || ph.Name != "Ash" || ph.Archived || ph.Version != "1.1" {
		t.Errorf("the current phase is %+v", ph)
	}
	if ph := o.Phases[0]; !ph.Archived || ph.Version != "1" || ph.Milestone != 0 {
		t.Errorf("the archived one is %+v", ph)
	}
	if n := len(o.Milestones); n != 2 {
		t.Errorf("%d milestones", n)
	}
}

// TestArchivedTwice: an archive of several phases that the roadmap does not list is one milestone.
func TestArchivedTwice(t *testing.T) {
	o := of(t, two, "milestones/mvp-phases/05-mud/05-01-PLAN.md milestones/mvp-phases/06-hay/06-01-PLAN.md", nil, nil)
	if len(o.Milestones) != 1 || o.Milestones[0].Label != "mvp" || o.Milestones[0].Phases != 2 {
		t.Errorf("got %+v", o.Milestones)
	}
}

func TestStateStatus(t *testing.T) {
	plan := &roadmap.Plan{}
	done, open := Phase{Number: "1", Name: "Clay", Status: PhaseComplete, Done: 2, Total: 2}, Phase{Number: "2", Name: "Fire", Status: PhasePlanned, Total: 3}
	current := func(ph Phase) Phase { ph.Current = true; return ph }
	number := func(text string) planref.Number { n, _ := planref.ParseNumber(text); return n }
	for name, test := range map[string]struct {
		is   Overview
		want statefile.Status
	}{
		"nothing is there":             {Overview{}, ""},
		"all is complete":              {Overview{Phases: []Phase{done}}, statefile.MilestoneComplete},
		"the rest is deferred":         {Overview{Phases: []Phase{done, {Status: PhaseDeferred}}}, statefile.MilestoneComplete},
		"the roadmap was not read":     {Overview{Phases: []Phase{done}, unread: true}, ""},
		"a phase is to plan":           {Overview{Phases: []Phase{done}, Next: next.Answer{Phase: number("2")}}, ""},
		"others are ready":             {Overview{Phases: []Phase{done}, Next: next.Answer{AlsoReady: []*roadmap.Plan{plan}}}, ""},
		"the current one is to plan":   {Overview{Phases: []Phase{done, current(open)}}, statefile.ReadyToPlan},
		"the current one is to verify": {Overview{Phases: []Phase{current(open)}, Next: next.Answer{Unverified: "gaps_found"}}, statefile.ReadyToExecute},
		"its first plan comes next":    {Overview{Phases: []Phase{done, current(open)}, Next: next.Answer{Plan: plan}}, statefile.ReadyToExecute},
		"its second plan comes next": {
			Overview{Phases: []Phase{current(Phase{Status: PhasePlanned, Done: 1})}, Next: next.Answer{Plan: plan}}, statefile.InProgress,
		},
		"somebody works on its first": {
			Overview{Phases: []Phase{current(Phase{Status: PhaseInProgress})}, Next: next.Answer{Plan: plan}}, statefile.InProgress,
		},
	} {
		if got := test.is.StatePosition(); got.Status != test.want {
			t.Errorf("%s: got %q, want %q", name, got.Status, test.want)
		}
	}
}

// TestStatePosition: what STATE.md says of the phase when all is done, and of plans between two of them.
func TestStatePosition(t *testing.T) {
	over := Overview{Phases: []Phase{
		{Number: "1", Status: PhaseComplete}, {Number: "2.1", Name: "Fire", Status: PhaseComplete, Done: 2, Total: 2},
	}}
	p := over.StatePosition()
	if p.Phase.String() != "2.1" || p.PhaseName != "Fire" || p.Plan != 2 || p.Plans != 2 {
		t.Errorf("all is done: %+v", p)
	}
	if name := p.Names(p.Phase); name != "Fire" {
		t.Errorf("phase 2.1 is called %q", name)
	}
	between := Overview{Position: Position{Phase: "1", Plans: 3, PlansDone: 2, Percent: 40, Phases: 5, PhasesDone: 1, AllPlans: 5, AllDone: 2}}
	if p := between.StatePosition(); p.Plan != 2 || p.TotalPhases != 5 || p.DonePhases != 1 || p.TotalPlans != 5 || p.DonePlans != 2 || p.Percent != 40 {
		t.Errorf("between two plans: %+v", p)
	}
}

// TestUnbounded: without knowing which phases count, nothing is a share of them.
func TestUnbounded(t *testing.T) {
	cut := surveyOf(t, two, done1)
	cut.Roadmap.Cut = 1
	if p := Of(cut, nil, nil, nil).Position; p.Percent != -1 {
		t.Errorf("of a roadmap that was cut, %d%%", p.Percent)
	}
	// STATE.md names a milestone that the roadmap does not have.
	if p := of(t, old, fire+"STATE.md=---;milestone:~v9.9;---;", nil, nil).Position; p.Percent != -1 {
		t.Errorf("of an unknown milestone, %d%% of %d phases", p.Percent, p.Phases)
	}
}
