//go:build unix

package watch

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

const hang = 2 * time.Minute // only for one that hangs

// TestOutput: that nobody reads a pipe any more ends waiting, although nothing changes.
func TestOutput(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	watcher := New()
	defer watcher.Close()
	watcher.Output(w)
	tick := make(chan time.Time, 1)
	tick <- time.Time{}
	if _, ok := watcher.Wait(t.Context(), tick); !ok {
		t.Fatal("it ends while the pipe is open")
	}
	r.Close()
	ctx, cancel := context.WithTimeout(t.Context(), hang)
	defer cancel()
	if _, ok := watcher.Wait(ctx, tick); ok || ctx.Err() != nil {
		t.Errorf("ok %v, %v", ok, ctx.Err())
	}
}

// TestOutputIsAFile: what always takes everything never ends it.
func TestOutputIsAFile(t *testing.T) {
	t.Parallel()
	f, err := os.Create(t.TempDir() + "/out")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	closed := make(chan struct{})
	close(closed)
	if awaitUnread(f.Fd(), closed) {
		t.Error("a file is not read any more")
	}
}

func TestReadsQuit(t *testing.T) {
	t.Parallel()
	const up, f2, altQ = "\x1b[A", "\x1bOQ", "\x1bq"
	for _, test := range []struct {
		typed []string
		want  bool
	}{
		{nil, false},
		{[]string{"q"}, true},
		{[]string{"x", "yQ"}, true},
		{[]string{up, f2, altQ, "x"}, false},
		{[]string{f2, "q"}, true},
	} {
		var keys []io.Reader
		for _, typed := range test.typed {
			keys = append(keys, strings.NewReader(typed))
		}
		if got := readsQuit(io.MultiReader(keys...)); got != test.want {
			t.Errorf("%q: %v", test.typed, got)
		}
	}
}
