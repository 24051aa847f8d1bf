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
func pluginFiles(t *testing.T) map[string][]byte {
	files := map[string][]byte{"hooks/hooks.json": newSettings(t, setupOf(Claude, Project, program, false))}
	for _, f := range filesOf(Claude, program) {
		files["commands/"+filepath.Base(f.path)] = []byte(f.text)
	}
	return files
}

// The plugin's folder holds what Install writes, and nothing that has been forgotten there.
func TestPluginFolder(t *testing.T) {
	const dir = "../../plugin"
	files := pluginFiles(t)
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
			t.Errorf("%s is not what gsd install writes (%v): go test ./internal/host -run Plugin -update", name, err)
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
