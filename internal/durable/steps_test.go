package durable

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"
)

const old, next = "the old content\n", "the new content, longer\n"

// files is what a directory holds: names and contents.
type files map[string]string

func filesIn(t *testing.T, dir string) files {
	t.Helper()
	entries, err := os.ReadDir(dir)
	noError(t, err)
	got := files{}
	for _, e := range entries {
		got[e.Name()], _ = content(t, dir, e.Name())
	}
	return got
}

// operations are all the changes that a Writer makes, with their steps in the only right order: the content is on the
// disk before it takes the name, and the name after.
var operations = []struct {
	name          string
	before, after files
	do            func(Writer, *os.Root, Stamp) error
	noLinks       bool // the file system has no hard links
	steps         []Step
	done          int // the first step whose failure leaves the new state
}{
	{"replace", files{"file": old}, files{"file": next}, replaceFile, false, []Step{
		StepCreate, StepWrite, StepMode, StepSync, StepClose, StepCheck, StepRename, StepSyncDir,
	}, 7},
	{"create", files{}, files{"file": next}, replaceFile, false, []Step{
		StepCreate, StepWrite, StepSync, StepClose, StepCheck, StepLink, StepUnlink, StepSyncDir,
	}, 7},
	{"create without links", files{}, files{"file": next}, replaceFile, true, []Step{
		StepCreate, StepWrite, StepSync, StepClose, StepCheck, StepLink, StepRename, StepSyncDir,
	}, 7},
	{"keep", files{"file": old}, files{"file": old, "as": old}, keepFile, false, []Step{StepLink, StepSyncDir}, 2},
	{"keep without links", files{"file": old}, files{"file": old, "as": old}, keepFile, true, []Step{
		StepLink, StepCreate, StepWrite, StepMode, StepSync, StepClose, StepLink, StepRename, StepSyncDir,
	}, 9},
	{"move to archive", files{"file": old}, files{"log.20260304100007.old": old}, moveToArchive, false, []Step{StepRename, StepSyncDir}, 1},
	{"remove", files{"file": old}, files{}, func(w Writer, root *os.Root, _ Stamp) error {
		return w.Remove(root, "file")
	}, false, []Step{StepRemove, StepSyncDir}, 1},
}

func replaceFile(w Writer, root *os.Root, was Stamp) error {
	return w.Replace(root, "file", [][]byte{[]byte(next)}, 0o644, was)
}

func keepFile(w Writer, root *os.Root, was Stamp) error {
	_, err := w.keep(root, "file", "as", was)
	return err
}

func moveToArchive(w Writer, root *os.Root, was Stamp) error {
	_, err := w.MoveToArchive(root, "file", Archives{Stem: "log", Suffix: ".old"}, was, time.Date(2026, 3, 4, 10, 0, 7, 0, time.UTC))
	return err
}

// start makes a directory with files in it, and gives the version of the one called file.
func start(t *testing.T, in files) (*os.Root, string, Stamp) {
	root, dir := newRoot(t)
	for name, text := range in {
		write(t, dir, name, text)
	}
	return root, dir, stampInPlace(t, root, "file")
}

// TestCrash takes a picture of the directory before every step and after the last: what a crash would leave. After a
// sweep each is the old state or the new one, in this order.
func TestCrash(t *testing.T) {
	for _, op := range operations {
		for _, lazy := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, lazily: %t", op.name, lazy), func(t *testing.T) {
				root, dir, was := start(t, op.before)
				var taken []Step
				var pictures []string
				picture := func(s Step) error {
					to := t.TempDir()
					noError(t, os.CopyFS(to, os.DirFS(dir)))
					taken, pictures = append(taken, s), append(pictures, to)
					if s == StepLink && op.noLinks {
						return syscall.EPERM
					}
					return nil
				}
				w, steps := Writer{Before: picture}, slices.Clone(op.steps)
				if lazy {
					w.Lazy = true
					steps = slices.DeleteFunc(steps, func(s Step) bool { return s == StepSync || s == StepSyncDir })
				}
				noError(t, op.do(w, root, was))
				if !slices.Equal(taken, steps) {
					t.Fatalf("steps %v, want %v", taken, steps)
				}
				picture("end")
				states := []files{op.before, op.after}
				for i, crashed := range pictures {
					root, err := os.OpenRoot(crashed)
					noError(t, err)
					defer root.Close()
					SweepTemps(root, ".", time.Time{}, false)
					got := filesIn(t, crashed)
					for len(states) > 1 && !maps.Equal(got, states[0]) {
						states = states[1:]
					}
					if last := i == len(pictures)-1; !maps.Equal(got, states[0]) || last && len(states) > 1 {
						t.Errorf("before %s: %q", taken[i], got)
					}
				}
			})
		}
	}
}

// TestFailures lets every step fail: the old state stays, the temporary goes, and the errno comes through. From the
// step on that makes the new state there it stays, and an error that comes after it says so.
func TestFailures(t *testing.T) {
	for _, op := range operations {
		for i, failing := range op.steps {
			t.Run(fmt.Sprintf("%s/%d %s", op.name, i, failing), func(t *testing.T) {
				root, dir, was := start(t, op.before)
				var taken []Step
				w := Writer{Before: func(s Step) error {
					switch taken = append(taken, s); {
					case len(taken) == i+1:
						return syscall.ENOSPC
					case s == StepLink && op.noLinks:
						return syscall.EPERM
					}
					return nil
				}}
				err := op.do(w, root, was)
				got := filesIn(t, dir)
				if failing == StepLink { // the way without links is taken
					if err != nil || !maps.Equal(got, op.after) {
						t.Errorf("%q, %v", got, err)
					}
					return
				}
				wantErr(t, err, syscall.ENOSPC)
				if says := i == op.done && failing == StepSyncDir && op.name != "remove"; errors.Is(err, ErrUnsynced) != says {
					t.Error(err)
				}
				want := op.before
				if i >= op.done {
					want = op.after
				}
				if !maps.Equal(got, want) {
					t.Errorf("left %q, want %q", got, want)
				}
				if n := len(taken) - i - 1; n > 1 || n == 1 && taken[i+1] != StepClose {
					t.Errorf("steps %v", taken)
				}
			})
		}
	}
}

// TestRemoveTwice: removing a missing file takes no step, and losing a race is not an error.
func TestRemoveTwice(t *testing.T) {
	root, dir, _ := start(t, files{"file": old})
	var taken []Step
	w := Writer{Before: func(s Step) error {
		if taken = append(taken, s); s == StepRemove {
			os.Remove(filepath.Join(dir, "file"))
		}
		return nil
	}}
	for range 2 {
		if err := w.Remove(root, "file"); err != nil {
			t.Error(err)
		}
	}
	if !slices.Equal(taken, []Step{StepRemove, StepSyncDir}) {
		t.Errorf("steps %v", taken)
	}
}
