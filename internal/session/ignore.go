package session

// ignore.go: sessions stay out of the project's history, because each is one user's and changes with every task. Each user's
// directory has its own .gitignore. What else is in .planning/sessions is not for gsd to hide: upstream is going to keep files there
// (gsd-core #4845). They are not read: they say where a session of upstream's stopped, as its hand-off note does, and name no plan.

import (
	"errors"
	"io/fs"
	"os"

	"github.com/gsd-cli/gsd/internal/durable"
)

const (
	// IgnoreFile keeps git away from a user's directory, itself included.
	IgnoreFile = ".gitignore"
	ignoreAll  = "*\n"
)

// makeIgnore makes git ignore the directory, unless it has an ignore file. To make git see it, change that file.
func (g *Guard) makeIgnore() error {
	err := g.named(ignore(g.write, g.dir))
	if errors.Is(err, durable.ErrUnsynced) {
		return nil // if the disk fails, the session's own write reports it
	}
	return err
}

// ignore makes git ignore a user's directory, unless it has an ignore file.
func ignore(w durable.Writer, dir *os.Root) error {
	if _, err := dir.Lstat(IgnoreFile); !errors.Is(err, fs.ErrNotExist) {
		return durable.Failed("look up", IgnoreFile, dir, err)
	}
	err := w.Replace(dir, IgnoreFile, [][]byte{[]byte(ignoreAll)}, filePerm, durable.Stamp{})
	if errors.Is(err, fs.ErrExist) { // another process was faster
		return nil
	}
	return err
}
