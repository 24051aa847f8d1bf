package session

// ignore.go: sessions stay out of the project's history, because each is one user's and changes with every task. Each user's
// directory has its own .gitignore. What else is in .planning/sessions is not ours to hide: upstream is going to keep files there
// (gsd-core #4845). They are not read: they say where a session of upstream's stopped, as its hand-off note does, and name no plan.

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/durable"
)

const (
	// IgnoreFile keeps git away from a user's directory, itself included.
	IgnoreFile = ".gitignore"
	ignoreAll  = "*\n"
	// sharedIgnore is where earlier versions of gsd wrote it, for all users at once.
	sharedIgnore = sessionsDir + "/" + IgnoreFile
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

// dropShared removes the ignore file that an earlier version of gsd wrote for all users, once the directory of each has its own. It
// stays if somebody changed it, if git may track it, or if a directory cannot be hidden. A crash or an error leaves it for the next
// writer.
func (g *Guard) dropShared() {
	root := g.in.root
	was, err := durable.StampOf(root, sharedIgnore)
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

// hide makes git ignore the directory, if it is one and has something of a session in it. It reports whether git sees nothing of
// that.
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
	if !slices.ContainsFunc(names, isOfSession) {
		return true
	}
	if err := ignore(w, dir); err != nil {
		return false
	}
	const enough = 64 << 10
	text, _, err := durable.Read(dir, IgnoreFile, enough) // somebody else may have written it
	return err == nil && slices.ContainsFunc(strings.Split(string(text), "\n"), func(line string) bool { return strings.TrimSpace(line) == "*" })
}

// isOfSession reports whether a name is that of a session, of its archives, or of what is kept beside it.
func isOfSession(name string) bool {
	return strings.HasPrefix(name, "current-plan.") || slices.Contains([]string{guardFile, "lease.json", "journal.jsonl"}, name)
}
