package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const old, next = "the old content\n", "the new content, longer\n"

func TestReplace(t *testing.T) {
	root, dir := newRoot(t)
	os.Mkdir(filepath.Join(dir, "sub"), 0o755)
	if err := zero.Replace(root, "sub/file", chunks("a", "", "bc"), 0o644, Stamp{}); err != nil {
		t.Fatal(err)
	}
	wantContent(t, dir, "sub/file", "abc")
	was := stampOfFile(t, root, "sub/file")
	if err := zero.Replace(root, "sub/file", chunks(next), 0o644, was); err != nil {
		t.Fatal(err)
	}
	wantContent(t, dir, "sub/file", next)
	if err := zero.Replace(root, "sub/file", nil, 0o644, stampInPlace(t, root, "sub/file")); err != nil {
		t.Fatal(err)
	}
	wantContent(t, dir, "sub/file", "")
	if err := zero.Replace(root, "sub/other", chunks("new"), 0o644, Stamp{}); err != nil {
		t.Fatal(err)
	}
	wantNames(t, filepath.Join(dir, "sub"), "file", "other")
}

// TestReplaceLaw: whatever was there, the chunks are there afterwards, end to
// end, and reading gives them back.
func TestReplaceLaw(t *testing.T) {
	root, _ := newRoot(t)
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 300), 0, 5).Draw(t, "chunks")
		if err := zero.Replace(root, "file", parts, 0o644, stampInPlace(t, root, "file")); err != nil {
			t.Fatal(err)
		}
		data, was, err := Read(root, "file", 1<<20)
		if err != nil || string(data) != string(slices.Concat(parts...)) {
			t.Fatalf("read %q, %v", data, err)
		}
		if same, err := Holds(root, "file", parts, was); !same || err != nil {
			t.Fatalf("holds: %v, %v", same, err)
		}
	})
}

func TestReplaceWritesNothingForTheSameBytes(t *testing.T) {
	root, dir := newRoot(t)
	long := strings.Repeat("0123456789abcdef", 10_000) // more than one buffer
	write(t, dir, "file", long)
	path := filepath.Join(dir, "file")
	past := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, past, past); err != nil {
		t.Fatal(err)
	}
	was := stampOfFile(t, root, "file")
	w := Writer{Before: func(s Step) error { return fmt.Errorf("step %s was taken", s) }}
	if err := w.Replace(root, "file", chunks(long[:7], long[7:]), 0o644, was); err != nil {
		t.Error(err)
	}
	if now := stampOfFile(t, root, "file"); !now.Equal(was) {
		t.Error("the file was touched")
	}
	// One byte in the last place differs: written.
	if err := zero.Replace(root, "file", chunks(long[:len(long)-1], "x"), 0o644, was); err != nil {
		t.Error(err)
	}
	wantContent(t, dir, "file", long[:len(long)-1]+"x")
}

func TestReplaceRefusesAnotherVersion(t *testing.T) {
	root, dir := newRoot(t)
	path := filepath.Join(dir, "file")
	past := time.Now().Add(-time.Hour)

	for name, change := range map[string]func(){
		"rewritten": func() { write(t, dir, "file", "another content\n") },
		"touched":   func() { os.Chtimes(path, time.Now(), time.Now()) },
		"removed":   func() { os.Remove(path) },
		"replaced by a twin": func() {
			os.Remove(path)
			write(t, dir, "twin", old)
			os.Chtimes(filepath.Join(dir, "twin"), past, past)
			os.Rename(filepath.Join(dir, "twin"), path)
		},
	} {
		os.Remove(path)
		write(t, dir, "file", old)
		os.Chtimes(path, past, past)
		was := stampOfFile(t, root, "file")
		change()
		before, there := content(t, dir, "file")

		if err := zero.Replace(root, "file", chunks(next), 0o644, was); !errors.Is(err, ErrChanged) {
			t.Errorf("%s: %v", name, err)
		}
		if after, still := content(t, dir, "file"); after != before || still != there {
			t.Errorf("%s: the file was touched", name)
		}
	}

	write(t, dir, "file", old)
	wantErr(t, zero.Replace(root, "file", chunks(next), 0o644, Stamp{}), ErrChanged, fs.ErrExist)
	wantNames(t, dir, "file")
}

func TestReplaceRefusesWhatChangesMeanwhile(t *testing.T) {
	for _, step := range []Step{StepCreate, StepWrite, StepSync, StepClose, StepCheck} {
		root, dir := newRoot(t)
		write(t, dir, "file", old)
		was := stampOfFile(t, root, "file")
		w := Writer{Before: func(s Step) error {
			if s == step {
				write(t, dir, "file", "edited by hand")
			}
			return nil
		}}
		wantErr(t, w.Replace(root, "file", chunks(next), 0o644, was), ErrChanged)
		wantContent(t, dir, "file", "edited by hand")
		wantNames(t, dir, "file")
	}
	// A file that must not exist comes into being at the very last moment.
	root, dir := newRoot(t)
	w := Writer{Before: func(s Step) error {
		if s == StepLink {
			write(t, dir, "file", "theirs")
		}
		return nil
	}}
	wantErr(t, w.Replace(root, "file", chunks(next), 0o644, Stamp{}), ErrChanged, fs.ErrExist)
	wantContent(t, dir, "file", "theirs")
	wantNames(t, dir, "file")
}

