package identity

// Reading one configuration file, as "CONFIGURATION FILE" in git-config(1) describes it and as git 2.39
// was seen to read it (differential_test.go holds this file against git).
//
// The law: what is understood is read exactly as every git reads it, and whatever git versions, or this
// reader and git, might read differently is a doubt. A doubt does not stop the reading, so that a machine
// without git still gets the best answer there is; it only means that git has to be asked.
//
// Only what decides user.name is kept. Nothing else in the file is looked at, let alone followed.

import "bytes"

// reading is what one configuration file says about user.name.
type reading struct {
	name  string // the last user.name
	named bool   // there is one
	doubt string // the first reason for asking git, "" if every byte was understood
}

// room is the kind of section that the reader is in.
type room int

const (
	roomNone   room = iota // before the first section
	roomOther              // nothing here decides user.name
	roomUser               // [user]
	roomCore               // [core]
	roomBroken             // not a section header
)

// readConfig reads a whole file. It never fails: a file that git would refuse is a doubt, and what stands
// before the bad place still counts.
func readConfig(data []byte) reading {
	var r reading
	if bytes.IndexByte(data, 0) >= 0 {
		r.suspect("a NUL byte") // git's strings end there
	}
	if bom := "\xef\xbb\xbf"; bytes.HasPrefix(data, []byte(bom)) {
		r.suspect("a byte order mark")
		data = data[len(bom):]
	}
	s := scanner{src: data}
	in := roomNone
	for {
		c, more := s.next()
		switch {
		case !more:
			if s.loneCR {
				r.suspect("a carriage return inside a line")
			}
			return r
		case c == '\n' || isSpace(c):
		case c == '#' || c == ';':
			s.skipLine()
		case c == '[':
			in = s.header(&r)
			if in == roomBroken {
				r.suspect("a malformed section header")
				return r
			}
		case isLetter(c):
			if in == roomNone {
				r.suspect("a variable before the first section")
			}
			if !s.variable(&r, in, c) {
				r.suspect("a malformed line")
				return r
			}
		default:
			r.suspect("a malformed line")
			return r
		}
	}
}

// suspect keeps the first doubt.
func (r *reading) suspect(why string) {
	if r.doubt == "" {
		r.doubt = why
	}
}

// scanner walks over the bytes of a file; "\r\n" is one "\n".
type scanner struct {
	src    []byte
	at     int
	loneCR bool
	word   []byte // reused for names and values
}

// next gives the next byte, or a newline and false at the end of the file: a last line needs no newline.
func (s *scanner) next() (byte, bool) {
	if s.at >= len(s.src) {
		return '\n', false
	}
	c := s.src[s.at]
	s.at++
	if c == '\r' {
		if s.at < len(s.src) && s.src[s.at] == '\n' {
			s.at++
			return '\n', true
		}
		s.loneCR = true
	}
	return c, true
}

// skipLine stands behind a comment's newline afterwards. A backslash does not continue a comment.
func (s *scanner) skipLine() {
	i := bytes.IndexByte(s.src[s.at:], '\n')
	if i < 0 {
		s.at = len(s.src)
		return
	}
	s.at += i + 1
}

// header reads a section header behind its bracket and says which room it opens.
func (s *scanner) header(r *reading) room {
	s.word = s.word[:0]
	dotted := false
	var c byte
	for {
		var more bool
		c, more = s.next()
		if !more {
			return roomBroken
		}
		if c == ']' || c == '\n' || isSpace(c) {
			break
		}
		if c == '.' {
			dotted = true
		} else if !isKeyByte(c) {
			return roomBroken
		}
		s.word = append(s.word, lower(c))
	}
	in := roomOther
	switch name := string(s.word); {
	case name == "":
		r.suspect("a section without a name")
	case dotted:
		r.suspect("an old-style subsection")
	case len(name) >= len("include") && name[:len("include")] == "include":
		r.suspect("an include section")
	case name == "extensions" || name == "trace2":
		// Extensions change which files count; a trace2 variable is checked by every git command.
		r.suspect("a section [" + name + "]")
	case name == "user":
		in = roomUser
	case name == "core":
		in = roomCore
	}
	if c == ']' {
		return in
	}
	if !s.subsection(c) {
		return roomBroken
	}
	return roomOther // [user "x"] is not [user]
}

