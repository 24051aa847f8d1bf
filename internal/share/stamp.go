package share

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// A Stamp says when and in which worktree an entry was changed. It is a hybrid logical clock: the wall clock, except that
// a change is always later than what was known of the entry when it was made. So clocks that are wrong decide only
// between changes that did not know of each other.
//
// A stamp from the future is kept as it is. To cap it by the reader's clock would make merging depend on who merges, and
// worktrees would never agree. It does no harm beyond its own entry: each entry has its own clock, so what knows of
// such a stamp goes after it, and nothing else is moved. The zero Stamp is earlier than all others.
type Stamp struct {
	Wall     int64  // milliseconds since 1970
	Count    uint16 // of changes with the same Wall
	Worktree string // where: see WorktreeID
}

// A clock is believed until the end of the year 2099. Stamps are valid for another century, so that a wrong clock and
// all who follow it never come near the end. Only who writes the very last stamp by hand gets an entry that cannot be
// changed; removing the user's ref ends that.
var (
	maxClock = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli() - 1
	maxWall  = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli() - 1
)

const (
	wallLayout = "2006-01-02T15:04:05.000Z"
	wallLen    = len(wallLayout)
	countLen   = 4 // hex digits
	prefixLen  = wallLen + 1 + countLen + 1
)

// Next returns the stamp of a change at the time now in a worktree that knows of the stamp seen.
func Next(now time.Time, worktree string, seen Stamp) Stamp {
	s := Stamp{Wall: min(max(now.UnixMilli(), 0), maxClock), Worktree: worktree}
	switch {
	case s.Wall > seen.Wall:
	case seen.Count < 1<<16-1:
		s.Wall, s.Count = seen.Wall, seen.Count+1
	case seen.Wall < maxWall:
		s.Wall = seen.Wall + 1
	default: // the last stamp that there is
		s.Wall, s.Count = seen.Wall, seen.Count
	}
	return s
}

// Compare orders stamps by time, then by worktree.
func (s Stamp) Compare(t Stamp) int {
	return cmp.Or(cmp.Compare(s.Wall, t.Wall), cmp.Compare(s.Count, t.Count), cmp.Compare(s.Worktree, t.Worktree))
}

// IsZero reports whether s is the zero Stamp.
func (s Stamp) IsZero() bool { return s == Stamp{} }

// Time returns the wall clock of the stamp.
func (s Stamp) Time() time.Time { return time.UnixMilli(s.Wall).UTC() }

// Instant returns the time of a stamp and, in nanoseconds, its count: of two stamps, the later one has the later instant.
func (s Stamp) Instant() time.Time { return s.Time().Add(time.Duration(s.Count)) }

// String returns the text form, such as "2026-11-23T22:40:57.123Z/0000/1f2e3d4c5b6a". Texts sort as stamps do.
func (s Stamp) String() string { return string(s.append(nil)) }

func (s Stamp) append(b []byte) []byte {
	b = s.Time().AppendFormat(b, wallLayout)
	b = append(b, '/')
	for shift := 12; shift >= 0; shift -= 4 {
		b = append(b, "0123456789abcdef"[s.Count>>shift&15])
	}
	b = append(b, '/')
	return append(b, s.Worktree...)
}

var errStamp = errors.New("not a stamp")

// ParseStamp parses what String returns, and nothing else.
func ParseStamp(text string) (Stamp, error) {
	if len(text) <= prefixLen || text[wallLen] != '/' || text[prefixLen-1] != '/' ||
		text[wallLen-5] != '.' || !isID(text[prefixLen:]) {
		return Stamp{}, fmt.Errorf("%w: %.80q", errStamp, text)
	}
	wall, err := time.Parse(time.RFC3339Nano, text[:wallLen])
	count, err2 := strconv.ParseUint(text[wallLen+1:prefixLen-1], 16, 16)
	s := Stamp{Wall: wall.UnixMilli(), Count: uint16(count), Worktree: text[prefixLen:]}
	if err != nil || err2 != nil || s.Wall < 0 || s.Wall > maxWall || !isHex(text[wallLen+1:prefixLen-1]) {
		return Stamp{}, fmt.Errorf("%w: %.80q", errStamp, text)
	}
	return s, nil
}

// MarshalText returns the text form, which is empty for the zero Stamp.
func (s Stamp) MarshalText() ([]byte, error) {
	if s.IsZero() {
		return nil, nil
	}
	return s.append(make([]byte, 0, prefixLen+len(s.Worktree))), nil
}

// UnmarshalText parses what MarshalText returns.
func (s *Stamp) UnmarshalText(text []byte) (err error) {
	*s = Stamp{}
	if len(text) > 0 {
		*s, err = ParseStamp(string(text))
	}
	return err
}
