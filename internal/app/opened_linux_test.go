package app_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/planfile"
)

// reads counts how often do reads each file of the session's directory, or adds to it.
func reads(t *testing.T, p *app.Project, do func()) string {
	t.Helper()
	watch, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		t.Skip("files cannot be watched here:", err)
	}
	defer unix.Close(watch)
	const closed = unix.IN_CLOSE_NOWRITE | unix.IN_CLOSE_WRITE
	if _, err := unix.InotifyAddWatch(watch, filepath.Join(p.Dir, sessionsPath), closed); err != nil {
		t.Fatal(err)
	}
	do()
	counts := map[string]int{}
	events := make([]byte, 1<<16)
	n, err := unix.Read(watch, events)
	if err != nil {
		t.Fatal(err)
	}
	for rest := events[:n]; len(rest) > 0; {
		mask, length := binary.NativeEndian.Uint32(rest[4:]), binary.NativeEndian.Uint32(rest[12:])
		name := string(bytes.TrimRight(rest[unix.SizeofInotifyEvent:][:length], "\x00"))
		rest = rest[unix.SizeofInotifyEvent+length:]
		switch kept := slices.Contains([]string{"current-plan.md", "runs.json"}, name); {
		case !kept:
		case mask&unix.IN_CLOSE_NOWRITE != 0:
			counts["read "+name]++
		default: // what is replaced is written under another name
			counts["add to "+name]++
		}
	}
	var all []string
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, fmt.Sprintf("%s %d", what, counts[what]))
	}
	return strings.Join(all, ", ")
}

// TestEachFileIsReadOnce: a command opens each file of the session once to read it.
func TestEachFileIsReadOnce(t *testing.T) {
	const once = "read current-plan.md 1, read runs.json 1"
	mine := agentCaller("a", 200)
	mark := func(t *testing.T, p *app.Project, status planfile.Status) {
		done, err := p.Mark(t.Context(), app.MarkOptions{User: user, Number: 2, Status: status})
		if err != nil {
			t.Fatal(err)
		}
		history.CheckStates(p.Project, done.Report)
	}
	for _, test := range []struct {
		name string
		do   func(t *testing.T, p *app.Project)
	}{
		{"mark", func(t *testing.T, p *app.Project) { mark(t, p, planfile.InProgress) }},
		{"mark again", func(t *testing.T, p *app.Project) { mark(t, p, planfile.Complete) }},
		{"mark what is so already", func(t *testing.T, p *app.Project) { mark(t, p, planfile.Pending) }},
		{"mark of another", func(t *testing.T, p *app.Project) { mark(t, as(p, run.Caller{}), planfile.Complete) }},
		{"hydrate", func(t *testing.T, p *app.Project) { assessed(t, p, now) }},
		{"bootstrap", func(t *testing.T, p *app.Project) { bootstrap(t, p) }},
		{"bootstrap --fresh", func(t *testing.T, p *app.Project) {
			if _, err := p.Bootstrap(t.Context(), app.BootstrapOptions{User: user, Plan: planPath, Fresh: true}); err != nil {
				t.Fatal(err)
			}
		}},
		{"the start of the same conversation", func(t *testing.T, p *app.Project) { hydrateStarting(t, p) }},
		{"the start of another conversation", func(t *testing.T, p *app.Project) {
			hydrateStarting(t, as(p, agentCaller("b", 200)))
		}},
		{"the start of another agent", func(t *testing.T, p *app.Project) { hydrateStarting(t, as(p, agentCaller("b", 100))) }},
		{"run end", func(t *testing.T, p *app.Project) { endRun(t, p, run.Success, now) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, _ := newWorld(t)
			bootstrap(t, p)
			startRun(t, as(p, mine), now)
			if got := reads(t, p, func() { test.do(t, p) }); got != once {
				t.Errorf("%s; want %s", got, once)
			}
		})
	}
}
