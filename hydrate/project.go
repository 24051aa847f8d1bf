package hydrate

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/roadmap"
)

// planning is the directory that makes a folder a project.
const planning = ".planning"

// DefaultLimit is how large a plan or a session may be, in bytes.
const DefaultLimit = 16 << 20

// How much one command reads in all, in files of the largest size. The largest project known to us needs less than a
// hundredth of it. An agent waits for a hook.
const (
	CommandFiles = 16
	HookFiles    = 4
	recoverFiles = 64 // of git's objects, for who asks what they tell
)

// Project is the directory that holds .planning/. All files are read and written through its root, so
// no link leads out of it. It is opened for one command: a roadmap is read once, however often it is asked.
type Project struct {
	Dir   string // absolute, without links
	Limit int64  // the largest file that is read, in bytes; see Allow
	// Subproject and Workstream are what is meant where the session does not say, as upstream's GSD_PROJECT and
	// GSD_WORKSTREAM; empty for none.
	Subproject, Workstream string
	// UserWarnings are about the user's name. Every answer has them, before its own.
	UserWarnings []Warning
	World

	work     string // the directory that it was opened from, maybe in another worktree: whose history counts
	root     *os.Root
	roadmaps map[string]*roadmap.Roadmap // those that were parsed, by path

	budget *durable.Budget // what the command may read of the project's files
	git    *durable.Budget // as much of git's objects, so that a long history never keeps a plan from being read

	beside   directory                 // the one that was last looked through for a summary
	warned   []Warning                 // of what could not be looked at
	passed   []string                  // notes to go on from that lie in directories which were listed
	looked   map[string]sessionOn      // the sessions that status read, by user
	present  map[string]bool           // what was looked for, see exists
	allRoots []string                  // once roots was asked
	metas    map[string]roadmap.Meta   // the front matters that were read, by path
	scanned  map[string]*roadmap.Disk  // the phases of roots, once phases was asked
	listed   map[durable.FileID]string // the directories of phases that are listed, by the path that each counts under
	again    bool                      // a link was listed for a directory that came after it; see scan
	near     [2]near                   // the directories that were last looked into, see rootAt
}

// Open finds the project that dir belongs to: the nearest folder upwards that holds .planning/, else,
// where dir lies in a linked git worktree, the same search in the main worktree (git is not run). The
// error is of kind NoProject.
func Open(dir string) (*Project, error) {
	start, err := dir, error(nil)
	if !filepath.IsAbs(dir) {
		start, err = filepath.Abs(dir)
	}
	if err == nil {
		start, err = filepath.EvalSymlinks(start) // not cleaned before: link/.. is above where the link leads to
	}
	if err == nil {
		err = isDirectory(start)
	}
	if err != nil {
		return nil, NoDirectory(dir, err)
	}
	found := upwards(start, "")
	work := found
	if found == "" {
		if main, below := mainWorktree(start); main != "" {
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

// Allow sets how large a file may be that is read, in bytes, and how much the command reads in all, in such files: of the
// project, and as much of git's objects.
func (p *Project) Allow(limit int64, files int) {
	p.Limit = limit
	p.budget, p.git = durable.NewBudget(limit*int64(files)), durable.NewBudget(limit*int64(files))
}

// isDirectory looks before anything is opened: a named pipe would hold us up for ever.
func isDirectory(name string) error {
	info, err := os.Stat(name)
	if err == nil && !info.IsDir() {
		err = &fs.PathError{Op: "open", Path: name, Err: syscall.ENOTDIR}
	}
	return err
}

// NoDirectory says that the directory to act in is not there.
func NoDirectory(dir string, err error) *Error {
	return &Error{Kind: MissingInput, Text: cause(dir, err), Hint: "start gsd in an existing directory, or name one with -C DIR", Err: err}
}

// Close lets go of the project's directory.
func (p *Project) Close() error {
	p.leave()
	return p.root.Close()
}

// upwards gives the nearest folder at or above dir that holds .planning/, not looking above stop.
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

// mainWorktree gives, for a folder in a linked git worktree, the main worktree and the way from its top
// to the same folder. A linked worktree has a file .git that names its directory in the main one's
// .git/worktrees, and that one's file commondir leads to the main .git (gitrepository-layout(5)).
func mainWorktree(dir string) (main, below string) {
	for top := dir; ; top = filepath.Dir(top) {
		text, err := readSmall(top, ".git")
		if errors.Is(err, fs.ErrNotExist) && top != filepath.Dir(top) {
			continue
		}
		gitDir, ok := strings.CutPrefix(text, "gitdir: ")
		if err != nil || !ok {
			return "", "" // a directory, so this is a main worktree; or nothing that we know
		}
		private := absolute(top, gitDir)
		common, err := readSmall(private, "commondir")
		if err != nil || !pointsBack(private, top) {
			return "", ""
		}
		shared := absolute(private, common)
		below, err := filepath.Rel(top, dir)
		if err != nil || filepath.Base(shared) != ".git" {
			return "", ""
		}
		return filepath.Dir(shared), below
	}
}

// pointsBack reports whether the private directory of a worktree knows it, as git checks it: else any file
// .git could claim to be a worktree of somebody's project.
func pointsBack(private, top string) bool {
	link, err := readSmall(private, "gitdir")
	if err != nil {
		return false
	}
	there, err := os.Stat(absolute(private, link))
	if err != nil {
		return false
	}
	here, err := os.Stat(filepath.Join(top, ".git"))
	return err == nil && os.SameFile(here, there)
}

// readSmall reads one of git's little files, without the newline at its end.
func readSmall(dir, name string) (string, error) {
	text, err := (*durable.Budget)(nil).ReadAt(filepath.Join(dir, name), 1<<16)
	return strings.TrimRight(string(text), "\r\n"), err
}

func absolute(base, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(base, name)
}

// read reads a regular file of the project, named with slashes.
func (p *Project) read(name string) ([]byte, error) {
	data, _, err := p.readStamped(name)
	return data, err
}

// readStamped is read with the version that was read.
func (p *Project) readStamped(name string) (data []byte, stamp durable.Stamp, err error) {
	err = p.from(path.Dir(name), path.Base(name), func(root *os.Root, name string) error {
		data, stamp, err = p.budget.Read(root, name, p.Limit)
		return err
	})
	return data, stamp, err
}

func (p *Project) session(user string) session.Dir {
	d := session.At(p.root, user)
	d.Writer, d.Budget, d.Beside = p.write, p.budget, p.from
	return d
}

// inPlanning gives the place of a plan inside the project from a path that is relative to it or
// absolute: cleaned, with slashes. false where it lies outside .planning.
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

// physical resolves the links in the directories above name, as far as there are any. The last element
// stays: whether a link there may be followed is for os.Root to say.
func physical(name string) string {
	dir, err := filepath.EvalSymlinks(filepath.Dir(name))
	if errors.Is(err, fs.ErrNotExist) && filepath.Dir(name) != name {
		dir = physical(filepath.Dir(name))
	} else if err != nil {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, filepath.Base(name))
}
