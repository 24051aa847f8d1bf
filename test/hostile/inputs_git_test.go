//go:build linux

package hostile

// inputs_git_test.go: repositories, some of which git itself could not have written.

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

const gitCommands = "status\nbootstrap 01-01 --dry-run\nhydrate\nstatus --format html"

var gitInputs = []input{
	{name: "100,000 commits", make: commits(100_000), commands: gitCommands},
	{name: "100,000 packed references", make: func(p *project) {
		p.lines(".git/packed-refs", "# pack-refs with: peeled fully-peeled sorted\n", 100_000, func(i int) string {
			return fmt.Sprintf("%040x refs/heads/b%d\n", i+1, i)
		})
	}, commands: gitCommands},
	{name: "200 MB of packed references", make: func(p *project) {
		p.repeat(".git/packed-refs", "", fmt.Sprintf("%040x refs/heads/%s\n", 1, strings.Repeat("b", 1000)), 200<<20)
	}, commands: gitCommands},
	{name: "a shallow clone with a million edges", make: func(p *project) {
		p.write(".git/refs/heads/main", noCommit)
		p.lines(".git/shallow", "", 1_000_000, func(i int) string { return fmt.Sprintf("%040x\n", i) })
	}, commands: gitCommands},
	{name: "references in a circle", make: func(p *project) {
		p.write(".git/refs/heads/main", "ref: refs/heads/other\n")
		p.write(".git/refs/heads/other", "ref: refs/heads/main\n")
	}, commands: gitCommands},
	{name: "10,000 empty packs", make: func(p *project) {
		p.write(".git/refs/heads/main", noCommit)
		for i := range 10_000 {
			p.write(fmt.Sprintf(".git/objects/pack/pack-%040x.idx", i), "\xfftOc\x00\x00\x00\x02"+strings.Repeat("\x00", 1024+40))
		}
	}, commands: gitCommands},
	{name: "10,000 packs that are one index of 100,000 objects", make: linkedPacks, commands: gitCommands},
	{name: "a commit that inflates to 400 MB", make: bomb("commit 64", enormous), commands: gitCommands},
	{name: "a commit of 400 MB that says so", make: bomb(fmt.Sprintf("commit %d", enormous), enormous), commands: gitCommands},
	{name: "a commit with a message of 60 MB", make: func(p *project) {
		p.history(func(w *importer) {
			w.commit("feat(01-01): " + strings.Repeat("part (01-01) [x] * feat(01-01): y\n", 60<<20/34))
			w.file(plan, honestPlan(3))
		})
	}, commands: gitCommands},
	{name: "a commit with 100,000 parents", make: manyParents(100_000), commands: gitCommands},
	{name: "1,000 merges of 1,000 commits that are shared", make: criss(1000), commands: gitCommands},
	{name: "a tree of 100,000 plans, changed by 6 commits", make: wideTree(100_000, 6), commands: gitCommands},
	{name: "trees 3,000 deep", make: func(p *project) {
		p.history(func(w *importer) {
			for n := range 30 {
				w.commit(fmt.Sprintf("feat(01-01): part %d", n))
				w.file(plan, honestPlan(3))
				w.file(".planning/phases/"+strings.Repeat("a/", 1500)+fmt.Sprint(n), fmt.Sprint(n))
			}
		})
	}, commands: gitCommands},
	{name: "a tree in itself, many times over", make: treeBomb, commands: gitCommands},
	{name: "deltas of deltas, each ten times as large", make: deltaBomb, commands: gitCommands},
	{name: "300 versions of a plan of 900 KB", make: versions(300), commands: gitCommands},
	{name: "1,000 worktrees", make: worktrees(1000), commands: "status\nhydrate\nbootstrap 01-01"},
	{name: "5,000 worktrees that are this one", make: worktrees(0), commands: "status\nhydrate\nbootstrap 01-01"},
}

// commits makes a long history in which every commit is work on the plan.
func commits(n int) func(p *project) {
	return func(p *project) {
		p.history(func(w *importer) {
			w.commit("docs: plan")
			w.file(plan, honestPlan(3))
			for i := range n {
				w.commit(fmt.Sprintf("feat(01-01): part %d of the work", i))
				w.file(fmt.Sprintf("part%d.go", i%200), fmt.Sprint(i))
			}
		})
	}
}

// linkedPacks makes many names of one index. An object that is in none is looked up in each.
func linkedPacks(p *project) {
	p.write(".git/refs/heads/main", noCommit)
	const objects = 100_000
	p.fill(".git/objects/pack/pack-0.idx", func(w *bufio.Writer) {
		w.WriteString("\xfftOc\x00\x00\x00\x02")
		for i := range 256 {
			binary.Write(w, binary.BigEndian, uint32((i+1)*objects/256))
		}
		for i := range objects {
			name := make([]byte, 20)
			binary.BigEndian.PutUint64(name, uint64(i)<<40)
			name[0] = byte(i * 256 / objects)
			w.Write(name)
		}
		w.Write(make([]byte, 8*objects+40))
	})
	for i := 1; i < 10_000; i++ {
		p.hardlink(".git/objects/pack/pack-0.idx", fmt.Sprintf(".git/objects/pack/pack-%040x.idx", i))
	}
}

