package durable

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"testing"
	"time"
)

// TestArchive: each version is kept under the first name that is free, and the names sort as they were made.
func TestArchive(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	to := Archives{Stem: "log", Suffix: ".old"}
	now := time.Date(2026, 3, 4, 12, 0, 7, 999, time.FixedZone("east", 2*3600))
	var was Stamp
	for i, want := range []string{"log.20260304100007.old", "log.20260304100007-2.old", "log.20260304100007-3.old"} {
		text := []byte{byte('a' + i)}
		if err := (Writer{}).Replace(root, "log", text, 0o666, was); err != nil {
			t.Fatal(err)
		}
		_, is, err := Read(root, "log", 10)
		if err != nil {
			t.Fatal(err)
		}
		as, kept, err := Writer{}.Archive(root, "log", to, is, now)
		if got, _ := root.ReadFile(as); err != nil || as != want || string(got) != string(text) {
			t.Errorf("%q holds %q, %v", as, got, err)
		}
		was = kept
	}
	// The last one may be a second name of the file still; the first is not.
	if last := "log.20260304100007-3.old"; Unarchive(root, "log", "log.20260304100007.old") || !Unarchive(root, "log", last) || Unarchive(root, "log", last) {
		t.Error("another archive went, or none")
	}
	_, _, err = Writer{}.Archive(root, "none", to, Stamp{}, now)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
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
