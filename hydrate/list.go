package hydrate

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"

	"github.com/gsd-cli/gsd/internal/durable"
)

// names lists a directory of the project, in no order; one that cannot be read is empty.
func (p *Project) names(dir string) []string {
	names, _ := durable.Names(p.root, dir)
	return names
}

// list is names for many directories, one beside the other: they are opened from the one above them, because
// from the project's root each name on the way costs an open of its own. A directory that is there and may not
// be read is a warning: what is in it would be missing without a word.
func (p *Project) list(dir string) []string {
	names, err := p.listFrom(path.Dir(dir), path.Base(dir))
	for _, name := range names {
		if isHandOff(name) {
			p.passed = append(p.passed, path.Join(dir, name))
		}
	}
	if errors.Is(err, durable.ErrEscapes) { // of the directory above; maybe not of the project
		names, err = durable.Names(p.root, dir)
	}
	switch {
	case errors.Is(err, fs.ErrPermission):
		p.warn(DirectoryUnreadable, dir+" may not be read; the plans in it do not count")
	case errors.Is(err, durable.ErrEscapes):
		p.warn(DirectoryUnreadable, dir+" leads out of the project; the plans in it do not count")
	}
	return names
}

// warn keeps what next and status have to tell of what they could not look at.
func (p *Project) warn(code, detail string) {
	if w := (Warning{code, detail}); !slices.Contains(p.warned, w) {
		p.warned = append(p.warned, w)
	}
}

func (p *Project) listFrom(above, name string) ([]string, error) {
	if p.near.root == nil || p.near.dir != above {
		p.near.close()
		root, err := durable.OpenRoot(p.root, above)
		if err != nil {
			return nil, err
		}
		p.near = near{above, root}
	}
	return durable.Names(p.near.root, name)
}

// directory is one that was listed.
type directory struct {
	dir   string
	names []string
}

// near is a directory that was last listed from.
type near struct {
	dir  string
	root *os.Root
}

func (n *near) close() {
	if n.root != nil {
		n.root.Close() // it was only read through
		n.root = nil
	}
}
