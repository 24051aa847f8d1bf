package session

import (
	"crypto/rand"
	"encoding/hex"
	"strings"

	"github.com/gsd-cli/gsd/internal/durable"
)

// machineFile holds the id and a newline, inside the state directory.
const (
	machineFile   = "machine"
	machineDigits = 32
	machineLimit  = 64 // bytes
)

// Machine returns the id that distinguishes this machine from others, for this user: 32 lower-case hex digits, random,
// so that it gives nothing away where it is written down. It is empty where none was made, or where its file
// holds anything else. It only reads.
//
// A home that several machines share gives them one id: whoever compares it compares host names too.
func (s StateDir) Machine() string {
	dir, err := s.open()
	if err != nil {
		return ""
	}
	defer dir.Close()
	text, _, err := durable.Read(dir, machineFile, machineLimit)
	if err != nil {
		return ""
	}
	id := strings.TrimRight(string(text), "\r\n")
	if len(id) != machineDigits || strings.Trim(id, "0123456789abcdef") != "" {
		return ""
	}
	return id
}

// MakeMachine makes the id that [StateDir.Machine] gives, where there is none, with the directories that it takes.
// Whoever does so at the same moment makes the same one (where the file system has hard links; elsewhere the one
// that is in the file afterwards counts). An id file that holds anything else is left alone: it is somebody's, and
// another id would make strangers of the machine's own runs. Then, and where nothing can be written, there is none.
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
	// Synced, unlike a crumb: a file that a power cut emptied would stay, and there would never be an id. What
	// the write says does not matter, only what is there now: another process may have been faster.
	_ = durable.Writer{}.Replace(dir, machineFile, [][]byte{text}, privateFilePerm, durable.Stamp{})
}
