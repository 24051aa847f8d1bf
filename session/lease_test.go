package session

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
)

func aLease() Lease {
	return Lease{
		Version: leaseVersion, Token: "t", Run: "0123456789ab", Host: "codex", Conversation: "thread-1", Supervised: true,
		Owner:    Owner{PID: 7, StartTime: "70", BootID: "b", Namespace: "n", Machine: "m", HostName: "box"},
		Members:  []Member{{Owner: Owner{PID: 8, StartTime: "80"}, Conversation: "c"}},
		Acquired: noon.UTC(), Renewed: noon.UTC().Add(time.Minute), TTL: 3600,
	}
}

// leaseText is a lease with one field changed, or more.
func leaseText(fields string) string {
	return `{"version": 1, "token": "t", "run": "r1", "ttl": 60` + fields + `}`
}

func TestParseLease(t *testing.T) {
	longID := strings.Repeat("a", maxID)
	for _, tt := range []struct {
		name, text string
		err        error
		ttl        int // seconds
	}{
		{"a lease", leaseText(""), nil, 60},
		{"with keys of tomorrow", leaseText(`, "mood": {"of": ["any", "kind"]}`), nil, 60},
		{"the later of two keys counts", leaseText(`, "ttl": 61`), nil, 61},
		{"the longest id", leaseText(`, "run": "` + longID + `"`), nil, 60},

		{"nothing", "", ErrLeaseUnreadable, 0},
		{"zeros", "\x00\x00\x00\x00", ErrLeaseUnreadable, 0},
		{"torn", `{"version": 1, "token": "t", "ru`, ErrLeaseUnreadable, 0},
		{"two of them", leaseText("") + leaseText(""), ErrLeaseUnreadable, 0},
		{"null", "null", ErrLeaseUnreadable, 0},
		{"a list", "[]", ErrLeaseUnreadable, 0},
		{"a word", `"lease"`, ErrLeaseUnreadable, 0},
		{"empty", "{}", ErrLeaseUnreadable, 0},

		{"of a later version", `{"version": 2}`, ErrLeaseVersion, 0},
		{"of a later version, with fields of other kinds", `{"version": 2, "token": 7, "run": [], "ttl": "1h", "pid": {}}`, ErrLeaseVersion, 0},
		{"of the last version", leaseText(fmt.Sprintf(`, "version": %d`, math.MaxInt)), ErrLeaseVersion, 0},
		{"of a version beyond all", leaseText(`, "version": 99999999999999999999`), ErrLeaseUnreadable, 0},
		{"of no version", `{"token": "t", "run": "r1"}`, ErrLeaseUnreadable, 0},
		{"of version 0", leaseText(`, "version": 0`), ErrLeaseUnreadable, 0},
		{"of version -1", leaseText(`, "version": -1`), ErrLeaseUnreadable, 0},
		{"of version 1.5", leaseText(`, "version": 1.5`), ErrLeaseUnreadable, 0},
		{"a word for a version", leaseText(`, "version": "2"`), ErrLeaseUnreadable, 0},

		{"no token", leaseText(`, "token": ""`), ErrLeaseUnreadable, 0},
		{"a number for a token", leaseText(`, "token": 7`), ErrLeaseUnreadable, 0},
		{"no run", leaseText(`, "run": ""`), ErrLeaseUnreadable, 0},
		{"a list for a run", leaseText(`, "run": []`), ErrLeaseUnreadable, 0},
		{"a command for a run", leaseText(`, "run": "$(touch x)"`), ErrLeaseUnreadable, 0},
		{"a terminal's code for a run", leaseText(`, "run": "\u001b[31m"`), ErrLeaseUnreadable, 0},
		{"a path for a run", leaseText(`, "run": "../r1"`), ErrLeaseUnreadable, 0},
		{"an id that is too long", leaseText(`, "run": "a` + longID + `"`), ErrLeaseUnreadable, 0},
		{"a word for a pid", leaseText(`, "pid": "z"`), ErrLeaseUnreadable, 0},
		{"no time", leaseText(`, "renewed": "yesterday"`), ErrLeaseUnreadable, 0},
		{"a number for a time", leaseText(`, "acquired": 1`), ErrLeaseUnreadable, 0},
		{"a process for a list", leaseText(`, "members": {"pid": 1}`), ErrLeaseUnreadable, 0},

		{"a time to live of 0", leaseText(`, "ttl": 0`), nil, 0},
		{"a negative one", leaseText(`, "ttl": -60`), nil, 0},
		{"the longest", leaseText(fmt.Sprintf(`, "ttl": %d`, math.MaxInt64)), nil, math.MaxInt64 / int(time.Second)},
		{"one beyond all", leaseText(`, "ttl": 1e400`), ErrLeaseUnreadable, 0},
		{"a word for one", leaseText(`, "ttl": "1h"`), ErrLeaseUnreadable, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, err := parseLease([]byte(tt.text))
			if !errors.Is(err, tt.err) {
				t.Fatalf("%+v, %v; want %v", l, err, tt.err)
			}
			if l.TTL != tt.ttl || err == nil && time.Duration(l.TTL)*time.Second < 0 {
				t.Errorf("it lives for %d s, want %d", l.TTL, tt.ttl)
			}
		})
	}
}