// loose writes a loose object under a name.
func (p *project) loose(name, kind string, write func(w *bufio.Writer)) {
	p.t.Helper()
	p.fill(".git/objects/"+name[:2]+"/"+name[2:], func(f *bufio.Writer) {
		z := zlib.NewWriter(f)
		w := bufio.NewWriterSize(z, 1<<20)
		w.WriteString(kind + "\x00")
		write(w)
		w.Flush()
		z.Close()
	})
}

// object writes a loose object and returns its name.
func (p *project) object(kind string, data []byte) string {
	p.t.Helper()
	head := fmt.Sprintf("%s %d", kind, len(data))
	sum := sha1.Sum(slices.Concat([]byte(head+"\x00"), data))
	name := fmt.Sprintf("%x", sum)
	p.loose(name, head, func(w *bufio.Writer) { w.Write(data) })
	return name
}

// bomb makes a HEAD commit that is a thousand times as large as its file.
func bomb(head string, size int) func(p *project) {
	return func(p *project) {
		p.write(".git/refs/heads/main", noCommit)
		p.loose(strings.TrimSpace(noCommit), head, func(w *bufio.Writer) {
			zeros := make([]byte, 1<<20)
			for range size >> 20 {
				w.Write(zeros)
			}
		})
	}
}

// manyParents makes a commit with many parents.
func manyParents(n int) func(p *project) {
	return func(p *project) {
		var text strings.Builder
		text.WriteString("tree " + p.object("tree", nil) + "\n")
		for i := range n {
			fmt.Fprintf(&text, "parent %040x\n", i+1)
		}
		text.WriteString("author A <a@b> 1700000000 +0000\ncommitter A <a@b> 1700000000 +0000\n\nfeat(01-01): merge\n")
		p.write(".git/refs/heads/main", p.object("commit", []byte(text.String()))+"\n")
	}
}

// criss makes commits that each merge the two before them, so that there are too many paths through them to follow.
func criss(n int) func(p *project) {
	return func(p *project) {
		p.history(func(w *importer) {
			w.commit("docs: plan")
			w.file(plan, honestPlan(3))
			mark := func(i int) { fmt.Fprintf(w, "mark :%d\n", i) }
			for i := 1; i <= n; i++ {
				w.seconds += 60
				fmt.Fprintf(w, "commit refs/heads/main\n")
				mark(i)
				message := fmt.Sprintf("feat(01-01): merge %d", i)
				fmt.Fprintf(w, "committer A <a@b> %d +0000\ndata %d\n%s\n", 1_700_000_000+w.seconds, len(message), message)
				for back := 2; back <= 15 && i-back > 0; back++ {
					fmt.Fprintf(w, "merge :%d\n", i-back)
				}
				w.file("part.go", fmt.Sprint(i))
			}
		})
	}
}

// wideTree makes many files, all of which each commit changes. They are in directories of a thousand, because git
// fast-import is slow with larger ones.
func wideTree(n, commits int) func(p *project) {
	return func(p *project) {
		p.history(func(w *importer) {
			for c := range 2 {
				fmt.Fprintf(w, "blob\nmark :%d\ndata 2\n%d\n", c+1, c)
			}
			for c := range commits {
				w.commit(fmt.Sprintf("docs: change %d", c))
				for i := range n {
					fmt.Fprintf(w, "M 100644 :%d .planning/phases/%02d-x/%02d-%d-PLAN.md\n", c%2+1, i/1000, i/1000, i)
				}
			}
		})
	}
}

// treeBomb makes a tree of ten names of a tree of ten names, and so on: a walk over it would never end.
func treeBomb(p *project) {
	bomb := func(leaf string) string {
		blob := p.object("blob", []byte(leaf))
		name, mode := blob, "100644"
		for range 20 {
			var tree bytes.Buffer
			for i := range 10 {
				fmt.Fprintf(&tree, "%s %02d-x\x00%s", mode, i, unhex(name))
			}
			name, mode = p.object("tree", tree.Bytes()), "40000"
		}
		return name
	}
	parent := ""
	for n := range 20 {
		planning := p.object("tree", []byte("40000 phases\x00"+unhex(bomb(fmt.Sprint(n)))))
		top := p.object("tree", []byte("40000 .planning\x00"+unhex(planning)))
		text := "tree " + top + "\n" + parent + "author A <a@b> 1700000000 +0000\ncommitter A <a@b> 1700000000 +0000\n\nfeat(01-01): part\n"
		name := p.object("commit", []byte(text))
		parent = "parent " + name + "\n"
		p.write(".git/refs/heads/main", name+"\n")
	}
}

