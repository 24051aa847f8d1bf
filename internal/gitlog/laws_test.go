package gitlog

// laws_test.go: properties that hold for any bytes.

import (
	"bytes"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/testenv"
)

const zeros = "0000000000000000000000000000000000000001"

// FuzzCommit checks that the object names of a commit are those in its bytes, that the subject is one line of valid
// UTF-8, and that the message has no effect on anything else.
func FuzzCommit(f *testing.F) {
	head := "tree " + zeros + "\nparent " + zeros + "\nauthor A <a> 1 +0000\ncommitter C <c> 2 -0130\n"
	for _, s := range []string{
		"", head, head + "\nsubject\n", head + "gpgsig x\n y\n z\n\n\n a \n b\n\nc", "tree " + zeros, "tree x\n",
		"tree " + zeros + "\ncommitter C <c> 99999999999999999999 +9999\n\n\xff\x00x",
		"tree " + zeros + "\ncommitter > -5 +01\nauthor <", head + "parent " + zeros + "\n\n\r\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := parseCommit(data)
		if err != nil {
			return
		}
		names := "tree " + c.tree.String() + "\n"
		for _, parent := range c.parents {
			names += "parent " + parent.String() + "\n"
		}
		if !strings.HasPrefix(strings.ToLower(string(data)), names) {
			t.Errorf("no %q at the start", names)
		}
		if !utf8.ValidString(c.Subject) || strings.Contains(c.Subject, "\n") {
			t.Errorf("%q", c.Subject)
		}
		if y := c.When.Year(); y < 1969 || y > 9999 {
			t.Errorf("%v", c.When)
		}
		if headers, _, found := bytes.Cut(data, []byte("\n\n")); found {
			again, err := parseCommit(slices.Concat(headers, []byte("\n\nother")))
			if err != nil || again.Subject != "other" || !again.When.Equal(c.When) ||
				again.tree != c.tree || !slices.Equal(again.parents, c.parents) {
				t.Errorf("with another message: %+v, %v", again, err)
			}
		}
	})
}

// FuzzTree checks that the entries of a tree make up all of its bytes, and that looking up an entry and reading all of
// them agree.
func FuzzTree(f *testing.F) {
	f.Add([]byte(""), "a")
	f.Add([]byte(treeLine("40000", "a", plumbing.Hash{1})+treeLine("100644", "b", plumbing.Hash{2})), "b")
	f.Add([]byte(treeLine("100644", ".planning", plumbing.Hash{1})+treeLine("040000", ".planning", plumbing.Hash{2})), ".planning")
	f.Add([]byte("40000 a\x00short"), "a")
	f.Fuzz(func(t *testing.T, tree []byte, name string) {
		var want treeEntry
		var failed error
		for rest := tree; len(rest) > 0 && want.mode == 0; {
			e, next, err := nextEntry(rest)
			if failed = err; err != nil {
				break
			}
			mode, tail, _ := bytes.Cut(rest[:len(rest)-len(next)], []byte(" "))
			if len(mode) > 7 || string(tail) != string(e.name)+"\x00"+string(e.id[:]) {
				t.Fatalf("%q read as %q", rest, e.name)
			}
			if string(e.name) == name {
				want = e
			}
			rest = next
		}
		got, err := findEntry(tree, name)
		if !reflect.DeepEqual(got, want) || (err == nil) != (failed == nil) {
			t.Errorf("%v, %v, want %v, %v", got, err, want, failed)
		}
	})
}

// FuzzIndex checks that exactly the names in an index are found, at their offsets and with few reads, and that after a
// changed byte nothing is found under a wrong name.
func FuzzIndex(f *testing.F) {
	f.Add([]byte("some names"), uint64(12), 0, byte(0))
	f.Add(bytes.Repeat([]byte("\x00\x01\xff"), 400), uint64(1)<<33, 1032, byte(7))
	f.Add(bytes.Repeat([]byte("ab"), 900), uint64(1)<<31-20, 2000, byte(0x80))
	f.Fuzz(func(t *testing.T, seed []byte, start uint64, at int, flip byte) {
		offsets := make(map[plumbing.Hash]uint64)
		for i := range seed {
			id := hash(object{plumbing.BlobObject, seed[:i]})
			if i%2 == 0 {
				id[0] = seed[i] // some crowd together
			}
			if i%5 == 0 {
				copy(id[1:], []byte{0, 0, 0, 0})
			}
			offsets[id] = start>>2 + uint64(i)*1000
			if i == 0 {
				offsets[id] = 12 // not all of them can be far from the start
			}
		}
		data := makeIndex(offsets, [20]byte{})
		r := &countingReader{r: bytes.NewReader(data)}
		x, err := newPackIndex(r, int64(len(data)))
		noError(t, err)
		for id, want := range offsets {
			r.reads = 0
			got, found, err := x.find(id)
			if err != nil || !found || uint64(got) != want {
				t.Fatalf("%s: %d, %v, %v, want %d", id, got, found, err, want)
			}
			if r.reads > 20 {
				t.Errorf("%d reads", r.reads)
			}
			id[19]++
			if _, ok := offsets[id]; !ok {
				if _, found, err := x.find(id); found || err != nil {
					t.Fatalf("%s found, %v", id, err)
				}
			}
		}

		if at < 0 || at >= len(data) {
			return
		}
		data[at] ^= flip
		if x, err = newPackIndex(r, int64(len(data))); err != nil {
			return
		}
		for id := range offsets {
			r.reads = 0
			if got, found, err := x.find(id); found && (err != nil || got < 0 || !bytes.Contains(data, id[:])) {
				t.Fatalf("%s: %d, %v", id, got, err)
			}
			if r.reads > 40 {
				t.Errorf("%d reads", r.reads)
			}
		}
	})
}

