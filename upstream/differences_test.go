package upstream

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/hydrate"
)

// reason is why gsd answers a question otherwise than upstream does.
type reason struct {
	name   string
	why    string
	covers func(d difference) bool
}

// reasons are those why gsd is right, each with the place in docs/design.md or the fault of upstream's. The first that
// covers a difference counts.
var reasons = []reason{
	{
		"loose plans", "A plan that lies in phases/ itself is read as older projects have it; upstream does not look there.",
		func(d difference) bool {
			return d.ours(true) && (d.question == "plan" && looseName.MatchString(d.at) || d.question == "next" && looseName.MatchString(d.at))
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
		"derived plans", "5-PLAN-DELTA-2026-05-05.md is a plan (docs/design.md, roadmap), as it was for older releases of upstream; today's wants a number behind PLAN.",
		func(d difference) bool {
			return d.ours(true) && strings.Contains(d.at, "-PLAN-DELTA-") || d.question == "ready" && strings.Contains(d.gsd, "-PLAN-DELTA-")
		},
	},
	{
		"numbers are compared as numbers", "In the directory of phase 5 the plans 02-PLAN.md and 5-2-PLAN.md have the summary 05-02-SUMMARY.md, and 5-PLAN-02-x.md has 5-SUMMARY-02-x.md, as in plans/ (docs/design.md, roadmap): upstream compares the texts.",
		func(d difference) bool {
			return d.question == "closed" && d.ours(true) && len(d.plans[d.at].dir.Blocked) == 0
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
			return d.question == "closed" && d.ours(true) && len(d.plans[d.at].dir.Blocked) > 0 && d.isClosed()
		},
	},
	{
		"plan.md in small letters", "Upstream counts plan.md as a plan and never runs it: a phase that has one is never complete.",
		func(d difference) bool {
			return d.question == "plan" && !d.ours(true) && path.Base(d.at) == "plan.md"
		},
	},
	{
		"an id of three numbers", "Where phases are numbered in each milestone 02-01-03 is plan 3 of phase 2-01 (docs/design.md, roadmap: Numbers): upstream reads two of the numbers and calls it 02-01, as the phase is called.",
		func(d difference) bool {
			return d.question == "id" && d.convention("milestone-prefixed") && threeNumbers.MatchString(path.Base(d.upstream))
		},
	},
	{"not yet mended: B7", "A letter may come before a phase's number.", func(d difference) bool {
		return letterFirst.MatchString(path.Base(d.at)) || letterFirst.MatchString(path.Base(path.Dir(d.at)))
	}},
	{"not yet mended: milestone-prefixed", "", func(d difference) bool { return d.convention("milestone-prefixed") }},
	{"not yet mended: bracket", "", func(d difference) bool { return d.convention("bracket") }},
	{"not yet mended: tag before the phase", "", func(d difference) bool {
		return d.made != nil && d.question == "phase" && !d.ours(true) && strings.Contains(d.made.files["ROADMAP.md"], "[GSD] Phase "+d.at+":")
	}},
	{"not yet mended: the milestone", "", func(d difference) bool { return d.question == "milestone" }},
	{
		"no verification", "A phase is complete when every plan has a summary and its verification, if there is one, passed (docs/design.md, roadmap): upstream never calls it complete without one.",
		func(d difference) bool {
			return d.question == "complete" && d.ours(true) && d.verification() == "missing"
		},
	},
	{
		"verified before it is done", "A phase with an open plan is not complete, nor is one without plans (docs/design.md, roadmap): upstream asks its verification alone.",
		func(d difference) bool {
			return d.question == "complete" && !d.ours(true) && d.verification() == "passed"
		},
	},
	{
		"two directories of one number", "They are reported, and ids that fit both are ambiguous (docs/design.md, roadmap): upstream finds neither, and gives an id that a file's name makes by chance.",
		func(d difference) bool {
			return d.question == "directory" && d.upstream == "ambiguous" || d.question == "id" && strings.Contains(d.gsd, "fits 2 plans") || d.question == "next" && strings.Contains(d.upstream, "ambiguous")
		},
	},
	{
		"unpadded directories", "2.1-api is the directory of phase 2.1, as 02.1-api is: upstream looks for the padded name alone.",
		func(d difference) bool {
			return d.question == "directory" && d.upstream == "" && unpadded.MatchString(path.Base(d.gsd)) || d.question == "next" && d.upstream == "Phase not found" && unpadded.MatchString(path.Base(d.dir().Dir)) || d.question == "complete" && d.hasUnpadded()
		},
	},
	{
		"a slug of numbers", "05-80-20-rule is phase 5, whose slug begins with numbers; upstream takes them for parts of the number, and finds 2.1-80-20 not at all.",
		func(d difference) bool {
			return strings.Contains(d.at+d.gsd, "-80-20-") || strings.Contains(d.upstream, "-80-20-") || d.question == "complete" && d.hasDir("-80-20-")
		},
	},
	{
		"STATE.md names no milestone", "The current milestone is then the first that is not shipped (docs/design.md, roadmap); upstream counts the phases of all that no <details> folds.",
		func(d difference) bool {
			return d.made != nil && !strings.Contains(d.made.files["STATE.md"], "milestone: v") && len(d.status.Milestones) > 0
		},
	},
	{
		"a milestone without phases", "The milestone that STATE.md names is the current one (docs/design.md, roadmap), also before it has phases: upstream then takes those of the whole document.",
		func(d difference) bool { return d.question == "phase" && d.ours(false) && d.currentIsEmpty() },
	},
	{
		"a phase of the progress table", "Progress tables are read (docs/design.md, roadmap); upstream reads of a table's phases only those of a table that plans them.",
		func(d difference) bool {
			return d.made != nil && d.question == "phase" && d.ours(true) && strings.Contains(d.made.files["ROADMAP.md"], "| "+d.at+". ")
		},
	},
	{
		"phases of a list alone", "A phase that only a list names is one (docs/design.md, roadmap); upstream sees it missing and never calls it the current one.",
		func(d difference) bool { return d.question == "current phase" && len(d.told.Analyze.Missing) > 0 },
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
		"declared waves", "The wave that a plan declares orders it (docs/design.md, roadmap: Next plan); upstream makes the wave of depends_on alone, and warns.",
		func(d difference) bool {
			return (d.question == "ready" || d.question == "wave") && d.contradictsWave()
		},
	},
	{"not yet mended: percent", "", func(d difference) bool { return d.question == "percent" }},
	{"not yet mended: counts", "", func(d difference) bool {
		return strings.HasPrefix(d.question, "total") || strings.HasPrefix(d.question, "completed")
	}},
	{"not yet mended: position", "", func(d difference) bool { return d.question == "current phase" || d.question == "any plan to do" }},
	{
		"words behind a name", "A phase's name is its name alone (docs/design.md, roadmap): upstream keeps the status behind it.",
		func(d difference) bool { return d.question == "name" && strings.HasPrefix(d.upstream, d.gsd+" - ") },
	},
	{
		"numbers that start again", "A live directory is of the last phase with its number (docs/design.md, roadmap); upstream gives it to each.",
		func(d difference) bool { return d.question == "directory" && d.gsd == "" && d.count(d.at) > 1 },
	},
	{"not yet looked at", "", func(d difference) bool { return true }},
}

var (
	looseName    = regexp.MustCompile(`^\.planning/phases/[^/]*\.md$`)
	letterFirst  = regexp.MustCompile(`^(GSD-)?B7\b`)
	threeNumbers = regexp.MustCompile(`^(GSD-)?\d+-\d+(\.\d+)?-(PLAN-)?\d`)
	unpadded     = regexp.MustCompile(`^(GSD-)?\d(\D|$)`)
)

// ours reports whether gsd's answer is this one.
func (d difference) ours(answer bool) bool {
	return d.gsd == map[bool]string{true: "true", false: "false"}[answer] || answer && d.question == "next"
}

// dir is the directory of the plan that was asked about, as upstream reads it.
func (d difference) dir() directory {
	return d.dirs[strings.TrimSuffix(path.Dir(d.at), "/plans")]
}

func (d difference) superseded() bool {
	dir := d.dir()
	return slices.Contains(dir.Superseded, strings.TrimPrefix(d.at, dir.Dir+"/"))
}

// verification is the status of the phase's that was asked about.
func (d difference) verification() string {
	for _, ph := range d.status.Phases {
		if dir, ok := d.dirs[ph.Dir]; ok && key(ph.Number) == key(d.at) {
			return dir.Verification
		}
	}
	for _, dir := range d.told.Live {
		if dir.Key == key(d.at) || key(dir.Token) == key(d.at) || strings.HasSuffix(key(dir.Token), "-"+key(d.at)) {
			return dir.Verification
		}
	}
	return "missing"
}

// hasDir reports whether a live directory of the number that was asked about has a word in its name.
func (d difference) hasDir(word string) bool {
	return slices.ContainsFunc(d.told.Live, func(dir directory) bool {
		base := path.Base(dir.Dir)
		return strings.Contains(base, word) && strings.HasPrefix(key(strings.TrimPrefix(base, "GSD-")), key(d.at)+"-")
	})
}

func (d difference) convention(name string) bool {
	return d.made != nil && strings.Contains(d.made.files["config.json"], name)
}

// hasSummary reports whether gsd calls the plan that was asked about done.
func (d difference) hasSummary() bool {
	for _, ph := range d.status.Phases {
		for _, plan := range ph.Plans {
			if plan.Path == d.at {
				return plan.Status == hydrate.PlanDone
			}
		}
	}
	return false
}

// begun is how many plans of its directory are done, as gsd counts.
func (d difference) begun() int { return d.phase().Done }

// isClosed reports whether the roadmap calls its phase complete, or it lies in the archive.
func (d difference) isClosed() bool {
	return d.phase().Archived || d.phase().Status == hydrate.PhaseComplete
}

// phase is gsd's, of the plan that was asked about.
func (d difference) phase() hydrate.Phase {
	if ph := d.pair.ours[d.dir().Dir]; ph != nil {
		return *ph
	}
	return hydrate.Phase{}
}

// contradictsWave reports whether a plan beside the one that was asked about, or in the directory, declares a wave.
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
	return !slices.ContainsFunc(d.status.Phases, func(ph hydrate.Phase) bool {
		return ph.Line > 0 && ph.Milestone >= 0 && d.status.Milestones[ph.Milestone].Current && !isSentinel(ph.Number)
	})
}

// hasUnpadded reports whether the phase that was asked about has a directory whose name upstream does not find.
func (d difference) hasUnpadded() bool {
	return slices.ContainsFunc(d.status.Phases, func(ph hydrate.Phase) bool {
		return key(ph.Number) == key(d.at) && unpadded.MatchString(path.Base(ph.Dir)) && !ph.Archived
	})
}

// count is how many of gsd's phases have a number.
func (d difference) count(number string) int {
	n := 0
	for _, ph := range d.status.Phases {
		if key(ph.Number) == key(number) {
			n++
		}
	}
	return n
}
