package host

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the plugin's files anew")

// pluginFiles gives the files of the plugin for Claude Code that stands in plugin/ of this repository, by their paths in
// it: the same hooks and commands that Install writes. Under the plugin's name, gsd, hydrate.md is /gsd:hydrate, too.
func pluginFiles() (map[string][]byte, error) {
	hooks, err := insertEntries(nil, setupOf(Claude, Project, program, false).entries, kindOf)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"hooks/hooks.json": hooks}
	for _, c := range commandList {
		files["commands/"+c.name+".md"] = []byte(c.claude())
	}
	return files, nil
}

// The plugin's folder holds what Install writes, and nothing that has been forgotten there.
func TestPluginFolder(t *testing.T) {
	const dir = "../plugin"
	files, err := pluginFiles()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if *update {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if is, err := os.ReadFile(file); err != nil || !bytes.Equal(is, want) {
			t.Errorf("%s is not what gsd install writes (%v): go test ./host -run Plugin -update", name, err)
		}
	}
	for _, sub := range []string{"commands", "hooks"} {
		entries, err := os.ReadDir(filepath.Join(dir, sub))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if files[sub+"/"+e.Name()] == nil {
				t.Errorf("%s/%s is no file of the plugin", sub, e.Name())
			}
		}
	}
}