// subsection reads what stands between the section's name and the closing bracket: blanks and a quoted
// name on the same line. c is the byte that ended the section's name.
func (s *scanner) subsection(c byte) bool {
	for isSpace(c) && c != '\n' {
		c, _ = s.next()
	}
	if c != '"' {
		return false
	}
	for {
		c, more := s.next()
		if c == '\\' {
			c, more = s.next()
		} else if c == '"' {
			break
		}
		if c == '\n' || !more {
			return false
		}
	}
	c, _ = s.next()
	return c == ']'
}

// variable reads one variable that begins with first, and keeps it if it decides user.name.
func (s *scanner) variable(r *reading, in room, first byte) bool {
	s.word = append(s.word[:0], lower(first))
	c, _ := s.next()
	for isKeyByte(c) {
		s.word = append(s.word, lower(c))
		c, _ = s.next()
	}
	var what topic
	switch in {
	case roomUser:
		if string(s.word) == "name" {
			what = topicName
		}
	case roomCore:
		switch string(s.word) {
		case "bare":
			what = topicBare
		case "repositoryformatversion":
			what = topicVersion
		case "worktree":
			what = topicWorktree
		case "precomposeunicode":
			what = topicPrecompose
		}
	}
	for c == ' ' || c == '\t' {
		c, _ = s.next()
	}
	if c == '\n' {
		r.keep(what, "", "no value")
		return true
	}
	if c != '=' {
		return false
	}
	odd, ok := s.value()
	if !ok {
		return false
	}
	if what != topicNone {
		r.keep(what, string(s.word), odd)
	}
	return true
}

// topic is a variable that matters here.
type topic int

const (
	topicNone topic = iota
	topicName
	topicBare
	topicVersion
	topicWorktree
	topicPrecompose
)

// keep takes what a variable says. odd says why its value may be read otherwise by another git.
//
// The variables of core matter because git checks them when it opens the repository, before it looks for
// any other: core.precomposeunicode on macOS only, where a bad value ends every command.
func (r *reading) keep(what topic, value, odd string) {
	switch what {
	case topicName:
		r.name, r.named = value, true
		if odd != "" {
			r.suspect("user.name: " + odd)
		}
	case topicBare:
		if value != "false" {
			r.suspect("core.bare is not false")
		}
	case topicVersion:
		if value != "0" {
			r.suspect("core.repositoryFormatVersion is not 0")
		}
	case topicWorktree:
		r.suspect("core.worktree")
	case topicPrecompose:
		if value != "true" && value != "false" {
			r.suspect("core.precomposeUnicode is neither true nor false")
		}
	}
}

// value reads a value into s.word, without quotes, comments and the blanks at both ends. odd names what
// not every git reads alike: before 2.45 a tab between two words is read as a space, and continued lines
// lose or keep their blanks by version.
func (s *scanner) value() (odd string, ok bool) {
	s.word = s.word[:0]
	kept := 0 // length of s.word without the blanks at its end
	quoted, tabs := false, false
	for {
		c, _ := s.next()
		switch {
		case c == '\n':
			s.word = s.word[:kept]
			return odd, !quoted
		case quoted && c != '"' && c != '\\':
		case isSpace(c):
			if len(s.word) > 0 {
				s.word = append(s.word, ' ')
				tabs = tabs || c != ' '
			}
			continue
		case c == '#' || c == ';':
			s.skipLine()
			s.word = s.word[:kept]
			return odd, true
		case c == '"':
			quoted = !quoted
			kept = len(s.word)
			if tabs {
				odd = "a tab inside the value"
			}
			continue
		case c == '\\':
			c, _ = s.next()
			switch c {
			case '\n':
				odd = "a continued line"
				kept = len(s.word)
				continue
			case 't':
				c, odd = '\t', "a control character"
			case 'b':
				c, odd = '\b', "a control character"
			case 'n':
				c, odd = '\n', "a control character"
			case '\\', '"':
			default:
				return odd, false
			}
		}
		s.word = append(s.word, c)
		kept = len(s.word)
		if tabs {
			odd = "a tab inside the value"
		}
	}
}

// isSpace knows git's white space; a vertical tab and a form feed are not.
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func isKeyByte(c byte) bool { return isLetter(c) || '0' <= c && c <= '9' || c == '-' }

// lower is ASCII only, as git's own is.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
