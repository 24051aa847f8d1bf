package gitlog

// pack.go: reading one object from a pack (gitformat-pack). go-git's PatchDelta applies the deltas. Its
// packfile.Scanner is not used because it makes four system calls for each entry and computes a checksum that the
// object's name makes redundant; its packfile.Packfile needs the name of every base (an inverted index), recurses
// forever into a cyclic chain, and does not limit the size of an object.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"

	"github.com/gsd-cli/gsd/internal/durable"
)

const (
	packHeader = 12
	maxObject  = 8 << 20   // bytes of a commit or tree; the tree of a directory with 100,000 names is smaller
	maxChain   = 4096      // deltas; git writes at most 4,095
	maxWork    = 512 << 20 // bytes produced for one object along its chain
)

// object is the content of an object. The bytes are shared and must not be changed.
type object struct {
	kind plumbing.ObjectType
	data []byte
}

func (o object) cost() int { return len(o.data) + 128 }

// pack is a pack and its index, opened at first use.
type pack struct {
	store   *store
	path    string // of the index
	opened  bool
	err     error // of opening
	idxFile *os.File
	index   *packIndex
	file    *os.File
	entries *blocks
}

// find returns the offset of h in the pack.
func (p *pack) find(h plumbing.Hash) (offset int64, found bool, err error) {
	if !p.opened {
		err := p.openIndex()
		if errors.Is(err, durable.ErrBudget) { // the next object may have more
			return 0, false, err
		}
		p.opened, p.err = true, err
	}
	if p.err != nil {
		return 0, false, p.err
	}
	return p.index.find(h)
}

func (p *pack) openIndex() error {
	f, info, err := p.open(p.path)
	if err != nil {
		return err
	}
	if p.idxFile != nil { // of a try for which the budget was too small
		p.idxFile.Close()
	}
	p.idxFile = f
	size := info.Size()
	var r io.ReaderAt = f
	if size <= blockCacheSize/2 { // lookups in a larger index rarely share a block
		r = &blocks{f, size, &p.store.blocks}
	}
	p.index, err = newPackIndex(meteredReader{r, p.store}, size)
	return err
}

// meteredReader charges the budget for each read of an index.
type meteredReader struct {
	file  io.ReaderAt
	store *store
}

func (r meteredReader) ReadAt(b []byte, at int64) (int, error) {
	if err := r.store.budget.Spend(lookupCost); err != nil {
		return 0, err
	}
	return r.file.ReadAt(b, at)
}

func (p *pack) open(path string) (*os.File, fs.FileInfo, error) {
	if err := p.store.budget.Spend(openCost); err != nil {
		return nil, nil, err
	}
	return durable.OpenAt(path)
}

// openPack opens the pack itself and checks that it matches its index, as git does.
func (p *pack) openPack() error {
	f, info, err := p.open(strings.TrimSuffix(p.path, ".idx") + ".pack")
	if err != nil {
		return err
	}
	if p.file != nil { // as above
		p.file.Close()
	}
	p.file = f
	var head [packHeader]byte
	var id plumbing.Hash
	if err := errors.Join(readAt(f, head[:], 0), readAt(f, id[:], max(0, info.Size()-hashSize))); err != nil {
		return err
	}
	version := binary.BigEndian.Uint32(head[4:])
	if !bytes.HasPrefix(head[:], []byte("PACK")) || version != 2 && version != 3 {
		return fmt.Errorf("%w: not the start of a pack", errCorrupt)
	}
	count := binary.BigEndian.Uint32(head[8:])
	if want, err := p.index.packID(); err != nil || want != id || count != p.index.fanout[255] {
		return errors.Join(fmt.Errorf("%w: a pack with the index of another", errCorrupt), err)
	}
	p.entries = &blocks{f, info.Size(), &p.store.blocks}
	return nil
}

