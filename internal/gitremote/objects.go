package gitremote

// objects.go: writing commits and their files, in a place of our own.

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"context"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gsd-cli/gsd/internal/durable"
)

// Commit is a commit without parents. Equal files give an equal ID, so one that the remote has already need not be written.
type Commit struct {
	ID   string
	pack []byte // all objects, the commit last
}

// NewCommit returns the commit with the given files.
func NewCommit(files map[string][]byte) (*Commit, error) {
	p := packer{known: map[id]bool{}}
	root := &dir{}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if err := root.add(path, p.object(plumbing.BlobObject, files[path])); err != nil {
			return nil, err
		}
	}
	const who = "gsd <gsd@localhost> 0 +0000"
	commit := p.object(plumbing.CommitObject, fmt.Appendf(nil, "tree %s\nauthor %s\ncommitter %s\n\ngsd: shared sessions\n", root.write(&p), who, who))
	return &Commit{ID: hex.EncodeToString(commit[:]), pack: p.pack()}, nil
}

// Write stores a commit in the repository, where [Repo.Push] finds it. After a crash there is all of it, or nothing that anybody
// finds: the objects are written one by one, and the commit is the last.
func (r *Repo) Write(ctx context.Context, c *Commit) error {
	for again := range 2 {
		if r.read(durable.NewBudget(readBudget), []string{c.ID})[0].Err == nil {
			return nil
		}
		if again > 0 { // an object is damaged, and git does not write what it has
			if err := os.RemoveAll(filepath.Join(r.own, "objects")); err != nil {
				return err
			}
		}
		if err := r.prepare(); err != nil {
			return err
		}
		unpack := func(ctx context.Context) *exec.Cmd { return r.inOwn(ctx, nil, nil, "unpack-objects", "-q") }
		if out, err := r.run(ctx, c.pack, 1<<10, unpack); err != nil {
			return classify(nil, err, out.stderr, false)
		}
	}
	return r.read(durable.NewBudget(readBudget), []string{c.ID})[0].Err
}

// Forget removes the repository of our own.
func (r *Repo) Forget() error { return os.RemoveAll(r.own) }

// Borrow keeps what is fetched from now on in a temporary directory, which done removes: for a caller that only reads.
func (r *Repo) Borrow() (done func(), err error) {
	dir, err := os.MkdirTemp("", "gsd-sync-")
	if err != nil {
		return nil, err
	}
	r.borrowed = dir
	return func() { os.RemoveAll(dir) }, nil
}

// place is the repository of our own whose objects are read, and get what is fetched.
func (r *Repo) place() string { return cmp.Or(r.borrowed, r.own) }

// files are all that makes a directory a repository besides its directories. There is no hook, and no other repository is looked into.
var files = map[string]string{
	"HEAD":   "ref: refs/heads/none\n",
	"config": "[core]\n\trepositoryformatversion = 0\n\tbare = true\n",
}

// prepare makes the repository of our own.
func (r *Repo) prepare() error {
	place := r.place()
	if place == "" {
		return errors.New("there is no directory for what is fetched: set HOME or XDG_STATE_HOME")
	}
	for _, dir := range []string{filepath.Join("objects", "info"), "refs"} {
		if err := durable.MkdirAllAt(filepath.Join(place, dir), 0o700); err != nil {
			return err
		}
	}
	root, err := os.OpenRoot(place)
	if err != nil {
		return err
	}
	defer root.Close()
	for name, text := range files {
		is, was, err := durable.Read(root, name, int64(len(text)))
		if err == nil && string(is) == text {
			continue
		}
		err = durable.Writer{}.Replace(root, name, [][]byte{[]byte(text)}, 0o600, was)
		if err != nil && !errors.Is(err, durable.ErrChanged) { // another process was faster
			return err
		}
	}
	if r.borrowed != "" && r.own != "" {
		others := filepath.Join(r.own, "objects") + "\n"
		if err := os.WriteFile(filepath.Join(place, "objects", "info", "alternates"), []byte(others), 0o600); err != nil {
			return err
		}
	}
	info, err := root.OpenRoot("objects/info")
	if err != nil {
		return err
	}
	defer info.Close()
	r.sweep(info)
	return nil
}

