package run

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
)

func aLease() Lease {
	return Lease{
		Token: "t", Run: "0123456789ab", Host: "codex", Conversation: "thread-1", Supervised: true,
		Owner:    Owner{PID: 7, StartTime: "70", BootID: "b", Namespace: "n", Machine: "m", HostName: "box"},
		Members:  []Member{{Owner: Owner{PID: 8, StartTime: "80"}, Conversation: "c"}},
		Acquired: noon.UTC(), Renewed: noon.UTC().Add(time.Minute), TTL: 3600,
	}
}

// leaseText is a lease with one field changed, or more.
func leaseText(fields string) string {
	return `{"token": "t", "run": "r1", "ttl": 60` + fields + `}`
}

func TestParseLease(t *testing.T) {
	longID := strings.Repeat("a", maxID)
	for _, tt := range []struct {
		name, text string
		err        error
		ttl        int64 // seconds
	}{
		{"a lease", leaseText(""), nil, 60},
		{"with keys of tomorrow", leaseText(`, "mood": {"of": ["any", "kind"]}`), nil, 60},
		{"the later of two keys counts", leaseText(`, "ttl": 61`), nil, 61},
		{"the longest id", leaseText(`, "run": "` + longID + `"`), nil, 60},

		{"nothing", "", ErrLeaseUnreadable, 0},
		{"torn", `{"token": "t", "ru`, ErrLeaseUnreadable, 0},
		{"null", "null", ErrLeaseUnreadable, 0},
		{"empty", "{}", ErrLeaseUnreadable, 0},

		{"with fields of other kinds", `{"token": 7, "run": [], "ttl": "1h", "pid": {}}`, ErrLeaseUnreadable, 0},
		{"no token", leaseText(`, "token": ""`), ErrLeaseUnreadable, 0},
		{"no run", leaseText(`, "run": ""`), ErrLeaseUnreadable, 0},
		{"a command for a run", leaseText(`, "run": "$(touch x)"`), ErrLeaseUnreadable, 0},
		{"a terminal's code for a run", leaseText(`, "run": "\u001b[31m"`), ErrLeaseUnreadable, 0},
		{"an id that is too long", leaseText(`, "run": "a` + longID + `"`), ErrLeaseUnreadable, 0},
		{"a word for a pid", leaseText(`, "pid": "z"`), ErrLeaseUnreadable, 0},
		{"a number for a time", leaseText(`, "acquired": 1`), ErrLeaseUnreadable, 0},

		{"a time to live of 0", leaseText(`, "ttl": 0`), nil, 0},
		{"a negative one", leaseText(`, "ttl": -60`), nil, 0},
		{"the longest", leaseText(fmt.Sprintf(`, "ttl": %d`, math.MaxInt64)), nil, math.MaxInt64 / int64(time.Second)},
		{"one beyond all", leaseText(`, "ttl": 1e400`), ErrLeaseUnreadable, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, err := ParseLease([]byte(tt.text))
			if !errors.Is(err, tt.err) {
				t.Fatalf("%+v, %v; want %v", l, err, tt.err)
			}
			if l.TTL != tt.ttl || err == nil && time.Duration(l.TTL)*time.Second < 0 {
				t.Errorf("it lives for %d s, want %d", l.TTL, tt.ttl)
			}
		})
	}
}

// FuzzLease: any text is read or refused; what is read is safe to show and to compute with.
func FuzzLease(f *testing.F) {
	for _, text := range []string{
		"", "null", "{}", "[]", `{"token": "t", "ru`, leaseText(""),
		leaseText(`, "ttl": 9223372036854775807`), leaseText(`, "ttl": -60`), leaseText(`, "run": "$(x)"`),
		leaseText(`, "members": [{"pid": -1}, {}], "pid": 7, "renewed": "9999-12-31T23:59:59Z"`),
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := ParseLease(text)
		if err != nil {
			if !errors.Is(err, ErrLeaseUnreadable) {
				t.Errorf("%v", err)
			}
			if l.Run != "" || l.Token != "" {
				t.Errorf("refused, and says %+v", l)
			}
			return
		}
		if l.Token == "" || !validID(l.Run) {
			t.Errorf("%+v", l)
		}
		if live := time.Duration(l.TTL) * time.Second; l.TTL < 0 || live < 0 || int64(live/time.Second) != l.TTL {
			t.Errorf("it lives for %d s, which is %v", l.TTL, live)
		}
	})
}

