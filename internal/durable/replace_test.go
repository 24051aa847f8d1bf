package durable

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

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
			wantErr(t, Writer{Before: meddle}.Replace(root, "file", [][]byte{[]byte(next)}, 0o644, was), ErrChanged)
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
		err := Writer{Before: meddle}.Replace(root, "file", [][]byte{[]byte(next)}, 0o644, Stamp{})
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
