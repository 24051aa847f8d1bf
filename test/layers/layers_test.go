// Package layers checks what each package imports.
package layers

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	root   = "../../"
	module = "github.com/gsd-cli/gsd/"
	goGit  = "github.com/go-git/go-git/v5" // costs 9 MB and 1.3 ms at every start; its subpackages don't
)

// TestLayers: a package imports only those of layers below its own. A layer is a paragraph of the drawing in docs/design.md; what is not
// in the drawing is for tests.
func TestLayers(t *testing.T) {
	design, err := os.ReadFile(root + "docs/design.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(design), "\n## Layers\n")
	drawing := strings.Split(section, "```\n")[1]
	layer := map[string]int{} // of each package, from 1 at the top
	for i, paragraph := range strings.Split(drawing, "\n\n") {
		for line := range strings.Lines(paragraph) {
			layer[strings.Fields(line)[0]] = i + 1
		}
	}
	for name, its := range layer {
		files, err := filepath.Glob(root + name + "/*.go")
		if err != nil || len(files) == 0 {
			t.Errorf("there is no package %s: %v", name, err)
		}
		for _, file := range files {
			for _, path := range imports(t, file) {
				below, ours := strings.CutPrefix(path, module)
				if path == goGit || ours && layer[below] <= its && !strings.HasSuffix(file, "_test.go") {
					t.Errorf("%s may not import %s", strings.TrimPrefix(file, root), path)
				}
			}
		}
	}
}

// TestDoors: whoever reads plans, roadmaps or the user's name does not link what reads git's objects.
func TestDoors(t *testing.T) {
	for _, door := range []string{"roadmap", "planfile", "identity"} {
		links := []string{door}
		for i := 0; i < len(links); i++ { // it grows
			files, err := filepath.Glob(root + links[i] + "/*.go")
			if err != nil || len(files) == 0 {
				t.Fatalf("there is no package %s: %v", links[i], err)
			}
			for _, file := range files {
				if strings.HasSuffix(file, "_test.go") {
					continue
				}
				for _, path := range imports(t, file) {
					if below, ours := strings.CutPrefix(path, module); ours && !slices.Contains(links, below) {
						links = append(links, below)
					} else if strings.HasPrefix(path, "github.com/go-git/") {
						t.Errorf("%s links %s, which %s imports", door, path, links[i])
					}
				}
			}
		}
	}
}

// imports returns the paths that a file imports.
func imports(t *testing.T, file string) (paths []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range parsed.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		paths = append(paths, path)
	}
	return paths
}
