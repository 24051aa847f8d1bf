package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
)

// Crumbs lie in crumbs/ID.crumb.json below the state directory, one file each.
//
// The law: no lock is taken, because the sessions of one user have none in common, and a crumb is replaced in one
// step. Two writers of one crumb are rare, for each holds its session's guard; whoever is last wins. Nothing here is
// worth waiting for a disk, except that a crumb that was removed stays removed: it would tell of a loss that is none.
const (
	crumbsDir   = "crumbs"
	crumbSuffix = ".crumb.json"
	crumbLimit  = 8 << 20 // bytes; one of 100,000 tasks has half of it
	maxStem     = 100     // characters of a file's name before its suffix

	// A temporary of a living writer is a few milliseconds old. An hour leaves room for a machine that slept,
	// and for a file server's clock.
	tempLife = time.Hour

	crumbRetries = 3

	// What one command reads of crumbs. They are removed when their session ends, or a week after it was lost: there
	// are a few for each project.
	maxCrumbs  = 1000
	crumbBytes = 32 << 20
)

// ErrCrumbVersion means that a later version of gsd wrote a crumb, which is not overwritten.
var ErrCrumbVersion = errors.New("the crumb was written by a later version of gsd")

// Crumbs are those of a state directory, by their ids.
type Crumbs struct {
	Good   []Crumb
	Bad    []BadCrumb
	Unread int // files that were not read: there are more, or larger ones, than one command reads
}

// A BadCrumb is a file with the name of a crumb that is none.
type BadCrumb struct {
	ID  string // its name without .crumb.json; [StateDir.RemoveCrumb] takes it
	Why string // a few words of printable ASCII
}

// WriteCrumb makes c the crumb of its session. It sets Version and ID, makes Updated UTC, and makes the
// directories that are missing. What is no UTF-8 in names is written as U+FFFD.
//
// Errors: fs.ErrInvalid for a crumb that could not be read again (its project's path or its plan's is not UTF-8, say,
// or it has no stamp), [ErrCrumbVersion], durable.ErrTooLarge, durable.ErrChanged where others write the same crumb
// faster, those of durable.Writer.Replace and the system's. A crumb can be done without: the caller goes on.
func (s StateDir) WriteCrumb(w durable.Writer, c Crumb) error {
	c = c.filled()
	name := crumbName(c.ID)
	text, err := c.encode()
	switch why := c.fault(); {
	case why != "":
		err = fmt.Errorf("%s: %w", why, fs.ErrInvalid)
	case err == nil && len(text) > crumbLimit:
		err = durable.ErrTooLarge
	}
	if err != nil {
		return &fs.PathError{Op: "write", Path: name, Err: err}
	}
	dir, err := s.openOrMake()
	if err != nil {
		return err
	}
	defer dir.Close()
	w.Lazy = true
	return untilUnchanged(func() error {
		was, err := durable.Look(dir, name)
		switch {
		case err != nil:
			return err
		case was.IsZero():
			err = durable.MkdirAll(dir, crumbsDir, privateDirPerm)
		case laterAt(dir, name): // what cannot be read, or is no crumb, may be replaced
			err = &fs.PathError{Op: "write", Path: name, Err: ErrCrumbVersion}
		}
		if err != nil {
			return err
		}
		return w.Replace(dir, name, [][]byte{text}, privateFilePerm, was)
	})
}

// crumbName is the crumb's file below the state directory.
func crumbName(id string) string { return crumbsDir + "/" + id + crumbSuffix }

// untilUnchanged writes again, a few times, while others change what write looks at.
func untilUnchanged(write func() error) error {
	err := write()
	for range crumbRetries {
		// Not there: it was, a moment ago, and another removed it.
		if !errors.Is(err, durable.ErrChanged) && !errors.Is(err, fs.ErrNotExist) {
			break
		}
		err = write()
	}
	return err
}

// laterAt reports whether a later version wrote a crumb. It reads no more than its beginning, where the version stands.
func laterAt(dir *os.Root, name string) bool {
	f, err := durable.Open(dir, name)
	if err != nil {
		return false
	}
	defer f.Close()
	d := json.NewDecoder(io.LimitReader(f, 4<<10))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return false
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return false
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return false
		}
		if key == "version" {
			var version int
			return json.Unmarshal(value, &version) == nil && version > crumbVersion
		}
	}
	return false
}

// RemoveCrumb removes the crumb id, which is a crumb's or a bad one's; fs.ErrInvalid for anything else. What goes is
// what has the name: a link and not what it leads to, a directory only if it is empty. One that is not there is fine.
func (s StateDir) RemoveCrumb(w durable.Writer, id string) error {
	if !isStem(id) {
		return &fs.PathError{Op: "remove", Path: fmt.Sprintf("%s/%q", crumbsDir, id+crumbSuffix), Err: fs.ErrInvalid}
	}
	dir, err := s.open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	return w.Remove(dir, crumbName(id))
}

// Crumbs reads all crumbs, sorted by id. Files with other names are passed over; one that has the name of a
// crumb is either good or bad, and never an error. A missing directory holds none; an error means that the
// directory could not be listed.
func (s StateDir) Crumbs() (Crumbs, error) {
	return s.crumbs("", "")
}

