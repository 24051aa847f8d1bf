package main

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
)

// The page that "gsd status --format html" writes. Its laws:
//
//   - It is one file that asks for nothing: no script, no font, no image, no link out of it. Its policy
//     forbids all of them, and allows the one style sheet by its hash, so that not even a style attribute
//     that got into it would count.
//   - Texts of .planning/ are cleaned (pageText), escaped by html/template, and isolated in <bdi>.
//   - State is told in words; colour and shape only repeat it. Bars are SVG, which also prints.
//   - It is well-formed XML too, which the tests parse it as.
//   - The same status and time give the same bytes; times are UTC.

//go:embed page/page.html.tmpl
var pageTemplate string

//go:embed page/page.css
var pageCSS string

// renderPage writes the page that shows s as it stands at now.
func renderPage(w io.Writer, s *hydrate.Status, now time.Time) error {
	// Parsed here and not at the program's start, which every other command would pay for.
	// A checkout may have changed the line ends, and a browser hashes the style sheet without them.
	css := strings.ReplaceAll(pageCSS, "\r", "")
	t, err := template.New("page").Parse(strings.ReplaceAll(pageTemplate, "\r", ""))
	if err != nil {
		return err
	}
	p := newPage(s, now)
	p.CSS, p.Policy = template.CSS(css), pagePolicy(css)
	return t.Execute(w, p)
}

// pagePolicy forbids everything but this style sheet.
func pagePolicy(css string) string {
	sum := sha256.Sum256([]byte(css))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'"
}
