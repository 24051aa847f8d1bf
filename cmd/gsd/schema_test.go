package main

// schema.json is made from the types of the answers (internal/view/schema_test.go). Here it is held against what the commands
// print: in the situations below, in every state of TestFrozen, and where a script says so.

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/gsd-cli/gsd/hydrate"
)

// schemaNames are the names in schema.json of the commands that have another one there.
var schemaNames = map[string]string{
	"run start": "runStart", "run end": "runEnd", "run list": "runList", "run sweep": "runSweep", "run unlock": "runUnlock",
	"restore --list": "lost", "restore --dismiss": "dismiss",
}

// schemaName returns the name in schema.json of the command in a command line.
func schemaName(line string) string {
	words := strings.Fields(strings.TrimSuffix(line, " --json"))
	if len(words) > 1 {
		if name := schemaNames[words[0]+" "+words[1]]; name != "" {
			return name
		}
	}
	if words[0] == "install" && (len(words) == 1 || strings.HasPrefix(words[1], "-")) {
		return "hosts"
	}
	return words[0]
}

// schemas returns the schemas of the commands. They do not allow names that they do not have: the published ones do, so that a
// name can be added, but here a name that is not described is a mistake.
var schemas = sync.OnceValues(func() (map[string]*jsonschema.Resolved, error) {
	text, err := os.ReadFile("../../schema.json")
	if err != nil {
		return nil, err
	}
	var whole jsonschema.Schema
	if err := json.Unmarshal(text, &whole); err != nil {
		return nil, err
	}
	resolved := map[string]*jsonschema.Resolved{}
	for name := range whole.Defs {
		if unicode.IsUpper(rune(name[0])) {
			continue // a part
		}
		var schema jsonschema.Schema // a resolved schema may not be used again
		if err := json.Unmarshal(text, &schema); err != nil {
			return nil, err
		}
		for _, def := range schema.Defs {
			def.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
		}
		schema.AnyOf, schema.Ref = nil, "#/$defs/"+name
		if resolved[name], err = schema.Resolve(nil); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return resolved, nil
})

// checkSchema checks what a command printed against its schema.
func checkSchema(command string, output []byte) error {
	all, err := schemas()
	if err != nil {
		return err
	}
	if all[command] == nil {
		return fmt.Errorf("no schema for %q", command)
	}
	var value any
	if err := json.Unmarshal(output, &value); err != nil {
		return err
	}
	if err := all[command].Validate(value); err != nil {
		return fmt.Errorf("%s: %w", command, err)
	}
	return nil
}

const (
	threeTasks = "<task type=\"auto\">\n<name>One</name>\n</task>\n<task type=\"auto\">\n<name>Two</name>\n</task>\n<task>\n<name>Three</name>\n</task>\n"
	// Task One has another text, Two is there twice, Three is gone.
	otherTasks  = "<task type=\"auto\">\n<name>One</name>\nMore\n</task>\n<task>\n<name>Two</name>\na\n</task>\n<task>\n<name>Two</name>\nb\n</task>\n<task/>\n"
	oddSession  = "<!-- Plan: " + samplePlan + " -->\n\n<task status=\"doing\">\n</task>\n<task status=\"complete\" status=\"pending\">\n</task>\n<task>\n"
	sessionFile = ".planning/sessions/ada-lovelace/current-plan.md"
	summaryFile = ".planning/phases/01-notes/01-02-SUMMARY.md"
	phaseTwo    = "| Phase | Plans | Status |\n|---|---|---|\n| 1. Notes | 2/2 | Complete |\n| 2. Sharing | 0/1 | In progress |\n"
	ownSTATE    = "---\nmilestone: v7\ncurrent_phase: 1\n---\n\n## Current Position\n\nPhase: 1 of 9 (Mud)\nPlan: 2 of 3\n" +
		"Status: Waiting\nProgress: 1%\nProgress: 1%\n"
)

// An observer runs a command with --json in a place and checks what it prints.
type observer struct {
	*place
	seen map[string]bool // by command
}

func (o observer) see(lines ...string) {
	o.t.Helper()
	for _, line := range lines {
		command, output := schemaName(line), o.run(line+" --json")
		o.seen[command] = true
		if err := checkSchema(command, output); err != nil {
			o.t.Errorf("gsd %s: %v\n%s", line, err, output)
		}
	}
}

func TestSchema(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	t.Parallel()
	seen := map[string]bool{}
	for _, situation := range []func(observer){sessions, statuses, positions, runs, losses, recoveries} {
		situation(observer{newPlace(t), seen})
	}
	installs(t, func(p *place, line string) { observer{p, seen}.see(line) })
	all, err := schemas()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := slices.Sorted(maps.Keys(seen)), slices.Sorted(maps.Keys(all)); !slices.Equal(got, want) {
		t.Errorf("commands %q, schemas for %q", got, want)
	}
}

// sessions sees what is said of a session and of the plan that it is on.
func sessions(o observer) {
	o.see("whoami", "hydrate", "bootstrap 01-02", "bootstrap 01-02", "tasks", "tasks 1", "tasks 01-01 1", "mark 1 in-progress")
	o.see("mark 1 complete", "mark 1 complete", "mark 2 complete", "mark 3 todo", "mark 3 complete", "hydrate", "bootstrap 01-02")
	o.write(summaryFile, "Done.\n")
	o.write(".planning/ROADMAP.md", phaseTwo)
	o.write(samplePlan, threeTasks+"<task/>\n")
	o.see("hydrate", "mark 3 pending") // plan-completed, phase-advanced, task-count
	o.write(samplePlan, "")
	o.see("hydrate") // plan-missing
	o.write(summaryFile, "")
	o.write(".planning/ROADMAP.md", "")

	o.write(samplePlan, threeTasks)
	o.see("bootstrap 01-02 --fresh --carry", "mark 1 in-progress", "mark 2 complete", "mark 3 in-progress")
	o.write(samplePlan, otherTasks)
	o.see("bootstrap 01-02 --carry")

	o.write(sessionFile, oddSession)
	o.write(samplePlan, threeTasks)
	o.see("hydrate", "tasks", "mark 1 complete") // statuses that are none
	for _, plan := range []string{"## Task 1\nOne\n## Task 2\nTwo\n", "<feature>\n<name>Add</name>\n</feature>\n", "Just do it.\n"} {
		o.write(samplePlan, plan)
		o.see("tasks 01-02", "bootstrap 01-02 --fresh")
	}
	o.write(samplePlan, "\x00")
	o.see("hydrate") // plan-unreadable
	o.name("日本語")
	o.see("whoami", "hydrate") // the operating system's user
}

// statuses sees what is said of a project with phases, plans and sessions in every state.
func statuses(o observer) {
	for name, text := range map[string]string{
		"ROADMAP.md": "# Roadmap: Kiln\n\n- ✅ **v1.0 Clay** — Phases 1-2\n- 🚧 **v1.1 Glaze** — Phases 3-5\n- 📋 **v1.2 Oven** — Phase 7\n\n" +
			"- [x] **Phase 3: Mix**\n- [ ] **Phase 4: Dip**\n- [ ] **Phase 5: Fire**\n- [ ] **Phase 7: Oven** (deferred)\n",
		"STATE.md": ownSTATE,
		"milestones/v0.9-phases/01-mud/01-01-PLAN.md":   threeTasks,
		"phases/03-mix/03-01-PLAN.md":                   threeTasks,
		"phases/03-mix/03-01-SUMMARY.md":                "Done.\n",
		"phases/03-mix/03-VERIFICATION.md":              "---\nstatus: gaps_found\n---\n",
		"phases/04-dip/04-01-PLAN.md":                   "---\nwave: 2\n---\n" + threeTasks,
		"phases/04-dip/04-02-PLAN.md":                   threeTasks,
		"phases/kitchen/PLAN.md":                        threeTasks,
		"quick/001-broom/001-PLAN.md":                   threeTasks,
		"workstreams/shop/phases/01-sign/01-01-PLAN.md": threeTasks,
		"sessions/eve/current-plan.md":                  "<!-- Plan: .planning/phases/kitchen/PLAN.md -->\n\n<task status=\"pending\">\n</task>\n",
		"sessions/fay/current-plan.md":                  "No session.\n",
	} {
		o.write(".planning/"+name, text)
	}
	o.see("next", "status", "state --dry-run", "state --write", "bootstrap 04-02", "next", "status", "hydrate")
	o.write(".planning", "")
	o.write(".planning/x/y", "x")
	o.see("next", "status", "hydrate") // nothing is there
}

// positions sees which values of a STATE.md are left alone, and why.
func positions(o observer) {
	for _, roadmap := range []string{
		"## Milestone: Attic\n\n- [ ] **Phase 2: Lids**\n",
		"- [x] **Phase 9: Rain**\n- [ ] **Phase 0: Sun**\n",
		"- [x] **Phase 9: Rain**\n- [ ] **Phase 1: Sun**\n",
		"- [x] **Phase 9: Rain**\n- [ ] **Phase 2A.1B: Sun**\n",
		"- [x] **Phase 9: Rain**\n",
	} {
		o.write(".planning/STATE.md", ownSTATE)
		o.write(".planning/ROADMAP.md", roadmap)
		o.see("state --write")
	}
}

// runs sees what is said of runs in every state.
func runs(o observer) {
	all := []string{"run list --all", "hydrate", "status", "run sweep --dry-run"}
	o.see("bootstrap 01-02", "run list", "run unlock") // there is no lease
	agent, kill := o.agent()
	me := " --host codex --pid " + agent
	o.see("run start --id c-1"+me, "run start --id c-1"+me)
	o.see(all...) // active
	o.see("run end --status success --id c-1"+me, "run end --status failure --id c-1"+me)
	o.see("run start --id c-2"+me, "run start --id c-3"+me, "run list", "run unlock --force") // superseded
	o.see(all...)                                                                             // idle
	o.see("run start --id c-4")
	o.see(all...) // unknown
	o.see("run sweep", "run end --status aborted --id c-4", "run start --id c-6"+me, "mark 1 in-progress")
	kill()
	o.see(all...) // orphaned, with a task in progress
	o.see("run sweep --reset-tasks", "run list")
}

// losses sees what is said of lost sessions.
func losses(o observer) {
	state := string(hydrate.StateDirOf((&app{env: o.env()}).getenv))
	lost := func() string {
		o.t.Helper()
		o.see("restore --list")
		var found jsonOrphans
		if err := json.Unmarshal(o.run("restore --list --json"), &found); err != nil || len(found.Lost) == 0 {
			o.t.Fatalf("no session is lost: %v", err)
		}
		return found.Lost[0].ID
	}
	lose := func(marks ...string) {
		o.t.Helper()
		o.write(".planning/sessions", "") // what begins in the same second is told apart by its plan alone
		if err := os.RemoveAll(state); err != nil {
			o.t.Fatal(err)
		}
		o.run("bootstrap 01-02")
		for _, mark := range marks {
			o.run("mark " + mark)
		}
		o.write(sessionFile, "")
	}
	lose("1 complete", "2 in-progress")
	o.see("hydrate", "status", "restore "+lost())
	lose("1 complete", "2 complete", "3 complete")
	o.see("restore " + lost())
	lose("1 complete", "2 in-progress")
	o.write(samplePlan, threeTasks)
	o.write(sessionFile, "<!-- Plan: "+samplePlan+" -->\n\n<task status=\"pending\">\n</task>\n")
	o.see("restore --force " + lost()) // another session is in its place, on a plan that has changed
	lose("1 complete")
	o.write(".planning/ROADMAP.md", phaseTwo)
	o.see("restore " + lost()) // stale
	lose()
	o.see("restore --dismiss " + lost())
	lose()
	o.write(".planning", "")
	if err := os.WriteFile(filepath.Join(state, "crumbs", "torn.crumb.json"), []byte("{"), 0o666); err != nil {
		o.t.Fatal(err)
	}
	lost() // its project is gone, and another breadcrumb is corrupt
	o.see("restore --dismiss torn")
}

// recoveries sees what commits show.
func recoveries(o observer) {
	o.git("init", "-q")
	o.git("add", ".planning")
	o.git("commit", "-q", "-m", "docs(01): plan")
	o.see("restore --from git 01-02 --dry-run") // no commit is about it
	for _, subject := range []string{"feat(01-02-T1): add a note", "fix(01-02): mend the store", "feat(01-02): list notes"} {
		o.git("commit", "-q", "--allow-empty", "-m", subject)
	}
	o.see("hydrate", "restore --from git --dry-run --commits 1", "restore --from git", "hydrate", "restore --from git 01-02 --fresh --min-confidence 1", "hydrate")
}

// The schema is not one that lets everything through.
func TestSchemaRefuses(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.run("bootstrap 01-02")
	output := string(p.run("hydrate --json"))
	for _, change := range [][2]string{
		{`"verdict": "resume"`, `"verdict": "maybe"`},
		{`"verdict": "resume"`, `"verdikt": "resume"`},
		{`"verdict": "resume"`, `"verdict": "resume", "more": 1`},
		{`"interrupted": false`, `"interrupted": null`},
		{`"stale": []`, `"stale": null`},
		{`"stale": []`, `"stale": [{"reason": "old", "detail": ""}]`},
		{`"schema": 1`, `"schema": 2`},
	} {
		changed := strings.Replace(output, change[0], change[1], 1)
		if changed == output {
			t.Fatalf("no %s in %s", change[0], output)
		}
		if checkSchema("hydrate", []byte(changed)) == nil {
			t.Errorf("%s is accepted", change[1])
		}
	}
}
