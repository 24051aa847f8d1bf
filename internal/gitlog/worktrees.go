package gitlog

// worktrees.go: the working trees of a repository (git-worktree(1), gitrepository-layout(5)). The file .git of a linked one
// names its private directory, worktrees/NAME in the directory that all share, and the file gitdir in there names the file
// .git. As git checks, too, it is only one if each names the other: otherwise any directory could claim to be a working tree
// of another project, and any project could claim directories that are none of its business.

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/gsd-cli/gsd/internal/durable"
)

// MainWorktree returns, in a linked working tree, the main one and the path of the same directory below it.
// Both are empty in the main working tree, outside of a repository, and if there is no main one.
func (p Place) MainWorktree() (main, below string) {
	if p.dir == p.common || filepath.Base(p.common) != ".git" || treeOf(p.dir) != physical(p.top) {
		return "", ""
	}
	below, err := filepath.Rel(p.top, p.of)
	if err != nil {
		return "", ""
	}
	return filepath.Dir(p.common), below
}

// AroundBare returns, in a linked working tree of a bare repository, the directory that holds the repository, as DIR for DIR/.bare; "" elsewhere.
func (p Place) AroundBare() string {
	if p.dir == p.common || filepath.Base(p.common) == ".git" || treeOf(p.dir) != physical(p.top) {
		return ""
	}
	return filepath.Dir(p.common)
}

// Shared returns the directory that all working trees of the repository share, without links, and the path of the directory that was asked
// about below its own working tree. linked reports whether that is a linked one. common is empty outside of a repository.
func (p Place) Shared() (common, below string, linked bool) {
	if p.dir == "" || p.dir != p.common && treeOf(p.dir) != physical(p.top) {
		return "", "", false
	}
	below, err := filepath.Rel(p.top, p.of)
	if err != nil {
		return "", "", false
	}
	if common = p.common; !p.plain {
		common = physical(common)
	}
	return common, below, p.dir != p.common
}

// Worktrees returns the working tree itself, and the others of its repository, without links: the main one first, then
// the linked ones by their names in the repository. Those whose directory is gone are left out. It looks at most names of them;
// unread is how many more there are.
func (p Place) Worktrees(most int) (top string, others []string, unread int) {
	if p.dir == "" || p.dir != p.common && treeOf(p.dir) != physical(p.top) {
		return "", nil, 0
	}
	if filepath.Base(p.common) == ".git" {
		others = append(others, physical(filepath.Dir(p.common)))
	}
	all := filepath.Join(p.common, "worktrees")
	names, _ := durable.NamesAt(all) // without linked ones, there is no such directory
	slices.Sort(names)
	unread = max(0, len(names)-most)
	for _, name := range names[:len(names)-unread] {
		if tree := treeOf(filepath.Join(all, name)); !slices.Contains(others, tree) { // a name may be a link to another
			others = append(others, tree)
		}
	}
	top = physical(p.top)
	others = slices.DeleteFunc(others, func(tree string) bool { return tree == top || tree == "" })
	return top, others, unread
}

// treeOf returns the linked working tree with the given private directory, "" if there is none.
func treeOf(private string) string {
	link, err := readLine(filepath.Join(private, "gitdir"))
	if err != nil || link == "" {
		return ""
	}
	dot := within(private, link)
	// On Windows, merely looking at another computer's share would log in there.
	if volume := filepath.VolumeName(dot); filepath.Base(dot) != ".git" || len(volume) > 2 && volume != filepath.VolumeName(private) {
		return ""
	}
	here, err := os.Stat(private)
	if err != nil {
		return ""
	}
	line, err := readLine(dot)
	to, ok := gitDirIn(filepath.Dir(dot), line)
	if err != nil || !ok {
		return ""
	}
	there, err := os.Stat(to)
	if err != nil || !os.SameFile(here, there) {
		return ""
	}
	return physical(filepath.Dir(dot))
}
