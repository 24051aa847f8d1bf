package main

// schema.json is a promise to whoever reads --json. Here real outputs of many situations are held to it,
// and it is held to them: a name or a value that no output has is not promised either.

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
)

const schemaFile = "../../schema.json"

// jsonCommands are the commands that schema.json has a schema for.
var jsonCommands = []string{
	"hydrate", "bootstrap", "mark", "tasks", "next", "recover", "status", "state", "runStart", "runEnd", "runs", "orphans", "dismiss",
	"restore", "sweep", "unlock", "install", "hosts", "whoami",
}

// situations gives what the commands print in many of them, by command.
var situations = func(t *testing.T) map[string][][]byte {
	t.Helper()
	outputs := map[string][][]byte{}
	p := newPlace(t)
	look := func(p *place, line string) {
		t.Helper()
		command := schemaName(line)
		outputs[command] = append(outputs[command], p.run(line+" --json"))
	}
	see := func(line string) {
		t.Helper()
		look(p, line)
	}

	see("whoami")
	see("hydrate") // none
	see("bootstrap 01-02")
	see("bootstrap 01-02") // kept
	see("hydrate")
	see("tasks")
	for _, n := range []string{"1", "2", "3", "01-01", "01-01 1", "01-02"} {
		see("tasks " + n)
	}
	see("mark 1 in-progress")
	see("hydrate") // interrupted
	see("mark 1 complete")
	see("mark 1 complete") // unchanged
	see("hydrate")
	see("mark 2 complete")
	see("mark 2 todo")
	see("mark 2 complete")
	see("mark 3 complete")
	see("hydrate") // complete
	see("bootstrap 01-02")

	p.write(summaryFile, "Done.\n")
	see("hydrate") // plan-completed
	see("mark 3 pending")
	see("mark 3 complete")
	p.write(".planning/ROADMAP.md", phaseTwo)
	p.write(samplePlan, threeTasks+"<task/>\n")
	see("hydrate") // and phase-advanced, task-count
	p.write(samplePlan, "")
	see("hydrate") // and plan-missing
	p.write(summaryFile, "")
	p.write(".planning/ROADMAP.md", "")

	p.write(samplePlan, threeTasks)
	see("bootstrap 01-02 --fresh --carry") // nothing carried
	for _, mark := range []string{"mark 1 in-progress", "mark 2 complete", "mark 3 in-progress"} {
		see(mark)
	}
	p.write(samplePlan, otherTasks)
	see("hydrate") // task-count
	see("bootstrap 01-02 --carry")
	see("mark 1 complete")
	p.write(samplePlan, otherTasks+"\n")
	see("hydrate") // plan-edited
	see("bootstrap 01-02 --carry --fresh")

	p.write(sessionFile, oddSession)
	p.write(samplePlan, threeTasks)
	see("hydrate") // status-unknown, -duplicate, -missing, task-unclosed
	see("tasks")
	see("mark 1 complete")
	see("mark 3 in-progress")
	p.write(sessionFile, "Nothing of ours.\n")
	see("hydrate") // corrupt
	p.write(samplePlan, "## Task 1\nOne\n## Task 2\nTwo\n")
	see("tasks 01-02")
	see("tasks 01-02 2")
	see("bootstrap 01-01") // the corrupt one is archived
	see("tasks")
	p.write(samplePlan, "<feature>\n<name>Add</name>\n</feature>\n")
	see("tasks 01-02")
	see("bootstrap 01-02")
	p.write(samplePlan, "Just do it.\n")
	see("tasks 01-02 1")
	see("bootstrap 01-02")
	p.write(samplePlan, "\x00")
	see("hydrate") // plan-unreadable
	p.name("日本語")
	see("whoami") // name-unusable
	see("hydrate")
	p.name("\n[include\n")
	see("whoami")

	p.name("Ada Lovelace")
	projects(p, see)
	runs(t, look)
	losses(t, look)
	recoveries(t, look)
	installs(t, look)

	// What a machine that has users cannot be made to say.
	for _, source := range []identity.Source{identity.SourceHostname, identity.SourceDefault} {
		a := &app{}
		if err := a.writeJSON(whoamiJSON(identity.User{Name: "host", Raw: "host", Source: source})); err != nil {
			t.Fatal(err)
		}
		outputs["whoami"] = append(outputs["whoami"], a.raw.Bytes())
	}
	return outputs
}

