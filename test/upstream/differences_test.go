package upstream

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/overview"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

// reason is a reason for an answer that differs from upstream's.
type reason struct {
	name   string
	why    string
	covers func(d difference) bool
}

// reasons lists why gsd is right, each with the package that has the rule, or the fault in upstream. The first that covers
// a difference counts.
var reasons = []reason{
	{
		"loose plans", "A plan that lies in phases/ itself is read as older projects have it; upstream does not look there.",
		func(d difference) bool {
			return d.ours(true) && (d.question == "plan" && looseName.MatchString(d.at) || d.question == "next" && looseName.MatchString(d.at))
		},
	},
	{
		"plans without task elements", "A plan may write its tasks as features or headings, or be its only task (package planfile), as older releases of upstream carried them out; today's inspects task elements only.",
		func(d difference) bool { return d.question == "tasks" && d.upstream == "[]" },
	},
	{
		"names in a task's text", "A name element in the code that a task quotes is no task (package planfile); upstream counts each.",
		func(d difference) bool {
			return d.question == "tasks" && strings.Count(d.upstream, `"`) > strings.Count(d.gsd, `"`)
		},
	},
	{
		"a summary is no plan", "Upstream takes plans/PLAN-01-SUMMARY.md for a plan, because its name begins like one.",
		func(d difference) bool {
			return d.question == "plan" && !d.ours(true) && strings.HasSuffix(d.at, "-SUMMARY.md")
		},
	},
	{
		"a summary of the nested layout", "In plans/ a summary may be called PLAN-01-SUMMARY.md, or by the number alone: upstream counts neither, and runs the plan again.",
		func(d difference) bool {
			return d.question == "closed" && d.ours(true) && path.Base(path.Dir(d.at)) == "plans"
		},
	},
	{
		"derived plans", "5-PLAN-DELTA-2026-05-05.md is a plan (package roadmap), as it was for older releases of upstream; today's wants a number behind PLAN.",
		func(d difference) bool {
			return d.ours(true) && strings.Contains(d.at, "-PLAN-DELTA-") || d.question == "ready" && strings.Contains(d.gsd, "-PLAN-DELTA-")
		},
	},
	{
		"numbers are compared as numbers", "In the directory of phase 5 the plans 02-PLAN.md and 5-2-PLAN.md have the summary 05-02-SUMMARY.md, and 5-PLAN-02-x.md has 5-SUMMARY-02-x.md, as in plans/ (package roadmap): upstream compares the texts.",
		func(d difference) bool {
			return d.question == "closed" && d.ours(true) && !d.isBlocked()
		},
	},
	{
		"superseded, and done", "A plan that has its summary was carried out, whatever its status says; upstream does not count it.",
		func(d difference) bool {
			return d.question == "plan" && d.ours(true) && d.superseded() && d.hasSummary()
		},
	},
	{
		"superseded where nobody began", "What a phase's plans say is read once one of them is done, or they are offered: reading them all takes longer than the rest.",
		func(d difference) bool {
			return d.question == "plan" && d.ours(true) && d.superseded() && d.begun() == 0
		},
	},
	{
		"blocked in a closed phase", "The summaries of an archive, and of a phase that the roadmap calls complete, are not read: there are many, and somebody looked at them when the phase was closed.",
		func(d difference) bool {
			return d.question == "closed" && d.ours(true) && d.isBlocked() && (d.phase().Archived || d.isTicked())
		},
	},
	{
		"plan.md in small letters", "Upstream counts plan.md as a plan and never runs it: a phase that has one is never complete.",
		func(d difference) bool {
			return d.question == "plan" && !d.ours(true) && path.Base(d.at) == "plan.md"
		},
	},
	{
		"an id of three numbers", "Where phases are numbered in each milestone 02-01-03 is plan 3 of phase 2-01 (package planref): extractCanonicalPlanId (core-utils.cjs) reads two of the numbers and calls it 02-01, as the phase is called, and all plans of the phase depend on each other.",
		func(d difference) bool {
			return d.question == "id" && d.convention("milestone-prefixed") && threeNumbers.MatchString(path.Base(d.upstream)) || d.question == "next" && d.convention("milestone-prefixed") && strings.Contains(d.upstream, "depends_on cycle")
		},
	},
	{
		"no verification", "A phase is complete when every plan has a summary and its verification, if there is one, passed (package roadmap): upstream never calls it complete without one.",
		func(d difference) bool {
			return d.question == "complete" && d.ours(true) && d.verification() == "missing"
		},
	},
	{
		"verified before it is done", "A phase with an open plan is not complete, nor is one without plans (package roadmap): upstream asks its verification alone.",
		func(d difference) bool {
			return (d.question == "complete" && !d.ours(true) || d.question == "current phase" && d.upstream == "") && d.verification() == "passed"
		},
	},
	{
		"two directories of one number", "They are reported, and ids that fit both are ambiguous (package roadmap): upstream finds neither, and gives an id that a file's name makes by chance.",
		func(d difference) bool {
			return (d.question == "directory" || d.question == "complete") && (d.upstream == "ambiguous" || d.twice()) || d.question == "id" && manyPlans.MatchString(d.gsd) || d.question == "next" && strings.Contains(d.upstream, "ambiguous")
		},
	},
	{
		"bracket directories", "GSD.02-05-core is the directory of phase 5 (package planref), as upstream's scan, state and roadmap read it: cmdFindPhase and cmdPhasePlanIndex (phase.cjs) leave the convention away when they look for it, and find none.",
		func(d difference) bool {
			return d.question == "directory" && d.upstream == "" && bracketDir.MatchString(path.Base(d.gsd)) || d.question == "next" && d.upstream == "Phase not found" && bracketDir.MatchString(path.Base(d.dir().Dir))
		},
	},
	{
		"directories of phase B7", "B7-2026-photos is the directory of phase B7, and so is GSD-B7-auth: upstream takes all numbers behind a letter for the phase's (derivePhaseTokenSegments, phase-id.cjs), and drops a project's code before a digit only.",
		func(d difference) bool {
			return d.question == "directory" && d.at == "B7" && d.gsd != "" || d.question == "next" && d.upstream == "Phase not found" && letterFirst.MatchString(path.Base(d.dir().Dir))
		},
	},
	{
		"unpadded directories", "2.1-api is the directory of phase 2.1, as 02.1-api is: upstream looks for the padded name alone.",
		func(d difference) bool {
			return d.question == "directory" && d.upstream == "" && unpadded.MatchString(path.Base(d.gsd)) || d.question == "next" && d.upstream == "Phase not found" && unpadded.MatchString(path.Base(d.dir().Dir))
		},
	},
	{
		"a slug of numbers", "05-80-20-rule is phase 5, whose slug begins with numbers; upstream takes them for parts of the number, and finds 2.1-80-20 not at all.",
		func(d difference) bool {
			return strings.Contains(d.at+d.gsd, "-80-20-") || strings.Contains(d.upstream, "-80-20-")
		},
	},
	{
		"a milestone without phases", "The milestone that STATE.md names is the current one (package roadmap), also before it has phases: upstream then takes those of the whole document, and where ids have brackets also when it only lists them (hasPhaseEntries, roadmap-parser.cjs).",
		func(d difference) bool {
			return d.question == "phase" && d.ours(false) && (d.currentIsEmpty() || d.convention("bracket") && !d.has(inHeading, ""))
		},
	},
	{
		"a phase of the progress table", "Progress tables are read (package roadmap); upstream reads of a table's phases only those of a table that plans them.",
		func(d difference) bool {
			return d.question == "phase" && d.ours(true) && d.has(inTable, d.at) && !d.has(inHeading, d.at) && !d.has(inList, d.at)
		},
	},
	{
		"no phases/", "Where there is no directory phases/ upstream counts nothing, not even the roadmap's phases.",
		func(d difference) bool { return d.upstream == "none" && len(d.told.Live) == 0 },
	},
	{
		"plans that upstream does not run", "What counts as a plan is offered as one. Upstream counts 3-PLAN-01-setup.md, warns of its name and never runs it.",
		func(d difference) bool {
			return d.question == "ready" && strings.Contains(d.gsd, "-PLAN-") && !strings.Contains(d.gsd, "plans/")
		},
	},
	{
		"declared waves", "The wave that a plan declares orders it (package roadmap); upstream makes the wave of depends_on alone, and warns.",
		func(d difference) bool {
			return (d.question == "ready" || d.question == "wave") && d.contradictsWave()
		},
	},
	{
		"words behind a name", "A phase's name is its name alone (package roadmap): upstream keeps the status behind it.",
		func(d difference) bool { return d.question == "name" && strings.HasPrefix(d.upstream, d.gsd+" - ") },
	},
	{
		"a tag before the phase", "### [GSD] Phase 3: API v2 is a phase (package roadmap), as it is for upstream's analyze: listMilestoneHeadings (roadmap-parser.cjs) takes it for a milestone, and countRoadmapPhaseHeadings (state.cjs) does not count it.",
		func(d difference) bool {
			return d.made != nil && strings.Contains(d.made.files["ROADMAP.md"], "[GSD] Phase") && (d.question == "milestone" && d.upstream == "v2" || d.question == "total phases" || d.question == "percent")
		},
	},
	{
		"no milestone is open", "The current milestone is one of the roadmap's that is not over (package roadmap): upstream believes STATE.md also where the roadmap has none, and else takes the first version that the text mentions (getMilestoneInfo, roadmap-parser.cjs).",
		func(d difference) bool {
			return d.question == "milestone" && d.gsd == "" && !slices.ContainsFunc(d.status.Milestones, func(m overview.Milestone) bool { return m.Status != overview.PhaseComplete })
		},
	},
	{
		"a ticked phase", "A phase that the roadmap calls complete is over, and a plan left open there is not offered (package roadmap); upstream gives the tick no authority (#2957, roadmap.cjs).",
		func(d difference) bool {
			return d.question == "any plan to do" && d.isTicked() || d.question == "current phase" && slices.Contains(d.ticked(), strings.ToUpper(d.upstream))
		},
	},
	{
		"two directories, counted once", "Of two directories of a number the one that has the phase's name or else plans is counted, and both are reported (package roadmap); upstream counts the first by name (#3355, state.cjs).",
		func(d difference) bool { return d.counts() && d.twice() },
	},
	{
		"work is one thing", "A phase whose plans all have summaries is done although its verification did not pass (package roadmap): upstream's 12 of 12 plans are 0 %.",
		func(d difference) bool {
			return (d.question == "completed phases" || d.question == "percent") && len(d.status.Position.Unverified) > 0
		},
	},
	{
		"work without files", "What was done counts although the plan's file is gone (package roadmap); upstream counts files only.",
		func(d difference) bool {
			return d.counts() && slices.ContainsFunc(d.status.Phases, func(ph overview.Phase) bool {
				return ph.Counted && (ph.Orphans > 0 || ph.Done > 0 && len(ph.Plans) == 0)
			})
		},
	},
	{
		"ticks that do not count", "A phase whose verification did not pass is not complete, and one of another milestone is not counted (package roadmap); upstream counts as many as the last milestone's section calls complete, with a table of all milestones behind it (flooredCompletedPhases, state.cjs).",
		func(d difference) bool {
			return (d.question == "completed phases" || d.question == "percent") && slices.ContainsFunc(d.status.Phases, func(ph overview.Phase) bool {
				other := ph.Milestone >= 0 && !d.status.Milestones[ph.Milestone].Current && d.has(inTable, key(ph.Number))
				return (ph.Unverified() != "" || other) && slices.Contains(d.ticked(), key(ph.Number))
			})
		},
	},
	{
		"kept from STATE.md", "Upstream keeps the numbers of STATE.md where they are further on than one that it counts, and then they contradict what it counts (shouldPreserveExistingProgress, state-document.cjs).",
		func(d difference) bool { return d.counts() && d.kept() },
	},
	{
		"phases that are not headings", "A phase counts that the roadmap names anywhere, or that has plans (package roadmap). Upstream counts the headings, or the directories of its window, which are all that there are where no phase is in it (listMilestonePhaseDirs, phase-locator.cjs); its current phase is of the headings.",
		func(d difference) bool {
			return d.counts() && (d.currentIsEmpty() || slices.ContainsFunc(d.status.Phases, func(ph overview.Phase) bool { return !ph.Archived && !d.analyzed(ph.Number) })) || d.question == "current phase" && d.gsd != "" && !d.analyzed(d.gsd)
		},
	},
	{
		"plans behind the roadmap", "A plan left open in a phase that the roadmap does not mention and is past is not offered (package roadmap); upstream runs it when it is asked for its phase.",
		func(d difference) bool { return d.question == "any plan to do" && d.phase().Line == 0 },
	},
	{
		"not yet mended: a verification that did not pass", "A phase whose plans are done and whose verification did not pass is what is worked on next.",
		func(d difference) bool {
			return d.question == "current phase" && slices.ContainsFunc(d.status.Phases, func(ph overview.Phase) bool {
				return key(ph.Number) == strings.ToUpper(d.upstream) && ph.Unverified() != "" && ph.Done == ph.Total
			})
		},
	},
	{
		"the order of phases", "A phase that has begun comes before one that has not, then the lower number (package roadmap); upstream takes the first heading.",
		func(d difference) bool { return d.question == "current phase" && d.gsd != "" && d.upstream != "" },
	},
	{
		"STATE.md names no milestone", "The current milestone is then the first that is not shipped (package roadmap); upstream counts the phases of all that no <details> folds.",
		func(d difference) bool {
			return (d.counts() || d.question == "milestone" || d.question == "phase") && d.made != nil && !strings.Contains(d.made.files["STATE.md"], "milestone: v") && len(d.status.Milestones) > 0
		},
	},
	{
		"numbers that start again", "A live directory is of the last phase with its number (package roadmap); upstream gives it to each.",
		func(d difference) bool {
			return (d.question == "directory" && d.gsd == "" || d.question == "complete" || d.question == "name") && d.count(d.at) > 1
		},
	},
}

