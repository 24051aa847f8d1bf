package roadmap

import "testing"

func TestCoreValue(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"heading", "# P\n\n## Core Value\n\nNever lose a row.\nSecond line.\n\n## Else\n", "Never lose a row."},
		{"another level and case", "#### core value:\nNever lose a row.\n", "Never lose a row."},
		{"label", "# P\n**Core value:** Never lose a row.\n", "Never lose a row."},
		{"colon outside", "**Core Value**: Never lose a row.\n", "Never lose a row."},
		{"plain label", "Core value: rows: never lost\n", "rows: never lost"},
		{"empty label, then a heading", "**Core value:**\n## Core Value\nRows.\n", "Rows."},
		{"markup", "## Core Value\n**Never** lose a `row`.\n", "Never lose a row."},
		{"first of two", "## Core Value\nA\n## Core Value\nB\n", "A"},
		{"empty section", "## Core Value\n\n## Else\nB\n", ""},
		{"another section", "## Core Values of the team\nB\n", ""},
		{"in a fence", "```\n**Core value:** example\n```\n", ""},
		{"in a comment", "<!--\n## Core Value\nx\n-->\n", ""},
		{"line ends of Windows", "## Core Value\r\n\r\nRows.\r\n", "Rows."},
		{"none", "# P\n", ""},
		{"nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := CoreValue([]byte(c.src)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
