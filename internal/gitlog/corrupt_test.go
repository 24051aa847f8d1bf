package gitlog

// corrupt_test.go: damaged and hostile files. There is no panic and no endless work, and whatever is returned without
// an error is as in the undamaged repository.

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/google/go-cmp/cmp"
)

// holdsTrue reads the whole history and compares what is returned without an error with the truth.
func holdsTrue(t *testing.T, dir string, truth []entry) (whole bool) {
	t.Helper()
	r := mustOpen(t, dir)
	defer r.Close() // and not only at the end: there are hundreds
	n, bad := 0, 0
	for c, err := range r.Log(t.Context()) {
		if err != nil {
			return false
		}
		got, err := entryOf(c)
		if n >= len(truth) {
			t.Fatalf("too many commits: %v", got)
		}
		want := truth[n]
		if n++; err != nil {
			want.Changes = nil
			bad++
		}
		if !cmp.Equal(want, got) {
			t.Fatalf("want (-), got (+), %v:\n%s", err, cmp.Diff(want, got))
		}
	}
	if n != len(truth) {
		t.Fatalf("%d commits of %d without an error", n, len(truth))
	}
	return bad == 0
}

func TestDamagedPack(t *testing.T) {
	if testing.Short() {
		t.Skip("tries hundreds of damaged packs")
	}
	t.Parallel()
	for _, options := range [][]string{nil, {"-c", "repack.useDeltaBaseOffset=false"}} {
		dir := newRepo(t, "", true)
		git(t, dir, "", slices.Concat(options, []string{"repack", "-adfq"})...)
		truth := gitLog(t, dir, "")
		for _, ext := range []string{"idx", "pack"} {
			path := only(t, dir, "*."+ext)
			good := read(t, path)
			damaged, places := 0, 0
			try := func(data []byte) {
				replace(t, path, data)
				places++
				if !holdsTrue(t, dir, truth) {
					damaged++
				}
			}
			step := max(1, len(good)/80)
			for at := 0; at < len(good); at += step {
				data := slices.Clone(good)
				data[at] ^= 1 << (places % 8)
				try(data)
			}
			for at := 0; at < len(good); at += 10 * step {
				try(good[:at])
				try(slices.Concat(good[:at], make([]byte, len(good)-at)))
				try(slices.Concat(good[:at], bytes.Repeat([]byte{0xff}, len(good)-at)))
			}
			try(slices.Concat(good, []byte{0}))
			replace(t, path, good)
			if !holdsTrue(t, dir, truth) {
				t.Error("not restored")
			}
			if damaged < places/10 {
				t.Errorf("%s: only %d of %d damaged bytes had an effect", ext, damaged, places)
			}
		}
	}
}

func TestDamagedLooseObjects(t *testing.T) {
	if testing.Short() {
		t.Skip("tries hundreds of damaged objects")
	}
	t.Parallel()
	dir := newRepo(t, "", false)
	truth := gitLog(t, dir, "")
	paths, _ := filepath.Glob(filepath.Join(dir, ".git", "objects", "??", "*"))
	for i, path := range paths {
		if i%16 != 0 {
			continue
		}
		good := read(t, path)
		for _, data := range [][]byte{nil, good[:len(good)/2], good[:len(good)-1], read(t, paths[(i+1)%len(paths)])} {
			replace(t, path, data)
			holdsTrue(t, dir, truth)
		}
		for bit := range 8 {
			data := slices.Clone(good)
			data[(i*7+bit*5)%len(data)] ^= 1 << bit
			replace(t, path, data)
			holdsTrue(t, dir, truth)
		}
		replace(t, path, good)
	}
}