// FuzzLease: whatever lies in the lease's place, it is read or refused; what is read may be shown and computed with.
func FuzzLease(f *testing.F) {
	for _, text := range []string{
		"", "null", "{}", "[]", `{"version": 2}`, `{"version": 1, "token": "t", "ru`, leaseText(""),
		leaseText(`, "ttl": 9223372036854775807`), leaseText(`, "ttl": -60`), leaseText(`, "run": "$(x)"`),
		leaseText(`, "members": [{"pid": -1}, {}], "pid": 7, "renewed": "9999-12-31T23:59:59Z"`),
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := parseLease(text)
		if err != nil {
			if !errors.Is(err, ErrLeaseUnreadable) && !errors.Is(err, ErrLeaseVersion) {
				t.Errorf("%v", err)
			}
			if l.Run != "" || l.Token != "" {
				t.Errorf("refused, and says %+v", l)
			}
			return
		}
		if l.Version != leaseVersion || l.Token == "" || !validID(l.Run) {
			t.Errorf("%+v", l)
		}
		if live := time.Duration(l.TTL) * time.Second; l.TTL < 0 || live < 0 || live/time.Second != time.Duration(l.TTL) {
			t.Errorf("it lives for %d s, which is %v", l.TTL, live)
		}
	})
}

// TestLease: what is written is read again, by the guard's holder and without the guard; and it is not there before
// and after.
func TestLease(t *testing.T) {
	project, d := newProject(t)
	none := func(g *Guard) {
		t.Helper()
		_, err := d.Lease()
		wantErr(t, err, fs.ErrNotExist)
		_, err = g.Lease()
		wantErr(t, err, fs.ErrNotExist)
	}
	same := func(g *Guard, want Lease) {
		t.Helper()
		for _, read := range []func() (Lease, error){d.Lease, g.Lease} {
			if got, err := read(); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%+v, %v;\nwant %+v", got, err, want)
			}
		}
	}
	_, err := d.Lease()
	wantErr(t, err, fs.ErrNotExist)
	if _, err := os.Stat(filepath.Join(project, ".planning/sessions")); err == nil {
		t.Error("reading it made a directory")
	}
	g := lock(t, d)
	none(g)
	l := aLease()
	l.Version = 0                                       // which is not the caller's to say
	l.Acquired, l.Renewed = noon, noon.Add(time.Minute) // in another zone
	if err := g.WriteLease(l); err != nil {
		t.Fatal(err)
	}
	same(g, aLease())
	wantNames(t, project, leaseFile)
	l = aLease()
	l.Renewed, l.Members = noon.UTC().Add(time.Hour), nil
	if err := g.RenewLease(l); err != nil {
		t.Fatal(err)
	}
	same(g, l)
	l = Lease{Token: "t2", Run: "r2"} // nothing of the old one shines through
	if err := g.WriteLease(l); err != nil {
		t.Fatal(err)
	}
	l.Version = leaseVersion
	same(g, l)
	for range 2 { // none is fine
		if err := g.DropLease(); err != nil {
			t.Error(err)
		}
		none(g)
	}
	wantNames(t, project)
	if err := g.Unlock(); err != nil {
		t.Fatal(err)
	}
	wantErr(t, g.WriteLease(l), fs.ErrClosed)
	_, err = At(d.root, "../x").Lease()
	wantErr(t, err, fs.ErrInvalid)
}

// oddThings are what may stand in a file's place and is none, on every system. make gives false where it cannot.
var oddThings = map[string]func(t *testing.T, project, at string) bool{
	"a directory": func(t *testing.T, _, at string) bool {
		mkdir(t, at)
		return true
	},
	"a full directory": func(t *testing.T, _, at string) bool {
		writeFile(t, filepath.Join(at, "in"), "kept")
		return true
	},
	"a link inside":     func(t *testing.T, project, at string) bool { return oddLink(t, filepath.Join(project, "target"), at) },
	"a link out":        func(t *testing.T, _, at string) bool { return oddLink(t, filepath.Join(t.TempDir(), "target"), at) },
	"a link to nothing": func(t *testing.T, _, at string) bool { return os.Symlink("nothing", at) == nil },
}

// oddLink links to a file that would be a lease.
func oddLink(t *testing.T, to, at string) bool {
	writeFile(t, to, leaseText(""))
	return os.Symlink(to, at) == nil
}

