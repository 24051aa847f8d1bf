package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func TestRemove(t *testing.T) {
	root, dir := newRoot(t)
	os.MkdirAll(filepath.Join(dir, "sub", "empty"), 0o755)
	os.MkdirAll(filepath.Join(dir, "full"), 0o755)
	write(t, dir, "sub/file", old)
	write(t, dir, "full/file", old)
	for _, name := range []string{"sub/file", "sub/file", "sub/empty", "missing", "no/such/file"} {
		if err := zero.Remove(root, name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	wantNames(t, filepath.Join(dir, "sub"))
	if err := zero.Remove(root, "full"); err == nil || !strings.HasPrefix(err.Error(), "remove full: ") {
		t.Errorf("a directory that holds something: %v", err)
	}
	wantContent(t, dir, "full/file", old)
	for name, want := range map[string]error{
		"": fs.ErrInvalid, ".": fs.ErrInvalid, "..": fs.ErrInvalid, "full/": fs.ErrInvalid,
		"../file": ErrEscapes, "/etc/hosts": ErrEscapes,
	} {
		wantErr(t, zero.Remove(root, name), want)
	}
}

func TestRemoveTakesALinkAndNotItsTarget(t *testing.T) {
	root, dir := newRoot(t)
	outside := t.TempDir()
	write(t, outside, "file", old)
	write(t, dir, "target", old)
	for name, target := range map[string]string{
		"link": "target", "dangling": "nothing", "out": filepath.Join(outside, "file"), "dir": outside,
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	wantErr(t, zero.Remove(root, "dir/file"), ErrEscapes)
	for _, name := range []string{"link", "dangling", "out", "dir"} {
		if err := zero.Remove(root, name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	wantNames(t, dir, "target")
	wantContent(t, dir, "target", old)
	wantContent(t, outside, "file", old)
}

func TestRemoveFails(t *testing.T) {
	steps := []Step{StepRemove, StepSyncDir}
	for i, failing := range steps {
		root, dir := newRoot(t)
		write(t, dir, "file", old)
		var taken []Step
		w := Writer{Before: func(s Step) error {
			if taken = append(taken, s); s == failing {
				return syscall.EIO
			}
			return nil
		}}
		wantErr(t, w.Remove(root, "file"), syscall.EIO)
		if !slices.Equal(taken, steps[:i+1]) {
			t.Errorf("steps %v", taken)
		}
		if _, there := content(t, dir, "file"); there != (failing == StepRemove) {
			t.Errorf("%s failed, there: %v", failing, there)
		}
	}
	// What is not there takes no step, and what another takes away first is no error.
	root, dir := newRoot(t)
	write(t, dir, "file", old)
	var taken []Step
	w := Writer{Before: func(s Step) error {
		if taken = append(taken, s); s == StepRemove {
			os.Remove(filepath.Join(dir, "file"))
		}
		return nil
	}}
	for range 2 {
		if err := w.Remove(root, "file"); err != nil {
			t.Error(err)
		}
	}
	if !slices.Equal(taken, steps) {
		t.Errorf("steps %v", taken)
	}
}

func TestLook(t *testing.T) {
	root, dir := newRoot(t)
	write(t, dir, "file", old)
	os.Mkdir(filepath.Join(dir, "sub"), 0o755)
	is, err := Look(root, "file")
	if err != nil || is.IsZero() || !is.Equal(stampOfFile(t, root, "file")) {
		t.Errorf("%v, %v", is, err)
	}
	for _, name := range []string{"missing", "no/file"} {
		if s, err := Look(root, name); err != nil || !s.IsZero() {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
	_, err = Look(root, "sub")
	wantErr(t, err, ErrNotRegular)
	_, err = Look(root, "../file")
	wantErr(t, err, ErrEscapes)
	if os.Symlink("file", filepath.Join(dir, "link")) == nil {
		_, err = Look(root, "link")
		wantErr(t, err, ErrNotRegular)
	}
	// It is the version to replace by.
	if err := zero.Replace(root, "file", chunks(next), 0o644, is); err != nil {
		t.Error(err)
	}
	wantErr(t, zero.Replace(root, "file", chunks(old), 0o644, is), ErrChanged)
}

func TestOpen(t *testing.T) {
	root, dir := newRoot(t)
	write(t, dir, "file", old)
	f, err := Open(root, "file")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	write(t, dir, "file", old+old) // it may grow
	data := make([]byte, 2*len(old))
	if n, err := f.Read(data); string(data[:n]) != old+old || err != nil {
		t.Errorf("%q, %v", data[:n], err)
	}
	if _, err := f.Write([]byte("x")); err == nil {
		t.Error("opened for writing")
	}
	for name, want := range map[string]error{"missing": fs.ErrNotExist, ".": ErrNotRegular, "../file": ErrEscapes} {
		_, err := Open(root, name)
		wantErr(t, err, want)
	}
}

// TestLazily: no sync is made, everything else is as ever.
func TestLazily(t *testing.T) {
	root, dir := newRoot(t)
	write(t, dir, "file", old)
	var taken []Step
	w := Writer{Before: func(s Step) error { taken = append(taken, s); return nil }}.Lazily()
	is, err := w.Keep(root, "file", "as", stampOfFile(t, root, "file"))
	err = errors.Join(err,
		w.Replace(root, "file", chunks(next), 0o644, is),
		w.Replace(root, "new", chunks(next), 0o644, Stamp{}),
		w.AppendLine(root, "new", []byte("line"), 0o644),
		w.AppendLine(root, "log", []byte("line"), 0o644),
		w.Remove(root, "as"))
	if err != nil {
		t.Fatal(err)
	}
	wantContent(t, dir, "file", next)
	wantContent(t, dir, "new", next+"line\n")
	wantContent(t, dir, "log", "line\n")
	wantNames(t, dir, "file", "log", "new")
	if slices.Contains(taken, StepSync) || slices.Contains(taken, StepSyncDir) {
		t.Errorf("steps %v", taken)
	}
	for _, s := range []Step{StepCreate, StepWrite, StepMode, StepClose, StepCheck, StepRename, StepLink, StepUnlink, StepAppend, StepRemove} {
		if !slices.Contains(taken, s) {
			t.Errorf("step %s was not taken", s)
		}
	}
	// The Writer that it was made from syncs as before.
	eager := Writer{Before: w.Before}
	_ = eager.Lazily()
	taken = nil
	if err := eager.AppendLine(root, "log", []byte("line"), 0o644); err != nil || !slices.Contains(taken, StepSync) {
		t.Errorf("steps %v, %v", taken, err)
	}
}
