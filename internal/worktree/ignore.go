package worktree

// ignore.go: which files a repository has git ignore (gitignore(5)). It errs towards "ignored": a pattern that takes files back is
// ignored, a set of characters is any, and letters match in either case. go-git's package reads [!a] and a**b otherwise than git,
// and does not ignore what git does.

import (
	"cmp"
	"path"
	"path/filepath"
	"strings"

	"github.com/gsd-cli/gsd/internal/durable"
)

// maxRules is the size of the largest file of patterns or attributes that is read.
const maxRules = 64 << 10

// rules returns the lines of a file of patterns or attributes, which need not exist. ok is false if it cannot be read.
func (l *look) rules(name string) (lines []string, ok bool) {
	if entry, known := l.ruled[name]; known {
		return entry, entry != nil
	}
	data, err := (*durable.Budget)(nil).ReadAt(name, maxRules)
	if err == nil || isMissing(err) {
		lines = strings.Split(strings.TrimPrefix(string(data), "\uFEFF"), "\n")
	}
	l.ruled[name] = lines
	return lines, lines != nil
}

// mayIgnore reports whether the repository may have git ignore a file, which does not mean the patterns in somebody's own configuration.
func (l *look) mayIgnore(name string) bool {
	excluded, ok := l.rules(filepath.Join(l.common, "info", "exclude"))
	if !ok || matchesAny(excluded, name) {
		return true
	}
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		lines, ok := l.rules(l.at(path.Join(dir, ".gitignore")))
		if !ok || matchesAny(lines, strings.TrimPrefix(name, dir+"/")) {
			return true
		}
		if dir == "." {
			return false
		}
	}
}

// matchesAny reports whether any pattern may match a file, whose path is relative to their own directory, or a directory above it.
func matchesAny(patterns []string, name string) bool {
	parts := strings.Split(name, "/")
	for _, pattern := range patterns {
		if matches(pattern, parts) {
			return true
		}
	}
	return false
}

func matches(pattern string, parts []string) bool {
	pattern = strings.TrimSuffix(pattern, "\r")
	for strings.HasSuffix(pattern, " ") && !strings.HasSuffix(pattern, `\ `) {
		pattern = pattern[:len(pattern)-1]
	}
	if pattern == "" || pattern[0] == '#' || pattern[0] == '!' {
		return false
	}
	pattern, isDir := strings.CutSuffix(pattern, "/")
	above := parts[:len(parts)-1]
	if !strings.Contains(pattern, "/") {
		for i := range parts {
			if matchesPart(pattern, parts[i]) && (!isDir || i < len(above)) {
				return true
			}
		}
		return false
	}
	begins := make([]bool, len(parts)+1) // by how many parts what has been read of the pattern matches
	begins[0] = true
	for part := range strings.SplitSeq(strings.TrimPrefix(pattern, "/"), "/") {
		isTree := len(part) > 1 && strings.Trim(part, "*") == ""
		if part == "" || isOpen(part) || strings.Contains(part, "**") && !isTree { // in a**/b, git takes the stars for those of **/b
			return true
		}
		if isTree {
			for i := range parts {
				begins[i+1] = begins[i+1] || begins[i]
			}
			continue
		}
		for i := len(parts); i > 0; i-- {
			begins[i] = begins[i-1] && matchesPart(part, parts[i-1])
		}
		begins[0] = false
	}
	for i := 1; i <= len(parts); i++ {
		if begins[i] && (!isDir || i <= len(above)) {
			return true
		}
	}
	return false
}

// isOpen reports whether a set of characters does not end in a part of a pattern: it may have the slash.
func isOpen(part string) bool {
	for i := 0; i < len(part); i++ {
		switch part[i] {
		case '\\':
			i++
		case '[':
			size := setSize(part[i:])
			if size == 0 {
				return true
			}
			i += size - 1
		}
	}
	return false
}

// matchesPart reports whether a pattern without a slash may match a name.
func matchesPart(pattern, name string) bool {
	p, n := 0, 0
	star, from := -1, 0 // the last star, and the end of what it matches
	for n < len(name) {
		if p < len(pattern) && pattern[p] == '*' {
			star, from = p, n
			p++
			continue
		}
		size, ok := 0, false
		if p < len(pattern) {
			size, ok = matchesByte(pattern[p:], name[n])
		}
		switch {
		case ok:
			p, n = p+size, n+1
		case star < 0:
			return false
		default:
			from++
			p, n = star+1, from
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// matchesByte reports whether the beginning of a pattern may match a byte, and how long that beginning is.
func matchesByte(pattern string, b byte) (size int, ok bool) {
	switch c := pattern[0]; {
	case c == '?':
		return 1, true
	case c == '[':
		return cmp.Or(setSize(pattern), len(pattern)), true
	case c == '\\' && len(pattern) > 1:
		return 2, fold(pattern[1]) == fold(b)
	default:
		return 1, fold(c) == fold(b)
	}
}

// setSize returns the size of a set of characters; 0 if it does not end.
func setSize(pattern string) int {
	i := 1
	if i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^') {
		i++
	}
	for first := true; i < len(pattern); first = false {
		switch {
		case pattern[i] == ']' && !first:
			return i + 1
		case pattern[i] == '\\':
			i++
		case strings.HasPrefix(pattern[i:], "[:"):
			if end := strings.Index(pattern[i:], ":]"); end > 0 {
				i += end + 1
			}
		}
		i++
	}
	return 0
}

func fold(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b + 'a' - 'A'
	}
	return b
}
