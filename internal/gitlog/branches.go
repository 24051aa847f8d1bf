package gitlog

// branches.go: what other branches and working trees have that HEAD's history has not. A repository may have any number of branches, and
// the caller waits for the answer: the refs are listed once, few are read, and the walk from them ends where it meets HEAD's.

import (
	"bytes"
	"cmp"
	"container/heap"
	"context"
	"errors"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gsd-cli/gsd/internal/durable"
)

// Branch is a local branch, or what a working tree has checked out that is on none.
type Branch struct {
	Name     string // without refs/heads/; "" for a working tree that is on no branch. Anything may be in it, but no control character
	Worktree string // the other working tree that has it checked out, without links; "" for none
	Lock     string // why that is locked, in the words of the one who locked it
	Tip      string // the commit, in hex

	tip plumbing.Hash
}

// Limits of Branches. A person has some twenty branches, and an agent's host one for each agent that works.
const (
	maxLinked   = 32   // working trees
	maxRefDirs  = 64   // directories of refs
	maxRefNames = 2000 // branches that are listed
	maxRefTimes = 100  // of which it is asked when they were last set
)

// Branches returns the branches of the repository that have another commit than HEAD, at most so many besides those that other working
// trees have checked out. Where there are more, they are the likely ones, the last set first, and those that HEAD was on of late. It reads
// no object.
func (r *Repo) Branches(likely func(name string) bool, most int) []Branch {
	heads := r.at.listHeads()
	trees := r.at.checkedOut()
	if len(trees) == 0 && !slices.ContainsFunc(heads.names, func(name string) bool { return name != r.branch }) {
		return nil
	}
	taken := map[string]bool{r.branch: true}
	for _, b := range trees {
		taken[b.Name] = true
	}
	for _, name := range heads.chosen(taken, likely, most) {
		trees = append(trees, Branch{Name: name})
	}
	var names []string
	for _, b := range trees {
		names = append(names, b.Name)
	}
	heads.lookUp(names)
	var all []Branch
	known := map[plumbing.Hash]bool{r.head: true}
	for _, b := range trees {
		if b.Name != "" {
			b.tip = heads.value(b.Name)
		}
		if !b.tip.IsZero() && !known[b.tip] {
			known[b.tip] = true
			b.Tip = b.tip.String()
			all = append(all, b)
		}
	}
	return all
}

// branchIn returns the branch that the line of a HEAD names, "" for none.
func branchIn(line string) string {
	to, symbolic := strings.CutPrefix(line, "ref:")
	name, ok := strings.CutPrefix(strings.TrimSpace(to), "refs/heads/")
	if !symbolic || !ok {
		return ""
	}
	return name
}

// checkedOut returns what the other working trees have checked out.
func (p Place) checkedOut() (all []Branch) {
	private := []string{}
	if p.dir != p.common && filepath.Base(p.common) == ".git" {
		private = append(private, p.common) // of the main one
	}
	linked := filepath.Join(p.common, "worktrees")
	names, _ := durable.NamesAt(linked) // without linked ones, there is no such directory
	slices.Sort(names)
	for _, name := range names[:min(len(names), maxLinked)] {
		private = append(private, filepath.Join(linked, name))
	}
	for _, dir := range private {
		if dir == p.dir {
			continue
		}
		line, err := readLine(filepath.Join(dir, "HEAD"))
		if err != nil {
			continue
		}
		b := Branch{Name: branchIn(line)}
		if b.Name == "" {
			if b.tip, err = parseRef(line); err != nil {
				continue
			}
		}
		if b.Worktree = treeOf(dir); dir == p.common {
			b.Worktree = physical(filepath.Dir(dir))
		}
		if b.Worktree == "" { // it was removed: its branch, if any, is one like others
			continue
		}
		b.Lock, _ = readLine(filepath.Join(dir, "locked"))
		all = append(all, b)
	}
	return all
}

// heads are the local branches of a repository.
type heads struct {
	Place
	names  []string          // each once
	packed []byte            // packed-refs
	values map[string]string // of the branches in it that were looked up
}

