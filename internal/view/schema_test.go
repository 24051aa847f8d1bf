package view

// schema_test.go makes schema.json from the answers: their fields in their order, with their comments as descriptions. After a
// change of an answer, "go test ./internal/view -run Schema -args -update" writes it again.

import (
	"encoding/json"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/doctor"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/settings"
	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/internal/team"
)

const (
	schemaFile = "../../schema.json"
	module     = "github.com/gsd-cli/gsd"
)

// answers are what the commands print with --json, by their names in schema.json. A line is how the command is called; with
// arguments and flags if its answer depends on them.
var answers = []struct {
	name, lines string
	answer      any
}{
	{"hydrate", "gsd hydrate", answer.Report{}},
	{"bootstrap", "gsd bootstrap, gsd takeover", app.Bootstrapped{}},
	{"preview", "gsd bootstrap --dry-run", app.Preview{}},
	{"archive", "gsd archive", app.ArchivedSession{}},
	{"archivedNote", "gsd archive NOTE", app.ArchivedNote{}},
	{"mark", "gsd mark, gsd done", app.Marked{}},
	{"summary", "gsd done --summary", app.Summarized{}},
	{"tasks", "gsd tasks", app.TaskList{}},
	{"nextPlan", "gsd next", app.NextAnswer{}},
	{"status", "gsd status", status.Status{}},
	{"state", "gsd state", status.State{}},
	{"runStart", "gsd run start", app.StartedRun{}},
	{"runEnd", "gsd run end", app.EndedRun{}},
	{"runList", "gsd run list", answer.RunList{}},
	{"runSweep", "gsd run sweep", app.Swept{}},
	{"restore", "gsd restore", app.Restored{}},
	{"sync", "gsd sync", team.Synced{}},
	{"lost", "gsd restore --list", history.LostSessions{}},
	{"forget", "gsd forget", history.Forgotten{}},
	{"installs", "`gsd install HOST`", Installs{}},
	{"hosts", "gsd install", Hosts{}},
	{"doctor", "gsd doctor", doctor.Diagnosis{}},
	{"whoami", "gsd whoami", identity.User{}},
	{"config", "gsd config", settings.Settings{}},
	{"error", "", Failed{}},
}

const about = "Each command prints one object, and status --watch one a line. $defs has one schema a command, in lower case, and their parts, with a capital letter; command says which one an answer is of. " +
	"Lists are never null. Characters that could act on a terminal or hide there are written as \\u escapes; a byte that is not " +
	"UTF-8 is U+FFFD. Times are RFC 3339 in UTC. A member may be added without a new schema number: ignore names that you do not know."

// open names the fields that may have other values than the constants of their type.
var open = map[string]bool{"Task.Status": true, "Task.Previous": true, "Run.Cause": true}

