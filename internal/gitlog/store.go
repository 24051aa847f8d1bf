package gitlog

// store.go: finding an object. It may be loose or in any pack, in the repository or in an alternate. git keeps copies,
// so if one is damaged the search continues.
//
// A hostile repository may have any number of objects, packs and directories, so all work is charged to one budget, in
// bytes.

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gsd-cli/gsd/internal/durable"
)

// Costs of reading besides the size of an object, as the number of bytes that can be inflated in about the same time.
const (
	openCost     = 1 << 10 // opening a file
	lookupCost   = 1 << 7  // looking for an object in a directory, or in the index of a pack
	fanoutCost   = 1 << 3  // finding by the first byte of its name that a pack does not have an object
	changeCost   = 1 << 7  // listing a change
	scanDiscount = 4       // a cached object costs its size divided by this
)

// maxPacks limits the packs of a directory, because each is searched for every object that is not found before it. Git
// warns of more than 50.
const maxPacks = 1000

// store reads objects.
type store struct {
	dirs   []string // "objects", and its alternates
	more   bool     // there are directories or packs beyond the limits
	packs  []*pack  // most recently used first
	budget *durable.Budget

	listed, listedAgain bool
	looseFirst          bool // search loose objects first: the last object was loose, or none was read yet
	cache               cache[plumbing.Hash, object]
	bases               cache[entryKey, object] // every tree in a chain of deltas needs its bases
	blocks              cache[blockKey, block]
	inflater            io.ReadCloser // see inflate; nil before the first object
}

// entryKey identifies an entry of a pack.
type entryKey struct {
	pack   *pack
	offset int64
}

func newStore(dirs []string, budget *durable.Budget) *store {
	s := &store{dirs: dirs, budget: budget, looseFirst: true}
	s.cache.limit, s.bases.limit, s.blocks.limit = 8<<20, 16<<20, blockCacheSize
	return s
}

func (s *store) close() error {
	var errs []error
	for _, p := range s.packs {
		errs = append(errs, p.close())
	}
	return errors.Join(errs...)
}

// getKind returns an object that must be of the given kind.
func (s *store) getKind(id plumbing.Hash, kind plumbing.ObjectType) (object, error) {
	o, err := s.get(id)
	if err == nil && o.kind != kind {
		err = fmt.Errorf("%w: %s is no %s", errCorrupt, id, kind)
	}
	return o, err
}

// get returns an object, or ErrTruncated if the repository does not have it.
func (s *store) get(id plumbing.Hash) (object, error) {
	if o, ok := s.cache.get(id); ok {
		return o, s.budget.Spend(int64(o.cost() / scanDiscount))
	}
	var failed []error
	places := [...]func(plumbing.Hash) (object, bool, error){s.inPacks, s.inLoose, s.inNewPacks}
	if s.looseFirst {
		places[0], places[1] = s.inLoose, s.inPacks
	}
	for _, place := range places {
		o, found, err := place(id)
		if found {
			s.cache.put(id, o)
			return o, nil
		}
		if err != nil {
			failed = append(failed, err)
		}
	}
	if len(failed) > 0 {
		return object{}, fmt.Errorf("object %s: %w", id, errors.Join(failed...))
	}
	if s.more {
		return object{}, fmt.Errorf("object %s is in none of the first %d packs and %d alternates: %w", id, maxPacks, maxAlternates, errTooLarge)
	}
	return object{}, fmt.Errorf("%w: object %s is missing", ErrTruncated, id)
}

func (s *store) inPack(i int, id plumbing.Hash) (object, bool, error) {
	p := s.packs[i]
	if err := s.budget.Spend(fanoutCost); err != nil {
		return object{}, false, err
	}
	offset, found, err := p.find(id)
	if err != nil || !found {
		return object{}, false, packError(p, err)
	}
	o, err := p.read(offset)
	if err == nil {
		err = o.check(id)
	}
	if err != nil {
		return object{}, false, packError(p, err)
	}
	s.packs = slices.Insert(slices.Delete(s.packs, i, i+1), 0, p)
	s.looseFirst = false
	return o, true, nil
}

// packError adds the pack's name to err. It returns nil for a missing file, because the pack has been repacked.
func packError(p *pack, err error) error {
	if err == nil || missing(err) {
		return nil
	}
	return fmt.Errorf("%s: %w", filepath.Base(p.path), err)
}

func (s *store) inPacks(id plumbing.Hash) (object, bool, error) {
	if !s.listed {
		s.listed = true
		s.list()
	}
	return s.search(0, id)
}

// inNewPacks lists the packs again, once: a repack may have moved everything since they were listed.
func (s *store) inNewPacks(id plumbing.Hash) (object, bool, error) {
	if s.listedAgain {
		return object{}, false, nil
	}
	s.listedAgain = true
	known := len(s.packs)
	s.list()
	return s.search(known, id)
}

func (s *store) search(from int, id plumbing.Hash) (object, bool, error) {
	var failed error // only the first: there may be a thousand
	for i := from; i < len(s.packs); i++ {
		o, found, err := s.inPack(i, id)
		if found {
			return o, true, nil
		}
		failed = cmp.Or(failed, err)
	}
	return object{}, false, failed
}

