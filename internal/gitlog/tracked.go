package gitlog

import (
	"bytes"
	"encoding/binary"
	"errors"
	"path/filepath"

	"github.com/gsd-cli/gsd/internal/durable"
)

// MayTrack reports whether git may track the file name, with slashes, of a project in the working tree around dir. It is false only
// if the index certainly has no file that ends so. The index is not parsed: its first versions contain whole names, and each ends
// in a NUL. It is read whole, so this is for what is asked once.
func MayTrack(dir, name string) bool {
	const limit = 256 << 20
	p, err := findRepository(dir)
	if errors.Is(err, ErrNone) {
		return false // not in a repository
	}
	if err != nil {
		return true
	}
	text, err := (*durable.Budget)(nil).ReadAt(filepath.Join(p.dir, "index"), limit)
	if missing(err) {
		return false // nothing was ever added
	}
	if err != nil || len(text) < 8 || binary.BigEndian.Uint32(text[4:]) > 3 { // version 4 shortens names
		return true
	}
	for _, extension := range []string{"link\x00", "sdir\x00"} { // a split or sparse index has names elsewhere; a size follows
		if bytes.Contains(text, []byte(extension)) {
			return true
		}
	}
	return bytes.Contains(text, []byte(name+"\x00"))
}
