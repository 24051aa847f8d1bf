// Package limits keeps any package, type or file from growing into the one place where everything is.
package limits

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// In lines, without tests; a type in methods that it declares, on all systems.
const (
	maxPackage = 4200
	maxHydrate = 3500 // it joins the others, so whatever has no place of its own ends up there
	maxFile    = 600
	maxMethods = 60
)

func TestLimits(t *testing.T) {
	lines, methods := map[string]int{}, map[string]map[string]bool{}
	err := filepath.WalkDir("../..", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "node_modules" || entry.Name() == "dist"):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		n, dir := strings.Count(string(src), "\n"), filepath.ToSlash(filepath.Dir(name))
		if lines[dir] += n; n > maxFile {
			t.Errorf("%s has %d lines, more than %d", name, n, maxFile)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				its := dir + "." + receiver(f.Recv.List[0].Type)
				if methods[its] == nil {
					methods[its] = map[string]bool{}
				}
				methods[its][f.Name.Name] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(lines) < 20 || lines["../../hydrate"] == 0 {
		t.Fatalf("found only %d packages", len(lines))
	}
	for dir, n := range lines {
		most := maxPackage
		if dir == "../../hydrate" {
			most = maxHydrate
		}
		if n > most {
			t.Errorf("%s has %d lines, more than %d", dir, n, most)
		}
	}
	for name, all := range methods {
		if len(all) > maxMethods {
			t.Errorf("%s has %d methods, more than %d", name, len(all), maxMethods)
		}
	}
}

// receiver returns the name of a receiver's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
