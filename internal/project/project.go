// Package project has the facts of an opened project: its files, its listed directories, plans by path and by ID, front matter, the
// roadmap of a plan, and what git's history says of them. It only reads, and knows nothing of sessions, runs and claims.
package project

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

// DefaultLimit is how large a plan or a session may be, in bytes.
const DefaultLimit = 16 << 20

// CommandFiles is how much one command may read in all, as a number of files of the largest size. The largest project that we know
// needs less than a hundredth of it.
const CommandFiles = 16

// Project is the directory that holds .planning/. It is opened for one command, and reads each file once.
type Project struct {
	Dir  string // absolute, without links
	From string // where the one who asks is, absolute and without links
	Work string // where the history is: Dir, the directory in a linked worktree that the project was opened from, or that of a link, see Seen
	// Subproject and Workstream are upstream's GSD_PROJECT and GSD_WORKSTREAM, and Flag is what --ws names, see [RootName]. They may be empty.
	Subproject, Workstream, Flag string
	// Base is the planning root that is meant, with its IDs and sessions: .planning, a workstream or a sub-project. Default is the one that
	// would be without a plan's path and --ws. Where several may be meant, they are Undecided, and Base is .planning.
	Base, Default string
	Undecided     []string
	SessionKey    string // upstream's name of the caller's session; see SessionKeyOf
	tree

	link      string          // the directory whose .planning is a link to that of Dir; empty for none
	git       *durable.Budget // as much of git's objects, so that a long history never keeps a plan from being read
	allRoots  []string
	scanned   map[string]*roadmap.Disk     // the phases of roots
	roadmaps  map[string]*roadmap.Roadmap  // by path
	metas     map[string]frontmatter.Meta  // the front matter of files, by path
	digests   map[string]string            // of the plans that FindMoved has read, by path
	others    *[]*Project                  // see Worktrees
	log       *evidence.Log                // see Log
	logged    *gitlog.Repo                 // the project's own repository, of those that log reads; nil if it has none
	repos     []*gitlog.Repo               // all of them
	below     *[]gitlog.Place              // see Below
	progress  func(doing string)           // see Log; may be nil
	isCurrent bool                         // nothing was forgotten since HEAD was compared with that of log
	tips      *[]tip                       // see Sides
	sides     map[string][]*Side           // by phase
	beside    *[]gitlog.Beside             // see BranchWith
	plansIn   map[string]*planref.Siblings // by directory, until Forget
	place     gitlog.Place                 // see Repository
	shared    struct {                     // see Shared
		common, below string
		linked        bool
	}
	has map[string]bool // see HasCommit
}

// ErrNoPlans is the error of OpenAt for a directory without .planning/.
var ErrNoPlans = errors.New("no " + planref.Planning + " in it")

// OpenAt opens the project in a directory, whose links are resolved: another project may have taken its place. It reads files of at
// most limit bytes, within a budget.
func OpenAt(dir string, limit int64, budget *durable.Budget) (*Project, error) {
	if at, err := filepath.EvalSymlinks(dir); err == nil && at != dir {
		return nil, fs.ErrNotExist
	}
	root, err := durable.OpenRootAt(dir)
	if err != nil {
		return nil, err
	}
	if info, err := root.Stat(planref.Planning); err != nil || !info.IsDir() {
		root.Close()
		return nil, ErrNoPlans
	}
	return &Project{Dir: dir, From: dir, Work: dir, Base: planref.Planning, Default: planref.Planning, tree: tree{Files: Files{Limit: limit, root: root, budget: budget}}}, nil
}

// Seen returns where the project is for those who work on it: Dir, or the directory whose .planning is a link to that of Dir.
func (p *Project) Seen() string { return cmp.Or(p.link, p.Dir) }

// Away returns where the project is seen if the one who asks is in another one, from which the paths of an answer cannot be opened; "" otherwise.
func (p *Project) Away() string {
	if at := p.Seen(); at != p.From {
		return at
	}
	return ""
}

