package session

import (
	"crypto/rand"
	"encoding/hex"
	"strings"

	"github.com/gsd-cli/gsd/internal/durable"
)

// machineFile contains the id and a newline, in the state directory.
const (
	machineFile   = "machine"
	machineDigits = 32
	machineLimit  = 64 // bytes
)

// Machine returns the id that distinguishes this user's machine from others: 32 lower-case hex digits, random, so that
// they reveal nothing where they are recorded. It is empty if none was made, or if its file contains anything else. It
// only reads.
//
// Machines that share a home share the id: compare host names too.
func (s StateDir) Machine() string {
	dir, err := s.open()
	if err != nil {
		return ""
	}
	defer dir.Close()
	text, _, err := durable.Read(dir, machineFile, machineLimit)
	id := strings.TrimRight(string(text), "\r\n")
	if err != nil || len(id) != machineDigits || strings.Trim(id, "0123456789abcdef") != "" {
		return ""
	}
	return id
}

// MakeMachine makes the id that [StateDir.Machine] returns, if there is none, and missing directories. Concurrent calls
// agree on one id (without hard links, the one that ends up in the file). An id file with any other content is left
// alone: somebody made it, and a new id would make the machine's earlier runs look foreign. Then, and if nothing can be
// written, there is no id.
func (s StateDir) MakeMachine() {
	if s.Machine() != "" {
		return
	}
	dir, err := s.openOrMake()
	if err != nil {
		return
	}
	defer dir.Close()
	var random [machineDigits / 2]byte
	rand.Read(random[:]) // never fails: crypto/rand crashes the program first
	text := []byte(hex.EncodeToString(random[:]) + "\n")
	// Synced, unlike a crumb: a file that a power cut emptied would stay, and there would never be an id. The error does
	// not matter, only the file does: another process may have been faster.
	_ = durable.Writer{}.Replace(dir, machineFile, [][]byte{text}, privateFilePerm, durable.Stamp{})
}
