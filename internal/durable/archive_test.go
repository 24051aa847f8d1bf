package durable

import (
	"io/fs"
	"slices"
	"testing"
	"time"
)

// TestArchive: each version is kept under the first name that is free, and the names sort as they were made.
func TestArchive(t *testing.T) {
	now := time.Date(2026, 3, 4, 12, 0, 7, 999, time.FixedZone("east", 2*3600))
	to := Archives{Stem: "log", Suffix: ".old"}
	for name, w := range map[string]Writer{"link": {}, "copy": noLinks} {
		t.Run(name, func(t *testing.T) {
			root, dir := newRoot(t)
			var was Stamp
			want := []string{"log.20260304100007.old", "log.20260304100007-2.old", "log.20260304100007-3.old"}
			for i, want := range want {
				text := string(rune('a' + i))
				wantErr(t, w.Replace(root, "log", [][]byte{[]byte(text)}, 0o666, was), nil)
				as, kept, err := w.Archive(root, "log", to, stampOfFile(t, root, "log"), now)
				if err != nil || as != want {
					t.Errorf("%q, %v", as, err)
				}
				wantContent(t, dir, as, text)
				was = kept
			}
			// The last one may still be a second name of the file; the first is not.
			linked := name == "link"
			if Unarchive(root, "log", want[0]) || Unarchive(root, "log", want[2]) != linked || Unarchive(root, "log", want[2]) {
				t.Error("another archive was removed, or none")
			}
			wantContent(t, dir, want[0], "a")
			for name, tt := range map[string]struct {
				was Stamp
				err error
			}{"none": {Stamp{}, fs.ErrNotExist}, "log": {Stamp{}, ErrChanged}, "gone": {was, ErrChanged}} {
				_, _, err := w.Archive(root, name, to, tt.was, now)
				wantErr(t, err, tt.err)
			}
		})
	}
}

// TestMoveToArchive: the file itself goes to the first name that is free, if it is still the version that was read.
func TestMoveToArchive(t *testing.T) {
	now := time.Date(2026, 3, 4, 10, 0, 7, 0, time.UTC)
	to := Archives{Stem: "log", Suffix: ".old"}
	root, dir := newRoot(t)
	for i, want := range []string{"log.20260304100007.old", "log.20260304100007-2.old"} {
		write(t, dir, "log", string(rune('a'+i)))
		was := stampOfFile(t, root, "log")
		as, err := Writer{}.MoveToArchive(root, "log", to, was, now)
		if err != nil || as != want {
			t.Errorf("%q, %v", as, err)
		}
		wantContent(t, dir, as, string(rune('a'+i)))
		for _, gone := range []Stamp{was, {}} {
			if _, err := (Writer{}).MoveToArchive(root, "log", to, gone, now); err == nil {
				t.Error("a file that is not there was moved")
			}
		}
	}
	write(t, dir, "log", "c")
	was := stampOfFile(t, root, "log")
	write(t, dir, "log", "edited since")
	_, err := Writer{}.MoveToArchive(root, "log", to, was, now)
	wantErr(t, err, ErrChanged)
	wantContent(t, dir, "log", "edited since")
}

func TestArchiveNames(t *testing.T) {
	to := Archives{Stem: "log", Suffix: ".old"}
	names := []string{
		"log.20260304100007-10.old", "log.20260304100007-2.old", "log.20260304100007.old", "log.20250304100007.old",
		"log", "log.old", "log.20260304100007-1.old", "log.20260304100007-02.old", "log.20260304100007-0.old", "log.20260304100007--3.old",
		"log.20261304100007.old", "log.20260304100007.5.old", "log.20260304100007.ol", "log.20260304100007-99999999999999999999.old",
		"log.20260304100007.old.bak", "log.20260304100007-x.old", "xlog.20260304100007.old",
	}
	want := []string{"log.20250304100007.old", "log.20260304100007.old", "log.20260304100007-2.old", "log.20260304100007-10.old"}
	if got := to.List(names); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	last := time.Date(2026, 3, 4, 10, 0, 7, 0, time.UTC)
	for now, want := range map[time.Time]time.Time{
		last.AddDate(-30, 0, 0): last, last: last, last.Add(time.Second): last.Add(time.Second), {}: last,
	} {
		if got := to.After(names, now); !got.Equal(want) {
			t.Errorf("after %v: %v, want %v", now, got, want)
		}
	}
	if got := to.After(nil, last); !got.Equal(last) {
		t.Error(got)
	}
	full := append(names, "log.20260304100007-1000.old") // a second that has no name left
	if got := to.After(full, last); !got.Equal(last.Add(time.Second)) {
		t.Error(got)
	}
}
