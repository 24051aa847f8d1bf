//go:build e2e && unix

package e2e

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// updateDocs makes TestInteractive write docs/tried.md: go test -tags e2e ./e2e -args -update-docs
var updateDocs = flag.Bool("update-docs", false, "write docs/tried.md")

// table is what was found out about each client in each situation.
type table struct {
	clients  []client
	mu       sync.Mutex
	cells    map[string]string // by host and situation
	versions map[string]string
}

const tried = "../docs/tried.md"

func newTable(all []client) *table {
	b := &table{cells: map[string]string{}, versions: map[string]string{}}
	for _, c := range all {
		if c.ui.ready != "" {
			b.clients = append(b.clients, c)
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

// compare compares the documented table with this one, or updates it. If not all clients did everything, and well, there
// is nothing to compare.
func (b *table) compare(t *testing.T) {
	if t.Failed() || len(b.cells) < len(b.clients)*len(situations) {
		return
	}
	if *updateDocs {
		write(t, tried, b.String())
		return
	}
	documented, err := os.ReadFile(tried)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(documented), b.String()); diff != "" {
		t.Errorf("%s is not what was found (-documented +found); go test -tags e2e ./e2e -args -update-docs writes it\n%s", tried, diff)
	}
}

// String returns the document.
func (b *table) String() string {
	var text strings.Builder
	text.WriteString(`# Tried in the terminal

What people do in the interactive programs, with the hosts' own approvals, on Linux, with a stand-in for the model. The test
` + "`TestInteractive`" + ` in [e2e/](../e2e) tries it and writes this table.

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
