package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/planfile"
)

// TestDoor: what package hydrate answers is what the command prints with --json, and it leaves the same behind. Two copies of a project
// go through the same day, one on the command line.
func TestDoor(t *testing.T) { // not in parallel: the library's help flag is a shared variable
	now := time.Date(2031, 2, 3, 4, 5, 6, 0, time.UTC)
	tick := func() time.Time { return now }
	a, out := ada(t, now)
	a.now = tick
	b, _ := ada(t, now)
	p, err := hydrate.Open(t.Context(), b.dir, &hydrate.Options{Env: b.env, Now: tick})
	if err != nil {
		t.Fatal(err)
	}
	id := regexp.MustCompile(`\b[0-9a-f]{16}\b`) // of a lost session
	value := func(text []byte, dir string) (v any) {
		t.Helper()
		text = bytes.ReplaceAll(text, bytes.Trim([]byte(strconv.Quote(dir)), `"`), []byte("DIR"))
		text = bytes.ReplaceAll(text, []byte(filepath.Base(dir)), []byte("NAME")) // of a project without a title
		text = id.ReplaceAll(text, []byte("ID"))                                  // it depends on the path
		if err := json.Unmarshal(text, &v); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		return v
	}
	ctx := t.Context()
	for _, step := range []struct {
		line string
		code int
		door func() (any, error)
	}{
		{"hydrate", 0, func() (any, error) { return p.Report() }},
		{"next", 0, func() (any, error) { return p.Next() }},
		{"status", 0, func() (any, error) { return p.Status() }},
		{"tasks", 66, func() (any, error) { return p.Tasks("") }}, // there is no session
		{"tasks 01-02", 0, func() (any, error) { return p.Tasks("01-02") }},
		{"bootstrap 01-01", 77, func() (any, error) { return p.Start(ctx, "01-01", nil) }}, // it is done
		{"bootstrap 09-09", 66, func() (any, error) { return p.Start(ctx, "09-09", nil) }}, // there is none
		{"bootstrap", 0, func() (any, error) { return p.Start(ctx, "", nil) }},
		{"mark 1 in-progress", 0, func() (any, error) { return p.Mark(ctx, 1, planfile.InProgress) }},
		{"mark 9 complete", 66, func() (any, error) { return p.Mark(ctx, 9, planfile.Complete) }}, // there is none
		{"hydrate", 0, func() (any, error) { return p.Report() }},
		{"done", 0, func() (any, error) { return p.Done(ctx, 0) }},
		{"done 3", 0, func() (any, error) { return p.Done(ctx, 3) }},
		{"tasks", 0, func() (any, error) { return p.Tasks("") }},
		{"tasks 2", 0, func() (any, error) { return p.Task("", 2) }},
		{"status", 0, func() (any, error) { return p.Status() }},
		{"bootstrap 01-02 --fresh", 0, func() (any, error) { return p.Start(ctx, "01-02", &hydrate.StartOptions{Fresh: true}) }},
		{"bootstrap 01-01 --again", 0, func() (any, error) { return p.Start(ctx, "01-01", &hydrate.StartOptions{Again: true}) }},
		{"archive", 0, func() (any, error) { return p.Archive(ctx) }},
		{"archive", 66, func() (any, error) { return p.Archive(ctx) }}, // there is no session
		{"bootstrap", 0, func() (any, error) { return p.Start(ctx, "", nil) }},
		{"lose it", 0, nil},
		{"hydrate", 0, func() (any, error) { return p.Report() }},
		{"restore", 0, func() (any, error) { return p.Restore(ctx, "") }},
		{"restore 0123", 66, func() (any, error) { return p.Restore(ctx, "0123") }}, // there is none
	} {
		now = now.Add(time.Minute)
		for _, dir := range []string{a.dir, b.dir} {
			session := filepath.Join(dir, ".planning", "sessions", "ada-lovelace", "current-plan.md")
			if step.door == nil {
				err = os.Remove(session)
			} else { // as if both had been written in one second
				err = os.Chtimes(session, now, now)
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
		}
		if step.door == nil {
			continue
		}
		out.Reset()
		code := a.run(ctx, append([]string{"-C", a.dir, "--json"}, strings.Fields(step.line)...))
		want := value(out.Bytes(), a.dir)
		answer, err := step.door()
		if err != nil {
			answer = err
		}
		if failed, ok := err.(*hydrate.Error); err != nil && (!ok || int(failed.Kind) != code) || err == nil && code != 0 || code != step.code {
			t.Errorf("gsd %s: exit code %d, and %v; want %d: %s", step.line, code, err, step.code, out)
		}
		text, err := json.Marshal(answer)
		if err != nil {
			t.Fatal(err)
		}
		if got := value(text, b.dir); !reflect.DeepEqual(got, want) {
			t.Errorf("gsd %s --json: %v, and package hydrate: %v", step.line, want, got)
		}
	}
}