// read returns the object at an offset.
func (p *pack) read(offset int64) (o object, err error) {
	if p.entries == nil && p.err == nil {
		err := p.openPack()
		if errors.Is(err, durable.ErrBudget) {
			return object{}, err
		}
		p.err = err
	}
	if p.err != nil {
		return object{}, p.err
	}
	// go-git is not known to panic here, but the input may be hostile.
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", errCorrupt, r)
		}
	}()

	type delta struct {
		at   int64
		data []byte
	}
	var chain []delta
	for work := 0; ; {
		var cached bool
		if o, cached = p.store.bases.get(entryKey{p, offset}); cached {
			break
		}
		e, err := p.entry(offset)
		if err != nil {
			return object{}, err
		}
		if work += len(e.data); work > maxWork || len(chain) > maxChain {
			return object{}, fmt.Errorf("chain of deltas: %w", errTooLarge)
		}
		if e.kind != plumbing.OFSDeltaObject && e.kind != plumbing.REFDeltaObject {
			o = e.object
			p.store.bases.put(entryKey{p, offset}, o)
			break
		}
		chain = append(chain, delta{offset, e.data})
		offset = e.base
	}
	for work := 0; len(chain) > 0; chain = chain[:len(chain)-1] {
		d := chain[len(chain)-1]
		size, err := deltaTarget(d.data)
		if err != nil {
			return object{}, err
		}
		if work += size; work > maxWork {
			return object{}, fmt.Errorf("chain of deltas: %w", errTooLarge)
		}
		if err := p.store.budget.Spend(int64(size)); err != nil {
			return object{}, err
		}
		if o.data, err = packfile.PatchDelta(o.data, d.data); err != nil {
			return object{}, fmt.Errorf("%w: %w", errCorrupt, err)
		}
		p.store.bases.put(entryKey{p, d.at}, o)
	}
	return o, nil
}

// stored is an entry of a pack.
type stored struct {
	object
	base int64 // offset of a delta's base
}

// entry reads and inflates the entry at an offset.
func (p *pack) entry(offset int64) (e stored, err error) {
	size := p.entries.size
	if offset < packHeader || offset >= size-hashSize {
		return e, fmt.Errorf("%w: an offset outside the pack", errCorrupt)
	}
	r := &blockReader{blocks: p.entries, at: offset}
	first, err := r.ReadByte()
	length := uint64(first & 0x0f)
	for shift, c := 4, first; err == nil && c&0x80 != 0; shift += 7 {
		if shift > 60 {
			return e, fmt.Errorf("%w: an entry of no known size", errCorrupt)
		}
		c, err = r.ReadByte()
		length |= uint64(c&0x7f) << shift
	}
	if err != nil {
		return e, fmt.Errorf("%w: %w", errCorrupt, err)
	}
	switch e.kind = plumbing.ObjectType(first >> 4 & 7); e.kind {
	case plumbing.CommitObject, plumbing.TreeObject, plumbing.BlobObject, plumbing.TagObject:
	case plumbing.OFSDeltaObject:
		e.base, err = p.offsetBase(offset, r)
	case plumbing.REFDeltaObject:
		e.base, err = p.namedBase(r)
	default:
		err = fmt.Errorf("%w: an entry of no known kind", errCorrupt)
	}
	if err == nil {
		err = mayInflate(length, size-offset, p.store.budget)
	}
	if err != nil {
		return e, err
	}
	z, err := p.store.inflate(r)
	if err == nil {
		e.data, err = content(z, length)
	}
	if err != nil {
		return e, fmt.Errorf("%w: %w", errCorrupt, err)
	}
	return e, nil
}

// offsetBase reads the distance of a delta from its base and returns the base's offset.
func (p *pack) offsetBase(delta int64, r io.ByteReader) (offset int64, err error) {
	c, err := r.ReadByte()
	distance := int64(c & 0x7f)
	for err == nil && c&0x80 != 0 && distance < delta {
		c, err = r.ReadByte()
		distance = (distance+1)<<7 | int64(c&0x7f)
	}
	if err != nil || distance <= 0 || distance > delta {
		return 0, errors.Join(fmt.Errorf("%w: a delta without its base", errCorrupt), err)
	}
	return delta - distance, nil
}

// namedBase reads the name of a delta's base and returns the base's offset.
func (p *pack) namedBase(r io.Reader) (offset int64, err error) {
	var base plumbing.Hash
	found := false
	if _, err = io.ReadFull(r, base[:]); err == nil {
		offset, found, err = p.index.find(base)
	}
	if err != nil || !found {
		return 0, errors.Join(fmt.Errorf("%w: a delta without its base", errCorrupt), err)
	}
	return offset, nil
}

// deltaTarget returns the size of the object that a delta produces, the second number in it.
func deltaTarget(delta []byte) (int, error) {
	var size uint64
	for range 2 {
		var n int
		if size, n = binary.Uvarint(delta); n <= 0 {
			return 0, fmt.Errorf("%w: a delta without sizes", errCorrupt)
		}
		delta = delta[n:]
	}
	if size > maxObject {
		return 0, fmt.Errorf("object of %d bytes: %w", size, errTooLarge)
	}
	return int(size), nil
}

func (p *pack) close() error {
	var errs []error
	for _, f := range []*os.File{p.idxFile, p.file} {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}