// TestLease: a lease is known and read as it was written, and missing before it is written and after it is dropped.
func TestLease(t *testing.T) {
	d := newDir(t)
	f := Open(d)
	want := func(want Lease, state LeaseState) {
		t.Helper()
		for _, f := range []*Files{f, Open(d)} {
			if got, err := f.Lease(); fmt.Sprint(got) != fmt.Sprint(want) || f.LeaseState() != state {
				t.Errorf("%+v, %v;\nwant %+v", got, err, want)
			}
		}
	}
	want(Lease{}, LeaseNone)
	steps := 0
	f.dir.Writer.Before = func(s durable.Step) error {
		if steps++; s == durable.StepSync {
			t.Error("the lease waits for the disk")
		}
		return nil
	}
	l := aLease()
	l.Acquired, l.Renewed = noon, noon.Add(time.Minute) // in another zone
	write := func() {
		t.Helper()
		noError(t, f.WriteLease(l))
	}
	write()
	want(aLease(), LeaseHeld)
	if names := d.names(t); len(names) != 1 || names[0] != leaseFile {
		t.Errorf("%q", names)
	}
	steps = 0
	if write(); steps > 0 {
		t.Errorf("%d steps for the same lease", steps)
	}
	l = Lease{Token: "t2", Run: "r2"} // no field of the old one remains
	write()
	want(l, LeaseHeld)
	for range 2 { // a missing one is not an error
		if err := f.DropLease(); err != nil {
			t.Error(err)
		}
		want(Lease{}, LeaseNone)
	}
	if names := d.names(t); len(names) > 0 {
		t.Errorf("%q", names)
	}
}

// TestRelease: what was read under the guard stays known, and the rest is read later.
func TestRelease(t *testing.T) {
	d := newDir(t)
	f := Open(d)
	l := aLease()
	noError(t, f.WriteLease(l))
	d.put(t, journalFile, journalText(began("a")))
	f.Release(func(name string, do func(*os.Root, string) error) error { return do(d.Root, name) }, nil)
	d.Root.Remove(leaseFile)
	if got, err := f.Lease(); err != nil || got.Run != l.Run {
		t.Errorf("%+v, %v", got, err)
	}
	if j, err := f.Journal(); err != nil || summary(j.Runs) != "a=open" {
		t.Errorf("%s, %v", summary(j.Runs), err)
	}
}

// oddThings put anything but a regular file in a file's place, on every system that supports it.
var oddThings = map[string]func(d Dir, name string) error{
	"a directory": func(d Dir, name string) error { return d.Root.Mkdir(name, 0o755) },
	"a full directory": func(d Dir, name string) error {
		return errors.Join(d.Root.Mkdir(name, 0o755), d.Root.WriteFile(name+"/in", nil, 0o644))
	},
	"a link inside": func(d Dir, name string) error {
		return errors.Join(d.Root.WriteFile("target", []byte(leaseText("")), 0o644), d.Root.Symlink("target", name))
	},
	"a link out":        func(d Dir, name string) error { return d.Root.Symlink("../"+leaseFile, name) },
	"a link to nothing": func(d Dir, name string) error { return d.Root.Symlink("nothing", name) },
}

// TestOddLease: anything but a file in the lease's place is put aside unchanged, so that it locks nobody out.
func TestOddLease(t *testing.T) {
	for what, odd := range oddThings {
		for name, do := range map[string]func(*Files) error{
			"write": func(f *Files) error { return f.WriteLease(aLease()) },
			"drop":  func(f *Files) error { return f.DropLease() },
		} {
			t.Run(name+" "+what, func(t *testing.T) {
				d := newDir(t)
				if odd(d, leaseFile) != nil {
					t.Skip("no symbolic links")
				}
				f := Open(d)
				_, err := f.Lease()
				wantErr(t, err, ErrLeaseUnreadable)
				if f.LeaseState() != LeaseUnreadable {
					t.Error(f.LeaseState())
				}
				noError(t, do(f))
				want := map[string]LeaseState{"write": LeaseHeld, "drop": LeaseNone}[name]
				if got := Open(d).LeaseState(); got != want {
					t.Errorf("%s, want %s", got, want)
				}
				wantAside(t, d, leaseFile)
			})
		}
	}
}

// wantAside wants an odd thing under its other name.
func wantAside(t *testing.T, d Dir, name string) {
	t.Helper()
	aside := 0
	for _, n := range d.names(t) {
		if info, err := d.Root.Lstat(n); strings.HasPrefix(n, name+".odd-") && err == nil && !info.Mode().IsRegular() {
			aside++
		}
	}
	if text := d.text("target"); aside != 1 || text != "" && text != leaseText("") {
		t.Errorf("%q; target: %q", d.names(t), text)
	}
}

// TestClearJournal: anything but a file is put aside.
func TestClearJournal(t *testing.T) {
	d := newDir(t)
	for range 2 {
		if was, err := Open(d).ClearJournal(); was || err != nil {
			t.Errorf("%v, %v", was, err)
		}
		d.put(t, journalFile, []byte("{}\n"))
	}
	for what, odd := range oddThings {
		t.Run(what, func(t *testing.T) {
			d := newDir(t)
			if odd(d, journalFile) != nil {
				t.Skip("no symbolic links")
			}
			f := Open(d)
			if was, err := f.ClearJournal(); !was || err != nil {
				t.Errorf("%v, %v", was, err)
			}
			wantAside(t, d, journalFile)
			if err := f.Begin(Start{ID: "r1", Token: "t", At: noon}); err != nil {
				t.Error(err)
			}
		})
	}
}
