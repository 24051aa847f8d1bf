package worktree

// index.go: reading git's index (gitformat-index(5)). go-git's decoder makes an object of each entry, and an index has tens of
// thousands of which a handful is asked for.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gsd-cli/gsd/internal/durable"
)

// maxIndex is the size of the largest index that is read, of some 300,000 files.
const maxIndex = 32 << 20

var errIndex = errors.New("not an index that can be read")

// entry is what the index says of a file.
type entry struct {
	mode      uint32
	sec, nsec uint32 // when the file was last written
	size      uint32 // the file's, in its lowest 32 bits; 0 if it is not known to be as the index has it
	id        plumbing.Hash
	unmerged  bool
	intended  bool // it is only intended to be added
	hidden    bool // git has been set not to look at the file
}

// The parts of a mode.
const (
	kindMask = 0o170000
	regular  = 0o100000
	symlink  = 0o120000
)

// index is what the index says of the files that are asked for.
type index struct {
	byLength [256][]string // their paths relative to the top of the working tree, by the lowest bits of their length
	entries  map[string]entry
	unclear  map[string]bool // it cannot be said whether git has them: below a submodule, or under a name in another case
	written  time.Time       // when the index was written
	width    int             // of object names: 20, or 32 with SHA-256
	root     plumbing.Hash   // the tree that the index as a whole is; zero if that is not known
}

// readIndex reads what the index says of the files wanted; "" is none.
func readIndex(own string, wanted []string, budget *durable.Budget) (*index, error) {
	f, info, err := durable.OpenAt(filepath.Join(own, "index"))
	if err != nil {
		return nil, err
	}
	defer f.Close() // it was only read
	size := info.Size()
	if size > maxIndex {
		return nil, durable.ErrTooLarge
	}
	if err := budget.Spend(size); err != nil {
		return nil, err
	}
	for _, width := range []int{20, 32} { // only the configuration says which; the other one cannot be read
		x := newIndex(wanted, width)
		x.written = info.ModTime()
		if err = x.read(io.NewSectionReader(f, 0, size), size); err == nil {
			return x, nil
		}
	}
	return nil, err
}

// maxPath is the length of the longest path that is read: git writes how long one is in 12 bits.
const maxPath = 1<<12 - 2

func newIndex(wanted []string, width int) *index {
	x := &index{entries: map[string]entry{}, unclear: map[string]bool{}, width: width}
	for _, name := range wanted {
		if names := &x.byLength[len(name)%len(x.byLength)]; !slices.Contains(*names, name) {
			*names = append(*names, name)
		}
	}
	return x
}

// read reads an index of so many bytes. Its checksum is not checked: git does not either, and that takes longer than all the rest.
func (x *index) read(from io.Reader, size int64) error {
	r := &reader{from: io.LimitReader(from, size-int64(x.width)), buf: make([]byte, min(size, bufferSize))}
	head, err := r.take(12)
	if err != nil {
		return err
	}
	version, count := binary.BigEndian.Uint32(head[4:]), binary.BigEndian.Uint32(head[8:])
	if string(head[:4]) != "DIRC" || version < 2 || version > 4 {
		return errIndex
	}
	var path []byte
	for range count {
		b := r.window()
		var size int
		if version == 4 {
			path, size = x.nextV4(b, path)
		} else {
			path, size = x.next(b)
		}
		if size == 0 {
			return errIndex
		}
		x.see(b, path)
		r.at += size
	}
	return x.readExtensions(r)
}

// The flags of an entry.
const (
	assumeValid  = 1 << 15
	extended     = 1 << 14
	stageShift   = 12
	lengthMask   = 1<<12 - 1
	skipWorktree = 1 << 14 // of the extended ones
	intentToAdd  = 1 << 13
)

// headSize returns the size of an entry up to its path, and its flags; 0 if it is cut short.
func (x *index) headSize(b []byte) (size int, flags uint16) {
	if size = 42 + x.width; len(b) < size+4 {
		return 0, 0
	}
	if flags = binary.BigEndian.Uint16(b[40+x.width:]); flags&extended != 0 {
		size += 2
	}
	return size, flags
}

// next returns the path of an entry of version 2 or 3, in which it is whole, and its size: zeros fill up to a multiple of eight. The size
// is 0 if there is no entry.
func (x *index) next(b []byte) (path []byte, size int) {
	head, flags := x.headSize(b)
	length := int(flags & lengthMask)
	size = (head + length + 8) &^ 7
	if head == 0 || length == 0 || length > maxPath || size > len(b) || b[head] == 0 || b[head+length-1] == 0 || b[head+length] != 0 {
		return nil, 0
	}
	return b[head : head+length], size
}

