package verdict

import (
	"fmt"
	"io/fs"
	"reflect"
	"testing"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/project"
)

// TestInUse: Windows keeps others from a file that a program has open. Nothing is wrong with the disk, and it passes.
func TestInUse(t *testing.T) {
	held := &fs.PathError{Path: "dir/file", Err: fmt.Errorf("%w: sharing violation", durable.ErrInUse)}
	for _, err := range []*project.Error{project.ReadFailed("dir/file", 1, held), WriteFailed("dir/session", held)} {
		if want := "another program has dir/file open"; err.Kind != project.Busy || err.Text != want || err.Hint == "" {
			t.Errorf("%+v, want %q", err, want)
		}
	}
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	name, a, b := project.Warning{Code: "name"}, project.Warning{Code: "a", Says: "x"}, project.Warning{Code: "a", Says: "y"}
	p := &Project{UserWarnings: []project.Warning{name}}
	if got := p.Warnings([]project.Warning{a, b, a}, []project.Warning{name, b}); !reflect.DeepEqual(got, []project.Warning{name, a, b}) {
		t.Errorf("%v", got)
	}
}