// list adds the packs that are not known yet, the newest of each directory first. A directory that cannot be read
// counts as empty; that matters only if the object is nowhere else.
func (s *store) list() {
	known := make(map[string]bool)
	for _, p := range s.packs {
		known[p.path] = true
	}
	for _, dir := range s.dirs {
		names, more := indexes(filepath.Join(dir, "pack"))
		s.more = s.more || more
		if len(names) > 1 {
			times := make(map[string]int64, len(names))
			for _, name := range names {
				if info, err := os.Lstat(filepath.Join(dir, "pack", name)); err == nil {
					times[name] = -info.ModTime().UnixNano()
				}
			}
			slices.SortFunc(names, func(a, b string) int {
				return cmp.Or(cmp.Compare(times[a], times[b]), cmp.Compare(a, b))
			})
		}
		for _, name := range names {
			if path := filepath.Join(dir, "pack", name); !known[path] {
				s.packs = append(s.packs, &pack{path: path, store: s})
			}
		}
	}
}

// indexes returns the names of the pack indexes in a directory. more reports whether there are others.
func indexes(dir string) (names []string, more bool) {
	const limit = 10 * maxPacks // each index comes with its pack and up to four other files
	d, err := durable.DirAt(dir)
	if err != nil {
		return nil, false
	}
	defer d.Close() // it was only read
	all, _ := d.Readdirnames(limit)
	for _, name := range all {
		if strings.HasPrefix(name, "pack-") && filepath.Ext(name) == ".idx" {
			names = append(names, name)
		}
	}
	more = len(all) == limit || len(names) > maxPacks
	return names[:min(len(names), maxPacks)], more
}

func (s *store) inLoose(id plumbing.Hash) (object, bool, error) {
	name := id.String()
	var errs []error
	for _, dir := range s.dirs {
		if err := s.budget.Spend(lookupCost); err != nil {
			return object{}, false, err
		}
		o, err := s.readLoose(filepath.Join(dir, name[:2], name[2:]))
		if err == nil {
			err = o.check(id)
		}
		if err == nil {
			s.looseFirst = true
			return o, true, nil
		}
		if !missing(err) {
			errs = append(errs, fmt.Errorf("loose: %w", err))
		}
	}
	return object{}, false, errors.Join(errs...)
}

// readLoose reads a loose object, which is deflated: "kind size", a zero byte, and the content. go-git's objfile does
// so byte by byte and does not limit the length of the header.
func (s *store) readLoose(path string) (object, error) {
	f, stored, err := durable.OpenAt(path)
	if err != nil {
		return object{}, err
	}
	defer f.Close()
	if err := s.budget.Spend(openCost); err != nil {
		return object{}, err
	}
	z, err := s.inflate(f)
	if err != nil {
		return object{}, fmt.Errorf("%w: %w", errCorrupt, err)
	}
	var start [len("commit 18446744073709551615\x00")]byte
	n, err := io.ReadFull(z, start[:])
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return object{}, fmt.Errorf("%w: %w", errCorrupt, err)
	}
	header, begin, found := bytes.Cut(start[:n], []byte{0})
	kindName, digits, found2 := strings.Cut(string(header), " ")
	kind, err := plumbing.ParseObjectType(kindName)
	size, err2 := strconv.ParseUint(digits, 10, 63)
	if !found || !found2 || err != nil || err2 != nil {
		return object{}, fmt.Errorf("%w: no header", errCorrupt)
	}
	if err := mayInflate(size, stored.Size(), s.budget); err != nil {
		return object{}, err
	}
	data, err := content(io.MultiReader(bytes.NewReader(begin), z), size)
	if err != nil {
		return object{}, fmt.Errorf("%w: %w", errCorrupt, err)
	}
	return object{kind, data}, nil
}

// inflate returns a reader of the inflated data of r, which is valid until the next call: a new reader for each object
// would cost more than most objects.
func (s *store) inflate(r io.Reader) (_ io.Reader, err error) {
	if s.inflater == nil {
		s.inflater, err = zlib.NewReader(r)
	} else {
		err = s.inflater.(zlib.Resetter).Reset(r, nil)
	}
	return s.inflater, err
}

// content reads exactly size bytes and the end of r, without which the data may be incomplete.
func content(r io.Reader, size uint64) ([]byte, error) {
	data := make([]byte, size)
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, err
	}
	var more [1]byte
	if n, err := io.ReadFull(r, more[:]); n > 0 || !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("not the %d bytes that were said", size)
	}
	return data, nil
}

// mayInflate charges the budget for an object of the stated size before memory is allocated for it. stored is the
// number of deflated bytes at most; each inflates to at most 1,032.
func mayInflate(size uint64, stored int64, budget *durable.Budget) error {
	switch {
	case size > maxObject:
		return fmt.Errorf("object of %d bytes: %w", size, errTooLarge)
	case size > 1032*uint64(stored):
		return fmt.Errorf("%w: %d bytes said of %d", errCorrupt, size, stored)
	}
	return budget.Spend(int64(size))
}

// check returns an error if the content does not hash to id.
func (o object) check(id plumbing.Hash) error {
	if actual := hash(o); actual != id {
		return fmt.Errorf("%w: the content is that of %s", errCorrupt, actual)
	}
	return nil
}

// hash returns git's name of o.
func hash(o object) (id plumbing.Hash) {
	h := sha1.New()
	fmt.Fprintf(h, "%s %d\x00", o.kind, len(o.data))
	h.Write(o.data)
	h.Sum(id[:0])
	return id
}