const (
	// Milestones with and without a version, phases in every state, and one without a name.
	longRoadmap = `# Roadmap: Kiln

## Milestones

- ✅ **v1.0 Clay** — Phases 1-2
- 🚧 **v1.1 Glaze** — Phases 3-6
- 📋 **v1.2 Oven** — Phase 7

## Milestone v1.1: Glaze

- [x] **Phase 3: Mix** - done
- [ ] **Phase 4: Dip** - now
- [ ] **Phase 5: Fire** - planned
- [ ] **Phase 6:**
- [ ] **Phase 7: Oven** (deferred)

### Phase 4: Dip

- [x] 04-01: Bucket
- [ ] 04-02: Tongs
- [ ] 04-03: Rack

### Phase 5: Fire

- [ ] 05-01: Wood
`
	// Milestones of which none is under way, but one is put off, and one has no version.
	otherRoadmap = "# Roadmap\n\n## Milestone: Attic\n\n- [ ] **Phase 1: Boxes**\n\n" +
		"## v2.0 Cellar (deferred)\n\n- [ ] **Phase 2: Wine**\n\n## v3.0 Roof (planned)\n\n### Phase 3: Tiles\n\n- [ ] 03-01: Red\n"
	waveTwo  = "---\nwave: 2\n---\n" + threeTasks
	ownSTATE = "---\nmilestone: v7\ncurrent_phase: 1\n---\n\n## Current Position\n\nPhase: 1 of 9 (Mud)\nPlan: 2 of 3\n" +
		"Status: Waiting\nProgress: 1%\nProgress: 1%\n"
	oldSTATE = "# State\n\n## Current Position\n\nPhase: 1 of 9\nPlan: 1 of 1\nStatus: Planning\n"
)

