// Package roadmap reads a GSD project as it is planned: ROADMAP.md, and the directories of its phases with their plans, summaries and
// verifications. It knows neither git nor sessions, and writes nothing.
//
//	dir, _ := os.OpenRoot("/home/ada/notes")         // links cannot lead out of it
//	r, _ := roadmap.Read(dir.FS(), ".planning")
//	for _, phase := range r.Phases {
//		fmt.Println(phase.Number, phase.Title, phase.Status, phase.Done, "of", phase.Total)
//	}
//
// ROADMAP.md says one thing in several places, which people and models write and do not all keep up to date. Which phases are complete or
// deferred, how many plans are done, and the percentage are the same in gsd status. The other words differ: a phase that is not-started here
// is not-planned there, or planned if it has plans, or in-progress once commits or a session have started one of them; and a phase whose work
// is done, but whose verification did not pass, is done there. Which phase is the current one, and which plan comes next, depends on commits
// and sessions: package hydrate says so, in Status, and the roadmap alone would often be wrong.
//
// A number is a text, because phases are called 2.1, 12A and AUTH as well. Texts are as the files have them, and anybody may have written
// those.
package roadmap

import (
	"errors"
	"io"
	"io/fs"
	"path"

	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

// The errors of an unreadable ROADMAP.md. One with conflict markers has a *planfile.ConflictError.
var (
	ErrEncoding = roadmap.ErrEncoding // it is not UTF-8
	ErrEmpty    = roadmap.ErrEmpty    // as a crash may leave it
)

// maxSize is how many bytes of a file are read.
const maxSize = 16 << 20

// Status is how far a phase or a milestone is.
type Status string

// The statuses. A milestone of which the roadmap says nothing has none of them.
const (
	NotStarted Status = "not-started"
	InProgress Status = "in-progress"
	Complete   Status = "complete"
	Deferred   Status = "deferred" // postponed, blocked or dropped
)

var statuses = map[roadmap.Status]Status{
	roadmap.NotStarted: NotStarted, roadmap.InProgress: InProgress, roadmap.Complete: Complete, roadmap.Deferred: Deferred,
}

// Roadmap is a project as it is planned.
type Roadmap struct {
	Title      string      // Foo for "# Roadmap: Foo"; may be empty
	Milestones []Milestone // those that ROADMAP.md names, sorted by version
	Phases     []Phase     // those of ROADMAP.md in its order, and between them those that only have a directory
	Quick      []Plan      // the quick tasks, which belong to no phase
	Progress   Progress    // of the phases that count now
	Cut        bool        // ROADMAP.md has so many lines that not all were read
}

// Milestone is one version of the project.
type Milestone struct {
	Version string // 1 for v1.0, 1.10 for v1.10
	Label   string // the version as it is written
	Name    string // without the version; may be empty
	Status  Status // as it is written; may be empty
	Line    int    // of ROADMAP.md, from 1
	Current bool   // its phases count now
}

// Phase is a phase of ROADMAP.md, of the disk, or of both.
type Phase struct {
	Number    string // such as 3, 2.1 or AUTH; empty if its directory has none
	Title     string // may be empty
	Milestone string // the version of its milestone; may be empty
	Status    Status // complete only once its verification passed, if it has one, and its UAT is over
	Line      int    // of ROADMAP.md, from 1; 0 if that does not mention it
	Dir       string // its directory, such as .planning/phases/03-api; empty if it has none
	Plans     []Plan // of its directory, sorted by number

	// Done of Total plans. What was done counts, also if its files are gone. A plan that only ROADMAP.md lists does not.
	Done, Total int
	// Verification is the status of its VERIFICATION.md in lower case, such as passed or gaps_found; empty without one, and if nobody has to
	// read it because the milestone is over.
	Verification string
	// Counts is set if it is one of those that count now: of the current milestone, or without one of any that is not over.
	Counts bool
}

// Plan is a plan on disk.
type Plan struct {
	Path    string // such as .planning/phases/03-api/03-01-PLAN.md
	ID      string // its short name, such as 03-01 or quick/001; empty if it has none
	Title   string // in ROADMAP.md; may be empty
	Summary string // the path of its summary; empty while it is not done
	Halted  bool   // it was stopped on purpose, says its summary
}

// Done reports whether the plan has its summary.
func (p *Plan) Done() bool { return p.Summary != "" }

// Progress is how much of the phases that count now is done.
type Progress struct {
	Phases, PhasesDone int
	Plans, PlansDone   int
	// Percent is the smaller one of the shares of phases and plans, at most 99 while a phase is open or not verified; nil if it is not known
	// which phases count.
	Percent *int
}

// Roots returns the directories in a project that are laid out like .planning: itself, then its workstreams and sub-projects.
func Roots(fsys fs.FS) []string {
	return roadmap.Roots(list(fsys), exists(fsys), ".planning")
}

// Parse reads a ROADMAP.md alone: its phases have neither directories nor plans. It takes linear time and accepts any text; the error is
// one of those above.
func Parse(src []byte) (*Roadmap, error) {
	if err := roadmap.Check(src); err != nil {
		return nil, err
	}
	return of(roadmap.Parse(src, ""), &roadmap.Disk{}), nil
}

// Read reads a root of the project at the top of fsys: .planning, or another one that [Roots] returns. What is missing or cannot be read is
// empty: a project may have plans before it has a ROADMAP.md. But a ROADMAP.md that is there and cannot be read as one is an error.
//
// fsys is best that of an [os.Root]: a link cannot lead out of it.
func Read(fsys fs.FS, root string) (*Roadmap, error) {
	if !fs.ValidPath(root) || root == "." {
		return nil, &fs.PathError{Op: "read", Path: root, Err: fs.ErrInvalid}
	}
	disk := roadmap.ScanPhases(list(fsys), root)
	parsed := roadmap.Parse(nil, named(fsys, root))
	if name, ok := roadmap.Nearest(exists(fsys), path.Join(root, "x")); ok {
		src, err := read(fsys, name, maxSize)
		if err == nil {
			err = roadmap.Check(src)
		}
		if err != nil {
			return nil, &fs.PathError{Op: "read", Path: name, Err: err}
		}
		parsed = roadmap.Parse(src, named(fsys, path.Dir(name)))
	}
	if len(disk.Archived) > 0 {
		disk.Activate(parsed)
	}
	disk.Read(func(name string) string {
		head, err := front(fsys, name)
		if err != nil {
			return frontmatter.Unmerged
		}
		return frontmatter.Read(head).Status
	}, parsed)
	disk.Quick = roadmap.ScanQuick(list(fsys), root)
	return of(parsed, disk), nil
}

// of joins what was written with what is on disk.
func of(parsed *roadmap.Roadmap, disk *roadmap.Disk) *Roadmap {
	entries := roadmap.Join(disk, parsed)
	scope := parsed.Scope(entries)
	r := &Roadmap{Title: parsed.Title, Cut: parsed.Cut > 0}
	for _, m := range parsed.Milestones {
		r.Milestones = append(r.Milestones, Milestone{
			Version: m.Version, Label: m.Label, Name: m.Name, Status: statuses[m.Status], Line: m.Line, Current: m.Version == scope.Milestone,
		})
	}
	plans := func(others []roadmap.Plan, milestone string) (all []Plan) {
		for _, p := range others {
			all = append(all, Plan{Path: p.Path, ID: p.ID, Title: parsed.PlanTitle(milestone, p.ID), Summary: p.Summary, Halted: p.Halted})
		}
		return all
	}
	var all roadmap.Progress
	for i := range entries {
		e := &entries[i]
		phase := Phase{
			Number: e.Number.String(), Title: e.Title, Milestone: e.Milestone, Status: statuses[e.Status], Line: e.Line,
			Done: e.Done, Total: e.Total, Counts: scope.Has(e),
		}
		if e.Dir != nil {
			phase.Dir, phase.Plans, phase.Verification = e.Dir.Path, plans(e.Dir.Plans, e.Milestone), e.Dir.Verified
		}
		if phase.Counts {
			all.Add(e)
		}
		r.Phases = append(r.Phases, phase)
	}
	r.Quick = plans(disk.Quick, "")
	r.Progress = Progress{Phases: all.Phases, PhasesDone: all.PhasesDone, Plans: all.Plans, PlansDone: all.PlansDone}
	if percent, ok := all.Percent(); ok && !scope.Unbounded && !r.Cut {
		r.Progress.Percent = &percent
	}
	return r
}

func list(fsys fs.FS) roadmap.List {
	return func(dir string) (names []string) {
		all, err := fs.ReadDir(fsys, dir)
		if err != nil {
			return nil
		}
		for _, entry := range all {
			names = append(names, entry.Name())
		}
		return names
	}
}

func exists(fsys fs.FS) func(name string) bool {
	return func(name string) bool {
		_, err := fs.Stat(fsys, name)
		return err == nil
	}
}

// named returns the milestone that the STATE.md in a directory names.
func named(fsys fs.FS, dir string) string {
	head, err := front(fsys, path.Join(dir, "STATE.md"))
	if err != nil {
		return ""
	}
	return roadmap.NamedMilestone(head)
}

// front returns the beginning of a file, in which its front matter is; nothing of one that cannot be read. The error is that of conflict
// markers in it.
func front(fsys fs.FS, name string) ([]byte, error) {
	head, _ := read(fsys, name, frontmatter.MaxSize)
	return head, frontmatter.Conflict(head, func() []byte {
		src, _ := read(fsys, name, maxSize)
		return src
	})
}

var errIrregular = errors.New("it is not a regular file")

// read reads at most so many bytes of a file. A pipe, which would block, is not opened.
func read(fsys fs.FS, name string, most int64) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	if err == nil && !info.Mode().IsRegular() {
		err = errIrregular
	}
	if err != nil {
		return nil, err
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() // it was only read
	return io.ReadAll(io.LimitReader(f, most))
}
