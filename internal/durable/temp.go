package durable

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"
)

// A temporary is named .NAME.<16 hex digits>.tmp, in the directory of NAME: hidden, told apart from everything else
// by the digits, and on the same file system, so that it can be renamed.
const (
	tempSuffix = ".tmp"
	tempDigits = 16
)

// createTemp makes an empty temporary for base in dir, open for writing only.
func createTemp(dir *os.Root, base string, perm fs.FileMode) (*os.File, string, error) {
	for {
		var random [tempDigits / 2]byte
		rand.Read(random[:]) // never fails: crypto/rand crashes the program first
		name := "." + base + "." + hex.EncodeToString(random[:]) + tempSuffix
		f, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm.Perm())
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		return f, name, err
	}
}

// isTemp reports whether name is one that createTemp gives.
func isTemp(name string) bool {
	rest, ok := strings.CutSuffix(name, tempSuffix)
	if !ok || !strings.HasPrefix(rest, ".") {
		return false
	}
	dot := strings.LastIndexByte(rest, '.')
	if dot < 2 || len(rest)-dot-1 != tempDigits { // ".X" at least before the dot
		return false
	}
	return strings.Trim(rest[dot+1:], "0123456789abcdef") == ""
}

// SweepTemps removes the temporaries that crashed writers left in the directory dir below root, at most so many, and
// returns how many. It touches regular files with exactly the name of a temporary, nothing else.
//
// A temporary of a living writer looks the same. So the caller holds the lock that all writers in dir take, or names
// the time before which those that go were last written; the zero time is for all. What cannot be removed is skipped
// and reported after the rest.
func SweepTemps(root *os.Root, dir string, before time.Time, most int) (swept int, err error) {
	temps, err := listTemps(root, dir, before)
	errs := []error{err}
	for _, name := range temps[:min(most, len(temps))] {
		if err := root.Remove(name); err != nil && !isNotExist(err) {
			errs = append(errs, Failed("sweep", name, root, err))
			continue
		}
		swept++
	}
	return swept, errors.Join(errs...)
}

// Temps counts the temporaries that [SweepTemps] may remove.
func Temps(root *os.Root, dir string, before time.Time) int {
	temps, _ := listTemps(root, dir, before)
	return len(temps)
}

func listTemps(root *os.Root, dir string, before time.Time) (temps []string, err error) {
	names, err := Names(root, dir)
	for _, name := range names {
		if !isTemp(name) {
			continue
		}
		name = dir + "/" + name
		info, err := root.Lstat(name)
		if err == nil && info.Mode().IsRegular() && (before.IsZero() || info.ModTime().Before(before)) {
			temps = append(temps, name)
		}
	}
	return temps, err
}
