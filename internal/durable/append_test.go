package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"pgregory.net/rapid"
)

func TestAppendLine(t *testing.T) {
	root, dir := newRoot(t)
	os.Mkdir(filepath.Join(dir, "sub"), 0o755)
	for _, line := range []string{"one", "", "three \x00\xff"} {
		if err := zero.AppendLine(root, "sub/log", []byte(line), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	wantContent(t, dir, "sub/log", "one\n\nthree \x00\xff\n")
	wantNames(t, filepath.Join(dir, "sub"), "log")
	wantErr(t, zero.AppendLine(root, "sub/log", []byte("two\nlines"), 0o644), fs.ErrInvalid)
	wantContent(t, dir, "sub/log", "one\n\nthree \x00\xff\n")
}

func TestAppendLineClosesATornTail(t *testing.T) {
	for was, want := range map[string]string{
		"":            "line\n",
		"a\n":         "a\nline\n",
		"a\nto":       "a\nto\nline\n",
		"a\nto\r":     "a\nto\r\nline\n",
		"a\n\x00\x00": "a\n\x00\x00\nline\n",
		"\n":          "\nline\n",
	} {
		root, dir := newRoot(t)
		write(t, dir, "log", was)
		if err := zero.AppendLine(root, "log", []byte("line"), 0o644); err != nil {
			t.Fatal(err)
		}
		wantContent(t, dir, "log", want)
	}
}

// TestAppendLineLaw: whatever is there stays, byte for byte, and the line is the last, whole and alone.
func TestAppendLineLaw(t *testing.T) {
	root, dir := newRoot(t)
	rapid.Check(t, func(rt *rapid.T) {
		was := rapid.SliceOf(rapid.SampledFrom([]byte("ab\n\r\x00\xff"))).Draw(rt, "was")
		line := rapid.SliceOf(rapid.SampledFrom([]byte("xy\r\x00\xff"))).Draw(rt, "line")
		write(t, dir, "log", string(was))
		if err := zero.AppendLine(root, "log", line, 0o644); err != nil {
			rt.Fatal(err)
		}
		got, _ := content(t, dir, "log")
		rest, ok := strings.CutPrefix(got, string(was))
		if !ok || strings.TrimPrefix(rest, "\n") != string(line)+"\n" && rest != string(line)+"\n" {
			rt.Fatalf("%q and %q gave %q", was, line, got)
		}
		if lines := strings.Split(got, "\n"); lines[len(lines)-2] != string(line) {
			rt.Fatalf("the last line of %q is not %q", got, line)
		}
	})
}

// TestAppendLineLosesNone: many at once, as far as the system's O_APPEND goes.
func TestAppendLineLosesNone(t *testing.T) {
	root, dir := newRoot(t)
	write(t, dir, "log", "")
	const writers, each = 8, 50
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for n := range each {
				if err := zero.AppendLine(root, "log", fmt.Appendf(nil, "%d-%d", w, n), 0o644); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	got, _ := content(t, dir, "log")
	// One that looks while another is half done may close that one's line too early: an empty line, none lost.
	lines := slices.DeleteFunc(strings.Split(got, "\n"), func(s string) bool { return s == "" })
	slices.Sort(lines)
	if n := len(slices.Compact(lines)); n != writers*each {
		t.Errorf("%d lines, want %d", n, writers*each)
	}
}

// The steps for a file that is there and for one that is not, in their only right order: the new name is on the
// disk before there is a line in it that a caller was told of.
var (
	appendSteps    = []Step{StepCreate, StepCheck, StepAppend, StepSync, StepClose}
	appendNewSteps = []Step{StepCreate, StepCheck, StepSyncDir, StepAppend, StepSync, StepClose}
)

func TestAppendLineSteps(t *testing.T) {
	for name, tt := range map[string]struct {
		was   *string
		w     Writer
		steps []Step
	}{
		"old":       {new("a\n"), zero, appendSteps},
		"new":       {nil, zero, appendNewSteps},
		"empty":     {new(""), zero, appendNewSteps}, // a crash came before the name was synced
		"lazily":    {new("a\n"), zero.Lazily(), []Step{StepCreate, StepCheck, StepAppend, StepClose}},
		"lazy, new": {nil, zero.Lazily(), []Step{StepCreate, StepCheck, StepAppend, StepClose}},
	} {
		root, dir := newRoot(t)
		if tt.was != nil {
			write(t, dir, "log", *tt.was)
		}
		var taken []Step
		tt.w.Before = func(s Step) error { taken = append(taken, s); return nil }
		if err := tt.w.AppendLine(root, "log", []byte("line"), 0o644); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(taken, tt.steps) {
			t.Errorf("%s: steps %v, want %v", name, taken, tt.steps)
		}
	}
}

// TestAppendLineFails lets every step fail. What was there stays, the errno comes through, and the next call puts
// its line behind what the failed one left.
func TestAppendLineFails(t *testing.T) {
	for name, steps := range map[string][]Step{"old": appendSteps, "new": appendNewSteps} {
		for i, failing := range steps {
			t.Run(name+"/"+string(failing), func(t *testing.T) {
				root, dir := newRoot(t)
				var was string
				if name == "old" {
					was = "a\nto"
					write(t, dir, "log", was)
				}
				var taken []Step
				w := Writer{Before: func(s Step) error {
					if taken = append(taken, s); len(taken) == i+1 {
						return syscall.ENOSPC
					}
					return nil
				}}
				err := w.AppendLine(root, "log", []byte("line"), 0o644)
				wantErr(t, err, syscall.ENOSPC)
				if errors.Is(err, ErrUnsynced) {
					t.Error(err)
				}
				want := slices.Clone(steps[:i+1])
				if i > slices.Index(steps, StepCheck) && failing != StepClose {
					want = append(want, StepClose) // whatever failed
				}
				if !slices.Equal(taken, want) {
					t.Errorf("steps %v, want %v", taken, want)
				}
				left, there := content(t, dir, "log")
				done := slices.Index(steps, StepAppend) < i
				switch {
				case done && name == "old":
					wantContent(t, dir, "log", "a\nto\nline\n")
				case done:
					wantContent(t, dir, "log", "line\n")
				case left != was || there != (name == "old" || i > 0):
					t.Errorf("left %q (there: %v)", left, there)
				}
				if err := zero.AppendLine(root, "log", []byte("next"), 0o644); err != nil {
					t.Fatal(err)
				}
				if left != "" && !strings.HasSuffix(left, "\n") {
					left += "\n"
				}
				wantContent(t, dir, "log", left+"next\n")
				wantNames(t, dir, "log")
			})
		}
	}
}

func TestAppendLineRefusesNames(t *testing.T) {
	root, dir := newRoot(t)
	os.Mkdir(filepath.Join(dir, "sub"), 0o755)
	for name, want := range map[string]error{
		"": fs.ErrInvalid, ".": fs.ErrInvalid, "..": fs.ErrInvalid, "file/": fs.ErrInvalid,
		"../file": ErrEscapes, "/etc/file": ErrEscapes, "no/file": fs.ErrNotExist, "sub": ErrNotRegular,
	} {
		err := zero.AppendLine(root, name, []byte("x"), 0o644)
		wantErr(t, err, want)
		if err != nil && !strings.HasPrefix(err.Error(), "append to "+name+": ") {
			t.Errorf("%q", err)
		}
	}
	wantNames(t, dir, "sub")
}

func TestAppendLineRefusesLinks(t *testing.T) {
	root, dir := newRoot(t)
	outside := t.TempDir()
	write(t, dir, "target", old)
	if err := os.Symlink("target", filepath.Join(dir, "link")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	os.Symlink("nothing", filepath.Join(dir, "dangling"))
	os.Symlink(outside, filepath.Join(dir, "out"))
	wantErr(t, zero.AppendLine(root, "link", []byte("x"), 0o644), ErrNotRegular)
	wantErr(t, zero.AppendLine(root, "dangling", []byte("x"), 0o644), ErrNotRegular)
	wantErr(t, zero.AppendLine(root, "out/file", []byte("x"), 0o644), ErrEscapes)
	wantContent(t, dir, "target", old)
	wantNames(t, dir, "target", "link", "dangling", "out")
	wantNames(t, outside)
}

// TestAppendLineMeanwhile: between the look and the open something else comes to the name. Nothing that was not
// looked at is written to.
func TestAppendLineMeanwhile(t *testing.T) {
	for name, tt := range map[string]struct {
		old  bool // there is a file to begin with
		step Step
		do   func(t *testing.T, path string)
		want error
	}{
		"a link in an old file's place": {true, StepCreate, linkTo("victim"), ErrNotRegular},
		"a link after the open":         {true, StepCheck, linkTo("victim"), ErrNotRegular},
		"a link where nothing was":      {false, StepCreate, linkTo("victim"), ErrChanged},
		"a dangling link":               {false, StepCreate, linkTo("nothing"), ErrChanged},
		"a link out":                    {true, StepCreate, linkTo("../elsewhere"), ErrEscapes},
		"a file where nothing was":      {false, StepCreate, fileHolding("theirs"), fs.ErrExist},
		"another file":                  {true, StepCheck, fileHolding("theirs"), ErrChanged},
		"gone":                          {true, StepCreate, func(_ *testing.T, path string) { os.Remove(path) }, ErrChanged},
		"gone after the open":           {true, StepCheck, func(_ *testing.T, path string) { os.Remove(path) }, ErrChanged},
	} {
		t.Run(name, func(t *testing.T) {
			root, dir := newRoot(t)
			write(t, dir, "victim", old)
			path := filepath.Join(dir, "log")
			if tt.old {
				write(t, dir, "log", "a\n")
			}
			w := Writer{Before: func(s Step) error {
				if s == tt.step {
					tt.do(t, path)
				}
				return nil
			}}
			wantErr(t, w.AppendLine(root, "log", []byte("line"), 0o644), tt.want)
			wantContent(t, dir, "victim", old)
			if text, there := content(t, dir, "log"); there && text != old && text != "theirs" {
				t.Errorf("log holds %q", text)
			}
			if _, err := os.Lstat(filepath.Join(dir, "nothing")); !errors.Is(err, fs.ErrNotExist) {
				t.Error("a link was followed to make a file")
			}
		})
	}
}

func linkTo(target string) func(*testing.T, string) {
	return func(t *testing.T, path string) {
		os.Remove(path)
		if err := os.Symlink(target, path); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
}

// fileHolding puts another file in the place of one that may be open.
func fileHolding(text string) func(*testing.T, string) {
	return func(t *testing.T, path string) {
		write(t, filepath.Dir(path), "other", text)
		if err := os.Rename(filepath.Join(filepath.Dir(path), "other"), path); err != nil {
			t.Skip("an open file cannot be replaced here:", err)
		}
	}
}

func BenchmarkAppendLine(b *testing.B) {
	root, _ := newRoot(b)
	line := []byte(strings.Repeat("x", 200))
	for name, w := range map[string]Writer{"synced": zero, "lazily": zero.Lazily()} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := w.AppendLine(root, "log", line, 0o644); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