var (
	looseName    = regexp.MustCompile(`^\.planning/phases/[^/]*\.md$`)
	manyPlans    = regexp.MustCompile(`matches \d+ plans`)
	letterFirst  = regexp.MustCompile(`^(GSD-)?B7\b`)
	bracketDir   = regexp.MustCompile(`^GSD\.\d\d-`)
	threeNumbers = regexp.MustCompile(`^(GSD-)?\d+-\d+(\.\d+)?-(PLAN-)?\d`)
	unpadded     = regexp.MustCompile(`^(GSD-)?\d(\D|$)`)
)

// ours reports whether gsd gave this answer.
func (d difference) ours(answer bool) bool {
	return d.gsd == map[bool]string{true: "true", false: "false"}[answer] || answer && d.question == "next"
}

// dir returns the directory of the plan in question, as upstream reads it.
func (d difference) dir() directory {
	return d.dirs[strings.TrimSuffix(path.Dir(d.at), "/plans")]
}

func (d difference) superseded() bool {
	dir := d.dir()
	return slices.Contains(dir.Superseded, strings.TrimPrefix(d.at, dir.Dir+"/"))
}

// verification returns the status of the verification of the phase in question, else of the one that gsd calls current.
func (d difference) verification() string {
	number := d.at
	if d.question == "current phase" {
		number = d.gsd
	}
	for _, ph := range d.status.Phases {
		if dir, ok := d.dirs[ph.Dir]; ok && key(ph.Number) == key(number) {
			return dir.Verification
		}
	}
	for _, dir := range d.told.Live {
		if dir.Key == key(number) || key(dir.Token) == key(number) || strings.HasSuffix(key(dir.Token), "-"+key(number)) {
			return dir.Verification
		}
	}
	return "missing"
}

