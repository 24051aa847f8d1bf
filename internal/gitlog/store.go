package gitlog

// store.go: where an object is. It may be loose or in any of the packs, here or in a repository that this
// one borrows from; git keeps copies, so what is damaged in one place is looked for in the next.
//
// How many objects there are and in how many places they may be is up to whoever made the repository, so all of it is
// paid for out of one budget, in bytes.

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

// What reading costs besides the bytes of an object, in bytes that could be inflated in about the same time.
const (
	openCost     = 1 << 10 // to open a file
	lookCost     = 1 << 7  // to look for an object in a directory, or in the index of a pack
	askCost      = 1 << 3  // to see by the first byte of its name that a pack does not have it
	changeCost   = 1 << 7  // to list a change
	scanDiscount = 4       // to go through what is in memory already, or needs no inflating, costs one part of so many
)

// mostPacks is how many packs of a directory are looked at: each is asked for every object that is not found before. Git
// itself warns of more than 50.
const mostPacks = 1000

// store reads objects.
type store struct {
	dirs   []string // "objects", and its alternates
	more   bool     // there are more directories or packs than are looked at
	packs  []*pack  // the one that was of use last comes first
	budget *durable.Budget

	listed, listedAgain bool
	looseLast           bool // look among the loose objects first: the last one was loose, as HEAD's is likely to be
	cache               cache[plumbing.Hash, object]
	bases               cache[entryPlace, object] // a chain of deltas is walked by each tree in it
	blocks              cache[blockPlace, block]
	inflater            io.ReadCloser // see inflate; nil before the first object
}

// entryPlace is where an entry of a pack is.
type entryPlace struct {
	pack   *pack
	offset int64
}

func newStore(dirs []string, budget *durable.Budget) *store {
	s := &store{dirs: dirs, budget: budget, looseLast: true}
	s.cache.limit, s.bases.limit, s.blocks.limit = 8<<20, 16<<20, keptBlocks
	return s
}

func (s *store) close() error {
	var errs []error
	for _, p := range s.packs {
		errs = append(errs, p.close())
	}
	return errors.Join(errs...)
}

// getKind reads an object that must be of one kind.
func (s *store) getKind(id plumbing.Hash, kind plumbing.ObjectType) (object, error) {
	o, err := s.get(id)
	if err == nil && o.kind != kind {
		err = fmt.Errorf("%w: %s is no %s", errCorrupt, id, kind)
	}
	return o, err
}

// get reads an object. ErrTruncated says that it is nowhere.
func (s *store) get(id plumbing.Hash) (object, error) {
	if o, ok := s.cache.get(id); ok {
		return o, s.budget.Take(int64(o.cost() / scanDiscount))
	}
	var failed []error
	places := [...]func(plumbing.Hash) (object, bool, error){s.inPacks, s.inLoose, s.inNewPacks}
	if s.looseLast {
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
		return object{}, fmt.Errorf("object %s is in none of the first %d packs and %d alternates: %w", id, mostPacks, mostAlternates, errTooLarge)
	}
	return object{}, fmt.Errorf("%w: object %s is missing", ErrTruncated, id)
}

func (s *store) inPack(i int, id plumbing.Hash) (object, bool, error) {
	p := s.packs[i]
	if err := s.budget.Take(askCost); err != nil {
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
	s.looseLast = false
	return o, true, nil
}

// packError says which pack err is about. A pack that is gone has been repacked, and is no error.
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

// inNewPacks looks again, once: a repack may have moved everything since the packs were listed.
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
	var failed error // the first is enough: there may be a thousand
	for i := from; i < len(s.packs); i++ {
		o, found, err := s.inPack(i, id)
		if found {
			return o, true, nil
		}
		failed = cmp.Or(failed, err)
	}
	return object{}, false, failed
}

// list adds the packs that are not known yet, the newest of a directory first. A directory that cannot be
// read has none: it then matters only if the object is nowhere else.
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

// indexes lists the indexes of packs in a directory. more tells that there are others.
func indexes(dir string) (names []string, more bool) {
	const most = 10 * mostPacks // beside each index lie its pack and up to four other files
	d, err := durable.DirAt(dir)
	if err != nil {
		return nil, false
	}
	defer d.Close() // it was only read
	all, _ := d.Readdirnames(most)
	for _, name := range all {
		if strings.HasPrefix(name, "pack-") && filepath.Ext(name) == ".idx" {
			names = append(names, name)
		}
	}
	more = len(all) == most || len(names) > mostPacks
	return names[:min(len(names), mostPacks)], more
}

func (s *store) inLoose(id plumbing.Hash) (object, bool, error) {
	name := id.String()
	var errs []error
	for _, dir := range s.dirs {
		if err := s.budget.Take(lookCost); err != nil {
			return object{}, false, err
		}
		o, err := s.readLoose(filepath.Join(dir, name[:2], name[2:]))
		if err == nil {
			err = o.check(id)
		}
		if err == nil {
			s.looseLast = true
			return o, true, nil
		}
		if !missing(err) {
			errs = append(errs, fmt.Errorf("loose: %w", err))
		}
	}
	return object{}, false, errors.Join(errs...)
}

// readLoose reads a loose object: "kind size", a zero byte, the content, all of it deflated. go-git's
// objfile does too, byte by byte and with no bound to how long the header may go on.
func (s *store) readLoose(path string) (object, error) {
	f, stored, err := durable.OpenAt(path)
	if err != nil {
		return object{}, err
	}
	defer f.Close()
	if err := s.budget.Take(openCost); err != nil {
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
	if err := mayInflate(size, stored, s.budget); err != nil {
		return object{}, err
	}
	data, err := content(io.MultiReader(bytes.NewReader(begin), z), size)
	if err != nil {
		return object{}, fmt.Errorf("%w: %w", errCorrupt, err)
	}
	return object{kind, data}, nil
}

// inflate reads what r deflates, until it is called again: a reader of its own for each object would cost more than most
// objects.
func (s *store) inflate(r io.Reader) (_ io.Reader, err error) {
	if s.inflater == nil {
		s.inflater, err = zlib.NewReader(r)
	} else {
		err = s.inflater.(zlib.Resetter).Reset(r, nil)
	}
	return s.inflater, err
}

// content reads what has so many bytes, and its end: only that shows that it is whole.
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

// mayInflate pays for an object that says how large it is, before there is memory for it. stored is how many bytes it can
// be made of: a deflated byte makes at most 1,032.
func mayInflate(size uint64, stored int64, budget *durable.Budget) error {
	switch {
	case size > maxObject:
		return fmt.Errorf("object of %d bytes: %w", size, errTooLarge)
	case size > 1032*uint64(stored):
		return fmt.Errorf("%w: %d bytes said of %d", errCorrupt, size, stored)
	}
	return budget.Take(int64(size))
}

// check compares what was found with the name that it was found by.
func (o object) check(id plumbing.Hash) error {
	if is := hash(o); is != id {
		return fmt.Errorf("%w: the content is that of %s", errCorrupt, is)
	}
	return nil
}

// hash is the name that git gives to o.
func hash(o object) (id plumbing.Hash) {
	h := sha1.New()
	fmt.Fprintf(h, "%s %d\x00", o.kind, len(o.data))
	h.Write(o.data)
	h.Sum(id[:0])
	return id
}