func TestSchema(t *testing.T) {
	g := generator{t, map[string]*source{}, map[string]reflect.Type{}, map[string]*jsonschema.Schema{}}
	whole := &jsonschema.Schema{
		Schema: "https://json-schema.org/draft/2020-12/schema", Title: "What gsd prints with --json", Description: about, Defs: g.defs,
	}
	for _, a := range answers {
		def := &jsonschema.Schema{Type: "object", Description: "What a command that fails says on standard error, on one line", Properties: map[string]*jsonschema.Schema{}}
		g.members(def, reflect.TypeFor[head]())
		def.Properties["schema"].Const, def.Properties["schema"].Type = new(any(Schema)), ""
		if a.lines != "" {
			def.Description = strings.ReplaceAll(a.lines, ",", " --json,") + " --json"
			schema := def.Properties["command"]
			schema.Types, schema.Enum = nil, commandsOf(a.lines)
		}
		g.members(def, reflect.TypeOf(a.answer))
		g.defs[a.name] = def
		whole.AnyOf = append(whole.AnyOf, &jsonschema.Schema{Ref: "#/$defs/" + a.name})
	}
	g.check()
	text, err := json.MarshalIndent(whole, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(text)) + "\n"
	if *update {
		if err := os.WriteFile(schemaFile, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	is, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if strings.ReplaceAll(string(is), "\r", "") != want {
		t.Error("schema.json does not match the answers: go test ./internal/view -run Schema -args -update")
	}
}

// commandsOf returns the names of the commands in lines such as "gsd run list" and "gsd mark, gsd done".
func commandsOf(lines string) (names []any) {
	for line := range strings.SplitSeq(lines, ", ") {
		var words []string
		for _, word := range strings.Fields(line)[1:] {
			if word == strings.ToLower(word) && !strings.HasPrefix(word, "-") {
				words = append(words, word)
			}
		}
		names = append(names, strings.Join(words, " "))
	}
	return names
}

// A generator makes schemas of types by the rules of [JSON].
type generator struct {
	t      *testing.T
	source map[string]*source      // by package
	types  map[string]reflect.Type // that defs has, besides the answers
	defs   map[string]*jsonschema.Schema
}

// members adds the members that a struct is printed with.
func (g *generator) members(def *jsonschema.Schema, t reflect.Type) {
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			g.members(def, pointedTo(f.Type))
			continue
		}
		if name == "" || name == "-" || f.Tag.Get("answer") == "-" {
			continue
		}
		optional := isOptional(options)
		if optional {
			f.Type = pointedTo(f.Type)
		}
		at := t.Name() + "." + f.Name
		is := g.value(f.Type)
		if is.Ref != "" { // beside $ref, tools make a new type for a description
			is = &jsonschema.Schema{AllOf: []*jsonschema.Schema{is}}
		}
		g.describe(is, g.sourceOf(t).fields[at], f.Type, open[at])
		if f.Tag.Get("empty") != "" {
			is = orNull(is)
		}
		if is.Description == "" {
			g.t.Errorf("%s has no comment", at)
		}
		add(def, name, is)
		if optional {
			def.Required = def.Required[:len(def.Required)-1]
		}
	}
}

// add adds a member that is always there.
func add(def *jsonschema.Schema, name string, is *jsonschema.Schema) {
	def.Properties[name] = is
	def.PropertyOrder = append(def.PropertyOrder, name)
	def.Required = append(def.Required, name)
}

// describe describes a field by its comment, else by that of its type. It lists the constants that the type has, and what they
// mean.
func (g *generator) describe(is *jsonschema.Schema, comment string, t reflect.Type, open bool) {
	source := g.sourceOf(t)
	if comment == "" {
		comment = source.types[t.Name()]
	}
	var meanings []string
	for _, c := range source.constants[t.Name()] {
		if !open {
			is.Type, is.Enum = "", append(is.Enum, c.value)
		}
		if c.comment != "" {
			meanings = append(meanings, c.value+" ("+c.comment+")")
		}
	}
	if len(meanings) > 0 {
		comment = strings.TrimSuffix(comment, ".") + ": " + strings.Join(meanings, "; ")
	}
	first, n := utf8.DecodeRuneInString(comment)
	is.Description = string(unicode.ToUpper(first)) + comment[n:]
}

func (g *generator) value(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[time.Time]():
		return &jsonschema.Schema{Types: []string{"string", "null"}, Format: "date-time"}
	case reflect.TypeFor[time.Duration]():
		return &jsonschema.Schema{Type: "integer"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return orNull(g.value(t.Elem()))
	case reflect.Slice:
		return &jsonschema.Schema{Type: "array", Items: g.value(t.Elem())}
	case reflect.Struct:
		return g.part(t)
	case reflect.Bool:
		return &jsonschema.Schema{Type: "boolean"}
	case reflect.Int, reflect.Int64:
		return &jsonschema.Schema{Type: "integer"}
	case reflect.Float64:
		return &jsonschema.Schema{Type: "number"}
	case reflect.String:
		return &jsonschema.Schema{Type: "string"}
	}
	g.t.Fatalf("JSON does not print a %s", t)
	return nil
}

// part returns a reference to the schema of a struct.
func (g *generator) part(t reflect.Type) *jsonschema.Schema {
	name := t.Name()
	if known := g.types[name]; known == nil {
		g.types[name] = t
		def := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
		g.describe(def, "", t, false)
		if t == reflect.TypeFor[action.Action]() {
			add(def, "argv", &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string"}, Description: "The command and its arguments, unquoted"})
		}
		g.members(def, t)
		g.defs[name] = def
	} else if !known.ConvertibleTo(t) {
		g.t.Errorf("%s and %s have the same name", known, t)
	}
	return &jsonschema.Schema{Ref: "#/$defs/" + name}
}

func orNull(is *jsonschema.Schema) *jsonschema.Schema {
	switch {
	case is.Ref != "":
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{is, {Type: "null"}}}
	case is.AllOf != nil:
		return &jsonschema.Schema{AnyOf: append(is.AllOf, &jsonschema.Schema{Type: "null"}), Description: is.Description}
	case is.Enum != nil:
		is.Enum = append(is.Enum, nil)
	case is.Type != "":
		is.Types, is.Type = []string{is.Type, "null"}, ""
	}
	return is
}