// nextV4 returns the path of an entry of version 4, and its size: the path says how many bytes of the last one it does not begin with, and
// what follows the others. It replaces the last one.
func (x *index) nextV4(b, last []byte) (path []byte, size int) {
	size, _ = x.headSize(b)
	if size == 0 {
		return nil, 0
	}
	drop := int(b[size] & 0x7f)
	for ; b[size]&0x80 != 0; size++ { // as in git's varint.c
		if size+2 > len(b) || drop > maxPath {
			return nil, 0
		}
		drop = (drop+1)<<7 | int(b[size+1]&0x7f)
	}
	size++
	end := bytes.IndexByte(b[size:], 0)
	if end < 0 || drop > len(last) || len(last)-drop+end > maxPath || len(last)-drop+end == 0 {
		return nil, 0
	}
	return append(last[:len(last)-drop], b[size:size+end]...), size + end + 1
}

// see keeps what an entry says of the files that are asked for.
func (x *index) see(b, path []byte) {
	if kind := binary.BigEndian.Uint32(b[24:]) & kindMask; kind != regular && kind != symlink { // a submodule, or a directory of which a sparse index has no files
		x.hide(path)
	}
	for _, name := range x.byLength[len(path)%len(x.byLength)] {
		switch {
		case name == string(path):
			x.entries[name] = x.parse(b)
		case strings.EqualFold(name, string(path)):
			x.unclear[name] = true
		}
	}
}

// hide makes it unclear what git has below a directory.
func (x *index) hide(dir []byte) {
	prefix := strings.TrimSuffix(string(dir), "/") + "/"
	for _, names := range x.byLength {
		for _, name := range names {
			x.unclear[name] = x.unclear[name] || len(name) > len(prefix) && strings.EqualFold(name[:len(prefix)], prefix)
		}
	}
}

// parse parses an entry, but for its path.
func (x *index) parse(b []byte) (e entry) {
	field := func(i int) uint32 { return binary.BigEndian.Uint32(b[4*i:]) }
	e.sec, e.nsec, e.mode, e.size = field(2), field(3), field(6), field(9)
	copy(e.id[:], b[40:])
	_, flags := x.headSize(b)
	if flags&extended != 0 {
		more := binary.BigEndian.Uint16(b[42+x.width:])
		e.intended, e.hidden = more&intentToAdd != 0, more&skipWorktree != 0
	}
	e.hidden, e.unmerged = e.hidden || flags&assumeValid != 0, flags>>stageShift&3 > 0
	return e
}

// readExtensions reads what follows the entries. What is called in lower case has to be understood by those who read an index: "sdir"
// says that some entries are directories, "link" that there are more in another file.
func (x *index) readExtensions(r *reader) error {
	for len(r.window()) > 0 {
		b, err := r.take(8)
		if err != nil {
			return err
		}
		name, size := string(b[:4]), int64(binary.BigEndian.Uint32(b[4:]))
		if (name[0] < 'A' || name[0] > 'Z') && name != "sdir" {
			return fmt.Errorf("%w: the extension %q", errIndex, name)
		}
		if name == "TREE" {
			x.readRoot(r.window())
		}
		if err := r.skip(size); err != nil {
			return err
		}
	}
	return nil
}

// readRoot reads which tree the index is, which is not known if something was added since it was one. It is the first of the extension:
// an empty name, how many entries it has, how many directories, and its object name.
func (x *index) readRoot(b []byte) {
	head, id, ok := bytes.Cut(b[:min(len(b), 64)], []byte("\n"))
	if ok && len(id) >= len(x.root) && bytes.HasPrefix(head, []byte{0}) && !bytes.HasPrefix(head, []byte("\x00-")) {
		copy(x.root[:], id)
	}
}

const (
	bufferSize = 32 << 10
	windowSize = 8 << 10 // more than any entry takes
)

// reader reads an index piece by piece. bufio's costs as much an entry as all the rest.
type reader struct {
	from    io.Reader
	buf     []byte
	at, end int // what has been read and not used of buf
	isOver  bool
}

// window returns what comes next: at least windowSize bytes, or all.
func (r *reader) window() []byte {
	if r.end-r.at < windowSize && !r.isOver {
		n := copy(r.buf, r.buf[r.at:r.end])
		more, err := io.ReadFull(r.from, r.buf[n:])
		r.at, r.end, r.isOver = 0, n+more, err != nil // what cannot be read is missed later
	}
	return r.buf[r.at:r.end]
}

// take returns the next n bytes, at most windowSize of them.
func (r *reader) take(n int) ([]byte, error) {
	b := r.window()
	if len(b) < n {
		return nil, io.ErrUnexpectedEOF
	}
	r.at += n
	return b[:n], nil
}

// skip passes over n bytes.
func (r *reader) skip(n int64) error {
	has := min(n, int64(r.end-r.at))
	r.at += int(has)
	if n -= has; n > 0 {
		_, err := io.CopyN(io.Discard, r.from, n)
		return err
	}
	return nil
}