// projects sees what next, status and state say of many projects.
func projects(p *place, see func(string)) {
	look := func(commands ...string) {
		p.t.Helper()
		for _, command := range commands {
			see(command)
		}
	}
	all := func() {
		p.t.Helper()
		look("next", "status", "state --dry-run", "state", "state --write", "hydrate")
	}
	p.write(".planning", "")
	p.write(".planning/x/y", "x")
	look("next", "status", "hydrate") // nothing is there, and so no state

	p.write(".planning", "")
	for name, text := range map[string]string{
		"ROADMAP.md": longRoadmap,
		"PROJECT.md": "# Kiln\n",
		"STATE.md":   oldSTATE,
		"milestones/v0.9-phases/01-mud/01-01-PLAN.md":   threeTasks,
		"phases/03-mix/03-01-PLAN.md":                   threeTasks,
		"phases/03-mix/03-01-SUMMARY.md":                "Done.\n",
		"phases/04-dip/04-01-PLAN.md":                   threeTasks,
		"phases/04-dip/04-01-SUMMARY.md":                "Done.\n",
		"phases/04-dip/04-VERIFICATION.md":              "---\nstatus: gaps_found\n---\n",
		"phases/04-dip/04-02-PLAN.md":                   waveTwo,
		"phases/04-dip/04-03-PLAN.md":                   waveTwo,
		"phases/04-dip/04-04-PLAN.md":                   "---\nwave: 3\n---\n" + threeTasks,
		"phases/05-fire/05-01-PLAN.md":                  threeTasks,
		"phases/kitchen/PLAN.md":                        threeTasks,
		"quick/001-broom/001-PLAN.md":                   threeTasks,
		"quick/oven/x-PLAN.md":                          threeTasks,
		"workstreams/shop/phases/01-sign/01-01-PLAN.md": threeTasks,
	} {
		p.write(".planning/"+name, text)
	}
	session := func(user, plan, status string) {
		header := "<!-- Plan: .planning/phases/" + plan + " -->\n<!-- Started: 2026-02-03T10:00:00Z -->\n\n"
		tasks := strings.ReplaceAll(threeTasks, "<task", "<task status=\""+status+"\"")
		p.write(".planning/sessions/"+user+"/current-plan.md", header+tasks)
	}
	session("bob", "04-dip/04-02-PLAN.md", "in-progress")
	session("cyd", "03-mix/03-01-PLAN.md", "pending")
	session("dan", "04-dip/04-03-PLAN.md", "complete")
	session("eve", "kitchen/PLAN.md", "pending")
	p.write(".planning/sessions/eve/current-plan.md", "<!-- Plan: .planning/phases/kitchen/PLAN.md -->\n\n<task status=\"pending\">\n</task>\n")
	p.write(".planning/sessions/fay/current-plan.md", "No session.\n")
	all()
	see("bootstrap 04-02")
	all() // a session of one's own
	see("bootstrap .planning/phases/kitchen/PLAN.md")
	all() // on a plan without a number

	// A commit, and a repository that cannot be read.
	p.git("init", "-q")
	p.git("add", ".planning/ROADMAP.md", ".planning/phases")
	p.git("commit", "-q", "-m", "docs(04): plan")
	p.git("commit", "-q", "--allow-empty", "-m", "feat(04-02): tongs")
	p.git("commit", "-q", "--allow-empty", "-m", "feat(04-04): hooks") // on which nobody has a session
	p.write(".planning/sessions/ada-lovelace/current-plan.md", "")
	all()
	p.write(".git/HEAD", "nonsense\n")
	all()
	p.write(".git", "")

	p.write(".planning/phases", "")
	p.write(".planning/workstreams", "")
	p.write(".planning/phases/kitchen/oven-PLAN.md", threeTasks)
	p.write(".planning/phases/kitchen/sink-PLAN.md", threeTasks)
	all() // plans without numbers
	p.write(".planning/phases", "")
	p.write(".planning/ROADMAP.md", otherRoadmap)
	p.write(".planning/STATE.md", "")
	all() // to be planned
	p.write(".planning/phases/01-boxes/01-01-PLAN.md", threeTasks)
	all() // to be executed
	p.write(".planning/ROADMAP.md", "- [x] **Phase 1: Boxes**\n")
	p.write(".planning/phases/01-boxes/01-01-SUMMARY.md", "Done.\n")
	all() // over, but for an archived plan without a summary
	p.write(".planning/milestones", "")
	all() // over
	p.write(".planning/phases/01-boxes/01-VERIFICATION.md", "---\nstatus: human_needed\n---\n")
	all() // but for its verification

	// What is left alone in a STATE.md.
	p.write(".planning/STATE.md", ownSTATE)
	p.write(".planning/ROADMAP.md", "## Milestone: Attic\n\n- [ ] **Phase 2: Lids**\n")
	see("state --write") // it is at another milestone, and this one has no version
	for _, phase := range []string{"0", "1", "2", "2A.1B"} {
		p.write(".planning/STATE.md", ownSTATE)
		p.write(".planning/ROADMAP.md", "- [x] **Phase 9: Rain**\n- [ ] **Phase "+phase+": Sun**\n")
		see("state --write")
	}
}

const (
	journalFile = ".planning/sessions/ada-lovelace/journal.jsonl"
	// A run of which nobody here can tell, and whose time is up.
	strangeRun = `{"type":"run.start","id":"strange","token":"t","host":"","plan":"","owner":{},"at":"2026-02-03T10:00:00Z","ttl":60}` + "\n"
	endedRun   = `{"type":"run.start","id":"r%04d","token":"t%04d","host":"codex","plan":"","owner":{},"at":"2026-02-03T10:00:00Z","ttl":60}` + "\n" +
		`{"type":"run.end","of":"r%04d","status":"%s","cause":"user","at":"2026-02-03T11:00:00Z"}` + "\n"
	openWork = "---\nid: W-1\nstatus: active\nnode_history:\n- node: plan\n  exited: null\n---\n"
)

