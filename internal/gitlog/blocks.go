package gitlog

import "io"

// blocks reads a file in pieces, which are kept for the next look: what is read one after another lies close together in a
// pack, and each look at the system costs as much as a kilobyte.
type blocks struct {
	file io.ReaderAt
	size int64
	kept *cache[blockPlace, block]
}

// blockSize is how large a piece is, and keptBlocks how many bytes of them a store keeps at least.
const (
	blockSize  = 8 << 10
	keptBlocks = 1 << 20
)

// blockPlace is where a block begins.
type blockPlace struct {
	file io.ReaderAt
	at   int64
}

type block []byte

func (b block) cost() int { return len(b) }

// from gives the bytes from at on to the end of their block; io.EOF behind the last.
func (b *blocks) from(at int64) ([]byte, error) {
	if at < 0 || at >= b.size {
		return nil, io.EOF
	}
	start := at / blockSize * blockSize
	place := blockPlace{b.file, start}
	data, ok := b.kept.get(place)
	if !ok {
		data = make(block, min(blockSize, b.size-start))
		if err := readAt(b.file, data, start); err != nil {
			return nil, err
		}
		b.kept.put(place, data)
	}
	return data[at-start:], nil
}

// ReadAt is that of [io.ReaderAt].
func (b *blocks) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) {
		data, err := b.from(at + int64(n))
		if err != nil {
			return n, err
		}
		n += copy(p[n:], data)
	}
	return n, nil
}

// blockReader reads on from a place.
type blockReader struct {
	*blocks
	at   int64 // where what follows rest is
	rest []byte
}

func (r *blockReader) fill() (err error) {
	if len(r.rest) == 0 {
		r.rest, err = r.from(r.at)
		r.at += int64(len(r.rest))
	}
	return err
}

func (r *blockReader) Read(p []byte) (int, error) {
	if err := r.fill(); err != nil {
		return 0, err
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func (r *blockReader) ReadByte() (byte, error) {
	if err := r.fill(); err != nil {
		return 0, err
	}
	c := r.rest[0]
	r.rest = r.rest[1:]
	return c, nil
}