// Allow sets the size of the largest file to read, in bytes, and how many files of that size the command may read in all.
// The same total applies to git's objects.
func (p *Project) Allow(limit int64, files int) {
	p.Limit, p.budget = limit, durable.NewBudget(limit*int64(files))
	p.AllowHistory(files)
}

// AllowHistory sets how many files of the largest size the command may read of git's objects from now on.
func (p *Project) AllowHistory(files int) {
	p.git = durable.NewBudget(p.Limit * int64(files))
}

// Close closes the project's directory.
func (p *Project) Close() error {
	p.closeDirs()
	p.closeLog()
	if p.others != nil {
		for _, other := range *p.others {
			other.Close() // it was only read through
		}
	}
	return p.root.Close()
}

// NoDirectory is the error for a working directory that cannot be used.
func NoDirectory(dir string, err error) *problem.Error {
	return &problem.Error{Kind: problem.MissingInput, Text: problem.Cause(dir, err), Hint: "start gsd in an existing directory, or name one with -C DIR", Err: err}
}

// GitDir returns the directory of the project's git repository that all its working trees share; empty outside of one.
func (p *Project) GitDir() string {
	common, _, _ := p.Shared()
	return common
}

// Shared is [gitlog.Place.Shared] of [Project.Repository].
func (p *Project) Shared() (common, below string, linked bool) {
	if p.shared.common == "" {
		p.shared.common, p.shared.below, p.shared.linked = p.Repository().Shared()
	}
	return p.shared.common, p.shared.below, p.shared.linked
}

// Repository returns where the repository of the project's directory is; the zero value outside of one.
func (p *Project) Repository() gitlog.Place {
	if p.place.Err() != nil { // there may be one by now
		p.place = gitlog.Find(p.Dir)
	}
	return p.place
}

// Checkout is [Project.Repository] for the directory whose history counts, which is in another working tree if only the main one has the project.
func (p *Project) Checkout() gitlog.Place {
	if p.Work == p.Dir {
		return p.Repository()
	}
	return gitlog.Find(p.Work)
}

// InPlanning returns the path of a file relative to the project, cleaned and with slashes, from one that is relative to it
// or absolute. It returns false if the file is outside .planning.
func (p *Project) InPlanning(name string) (string, bool) {
	if filepath.IsAbs(name) {
		rel, err := filepath.Rel(p.Dir, physical(name))
		if err != nil {
			return "", false
		}
		name = rel
	}
	name = path.Clean(filepath.ToSlash(name))
	return name, name == planref.Planning || strings.HasPrefix(name, planref.Planning+"/")
}

// physical resolves the links in the directories above name, as far as they exist. The last element is kept: os.Root decides
// whether to follow a link there.
func physical(name string) string {
	dir, err := filepath.EvalSymlinks(filepath.Dir(name))
	if errors.Is(err, fs.ErrNotExist) && filepath.Dir(name) != name {
		dir = physical(filepath.Dir(name))
	} else if err != nil {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, filepath.Base(name))
}

// maxWorktrees is how many worktrees of a repository are read.
const maxWorktrees = 100

// Worktrees opens the project in the other worktrees of its repository: the main one first, then by their names in git. Those
// that do not have the project are left out. They share this project's budget, and Close closes them.
func (p *Project) Worktrees() []*Project {
	if p.others != nil {
		return *p.others
	}
	p.others = new([]*Project)
	top, trees, unread := p.Repository().Worktrees(maxWorktrees)
	if unread > 0 {
		p.Warn(problem.Warning{Code: problem.TooManyWorktrees, Count: maxWorktrees, Of: maxWorktrees + unread})
	}
	below, err := filepath.Rel(top, p.Dir)
	if err != nil {
		return nil
	}
	for _, tree := range trees {
		other, err := OpenAt(filepath.Join(tree, below), p.Limit, p.budget)
		if err != nil {
			continue
		}
		other.Base, other.others = p.Base, new([]*Project) // it looks no further
		*p.others = append(*p.others, other)
	}
	return *p.others
}