// vocabularyWord matches a state, a kind or a code. What GSD's STATE.md says is spelled as there.
var vocabularyWord = regexp.MustCompile(`^$|^[a-z0-9]+([-:][a-z0-9]+)*( [a-z]+)?$`)

// check refuses what tools that make types of a schema misread.
func (g *generator) check() {
	for name, def := range g.defs {
		for other := range g.defs {
			if other != name && strings.EqualFold(other, name) {
				g.t.Errorf("%s and %s would be one type", name, other)
			}
		}
		eachSchema(def, func(schema *jsonschema.Schema) {
			for _, value := range schema.Enum {
				if word, ok := value.(string); ok && !vocabularyWord.MatchString(word) && !strings.HasPrefix(schema.Description, "The status for STATE.md") {
					g.t.Errorf("%s: %q is not spelled as the words of JSON are, as in-progress", name, word)
				}
			}
			if schema.Ref != "" && !reflect.DeepEqual(schema, &jsonschema.Schema{Ref: schema.Ref}) {
				g.t.Errorf("%s: with something beside it, %s would be another type", name, schema.Ref)
			}
		})
	}
}

// eachSchema calls see with a schema and all that are in it.
func eachSchema(schema *jsonschema.Schema, see func(*jsonschema.Schema)) {
	if schema == nil {
		return
	}
	see(schema)
	eachSchema(schema.Items, see)
	for _, in := range slices.Concat(schema.AnyOf, schema.AllOf, slices.Collect(maps.Values(schema.Properties))) {
		eachSchema(in, see)
	}
}

func pointedTo(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// A source is what the source of a package says: comments by TYPE and by TYPE.FIELD, and the constants of string types.
type source struct {
	types, fields map[string]string
	constants     map[string][]constant
}

type constant struct{ value, comment string }

// sourceOf reads the package of a type, if it is one of this module.
func (g *generator) sourceOf(t reflect.Type) *source {
	dir, ours := strings.CutPrefix(t.PkgPath(), module)
	if !ours {
		return &source{}
	}
	if s := g.source[dir]; s != nil {
		return s
	}
	s := &source{map[string]string{}, map[string]string{}, map[string][]constant{}}
	g.source[dir] = s
	names, _ := filepath.Glob(filepath.Join("../..", dir, "*.go"))
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			g.t.Fatal(err)
		}
		for _, decl := range file.Decls {
			if group, ok := decl.(*ast.GenDecl); ok {
				for _, spec := range group.Specs {
					s.add(group, spec)
				}
			}
		}
	}
	return s
}

func (s *source) add(group *ast.GenDecl, spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		name := spec.Name.Name
		s.types[name] = new(doc.Package).Synopsis(comment(name, group.Doc))
		if structure, ok := spec.Type.(*ast.StructType); ok {
			for _, f := range structure.Fields.List {
				for _, field := range f.Names {
					s.fields[name+"."+field.Name] = comment(field.Name, f.Doc, f.Comment)
				}
			}
		}
	case *ast.ValueSpec:
		if ident, ok := spec.Type.(*ast.Ident); ok && len(spec.Values) == 1 {
			if literal, ok := spec.Values[0].(*ast.BasicLit); ok && literal.Kind == token.STRING {
				value, _ := strconv.Unquote(literal.Value)
				s.constants[ident.Name] = append(s.constants[ident.Name], constant{value, comment("", spec.Comment)})
			}
		}
	}
}

// comment returns the first comment that is not empty, on one line, without the words "NAME is" at its beginning.
func comment(name string, groups ...*ast.CommentGroup) string {
	for _, group := range groups {
		text := strings.Join(strings.Fields(group.Text()), " ")
		for _, article := range []string{"", "A ", "An "} {
			text = strings.TrimPrefix(text, article+name+" is ")
		}
		if text != "" {
			return text
		}
	}
	return ""
}