func TestReplaceRefusesNames(t *testing.T) {
	root, dir := newRoot(t)
	os.Mkdir(filepath.Join(dir, "sub"), 0o755)
	for name, want := range map[string]error{
		"":          fs.ErrInvalid,
		".":         fs.ErrInvalid,
		"..":        fs.ErrInvalid,
		"sub/..":    fs.ErrInvalid,
		"file/":     fs.ErrInvalid,
		"../file":   ErrEscapes,
		"no/file":   fs.ErrNotExist,
		"sub":       ErrNotRegular,
		"/etc/file": ErrEscapes,
	} {
		if err := zero.Replace(root, name, chunks("x"), 0o644, Stamp{}); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", name, err, want)
		}
	}
}

func TestReplaceRefusesLinks(t *testing.T) {
	root, dir := newRoot(t)
	outside := t.TempDir()
	write(t, dir, "target", old)
	if err := os.Symlink("target", filepath.Join(dir, "link")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	os.Symlink("nothing", filepath.Join(dir, "dangling"))
	os.Symlink(outside, filepath.Join(dir, "out"))

	was := stampOfFile(t, root, "link") // reading follows it
	for _, stamp := range []Stamp{was, {}} {
		wantErr(t, zero.Replace(root, "link", chunks(next), 0o644, stamp), ErrNotRegular)
	}
	wantErr(t, zero.Replace(root, "dangling", chunks(next), 0o644, Stamp{}), ErrNotRegular)
	wantErr(t, zero.Replace(root, "out/file", chunks(next), 0o644, Stamp{}), ErrEscapes)
	_, err := zero.Keep(root, "link", "as", was)
	wantErr(t, err, ErrNotRegular)
	wantContent(t, dir, "target", old)
	wantNames(t, dir, "target", "link", "dangling", "out")
	wantNames(t, outside)
}

// replaceSteps are the steps for an old file, in their only right order: the
// content is on the disk before it takes the name, and the name after.
var replaceSteps = []Step{
	StepCreate, StepWrite, StepWrite, StepMode, StepSync, StepClose,
	StepCheck, StepRename, StepSyncDir,
}

var createSteps = []Step{
	StepCreate, StepWrite, StepWrite, StepSync, StepClose,
	StepCheck, StepLink, StepUnlink, StepSyncDir,
}

// TestReplaceCrash takes a picture of the directory before every step and after
// the last: what a crash would leave. Each holds the old file or the new one,
// and after a sweep nothing else.
func TestReplaceCrash(t *testing.T) {
	for name, steps := range map[string][]Step{"replace": replaceSteps, "create": createSteps} {
		t.Run(name, func(t *testing.T) {
			root, dir := newRoot(t)
			var was Stamp
			if name == "replace" {
				write(t, dir, "file", old)
				was = stampOfFile(t, root, "file")
			}
			var taken []Step
			var pictures []string
			picture := func(s Step) error {
				to := t.TempDir()
				if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
					t.Fatal(err)
				}
				taken, pictures = append(taken, s), append(pictures, to)
				return nil
			}
			half := len(next) / 2
			w := Writer{Before: picture}
			if err := w.Replace(root, "file", chunks(next[:half], next[half:]), 0o644, was); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(taken, steps) {
				t.Fatalf("steps %v, want %v", taken, steps)
			}
			picture("end")
			for i, crashed := range pictures {
				root, err := os.OpenRoot(crashed)
				if err != nil {
					t.Fatal(err)
				}
				defer root.Close()
				if _, err := SweepTemps(root, "."); err != nil {
					t.Error(err)
				}
				got, there := content(t, crashed, "file")
				isOld := got == old && there
				if name == "create" {
					isOld = !there
				}
				if !isOld && got != next {
					t.Errorf("before %s: %q", taken[i], got)
				}
				if there {
					wantNames(t, crashed, "file")
				} else {
					wantNames(t, crashed)
				}
			}
		})
	}
}

