package history

// store.go: where an object is. It may be loose or in any of the packs, here or in a repository that this
// one borrows from; git keeps copies, so what is damaged in one place is looked for in the next.

import (
	"bytes"
	"cmp"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/utils/sync"
)

// store reads objects.
type store struct {
	dirs  []string // "objects", and its alternates
	packs []*pack  // the one that was of use last comes first

	listed, listedAgain bool
	looseLast           bool // the last object was loose, the next is likely to be
	cache               cache[plumbing.Hash, object]
}

func newStore(dirs []string) *store {
	return &store{dirs: dirs, cache: cache[plumbing.Hash, object]{limit: 16 << 20}}
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
		return o, nil
	}
	var failed []error
	for _, place := range s.places() {
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
	return object{}, fmt.Errorf("%w: object %s is missing", ErrTruncated, id)
}

// places gives the places to look in, the likely ones first.
func (s *store) places() []func(plumbing.Hash) (object, bool, error) {
	places := []func(plumbing.Hash) (object, bool, error){s.inLastPack, s.inLoose, s.inPacks, s.inNewPacks}
	if s.looseLast {
		places[0], places[1] = s.inLoose, s.inLastPack
	}
	return places
}

func (s *store) inLastPack(id plumbing.Hash) (object, bool, error) {
	if len(s.packs) == 0 {
		return object{}, false, nil
	}
	return s.inPack(0, id)
}

func (s *store) inPack(i int, id plumbing.Hash) (object, bool, error) {
	p := s.packs[i]
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
		return s.search(0, id)
	}
	return s.search(1, id)
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
	var errs []error
	for i := from; i < len(s.packs); i++ {
		o, found, err := s.inPack(i, id)
		if found {
			return o, true, nil
		}
		errs = append(errs, err)
	}
	return object{}, false, errors.Join(errs...)
}

// list adds the packs that are not known yet, the newest of a directory first. A directory that cannot be
// read has none: it then matters only if the object is nowhere else.
func (s *store) list() {
	known := make(map[string]bool)
	for _, p := range s.packs {
		known[p.path] = true
	}
	for _, dir := range s.dirs {
		entries, _ := os.ReadDir(filepath.Join(dir, "pack"))
		entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
			return !strings.HasPrefix(e.Name(), "pack-") || filepath.Ext(e.Name()) != ".idx"
		})
		if len(entries) > 1 {
			times := make(map[string]int64, len(entries))
			for _, e := range entries {
				if info, err := e.Info(); err == nil {
					times[e.Name()] = -info.ModTime().UnixNano()
				}
			}
			slices.SortStableFunc(entries, func(a, b fs.DirEntry) int {
				return cmp.Compare(times[a.Name()], times[b.Name()])
			})
		}
		for _, e := range entries {
			if path := filepath.Join(dir, "pack", e.Name()); !known[path] {
				s.packs = append(s.packs, &pack{path: path})
			}
		}
	}
}

func (s *store) inLoose(id plumbing.Hash) (object, bool, error) {
	name := id.String()
	var errs []error
	for _, dir := range s.dirs {
		o, err := readLoose(filepath.Join(dir, name[:2], name[2:]))
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
func readLoose(path string) (object, error) {
	f, _, err := openRegular(path)
	if err != nil {
		return object{}, err
	}
	defer f.Close()
	z, err := sync.GetZlibReader(f)
	defer sync.PutZlibReader(z)
	if err != nil {
		return object{}, fmt.Errorf("%w: %w", errCorrupt, err)
	}
	const longestHeader = len("commit 18446744073709551615\x00")
	var buf bytes.Buffer
	if _, err := io.CopyN(&buf, z.Reader, int64(longestHeader)); err != nil && !errors.Is(err, io.EOF) {
		return object{}, fmt.Errorf("%w: %w", errCorrupt, err)
	}
	header, _, found := bytes.Cut(buf.Bytes(), []byte{0})
	kindName, digits, found2 := strings.Cut(string(header), " ")
	kind, err := plumbing.ParseObjectType(kindName)
	size, err2 := strconv.ParseUint(digits, 10, 63)
	if !found || !found2 || err != nil || err2 != nil {
		return object{}, fmt.Errorf("%w: no header", errCorrupt)
	}
	if size > maxObject {
		return object{}, fmt.Errorf("object of %d bytes: %w", size, errTooLarge)
	}
	if _, err := buf.ReadFrom(io.LimitReader(z.Reader, int64(size)+1)); err != nil {
		return object{}, fmt.Errorf("%w: %w", errCorrupt, err)
	}
	data := buf.Bytes()[len(header)+1:]
	if uint64(len(data)) != size {
		return object{}, fmt.Errorf("%w: %d bytes where %d were said", errCorrupt, len(data), size)
	}
	return object{kind, data}, nil
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
