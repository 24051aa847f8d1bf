package gitlog

// idx.go: the index of a pack (gitformat-pack, "pack-*.idx files"), read in place. go-git's idxfile reads
// the whole file and hashes it, 8 MB in a repository of 300,000 objects; here one look-up is two small
// reads. That a damaged index may then name a wrong offset is no harm: the object's hash is checked.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"sort"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	fanoutSize  = 256 * 4
	hashSize    = 20
	idxTrailer  = 2 * hashSize
	offset64Bit = 1 << 31
)

// packIndex finds offsets by name.
type packIndex struct {
	r      io.ReaderAt
	size   int64
	fanout [256]uint32 // how many names start with this byte or a smaller one

	names, stride, skip int64 // where the entries are, how long each is, where in it the name is
	offsets             int64 // where the 4-byte offsets are; 0 in version 1, where they stand in the entries
	window              [searchWindow * 24]byte
}

// searchWindow is how many entries are read at a time. Names are evenly spread, so of a thousand with the
// same first byte the place that is guessed is off by 16 on average.
const searchWindow = 128

func newPackIndex(r io.ReaderAt, size int64) (*packIndex, error) {
	x := &packIndex{r: r, size: size}
	var head [8 + fanoutSize]byte
	if size < int64(len(head)) {
		return nil, fmt.Errorf("%w: an index of %d bytes", errCorrupt, size)
	}
	if err := readAt(r, head[:], 0); err != nil {
		return nil, err
	}
	fanout := head[8:]
	v2 := bytes.HasPrefix(head[:], []byte("\xfftOc"))
	if !v2 {
		fanout = head[:fanoutSize]
	} else if v := binary.BigEndian.Uint32(head[4:]); v != 2 {
		return nil, fmt.Errorf("%w: index version %d", ErrUnsupported, v)
	}
	n := uint32(0)
	for i := range x.fanout {
		next := binary.BigEndian.Uint32(fanout[4*i:])
		if next < n {
			return nil, fmt.Errorf("%w: an index out of order", errCorrupt)
		}
		x.fanout[i], n = next, next
	}
	count := int64(n)
	least, most := fanoutSize+count*24+idxTrailer, int64(0)
	x.names, x.stride, x.skip = fanoutSize, 24, 4
	if v2 {
		x.names, x.stride, x.skip = 8+fanoutSize, hashSize, 0
		x.offsets = x.names + count*(hashSize+4) // behind the names and their checksums
		least = x.offsets + count*4 + idxTrailer
		most = max(0, count-1) * 8
	}
	if size < least || size > least+most {
		return nil, fmt.Errorf("%w: an index of %d bytes for %d objects", errCorrupt, size, count)
	}
	return x, nil
}

// packID gives the checksum of the pack that the index is for.
func (x *packIndex) packID() (id plumbing.Hash, err error) {
	err = readAt(x.r, id[:], x.size-idxTrailer)
	return id, err
}

// find gives the offset of the object h in the pack.
func (x *packIndex) find(h plumbing.Hash) (offset int64, found bool, err error) {
	lo, hi := int64(0), int64(x.fanout[h[0]])
	if h[0] > 0 {
		lo = int64(x.fanout[h[0]-1])
	}
	guess := lo + (hi-lo)*int64(binary.BigEndian.Uint32(h[1:]))>>32
	for lo < hi {
		from := max(lo, min(guess-searchWindow/2, hi-searchWindow))
		to := min(from+searchWindow, hi)
		window := x.window[:(to-from)*x.stride]
		if err := readAt(x.r, window, x.names+from*x.stride); err != nil {
			return 0, false, err
		}
		i := int64(sort.Search(int(to-from), func(i int) bool {
			return bytes.Compare(window[int64(i)*x.stride+x.skip:][:hashSize], h[:]) >= 0
		}))
		switch {
		case i < to-from && bytes.Equal(window[i*x.stride+x.skip:][:hashSize], h[:]):
			if x.offsets == 0 {
				return int64(binary.BigEndian.Uint32(window[i*x.stride:])), true, nil
			}
			offset, err = x.offset(from + i)
			return offset, err == nil, err
		case i == 0:
			hi = from
		case i == to-from:
			lo = to
		default:
			return 0, false, nil
		}
		guess = lo + (hi-lo)/2 // an uneven index: from here on by halves
	}
	return 0, false, nil
}

func (x *packIndex) offset(i int64) (int64, error) {
	var b [8]byte
	if err := readAt(x.r, b[:4], x.offsets+4*i); err != nil {
		return 0, err
	}
	at := binary.BigEndian.Uint32(b[:])
	if at&offset64Bit == 0 {
		return int64(at), nil
	}
	// Beyond 2 GiB the offset stands in a second table.
	count := int64(x.fanout[255])
	where := x.offsets + 4*count + 8*int64(at&^offset64Bit)
	if where+8 > x.size-idxTrailer {
		return 0, fmt.Errorf("%w: an offset outside its table", errCorrupt)
	}
	if err := readAt(x.r, b[:], where); err != nil {
		return 0, err
	}
	if v := binary.BigEndian.Uint64(b[:]); v <= math.MaxInt64 {
		return int64(v), nil
	}
	return 0, fmt.Errorf("%w: an offset outside the pack", errCorrupt)
}

// readAt fills b.
func readAt(r io.ReaderAt, b []byte, at int64) error {
	n, err := r.ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}