// runs sees what is said of runs in every state.
func runs(t *testing.T, look func(*place, string)) {
	t.Helper()
	p := newPlace(t)
	see := func(lines ...string) {
		t.Helper()
		for _, line := range lines {
			look(p, line)
		}
	}
	all := func() {
		t.Helper()
		see("runs", "hydrate", "status", "sweep --dry-run")
	}
	see("runs", "unlock") // there is no lease
	p.run("bootstrap 01-02")
	agent, kill := p.agent()
	me := " --host codex --pid " + agent
	see("run start --id c-1"+me, "run start --id c-1"+me) // it goes on
	all()                                                 // active
	see("run end --status success --id c-1"+me, "run end --status failure --id c-1"+me)
	all() // finished, and safe to resume

	see("run start --id c-2"+me, "run start --id c-3"+me, "runs") // superseded
	see("unlock --force")
	all() // idle
	see("run start --id c-4")
	all() // unknown
	see("sweep", "run end --status failure --id c-4")
	for _, status := range []string{"cancelled", "interrupted", "aborted"} {
		see("run start --id c-5", "run end --id c-5 --status "+status, "runs")
	}

	see("run start --id c-6" + me)
	p.run("mark 1 in-progress")
	kill()
	all() // orphaned, with a task in progress
	see("run start --id c-7", "run end --status success --id c-7", "sweep --reset-tasks")

	var journal strings.Builder
	journal.WriteString(strangeRun)
	for i := range 700 {
		fmt.Fprintf(&journal, endedRun, i, i, i, "success")
	}
	p.write(journalFile, journal.String()+"{torn")
	all() // doubtful, and nothing else known of it
	see("runs --all", "sweep")
}

