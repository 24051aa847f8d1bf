package durable

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestAtSwapped: somebody exchanges a file for a FIFO and back, all the time, and nobody waits for the FIFO's other end.
func TestAtSwapped(t *testing.T) {
	_, dir := newRoot(t)
	write(t, dir, "at", "content")
	at, fifo := filepath.Join(dir, "at"), filepath.Join(dir, "fifo")
	if err := unix.Mkfifo(fifo, 0o644); err != nil {
		t.Fatal(err)
	}
	swap := func() error { return unix.Renameat2(unix.AT_FDCWD, at, unix.AT_FDCWD, fifo, unix.RENAME_EXCHANGE) }
	if err := swap(); err != nil {
		t.Skip("no exchange of names here:", err)
	}
	stop := keepDoing(swap)
	defer stop()
	read, refused := 0, 0
	for read == 0 || refused == 0 || read+refused < 2000 {
		switch data, err := (*Budget)(nil).ReadAt(at, 100); {
		case err == nil && string(data) == "content":
			read++
		case errors.Is(err, ErrNotRegular):
			refused++
		default:
			t.Fatalf("%q, %v", data, err)
		}
		if _, err := DirAt(at); !errors.Is(err, syscall.ENOTDIR) {
			t.Fatal(err)
		}
	}
}

// keepDoing calls f again and again until stop is called.
func keepDoing(f func() error) (stop func()) {
	asked, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-asked:
				return
			default:
				f()
			}
		}
	}()
	return func() { close(asked); <-done }
}
