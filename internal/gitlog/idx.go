package gitlog

// idx.go: the index of a pack (gitformat-pack, "pack-*.idx files"), read in place. go-git's idxfile reads and hashes
// the whole file, 8 MB in a repository of 300,000 objects; here a lookup takes two small reads. A damaged index may
// yield a wrong offset, which does no harm because the object's hash is checked.

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
	idxNames    = 8 + 256*4 // offset of the names: after the header and the fan-out table
	hashSize    = 20
	idxTrailer  = 2 * hashSize
	offset64Bit = 1 << 31
)

// packIndex finds offsets by name.
type packIndex struct {
	r      io.ReaderAt
	size   int64
	fanout [256]uint32 // number of names that begin with this byte or a smaller one

	offsets int64 // where the 4-byte offsets begin: after the names and their checksums
	window  [searchWindow * hashSize]byte
}

// searchWindow is the number of entries read at a time. Names are evenly distributed, so among a thousand with the same
// first byte an interpolated position is off by 16 on average.
const searchWindow = 128

func newPackIndex(r io.ReaderAt, size int64) (*packIndex, error) {
	x := &packIndex{r: r, size: size}
	var head [idxNames]byte
	if err := readAt(r, head[:], 0); err != nil {
		return nil, err
	}
	// Version 1 has no such header. git has written version 2 since 2008.
	if !bytes.HasPrefix(head[:], []byte("\xfftOc\x00\x00\x00\x02")) {
		return nil, fmt.Errorf("%w: an index that is not of version 2", ErrUnsupported)
	}
	n := uint32(0)
	for i := range x.fanout {
		next := binary.BigEndian.Uint32(head[8+4*i:])
		if next < n {
			return nil, fmt.Errorf("%w: an index out of order", errCorrupt)
		}
		x.fanout[i], n = next, next
	}
	count := int64(n)
	x.offsets = idxNames + count*(hashSize+4)
	least, most := x.offsets+count*4+idxTrailer, max(0, count-1)*8
	if size < least || size > least+most {
		return nil, fmt.Errorf("%w: an index of %d bytes for %d objects", errCorrupt, size, count)
	}
	return x, nil
}

// packID returns the checksum of the pack that the index belongs to.
func (x *packIndex) packID() (id plumbing.Hash, err error) {
	err = readAt(x.r, id[:], x.size-idxTrailer)
	return id, err
}

// find returns the offset of the object h in the pack.
func (x *packIndex) find(h plumbing.Hash) (offset int64, found bool, err error) {
	lo, hi := int64(0), int64(x.fanout[h[0]])
	if h[0] > 0 {
		lo = int64(x.fanout[h[0]-1])
	}
	guess := lo + (hi-lo)*int64(binary.BigEndian.Uint32(h[1:]))>>32
	for lo < hi {
		from := max(lo, min(guess-searchWindow/2, hi-searchWindow))
		to := min(from+searchWindow, hi)
		window := x.window[:(to-from)*hashSize]
		if err := readAt(x.r, window, idxNames+from*hashSize); err != nil {
			return 0, false, err
		}
		i, found := sort.Find(int(to-from), func(i int) int {
			return bytes.Compare(h[:], window[i*hashSize:][:hashSize])
		})
		switch {
		case found:
			offset, err = x.offset(from + int64(i))
			return offset, err == nil, err
		case i == 0:
			hi = from
		case i == int(to-from):
			lo = to
		default:
			return 0, false, nil
		}
		guess = lo + (hi-lo)/2 // the names are uneven: continue with binary search
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
	// Offsets beyond 2 GiB are in a second table.
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

// readAt fills b from the offset at.
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
