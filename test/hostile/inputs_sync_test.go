//go:build linux

package hostile

// inputs_sync_test.go: what others have pushed to the remote that sessions are shared through.

import (
	"bufio"
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

const syncCommands = "sync\nsync\nstatus\nsync --dry-run"

var syncInputs = []input{
	{name: "a shared blob of 400 MB of zeros", make: shared(1, func(r *remoteRepo, _ int) string {
		return r.entry("100644 f", r.object("blob", func(w *bufio.Writer) { zeros(w, enormous) }))
	}), commands: syncCommands},
	{name: "10 users with a shared blob of 30 MB of zeros", make: shared(10, func(r *remoteRepo, n int) string {
		return r.entry("100644 f", r.object("blob", func(w *bufio.Writer) { zeros(w, 30<<20+n) }))
	}), commands: syncCommands},
	{name: "a shared tree of a million files", make: shared(1, func(r *remoteRepo, _ int) string {
		blob := r.object("blob", func(w *bufio.Writer) { w.WriteString("x") })
		return r.object("tree", func(w *bufio.Writer) {
			for n := range 1_000_000 {
				fmt.Fprintf(w, "100644 %07d\x00%s", n, unhex(blob))
			}
		})
	}), commands: syncCommands},
	{name: "a shared tree in itself, many times over", make: shared(1, func(r *remoteRepo, _ int) string {
		tree := r.entry("100644 f", r.object("blob", func(w *bufio.Writer) { w.WriteString("x") }))
		for range 15 {
			below := tree
			tree = r.object("tree", func(w *bufio.Writer) {
				for n := range 10 {
					fmt.Fprintf(w, "40000 %d\x00%s", n, unhex(below))
				}
			})
		}
		return tree
	}), commands: syncCommands},
	{name: "a shared commit with a message of 400 MB", make: func(p *project) {
		r := newRemote(p)
		tree := r.object("tree", func(*bufio.Writer) {})
		r.share(0, r.object("commit", func(w *bufio.Writer) {
			w.WriteString("tree " + tree + "\nauthor a <a> 0 +0000\ncommitter a <a> 0 +0000\n\n")
			zeros(w, enormous)
		}))
		r.pack()
	}, commands: syncCommands},
	{name: "three shared commits without their trees", make: func(p *project) {
		r := newRemote(p)
		for n := range 3 {
			r.share(n, r.commit(strings.Repeat("2", 40), fmt.Sprint(n)))
		}
	}, commands: syncCommands, quick: true},
}

func zeros(w *bufio.Writer, size int) {
	block := make([]byte, 1<<16)
	for ; size > 0; size -= len(block) {
		w.Write(block[:min(size, len(block))])
	}
}

// A remoteRepo is the bare repository that a project shares through.
type remoteRepo struct {
	*project
	dir string
}

func newRemote(p *project) *remoteRepo {
	r := &remoteRepo{p, filepath.Join(filepath.Dir(p.dir), "remote.git")}
	r.git(nil, "init", "-q", "--bare", r.dir)
	p.write(".git/config", "[core]\n\trepositoryformatversion = 0\n[remote \"origin\"]\n\turl = "+r.dir+"\n")
	return r
}

func (r *remoteRepo) git(write func(w *bufio.Writer), args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Env = r.env
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	in, err := cmd.StdinPipe()
	r.ok(err)
	r.ok(cmd.Start())
	if write != nil {
		w := bufio.NewWriterSize(in, 1<<16)
		write(w)
		r.ok(w.Flush())
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, &errs)
	}
	return strings.TrimSpace(out.String())
}

func (r *remoteRepo) object(kind string, write func(w *bufio.Writer)) string {
	r.t.Helper()
	return r.git(write, "-C", r.dir, "hash-object", "-t", kind, "-w", "--literally", "--stdin")
}

// entry makes a tree with one entry, of which mode has the name, too.
func (r *remoteRepo) entry(mode, id string) string {
	return r.object("tree", func(w *bufio.Writer) { w.WriteString(mode + "\x00" + unhex(id)) })
}

func (r *remoteRepo) commit(tree, message string) string {
	return r.object("commit", func(w *bufio.Writer) {
		w.WriteString("tree " + tree + "\nauthor a <a> 0 +0000\ncommitter a <a> 0 +0000\n\n" + message)
	})
}

func (r *remoteRepo) share(n int, commit string) {
	r.write(filepath.Join(r.dir, "refs", "gsd", "users", fmt.Sprintf("eve-%08x", n), "clone"), commit+"\n")
}

// pack packs the objects, as they would have been pushed.
func (r *remoteRepo) pack() { r.git(nil, "-C", r.dir, "repack", "-adq") }

// shared makes a remote with users who each share a tree.
func shared(users int, tree func(r *remoteRepo, n int) string) func(p *project) {
	return func(p *project) {
		r := newRemote(p)
		for n := range users {
			r.share(n, r.commit(tree(r, n), "x"))
		}
		r.pack()
	}
}
