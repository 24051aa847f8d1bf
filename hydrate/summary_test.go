package hydrate

import "testing"

func TestYAMLWord(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"01-notes": "01-notes", "a/b_c.go": "a/b_c.go", "": `""`, "-x": `"-x"`, "a: b": `"a: b"`, "x\ny: z": `"x y: z"`, `a"b\`: `"a\"b\\"`, "é": `"\u00e9"`, "---": `"---"`,
	} {
		if got := yamlWord(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a `b` <!-- c": "a 'b' &lt;!-- c", "*x* [y](z)": `\*x\* \[y](z)`, "one\n## two": "one ## two",
	} {
		if got := markdown(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
