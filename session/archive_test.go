package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
)

// noon is given in another zone than the archive's name.
var noon = time.Date(2026, 3, 4, 12, 0, 7, 999, time.FixedZone("east", 2*3600))

const (
	archived  = ".planning/sessions/user/current-plan.20260304100007.stale"
	archived2 = ".planning/sessions/user/current-plan.20260304100007-2.stale"
)

func TestArchiveNames(t *testing.T) {
	project, d := newProject(t)
	g, was := start(t, d, "1")
	for i, want := range []string{archived, archived2, strings.Replace(archived2, "-2", "-3", 1)} {
		name, err := g.Supersede(chunks(fmt.Sprint(i+2)), was, noon)
		if err != nil || name != want {
			t.Fatalf("archive %q, %v; want %q", name, err, want)
		}
		wantFile(t, project, name, fmt.Sprint(i+1))
		was = stamp(t, d)
	}
	wantFile(t, project, archived, "1")
	wantFile(t, project, archived2, "2")
	wantSession(t, d, "4")

	os.Remove(filepath.Join(project, d.File()))
	_, err := g.Supersede(chunks("5"), was, noon)
	wantErr(t, err, durable.ErrChanged)
}

func TestSupersede(t *testing.T) {
	project, d := newProject(t)
	g := lock(t, d)
	name, err := g.Supersede(chunks(old), durable.Stamp{}, noon)
	if name != "" || err != nil {
		t.Fatalf("first session: %q, %v", name, err)
	}
	was := stamp(t, d)
	name, err = g.Supersede(chunks(next), was, noon)
	if name != archived || err != nil {
		t.Fatalf("%q, %v", name, err)
	}
	wantSession(t, d, next)
	wantFile(t, project, archived, old)

	// The archive is a file of its own by now, not a second name.
	if err := os.WriteFile(filepath.Join(project, d.File()), []byte("edited in place"), 0o644); err != nil {
		t.Fatal(err)
	}
	wantFile(t, project, archived, old)

	// Not the version that was meant to give way.
	_, err = g.Supersede(chunks("third"), was, noon)
	wantErr(t, err, durable.ErrChanged)
	_, err = g.Supersede(chunks("third"), durable.Stamp{}, noon)
	wantErr(t, err, durable.ErrChanged)
	// The same bytes: nothing gives way.
	name, err = g.Supersede(chunks("edited in place"), stamp(t, d), noon)
	if name != "" || err != nil {
		t.Errorf("same bytes: %q, %v", name, err)
	}
	wantNames(t, project, fileName, filepath.Base(archived))

	name, err = g.Supersede(chunks("third"), stamp(t, d), noon)
	if name != archived2 || err != nil {
		t.Errorf("clash: %q, %v", name, err)
	}
	wantFile(t, project, archived, old)
	wantFile(t, project, archived2, "edited in place")
}

// withoutLinks makes a hook behave as on a file system without hard links.
func withoutLinks(before func(durable.Step) error) func(durable.Step) error {
	return func(s durable.Step) error {
		if err := before(s); err != nil || s != durable.StepLink {
			return err
		}
		return syscall.EPERM
	}
}

// TestSupersedeCrash takes a picture of the project before every step and after
// the last. In each the next Lock goes through and leaves no temporary, the old
// session or the new one is current, and the old one is somewhere.
func TestSupersedeCrash(t *testing.T) {
	for _, links := range []bool{true, false} {
		t.Run(fmt.Sprintf("links %v", links), func(t *testing.T) {
			project, d := newProject(t)
			g, was := start(t, d, old)
			var pictures, steps []string
			picture := func(s durable.Step) error {
				to := t.TempDir()
				if err := os.CopyFS(to, os.DirFS(project)); err != nil {
					t.Fatal(err)
				}
				pictures, steps = append(pictures, to), append(steps, string(s))
				return nil
			}
			g.write.Before = picture
			if !links {
				g.write.Before = withoutLinks(picture)
			}
			if _, err := g.Supersede(chunks(next[:5], next[5:]), was, noon); err != nil {
				t.Fatal(err)
			}
			picture("end")
			t.Log("steps:", steps)
			for i, crashed := range pictures {
				d := openProject(t, crashed)
				lock(t, d).Unlock()
				data, _, err := d.Read(limit)
				if err != nil || string(data) != old && string(data) != next {
					t.Errorf("%d %s: session %q, %v", i, steps[i], data, err)
				}
				if string(data) == next {
					wantFile(t, crashed, archived, old)
				}
				for _, name := range names(t, crashed) {
					switch name {
					case fileName:
					case filepath.Base(archived):
						wantFile(t, crashed, archived, old)
					default:
						t.Errorf("%d %s: %s is left", i, steps[i], name)
					}
				}
			}
		})
	}
}

// TestSupersedeFails lets the n-th step fail, for every n: the old session stays
// current, alone, unless only the last sync failed, and then the error says so.
func TestSupersedeFails(t *testing.T) {
	for n := 0; ; n++ {
		project, d := newProject(t)
		g, was := start(t, d, old)
		var failed durable.Step
		taken := 0
		g.write.Before = func(s durable.Step) error {
			if taken++; taken-1 == n {
				failed = s
				return syscall.ENOSPC
			}
			return nil
		}
		name, err := g.Supersede(chunks(next), was, noon)
		if failed == "" {
			if n < 8 {
				t.Errorf("only %d steps", n)
			}
			return
		}
		data, _, _ := d.Read(limit)
		switch {
		case failed == durable.StepLink: // copied instead
			if err != nil {
				t.Error(err)
			}
			wantSession(t, d, next)
			wantFile(t, project, archived, old)
		case string(data) == next: // the last sync
			wantErr(t, err, durable.ErrUnsynced, syscall.ENOSPC)
			if name != archived {
				t.Errorf("archive %q", name)
			}
			wantFile(t, project, archived, old)
		default:
			wantErr(t, err, syscall.ENOSPC)
			if errors.Is(err, durable.ErrUnsynced) || name != "" {
				t.Errorf("%s: %q, %v", failed, name, err)
			}
			wantSession(t, d, old)
			wantNames(t, project, fileName)
		}
	}
}

// TestSupersedeKeepsTheLastCopy: somebody replaces the session without the
// guard, after it was archived. Theirs stays current, and the archive stays.
func TestSupersedeKeepsTheLastCopy(t *testing.T) {
	project, d := newProject(t)
	g, was := start(t, d, old)
	g.write.Before = func(s durable.Step) error {
		if s == durable.StepCheck {
			theirs := filepath.Join(project, "theirs")
			os.WriteFile(theirs, []byte("theirs"), 0o644)
			return os.Rename(theirs, filepath.Join(project, d.File()))
		}
		return nil
	}
	name, err := g.Supersede(chunks(next), was, noon)
	wantErr(t, err, durable.ErrChanged)
	if name != archived {
		t.Errorf("archive %q", name)
	}
	wantSession(t, d, "theirs")
	wantFile(t, project, archived, old)
}
