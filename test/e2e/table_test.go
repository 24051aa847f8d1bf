//go:build e2e && unix

package e2e

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// updateDocs makes TestInteractive write docs/tried.md: go test -tags e2e ./test/e2e -args -update-docs
var updateDocs = flag.Bool("update-docs", false, "write docs/tried.md")

// table is what was found out about each client in each situation.
type table struct {
	clients  []client
	mu       sync.Mutex
	cells    map[string]string // by host and situation
	versions map[string]string
}

const tried = "../../docs/tried.md"

func newTable(all []client) *table {
	b := &table{cells: map[string]string{}, versions: map[string]string{}}
	for _, c := range all {
		if c.ui.ready == "" {
			continue
		}
		b.clients = append(b.clients, c)
		for _, s := range situations {
			if s.only != "" && s.only != c.host {
				b.add(c, s, "–")
			}
		}
	}
	return b
}

func (b *table) version(c client, text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.versions[c.host] = regexp.MustCompile(`\d+\.\d+\.\d+`).FindString(text)
}

func (b *table) add(c client, s situation, cell string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cells[c.host+"/"+s.name] = cell
}

// compare compares the documented table with this one, or updates it. Of a client that was not tried in every situation,
// or that failed in one, what is documented stays.
func (b *table) compare(t *testing.T) {
	page, err := os.ReadFile(tried)
	if err != nil && !*updateDocs {
		t.Fatal(err)
	}
	documented, others, _ := strings.Cut(string(page), "\n## ") // which test/upstream writes
	b.complete(documented)
	switch found := b.String(); {
	case found == documented:
	case *updateDocs:
		if others != "" {
			found += "\n## " + others
		}
		write(t, tried, found)
	default:
		t.Errorf("%s is not what was found (-documented +found); go test -tags e2e ./test/e2e -args -update-docs writes it\n%s",
			tried, gocmp.Diff(documented, found))
	}
}

// complete takes from the document what is not known of clients that have empty cells.
func (b *table) complete(documented string) {
	versions, cells := map[string]string{}, map[string]string{}
	var heads []string
	for line := range strings.Lines(documented) {
		fields := strings.Split(strings.Trim(line, "| \n"), " | ")
		if !strings.HasPrefix(line, "| ") || len(fields) < 3 {
			continue
		}
		if heads == nil {
			heads = fields[2:]
			continue
		}
		for i, cell := range fields[2:] {
			host, version, _ := strings.Cut(heads[min(i, len(heads)-1)], " ")
			versions[host], cells[host+"/"+fields[0]] = version, cell
		}
	}
	for _, c := range b.clients {
		if !slices.ContainsFunc(situations, func(s situation) bool { return b.cells[c.host+"/"+s.name] == "" }) {
			continue
		}
		b.versions[c.host] = cmp.Or(versions[c.host], "not tried yet")
		for _, s := range situations {
			key := c.host + "/" + s.name
			b.cells[key] = cmp.Or(cells[key], b.cells[key]) // a new situation has what was found
		}
	}
}

// String returns the document.
func (b *table) String() string {
	var text strings.Builder
	text.WriteString(`# Tried in the terminal

What people do in the interactive programs, with the hosts' own approvals, on Linux, with a stand-in for the model, and at the end
other ways in which an agent is sent to a plan. The test ` + "`TestInteractive`" + ` in [test/e2e/](../test/e2e) tries it and writes this table.

| situation | expected |`)
	for _, c := range b.clients {
		fmt.Fprintf(&text, " %s %s |", c.program, b.versions[c.host])
	}
	text.WriteString("\n|---|---|" + strings.Repeat("---|", len(b.clients)) + "\n")
	for _, s := range situations {
		fmt.Fprintf(&text, "| %s | %s |", s.name, s.what)
		for _, c := range b.clients {
			fmt.Fprintf(&text, " %s |", b.cells[c.host+"/"+s.name])
		}
		text.WriteString("\n")
	}
	return text.String()
}
