package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	crumbVersion = 1
	// CrumbLife is how long a crumb counts after it was last written.
	CrumbLife = 7 * 24 * time.Hour
)

// A Crumb is a copy of a session's essentials outside the working tree, to notice that a session was lost and
// to bring it back.
type Crumb struct {
	Version int         `json:"version"`
	ID      string      `json:"id"`      // see [CrumbID]
	Project string      `json:"project"` // the project's directory, absolute
	User    string      `json:"user"`
	Plan    string      `json:"plan"`    // relative to the project, with slashes
	Digest  string      `json:"digest"`  // of the plan when the session began, sha256:HEX; may be empty
	Started string      `json:"started"` // as the session's header has it; may be empty
	Tasks   []CrumbTask `json:"tasks"`
	Current int         `json:"current"`       // the first task that is not complete; 0 where all are
	Run     string      `json:"run,omitempty"` // the id of the run that held the lease
	Updated time.Time   `json:"updated"`       // UTC
}

// A CrumbTask is one task of a crumb.
type CrumbTask struct {
	Name   string `json:"name"`
	Status string `json:"status"`
}

// CrumbID names a session for ever: 16 hex digits. The first 8 are of the project and the user, so that all
// crumbs of one user's sessions in a project are found by their names alone.
//
// The last 8 are of the plan and of when the session began. A project has only one session of a user at a time,
// but its crumbs must not be one: a session that is begun anew because the old one's file was lost would
// overwrite the only copy of what was done before, and with the first mark.
//
// What is no UTF-8 in started counts as U+FFFD, which is what a crumb can hold of it.
func CrumbID(project, user, plan, started string) string {
	return CrumbPrefix(project, user) + hash8(plan, toUTF8(started))
}

// CrumbPrefix is what the ids of all crumbs of a project and user begin with, and mostly those of no other.
func CrumbPrefix(project, user string) string { return hash8(project, user) }

// hash8 gives 8 hex digits for a pair. None of the firsts that get into a crumb holds a NUL.
func hash8(first, second string) string {
	sum := sha256.Sum256([]byte(first + "\x00" + second))
	return hex.EncodeToString(sum[:4])
}

func toUTF8(s string) string { return strings.ToValidUTF8(s, string(utf8.RuneError)) }

// Expired reports whether the crumb is older than [CrumbLife] at now, by its own stamp: a backup or a copied
// home moves the file's time.
//
// A stamp in the future is not expired, however far ahead it lies: some clock was wrong, then or now, and a
// crumb too many is dismissed by hand while one that is gone cannot be brought back. No stamp proves nothing
// either; no crumb that is read from disk is without.
func (c Crumb) Expired(now time.Time) bool {
	return !c.Updated.IsZero() && now.Sub(c.Updated) > CrumbLife
}

// filled is c with what does not depend on its writer, and in the form in which it is read again.
func (c Crumb) filled() Crumb {
	c.Version = crumbVersion
	c.Started = toUTF8(c.Started)
	c.ID = CrumbID(c.Project, c.User, c.Plan, c.Started)
	c.Updated = c.Updated.UTC()
	if c.Tasks == nil {
		c.Tasks = []CrumbTask{}
	}
	return c
}

// fault says what keeps a crumb from being one, in a few words of ASCII; nothing where it is good. Whoever gets
// a crumb may join its plan to its project, and take its current task from its list.
func (c Crumb) fault() string {
	switch {
	case c.Version > crumbVersion:
		return "it was written by a later version of gsd"
	case c.Version < crumbVersion:
		return "it has no version"
	case !filepath.IsAbs(c.Project) || !isText(c.Project):
		return "its project is not an absolute path"
	case Dir{user: c.User}.check() != nil:
		return "its user is not a user's name"
	case !isPlanPath(c.Plan):
		return "its plan is not a path inside the project"
	case c.Current < 0 || c.Current > len(c.Tasks):
		return "its current task is none of its tasks"
	case c.Updated.IsZero():
		return "it does not say when it was written"
	case c.Updated.UTC().Year() < 0 || c.Updated.UTC().Year() > 9999: // RFC 3339 has no more
		return "it was written in an impossible year"
	case c.ID != CrumbID(c.Project, c.User, c.Plan, c.Started):
		return "its id is not that of its content"
	}
	return ""
}

// isText reports whether a path can be kept in JSON and hashed with a NUL behind it.
func isText(path string) bool {
	return utf8.ValidString(path) && !strings.ContainsRune(path, 0)
}

// isPlanPath reports whether path stays below the directory that it is joined to, on this system and without a
// look at the disk. "a/../b" does, and is refused: behind a link it may not.
func isPlanPath(path string) bool {
	elements := strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
	return filepath.IsLocal(filepath.FromSlash(path)) && isText(path) && !slices.Contains(elements, "..")
}

// parseCrumb reads the crumb whose file has that stem. Where it is none, why says so in a few words of ASCII.
func parseCrumb(stem string, text []byte) (c Crumb, why string) {
	if len(bytes.TrimSpace(text)) == 0 {
		return Crumb{}, "it is empty"
	}
	if err := json.Unmarshal(text, &c); err != nil {
		_, torn := errors.AsType[*json.SyntaxError](err)
		switch {
		case torn:
			return Crumb{}, "it is not JSON"
		case isLater(text):
			return Crumb{}, Crumb{Version: crumbVersion + 1}.fault()
		}
		return Crumb{}, "it is not of the form of a crumb"
	}
	if why := c.fault(); why != "" {
		return Crumb{}, why
	}
	if c.ID != stem {
		return Crumb{}, "its id is not its file's name"
	}
	return c.filled(), ""
}

// isLater reports whether a later version of gsd wrote the crumb text, whose other fields may have other types.
func isLater(text []byte) bool {
	var c struct {
		Version int `json:"version"`
	}
	return json.Unmarshal(text, &c) == nil && c.Version > crumbVersion
}

// MaxNamedTasks is how many tasks a crumb names. More than that have statuses only: nobody looks through them, and a
// crumb is written at every mark.
const MaxNamedTasks = 10_000

// encode gives the crumb as it is written: for people too, who look when something was lost.
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
