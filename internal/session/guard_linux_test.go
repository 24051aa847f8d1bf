package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestTheKernelNamesTheHolder: who holds the guard without a word, or lies about it, is named all the same.
func TestTheKernelNamesTheHolder(t *testing.T) {
	project, d := newProject(t)
	lock(t, d)
	hint := filepath.Join(project, d.Path(), holderFile)
	for _, text := range []string{"", `{"pid":1,"command":"init","host":"elsewhere"}`} {
		os.Remove(hint)
		if text != "" {
			os.WriteFile(hint, []byte(text), 0o644)
		}
		var busy *BusyError
		if _, err := d.Lock(context.Background(), 0); !errors.As(err, &busy) {
			t.Fatal(err)
		}
		if busy.Holder.PID == 0 || busy.Holder.PID == 1 {
			t.Skip("this file system numbers its files in two ways")
		}
		if busy.Holder.PID != os.Getpid() || busy.Holder.User != "" {
			t.Errorf("%+v", busy.Holder)
		}
	}
}

func TestLockOwner(t *testing.T) {
	const list = `1: POSIX  ADVISORY  WRITE 700 fe:01:77 0 EOF
2: FLOCK  ADVISORY  WRITE 701 fe:01:78 0 EOF
3: -> FLOCK  ADVISORY  WRITE 702 fe:01:77 0 EOF
4: FLOCK  ADVISORY  WRITE 703 fe:02:77 0 EOF
5: FLOCK
6: FLOCK  ADVISORY  WRITE -1 fe:01:77 0 EOF
7: FLOCK  ADVISORY  WRITE 704 fe:01:77 0 EOF
`
	dev := unix.Mkdev(0xfe, 1)
	if got := lockOwner(strings.NewReader(list), dev, 77); got != 704 {
		t.Errorf("%d holds it", got)
	}
	if got := lockOwner(strings.NewReader(list), dev, 79); got != 0 {
		t.Errorf("%d holds what nobody holds", got)
	}
	if got := lockOwner(strings.NewReader(strings.Repeat("x", 2<<20)+list), dev, 77); got != 0 {
		t.Errorf("%d was found behind what is read", got)
	}
}
