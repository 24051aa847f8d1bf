package main

// schema_read_test.go reads schema.json, and holds an output to it.

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

// schemaName is what schema.json calls the command of a command line.
func schemaName(line string) string {
	for words, name := range map[string]string{"run start": "runStart", "run end": "runEnd", "orphans dismiss": "dismiss"} {
		if strings.HasPrefix(line+" ", words+" ") {
			return name
		}
	}
	name, rest, _ := strings.Cut(line, " ")
	if name == "install" && rest == "" {
		return "hosts"
	}
	return name
}

// readSchema reads schema.json twice: as something to look things up in, and as one schema a command,
// with "" for all of them.
var readSchema = sync.OnceValues(func() (map[string]any, error) {
	data, err := os.ReadFile(schemaFile)
	if err != nil {
		return nil, err
	}
	var tree map[string]any
	return tree, json.Unmarshal(data, &tree)
})

var resolvedSchemas = sync.OnceValues(func() (map[string]*jsonschema.Resolved, error) {
	tree, err := readSchema()
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(closed(tree))
	if err != nil {
		return nil, err
	}
	resolved := map[string]*jsonschema.Resolved{}
	for _, command := range append([]string{""}, jsonCommands...) {
		var schema jsonschema.Schema // a resolved schema may not be used again
		if err := json.Unmarshal(data, &schema); err != nil {
			return nil, err
		}
		if command != "" {
			schema.AnyOf, schema.Ref = nil, "#/$defs/"+command
		}
		if resolved[command], err = schema.Resolve(nil); err != nil {
			return nil, fmt.Errorf("%s: %w", command, err)
		}
	}
	return resolved, nil
})

// closed gives a schema that allows no name it does not have. The published one allows them, so that a name
// can be added; here one that is not described is a mistake.
func closed(tree any) any {
	switch tree := tree.(type) {
	case map[string]any:
		copied := map[string]any{}
		for name, value := range tree {
			copied[name] = closed(value)
		}
		if tree["type"] == "object" && tree["properties"] != nil {
			copied["additionalProperties"] = false
		}
		return copied
	case []any:
		copied := make([]any, len(tree))
		for i, value := range tree {
			copied[i] = closed(value)
		}
		return copied
	}
	return tree
}

// checkSchema holds what a command printed against its schema, and against the schema of all of them.
func checkSchema(command string, output []byte) error {
	schemas, err := resolvedSchemas()
	if err != nil {
		return err
	}
	if schemas[command] == nil {
		return fmt.Errorf("no schema for %q", command)
	}
	var value any
	if err := json.Unmarshal(output, &value); err != nil {
		return err
	}
	if err := schemas[command].Validate(value); err != nil {
		return fmt.Errorf("%s: %w", command, err)
	}
	return schemas[""].Validate(value)
}

const (
	threeTasks = "<task type=\"auto\">\n<name>One</name>\n</task>\n<task type=\"auto\">\n<name>Two</name>\n</task>\n<task>\n<name>Three</name>\n</task>\n"
	// Task One has another text, Two is there twice, Three is gone.
	otherTasks  = "<task type=\"auto\">\n<name>One</name>\nMore\n</task>\n<task>\n<name>Two</name>\na\n</task>\n<task>\n<name>Two</name>\nb\n</task>\n<task/>\n"
	phaseTwo    = "| Phase | Plans | Status |\n|---|---|---|\n| 1. Notes | 2/2 | Complete |\n| 2. Sharing | 0/1 | In progress |\n"
	oddSession  = "<!-- Plan: " + samplePlan + " -->\n<!-- Started: 2026-02-03T10:00:00Z -->\n\n<task type=\"auto\" status=\"doing\">\n<precondition>A key</precondition>\n</task>\n<task status=\"complete\" status=\"pending\">\n</task>\n<task>\n"
	sessionFile = ".planning/sessions/ada-lovelace/current-plan.md"
	summaryFile = ".planning/phases/01-notes/01-02-SUMMARY.md"
)
