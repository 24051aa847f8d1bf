package frontmatter

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"github.com/gsd-cli/gsd/internal/planref"
)

// FuzzRead checks properties that hold for any bytes, between two --- lines or without them.
func FuzzRead(f *testing.F) {
	f.Add([]byte(metaSample), "wave: 9\n---\n")
	for _, s := range []string{
		"depends_on: [01-01, \"Phase 3 plan 2\"] # why\nwave: 0\n",
		"depends_on:\n- {phase: 3, plan: 2}\n-\t02.1-03 (a, b)\n  - x: *y\nwave: \"2\n",
		"dependsOn: |\n  .planning/quick/001-fix/PLAN.md and phases-1,\u2028plan 3\nwave: Wave 2a\n",
		"phase: quick-1\nplan: 03-01\n<a>\n\ngap_closure: yes\n",
		"depends_on: [\n\"01-01\",\n'wave': 2\n...\n",
		"depends_on: &a [*a, !!int 010, ? [k] : v]\r\ndepends_on: \"\\u001b[3\"\n",
	} {
		f.Add([]byte(s), "depends_on: [09-09]\n")
	}
	f.Fuzz(func(t *testing.T, block []byte, tail string) {
		if len(block)+len(tail) > MaxSize/4 {
			t.Skip("with CRLF the limit cuts it off at another place")
		}
		Read(block)
		for _, f := range Faults(block) {
			if f.Line < 2 || f.Line > bytes.Count(block, []byte("\n"))+2 {
				t.Fatalf("%+v is outside of the front matter", f)
			}
		}
		src := append([]byte("---\n"), block...)
		src = append(src, "\n---\n"...)
		m := Read(src)
		checkMeta(t, src, m)
		if got := Read(append(src[:len(src):len(src)], tail...)); !reflect.DeepEqual(got, m) {
			t.Fatalf("the text after the front matter changed\n%+v to\n%+v", m, got)
		}
		lf := bytes.ReplaceAll(src, []byte("\r"), nil)
		crlf := bytes.ReplaceAll(lf, []byte("\n"), []byte("\r\n"))
		if a, b := Read(lf), Read(crlf); !reflect.DeepEqual(a, b) {
			t.Fatalf("with LF\n%+v, with CRLF\n%+v", a, b)
		}
	})
}

func checkMeta(t *testing.T, src []byte, m Meta) {
	t.Helper()
	if m.Wave < 0 || !m.HasWave && m.Wave != 0 {
		t.Fatalf("%+v", m)
	}
	for _, d := range m.DependsOn {
		if d.Text == "" || strings.TrimSpace(d.Text) != d.Text || strings.ContainsFunc(d.Text, unicode.IsControl) {
			t.Fatalf("text %q", d.Text)
		}
		if d.Number.IsZero() == (d.Ref == planref.Ref{}) {
			t.Fatalf("not one of both: %+v", d)
		}
	}
	if len(m.DependsOn) > len(src) {
		t.Fatalf("%d dependencies of %d bytes", len(m.DependsOn), len(src))
	}
}
