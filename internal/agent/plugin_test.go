package agent

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the files of the plugin, and the golden files")

// The plugin for Claude Code, in plugin/ of this repository, holds the hooks and commands that Install writes, and nothing
// else. Under the plugin's name, gsd, its command hydrate.md is /gsd:hydrate.
func TestPluginFolder(t *testing.T) {
	const dir = "../../plugin"
	files := map[string][]byte{"hooks/hooks.json": newSettings(t, Claude, setupOf(Claude, Project, program, false))}
	for _, f := range filesOf(Claude, program) {
		files["commands/"+strings.TrimPrefix(filepath.Base(f.path), CommandName(Claude, ""))] = []byte(f.text)
	}
	for name, want := range files {
		if *update {
			put(t, filepath.Join(dir, name), want)
		}
		if is, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(is, want) {
			t.Errorf("%s is not what gsd install writes (%v): go test ./internal/agent -run Plugin -update", name, err)
		}
	}
	for _, sub := range []string{"commands", "hooks"} {
		entries, err := os.ReadDir(filepath.Join(dir, sub))
		noError(t, err)
		for _, e := range entries {
			if files[sub+"/"+e.Name()] == nil {
				t.Errorf("%s/%s is not a file of the plugin", sub, e.Name())
			}
		}
	}
}
