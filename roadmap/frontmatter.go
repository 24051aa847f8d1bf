package roadmap

// frontmatter.go: what a plan's front matter says of its order. People and models write it, so it is never
// read as one YAML document, where a stray quote in must_haves would lose the wave above it: the keys are
// cut out by lines, and each is understood or ignored by itself.

import (
	"bytes"
	"strings"

	"github.com/gsd-cli/gsd/planfile"
)

// Meta is what the front matter of a plan says of its place among the others.
type Meta struct {
	Wave      int
	HasWave   bool // tells a real 0 from none (upstream lesson 20)
	DependsOn []Dependency
	Status    string   // the word of a plan or a summary on itself, in lower case
	Files     []string // files_modified: what it is going to change
	Manual    bool     // autonomous: false, so a person is needed
	Gaps      bool     // gap_closure: true, so it mends what a verification found
	// Unusable says why the plan cannot be carried out: it is empty, or no file. "" where it can. What reads the plan
	// sets it.
	Unusable string
}

// What a plan's status may be, and a summary's, that says more than that it is there.
const (
	Superseded = "superseded" // a plan whose place others took
	Halted     = "halted"     // a summary of work that was stopped on purpose
	Blocked    = "blocked"    // a summary of work that could not be finished
)

const (
	// MaxFrontMatter is how far a front matter is read, in bytes: what of a file a caller needs to hand over. Upstream
	// reads all of it, and must_haves before the wave may be long; the largest of 994 real plans has 76 KiB in all.
	MaxFrontMatter = 256 << 10
	// maxMetaValue is the longest value that is read, in bytes; real ones have less than 2,000.
	maxMetaValue = 8 << 10
)

// ReadMeta reads the front matter of a plan or a summary: what stands between a first line `---`, at
// byte 0 or after a byte order mark, and the next `---` or `...`. It never fails: what is not understood
// is ignored. Of two keys with the same name the last counts, as upstream's parser lets it
// (frontmatter.cjs), so that both run plans in the same order.
func ReadMeta(src []byte) Meta {
	var m Meta
	lines := frontMatterLines(src)
	for i, line := range lines {
		key, value := cutMetaKey(line)
		v := metaValue{first: string(value), rest: lines[i+1:]}
		switch key {
		case "status":
			m.Status = strings.ToLower(v.scalar())
		case "dependson":
			m.DependsOn = nil
			for _, item := range v.items() {
				if d, ok := parseDependency(item); ok {
					m.DependsOn = append(m.DependsOn, d)
				}
			}
		case "filesmodified":
			m.Files = v.items()
		case "wave":
			if n, ok := parseWave(v.scalar()); ok {
				m.Wave, m.HasWave = n, true
			}
		case "autonomous":
			m.Manual = strings.EqualFold(v.scalar(), "false")
		case "gapclosure":
			m.Gaps = strings.EqualFold(v.scalar(), "true")
		}
	}
	return m
}

// frontMatterLines lists the lines of the front matter, as far as it is read; the first is line 2 of the file.
func frontMatterLines(src []byte) [][]byte {
	block, _, _ := planfile.CutFrontMatter(src[:min(len(src), MaxFrontMatter)])
	if len(block) == 0 {
		return nil
	}
	lines := bytes.Split(bytes.TrimSuffix(block, []byte{'\n'}), []byte{'\n'})
	for i, line := range lines {
		lines[i] = bytes.TrimRight(line, " \t\r")
	}
	return lines
}

// cutMetaKey returns the key at the start of a line, if it is one that ReadMeta asks for, and what
// follows the colon. Keys are compared without case, quotes and what joins their words: depends_on,
// depends-on, dependsOn. A blank after the colon may be missing.
func cutMetaKey(line []byte) (string, []byte) {
	if len(line) == 0 || line[0] == ' ' || line[0] == '\t' {
		return "", nil
	}
	var name [16]byte
	n := 0
	for i, c := range line {
		switch {
		case isLetter(c) && n < len(name):
			name[n] = c | 0x20
			n++
		case c == ':':
			switch key := name[:n]; string(key) {
			case "dependson", "filesmodified", "status", "wave", "autonomous", "gapclosure":
				return string(key), line[i+1:]
			}
			return "", nil
		case c == '_' || c == '-' && i > 0 || c == ' ' || c == '"' || c == '\'':
		default:
			return "", nil
		}
	}
	return "", nil
}

// metaValue is the value of a key: what follows the colon, and the lines after it, some of them its own.
type metaValue struct {
	first string
	rest  [][]byte
}

// own lists the lines after the key's that belong to its value: indented ones, and at column 0 what YAML
// and people put there, an item, a comment, the end or a part of a [list].
func (v metaValue) own() [][]byte {
	size := len(v.first)
	for i, line := range v.rest {
		size += len(line) + 1
		if size > maxMetaValue {
			return v.rest[:i]
		}
		if len(line) == 0 {
			continue
		}
		switch c := line[0]; {
		case c == '"' || c == '\'':
			if bytes.Contains(line, []byte{c, ':'}) {
				return v.rest[:i]
			}
		case !isDigit(c) && strings.IndexByte(" \t-#]},`", c) < 0:
			return v.rest[:i]
		}
	}
	return v.rest
}

// items lists what the value holds: `[a, "b"]`, `- a` on lines of its own, `a, b`.
func (v metaValue) items() []string {
	var items []string
	if len(v.first) > maxMetaValue {
		return nil
	}
	add := func(line string) {
		line = strings.TrimPrefix(cutYAMLComment(line), "- ")
		for item := range strings.FieldsFuncSeq(line, func(c rune) bool { return strings.ContainsRune("[],\"'`", c) }) {
			if item = OneLine(item); item != "" && item != "-" {
				items = append(items, item)
			}
		}
	}
	add(v.first)
	for _, line := range v.own() {
		add(string(line))
	}
	return items
}

// scalar is the first line of the value that says something, without quotes and comment.
func (v metaValue) scalar() string {
	s := cutYAMLComment(v.first)
	if s == "" {
		for _, line := range v.own() {
			if s = cutYAMLComment(string(line)); s != "" {
				break
			}
		}
	}
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		s, _, _ = strings.Cut(s[1:], s[:1])
	}
	return strings.TrimSpace(s)
}

// cutYAMLComment trims a line and drops its comment, which needs a blank before it.
func cutYAMLComment(s string) string {
	for i := range len(s) {
		if s[i] == '#' && (i == 0 || s[i-1] == ' ' || s[i-1] == '\t') {
			s = s[:i]
			break
		}
	}
	return strings.TrimSpace(s)
}

// parseWave reads `2`, `Wave 2`, `2a`, `2.0`, `2 (parallel)`. A letter or a fraction orders plans within
// a wave, which depends_on does better.
func parseWave(s string) (int, bool) {
	if len(s) >= 4 && strings.EqualFold(s[:4], "wave") {
		s = strings.TrimLeft(s[4:], " -_#:")
	}
	n := digits(s)
	if n == 0 || n > 6 || n+1 < len(s) && isLetter(s[n]) && isWord(s[n+1]) {
		return 0, false
	}
	wave := 0
	for _, c := range s[:n] {
		wave = wave*10 + int(c-'0')
	}
	return wave, true
}