// has reports whether the roadmap mentions a phase in a place; "" means any of the current milestone.
func (d difference) has(place, number string) bool {
	current := slices.IndexFunc(d.status.Milestones, func(m overview.Milestone) bool { return m.Current })
	return d.made != nil && slices.ContainsFunc(d.made.named, func(n naming) bool {
		return n.place == place && (number == n.number || number == "" && current >= 0 && n.milestone == d.status.Milestones[current].Label)
	})
}

// counts reports whether phases or plans were counted.
func (d difference) counts() bool {
	return strings.HasPrefix(d.question, "total") || strings.HasPrefix(d.question, "completed") || d.question == "percent"
}

// kept reports whether upstream's number of plans that are done is not that of the files that it counts.
func (d difference) kept() bool {
	done := 0
	for _, dir := range d.told.Live {
		if slices.Contains(d.told.Window.Value, path.Base(dir.Dir)) {
			done += len(dir.Closed)
		}
	}
	told := d.told.State.Progress.CompletedPlans
	return d.made == nil && told != nil && *told != done
}

// twice reports whether two live directories have the same number.
func (d difference) twice() bool {
	seen := map[string]bool{}
	return slices.ContainsFunc(d.told.Live, func(dir directory) bool {
		was := seen[dir.Key]
		seen[dir.Key] = true
		return was
	})
}

