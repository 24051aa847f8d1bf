package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestSchemaRefuses holds that the schema is not one that lets everything through: it takes the outputs of
// one place and spoils each name of each object in them.
func TestSchemaRefuses(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.run("bootstrap 01-02")
	p.run("mark 1 complete")
	p.run("mark 2 in-progress")
	p.write(samplePlan, threeTasks)
	outputs := map[string][]byte{
		"hydrate":   p.run("hydrate --json"),
		"mark":      p.run("mark 3 in-progress --json"),
		"tasks":     p.run("tasks 1 --json"),
		"bootstrap": p.run("bootstrap 01-02 --fresh --carry --json"),
		"whoami":    p.run("whoami --json"),
		"next":      p.run("next --json"),
	}
	p.write(".planning/ROADMAP.md", longRoadmap)
	p.write(".planning/STATE.md", oldSTATE)
	outputs["state"] = p.run("state --json")
	maps.Copy(outputs, runOutputs(p))
	outputs["install"] = p.run("install claude --json")
	outputs["hosts"] = p.run("install --json")
	p.git("init", "-q")
	p.git("add", ".planning/phases")
	p.git("commit", "-q", "-m", "docs(01): plan")
	p.git("commit", "-q", "--allow-empty", "-m", "feat(01-02): add a note")
	p.git("commit", "-q", "--allow-empty", "-m", "fix(01-02): mend")
	outputs["recover"] = p.run("recover 01-02 --dry-run --json")
	optional := map[string][]string{
		"tasks":   {"text", "children"},
		"hydrate": {"files", "verify", "done", "run", "recovery"}, "bootstrap": {"files", "verify", "done"},
		"mark": {"files", "verify", "done"}, "restore": {"files", "verify", "done"},
	}
	for command, output := range outputs {
		refuse := func(what string, spoil func(map[string]any)) {
			t.Helper()
			var value map[string]any
			if err := json.Unmarshal(output, &value); err != nil {
				t.Fatal(err)
			}
			spoil(value)
			text, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			if checkSchema(command, text) == nil {
				t.Errorf("%s: passes %s: %s", command, what, text)
			}
		}
		if err := checkSchema(command, output); err != nil {
			t.Fatal(err)
		}
		for other := range outputs {
			if other != command && checkSchema(other, output) == nil {
				t.Errorf("what %s prints passes for what %s prints", command, other)
			}
		}
		var value map[string]any
		if err := json.Unmarshal(output, &value); err != nil {
			t.Fatal(err)
		}
		for _, way := range ways(value) {
			at := strings.Join(way, ".")
			name := way[len(way)-1]
			if !slices.Contains(optional[command], name) {
				refuse("without "+at, func(v map[string]any) { delete(descend(v, way), name) })
			}
			refuse(at+" misspelt", func(v map[string]any) { descend(v, way)[name+"x"] = descend(v, way)[name] })
			refuse(at+" as an object", func(v map[string]any) { descend(v, way)[name] = map[string]any{"x": 1} })
		}
		refuse("another number", func(v map[string]any) { v["schema"] = 2 })
		switch command {
		case "next":
			refuse("no reasons", func(v map[string]any) { v["next"].(map[string]any)["because"] = nil })
			refuse("a plan elsewhere", func(v map[string]any) { v["next"].(map[string]any)["plan"] = "PLAN.md" })
			continue
		case "recover":
			refuse("another status", func(v map[string]any) { v["tasks"].([]any)[0].(map[string]any)["status"] = "done" })
			refuse("surer than sure", func(v map[string]any) { v["tasks"].([]any)[0].(map[string]any)["confidence"] = 1.1 })
			refuse("a part of a hash", func(v map[string]any) {
				v["tasks"].([]any)[0].(map[string]any)["commits"].([]any)[0].(map[string]any)["id"] = "0123abc"
			})
			continue
		case "status":
			refuse("another state of a phase", func(v map[string]any) { v["phases"].([]any)[0].(map[string]any)["status"] = "done" })
			refuse("another verdict", func(v map[string]any) { v["sessions"].([]any)[0].(map[string]any)["verdict"] = "none" })
			refuse("over 100 percent", func(v map[string]any) { v["position"].(map[string]any)["percent"] = 101 })
			continue
		case "state":
			refuse("another status", func(v map[string]any) { v["status"] = "Executing" })
			refuse("line 0", func(v map[string]any) { v["edits"].([]any)[0].(map[string]any)["line"] = 0 })
			continue
		}
		if command == "runStart" || command == "runEnd" {
			refuse("another state of a run", func(v map[string]any) { v["run"].(map[string]any)["state"] = "dead" })
			refuse("a status of an open run", func(v map[string]any) {
				v["run"].(map[string]any)["state"], v["run"].(map[string]any)["status"] = "idle", "success"
			})
			refuse("no status of one that ended", func(v map[string]any) {
				v["run"].(map[string]any)["state"], v["run"].(map[string]any)["status"] = "finished", nil
			})
			continue
		}
		if slices.Contains([]string{"runs", "orphans", "dismiss", "sweep", "unlock", "install", "hosts"}, command) {
			continue
		}
		if command == "hydrate" {
			refuse("other work of a kind that is none", func(v map[string]any) {
				v["recovery"].(map[string]any)["incomplete"].([]any)[0].(map[string]any)["kind"] = "note"
			})
			refuse("a next plan beside one to go on with", func(v map[string]any) { v["next"] = map[string]any{} })
		}
		if command == "whoami" {
			refuse("another source", func(v map[string]any) { v["source"] = "guess" })
			refuse("a user that is no name", func(v map[string]any) { v["user"] = "../ada" })
			continue
		}
		if command == "tasks" {
			refuse("another dialect", func(v map[string]any) { v["dialect"] = "yaml" })
			refuse("task 0", func(v map[string]any) { v["tasks"].([]any)[0].(map[string]any)["number"] = 0 })
			continue
		}
		refuse("another verdict", func(v map[string]any) { v["verdict"] = "maybe" })
		refuse("a verdict that is not so", func(v map[string]any) { v["verdict"] = "stale" })
		refuse("another token", func(v map[string]any) { v["token"] = "0" })
		refuse("no list", func(v map[string]any) { v["tasks"] = nil })
		refuse("resume null", func(v map[string]any) { v["resume"] = nil })
		refuse("a reason without staleness", func(v map[string]any) {
			v["stale"] = []any{map[string]any{"reason": "task-count", "detail": "x"}}
		})
		refuse("another reason", func(v map[string]any) {
			v["verdict"], v["token"], v["resume"] = "stale", "STALE", nil
			v["stale"] = []any{map[string]any{"reason": "old", "detail": "x"}}
		})
	}
}