func unhex(name string) string {
	var raw []byte
	fmt.Sscanf(name, "%x", &raw)
	return string(raw)
}

// deltaBomb makes a pack whose objects are deltas of each other, each ten times as large as the one before. The last is
// HEAD's commit.
func deltaBomb(p *project) {
	var pack bytes.Buffer
	pack.WriteString("PACK\x00\x00\x00\x02")
	binary.Write(&pack, binary.BigEndian, uint32(9))
	header := func(kind, size int) {
		b := byte(kind<<4 | size&15)
		for size >>= 4; size > 0; size >>= 7 {
			pack.WriteByte(b | 0x80)
			b = byte(size & 0x7f)
		}
		pack.WriteByte(b)
	}
	deflate := func(data []byte) {
		z := zlib.NewWriter(&pack)
		z.Write(data)
		z.Close()
	}
	varint := func(b []byte, n int) []byte {
		for ; n >= 0x80; n >>= 7 {
			b = append(b, byte(n)|0x80)
		}
		return append(b, byte(n))
	}
	var offsets []int
	base := bytes.Repeat([]byte("a"), 1000)
	offsets = append(offsets, pack.Len())
	header(1, len(base))
	deflate(base)
	size := len(base)
	for range 8 {
		at := pack.Len()
		delta := varint(varint(nil, size), 10*size)
		for range 10 {
			for left, from := size, 0; left > 0; {
				n := min(left, 0xffffff)
				delta = append(delta, 0xff, byte(from), byte(from>>8), byte(from>>16), byte(from>>24), byte(n), byte(n>>8), byte(n>>16))
				left, from = left-n, from+n
			}
		}
		header(6, len(delta))
		back := at - offsets[len(offsets)-1]
		encoded := []byte{byte(back & 0x7f)}
		for back >>= 7; back > 0; back >>= 7 {
			back--
			encoded = append([]byte{byte(back&0x7f) | 0x80}, encoded...)
		}
		pack.Write(encoded)
		deflate(delta)
		offsets = append(offsets, at)
		size *= 10
	}
	sum := sha1.Sum(pack.Bytes())
	pack.Write(sum[:])
	var idx bytes.Buffer
	idx.WriteString("\xfftOc\x00\x00\x00\x02")
	for i := range 256 {
		n := 0
		if i >= 0x11 {
			n = len(offsets)
		}
		binary.Write(&idx, binary.BigEndian, uint32(n))
	}
	for i := range offsets { // their names do not matter: HEAD's is the last, and its base is found by its place
		name := strings.Repeat("1", 38) + fmt.Sprintf("%02x", i)
		if i == len(offsets)-1 {
			name = strings.Repeat("1", 40)
		}
		idx.WriteString(unhex(name))
	}
	idx.Write(make([]byte, 4*len(offsets)))
	for _, at := range offsets {
		binary.Write(&idx, binary.BigEndian, uint32(at))
	}
	idx.Write(sum[:])
	idx.Write(make([]byte, 20))
	p.write(".git/refs/heads/main", noCommit)
	p.write(".git/objects/pack/pack-1.pack", pack.String())
	p.write(".git/objects/pack/pack-1.idx", idx.String())
}

// versions makes a plan of 900 KB that each commit changes.
func versions(n int) func(p *project) {
	return func(p *project) {
		padding := strings.Repeat(strings.Repeat(" ", 1<<10)+"\n", 900) // below what is read of a version
		p.history(func(w *importer) {
			for i := range n {
				w.commit(fmt.Sprintf("feat(01-01): part %d", i))
				w.file(plan, fmt.Sprintf("<task><name>Part %d</name></task>\n", i)+padding)
			}
		})
		p.write(plan, honestPlan(3)+padding)
	}
}

// worktrees makes other working trees of the repository, each with a session, or as many entries that lead to this one.
func worktrees(n int) func(p *project) {
	return func(p *project) {
		at := func(i int) string { return filepath.Join(filepath.Dir(p.dir), fmt.Sprintf("w%d", i)) }
		for i := range n {
			p.write(filepath.Join(at(i), ".git"), "gitdir: "+p.path(fmt.Sprintf(".git/worktrees/w%d", i))+"\n")
			p.write(filepath.Join(at(i), session), honestSession(3, "pending"))
			p.write(fmt.Sprintf(".git/worktrees/w%d/gitdir", i), filepath.Join(at(i), ".git")+"\n")
			p.write(fmt.Sprintf(".git/worktrees/w%d/commondir", i), "../..\n")
			p.write(fmt.Sprintf(".git/worktrees/w%d/HEAD", i), "ref: refs/heads/main\n")
		}
		if n == 0 {
			for i := range 5000 {
				p.write(fmt.Sprintf(".git/worktrees/w%d/gitdir", i), p.path(".git")+"\n")
			}
		}
	}
}
