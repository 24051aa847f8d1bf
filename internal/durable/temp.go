package durable

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"math"
	"os"
	"strings"
	"time"
)

// A temporary is named .NAME.<16 hex digits>.tmp, in the directory of NAME:
// hidden, told apart from everything else by the digits, and on the same file
// system, so that it can be renamed.
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

// SweepTemps removes the temporaries that crashed writers left in the
// directory dir below root, and returns how many. It touches regular files
// with exactly the name of a temporary, nothing else.
//
// The caller holds the lock that all writers in dir take: a temporary of a
// living writer looks the same. What cannot be removed is skipped and reported
// after the rest.
func SweepTemps(root *os.Root, dir string) (int, error) {
	return sweepTemps(root, dir, math.MaxInt, anyFile)
}

// SweepSomeTemps is SweepTemps for at most so many of them: it is for those who do it in passing.
func SweepSomeTemps(root *os.Root, dir string, most int) (int, error) {
	return sweepTemps(root, dir, most, anyFile)
}

func anyFile(fs.FileInfo) bool { return true }

// SweepTempsBefore is SweepTemps for writers that hold no common lock: it
// leaves the temporaries alone that were last written at before or later.
func SweepTempsBefore(root *os.Root, dir string, before time.Time) (int, error) {
	return sweepTemps(root, dir, math.MaxInt, lastWritten(before))
}

// Temps counts the temporaries in the directory dir below root, those of living writers too.
func Temps(root *os.Root, dir string) int {
	temps, _ := listTemps(root, dir, math.MaxInt, anyFile)
	return len(temps)
}

// TempsBefore counts the temporaries that [SweepTempsBefore] would remove.
func TempsBefore(root *os.Root, dir string, before time.Time) int {
	temps, _ := listTemps(root, dir, math.MaxInt, lastWritten(before))
	return len(temps)
}

// lastWritten picks the files that were last written before that time.
func lastWritten(before time.Time) func(fs.FileInfo) bool {
	return func(info fs.FileInfo) bool { return info.ModTime().Before(before) }
}

func listTemps(root *os.Root, dir string, most int, wanted func(fs.FileInfo) bool) ([]string, error) {
	names, err := Names(root, dir)
	var temps []string
	for _, name := range names {
		if len(temps) >= most {
			break
		}
		if !isTemp(name) {
			continue
		}
		name = dir + "/" + name
		if info, err := root.Lstat(name); err == nil && info.Mode().IsRegular() && wanted(info) {
			temps = append(temps, name)
		}
	}
	return temps, err
}

func sweepTemps(root *os.Root, dir string, most int, abandoned func(fs.FileInfo) bool) (int, error) {
	temps, err := listTemps(root, dir, most, abandoned)
	errs := []error{err}
	swept := 0
	for _, name := range temps {
		if err := root.Remove(name); err != nil && !isNotExist(err) {
			errs = append(errs, Failed("sweep", name, root, err))
			continue
		}
		swept++
	}
	return swept, errors.Join(errs...)
}
