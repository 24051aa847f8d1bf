package apptest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A Picture is what is in a directory: the text of files by their paths, with slashes. Directories end in one.
type Picture map[string]string

// TakePicture takes one of what is there.
func TakePicture(t testing.TB, dir string) Picture {
	t.Helper()
	p := Picture{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == dir {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			p[rel+"/"] = ""
			return nil
		}
		text, err := os.ReadFile(name)
		p[rel] = string(text)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return p
}

// PutBack makes dir what it was when the picture was taken. What is as it was stays.
func (p Picture) PutBack(t testing.TB, dir string) {
	t.Helper()
	is := TakePicture(t, dir)
	for name := range is {
		if _, ok := p[name]; ok {
			continue
		}
		if err := os.RemoveAll(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range p {
		if was, ok := is[name]; ok && was == text {
			continue
		}
		at := filepath.Join(dir, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(at, 0o777); err != nil {
				t.Fatal(err)
			}
			continue
		}
		Write(t, at, text)
	}
}

// Temps lists the temporaries of crashed writers.
func (p Picture) Temps() []string {
	var names []string
	for name := range p {
		if strings.HasSuffix(name, ".tmp") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