// A damaged copy in one pack does no harm if another pack has a good one, and neither does an index that leads to other
// objects.
func TestDamagedCopy(t *testing.T) {
	t.Parallel()
	dir := newRepo(t, "", true)
	truth := gitLog(t, dir, "")
	git(t, dir, "", "clone", "-q", "--bare", "--no-local", ".", "../copy.git")
	replace(t, filepath.Join(dir, ".git", "objects", "info", "alternates"), []byte("../../../copy.git/objects\n"))

	idx := only(t, dir, "*.idx")
	good := read(t, idx)
	data := slices.Clone(good)
	count := int(binary.BigEndian.Uint32(data[8+255*4:]))
	offsets := data[idxNames+24*count:][:4*count]
	copy(offsets, slices.Concat(offsets[4:], offsets[:4]))
	replace(t, idx, data)
	if !holdsTrue(t, dir, truth) {
		t.Error("the good copy was not found after a wrong index")
	}
	replace(t, idx, good)

	path := only(t, dir, "*.pack")
	data = read(t, path)
	for i := 20; i < len(data)-20; i += 3 {
		data[i] ^= 0x55
	}
	replace(t, path, data)
	if !holdsTrue(t, dir, truth) {
		t.Error("the good copy was not found")
	}
}

// packEntry is one entry of a pack that a test writes.
type packEntry struct {
	id     plumbing.Hash
	header []byte
	data   string // before it is deflated
}

// entryHeader returns the header of an entry, its kind and size.
func entryHeader(kind plumbing.ObjectType, size uint64) []byte {
	b := []byte{byte(kind)<<4 | byte(size&15)}
	for size >>= 4; size > 0; size >>= 7 {
		b[len(b)-1] |= 0x80
		b = append(b, byte(size&0x7f))
	}
	return b
}

func deflate(s string) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write([]byte(s))
	w.Close()
	return b.Bytes()
}

// writePack writes a pack and its index into dir/objects/pack and returns a store for dir.
func writePack(t testing.TB, dir string, entries ...packEntry) *store {
	t.Helper()
	packData := binary.BigEndian.AppendUint32([]byte("PACK\x00\x00\x00\x02"), uint32(len(entries)))
	offsets := make(map[plumbing.Hash]uint64)
	deflated := make(map[string][]byte)
	for _, e := range entries {
		if deflated[e.data] == nil {
			deflated[e.data] = deflate(e.data)
		}
		offsets[e.id] = uint64(len(packData))
		packData = append(append(packData, e.header...), deflated[e.data]...)
	}
	sum := sha1.Sum(packData)
	packData = append(packData, sum[:]...)
	at := filepath.Join(dir, "objects", "pack")
	noError(t, os.MkdirAll(at, 0o777))
	replace(t, filepath.Join(at, "pack-x.pack"), packData)
	replace(t, filepath.Join(at, "pack-x.idx"), makeIndex(offsets, sum))
	return newStore([]string{filepath.Join(dir, "objects")}, nil)
}

// makeIndex returns an index of version 2.
func makeIndex(offsets map[plumbing.Hash]uint64, packSum [20]byte) []byte {
	var ids []plumbing.Hash
	for id := range offsets {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b plumbing.Hash) int { return bytes.Compare(a[:], b[:]) })
	b := []byte("\xfftOc\x00\x00\x00\x02")
	n := 0
	for first := range 256 {
		for n < len(ids) && int(ids[n][0]) == first {
			n++
		}
		b = binary.BigEndian.AppendUint32(b, uint32(n))
	}
	for _, id := range ids {
		b = append(b, id[:]...)
	}
	b = append(b, make([]byte, 4*len(ids))...)
	var wide []byte
	for _, id := range ids {
		if at := offsets[id]; at < offset64Bit {
			b = binary.BigEndian.AppendUint32(b, uint32(at))
		} else {
			b = binary.BigEndian.AppendUint32(b, offset64Bit|uint32(len(wide)/8))
			wide = binary.BigEndian.AppendUint64(wide, at)
		}
	}
	b = append(append(b, wide...), packSum[:]...)
	sum := sha1.Sum(b)
	return append(b, sum[:]...)
}