// analyzed reports whether upstream found a phase in the headings.
func (d difference) analyzed(number string) bool {
	return slices.ContainsFunc(d.told.Analyze.Phases, func(ph analyzed) bool { return key(ph.Number) == key(number) })
}

func (d difference) convention(name string) bool {
	return d.made != nil && strings.Contains(d.made.files["config.json"], name)
}

// hasSummary reports whether gsd calls the plan in question done.
func (d difference) hasSummary() bool {
	for _, ph := range d.status.Phases {
		for _, plan := range ph.Plans {
			if plan.Path == d.at {
				return plan.Status == overview.PlanDone
			}
		}
	}
	return false
}

// begun returns how many plans of its directory are done according to gsd.
func (d difference) begun() int { return d.phase().Done }

// isBlocked reports whether the summary that gsd found for the plan in question is blocked.
func (d difference) isBlocked() bool {
	dir := d.dir()
	inDir := func(name string) bool { return path.Dir(path.Join(dir.Dir, name)) == path.Dir(d.at) }
	var names []string
	for _, name := range slices.Concat(dir.Plans, dir.Summaries) {
		if inDir(name) {
			names = append(names, path.Base(name))
		}
	}
	summary, ok := planref.SummaryOf(d.at, names)
	return ok && slices.ContainsFunc(dir.Blocked, func(name string) bool { return inDir(name) && path.Base(name) == summary })
}

