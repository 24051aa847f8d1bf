package identity

// Reading one configuration file, as "CONFIGURATION FILE" in git-config(1) describes it.
//
// What is understood is read exactly as every version of git reads it; anything else is a doubt. A doubt does not end
// the reading, so that a machine without git gets the best possible answer.

import "strings"

// reading is what a configuration says about user.name.
type reading struct {
	name  string
	named bool
	doubt string // the first reason for asking git, "" for none
}

// suspect keeps the first doubt.
func (r *reading) suspect(why string) {
	if r.doubt == "" {
		r.doubt = why
	}
}

// readConfig reads a whole file. What precedes a malformed place still counts.
func readConfig(text string) (r reading) {
	if strings.Contains(text, "\x00") || strings.Count(text, "\r") != strings.Count(text, "\r\n") {
		r.suspect("a NUL or a carriage return inside a line")
	}
	// Two newlines, because a backslash may continue the last line into the first: so the end of a line is always found.
	text = strings.ReplaceAll(text, "\r\n", "\n") + "\n\n"
	section, ok := "", true
	for ok {
		text = strings.TrimLeft(text, " \t\r\n")
		switch {
		case text == "":
			return r
		case text[0] == '#' || text[0] == ';':
			_, text, _ = strings.Cut(text, "\n")
		case text[0] == '[':
			section, text, ok = cutHeader(text)
			if unusual(section) {
				r.suspect("a section [" + section + "]")
			}
		default:
			var key, value string
			key, value, text, ok = cutVariable(text)
			if section == "" {
				r.suspect("a variable before the first section")
			}
			if ok {
				r.set(section+"."+key, value)
			}
		}
	}
	r.suspect("a malformed line")
	return r
}

// unusual reports whether a section may change which files apply (include, extensions), is checked by every git command
// (trace2), or has a name that git versions read differently ([a.b] is another way to write [a "b"]).
func unusual(section string) bool {
	name, _, _ := strings.Cut(section, " ")
	return name == "" || name == "extensions" || name == "trace2" || strings.HasPrefix(name, "include") ||
		strings.Contains(name, ".")
}

// set evaluates a variable. git checks those of core when it opens the repository; a bad core.precomposeUnicode only
// matters on macOS.
func (r *reading) set(variable, value string) {
	value, usual := unquote(value)
	switch variable {
	case "user.name":
		r.name, r.named = value, true
		usual = usual && value != ""
	case "core.bare":
		usual = value == "false"
	case "core.repositoryformatversion":
		usual = value == "0"
	case "core.precomposeunicode":
		usual = value == "true" || value == "false"
	case "core.worktree":
		usual = false
	default:
		return
	}
	if !usual {
		r.suspect("an unusual value of " + variable)
	}
}

// cutHeader cuts off a section header: [name] or [name "subsection"]. It returns the name in lower case, followed by a
// space if there is a subsection.
func cutHeader(text string) (section, rest string, ok bool) {
	text = text[len("["):]
	end := 0
	for isKeyByte(text[end]) || text[end] == '.' {
		end++
	}
	section, text = strings.ToLower(text[:end]), text[end:]
	if rest, ok = strings.CutPrefix(text, "]"); ok {
		return section, rest, true
	}
	quoted := strings.TrimLeft(text, " \t")
	if len(quoted) == len(text) || quoted[0] != '"' {
		return section, "", false
	}
	for i := 1; quoted[i] != '\n'; i++ {
		switch quoted[i] {
		case '\\':
			i++
			if quoted[i] == '\n' {
				return section, "", false
			}
		case '"':
			rest, ok = strings.CutPrefix(quoted[i+1:], "]")
			return section + " ", rest, ok
		}
	}
	return section, "", false
}

// cutVariable cuts off a variable with its value as it is written, "" for none.
func cutVariable(text string) (key, value, rest string, ok bool) {
	end := 0
	for isKeyByte(text[end]) {
		end++
	}
	key = strings.ToLower(text[:end])
	if end == 0 || !isLetter(text[0]) {
		return "", "", "", false
	}
	text = strings.TrimLeft(text[end:], " \t")
	if rest, ok = strings.CutPrefix(text, "\n"); ok {
		return key, "", rest, true
	}
	if text, ok = strings.CutPrefix(text, "="); ok {
		value, rest, ok = cutValue(text)
	}
	return key, value, rest, ok
}

// cutValue cuts off a value, up to the end of the line or a comment. A backslash continues the line.
func cutValue(text string) (value, rest string, ok bool) {
	quoted := false
	for i := 0; ; i++ {
		switch c := text[i]; {
		case c == '\n':
			return text[:i], text[i+1:], !quoted
		case c == '"':
			quoted = !quoted
		case c == '\\':
			i++
			if strings.IndexByte("\"\\ntb\n", text[i]) < 0 {
				return "", "", false
			}
		case !quoted && (c == '#' || c == ';'):
			_, rest, _ = strings.Cut(text[i:], "\n")
			return text[:i], rest, true
		}
	}
}

// unquote returns a value that is written without quotes, or entirely inside them. plain is false for any other value,
// and for one with a tab, which git keeps since 2.45. Such a value is returned with its quotes and escapes, which
// sanitizing removes.
func unquote(written string) (value string, plain bool) {
	value = strings.Trim(written, " \t")
	if len(value) > 1 && value[0] == '"' && value[len(value)-1] == '"' {
		value = value[1 : len(value)-1]
	}
	return value, !strings.ContainsAny(value, "\"\\\t")
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func isKeyByte(c byte) bool { return isLetter(c) || '0' <= c && c <= '9' || c == '-' }