// CrumbsNamed is [StateDir.Crumbs] for those whose id begins with prefix.
func (s StateDir) CrumbsNamed(prefix string) (Crumbs, error) {
	return s.crumbs(prefix, "")
}

// Crumb reads the crumb id; false where there is none, or a bad one.
func (s StateDir) Crumb(id string) (Crumb, bool) {
	dir, err := s.open()
	if err != nil || !isStem(id) {
		return Crumb{}, false
	}
	defer dir.Close()
	c, why, err := readCrumb(nil, dir, id)
	return c, err == nil && why == ""
}

// CrumbsOf is [StateDir.Crumbs] for those of one user in one project, but for that of the id but. It opens no
// other file, so that it may be asked at every hydrate. A bad one counts by its name.
func (s StateDir) CrumbsOf(project, user, but string) (Crumbs, error) {
	// Mostly there is none, which the names tell for a third of the price.
	names, err := durable.NamesAt(filepath.Join(string(s), crumbsDir))
	if s == "" || err == nil && len(stemsOf(names, CrumbPrefix(project, user), but)) == 0 {
		return Crumbs{}, nil
	}
	found, err := s.crumbs(CrumbPrefix(project, user), but)
	// Eight digits repeat themselves sooner or later, and a session that is brought back into the wrong project does harm.
	found.Good = slices.DeleteFunc(found.Good, func(c Crumb) bool { return c.Project != project || c.User != user })
	return found, err
}

// crumbs reads those whose file name begins with prefix and is not but.
func (s StateDir) crumbs(prefix, but string) (Crumbs, error) {
	var found Crumbs
	dir, err := s.open()
	var names []string
	if err == nil {
		defer dir.Close()
		names, err = durable.Names(dir, crumbsDir)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return found, nil
	}
	if err != nil {
		return found, err
	}
	stems := stemsOf(names, prefix, but)
	found.Unread = max(0, len(stems)-maxCrumbs)
	budget := durable.NewBudget(crumbBytes)
	for _, stem := range stems[:len(stems)-found.Unread] {
		c, why, err := readCrumb(budget, dir, stem)
		switch {
		case errors.Is(err, durable.ErrBudget):
			found.Unread++
		case err != nil: // it was removed since it was listed
		case why != "":
			found.Bad = append(found.Bad, BadCrumb{ID: stem, Why: why})
		default:
			found.Good = append(found.Good, c)
		}
	}
	return found, nil
}

// stemsOf gives the stems of crumbs' files, sorted, that begin with prefix and are not but.
func stemsOf(names []string, prefix, but string) []string {
	var stems []string
	for _, name := range names {
		stem, ok := strings.CutSuffix(name, crumbSuffix)
		if ok && stem != but && isStem(stem) && strings.HasPrefix(stem, prefix) {
			stems = append(stems, stem)
		}
	}
	slices.Sort(stems)
	return stems
}

// readCrumb reads the crumb whose file has that stem; why says what is wrong with it. The error is fs.ErrNotExist or
// durable.ErrBudget.
func readCrumb(b *durable.Budget, dir *os.Root, stem string) (c Crumb, why string, err error) {
	name := crumbName(stem)
	// A link is refused wherever it leads: two names for one crumb are one too many.
	_, err = durable.Look(dir, name)
	var text []byte
	if err == nil {
		text, _, err = b.Read(dir, name, crumbLimit)
	}
	switch {
	case err == nil:
		c, why = parseCrumb(stem, text)
		return c, why, nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, durable.ErrBudget):
		return Crumb{}, "", err
	case errors.Is(err, durable.ErrNotRegular), errors.Is(err, durable.ErrEscapes):
		why = "it is not a regular file"
	case errors.Is(err, durable.ErrTooLarge):
		why = "it is too large"
	case errors.Is(err, durable.ErrChanged):
		why = "it changes while it is read"
	case errors.Is(err, fs.ErrPermission):
		why = "there is no permission to read it"
	default:
		why = "it cannot be read" // the system's own words may be in any language
	}
	return Crumb{}, why, nil
}

// SweepTemps removes the temporaries that crashed writers of crumbs and of the machine's id left, and returns how
// many. Writers take no common lock, so it goes by the age of a file: only those that were last written more than an
// hour before now. What cannot be removed is left for the next time.
func (s StateDir) SweepTemps(now time.Time) int {
	dir, err := s.open()
	if err != nil {
		return 0
	}
	defer dir.Close()
	machine, _ := durable.SweepTemps(dir, ".", now.Add(-tempLife), math.MaxInt)
	crumbs, _ := durable.SweepTemps(dir, crumbsDir, now.Add(-tempLife), math.MaxInt)
	return machine + crumbs
}

// OldTemps counts what [StateDir.SweepTemps] would remove.
func (s StateDir) OldTemps(now time.Time) int {
	dir, err := s.open()
	if err != nil {
		return 0
	}
	defer dir.Close()
	before := now.Add(-tempLife)
	return durable.Temps(dir, ".", before) + durable.Temps(dir, crumbsDir, before)
}

// isStem reports whether a crumb's file may have s before its suffix.
func isStem(s string) bool {
	if s == "" || len(s) > maxStem {
		return false
	}
	for _, c := range []byte(s) {
		switch {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return true
}
