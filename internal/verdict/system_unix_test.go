//go:build unix

package verdict

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gsd-cli/gsd/internal/planref"
)

func TestForeign(t *testing.T) {
	for _, c := range []struct {
		owner, me int
		want      bool
	}{
		{1000, 1000, false}, {1001, 1000, true}, {0, 1000, false}, {1000, 0, false}, {0, 0, false}, {65534, 1000, true},
	} {
		if got := foreign(c.owner, c.me); got != c.want {
			t.Errorf("%d's, seen by %d: %v", c.owner, c.me, got)
		}
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, planref.Planning), 0o755); err != nil {
		t.Fatal(err)
	}
	p, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if p.Foreign() {
		t.Error("our own is another's")
	}
}
