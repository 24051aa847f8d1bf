package session

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/gsd-cli/gsd/internal/durable"
)

// clonesDir has a directory for each clone: what others have shared, and whether gsd may sync it by itself. It is not in the repository,
// because what is there may have come with it.
const clonesDir = "clones"

// Clone returns the directory for what gsd knows of a clone of a repository, which need not exist. gitDir is the directory that all of
// its working trees share. It is empty without a state directory or a repository.
func (s StateDir) Clone(gitDir string) string {
	if s == "" || gitDir == "" {
		return ""
	}
	return filepath.Join(string(s), clonesDir, shortHash(gitDir))
}

// MakeClone makes the directory that [StateDir.Clone] returns, and missing ones above it.
func (s StateDir) MakeClone(gitDir string) (string, error) {
	state, err := s.openOrMake()
	if err != nil {
		return "", err
	}
	defer state.Close()
	return s.Clone(gitDir), state.MkdirAll(filepath.Join(clonesDir, shortHash(gitDir)), privateDirPerm)
}

// In the directory that the working trees of a clone share, gsd keeps which clone it is, and what it exchanged with others. It moves with the
// clone, and a new clone at the same place has nothing of it.
const (
	OwnDir      = "gsd"
	cloneFile   = OwnDir + "/clone.json"
	cloneDigits = 12
	cloneLimit  = 16 << 10 // bytes
)

// A CloneID is which clone one is. It is random, and bound to the directory that it was made for, so that of two copies only one has it.
type CloneID struct {
	ID      string `json:"id"`             // 12 hex digits; empty for a clone that has none yet
	Was     string `json:"was,omitempty"`  // that of the clone of which this one is a copy
	Dir     string `json:"dir"`            // the directory that its working trees share
	Machine string `json:"machine"`        // see [StateDir.Machine]
	File    uint64 `json:"file,omitempty"` // the number of that directory in its file system, zero if unknown
}

// readCloneID reads what is in the file, whatever it is bound to.
func readCloneID(gitDir string) (c CloneID, was durable.Stamp, err error) {
	root, err := durable.OpenRootAt(gitDir)
	if err != nil {
		return CloneID{}, durable.Stamp{}, err
	}
	defer root.Close()
	text, was, err := durable.Read(root, cloneFile, cloneLimit)
	isID := func(id string) bool { return len(id) == cloneDigits && strings.Trim(id, "0123456789abcdef") == "" }
	if err != nil || json.Unmarshal(text, &c) != nil || !isID(c.ID) || c.Was != "" && !isID(c.Was) {
		return CloneID{}, was, err
	}
	return c, was, nil
}

// CloneAt returns which clone the one at gitDir is. A copy has no id, and the original's as Was, until [MakeCloneID] gives it one. It only reads.
//
// The id stays with the directory that it was made for, wherever that was moved to, and at its path on the same machine, where it may have been
// restored. Where another directory has it as well, that is the original.
func CloneAt(gitDir, machine string) CloneID {
	c, _, _ := readCloneID(gitDir)
	return c.bound(gitDir, machine)
}

func (c CloneID) bound(gitDir, machine string) CloneID {
	if c.ID == "" {
		return CloneID{}
	}
	info, err := os.Stat(gitDir)
	if err != nil {
		return CloneID{}
	}
	file := durable.IDOf(info).Number()
	same := machine != "" && c.Machine == machine && (c.Dir == gitDir || file == 0 || c.File == 0) || file != 0 && c.File == file
	if is, err := os.Stat(c.Dir); same && err == nil && c.Dir != gitDir && !os.SameFile(is, info) {
		original, _, _ := readCloneID(c.Dir)
		same = original.ID != c.ID
	}
	if !same {
		return CloneID{Was: c.ID}
	}
	c.Dir, c.Machine, c.File = gitDir, machine, file
	return c
}

// MakeCloneID is CloneAt for a clone that gets an id if it has none. With only set, nothing is written, and the id is another one each time.
func MakeCloneID(w durable.Writer, gitDir, machine string, only bool) (CloneID, error) {
	for range 3 {
		stored, was, _ := readCloneID(gitDir) // what cannot be read cannot be replaced either
		c := stored.bound(gitDir, machine)
		if c.ID == "" {
			var random [cloneDigits / 2]byte
			rand.Read(random[:]) // never fails: crypto/rand crashes the program first
			c = CloneID{ID: hex.EncodeToString(random[:]), Was: c.Was}
			if info, err := os.Stat(gitDir); err == nil {
				c.File = durable.IDOf(info).Number()
			}
			c.Dir, c.Machine = gitDir, machine
		}
		if only || c == stored {
			return c, nil
		}
		root, err := durable.OpenRootAt(gitDir)
		if err != nil {
			return CloneID{}, err
		}
		text, _ := json.Marshal(c) // which cannot fail
		if err = durable.MkdirAll(root, OwnDir, 0o777); err == nil {
			err = w.Replace(root, cloneFile, [][]byte{append(text, '\n')}, 0o666, was)
		}
		root.Close()
		if err == nil || errors.Is(err, durable.ErrUnsynced) {
			return c, nil
		}
		if !errors.Is(err, durable.ErrChanged) { // by another sync of this clone, which has made one
			return CloneID{}, err
		}
	}
	return CloneID{}, durable.ErrChanged
}