func TestHostilePack(t *testing.T) {
	t.Parallel()
	id := func(n byte) plumbing.Hash { return plumbing.Hash{n, 1} }
	ref := func(to plumbing.Hash, delta string) packEntry {
		return packEntry{header: slices.Concat(entryHeader(plumbing.REFDeltaObject, uint64(len(delta))), to[:]), data: delta}
	}
	named := func(n byte, e packEntry) packEntry { e.id = id(n); return e }
	// A delta that doubles, by copies of the first 64 KiB.
	double := func(size uint64) string {
		b := binary.AppendUvarint(binary.AppendUvarint(nil, size), 2*size)
		return string(append(b, bytes.Repeat([]byte{0x80}, int(2*size>>16))...))
	}
	base := strings.Repeat("x", 1<<16)
	growing := []packEntry{{id: id(0), header: entryHeader(plumbing.TreeObject, 1<<16), data: base}}
	for n := range byte(7) {
		growing = append(growing, named(n+1, ref(id(n), double(1<<(16+n)))))
	}
	chain := []packEntry{{id: plumbing.Hash{}, header: entryHeader(plumbing.TreeObject, 3), data: "xyz"}}
	for n := range uint16(maxChain + 2) {
		var at, to plumbing.Hash
		binary.BigEndian.PutUint16(at[:], n+1)
		binary.BigEndian.PutUint16(to[:], n)
		e := ref(to, "\x03\x03\x90\x03")
		e.id = at
		chain = append(chain, e)
	}
	for name, c := range map[string]struct {
		entries []packEntry
		ask     plumbing.Hash
		want    error
	}{
		"its own base": {[]packEntry{named(1, ref(id(1), "\x03\x03\x90\x03"))}, id(1), errTooLarge},
		"each other's base": {[]packEntry{
			named(1, ref(id(2), "\x03\x03\x90\x03")), named(2, ref(id(1), "\x03\x03\x90\x03")),
		}, id(1), errTooLarge},
		"no base":            {[]packEntry{named(1, ref(id(9), "\x03\x03\x90\x03"))}, id(1), errCorrupt},
		"a chain too long":   {chain, chain[len(chain)-1].id, errTooLarge},
		"a size of 10 GB":    {[]packEntry{{id(1), entryHeader(plumbing.TreeObject, 10<<30), "x"}}, id(1), errTooLarge},
		"2⁶³ said":           {[]packEntry{{id(1), entryHeader(plumbing.TreeObject, 1<<63), "x"}}, id(1), nil},
		"32 MB said, few":    {[]packEntry{{id(1), entryHeader(plumbing.TreeObject, maxObject), "x"}}, id(1), errCorrupt},
		"few said, 1 MB":     {[]packEntry{{id(1), entryHeader(plumbing.TreeObject, 1), strings.Repeat("x", 1<<20)}}, id(1), errCorrupt},
		"a kind of its own":  {[]packEntry{{id(1), entryHeader(5, 1), "x"}}, id(1), errCorrupt},
		"an unknown kind":    {[]packEntry{{id(1), entryHeader(0, 1), "x"}}, id(1), errCorrupt},
		"a base before all":  {[]packEntry{{id(1), append(entryHeader(plumbing.OFSDeltaObject, 4), 0x8f, 0x7f), "\x03\x03\x90\x03"}}, id(1), errCorrupt},
		"an empty delta":     {[]packEntry{growing[0], named(1, ref(id(0), ""))}, id(1), errCorrupt},
		"a delta to 2⁶²":     {[]packEntry{growing[0], named(1, ref(id(0), string(binary.AppendUvarint([]byte("\x80\x80\x04"), 1<<62))))}, id(1), errTooLarge},
		"doubled to 64 MB":   {slices.Concat(growing, []packEntry{named(20, ref(id(7), double(1<<23))), named(21, ref(id(20), double(1<<24))), named(22, ref(id(21), double(1<<25)))}), id(22), errTooLarge},
		"not what was asked": {growing, id(3), errCorrupt},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := writePack(t, t.TempDir(), c.entries...)
			defer s.close()
			if o, err := s.get(c.ask); err == nil || c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("%d bytes, %v, want %v", len(o.data), err, c.want)
			}
		})
	}
}

