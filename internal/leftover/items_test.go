package leftover_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/leftover"
	"github.com/gsd-cli/gsd/internal/problem"
)

// TestManyItems: the scan has an end, and says what it left out.
func TestManyItems(t *testing.T) {
	const item = "---\nid: W-%d\ncycle_phase: plan\nnode_history:\n- node: doing\n  exited: null\n---\n"
	p, _ := newWorld(t)
	written := 0
	for _, left := range []int{0, 3} {
		for n := written; n < leftover.MaxItems+left; n++ {
			id := 10_000 + n
			write(t, filepath.Join(p.Dir, fmt.Sprintf("docs/work/active/W-%d/WORK.md", id)), fmt.Sprintf(item, id))
		}
		written = leftover.MaxItems + left
		rec := assessed(t, p, now)
		if first := fmt.Sprintf("W-%d", 10_000+left); len(rec.Incomplete) != leftover.MaxItems || rec.Incomplete[0].ID != first {
			t.Errorf("%d items, want %d from %s on", len(rec.Incomplete), leftover.MaxItems, first)
		}
		if said := slices.ContainsFunc(rec.Warnings, func(w problem.Warning) bool {
			return w.Code == leftover.ItemsUnread && w.Count == left
		}); said != (left > 0) {
			t.Errorf("%d were left out: %+v", left, rec.Warnings)
		}
	}
}

// TestItemsOutside: where there are no plans, the items of the nearest directory that has any are named with paths that are right for who
// asks, and what was not read is counted, even if nothing else is named.
func TestItemsOutside(t *testing.T) {
	const open, over = "---\nid: %s\nnode_history:\n- node: doing\n  exited: null\n---\n", "---\nid: %s\nnode_history: []\n---\n"
	for _, test := range []struct {
		name, asks, want string
		open             bool
		items, left      int
	}{
		{"in the directory itself", ".", "docs/work/active/W-10000/WORK.md", true, 1, 0},
		{"below it", "src/lib", "../../docs/work/active/W-10000/WORK.md", true, 1, 0},
		{"none is open", ".", "", false, 1, 0},
		{"too many", "src", "../docs/work/active/W-10002/WORK.md", true, leftover.MaxItems + 2, 2},
		{"too many, and none is open", ".", "", false, leftover.MaxItems + 2, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			text := over
			if test.open {
				text = open
			}
			for n := range test.items {
				id := fmt.Sprintf("W-%d", 10_000+n)
				write(t, filepath.Join(dir, "docs/work/active", id, "WORK.md"), fmt.Sprintf(text, id))
			}
			asks := filepath.Join(dir, test.asks)
			write(t, filepath.Join(asks, "main.go"), "package main\n")
			found, left := leftover.ItemsOutside(asks)
			at := ""
			if len(found) > 0 {
				at = found[0].Path
				if _, err := os.Stat(filepath.Join(asks, at)); err != nil {
					t.Error(err)
				}
			}
			if at != test.want || left != test.left {
				t.Errorf("%q, %d left", at, left)
			}
		})
	}
}

// TestItemHead: of a work item only the first 64 KiB are read, however long it is: its front matter says all.
func TestItemHead(t *testing.T) {
	const open = "---\nid: W-1\nstatus: active\nnode_history:\n- node: doing\n  exited: null\n---\n"
	for _, test := range []struct {
		text string
		told bool
	}{
		{open + strings.Repeat("x", 1<<20), true},
		{strings.Replace(open, "id:", strings.Repeat("note: x\n", leftover.ItemHead/8)+"id:", 1), false},
		{strings.Repeat("x", 1<<20), false},
	} {
		p, _ := newWorld(t)
		write(t, filepath.Join(p.Dir, "docs/work/active/W-1/WORK.md"), test.text)
		if rec := assessed(t, p, now); len(rec.Incomplete) > 0 != test.told {
			t.Errorf("%.20q…, %d bytes: %+v", test.text, len(test.text), rec.Incomplete)
		}
	}
}
