package session

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gsd-cli/gsd/internal/progress"
)

// planning is the root of a project without workstreams.
const planning = ".planning"

const (
	// CrumbLife is how long a crumb is kept after the loss of its session was first shown.
	CrumbLife = 7 * 24 * time.Hour
	// MaxNamedTasks is how many tasks a crumb may list by name and text. If there are more, both are left out: nobody looks
	// through them, and a crumb is written at every mark.
	MaxNamedTasks = 10_000
)

// A Crumb is a copy of a session's essentials outside the working tree, from which the loss of a session is noticed and
// undone.
type Crumb struct {
	ID      string          `json:"id"`      // see [CrumbID]
	Project string          `json:"project"` // the project's directory, absolute
	Root    string          `json:"root"`    // the planning root that the session is in, relative to the project, with slashes; .planning if it is empty
	User    string          `json:"user"`
	Plan    string          `json:"plan"`              // relative to the project, with slashes
	Digest  string          `json:"digest"`            // of the plan when the session began, sha256:HEX; may be empty
	Started string          `json:"started"`           // as in the session's header; may be empty
	Summary string          `json:"summary,omitempty"` // of the summary that the plan already had then, sha256:HEX
	Fresh   time.Time       `json:"fresh,omitzero"`    // when it began afresh, UTC: what was set before does not count; zero if it did not
	Head    string          `json:"head,omitempty"`    // the commit that HEAD was at when the session began; empty for unknown
	Tasks   []progress.Task `json:"tasks"`
	Current int             `json:"current"`           // the first task that is neither complete nor skipped; 0 for none
	Run     json.RawMessage `json:"run,omitempty"`     // the record of the run that was at work, in the form of package run
	Archive string          `json:"archive,omitempty"` // the name of the session's archive, once a session on another plan took its place
	// Continued says that a later session has all its progress: it is kept for when its archive's tasks were set, and cannot be lost.
	Continued bool      `json:"continued,omitempty"`
	Updated   time.Time `json:"updated"` // UTC
	// Repository is the directory that the working trees of the project's repository share, and Below the project's path in
	// its own. Both are empty unless that is a linked one, which is removed when the work in it is done.
	Repository string `json:"repository,omitempty"`
	Below      string `json:"below,omitempty"`
	// Shown is when somebody first read that the session is lost, in UTC. It is zero until then.
	Shown time.Time `json:"shown,omitzero"`
}

// CrumbID returns the permanent id of a session: 16 hex digits. The first 8 depend on the project and the user, so that
// all crumbs of one user's sessions in a project are found by name alone.
//
// The last 8 depend on the plan and on when the session began. A user has only one session in a project at a time, but
// each needs its own crumb: a session that replaces a lost one would otherwise overwrite, with its first mark, the only
// copy of what was done before.
//
// Invalid UTF-8 in started counts as U+FFFD, as it is stored in the crumb.
func CrumbID(project, user, plan, started string) string {
	return CrumbPrefix(project, user) + hash8(plan, strings.ToValidUTF8(started, "\uFFFD"))
}

// CrumbPrefix returns the beginning of the ids of all crumbs of a project and user. It is almost unique to them.
func CrumbPrefix(project, user string) string { return hash8(project, user) }

// hash8 returns 8 hex digits for a pair. No crumb contains a first with a NUL.
func hash8(first, second string) string {
	sum := sha256.Sum256([]byte(first + "\x00" + second))
	return hex.EncodeToString(sum[:4])
}

// Expired reports whether the loss of the crumb's session was first shown longer than [CrumbLife] before now. One that was
// never shown is not expired, however old it is: its session may have been lost a moment ago.
//
// Neither is one that was shown in the future: some clock was wrong, then or now, and an extra crumb can be forgotten by
// hand while a removed one cannot be restored.
func (c Crumb) Expired(now time.Time) bool {
	return !c.Shown.IsZero() && now.Sub(c.Shown) > CrumbLife
}

// filled returns c as it is read again once it was written.
func (c Crumb) filled() Crumb {
	c.Root = cmp.Or(c.Root, planning)
	c.Started = strings.ToValidUTF8(c.Started, "\uFFFD")
	c.ID = CrumbID(c.Project, c.User, c.Plan, c.Started)
	c.Updated, c.Shown = c.Updated.UTC(), c.Shown.UTC()
	var buffer bytes.Buffer
	if len(c.Run) > 0 && json.Compact(&buffer, c.Run) == nil {
		c.Run = buffer.Bytes()
	}
	if c.Tasks == nil {
		c.Tasks = []progress.Task{}
	}
	c.Tasks = progress.Numbered(c.Tasks)
	return c
}

// fault returns what is wrong with a crumb, in a few words of ASCII, or "". The plan of a good one may be joined to its
// project, and its current task is in its list.
func (c Crumb) fault() string {
	switch year, shown := c.Updated.UTC().Year(), c.Shown.UTC().Year(); {
	case !filepath.IsAbs(c.Project) || !isText(c.Project):
		return "its project is not an absolute path"
	case Dir{user: c.User}.check() != nil:
		return "its user is not a user's name"
	case c.Root != "" && !isPlanPath(c.Root):
		return "its root is not a path inside the project"
	case !isPlanPath(c.Plan):
		return "its plan is not a path inside the project"
	case c.Current < 0 || c.Current > len(c.Tasks):
		return "its current task is not in its list"
	case c.Updated.IsZero():
		return "it does not say when it was written"
	case min(year, shown) < 0 || max(year, shown) > 9999: // beyond RFC 3339
		return "it was written in an impossible year"
	case c.ID != CrumbID(c.Project, c.User, c.Plan, c.Started):
		return "its id is not that of its content"
	}
	return ""
}

// isText reports whether a path can be stored in JSON and hashed with a NUL after it.
func isText(path string) bool {
	return utf8.ValidString(path) && !strings.ContainsRune(path, 0)
}

// isPlanPath reports whether path stays below the directory that it is joined to, on this system and without looking at
// the disk. "a/../b" does, and is refused: after a link it may not.
func isPlanPath(path string) bool {
	elements := strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
	return filepath.IsLocal(filepath.FromSlash(path)) && isText(path) && !slices.Contains(elements, "..")
}

// parseCrumb reads the crumb in the file STEM.crumb.json. why says, in a few words of ASCII, why it is not a crumb.
func parseCrumb(stem string, text []byte) (c Crumb, why string) {
	err := json.Unmarshal(text, &c)
	_, torn := errors.AsType[*json.SyntaxError](err)
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		why = "it is empty"
	case torn:
		why = "it is not JSON"
	case err != nil:
		why = "it does not have the form of a crumb"
	default:
		if why = c.fault(); why == "" && c.ID != stem {
			why = "its id is not its file's name"
		}
	}
	if why != "" {
		return Crumb{}, why
	}
	return c.filled(), ""
}

// encode returns the crumb as it is written, indented for people who look when something was lost.
func (c Crumb) encode() ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if len(c.Tasks) <= MaxNamedTasks {
		e.SetIndent("", "  ")
	}
	err := e.Encode(c)
	return text.Bytes(), err
}