// runOutputs gives what the commands about runs and lost sessions print, and hydrate and status beside them, with
// something in each list.
func runOutputs(p *place) map[string][]byte {
	p.t.Helper()
	me, kill := p.agent()
	outputs := map[string][]byte{}
	p.run("run start --id a --pid " + me)
	outputs["runEnd"] = p.run("run end --status success --id a --json --pid " + me)
	p.run("run start --id c --pid " + me)
	kill()
	p.write(".planning/.continue-here.md", "Here.\n")
	outputs["runStart"] = p.run("run start --id d --json") // from c
	outputs["unlock"] = p.run("unlock --force --json")
	outputs["runs"] = p.run("runs --json")
	outputs["sweep"] = p.run("sweep --json") // d is spared
	p.write(".planning/sessions", "")
	outputs["orphans"] = p.run("orphans --json")
	var found jsonOrphans
	if err := json.Unmarshal(outputs["orphans"], &found); err != nil || len(found.Orphans) == 0 {
		p.t.Fatalf("%v\n%s", err, outputs["orphans"])
	}
	outputs["restore"] = p.run("restore --force --json " + found.Orphans[0].ID)
	p.run("run start --id e")
	outputs["hydrate"], outputs["status"] = p.run("hydrate --json"), p.run("status --json")
	p.write(".planning/sessions", "")
	outputs["dismiss"] = p.run("orphans dismiss --json " + found.Orphans[0].ID)
	return outputs
}

// ways gives the way to each name in a value: the keys, and "0" for the first element of a list.
func ways(value any) (all [][]string) {
	below := func(key string, inner any) {
		for _, way := range ways(inner) {
			all = append(all, append([]string{key}, way...))
		}
	}
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			all = append(all, []string{name})
			below(name, inner)
		}
	case []any:
		if len(value) > 0 {
			below("0", value[0])
		}
	}
	return all
}

// descend gives the object that the last name of a way is in.
func descend(value any, way []string) map[string]any {
	for _, key := range way[:len(way)-1] {
		if list, ok := value.([]any); ok {
			value = list[0]
		} else {
			value = value.(map[string]any)[key]
		}
	}
	return value.(map[string]any)
}
