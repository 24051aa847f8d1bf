package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
)

// noon is given in another zone than the archive's name. It is no whole second, but a time that a file can have on Windows,
// whose clock counts in 100 ns.
var noon = time.Date(2026, 3, 4, 12, 0, 7, 900, time.FixedZone("east", 2*3600))

const (
	archived  = ".planning/sessions/user/current-plan.20260304100007.stale"
	archived2 = ".planning/sessions/user/current-plan.20260304100007-2.stale"
)

func TestSupersede(t *testing.T) {
	project, d := newProject(t)
	g := lock(t, d)
	name, err := g.Supersede(chunks(old), durable.Stamp{}, noon)
	if name != "" || err != nil {
		t.Fatalf("first session: %q, %v", name, err)
	}
	was := stamp(t, g)
	name, err = g.Supersede(chunks(next), was, noon)
	if name != archived || err != nil {
		t.Fatalf("%q, %v", name, err)
	}
	wantSession(t, d, next)
	wantFile(t, project, archived, old)

	// The archive is now a separate file, not a second name.
	noError(t, os.WriteFile(filepath.Join(project, d.File()), []byte("edited in place"), 0o644))
	wantFile(t, project, archived, old)

	// Not the version that was meant to give way.
	_, err = g.Supersede(chunks("third"), was, noon)
	wantErr(t, err, durable.ErrChanged)
	_, err = g.Supersede(chunks("third"), durable.Stamp{}, noon)
	wantErr(t, err, durable.ErrChanged)
	// The same bytes: nothing gives way.
	_, was, err = g.Read(limit)
	noError(t, err)
	name, err = g.Supersede(chunks("edited in place"), was, noon)
	if name != "" || err != nil {
		t.Errorf("same bytes: %q, %v", name, err)
	}
	wantNames(t, project, fileName, filepath.Base(archived))

	name, err = g.Supersede(chunks("third"), stamp(t, g), noon)
	if name != archived2 || err != nil {
		t.Errorf("clash: %q, %v", name, err)
	}
	wantFile(t, project, archived, old)
	wantFile(t, project, archived2, "edited in place")
}

// TestArchive: the session is kept as the latest archive, also if the clock was set back, and there is none any more.
func TestArchive(t *testing.T) {
	project, d := newProject(t)
	g := lock(t, d)
	_, err := g.Archive(durable.Stamp{}, noon)
	wantErr(t, err, os.ErrNotExist)
	for i, want := range []string{archived, archived2} {
		noError(t, g.Write(chunks(old), durable.Stamp{}))
		name, err := g.Archive(stamp(t, g), noon.Add(-time.Duration(i)*time.Hour))
		if name != want || err != nil {
			t.Errorf("%q, %v; want %q", name, err, want)
		}
		wantFile(t, project, want, old)
		_, _, err = g.Read(limit)
		wantErr(t, err, os.ErrNotExist)
	}
}

// TestSupersedeInOrder: the archives are in the order in which the sessions were superseded, also if the clock was set back.
func TestSupersedeInOrder(t *testing.T) {
	_, d := newProject(t)
	g := lock(t, d)
	if _, err := g.Supersede(chunks(old), durable.Stamp{}, noon); err != nil {
		t.Fatal(err)
	}
	var want []string
	for i, now := range []time.Time{noon, noon.Add(-time.Hour), noon.Add(-time.Minute), noon.Add(time.Second)} {
		name, err := g.Supersede(chunks(fmt.Sprint(next, i)), stamp(t, g), now)
		noError(t, err)
		want = append([]string{filepath.Base(name)}, want...)
	}
	var got []string
	for _, a := range Archives(append(slices.Sorted(slices.Values(want)), fileName, "current-plan.x.stale")) {
		got = append(got, a.Name)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if at := archives.At(want[0]); !at.Equal(noon.Add(time.Second).Truncate(time.Second)) || !archives.At(fileName).IsZero() {
		t.Errorf("%s is of %v", want[0], at)
	}
}

// TestSupersedeStops lets the n-th step fail, for every n, with and without hard links, and looks at what a crash
// before it would leave: the old session or the new one is current, the old one is somewhere, and the next Lock goes
// through and leaves no temporary. After a failure the old session is current, alone, unless only the last sync failed.
func TestSupersedeStops(t *testing.T) {
	for n, last := 0, false; !last; n++ {
		for _, links := range []bool{true, false} {
			project, d := newProject(t)
			crashed := t.TempDir()
			g, was := start(t, d, old)
			taken := 0
			last = true
			g.write.Before = func(s durable.Step) error {
				taken++
				switch {
				case taken == n+1:
					last = false
					wantNone(t, os.CopyFS(crashed, os.DirFS(project)))
					return syscall.ENOSPC
				case s == durable.StepLink && !links:
					return syscall.EPERM
				}
				return nil
			}
			name, err := g.Supersede(chunks(next[:5], next[5:]), was, noon)
			data, _, _ := d.Read(limit)
			switch {
			case err == nil || errors.Is(err, durable.ErrUnsynced):
				if name != archived || string(data) != next {
					t.Errorf("step %d: %q, %q", n, name, data)
				}
				wantFile(t, project, archived, old)
			case string(data) != old || !errors.Is(err, syscall.ENOSPC):
				t.Errorf("step %d: %q, %v", n, data, err)
			case name != "": // a copy may be the last of its bytes
				wantFile(t, project, name, old)
				if links {
					t.Errorf("step %d: %q", n, name)
				}
			default:
				wantNames(t, project, fileName)
			}
			if last {
				continue
			}
			d = openProject(t, crashed)
			lock(t, d).Unlock()
			left := names(t, crashed)
			if data, _, err := d.Read(limit); string(data) == next {
				wantFile(t, crashed, archived, old)
			} else if string(data) != old || len(left) > 2 || len(left) == 2 && left[0] != filepath.Base(archived) {
				t.Errorf("a crash before step %d leaves %q, %q, %v", n, left, data, err)
			}
		}
	}
}

// TestSupersedeKeepsTheLastCopy: the session is replaced without the guard after
// it was archived. The new one stays current, and the archive stays.
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