type countingReader struct {
	r     *bytes.Reader
	reads int
}

func (c *countingReader) ReadAt(b []byte, at int64) (int, error) {
	c.reads++
	return c.r.ReadAt(b, at)
}

// FuzzIndexBytes reads any bytes as an index.
func FuzzIndexBytes(f *testing.F) {
	f.Add(makeIndex(map[plumbing.Hash]uint64{{1}: 12, {2, 3}: 1 << 40}, [20]byte{}))
	f.Add(make([]byte, 1024+2*20))
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := newPackIndex(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		for i := 0; i+20 <= len(data); i += 20 {
			id := plumbing.Hash(data[i:])
			if at, found, err := x.find(id); found && (at < 0 || err != nil) {
				t.Errorf("%s: %d, %v", id, at, err)
			}
		}
	})
}

// FuzzPackEntry compares reading an entry, across block boundaries anywhere in it, with go-git's scanner.
func FuzzPackEntry(f *testing.F) {
	blob := append([]byte{0x30 | 5}, deflate("hello")...)
	long := append([]byte{0x80 | 0x20 | 0xc, 0x84, 1}, deflate(strings.Repeat("tree", 1<<12))...)
	f.Add(uint16(packHeader), blob)
	f.Add(uint16(blockSize-1), long)
	f.Add(uint16(300), append([]byte{0x60 | 2, 0x80, 5}, deflate("ab")...))
	f.Add(uint16(20), append(append([]byte{0x70 | 2}, make([]byte, hashSize)...), deflate("ab")...))
	f.Fuzz(func(t *testing.T, before uint16, entry []byte) {
		at := int64(before) + packHeader
		data := append(append(make([]byte, at), entry...), make([]byte, hashSize)...)
		s := newStore(nil, nil)
		p := &pack{store: s, index: &packIndex{}, entries: &blocks{bytes.NewReader(data), int64(len(data)), &s.blocks}}
		got, err := p.entry(at)

		scan := packfile.NewScanner(bytes.NewReader(data))
		h, theirs := scan.SeekObjectHeader(at)
		var want bytes.Buffer
		if theirs == nil {
			_, _, theirs = scan.NextObject(&want)
		}
		switch {
		case err != nil:
			return // it may be stricter
		case theirs != nil:
			t.Fatalf("%v, and an entry: %v", theirs, got.kind)
		case got.kind != h.Type || !bytes.Equal(got.data, want.Bytes()) || got.kind == plumbing.OFSDeltaObject && got.base != h.OffsetReference:
			t.Errorf("%v at %d: %q, want %v at %d: %q", got.kind, got.base, got.data, h.Type, h.OffsetReference, want.Bytes())
		}
	})
}

// TestCompareIsADifference checks the differences of random trees against a comparison of their paths.
func TestCompareIsADifference(t *testing.T) {
	t.Parallel()
	names := rapid.SampledFrom([]string{"a", "a.b", "a0", "a-", "A", "b", "sessions", "ü", "a/b", "a/b/c", "a.b/c", "b/a", "sessions/x", "b/sessions/x"})
	trees := rapid.MapOf(names, rapid.SampledFrom([]string{"100644 1", "100644 2", "100755 1", "120000 1", "160000 1", "100664 1"}))
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		s := newFilled()
		write := func(files map[string]string) plumbing.Hash {
			if len(files) == 0 && rapid.Bool().Draw(t, "absent") {
				return plumbing.ZeroHash
			}
			return s.addTree(files)
		}
		was, is := possible(trees.Draw(t, "was")), possible(trees.Draw(t, "is"))
		var want []Change
		for _, name := range union(was, is) {
			old, now := canonical(was[name]), canonical(is[name])
			kind := Modified
			switch {
			case old == now || strings.HasPrefix(name, "sessions/"):
				continue
			case old == "":
				kind = Added
			case now == "":
				kind = Removed
			}
			want = append(want, Change{"p/" + name, kind})
		}
		d := differ{objects: s.store, budget: maxTreeBytes, limit: maxChanges, skip: "p/sessions"}
		noError(t, d.compare(write(was), write(is), "p", 0))
		slices.SortFunc(d.changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
		if diff := cmp.Diff(want, d.changes); diff != "" {
			t.Errorf("paths (-), trees (+):\n%s", diff)
		}
	})
}

// possible leaves out the files that cannot exist, because others need a directory in their place.
func possible(files map[string]string) map[string]string {
	maps.DeleteFunc(files, func(name, _ string) bool {
		for other := range files {
			if strings.HasPrefix(other, name+"/") {
				return true
			}
		}
		return false
	})
	return files
}

func canonical(s string) string { return strings.Replace(s, "100664", "100644", 1) }

func union(a, b map[string]string) []string {
	var names []string
	for _, m := range []map[string]string{a, b} {
		for name := range m {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// addTree writes the trees for files, whose names are paths and whose values a mode and a content.
func (f filled) addTree(files map[string]string) plumbing.Hash {
	below := make(map[string]map[string]string)
	lines := make(map[string]string) // by the name it is sorted as
	for path, value := range files {
		if dir, rest, nested := strings.Cut(path, "/"); nested {
			if below[dir] == nil {
				below[dir] = make(map[string]string)
			}
			below[dir][rest] = value
		} else {
			mode, content, _ := strings.Cut(value, " ")
			lines[path] = treeLine(mode, path, plumbing.Hash{content[0]})
		}
	}
	for dir, files := range below {
		lines[dir+"/"] = treeLine("40000", dir, f.addTree(files))
	}
	var tree strings.Builder
	for _, name := range union(lines, nil) {
		fmt.Fprint(&tree, lines[name])
	}
	return f.add(plumbing.TreeObject, tree.String())
}
