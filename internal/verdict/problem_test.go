package verdict

import (
	"fmt"
	"io/fs"
	"reflect"
	"testing"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/problem"
)

// TestInUse: Windows keeps others from a file that a program has open. Nothing is wrong with the disk, and it passes.
func TestInUse(t *testing.T) {
	held := &fs.PathError{Path: "dir/file", Err: fmt.Errorf("%w: sharing violation", durable.ErrInUse)}
	for _, err := range []*problem.Error{problem.ReadFailed("dir/file", 1, held), WriteFailed("dir/session", held)} {
		if want := "another program has dir/file open"; err.Kind != problem.Busy || err.Text != want || err.Hint == "" {
			t.Errorf("%+v, want %q", err, want)
		}
	}
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	name, a, b := problem.Warning{Code: "name"}, problem.Warning{Code: "a", Says: "x"}, problem.Warning{Code: "a", Says: "y"}
	p := &Project{UserWarnings: []problem.Warning{name}}
	if got := p.Warnings([]problem.Warning{a, b, a}, []problem.Warning{name, b}); !reflect.DeepEqual(got, []problem.Warning{name, a, b}) {
		t.Errorf("%v", got)
	}
}