func TestHostileLooseObject(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		content string
		want    error
	}{
		"a size of 10 GB":    {"tree 10000000000\x00x", errTooLarge},
		"a size of 2⁶⁴":      {"tree 18446744073709551616\x00x", errCorrupt},
		"a negative size":    {"tree -1\x00x", errCorrupt},
		"a header on and on": {strings.Repeat("t", 1<<20), errCorrupt},
		"a size too small":   {"tree 1\x00" + strings.Repeat("x", 1<<20), errCorrupt},
		"a size too large":   {"tree 3\x00x", errCorrupt},
		"an unknown kind":    {"twig 1\x00x", errCorrupt},
		"nothing":            {"", errCorrupt},
	} {
		path := filepath.Join(t.TempDir(), "x")
		replace(t, path, deflate(c.content))
		if o, err := new(store).readLoose(path); !errors.Is(err, c.want) {
			t.Errorf("%s: %d bytes, %v, want %v", name, len(o.data), err, c.want)
		}
	}
}

// filled is a store with objects in memory only.
type filled struct{ *store }

func newFilled() filled {
	return filled{&store{listed: true, listedAgain: true, cache: cache[plumbing.Hash, object]{limit: 1 << 30}}}
}

func (f filled) add(kind plumbing.ObjectType, data string) plumbing.Hash {
	o := object{kind, []byte(data)}
	id := hash(o)
	f.cache.put(id, o)
	return id
}

func treeLine(mode, name string, id plumbing.Hash) string {
	return mode + " " + name + "\x00" + string(id[:])
}

func TestHostileTrees(t *testing.T) {
	t.Parallel()
	s := newFilled()
	file := plumbing.Hash{1}
	wide := s.add(plumbing.TreeObject, "") // ten empty trees of ten empty trees …
	bomb := s.add(plumbing.TreeObject, treeLine("100644", "f", file))
	deep := bomb
	for range 12 {
		var lines, wideLines string
		for n := range 10 {
			lines += treeLine("40000", fmt.Sprint(n), bomb)
			wideLines += treeLine("40000", fmt.Sprint(n), wide)
		}
		bomb, wide = s.add(plumbing.TreeObject, lines), s.add(plumbing.TreeObject, wideLines)
	}
	for range 100 {
		deep = s.add(plumbing.TreeObject, treeLine("40000", "d", deep))
	}
	for name, c := range map[string]struct {
		tree plumbing.Hash
		want error
	}{
		"10¹² files":   {bomb, errTooLarge},
		"10¹² trees":   {wide, errTooLarge},
		"too deep":     {deep, errTooLarge},
		"no tree":      {s.add(plumbing.BlobObject, "x"), errCorrupt},
		"missing":      {plumbing.Hash{9}, ErrTruncated},
		"out of order": {s.add(plumbing.TreeObject, treeLine("100644", "b", file)+treeLine("100644", "a", file)), errCorrupt},
		"twice":        {s.add(plumbing.TreeObject, treeLine("100644", "a", file)+treeLine("100755", "a", file)), errCorrupt},
		"the way out":  {s.add(plumbing.TreeObject, treeLine("40000", "..", bomb)), errCorrupt},
		"a path":       {s.add(plumbing.TreeObject, treeLine("100644", "../x", file)), errCorrupt},
		"no name":      {s.add(plumbing.TreeObject, treeLine("100644", "", file)), errCorrupt},
		"no mode":      {s.add(plumbing.TreeObject, treeLine("0", "a", file)), errCorrupt},
		"cut short":    {s.add(plumbing.TreeObject, treeLine("100644", "a", file)[:20]), errCorrupt},
	} {
		for _, pair := range [][2]plumbing.Hash{{{}, c.tree}, {c.tree, {}}} {
			d := differ{objects: s.store, budget: maxTreeBytes, limit: maxChanges}
			if err := d.compare(pair[0], pair[1], "p", 0); !errors.Is(err, c.want) {
				t.Errorf("%s: %v, want %v", name, err, c.want)
			}
		}
	}
}
