package share

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gsd-cli/gsd/identity"
)

const (
	maxPath = 512 // bytes of a plan's path
	maxText = 200 // bytes of a text for people
	maxID   = 64  // bytes of an id
	maxSlug = 40  // bytes of the readable part of a name

	taskDigits = 12 // of a task's id, and of a worktree's
)

func digest(text string, digits int) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:digits]
}

// slug returns the readable part of a name that ends in a digest: a-z, 0-9 and single inner hyphens.
func slug(text, otherwise string) string {
	s := identity.Sanitize(text)
	if len(s) > maxSlug {
		s = strings.TrimRight(s[:maxSlug], "-")
	}
	if s == "" {
		return otherwise
	}
	return s
}

// UserID returns who somebody is: the name, and 8 hex digits of the SHA-256 of the e-mail address in lower case. Two
// people called John Doe stay two, and one person on two machines stays one. Without an address the digits are those of
// the empty text: two such people with one name cannot be distinguished.
func UserID(name, email string) string {
	return slug(name, "user") + "-" + digest(strings.ToLower(strings.TrimSpace(email)), 8)
}

// UserRef returns where the refs of a user's clones are, below the prefix of gsd's refs. A ref of that name would be in their way.
func UserRef(user string) string { return "users/" + user }

// CloneRef returns where the sessions of a user's clone are, below the prefix of gsd's refs. Either may be * in a pattern.
func CloneRef(user, clone string) string { return UserRef(user) + "/" + clone }

// ParseCloneRef returns whose ref that is.
func ParseCloneRef(ref string) (user, clone string, ok bool) {
	rest, ok := strings.CutPrefix(ref, "users/")
	user, clone, found := strings.Cut(rest, "/")
	return user, clone, ok && found && IsID(user) && IsID(clone)
}

// ClaimRef returns where the claim of a plan is, below the prefix of gsd's refs. It is one component, because git has no
// ref a/b beside a ref a, and ends in a digest, because a path may have characters that a ref must not have.
func ClaimRef(plan string) string {
	return "claims/" + slug(strings.TrimSuffix(path.Base(plan), ".md"), "plan") + "-" + digest(plan, 16)
}

// WorktreeID returns the id of a worktree: 12 hex digits of the SHA-256 of its clone's id and what it is called there.
func WorktreeID(clone, name string) string { return digest(clone+"\x00"+name, taskDigits) }

// TaskIDs returns the ids of tasks by their names: 12 hex digits of the SHA-256 of the name in lower case, its white
// space collapsed. Tasks keep their ids when others are inserted, moved, renamed or removed. Of tasks with the same name,
// the second has the id of the name and "2", and so on.
func TaskIDs(names []string) []string {
	ids := make([]string, len(names))
	used := make(map[string]bool, len(names))
	count := make(map[string]int)
	for i, name := range names {
		name = strings.Join(strings.Fields(strings.ToLower(name)), " ")
		id := digest(name, taskDigits)
		for used[id] {
			count[name]++
			id = digest(name+"\x00"+strconv.Itoa(count[name]+1), taskDigits)
		}
		ids[i], used[id] = id, true
	}
	return ids
}

// IsID reports whether text can be the id of a user or of a worktree: at most 64 of a-z, 0-9 and inner hyphens. It is
// safe as a component of a ref, as a file's name, and on a terminal.
func IsID(text string) bool { return isID(text) }

func isID(s string) bool {
	if s == "" || len(s) > maxID || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

func isHex(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

func isTaskID(s string) bool { return len(s) == taskDigits && isHex(s) }

// cleanObject returns s if it is a git object's id, and "" otherwise.
func cleanObject(s string) string {
	if (len(s) == 40 || len(s) == 64) && isHex(s) {
		return s
	}
	return ""
}

// isDigest reports whether s is empty or a digest as in a session's header.
func isDigest(s string) bool {
	hex, ok := strings.CutPrefix(s, "sha256:")
	return s == "" || ok && len(hex) == 64 && isHex(hex)
}

// IsPlan reports whether name can be the path of a plan below .planning/: clean, relative, at most 512 bytes, nothing
// that acts or hides on a terminal, nothing that git refuses in a tree. It ends in .md, and no directory in it does, so
// that no path of a plan is the directory of another.
func IsPlan(name string) bool {
	if len(name) > maxPath || path.Clean(name) != name || cleanText(name, maxPath) != name ||
		strings.ContainsAny(name, "\\:") || !strings.HasSuffix(name, ".md") {
		return false
	}
	elements := strings.Split(name, "/")
	for i, e := range elements {
		lower := strings.ToLower(e)
		if e == "" || e == "." || e == ".." || lower == ".git" || strings.HasPrefix(lower, "git~") ||
			i < len(elements)-1 && strings.HasSuffix(e, ".md") {
			return false
		}
	}
	return true
}

// cleanText returns text for people without what acts or hides on a terminal, cut to a number of bytes. The caller that prints it
// still cleans it like all text. The list is fixed and asks no Unicode tables: if two versions of gsd disagreed, each
// would read another name.
func cleanText(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r < ' ', r >= 0x7f && r <= 0xa0, r == 0xad, r == 0x61c, r == 0x180e, r >= 0x200b && r <= 0x200f,
			r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r >= 0xfe00 && r <= 0xfe0f, r == 0xfeff,
			r >= 0xfff9 && r <= 0xffff, r >= 0xe0000:
			return -1 // U+FFFD, of invalid bytes, is among them
		}
		return r
	}, s)
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

// cleanName returns the name of a person, a machine or a branch as one word, which is no sentence to its reader: an agent
// does.
func cleanName(s string) string {
	const runes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:/+@#-"
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && !strings.ContainsRune(runes, r) {
			return '-'
		}
		return r
	}, cleanText(s, maxText))
}