// listHeads lists the local branches.
func (p Place) listHeads() (h heads) {
	h.Place = p
	root := filepath.Join(p.common, "refs", "heads")
	dirs := []string{""}
	for i := 0; i < len(dirs) && i < maxRefDirs && len(h.names) < maxRefNames; i++ {
		d, err := durable.DirAt(filepath.Join(root, filepath.FromSlash(dirs[i])))
		if err != nil {
			continue
		}
		entries, _ := d.ReadDir(maxRefNames)
		d.Close() // it was only read
		for _, e := range entries {
			switch name := dirs[i] + e.Name(); {
			case e.IsDir():
				dirs = append(dirs, name+"/")
			case !strings.HasSuffix(name, ".lock") && isName(name):
				h.names = append(h.names, name)
			}
		}
	}
	const limit = 32 << 20 // as of packedRef
	h.packed, _ = p.budget.ReadAt(filepath.Join(p.common, "packed-refs"), limit)
	loose := map[string]bool{}
	for _, name := range h.names {
		if len(h.packed) > 0 {
			loose[name] = true
		}
	}
	for _, ref := range h.eachPacked() {
		if len(h.names) >= maxRefNames {
			break
		}
		if name := string(ref); !loose[name] && isName(name) {
			h.names = append(h.names, name)
		}
	}
	return h
}

// isName reports whether a branch may be called that.
func isName(name string) bool {
	return name != "" && strings.IndexFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }) < 0
}

// eachPacked iterates over the digits and the names of the branches in packed-refs.
func (h *heads) eachPacked() iter.Seq2[[]byte, []byte] {
	return func(yield func(digits, name []byte) bool) {
		for line := range bytes.Lines(h.packed) {
			digits, name, ok := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte(" refs/heads/"))
			if ok && !yield(digits, name) {
				return
			}
		}
	}
}

// lookUp looks the values of packed branches up, all at once: there may be half a million.
func (h *heads) lookUp(names []string) {
	if h.values = map[string]string{}; len(h.packed) == 0 {
		return
	}
	for _, name := range names {
		h.values[name] = ""
	}
	for digits, name := range h.eachPacked() {
		if _, wanted := h.values[string(name)]; wanted {
			h.values[string(name)] = string(digits)
		}
	}
}

// value returns the commit of a branch that was looked up, zero if it cannot be read.
func (h *heads) value(name string) plumbing.Hash {
	path := filepath.FromSlash(name)
	if !filepath.IsLocal(path) {
		return plumbing.ZeroHash
	}
	line, err := readLine(filepath.Join(h.common, "refs", "heads", path))
	if err != nil {
		line = h.values[name]
	}
	id, _ := parseRef(line) // one that is another's name is that one
	return id
}

