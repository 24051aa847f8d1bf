package identity

// The rule is that of this shell pipeline in the C locale, byte by byte:
//
//	tr '[:upper:]' '[:lower:]' | tr ' ' '-' | tr -cd 'a-z0-9-' | sed 's/--*/-/g' | sed 's/^-//;s/-$//'
//
// and two more make the result safe as a directory's name: a maximum length, and the names that Windows reserves for
// devices. Any change gives existing users another session directory.

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

const (
	// maxName is the longest name, in bytes, tail included.
	maxName = 100
	// digestDigits is how many hex digits of the SHA-256 end a truncated name.
	digestDigits = 8
)

// Sanitize turns raw into a name of at most 100 bytes of a-z, 0-9 and single inner hyphens, or "" if nothing is left. A
// longer name is truncated and ends in "-" and 8 hex digits of the SHA-256 of the full sanitized name, so that long
// names that differ only at the end stay distinct. A Windows device name gets the suffix "-user". Sanitize is
// idempotent.
func Sanitize(raw string) string {
	name := squeeze(raw)
	switch {
	case len(name) > maxName:
		sum := sha256.Sum256([]byte(name))
		head := strings.TrimRight(name[:maxName-1-digestDigits], "-")
		return head + "-" + hex.EncodeToString(sum[:])[:digestDigits]
	case isDevice(name):
		return name + "-user"
	}
	return name
}

// squeeze is the pipeline. A hyphen is written only before the next letter or digit, which collapses runs and trims
// both ends in one pass.
func squeeze(raw string) string {
	out := make([]byte, 0, len(raw))
	hyphen := false
	for _, c := range []byte(raw) {
		switch {
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
		case c == ' ' || c == '-':
			hyphen = len(out) > 0
			continue
		default:
			continue
		}
		if hyphen {
			out = append(out, '-')
			hyphen = false
		}
		out = append(out, c)
	}
	return string(out)
}

// isDevice reports whether name is a device in every directory of Windows ("Naming Files, Paths, and Namespaces").
// conin$ and conout$ cannot occur: without the dollar they are ordinary names.
func isDevice(name string) bool {
	switch name {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(name) == 4 && (name[:3] == "com" || name[:3] == "lpt") && '1' <= name[3] && name[3] <= '9'
}
