package durable

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestReplaceLaw: whatever was there, the new text is there afterwards, and reading returns it.
func TestReplaceLaw(t *testing.T) {
	root, dir := newRoot(t)
	os.Mkdir(filepath.Join(dir, "sub"), 0o755)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "text")
		if err := zero.Replace(root, "sub/file", text, 0o644, stampInPlace(t, root, "sub/file")); err != nil {
			t.Fatal(err)
		}
		if data, _, err := Read(root, "sub/file", 1<<20); err != nil || string(data) != string(text) {
			t.Fatalf("read %q, %v", data, err)
		}
	})
}

// TestReplaceRefusesAnotherVersion: whenever the file changes, up to the last look before the rename, it stays as it
// then is, and no temporary is left.
func TestReplaceRefusesAnotherVersion(t *testing.T) {
	past := time.Now().Add(-time.Hour)
	for name, change := range map[string]func(t *testing.T, path string){
		"rewritten": func(t *testing.T, path string) { write(t, filepath.Dir(path), "file", "another content\n") },
		"touched":   func(_ *testing.T, path string) { os.Chtimes(path, time.Now(), time.Now()) },
		"removed":   func(_ *testing.T, path string) { os.Remove(path) },
		"replaced by a twin": func(t *testing.T, path string) {
			twin := filepath.Join(filepath.Dir(path), "twin")
			write(t, filepath.Dir(path), "twin", old)
			os.Chtimes(twin, past, past)
			os.Rename(twin, path)
		},
	} {
		for _, step := range []Step{"", StepCreate, StepWrite, StepSync, StepClose, StepCheck} {
			root, dir := newRoot(t)
			path := filepath.Join(dir, "file")
			write(t, dir, "file", old)
			os.Chtimes(path, past, past)
			was := stampOfFile(t, root, "file")
			var changed files
			meddle := func(s Step) error {
				if s == step {
					change(t, path)
					changed = filesIn(t, dir)
				}
				return nil
			}
			meddle("")
			wantErr(t, Writer{Before: meddle}.Replace(root, "file", []byte(next), 0o644, was), ErrChanged)
			maps.DeleteFunc(changed, func(name, _ string) bool { return isTemp(name) })
			if left := filesIn(t, dir); !maps.Equal(left, changed) {
				t.Errorf("%s before %q: left %q, want %q", name, step, left, changed)
			}
		}
	}
	// One that must not exist is there, or comes into being at the very last moment.
	for _, step := range []Step{"", StepLink} {
		root, dir := newRoot(t)
		meddle := func(s Step) error {
			if s == step {
				write(t, dir, "file", "theirs")
			}
			return nil
		}
		meddle("")
		err := Writer{Before: meddle}.Replace(root, "file", []byte(next), 0o644, Stamp{})
		wantErr(t, err, ErrChanged)
		wantErr(t, err, fs.ErrExist)
		wantContent(t, dir, "file", "theirs")
		wantNames(t, dir, "file")
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
			_, err := w.keep(root, "file", "taken", was)
			wantErr(t, err, fs.ErrExist)
			_, err = w.keep(root, "missing", "as", Stamp{})
			wantErr(t, err, fs.ErrNotExist)
			_, err = w.keep(root, "missing", "as", was)
			wantErr(t, err, ErrChanged)
			_, err = w.keep(root, "file", "as", Stamp{})
			wantErr(t, err, ErrChanged)

			is, err := w.keep(root, "file", "as", was)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Replace(root, "file", []byte(next), 0o644, is); err != nil {
				t.Fatal(err)
			}
			wantContent(t, dir, "file", next)
			wantContent(t, dir, "as", old)
			wantContent(t, dir, "taken", "x")
			wantNames(t, dir, "as", "file", "taken")
		})
	}
}
