package hydrate

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/roadmap"
)

const planning = ".planning"

// DefaultLimit is how large a plan or a session may be, in bytes.
const DefaultLimit = 16 << 20

// How much one command may read in all, as a number of files of the largest size. The largest project that we know needs
// less than a hundredth of it. Hooks may read less, because an agent waits for them.
const (
	CommandFiles = 16
	HookFiles    = 4
	restoreFiles = 64 // of git's objects, to restore from them
)

// World is what a command depends on besides its project.
type World struct {
	// StateDir holds this user's breadcrumbs and the ID of this machine; empty for none.
	StateDir session.StateDir
	// Caller is who runs the command, as far as is known.
	Caller run.Caller
	// Now is when the command was started. Claims of others expire; at the zero time, none of them counts.
	Now time.Time
	// Progress is told, now and then, what long work is doing, in a few words for a person; nil for nobody. It returns at once.
	Progress func(doing string)

	processes run.Processes  // nil for the system's
	write     durable.Writer // tests make it fail or crash
}

// With returns the world with another process table, in which before is called before each step on the disk, and the step
// fails with the error that it returns: for tests of other packages.
func (w World) With(processes run.Processes, before func(step string) error) World {
	w.processes = processes
	w.write.Before = func(s durable.Step) error { return before(string(s)) }
	return w
}

// StateDirOf finds the state directory in an environment.
func StateDirOf(getenv func(string) string) session.StateDir {
	return session.FindStateDir(getenv)
}

func (w *World) table() run.Processes {
	if w.processes == nil {
		w.processes = run.NewSystem(w.StateDir.Machine)
	}
	return w.processes
}

func (w *World) caller() run.Caller {
	w.Caller = w.Caller.Find(w.table())
	return w.Caller
}

// Project is the directory that holds .planning/. All its files are read and written through its root, so that links
// cannot lead out of it. It is opened for one command, and reads each file once.
type Project struct {
	Dir   string // absolute, without links
	Limit int64  // the largest file that is read, in bytes; see Allow
	// Subproject and Workstream are upstream's GSD_PROJECT and GSD_WORKSTREAM. They choose the root if the session does not.
	// They may be empty.
	Subproject, Workstream string
	// UserWarnings are about the user's name. Every answer begins its warnings with them.
	UserWarnings []Warning
	World

	work     string // where the history is: Dir, or the directory in a linked worktree that the project was opened from
	root     *os.Root
	openDirs [2]directory // see rootAt

	budget *durable.Budget // what the command may read of the project's files
	git    *durable.Budget // as much of git's objects, so that a long history never keeps a plan from being read

	warned       []Warning        // of what could not be read
	unread       map[string]error // see noteUnread
	handOffNotes []string         // hand-off notes in directories that were listed
	siblings     struct {         // of the plan whose summary was last looked for
		dir   string
		names []string
	}

	roadmaps     map[string]*roadmap.Roadmap // by path
	existing     map[string]bool             // see exists
	digests      map[string]string           // of the plans that findMoved has read, by path
	tasks        map[string][]described      // of plans, by path; see tasksOf
	relocated    map[planThen]relocated      // see whereIs
	metas        map[string]roadmap.Meta     // the front matter of files, by path
	sessionPlans map[string]sessionOn        // the sessions that status has read, by user
	others       *[]*Project                 // see worktrees
	synced       *team                       // see team
	below        *string                     // see belowTop
	allRoots     []string
	scanned      map[string]*roadmap.Disk  // the phases of roots
	listed       map[durable.FileID]string // the path under which each listed directory of a phase counts
	relist       bool                      // a link was listed before its directory; see settle
}

// Open finds the project that dir belongs to: the nearest directory at or above dir that contains .planning/. If there is
// none and dir is in a linked git worktree, it looks in the main worktree (without running git). Errors are of kind
// NoProject, or MissingInput if dir cannot be used.
func Open(dir string) (*Project, error) {
	start, err := dir, error(nil)
	if !filepath.IsAbs(dir) {
		start, err = filepath.Abs(dir)
	}
	if err == nil {
		start, err = filepath.EvalSymlinks(start) // not cleaned first: link/.. is the parent of the link's target
	}
	if err == nil { // checked before it is opened, because a named pipe would block
		info, statErr := os.Stat(start)
		if err = statErr; err == nil && !info.IsDir() {
			err = &fs.PathError{Op: "open", Path: start, Err: syscall.ENOTDIR}
		}
	}
	if err != nil {
		return nil, NoDirectory(dir, err)
	}
	found := upwards(start, "")
	work := found
	if found == "" {
		if main, below := gitlog.MainWorktree(start); main != "" {
			found, work = upwards(filepath.Join(main, below), main), start
		}
	}
	if found == "" {
		return nil, fail(NoProject, "run gsd in a project, or name one with -C DIR",
			"no %s directory in %s or above it", planning, start)
	}
	root, err := durable.OpenRootAt(found)
	if err != nil {
		return nil, &Error{Kind: NoProject, Text: cause(found, err), Err: err}
	}
	p := &Project{Dir: found, root: root, work: work}
	p.Allow(DefaultLimit, CommandFiles)
	return p, nil
}

// Allow sets the size of the largest file to read, in bytes, and how many files of that size the command may read in all.
// The same total applies to git's objects.
func (p *Project) Allow(limit int64, files int) {
	p.Limit = limit
	p.budget, p.git = durable.NewBudget(limit*int64(files)), durable.NewBudget(limit*int64(files))
}

// NoDirectory is the error for a working directory that cannot be used.
func NoDirectory(dir string, err error) *Error {
	return &Error{MissingInput, cause(dir, err), "start gsd in an existing directory, or name one with -C DIR", err}
}

// GitDir returns the directory of the project's git repository that all its working trees share; empty outside of one.
func (p *Project) GitDir() string {
	common, _, _ := gitlog.Shared(p.Dir)
	return common
}

// Close closes the project's directory.
func (p *Project) Close() error {
	p.closeDirs()
	if p.others != nil {
		for _, other := range *p.others {
			other.Close() // it was only read through
		}
	}
	return p.root.Close()
}

// upwards returns the nearest directory at or above dir that contains .planning/, looking no further than stop.
func upwards(dir, stop string) string {
	for {
		if info, err := os.Stat(filepath.Join(dir, planning)); err == nil && info.IsDir() {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir || dir == stop {
			return ""
		}
		dir = parent
	}
}

// read reads a regular file of the project, named with slashes.
func (p *Project) read(name string) (data []byte, err error) {
	err = p.from(path.Dir(name), path.Base(name), func(root *os.Root, name string) error {
		data, _, err = p.budget.Read(root, name, p.Limit)
		return err
	})
	return data, err
}

func (p *Project) session(user string) session.Dir {
	d := session.At(p.root, user)
	d.Writer, d.Budget, d.Beside = p.write, p.budget, p.from
	d.MayTrack = func(name string) bool { return gitlog.MayTrack(p.Dir, name) }
	return d
}

// inPlanning returns the path of a file relative to the project, cleaned and with slashes, from one that is relative to it
// or absolute. It returns false if the file is outside .planning.
func (p *Project) inPlanning(name string) (string, bool) {
	if filepath.IsAbs(name) {
		rel, err := filepath.Rel(p.Dir, physical(name))
		if err != nil {
			return "", false
		}
		name = rel
	}
	name = path.Clean(filepath.ToSlash(name))
	return name, name == planning || strings.HasPrefix(name, planning+"/")
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
