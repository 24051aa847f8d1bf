package settings

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A setting of gsd's own, as it stands in the code. What may follow gsd. besides are the ends of files' names and the verbs of slash commands.
var (
	ofEnvironment = regexp.MustCompile(`\bGSD_[A-Z_]+\b`)
	ofGit         = regexp.MustCompile(`(^|git config |[^\w./-])gsd\.([a-zA-Z]+)\b`)
	otherNames    = strings.Fields("exe fish js json ps toml rules md")
)

// TestTableIsWhole: every variable GSD_* and every key gsd.* in the code is in the table, and what is in the table is in the code.
func TestTableIsWhole(t *testing.T) {
	t.Parallel()
	known := map[string]bool{} // by the names in lower case, as git has them
	for _, e := range table() {
		known[strings.ToLower(e.Name)] = false
	}
	for literal, file := range literals(t) {
		if _, ok := known[strings.ToLower(literal)]; ok {
			known[strings.ToLower(literal)] = true
		}
		names := ofEnvironment.FindAllString(literal, -1)
		for _, m := range ofGit.FindAllStringSubmatch(literal, -1) {
			if !slices.Contains(otherNames, m[2]) {
				names = append(names, "gsd."+m[2])
			}
		}
		for _, name := range names {
			if _, ok := known[strings.ToLower(name)]; !ok {
				t.Errorf("%s: %s is not in the table of settings", file, name)
			}
		}
	}
	known["user.name"] = true // package identity reads it by its parts
	for name, used := range known {
		if !used {
			t.Errorf("nothing reads %s", name)
		}
	}
}

// literals returns the strings in the code of the module, tests and this package apart, each with a file that has it.
func literals(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	files := token.NewFileSet()
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{"settings", "apptest", "testenv", "seedtest", "test", "testdata", "release"}, d.Name()):
			return filepath.SkipDir
		case filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				if text, err := strconv.Unquote(literal.Value); err == nil {
					found[text] = name
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < 1000 {
		t.Fatalf("only %d strings in the code", len(found))
	}
	return found
}

// TestTexts: what is said of a setting fits a line of 80 columns, which begins with six spaces; the name and its default do, too.
func TestTexts(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, e := range table() {
		if names[e.Name] || e.Use == "" || e.Default == "" {
			t.Errorf("%s is there twice, or without a text", e.Name)
		}
		names[e.Name] = true
		if len(e.Use) > 74 || len(e.Default) > 47 {
			t.Errorf("%s: a text is too long", e.Name)
		}
	}
}

// TestFind: what is set is shown with what is wrong with it.
func TestFind(t *testing.T) {
	t.Parallel()
	env := map[string]string{"GSD_RUN": "token", "GSD_MAX_FILE_MIB": "2048", "CODEX_HOME": "here", "XDG_STATE_HOME": t.TempDir()}
	all := Find(t.Context(), Options{Dir: t.TempDir(), Getenv: func(name string) string { return env[name] }})
	if len(all.Warnings) != 1 || all.Warnings[0].Code != Unread {
		t.Errorf("without git: %v", all.Warnings)
	}
	want := map[string]string{
		"GSD_RUN": "", "GSD_MAX_FILE_MIB": "refused: it has to be a whole number of MiB, from 1 to 2047",
		"CODEX_HOME": "ignored, because it is not an absolute path", "XDG_STATE_HOME": "",
	}
	for _, s := range all.Settings {
		if problem, ok := want[s.Name]; s.Value != env[s.Name] || ok && s.Problem != problem {
			t.Errorf("%+v", s)
		}
	}
}

// TestProblems: of a value that does not count, it is said what counts instead.
func TestProblems(t *testing.T) {
	t.Parallel()
	good := map[string]string{
		"gsd.sharePrivate": "true yes 1 on false no 0 off", "gsd.claimTTL": "72h 3",
		"GSD_MAX_FILE_MIB": "16", "COLUMNS": "1 80 32767",
	}
	bad := map[string]string{
		"gsd.sharePrivate": "maybe 2", "gsd.claimTTL": "long", "gsd.refPrefix": "../x",
		"GSD_MAX_FILE_MIB": "many", "COLUMNS": "0 -1 wide 32768", "CODEX_HOME": "here",
	}
	for _, e := range table() {
		for _, value := range strings.Fields(good[e.Name]) {
			if problem := e.check(value); problem != "" {
				t.Errorf("%s %s: %s", e.Name, value, problem)
			}
		}
		for _, value := range strings.Fields(bad[e.Name]) {
			if e.check(value) == "" {
				t.Errorf("%s %s: no problem", e.Name, value)
			}
		}
	}
}

func TestMaxFile(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]int64{"1": 1 << 20, "16": 16 << 20, "2047": 2047 << 20, "0": 0, "2048": 0, "-1": 0, "1.5": 0, "": 0, "x": 0} {
		if n, err := MaxFile(value); n != want || (err == nil) != (want > 0) {
			t.Errorf("%q: %d, %v", value, n, err)
		}
	}
}
