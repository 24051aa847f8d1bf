package gitlog

import "io"

// blocks reads a file in cached blocks. Objects that are read one after another are close together in a pack, and each
// system call costs as much as reading a kilobyte.
type blocks struct {
	file  io.ReaderAt
	size  int64
	cache *cache[blockKey, block]
}

const (
	blockSize      = 8 << 10
	blockCacheSize = 1 << 20 // bytes of blocks that a store keeps at least
)

// blockKey identifies a block by its file and offset.
type blockKey struct {
	file io.ReaderAt
	at   int64
}

type block []byte

func (b block) cost() int { return len(b) }

// from returns the bytes from at to the end of its block, or io.EOF after the last block.
func (b *blocks) from(at int64) ([]byte, error) {
	if at < 0 || at >= b.size {
		return nil, io.EOF
	}
	start := at / blockSize * blockSize
	place := blockKey{b.file, start}
	data, ok := b.cache.get(place)
	if !ok {
		data = make(block, min(blockSize, b.size-start))
		if err := readAt(b.file, data, start); err != nil {
			return nil, err
		}
		b.cache.put(place, data)
	}
	return data[at-start:], nil
}

// ReadAt implements [io.ReaderAt].
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

// blockReader reads blocks in sequence.
type blockReader struct {
	*blocks
	at   int64 // offset after rest
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
