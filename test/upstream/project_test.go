package upstream

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/planref"
)

// project is the planning directory of a random project.
type project struct {
	names []string // in the order they are written: a verification is never older than what it verified
	files map[string]string
	ids   []string // of its phases
	named []naming
}

// naming is a set of places in the roadmap that name a phase.
type naming struct{ place, number, milestone string }

// The places.
const (
	inHeading = "heading"
	inList    = "list"
	inTable   = "table"
)

func (p *project) add(name, text string) {
	if p.files == nil {
		p.files = map[string]string{}
	}
	if _, ok := p.files[name]; !ok {
		p.names = append(p.names, name)
	}
	p.files[name] = text
}

// write writes the project to dir.
func (p *project) write(dir string) error {
	for _, name := range p.names {
		at := filepath.Join(dir, ".planning", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(at, []byte(p.files[name]), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// String formats the project as a txtar archive.
func (p *project) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(slices.Values(p.names)) {
		fmt.Fprintf(&b, "-- %s --\n%s", name, p.files[name])
	}
	return b.String()
}

// oneOf draws one of the values. The first should be the simplest, because failures shrink towards it.
func oneOf[T any](t *rapid.T, what string, values ...T) T {
	return values[rapid.IntRange(0, len(values)-1).Draw(t, what)]
}

// seldom returns true one time in n.
func seldom(t *rapid.T, what string, n int) bool { return rapid.IntRange(0, n-1).Draw(t, what) == n-1 }

// made is the state while a project is drawn.
type made struct {
	*rapid.T
	project
	convention string
	more       []string // ids of phases
	code       string   // the project's, for ids such as GSD-02
	roadmap    strings.Builder
	table      strings.Builder
	list       strings.Builder
	style      int
}

// drawProject draws a project: its conventions, its milestones and their phases, which may also have the given ids.
func drawProject(t *rapid.T, ids ...string) *project {
	m := &made{T: t, more: ids}
	m.convention = oneOf(t, "convention", "", "", "", "", "milestone-prefixed", "bracket")
	if seldom(t, "with a project code", 6) {
		m.code = "GSD"
	}
	if m.convention != "" {
		m.add("config.json", fmt.Sprintf("{%q: %q}\n", "phase_id_convention", m.convention))
	}
	m.style = rapid.IntRange(0, 3).Draw(t, "roadmap style")
	milestones := rapid.IntRange(0, 3).Draw(t, "milestones")
	current := 0
	m.roadmap.WriteString("# Roadmap: Larch\n\n")
	if milestones == 0 {
		m.milestone("", false)
	} else {
		current = rapid.IntRange(1, milestones).Draw(t, "current milestone")
		for i := range milestones {
			m.milestone(fmt.Sprintf("v%d.0", i+1), i+1 < current)
		}
	}
	if m.style > 1 {
		m.roadmap.WriteString("## Progress\n\n| Phase | Plans Complete | Status | Completed |\n|---|---|---|---|\n" + m.table.String() + "\n")
	}
	m.add("ROADMAP.md", m.roadmap.String())
	state := "---\ngsd_state_version: 1.0\n"
	if current > 0 && !seldom(t, "state names no milestone", 5) {
		state += fmt.Sprintf("milestone: v%d.0\n", current)
	}
	m.add("STATE.md", state+"status: executing\n---\n\n# Project State\n\n## Current Position\n\nStatus: In progress\n")
	if seldom(t, "loose plan", 20) {
		m.add("phases/07-01-PLAN.md", "x\n")
	}
	return &m.project
}

// milestone draws a milestone with its phases; "" stands for a roadmap without milestones.
func (m *made) milestone(version string, shipped bool) {
	m.list.Reset()
	folded := false
	if version != "" {
		name := oneOf(m.T, "milestone name", "Base", "Great Things", "API 2")
		sign, head := "", ""
		if shipped {
			sign = oneOf(m.T, "shipped sign", " ✅ SHIPPED", " (Shipped 2026-01-02)", " ✅", "")
			head = oneOf(m.T, "shipped before", "", "✅ ")
			folded = seldom(m.T, "folded", 3)
			if sign == "" && head == "" {
				sign = " (SHIPPED)"
			}
		} else if seldom(m.T, "in progress sign", 4) {
			head = "🚧 "
		}
		heading := head + oneOf(m.T, "milestone heading", version+": "+name, version+" "+name, version+" — "+name, "Milestone "+version+": "+name) + sign
		if folded {
			fmt.Fprintf(&m.roadmap, "<details>\n<summary>%s</summary>\n\n", heading)
		} else {
			fmt.Fprintf(&m.roadmap, "## %s\n\n", heading)
		}
	} else {
		m.roadmap.WriteString("## Phases\n\n")
	}
	root := "phases"
	if shipped && !seldom(m.T, "not archived", 3) {
		root = "milestones/" + version + "-phases"
	}
	var details strings.Builder
	for _, id := range m.phaseIDs(version) {
		m.phase(id, root, version, shipped, &details)
	}
	m.roadmap.WriteString(m.list.String() + "\n" + details.String())
	if folded {
		m.roadmap.WriteString("</details>\n\n")
	}
}

// phaseIDs draws the ids of a milestone's phases, as written in the roadmap.
func (m *made) phaseIDs(version string) []string {
	pool := []string{"1", "2", "3", "4", "10", "2.1", "3A", "B7", "999.1", "0.1", "0", "12.1.2", "1.10"}
	n := 1
	if version != "" {
		n = int(version[1] - '0')
	}
	switch {
	case m.convention == "milestone-prefixed":
		pool = []string{fmt.Sprintf("%d-01", n), fmt.Sprintf("%d-02", n), fmt.Sprintf("%d-03", n), fmt.Sprintf("%d-02.1", n)}
	case m.convention == "bracket":
		pool = []string{fmt.Sprintf("[GSD.%02d] 01", n), fmt.Sprintf("[GSD.%02d] 02", n), fmt.Sprintf("[GSD.%02d] 03", n)}
	case n == 2:
		pool = []string{"5", "6", "7", "5.1", "999.2"}
	case n == 3:
		pool = []string{"8", "9", "10", "9.1"}
	}
	if m.convention == "" {
		pool = append(pool, m.more...)
	}
	ids := rapid.SliceOfNDistinct(rapid.SampledFrom(pool), 0, 4, rapid.ID[string]).Draw(m.T, "phases")
	if !seldom(m.T, "as drawn", 4) {
		slices.SortFunc(ids, func(a, b string) int { return slices.Index(pool, a) - slices.Index(pool, b) })
	}
	return ids
}

// phase draws a phase: its text in the roadmap, its directory and the files there.
func (m *made) phase(id, root, version string, shipped bool, details *strings.Builder) {
	name := oneOf(m.T, "phase name", "Auth", "Data Model", "API v2 and more", "2026 Photos")
	tick := " "
	if shipped || seldom(m.T, "ticked", 4) {
		tick = "x"
	}
	bracket, number := "", id
	if rest, ok := strings.CutPrefix(id, "["); ok {
		bracket, number, _ = strings.Cut(rest, "] ")
		bracket = "[" + bracket + "] "
	}
	m.ids = append(m.ids, number)
	is := func(place string) { m.named = append(m.named, naming{place, key(number), version}) }
	if m.style%2 == 1 {
		is(inList)
		fmt.Fprintf(&m.list, "- [%s] **%sPhase %s: %s** - what it is\n", tick, bracket, number, name)
	}
	heading := oneOf(m.T, "phase heading", "### %sPhase %s: %s", "### %sPhase %s: %s", "### %sPhase %s: %s", "#### %sPhase %s: %s", "### %sPhase %s (Cluster B): %s", "### [GSD] %sPhase %s: %s", "### %sPhase 0%s: %s")
	if bracket != "" {
		heading = strings.Replace(heading, "[GSD] ", "", 1)
	}
	if strings.Contains(heading, "0%s") && (len(number) > 1 && number[1] != '.' || number[0] == 'B') {
		heading = "### %sPhase %s: %s"
	}
	if !seldom(m.T, "no heading", 10) {
		is(inHeading)
		fmt.Fprintf(details, heading+"\n\n**Goal**: x\n\n", bracket, number, name)
	}
	prefix := padded(number)
	if bracket != "" {
		prefix = strings.Trim(bracket, "[] ") + "-" + number
	}
	if m.code != "" && bracket == "" {
		prefix = m.code + "-" + prefix
	}
	slug := oneOf(m.T, "slug", "auth", "data-model", "6-rs", "2026-photos", "80-20-rule", "")
	dirName := oneOf(m.T, "directory", prefix, prefix, prefix, prefix, prefix, number)
	if bracket != "" {
		dirName = prefix
	}
	if slug != "" {
		dirName += "-" + slug
	}
	done := 0
	plans := 0
	if !seldom(m.T, "no directory", 6) {
		plans, done = m.directory(path.Join(root, dirName), prefix, number, shipped)
		if seldom(m.T, "a second directory", 15) {
			m.directory(path.Join(root, prefix+"-other"), prefix, number, shipped)
		}
	}
	status := "Not started"
	if tick == "x" {
		status = "Complete"
	}
	if m.style > 1 {
		is(inTable)
	}
	fmt.Fprintf(&m.table, "| %s. %s | %d/%d | %s | - |\n", number, name, done, plans, status)
}

// padded returns a number as it is written in directory names.
func padded(number string) string {
	if a, b, ok := strings.Cut(number, "-"); ok {
		return padded(a) + "-" + b
	}
	n := 0
	for n < len(number) && '0' <= number[n] && number[n] <= '9' {
		n++
	}
	if n == 1 {
		return "0" + number
	}
	return number
}

// directory draws a phase's directory and returns the number of its plans, and of those that are done.
func (m *made) directory(dir, prefix, number string, shipped bool) (plans, done int) {
	var names []string
	add := func(name, text string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
			m.add(path.Join(dir, name), text)
		}
	}
	add(oneOf(m.T, "keep", ".gitkeep", prefix+"-CONTEXT.md", prefix+"-RESEARCH.md"), "")
	layout := oneOf(m.T, "layout", "flat", "flat", "flat", "flat", "slug", "slug", "unpadded", "nested", "infix", "bare", "number", "named")
	var ids []string
	for i := range rapid.IntRange(0, 4).Draw(m.T, "plans") {
		n := fmt.Sprintf("%02d", i+1)
		slug := oneOf(m.T, "plan slug", "setup", "2026-x", "v2")
		var plan string
		summaries := []string{}
		switch layout {
		case "flat":
			plan = prefix + "-" + n + "-PLAN.md"
		case "slug":
			plan = prefix + "-" + n + "-" + slug + "-PLAN.md"
			summaries = []string{prefix + "-" + n + "-SUMMARY.md"}
		case "unpadded":
			plan = number + "-" + fmt.Sprint(i+1) + "-PLAN.md"
			summaries = []string{prefix + "-" + n + "-SUMMARY.md"}
		case "nested":
			plan = "plans/PLAN-" + n + "-" + slug + ".md"
			summaries = []string{"plans/SUMMARY-" + n + ".md", prefix + "-" + n + "-SUMMARY.md"}
		case "infix":
			plan = number + "-PLAN-" + n + "-" + slug + ".md"
			summaries = []string{number + "-" + n + "-SUMMARY.md", prefix + "-" + n + "-SUMMARY.md"}
		case "bare":
			plan = "PLAN.md"
		case "number":
			plan = n + "-PLAN.md"
			summaries = []string{prefix + "-" + n + "-SUMMARY.md"}
		case "named":
			plan = slug + "-PLAN.md"
		}
		if slices.Contains(names, plan) {
			continue
		}
		plans++
		add(plan, m.frontMatter(prefix, ids))
		ids = append(ids, n)
		if shipped || seldom(m.T, "done", 2) {
			done++
			base := strings.TrimSuffix(path.Base(plan), ".md")
			exact := path.Join(path.Dir(plan), strings.Replace(base, "PLAN", "SUMMARY", 1)+".md")
			summary := oneOf(m.T, "summary", append([]string{exact, exact, exact, path.Join(path.Dir(plan), base+"-SUMMARY.md")}, summaries...)...)
			status := oneOf(m.T, "summary status", "", "", "", "status: complete\n", "status: halted\n", "status: blocked\n")
			add(summary, "---\n"+status+"---\n# Summary\n")
		}
	}
	for _, other := range []string{"REPLAN-INPUTS.md", "PLANNING-NOTES.md", prefix + "-01-PLAN-OUTLINE.md", prefix + "-01-PLAN.pre-bounce.md", prefix + "-PLAN-REVIEW.md", "plan.md", number + "-PLAN-DELTA-2026-05-05.md", prefix + "-FIX-SUMMARY.md", prefix + "-01-PLAN-NOTES.md"} {
		if seldom(m.T, other, 25) {
			add(other, "x\n")
		}
	}
	for _, summary := range []string{prefix + "-01-SUMMARY.md", prefix + "-01-plan-2-SUMMARY.md", "plans/SUMMARY-01-x.md"} { // always: neither program sees a draft
		add(path.Join(path.Dir(summary), planref.DraftName(path.Base(summary))), "# Draft\n")
	}
	if status := oneOf(m.T, "verification", "", "", "", "passed", "passed", "gaps_found", "human_needed"); status != "" {
		add(oneOf(m.T, "verification file", prefix+"-", "")+"VERIFICATION.md", "---\nstatus: "+status+"\n---\n")
	}
	return plans, done
}

// frontMatter draws the front matter of a plan that may depend on earlier ones.
func (m *made) frontMatter(prefix string, before []string) string {
	text := "---\n"
	text += oneOf(m.T, "wave", "", "wave: 1\n", "wave: 2\n", "wave: 0\n")
	depends := ""
	if len(before) > 0 {
		on := rapid.SampledFrom(before).Draw(m.T, "depended on")
		depends = oneOf(m.T, "depends on", "", "depends_on: []\n", fmt.Sprintf("depends_on: [%q]\n", prefix+"-"+on), fmt.Sprintf("depends_on: [%q]\n", on), "depends_on:\n  - "+prefix+"-"+on+"\n", "depends_on: [\"99-01\"]\n")
	}
	text += depends
	text += oneOf(m.T, "plan status", "", "", "", "", "", "", "", "status: superseded\n", "status: ready\n")
	return text + "---\n<task type=\"auto\"><name>Task 1: x</name></task>\n"
}
