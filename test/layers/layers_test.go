// Package layers checks what each package imports.
package layers

import (
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
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
	layer := layersIn(string(design))
	for name, level := range layer {
		files, err := filepath.Glob(root + name + "/*.go")
		if err != nil || len(files) == 0 {
			t.Errorf("there is no package %s: %v", name, err)
		}
		for _, file := range files {
			for _, path := range imports(t, file) {
				below, ours := strings.CutPrefix(path, module)
				if path == goGit || ours && layer[below] <= level && !strings.HasSuffix(file, "_test.go") {
					t.Errorf("%s may not import %s", strings.TrimPrefix(file, root), path)
				}
			}
		}
	}
}

// layersIn returns the layer of each package in the drawing, from 1 at the top.
func layersIn(design string) map[string]int {
	_, section, _ := strings.Cut(design, "\n## Layers\n")
	drawing := strings.Split(section, "```\n")[1]
	layer := map[string]int{}
	for i, paragraph := range strings.Split(drawing, "\n\n") {
		for line := range strings.Lines(paragraph) {
			layer[strings.Fields(line)[0]] = i + 1
		}
	}
	return layer
}

// doors are the packages for other modules. Who has none but the first does not link what reads git's objects.
var doors = []string{"hydrate", "roadmap", "planfile", "identity"}

// mostNames is how many types, functions and variables a door has at most: as many as somebody reads before using it.
const mostNames = 25

// TestLinks: who reads plans, roadmaps or the user's name does not link what reads git's objects.
func TestLinks(t *testing.T) {
	for _, door := range doors[1:] {
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

// TestPure: what docs/design.md calls pure reads no file, starts no program, and knows no opened project.
func TestPure(t *testing.T) {
	design, err := os.ReadFile(root + "docs/design.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(design), "- **Pure** are ")
	list, _, _ = strings.Cut(list, ":")
	names := strings.FieldsFunc(list, func(r rune) bool { return !unicode.IsLetter(r) })
	names = slices.DeleteFunc(names, func(name string) bool { return name == "and" })
	if len(names) < 10 || !slices.Contains(names, "answer") {
		t.Fatal(names)
	}
	reads := []string{"os", "os/exec", "syscall", "net", "net/http", module + "internal/project", module + "internal/verdict", module + "internal/gitexec", module + "internal/child"}
	for _, name := range names {
		files, _ := filepath.Glob(root + "internal/" + name + "/*.go")
		if len(files) == 0 {
			files, _ = filepath.Glob(root + name + "/*.go")
		}
		if len(files) == 0 {
			t.Errorf("there is no package %s", name)
		}
		for _, file := range files {
			for _, path := range imports(t, file) {
				if slices.Contains(reads, path) && !strings.HasSuffix(file, "_test.go") {
					t.Errorf("%s may not import %s", strings.TrimPrefix(file, root), path)
				}
			}
		}
	}
}

// TestDoors: a door has few names, and nothing internal can be reached through them. What is outside of internal is a door or a program.
func TestDoors(t *testing.T) {
	args := []string{"-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}
	for _, door := range doors {
		args = append(args, "./"+door)
	}
	out, err := goList(args...)
	if err != nil {
		t.Fatal(err)
	}
	compiled := map[string]string{}
	for line := range strings.Lines(out) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		compiled[path] = file
	}
	from := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(compiled[path]) })
	for _, door := range doors {
		pkg, err := from.Import(module + door)
		if err != nil {
			t.Fatal(err)
		}
		names := 0
		r := reach{t: t, seen: map[types.Type]bool{}}
		for _, name := range pkg.Scope().Names() {
			object := pkg.Scope().Lookup(name)
			if !object.Exported() {
				continue
			}
			if _, is := object.(*types.Const); !is {
				names++
			}
			r.visit(door+"."+name, object.Type())
		}
		if names > mostNames {
			t.Errorf("%s has %d names, more than %d", door, names, mostNames)
		}
	}
	out, err = goList("-f", "{{.ImportPath}} {{.Name}} {{len .GoFiles}}", "./...")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out) {
		words := strings.Fields(line)
		name := strings.TrimPrefix(words[0], module)
		isOurs := strings.Contains(name, "internal/") || strings.HasPrefix(name, "test") || words[1] == "main" || words[2] == "0"
		if !isOurs && !slices.Contains(doors, name) {
			t.Errorf("others can import %s, which is no door", name)
		}
	}
}

func goList(args ...string) (string, error) {
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir = root
	out, err := cmd.Output()
	return string(out), err
}

// reach is what can be reached from the names of a package.
type reach struct {
	t    *testing.T
	seen map[types.Type]bool
}

// visit looks at a type that a name leads to, and at all that it leads to: exported fields and methods, also those of embedded types, and
// parameters and results.
func (r *reach) visit(way string, typ types.Type) {
	if r.seen[typ] {
		return
	}
	r.seen[typ] = true
	switch t := typ.(type) {
	case *types.Alias:
		r.check(way, t.Obj())
		r.visit(way, types.Unalias(t))
	case *types.Named:
		if !r.check(way, t.Obj()) {
			return
		}
		for arg := range t.TypeArgs().Types() {
			r.visit(way, arg)
		}
		methods := types.NewMethodSet(types.NewPointer(t)) // those of embedded types among them
		for method := range methods.Methods() {
			if method.Obj().Exported() {
				r.visit(way+"."+method.Obj().Name(), method.Type())
			}
		}
		r.visit(way, t.Underlying())
	case *types.Struct:
		for field := range t.Fields() {
			if field.Exported() || field.Embedded() {
				r.visit(way+"."+field.Name(), field.Type())
			}
		}
	case *types.Signature:
		r.visit(way, t.Params())
		r.visit(way, t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			r.visit(way, v.Type())
		}
	case *types.Interface:
		for method := range t.Methods() {
			r.visit(way+"."+method.Name(), method.Type())
		}
	case *types.Map:
		r.visit(way, t.Key())
		r.visit(way, t.Elem())
	case interface{ Elem() types.Type }: // a pointer, slice, array or channel
		r.visit(way, t.Elem())
	}
}

// check reports whether the type of a name is one of this module's that others may use.
func (r *reach) check(way string, typeName *types.TypeName) bool {
	if typeName.Pkg() == nil {
		return false
	}
	if strings.Contains(typeName.Pkg().Path()+"/", "/internal/") && strings.HasPrefix(typeName.Pkg().Path(), module) {
		r.t.Errorf("%s leads to %s.%s", way, typeName.Pkg().Path(), typeName.Name())
	}
	return strings.HasPrefix(typeName.Pkg().Path(), module)
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
