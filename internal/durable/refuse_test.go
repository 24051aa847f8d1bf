package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestRefusals: what each way in says to names, links and directories.
func TestRefusals(t *testing.T) {
	root, dir := newRoot(t)
	outside := t.TempDir()
	write(t, dir, "target", old)
	write(t, outside, "secret", old)
	os.MkdirAll(filepath.Join(dir, "sub/deep"), 0o755)
	for name, to := range map[string]string{"link": "target", "dangling": "nothing", "out": outside} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	was := stampOfFile(t, root, "link") // reading follows it
	ways := map[string]func(name string) error{
		"write": func(name string) error { return zero.Replace(root, name, [][]byte{[]byte(next)}, 0o644, Stamp{}) },
		"keep": func(name string) error {
			_, _, err := zero.Archive(root, name, Archives{Stem: "as"}, was, time.Now())
			return err
		},
		"remove": func(name string) error { return zero.Remove(root, name) },
		"look up": func(name string) error {
			_, err := StampOf(root, name)
			return err
		},
		"read": func(name string) error {
			_, _, err := Read(root, name, 100)
			return err
		},
	}
	const allButReading, alsoReading = "write keep remove", "write keep remove look-up read"
	for _, tt := range []struct {
		name string
		want error
		ways string
	}{
		{"", fs.ErrInvalid, allButReading},
		{".", fs.ErrInvalid, allButReading},
		{"..", fs.ErrInvalid, allButReading},
		{"sub/..", fs.ErrInvalid, allButReading},
		{"file/", fs.ErrInvalid, allButReading},
		{"../file", ErrEscapes, alsoReading},
		{"/etc/hosts", ErrEscapes, alsoReading},
		{"out/secret", ErrEscapes, alsoReading},
		{"no/file", fs.ErrNotExist, "write keep read"},
		{"no/file", nil, "remove look-up"},
		{"missing", fs.ErrNotExist, "read"},
		{"missing", nil, "remove look-up"},
		{".", ErrNotRegular, "look-up read"},
		{"sub", ErrNotRegular, "write keep look-up read"},
		{"link", ErrNotRegular, "write keep look-up"},
		{"dangling", ErrNotRegular, "write keep look-up"},
		{"out", ErrNotRegular, "write keep look-up"},
	} {
		for way := range strings.FieldsSeq(tt.ways) {
			way = strings.ReplaceAll(way, "-", " ")
			err := ways[way](tt.name)
			if !errors.Is(err, tt.want) || err != nil && !strings.HasPrefix(err.Error(), way+" "+tt.name+": ") {
				t.Errorf("%s %q: %v, want %v", way, tt.name, err, tt.want)
			}
		}
	}
	wantNames(t, dir, "target", "sub", "link", "dangling", "out")
	wantContent(t, dir, "target", old)
	// Removing takes the link and not its target, an empty directory, and no full one.
	if err := zero.Remove(root, "sub"); err == nil || !strings.HasPrefix(err.Error(), "remove sub: ") {
		t.Errorf("a directory that holds something: %v", err)
	}
	for _, name := range []string{"sub/deep", "sub", "link", "dangling", "out"} {
		if err := zero.Remove(root, name); err != nil {
			t.Error(err)
		}
	}
	wantNames(t, dir, "target")
	wantContent(t, outside, "secret", old)
}

// TestStampOf: it gives the version to replace by.
func TestStampOf(t *testing.T) {
	root, dir := newRoot(t)
	write(t, dir, "file", old)
	is, err := StampOf(root, "file")
	if err != nil || is.IsZero() || !is.Equal(stampOfFile(t, root, "file")) {
		t.Errorf("%v, %v", is, err)
	}
	wantErr(t, zero.Replace(root, "file", [][]byte{[]byte(next)}, 0o644, is), nil)
	wantErr(t, zero.Replace(root, "file", [][]byte{[]byte(old)}, 0o644, is), ErrChanged)
}