// chosen returns at most so many names that are not taken. Where there is no room for all, they are the likely ones, of which the last set
// comes first, and then those that were checked out here of late.
func (h *heads) chosen(taken map[string]bool, likely func(string) bool, most int) []string {
	names := slices.DeleteFunc(h.names, func(name string) bool { return taken[name] })
	if len(names) <= most {
		return names
	}
	type ranked struct {
		name string
		rank int64
	}
	var all []ranked
	times, left := 0, h.checkedOutLast()
	for _, name := range names {
		if likely(name) {
			r := ranked{name, math.MinInt64}
			if times++; times <= maxRefTimes {
				r.rank = -h.setAt(name)
			}
			all = append(all, r)
		} else if at, ok := left[name]; ok {
			all = append(all, ranked{name, 1 + int64(at)})
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	names = nil
	for _, r := range all[:min(len(all), most)] {
		names = append(names, r.name)
	}
	return names
}

// setAt returns when a branch was last set, as far as that is known.
func (h *heads) setAt(name string) int64 {
	path := filepath.FromSlash(name)
	if !filepath.IsLocal(path) {
		return 0
	}
	for _, dir := range []string{"refs", filepath.Join("logs", "refs")} { // the file is gone once the refs are packed
		if info, err := os.Lstat(filepath.Join(h.common, dir, "heads", path)); err == nil {
			return info.ModTime().UnixNano()
		}
	}
	return 0
}

// maxReflog is how many bytes at the end of HEAD's reflog are read: some two hundred entries.
const maxReflog = 32 << 10

// checkedOutLast returns the branches that HEAD was on of late, by its reflog: how many others it has been on since.
func (h *heads) checkedOutLast() map[string]int {
	left := map[string]int{}
	f, err := os.Open(filepath.Join(h.dir, "logs", "HEAD"))
	if err != nil {
		return left
	}
	defer f.Close() // it was only read
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return left
	}
	tail := make([]byte, min(info.Size(), maxReflog))
	n, _ := f.ReadAt(tail, info.Size()-int64(len(tail)))
	lines := bytes.Split(tail[:n], []byte("\n"))
	for i := len(lines) - 1; i >= 0; i-- {
		_, moved, ok := bytes.Cut(lines[i], []byte("\tcheckout: moving from "))
		from, to, between := strings.Cut(string(moved), " to ")
		if !ok || !between {
			continue
		}
		for _, name := range []string{to, from} {
			if _, known := left[name]; !known {
				left[name] = len(left)
			}
		}
	}
	return left
}

// Typed reports whether the name of a branch means that branch wherever git takes the name of a commit, in any shell, and is no flag.
func (r *Repo) Typed(name string) bool {
	if name == "" || name[0] == '-' || name[0] == '.' || name == "HEAD" || strings.Contains(name, "..") ||
		strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./") != "" || !filepath.IsLocal(filepath.FromSlash(name)) {
		return false
	}
	for _, of := range []string{"", "refs/", "refs/tags/"} { // git looks there first
		path := of + name
		for _, dir := range []string{r.at.dir, r.at.common} {
			if info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(path))); err == nil && !info.IsDir() || err != nil && !missing(err) {
				return false
			}
		}
		if _, err := r.at.packedRef(path); of != "" && !errors.Is(err, ErrNone) {
			return false
		}
	}
	return true
}

// Shallow reports whether the repository lacks a part of the history.
func (r *Repo) Shallow() bool { return len(r.shallow) > 0 }

// Commit returns a commit by its ID, whether it is in HEAD's history or not.
func (r *Repo) Commit(id string) (*Commit, error) { return r.commit(plumbing.NewHash(id)) }

// Tip returns the commit of a branch.
func (r *Repo) Tip(b *Branch) (*Commit, error) { return r.commit(b.tip) }

// Parent returns the first parent of c, nil for a root.
func (c *Commit) Parent() (*Commit, error) { return c.older() }

// Beside is what a branch has that HEAD has not.
type Beside struct {
	Branch
	Commits     []*Commit       // the latest first, as in [Repo.Reachable]
	FastForward bool            // HEAD is an ancestor of the branch
	OnlyHere    map[string]bool // the IDs of the commits of HEAD's history that are known not to be in the branch's
}

// mostBeside is how many branches can be looked at together.
const mostBeside = 63

// Beside returns which of the branches have commits that are not in HEAD's history. It reads at most so many commits of HEAD's history
// and of others, the latest first. What is not known then, or because part of the history is missing, is not said: a branch whose commits
// may all be in HEAD's history is left out.
func (r *Repo) Beside(ctx context.Context, branches []Branch, most int) []Beside {
	branches = branches[:min(len(branches), mostBeside)]
	w := besideWalk{repo: r, nodes: map[plumbing.Hash]*node{}, oldest: math.MaxInt64}
	w.add(r.head, inHead)
	for i := range branches {
		w.add(branches[i].tip, 1<<i)
	}
	for !w.isOver() && ctx.Err() == nil && w.seen[0] < most && w.seen[1] < most {
		w.next()
	}
	return w.result(branches)
}

