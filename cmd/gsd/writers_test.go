package main

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"os"
	"slices"
	"strings"
	"testing"
)

// writers are the functions that write to the output other than through package printer, and what they write there.
var writers = map[string]string{
	"execute":           "the version of this build",
	"commandLine":       "help, which is literals",
	"helpCommand":       "help, which is literals",
	"reply":             "JSON, which has its own escapes",
	"showStatus":        "the page, which has its own",
	"brief":             "a host's envelope (agent.Render)",
	"agent":             "a host's envelope (agent.RenderDelegation)",
	"printFor":          "a host's envelope (agent.Render)",
	"ask":               "a host's envelope (agent.RenderAsk)",
	"playDemo":          "what other commands have printed",
	"completionCommand": "a shell's script of this program",
	"help":              "help, which is literals",
	"contents":          "all of that, at the end",
	"run":               "the contents",
	"runHook":           "the contents",
	"paint":             "the contents, after what clears a terminal",
	"tell":              "an error, which package printer has printed",
	"newProgram":        "nothing: it takes the streams",
	"runAgent":          "nothing: the output is the program's",
	"childCommand":      "nothing: the streams are the program's",
	"watchStatus":       "nothing: it watches whether the output is closed",
	"printer":           "nothing: it asks how wide the output is",
	"onScreen":          "nothing: it asks how high the output is",
}

// TestWriters: nothing but what is known here writes without package printer, which cleans what it prints. What package view prints can only go
// through it: a printer.Buffer has no other way in.
func TestWriters(t *testing.T) {
	t.Parallel()
	names, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, file := range names {
		name := file.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(gotoken.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range parsed.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			ast.Inspect(f.Body, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok && isStream(s) {
					used[f.Name.Name] = true
					if writers[f.Name.Name] == "" {
						t.Errorf("%s: %s writes by itself, with %s", name, f.Name.Name, s.Sel.Name)
					}
				}
				return true
			})
		}
	}
	for name := range writers {
		if !used[name] {
			t.Errorf("%s no longer writes", name)
		}
	}
}

// isStream reports whether an expression is one of the streams or what is written to them unchanged, or prints to one.
func isStream(s *ast.SelectorExpr) bool {
	of, _ := s.X.(*ast.Ident)
	switch s.Sel.Name {
	case "raw", "help", "stdout", "stderr", "Stdout", "Stderr":
		return true
	case "Print", "Printf", "Println":
		return of != nil && of.Name == "fmt"
	}
	return of != nil && of.Name == "fmt" && slices.Contains([]string{"Fprint", "Fprintf", "Fprintln"}, s.Sel.Name)
}
