package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestReadAt: files by their paths of the system, through whatever links, out of a budget.
func TestReadAt(t *testing.T) {
	_, dir := newRoot(t)
	write(t, dir, "file", "12345")
	write(t, dir, "empty", "")
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	outside := t.TempDir()
	write(t, outside, "there", "out")
	if err := os.Symlink(filepath.Join(outside, "there"), filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	for _, tt := range []struct {
		name  string
		limit int64
		want  string
		err   error
		spent int64
	}{
		{"file", 5, "12345", nil, 5},
		{"file", 4, "", ErrTooLarge, 0},
		{"empty", 0, "", nil, 0},
		{"link", 9, "out", nil, 3},
		{"sub", 9, "", ErrNotRegular, 0},
		{"missing", 9, "", fs.ErrNotExist, 0},
	} {
		b := NewBudget(7)
		data, err := b.ReadAt(filepath.Join(dir, tt.name), tt.limit)
		if string(data) != tt.want || !errors.Is(err, tt.err) || 7-b.Left() != tt.spent {
			t.Errorf("%s: %q, %v, %d spent; want %q, %v, %d", tt.name, data, err, 7-b.Left(), tt.want, tt.err, tt.spent)
		}
	}
	b := NewBudget(7)
	b.ReadAt(filepath.Join(dir, "file"), 5)
	if _, err := b.ReadAt(filepath.Join(dir, "file"), 5); !errors.Is(err, ErrBudget) || b.Left() != 2 {
		t.Errorf("%v, and %d are left", err, b.Left())
	}
	if data, err := (*Budget)(nil).ReadAt(filepath.Join(dir, "file"), 5); err != nil || string(data) != "12345" {
		t.Errorf("without a budget %q, %v", data, err)
	}
	if _, err := DirAt(filepath.Join(dir, "file")); err == nil && openDirectory != 0 {
		t.Error("a file is listed")
	}
}
