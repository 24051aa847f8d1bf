package session

// ignore.go: sessions stay out of the project's history, because each is one user's and changes with every task. Each user's
// directory has its own .gitignore. What else is in .planning/sessions is not ours to hide: upstream keeps files there.

import (
	"errors"
	"io/fs"
	"os"
	"slices"

	"github.com/gsd-cli/gsd/internal/durable"
)

const (
	// IgnoreFile keeps git away from a user's directory, itself included.
	IgnoreFile = ".gitignore"
	ignoreAll  = "*\n"
	// sharedIgnore is where earlier versions of gsd wrote it, for all users at once.
	sharedIgnore = sessionsDir + "/" + IgnoreFile
)

// makeIgnore makes git ignore the directory, unless it has an ignore file. Whoever wants git to see it changes that file.
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

// dropShared removes the ignore file that an earlier version of gsd wrote for all users, once the directory of each has its own. It
// stays if somebody changed it, if git may track it, or if a directory cannot be hidden. A crash or an error leaves it for the next
// writer.
func (g *Guard) dropShared() {
	root := g.in.root
	was, err := durable.Look(root, sharedIgnore)
	if err != nil || was.IsZero() { // the usual case
		return
	}
	text, is, err := durable.Read(root, sharedIgnore, int64(len(ignoreAll)))
	if err != nil || string(text) != ignoreAll || !is.Equal(was) || g.in.MayTrack != nil && g.in.MayTrack(sharedIgnore) {
		return
	}
	all := true
	for _, user := range Users(root) {
		all = At(root, user).hide(g.write) && all
	}
	if all {
		_ = g.write.Remove(root, sharedIgnore)
	}
}

// hide makes git ignore the directory, if it is one and has a session or its guard. It reports whether nothing of gsd's is in
// git's sight.
func (d Dir) hide(w durable.Writer) bool {
	info, err := d.root.Lstat(d.Path())
	if err != nil || info.Mode()&fs.ModeSymlink != 0 {
		return false // git sees the link, whatever is behind it
	}
	if !info.IsDir() {
		return true
	}
	dir, err := durable.OpenRoot(d.root, d.Path())
	if err != nil {
		return false
	}
	defer dir.Close()
	names, err := durable.Names(dir, ".")
	if err != nil {
		return false
	}
	if !slices.Contains(names, fileName) && !slices.Contains(names, guardFile) {
		return true
	}
	return ignore(w, dir) == nil
}
