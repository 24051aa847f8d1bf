package view

// hidden_test.go holds that the text of an answer has nothing that its JSON hides: "JSON is the API", so what is worth saying to a person
// is worth a name for a program.

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/printer"
)

// plumbing says why the text may use a field that JSON does not have.
var plumbing = map[string]string{
	"Report.JustStarted": "only the hook at a start finds such a run, and its brief has no JSON",
	"State.Unlisted":     "some of the warnings",
}

// hiddenFields lists the fields below a type that JSON does not have, by TYPE.FIELD, without plumbing.
func hiddenFields(t reflect.Type, seen map[reflect.Type]bool, found map[string]bool) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		hiddenFields(t.Elem(), seen, found)
	case reflect.Struct:
		if seen[t] || t == reflect.TypeFor[action.Action]() || !strings.HasPrefix(t.PkgPath(), module) {
			return
		}
		seen[t] = true
		for field := range t.Fields() {
			name := t.Name() + "." + field.Name
			if !field.IsExported() {
				continue
			}
			if field.Tag.Get("json") == "-" {
				if plumbing[name] == "" {
					found[name] = true
				}
				continue
			}
			hiddenFields(field.Type, seen, found)
		}
	}
}

// change changes every field with one of these names below a value to something else that f makes, or to its zero value.
func change(v reflect.Value, names map[string]bool, f *filler) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			change(v.Elem(), names, f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			change(v.Index(i), names, f)
		}
	case reflect.Struct:
		if !strings.HasPrefix(v.Type().PkgPath(), module) {
			return
		}
		for i := range v.NumField() {
			field := v.Type().Field(i)
			switch {
			case !field.IsExported():
			case names[v.Type().Name()+"."+field.Name]:
				v.Field(i).SetZero()
				if f != nil {
					f.fill(v.Field(i), 4)
				}
			case field.Tag.Get("json") != "-":
				change(v.Field(i), names, f)
			}
		}
	}
}

// shown returns what print prints of an answer, "" if it cannot.
func shown(answer any, print func(*Printer, any)) (out string) {
	var b printer.Buffer
	p := &Printer{Writer: printer.NewWriter(&b, printer.Style{}, 0), Now: now}
	if impossible(func() { print(p, answer) }) {
		return ""
	}
	return b.String()
}

func TestNothingHidden(t *testing.T) {
	t.Parallel()
	rounds := 60
	if testing.Short() {
		rounds = 20
	}
	g := generator{t, map[string]*source{}, nil, nil}
	for _, a := range answers {
		print := printers[a.name]
		switch a.name {
		case "error":
			continue
		case "hydrate":
			print = func(p *Printer, a any) {
				r := a.(*answer.Report)
				p.Report(r)
				by := Briefer{At: now}
				p.Printf("%s%s%s\n", strings.Join(by.Report(r, ""), "\n"), Notice(r), StatusLine(r, 80))
				if r.Resume != nil {
					p.Printf("%s\n", by.Line(r))
				}
			}
		}
		hidden := map[string]bool{}
		hiddenFields(reflect.TypeOf(a.answer), map[reflect.Type]bool{}, hidden)
		for seed := range rounds {
			// as prints the answer of this seed, in which some fields are zero, or are filled again.
			as := func(changed map[string]bool, zero bool) string {
				f := &filler{rand.New(rand.NewPCG(uint64(seed), 37)), &g, false}
				answer := reflect.New(reflect.TypeOf(a.answer))
				f.fill(answer.Elem(), 4)
				if zero {
					f = nil
				}
				change(answer.Elem(), changed, f)
				return shown(answer.Interface(), print)
			}
			differs := func(changed map[string]bool) bool {
				is := as(nil, false)
				return slices.ContainsFunc([]bool{false, true}, func(zero bool) bool {
					other := as(changed, zero)
					return is != "" && other != "" && other != is
				})
			}
			if !differs(hidden) {
				continue
			}
			for name := range hidden {
				if differs(map[string]bool{name: true}) {
					delete(hidden, name)
					t.Errorf("%s: %s has no name in JSON, and is printed (seed %d)", a.lines, name, seed)
				}
			}
		}
	}
}
