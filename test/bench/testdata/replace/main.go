// Command replace replaces a file by the content of another and does nothing besides: write, fsync, rename, fsync the
// folder. What any program must pay that changes a file so that a crash does no harm.
package main

import (
	"os"
	"path/filepath"
)

func main() {
	if err := replace(os.Args[1], os.Args[2]); err != nil {
		println(err.Error())
		os.Exit(1)
	}
}

func replace(name, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	temp := name + ".tmp"
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(temp, name); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(name))
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}