// When objects are removed: what git left when it was killed after an hour, and once there are many, what is older than a day.
const (
	tempAge    = time.Hour
	objectAge  = 24 * time.Hour
	sweepEvery = time.Hour
)

var manyLoose = 5_000 // a variable for a test

// sweep cleans our objects directory up, once an hour. Whatever it removes can be fetched or written again.
func (r *Repo) sweep(info *os.Root) {
	now := time.Now()
	if last, err := info.Lstat("swept"); err == nil && now.Sub(last.ModTime()).Abs() < sweepEvery {
		return
	}
	if f, err := info.OpenFile("swept", os.O_CREATE|os.O_WRONLY, 0o666); err == nil {
		f.Close()
		_ = info.Chtimes("swept", now, now)
	}
	objects, err := os.OpenRoot(filepath.Join(r.place(), "objects"))
	if err != nil {
		return
	}
	defer objects.Close()
	durable.SweepTemps(objects, "info", now.Add(-tempAge), false)
	var old []string
	count := 0
	_ = fs.WalkDir(objects.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(path, "info/") {
			return nil
		}
		count++
		file, err := d.Info()
		if err != nil {
			return nil
		}
		age := now.Sub(file.ModTime())
		if strings.HasPrefix(d.Name(), "tmp_") && age > tempAge {
			_ = objects.Remove(path)
		} else if age > objectAge {
			old = append(old, path)
		}
		return nil
	})
	if count > manyLoose {
		for _, path := range old {
			_ = objects.Remove(path)
		}
	}
}

type id = plumbing.Hash

// packer collects objects into a pack without deltas (gitformat-pack).
type packer struct {
	known map[id]bool
	data  bytes.Buffer
}

func (p *packer) object(kind plumbing.ObjectType, data []byte) id {
	name := plumbing.ComputeHash(kind, data)
	if p.known[name] {
		return name
	}
	p.known[name] = true
	size := len(data)
	b := byte(kind)<<4 | byte(size&15)
	for size >>= 4; size > 0; size >>= 7 {
		p.data.WriteByte(b | 0x80)
		b = byte(size & 0x7f)
	}
	p.data.WriteByte(b)
	z := zlib.NewWriter(&p.data)
	_, _ = z.Write(data) // a buffer does not fail
	_ = z.Close()
	return name
}

func (p *packer) pack() []byte {
	pack := binary.BigEndian.AppendUint32([]byte("PACK\x00\x00\x00\x02"), uint32(len(p.known)))
	pack = append(pack, p.data.Bytes()...)
	sum := sha1.Sum(pack)
	return append(pack, sum[:]...)
}

// dir is a directory to be written: its files and directories by name.
type dir struct {
	files map[string]id
	dirs  map[string]*dir
}

func (d *dir) add(path string, file id) error {
	all := path
	for depth := 0; ; depth++ {
		name, rest, below := strings.Cut(path, "/")
		if name == "" || name == "." || name == ".." || strings.EqualFold(name, ".git") || strings.ContainsAny(name, "\\\x00") || depth > limits.Depth {
			return fmt.Errorf("a commit cannot hold a file named %q", all)
		}
		_, isFile := d.files[name]
		if isFile || !below && d.dirs[name] != nil {
			return fmt.Errorf("%q is both a file and a directory", all)
		}
		if !below {
			if d.files == nil {
				d.files = map[string]id{}
			}
			d.files[name] = file
			return nil
		}
		if d.dirs == nil {
			d.dirs = map[string]*dir{}
		}
		if d.dirs[name] == nil {
			d.dirs[name] = &dir{}
		}
		d, path = d.dirs[name], rest
	}
}

// write writes the trees, those below first. Git sorts a directory as if its name ended in a slash.
func (d *dir) write(p *packer) id {
	type entry struct {
		key, line string
	}
	var entries []entry
	for name, file := range d.files {
		entries = append(entries, entry{name, "100644 " + name + "\x00" + string(file[:])})
	}
	for _, name := range slices.Sorted(maps.Keys(d.dirs)) {
		tree := d.dirs[name].write(p)
		entries = append(entries, entry{name + "/", "40000 " + name + "\x00" + string(tree[:])})
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
	var data []byte
	for _, e := range entries {
		data = append(data, e.line...)
	}
	return p.object(plumbing.TreeObject, data)
}
