package layers

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestWalks: the functions that docs/design.md names on the way of three commands are there.
func TestWalks(t *testing.T) {
	design, err := os.ReadFile(root + "docs/design.md")
	if err != nil {
		t.Fatal(err)
	}
	_, walks, _ := strings.Cut(string(design), "\n### Three commands, from start to finish\n")
	walks, _, _ = strings.Cut(walks, "\n### ")
	dirs := map[string]string{"main": "cmd/gsd"}
	for dir := range layersIn(string(design)) {
		dirs[path.Base(dir)] = dir
	}
	dirs["roadmap"] = "internal/roadmap"
	known := map[string]map[string]bool{}
	names := regexp.MustCompile("`([a-z]+)\\.([A-Za-z.]+)`").FindAllStringSubmatch(walks, -1)
	if len(names) < 30 {
		t.Fatalf("only %d names are there", len(names))
	}
	for _, name := range names {
		entry := known[name[1]]
		if entry == nil {
			entry = functions(t, dirs[name[1]])
			known[name[1]] = entry
		}
		if !entry[name[2]] {
			t.Errorf("there is no function %s.%s", name[1], name[2])
		}
	}
}

// functions returns the functions of a package, methods as Type.Name.
func functions(t *testing.T, dir string) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	files, err := filepath.Glob(root + dir + "/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("there is no package in %q: %v", dir, err)
	}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range parsed.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			name := f.Name.Name
			if f.Recv != nil {
				of := f.Recv.List[0].Type
				if star, ok := of.(*ast.StarExpr); ok {
					of = star.X
				}
				if is, ok := of.(*ast.Ident); ok {
					name = is.Name + "." + name
				}
			}
			all[name] = true
		}
	}
	return all
}