// TestOddLease: a thing that is no file says nothing, and locks nobody out: it is put aside, as it is.
func TestOddLease(t *testing.T) {
	for what, odd := range oddThings {
		for name, do := range map[string]func(*Guard) error{
			"write": func(g *Guard) error { return g.WriteLease(aLease()) },
			"renew": func(g *Guard) error { return g.RenewLease(aLease()) },
			"drop":  func(g *Guard) error { return g.DropLease() },
		} {
			t.Run(name+" "+what, func(t *testing.T) {
				project, d := newProject(t)
				g := lock(t, d)
				if !odd(t, project, filepath.Join(project, ".planning/sessions/user", leaseFile)) {
					t.Skip("no symbolic links")
				}
				_, err := d.Lease()
				wantErr(t, err, ErrLeaseUnreadable)
				_, err = g.Lease()
				wantErr(t, err, ErrLeaseUnreadable)
				if err := do(g); err != nil {
					t.Fatal(err)
				}
				if l, err := g.Lease(); name == "drop" && !errors.Is(err, fs.ErrNotExist) || name != "drop" && (err != nil || l.Run != aLease().Run) {
					t.Errorf("%+v, %v", l, err)
				}
				wantAside(t, project, leaseFile, name != "drop")
			})
		}
	}
}

// wantAside wants an odd thing under its other name, and beside it the file in whose place it was where that is there.
func wantAside(t *testing.T, project, name string, there bool) {
	t.Helper()
	aside, others := 0, 0
	for _, n := range names(t, project) {
		switch {
		case strings.HasPrefix(n, name+".odd-"):
			aside++
			if info, err := os.Lstat(filepath.Join(project, ".planning/sessions/user", n)); err != nil || info.Mode().IsRegular() {
				t.Errorf("%s is not what it was: %v", n, err)
			}
		case n == name && there:
			others++
		default:
			t.Errorf("left: %s", n)
		}
	}
	if aside != 1 || there != (others == 1) {
		t.Errorf("session directory holds %q", names(t, project))
	}
	if text, err := os.ReadFile(filepath.Join(project, "target")); err == nil && string(text) != leaseText("") {
		t.Errorf("it was written through the link: %q", text)
	}
}

// TestClearJournal: only what is no file is put away.
func TestClearJournal(t *testing.T) {
	project, d := newProject(t)
	g := lock(t, d)
	clear := func(want bool) {
		t.Helper()
		if was, err := g.ClearJournal(); was != want || err != nil {
			t.Errorf("%v, %v; want %v", was, err, want)
		}
	}
	clear(false) // nothing is there
	at := filepath.Join(project, ".planning/sessions/user", journalFile)
	writeFile(t, at, "{}\n")
	clear(false)
	wantNames(t, project, journalFile)
	for what, odd := range oddThings {
		t.Run(what, func(t *testing.T) {
			project, d = newProject(t)
			g = lock(t, d)
			if !odd(t, project, filepath.Join(project, ".planning/sessions/user", journalFile)) {
				t.Skip("no symbolic links")
			}
			clear(true)
			wantAside(t, project, journalFile, false)
			clear(false)
			if err := g.Begin(Start{ID: "r1", Token: "t", At: noon}); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestLeaseTooLarge: more than any lease is says nothing, and is replaced like any other file.
func TestLeaseTooLarge(t *testing.T) {
	project, d := newProject(t)
	g := lock(t, d)
	at := filepath.Join(project, ".planning/sessions/user", leaseFile)
	writeFile(t, at, leaseText("")+strings.Repeat(" ", leaseLimit))
	_, err := d.Lease()
	wantErr(t, err, ErrLeaseUnreadable, durable.ErrTooLarge)
	if err := g.WriteLease(aLease()); err != nil {
		t.Fatal(err)
	}
	wantNames(t, project, leaseFile)
	if _, err := d.Lease(); err != nil {
		t.Error(err)
	}
}

// TestWriteLeaseCrash: at every step the old lease is there, or the new one.
func TestWriteLeaseCrash(t *testing.T) {
	for n := 1; ; n++ {
		_, d := newProject(t)
		g := lock(t, d)
		if err := errors.Join(g.WriteLease(Lease{Token: "t", Run: "first"}), g.Unlock()); err != nil {
			t.Fatal(err)
		}
		steps := 0
		broken := errors.New("no more")
		d = d.Writing(durable.Writer{Before: func(durable.Step) error {
			if steps++; steps >= n {
				return broken
			}
			return nil
		}})
		err := lock(t, d).WriteLease(Lease{Token: "t", Run: "second"})
		if l, readErr := d.Lease(); readErr != nil || l.Run != "first" && l.Run != "second" || err == nil && l.Run != "second" {
			t.Errorf("step %d: %+v, %v after %v", n, l, readErr, err)
		}
		if steps < n {
			return
		}
	}
}