// Has reports whether a commit is in HEAD's history. It reads at most so many commits of that. known is false where that did not answer it, or
// because part of the history is missing.
func (r *Repo) Has(ctx context.Context, id string, most int) (is, known bool) {
	tip := plumbing.NewHash(id)
	w := besideWalk{repo: r, nodes: map[plumbing.Hash]*node{}, oldest: math.MaxInt64}
	w.add(r.head, inHead)
	w.add(tip, 1)
	for !w.isOver() && w.nodes[tip].flags&inHead == 0 && ctx.Err() == nil && w.seen[0] < most && w.seen[1] < most {
		w.next()
	}
	switch n := w.nodes[tip]; {
	case n.flags&inHead != 0:
		return true, true
	case n.commit == nil:
		return false, len(r.shallow) == 0
	default:
		return false, w.isOver() && w.cut == 0
	}
}

// inHead is the flag of what is reachable from HEAD; the others have those of the branches that they are reachable from.
const inHead = uint64(1) << mostBeside

// besideWalk goes back in time from HEAD and from branches at once, as git's paint_down_to_common does.
type besideWalk struct {
	repo   *Repo
	nodes  map[plumbing.Hash]*node
	order  []*node // as they were visited
	queue  newest
	other  int    // how many are in the queue that are not known to be in HEAD's history
	seen   [2]int // how many were visited, in HEAD's history and not
	oldest int64  // the time of the oldest visited that was not known to be in HEAD's history
	cut    uint64 // of what is missing
}

type node struct {
	id      plumbing.Hash
	commit  *Commit // nil if it is missing
	flags   uint64
	queued  bool
	visited bool
}

// add adds flags to a commit, and queues it if that is news.
func (w *besideWalk) add(id plumbing.Hash, flags uint64) {
	n := w.nodes[id]
	if n == nil {
		n = &node{id: id}
		if n.commit, _ = w.repo.commit(id); n.commit == nil {
			n.visited = true // nothing is known of it
		}
		w.nodes[id] = n
	} else if n.flags&flags == flags {
		return
	}
	was := n.flags
	if n.flags |= flags; n.commit == nil {
		w.cut |= n.flags
		return
	}
	switch {
	case !n.queued:
		n.queued = true
		heap.Push(&w.queue, queued{n.commit.When.Unix(), id})
		if n.flags&inHead == 0 {
			w.other++
		}
	case was&inHead == 0 && n.flags&inHead != 0:
		w.other--
	}
}

// next visits the latest commit of the queue.
func (w *besideWalk) next() {
	n := w.nodes[heap.Pop(&w.queue).(queued).id]
	if n.queued = false; n.flags&inHead == 0 {
		w.other--
	}
	if !n.visited {
		n.visited = true
		w.order = append(w.order, n)
		if n.flags&inHead != 0 {
			w.seen[0]++
		} else {
			w.seen[1]++
			w.oldest = min(w.oldest, n.commit.When.Unix())
		}
	}
	if n.commit.shallow {
		w.cut |= n.flags
		return
	}
	for _, id := range n.commit.parents {
		w.add(id, n.flags)
	}
}

// isOver reports whether the rest of the queue can change nothing: all of it is in HEAD's history, and older than what is not known to be.
func (w *besideWalk) isOver() bool {
	return w.other == 0 && (len(w.queue) == 0 || w.queue[0].when < w.oldest)
}

func (w *besideWalk) result(branches []Branch) (all []Beside) {
	met := uint64(0) // branches that have something in common with HEAD
	for _, n := range w.nodes {
		if n.flags&inHead != 0 {
			met |= n.flags
		}
	}
	head := w.nodes[w.repo.head]
	for i, b := range branches {
		flag := uint64(1) << i
		// Of a branch that was not reached, and one that may have been merged where history is missing, nothing is known.
		if n := w.nodes[b.tip]; n.commit == nil || !n.visited || w.cut != 0 && met&flag == 0 {
			continue
		}
		beside := Beside{Branch: b, FastForward: head.flags&flag != 0, OnlyHere: map[string]bool{}}
		for _, n := range w.order {
			switch {
			case n.flags&inHead == 0 && n.flags&flag != 0:
				beside.Commits = append(beside.Commits, n.commit)
			case n.flags&inHead != 0 && n.flags&flag == 0:
				beside.OnlyHere[n.commit.ID] = true
			}
		}
		if len(beside.Commits) > 0 {
			all = append(all, beside)
		}
	}
	return all
}
