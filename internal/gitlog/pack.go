package gitlog

// pack.go: one object out of one pack. The entries are decoded by go-git's packfile.Scanner and the deltas
// applied by its PatchDelta; the walk along a chain of deltas is ours, because that of packfile.Packfile
// wants the name of every base (a whole index turned round), recurses without end into a chain that bites
// its tail, and sets no bound to what an object may grow to.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"

	"github.com/gsd-cli/gsd/internal/durable"
)

const (
	packHeader = 12
	maxObject  = 8 << 20   // of a commit or tree; the tree of a directory with 100,000 names is smaller
	maxChain   = 4096      // git writes no chain of more than 4,095
	maxWork    = 512 << 20 // bytes made for one object along its chain
)

// object is the content of an object. The bytes are shared and not to be changed.
type object struct {
	kind plumbing.ObjectType
	data []byte
}

func (o object) cost() int { return len(o.data) + 128 }

// pack is a pack and its index, opened when first asked.
type pack struct {
	store   *store
	path    string // of the index
	opened  bool
	err     error // of opening
	idxFile *os.File
	index   *packIndex
	file    *os.File
	size    int64
	scan    *packfile.Scanner
}

// find tells where the pack has h.
func (p *pack) find(h plumbing.Hash) (offset int64, found bool, err error) {
	if !p.opened {
		p.opened = true
		p.err = p.openIndex()
	}
	if p.err != nil {
		return 0, false, p.err
	}
	return p.index.find(h)
}

func (p *pack) openIndex() error {
	f, size, err := p.open(p.path)
	if err != nil {
		return err
	}
	p.idxFile = f
	p.index, err = newPackIndex(paidReader{f, p.store.budget}, size)
	return err
}

// paidReader is an index whose reader pays for each look.
type paidReader struct {
	file   *os.File
	budget *durable.Budget
}

func (r paidReader) ReadAt(b []byte, at int64) (int, error) {
	if err := r.budget.Take(lookCost); err != nil {
		return 0, err
	}
	return r.file.ReadAt(b, at)
}

func (p *pack) open(path string) (*os.File, int64, error) {
	if err := p.store.budget.Take(openCost); err != nil {
		return nil, 0, err
	}
	return durable.OpenAt(path)
}

// openPack opens the pack itself and holds it against its index, as git does.
func (p *pack) openPack() error {
	f, size, err := p.open(strings.TrimSuffix(p.path, ".idx") + ".pack")
	if err != nil {
		return err
	}
	p.file, p.size = f, size
	var head [packHeader]byte
	var id plumbing.Hash
	if err := errors.Join(readAt(f, head[:], 0), readAt(f, id[:], max(0, size-hashSize))); err != nil {
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
	p.scan = packfile.NewScanner(f)
	return nil
}

// read gives the object at an offset.
func (p *pack) read(offset int64) (o object, err error) {
	if p.scan == nil && p.err == nil {
		p.err = p.openPack()
	}
	if p.err != nil {
		return object{}, p.err
	}
	// No input is known at which go-git panics here. This is for the one that is not.
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
		if o, cached = p.store.bases.get(entryPlace{p, offset}); cached {
			break
		}
		h, data, err := p.entry(offset)
		if err != nil {
			return object{}, err
		}
		if work += len(data); work > maxWork || len(chain) > maxChain {
			return object{}, fmt.Errorf("chain of deltas: %w", errTooLarge)
		}
		if h.Type != plumbing.OFSDeltaObject && h.Type != plumbing.REFDeltaObject {
			o = object{h.Type, data}
			p.store.bases.put(entryPlace{p, offset}, o)
			break
		}
		chain = append(chain, delta{offset, data})
		offset = h.OffsetReference
		if h.Type == plumbing.REFDeltaObject {
			var found bool
			if offset, found, err = p.index.find(h.Reference); err != nil || !found {
				return object{}, errors.Join(fmt.Errorf("%w: a delta without its base", errCorrupt), err)
			}
		}
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
		if err := p.store.budget.Take(int64(size)); err != nil {
			return object{}, err
		}
		if o.data, err = packfile.PatchDelta(o.data, d.data); err != nil {
			return object{}, fmt.Errorf("%w: %w", errCorrupt, err)
		}
		p.store.bases.put(entryPlace{p, d.at}, o)
	}
	return o, nil
}

// entry reads one entry of the pack.
func (p *pack) entry(offset int64) (*packfile.ObjectHeader, []byte, error) {
	if offset < packHeader || offset >= p.size-hashSize {
		return nil, nil, fmt.Errorf("%w: an offset outside the pack", errCorrupt)
	}
	h, err := p.scan.SeekObjectHeader(offset)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errCorrupt, err)
	}
	switch h.Type {
	case plumbing.CommitObject, plumbing.TreeObject, plumbing.BlobObject, plumbing.TagObject,
		plumbing.OFSDeltaObject, plumbing.REFDeltaObject:
	default:
		return nil, nil, fmt.Errorf("%w: an entry of no known kind", errCorrupt)
	}
	if err := mayInflate(uint64(h.Length), p.size-offset, p.store.budget); err != nil { // a negative one is large, too
		return nil, nil, err
	}
	buf := bytes.NewBuffer(make([]byte, 0, h.Length))
	n, _, err := p.scan.NextObject(buf)
	if err == nil && n != h.Length {
		err = fmt.Errorf("%d bytes where %d were said", n, h.Length)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errCorrupt, err)
	}
	return h, buf.Bytes(), nil
}

// deltaTarget gives the size of what a delta makes, the second number in it.
func deltaTarget(delta []byte) (int, error) {
	_, n := binary.Uvarint(delta)
	if n <= 0 {
		return 0, fmt.Errorf("%w: a delta without sizes", errCorrupt)
	}
	size, m := binary.Uvarint(delta[n:])
	if m <= 0 {
		return 0, fmt.Errorf("%w: a delta without sizes", errCorrupt)
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
