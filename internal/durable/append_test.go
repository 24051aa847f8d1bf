package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestAppendLineLaw: whatever is there stays, byte for byte, and the line is the last, whole and alone.
func TestAppendLineLaw(t *testing.T) {
	root, dir := newRoot(t)
	rapid.Check(t, func(rt *rapid.T) {
		was := string(rapid.SliceOf(rapid.SampledFrom([]byte("ab\n\r\x00\xff"))).Draw(rt, "was"))
		line := string(rapid.SliceOf(rapid.SampledFrom([]byte("xy\r\x00\xff"))).Draw(rt, "line"))
		write(t, dir, "log", was)
		if err := zero.AppendLine(root, "log", []byte(line), 0o644); err != nil {
			rt.Fatal(err)
		}
		want := was + line + "\n"
		if was != "" && !strings.HasSuffix(was, "\n") {
			want = was + "\n" + line + "\n"
		}
		if got, _ := content(t, dir, "log"); got != want {
			rt.Fatalf("%q and %q gave %q", was, line, got)
		}
		if err := zero.AppendLine(root, "log", []byte(line+"\nx"), 0o644); !errors.Is(err, fs.ErrInvalid) {
			rt.Fatalf("two lines: %v", err)
		}
	})
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