// losses sees what is said of lost sessions and of other work that was begun.
func losses(t *testing.T, look func(*place, string)) {
	t.Helper()
	p := newPlace(t)
	lost := func() string {
		t.Helper()
		look(p, "orphans")
		var found jsonOrphans
		if err := json.Unmarshal(p.run("orphans --json"), &found); err != nil {
			t.Fatal(err)
		}
		if len(found.Orphans) == 0 {
			t.Fatal("no orphans")
		}
		return found.Orphans[0].ID
	}
	state := string(hydrate.StateDirOf((&app{env: p.env()}).getenv))
	begin := func() {
		t.Helper()
		p.write(".planning/sessions", "") // what begins in the same second is told apart by its plan alone
		if err := os.RemoveAll(state); err != nil {
			t.Fatal(err)
		}
		p.run("bootstrap 01-02")
	}
	lose := func(marks ...string) {
		t.Helper()
		begin()
		for _, mark := range marks {
			p.run("mark " + mark)
		}
		p.write(sessionFile, "")
	}
	look(p, "orphans") // none
	p.write(".planning/.continue-here.md", "Here.\n")
	p.write("docs/work/active/W-1/WORK.md", openWork)
	look(p, "hydrate")
	look(p, "status")

	lose("1 complete", "2 in-progress")
	look(p, "hydrate")
	look(p, "status")
	look(p, "restore "+lost())
	lose("1 complete", "2 complete", "3 complete")
	look(p, "restore "+lost()) // complete
	lose("1 complete", "2 complete", "3 in-progress")
	p.write(".planning/ROADMAP.md", phaseTwo)
	look(p, "restore "+lost()) // stale
	p.write(".planning/ROADMAP.md", "")

	// Another session in its place, on a plan that changed.
	begin()
	p.run("mark 1 complete")
	p.run("mark 2 in-progress")
	text, err := os.ReadFile(filepath.Join(p.dir, filepath.FromSlash(samplePlan)))
	if err != nil {
		t.Fatal(err)
	}
	p.write(samplePlan, threeTasks)
	p.write(sessionFile, "<!-- Plan: "+samplePlan+" -->\n<!-- Started: 2026-02-03T10:00:00Z -->\n\n<task status=\"pending\">\n</task>\n")
	look(p, "hydrate")
	look(p, "restore --force "+lost())
	p.write(samplePlan, string(text))

	lose()
	look(p, "orphans dismiss "+lost())
	lose()
	if err := os.RemoveAll(filepath.Join(p.dir, ".planning")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(state, "crumbs", "torn.crumb.json"), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	lost() // its project is gone, and another is corrupt
	look(p, "orphans dismiss torn")
}

// recoveries sees what commits are said to tell.
func recoveries(t *testing.T, look func(*place, string)) {
	t.Helper()
	p := newPlace(t)
	p.write(".planning/phases/kitchen/PLAN.md", threeTasks)
	p.git("init", "-q")
	p.git("add", ".planning")
	p.git("commit", "-q", "-m", "docs(01): plan")
	look(p, "recover 01-02 --dry-run") // no commit is about it
	for _, subject := range []string{"feat(01-02-T1): add a note", "fix(01-02): mend the store", "feat(01-02): list notes"} {
		p.git("commit", "-q", "--allow-empty", "-m", subject)
	}
	look(p, "hydrate") // work that was begun
	look(p, "recover --dry-run")
	look(p, "recover 01-02 --dry-run --commits 1")
	look(p, "recover")
	look(p, "hydrate")
	look(p, "recover 01-02 --fresh --min-confidence 1") // which nothing is
	look(p, "hydrate")                                  // drift
	look(p, "recover .planning/phases/kitchen/PLAN.md --dry-run")
}

func TestSchema(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	t.Parallel()
	outputs := situations(t)
	if got := slices.Sorted(maps.Keys(outputs)); !slices.Equal(got, slices.Sorted(slices.Values(jsonCommands))) {
		t.Fatalf("commands %q, want %q", got, jsonCommands)
	}
	seen := map[string]bool{}
	for command, all := range outputs {
		for _, output := range all {
			if err := checkSchema(command, output); err != nil {
				t.Errorf("%v\n%s", err, output)
			}
			var value any
			if err := json.Unmarshal(output, &value); err != nil {
				t.Fatal(err)
			}
			visit(t, seen, "#/$defs/"+command, value)
		}
	}

	// Nothing is promised that no output has.
	tree := schemaTree(t)
	for name, def := range tree["$defs"].(map[string]any) {
		def := def.(map[string]any)
		if name == "consistent" {
			continue // it has no names of its own
		}
		if def["description"] == nil {
			t.Errorf("%s has no description", name)
		}
		properties, isObject := def["properties"].(map[string]any)
		if isObject && def["additionalProperties"] != nil {
			t.Errorf("%s is closed: a name could not be added any more", name)
		}
		for property, inner := range properties {
			at := "#/$defs/" + name + "/properties/" + property
			inner := inner.(map[string]any)
			if !seen[at] {
				t.Errorf("%s.%s: in no output", name, property)
			}
			if inner["description"] == nil && inner["$ref"] == nil {
				t.Errorf("%s.%s has no description", name, property)
			}
			values, _ := inner["enum"].([]any)
			for _, value := range values {
				if !seen[fmt.Sprintf("%s=%v", at, value)] {
					t.Errorf("%s.%s: %v in no output", name, property, value)
				}
			}
			if types, ok := inner["type"].([]any); ok || inner["anyOf"] != nil {
				if !seen[at+"=<nil>"] || !seen[at+" is something"] {
					t.Errorf("%s.%s is not both null and something: %v", name, property, types)
				}
			}
		}
	}
}

func schemaTree(t *testing.T) map[string]any {
	t.Helper()
	tree, err := readSchema()
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// visit notes which names and values of the schema at a place such as #/$defs/task a value has.
func visit(t *testing.T, seen map[string]bool, at string, value any) {
	def := lookUp(t, at)
	switch value := value.(type) {
	case nil:
		seen[at+"=<nil>"] = true
		return
	case map[string]any:
		if options, ok := def["anyOf"].([]any); ok {
			visit(t, seen, options[0].(map[string]any)["$ref"].(string), value)
		}
		properties, _ := def["properties"].(map[string]any)
		for name, inner := range value {
			if properties[name] != nil {
				property := at + "/properties/" + name
				seen[property] = true
				visit(t, seen, property, inner)
			}
		}
	case []any:
		for _, element := range value {
			if to, ok := def["items"].(map[string]any)["$ref"].(string); ok { // else it is a list of texts
				visit(t, seen, to, element)
			}
		}
	default:
		seen[fmt.Sprintf("%s=%v", at, value)] = true
	}
	seen[at+" is something"] = true
	if to, ok := def["$ref"].(string); ok {
		visit(t, seen, to, value)
	}
}

func lookUp(t *testing.T, at string) map[string]any {
	t.Helper()
	var value any = schemaTree(t)
	for key := range strings.SplitSeq(strings.TrimPrefix(at, "#/"), "/") {
		value = value.(map[string]any)[key]
	}
	def, ok := value.(map[string]any)
	if !ok {
		t.Fatalf("schema.json has no %s", at)
	}
	return def
}
