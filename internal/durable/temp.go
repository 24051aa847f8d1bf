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

// A temporary is named .NAME.<16 hex digits>.tmp, in the directory of NAME: hidden, recognizable by its digits, and on
// the same file system, so that it can be renamed.
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
		f, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|openNonblock, perm.Perm()) // else package os asks four times whether it is a pipe
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		return f, name, err
	}
}

// isTemp reports whether createTemp may have made name.
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

// TempLife is the age at which a temporary counts as a crashed writer's where writers share no lock. A running writer's
// is a few milliseconds old; an hour allows for a machine that slept, and for a file server's clock.
const TempLife = time.Hour

// SweepTemps removes the temporaries that crashed writers left in the directory dir below root, and returns how many.
// With dryRun it only counts them. It touches regular files with exactly the name of a temporary, nothing else, and
// skips what cannot be removed.
//
// A temporary of a running writer looks the same. So the caller either holds the lock that all writers in dir take, or
// passes the time before which the temporaries must have been last written. The zero time includes all.
func SweepTemps(root *os.Root, dir string, before time.Time, dryRun bool) (swept int) {
	return SweepTempsIf(root, dir, func(string) bool { return true }, before, dryRun)
}

// SweepTempsOf is SweepTemps for the temporaries of one file, base, in dir.
func SweepTempsOf(root *os.Root, dir, base string, before time.Time) {
	SweepTempsIf(root, dir, func(name string) bool { return name == base }, before, false)
}

// SweepTempsIf is SweepTemps for the temporaries of the files in dir whose names of has.
func SweepTempsIf(root *os.Root, dir string, of func(base string) bool, before time.Time, dryRun bool) (swept int) {
	names, _ := Names(root, dir) // a directory that cannot be listed has none
	for _, name := range names {
		if !isTemp(name) || !of(name[1:len(name)-tempDigits-len("."+tempSuffix)]) {
			continue
		}
		name = dir + "/" + name
		info, err := root.Lstat(name)
		if err != nil || !info.Mode().IsRegular() || !before.IsZero() && !info.ModTime().Before(before) {
			continue
		}
		if dryRun || root.Remove(name) == nil {
			swept++
		}
	}
	return swept
}
