package main

// schema.json is made from the types of the answers (internal/view/schema_test.go). What the commands print is checked against
// it in every state of TestStates, and where a script says so.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"
)

// schemaNames are the names in schema.json of the commands that have another one there.
var schemaNames = map[string]string{
	"takeover": "bootstrap", "run start": "runStart", "run end": "runEnd", "run list": "runList", "run sweep": "runSweep",
	"restore --list": "lost", "done --summary": "summary", "bootstrap --dry-run": "preview",
	"next": "nextPlan", "install": "installs", "done": "mark",
}

// schemaName returns the name in schema.json of the command in a command line.
func schemaName(line string) string {
	words := strings.Fields(strings.TrimSuffix(line, " --json"))
	if len(words) > 1 {
		if name := schemaNames[words[0]+" "+words[1]]; name != "" {
			return name
		}
	}
	if words[0] == "archive" && len(words) > 1 {
		return "archivedNote"
	}
	if words[0] == "install" && (len(words) == 1 || strings.HasPrefix(words[1], "-")) {
		return "hosts"
	}
	return cmp.Or(schemaNames[words[0]], words[0])
}

// answers is a schema of an object that has the answers of all commands, by the names that they have in schema.json. It does not allow
// names that it does not have: the published one does, so that a name can be added, but here a name that is not described is a mistake.
var answers = sync.OnceValues(func() (*jsonschema.Resolved, error) {
	text, err := os.ReadFile("../../schema.json")
	if err != nil {
		return nil, err
	}
	var whole jsonschema.Schema
	if err := json.Unmarshal(text, &whole); err != nil {
		return nil, err
	}
	none := &jsonschema.Schema{Not: &jsonschema.Schema{}}
	whole.AnyOf, whole.Properties, whole.AdditionalProperties = nil, map[string]*jsonschema.Schema{}, none
	for name, def := range whole.Defs {
		def.AdditionalProperties = none.CloneSchemas()
		if unicode.IsLower(rune(name[0])) { // no part of others
			whole.Properties[name] = &jsonschema.Schema{Ref: "#/$defs/" + name}
		}
	}
	return whole.Resolve(nil)
})

// checkSchema checks what a command printed against its schema.
func checkSchema(command string, output []byte) error {
	schema, err := answers()
	if err != nil {
		return err
	}
	var value any
	if err := json.Unmarshal(output, &value); err != nil {
		return err
	}
	if err := schema.Validate(map[string]any{command: value}); err != nil {
		return fmt.Errorf("%s: %w", command, err)
	}
	return nil
}

const (
	threeTasks  = "<task type=\"auto\">\n<name>One</name>\n</task>\n<task type=\"auto\">\n<name>Two</name>\n</task>\n<task>\n<name>Three</name>\n</task>\n"
	sessionFile = ".planning/sessions/ada-lovelace/current-plan.md"
	summaryFile = ".planning/phases/01-notes/01-02-SUMMARY.md"
)

// The schema does not accept everything.
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
		{`"stale": []`, `"stale": [{"reason": "old"}]`},
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
