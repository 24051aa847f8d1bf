package session

import (
	"strings"
	"time"
	"unicode/utf8"
)

// A journal is read at every turn of an agent, inside a program that has two milliseconds, and nearly all its
// lines are our own. encoding/json takes a few microseconds for each; this file reads exactly the lines that
// [Start.encode] and [End.encode] write, in a tenth of that. The law: what it accepts, encoding/json reads with the
// same result (FuzzLine). What it does not accept is not thereby bad: encoding/json is asked.

const (
	startHead = `{"type":"` + typeStart + `","id":"`
	endHead   = `{"type":"` + typeEnd + `","of":"`
)

// scan reads a line in our own writing into r, and reports whether it is one.
func (r *record) scan(line string) bool {
	switch {
	case strings.HasPrefix(line, endHead):
		if !simple(line) {
			return false
		}
		r.kind = endRecord
		c := cursor{rest: line[len(endHead):]}
		c.end(&r.end)
		return c.done()
	case strings.HasPrefix(line, startHead):
		if !simple(line) {
			return false
		}
		r.kind = startRecord
		c := cursor{rest: line[len(startHead):]}
		c.start(&r.start)
		return c.done()
	}
	return false
}

// simple reports whether every string in a line of JSON is what stands there: valid UTF-8 without control
// characters and without escapes.
func simple(s string) bool {
	if strings.IndexByte(s, '\\') >= 0 {
		return false
	}
	const high, spaces = 0x8080808080808080, 0x2020202020202020
	var below, all uint64
	rest := s
	for len(rest) >= 8 {
		// Eight bytes at a time: a high bit stays where a byte below a space borrowed it.
		b := rest[:8]
		x := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		below |= (x - spaces) &^ x
		all |= x
		rest = rest[8:]
	}
	for i := range len(rest) {
		below |= (uint64(rest[i]) - ' ') &^ uint64(rest[i])
		all |= uint64(rest[i])
	}
	if below&high != 0 {
		return false
	}
	ascii := all&high == 0
	return ascii || utf8.ValidString(s)
}

// A cursor takes a line from its beginning. Once something is not what it should be, it stays bad.
type cursor struct {
	rest string
	bad  bool
}

func (c *cursor) done() bool { return !c.bad && c.rest == "" }

func (c *cursor) start(s *Start) {
	s.ID = c.text()
	c.need(`,"token":"`)
	s.Token = c.text()
	c.need(`,"host":"`)
	s.Host = c.text()
	c.need(`,"plan":"`)
	s.Plan = c.text()
	c.need(`,"owner":{`)
	c.owner(&s.Owner)
	c.need(`},"at":"`)
	s.At = c.time()
	c.need(`,"ttl":`)
	s.TTL = seconds(c.number())
	c.need(`}`)
}

// owner takes the parts of an owner that are there, in the order of its fields.
func (c *cursor) owner(o *Owner) {
	comma := false
	next := func(key string) bool {
		rest, ok := c.rest, true
		if comma {
			rest, ok = strings.CutPrefix(rest, ",")
		}
		if ok {
			rest, ok = strings.CutPrefix(rest, key)
		}
		if ok {
			c.rest, comma = rest, true
		}
		return ok
	}
	if next(`"pid":`) {
		o.PID = int(c.number())
	}
	if next(`"start_time":"`) {
		o.StartTime = c.text()
	}
	if next(`"boot_id":"`) {
		o.BootID = c.text()
	}
	if next(`"pid_namespace":"`) {
		o.Namespace = c.text()
	}
	if next(`"machine":"`) {
		o.Machine = c.text()
	}
	if next(`"host_name":"`) {
		o.HostName = c.text()
	}
}

func (c *cursor) end(e *End) {
	e.Of = c.text()
	c.need(`,"status":"`)
	e.Status = Status(c.text())
	c.need(`,"cause":"`)
	e.Cause = Cause(c.text())
	c.need(`,"at":"`)
	e.At = c.time()
	if c.rest != `}` {
		c.need(`,"resume_id":"`)
		e.ResumeID = c.text()
	}
	c.need(`}`)
}

// need takes what has to be there.
func (c *cursor) need(s string) {
	rest, ok := strings.CutPrefix(c.rest, s)
	c.rest = rest
	c.bad = c.bad || !ok
}

// text takes a string and the quote that ends it.
func (c *cursor) text() string {
	i := strings.IndexByte(c.rest, '"')
	if i < 0 {
		c.bad = true
		return ""
	}
	s := c.rest[:i]
	c.rest = c.rest[i+1:]
	return s
}

// time takes a time in UTC and full seconds: 2006-01-02T15:04:05Z. (A third of the time that a line takes went to
// package time's own parser.)
func (c *cursor) time() time.Time {
	s := c.text()
	const form = "dddd-dd-ddTdd:dd:ddZ"
	if len(s) != len(form) {
		c.bad = true
		return time.Time{}
	}
	for i := range len(form) {
		digit := '0' <= s[i] && s[i] <= '9'
		if form[i] == 'd' && !digit || form[i] != 'd' && form[i] != s[i] {
			c.bad = true
		}
	}
	two := func(i int) int { return 10*int(s[i]-'0') + int(s[i+1]-'0') }
	year, month, day := 100*two(0)+two(2), time.Month(two(5)), two(8)
	hour, minute, second := two(11), two(14), two(17)
	t := time.Date(year, month, day, hour, minute, second, 0, time.UTC)
	if month > time.December || month == 0 || day == 0 || hour > 23 || minute > 59 || second > 59 || day > 28 && t.Day() != day {
		c.bad = true
	}
	return t
}

// number takes a number without sign, fraction or exponent, that fits into an int everywhere.
func (c *cursor) number() (n int64) {
	i := 0
	for i < len(c.rest) && '0' <= c.rest[i] && c.rest[i] <= '9' {
		n = 10*n + int64(c.rest[i]-'0')
		if i++; i > 9 {
			break
		}
	}
	if i == 0 || i > 9 || i > 1 && c.rest[0] == '0' {
		c.bad = true
	}
	c.rest = c.rest[i:]
	return n
}