// isTicked reports whether the roadmap calls the phase in question complete.
func (d difference) isTicked() bool { return slices.Contains(d.ticked(), d.number()) }

// ticked returns the numbers of the phases that the roadmap calls complete.
func (d difference) ticked() []string {
	if d.made == nil {
		return nil
	}
	var numbers []string
	for _, ph := range roadmap.Parse([]byte(d.made.files["ROADMAP.md"]), "").Phases() {
		if ph.Status == roadmap.Complete {
			numbers = append(numbers, ph.Number.Key())
		}
	}
	return numbers
}

// number returns the number of the directory in question, or of the plan's.
func (d difference) number() string {
	dir := d.dir().Dir
	if dir == "" {
		dir = d.at
	}
	n, _, _ := planref.CutDir(path.Base(dir))
	return n.Key()
}

// phase returns gsd's phase of the plan in question.
func (d difference) phase() overview.Phase {
	if ph := d.pair.ours[d.dir().Dir]; ph != nil {
		return *ph
	}
	return overview.Phase{}
}

// contradictsWave reports whether a plan beside the one in question, or in the directory in question, declares a wave.
func (d difference) contradictsWave() bool {
	at := d.at
	if d.question == "wave" {
		at = d.dir().Dir
	}
	for _, name := range d.dirs[at].Plans {
		if d.made == nil || strings.Contains(d.made.files[strings.TrimPrefix(path.Join(at, name), ".planning/")], "wave: ") {
			return true
		}
	}
	return false
}

// currentIsEmpty reports whether the roadmap has no phase of the current milestone that counts.
func (d difference) currentIsEmpty() bool {
	return !slices.ContainsFunc(d.status.Phases, func(ph overview.Phase) bool {
		return ph.Line > 0 && ph.Milestone >= 0 && d.status.Milestones[ph.Milestone].Current && !isSentinel(ph.Number)
	})
}

// count returns how many of gsd's phases have a number.
func (d difference) count(number string) int {
	n := 0
	for _, ph := range d.status.Phases {
		if key(ph.Number) == key(number) {
			n++
		}
	}
	return n
}