// TestReplaceFails lets every step fail: the old file stays, the temporary
// goes, and the errno comes through. Where the last one fails the new file is
// in place, and the error says so.
func TestReplaceFails(t *testing.T) {
	for name, steps := range map[string][]Step{"replace": replaceSteps, "create": createSteps} {
		for i, failing := range steps {
			t.Run(fmt.Sprintf("%s/%d %s", name, i, failing), func(t *testing.T) {
				root, dir := newRoot(t)
				var was Stamp
				if name == "replace" {
					write(t, dir, "file", old)
					was = stampOfFile(t, root, "file")
				}
				n := -1
				w := Writer{Before: func(s Step) error {
					if n++; n >= i && s == failing {
						return syscall.ENOSPC
					}
					return nil
				}}
				err := w.Replace(root, "file", chunks("a", "b"), 0o644, was)
				if failing == StepLink {
					// No links: the fall-back takes over.
					if err != nil {
						t.Error(err)
					}
					wantContent(t, dir, "file", "ab")
					return
				}
				wantErr(t, err, syscall.ENOSPC)
				if errors.Is(err, ErrUnsynced) != (failing == StepSyncDir) {
					t.Error(err)
				}
				switch {
				case failing == StepSyncDir:
					wantContent(t, dir, "file", "ab")
				case name == "replace":
					wantContent(t, dir, "file", old)
				default:
					wantNames(t, dir)
					return
				}
				wantNames(t, dir, "file")
			})
		}
	}
}

// noLinks is a Writer on a file system without hard links.
var noLinks = Writer{Before: func(s Step) error {
	if s == StepLink {
		return syscall.EPERM
	}
	return nil
}}

func TestKeep(t *testing.T) {
	for name, w := range map[string]Writer{"link": {}, "copy": noLinks} {
		t.Run(name, func(t *testing.T) {
			root, dir := newRoot(t)
			write(t, dir, "file", old)
			write(t, dir, "taken", "x")
			was := stampOfFile(t, root, "file")
			_, err := w.Keep(root, "file", "taken", was)
			wantErr(t, err, fs.ErrExist)
			_, err = w.Keep(root, "missing", "as", Stamp{})
			wantErr(t, err, fs.ErrNotExist)
			_, err = w.Keep(root, "missing", "as", was)
			wantErr(t, err, ErrChanged)
			for _, as := range []string{"a/b", "..", ""} {
				_, err = w.Keep(root, "file", as, was)
				wantErr(t, err, fs.ErrInvalid)
			}
			_, err = w.Keep(root, "file", "as", Stamp{})
			wantErr(t, err, ErrChanged)

			is, err := w.Keep(root, "file", "as", was)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Replace(root, "file", chunks(next), 0o644, is); err != nil {
				t.Fatal(err)
			}
			wantContent(t, dir, "file", next)
			wantContent(t, dir, "as", old)
			wantContent(t, dir, "taken", "x")
			wantNames(t, dir, "as", "file", "taken")
		})
	}
	// Whatever step fails, the last sync too, what was made is taken back.
	for _, base := range []Writer{{}, noLinks} {
		for _, step := range []Step{StepCreate, StepWrite, StepMode, StepSync, StepClose, StepRename, StepSyncDir} {
			root, dir := newRoot(t)
			write(t, dir, "file", old)
			failed := false
			w := Writer{Before: func(s Step) error {
				if s == step {
					failed = true
					return syscall.EIO
				}
				return base.at(s)
			}}
			_, err := w.Keep(root, "file", "as", stampInPlace(t, root, "file"))
			if failed {
				wantErr(t, err, syscall.EIO)
				if errors.Is(err, ErrUnsynced) {
					t.Error(err)
				}
				wantNames(t, dir, "file")
			} else if err != nil {
				t.Error(err)
			}
			wantContent(t, dir, "file", old)
		}
	}
}

func TestHolds(t *testing.T) {
	root, dir := newRoot(t)
	write(t, dir, "file", "abc")
	for _, tt := range []struct {
		parts [][]byte
		want  bool
	}{
		{chunks("abc"), true},
		{chunks("a", "", "bc", ""), true},
		{chunks("abd"), false},
		{chunks("ab"), false},
		{chunks("abcd"), false},
		{nil, false},
	} {
		if got, err := Holds(root, "file", tt.parts, stampInPlace(t, root, "file")); got != tt.want || err != nil {
			t.Errorf("%q: %v, %v", tt.parts, got, err)
		}
	}
	if got, err := Holds(root, "missing", nil, Stamp{}); got || err != nil {
		t.Errorf("missing: %v, %v", got, err)
	}
	_, err := Holds(root, "file", chunks("abc"), Stamp{})
	wantErr(t, err, ErrChanged)
}

func BenchmarkReplace(b *testing.B) {
	root, _ := newRoot(b)
	body := []byte(strings.Repeat("a line of a plan, as they come\n", 1000))
	n := 0
	for b.Loop() {
		n++
		if err := zero.Replace(root, "file", [][]byte{fmt.Append(nil, n), body}, 0o644, stampInPlace(b, root, "file")); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	root, dir := newRoot(b)
	os.MkdirAll(filepath.Join(dir, ".planning/sessions/user"), 0o755)
	write(b, dir, ".planning/sessions/user/file", strings.Repeat("a line of a plan, as they come\n", 1000))
	for b.Loop() {
		if _, _, err := Read(root, ".planning/sessions/user/file", 1<<20); err != nil {
			b.Fatal(err)
		}
	}
}
