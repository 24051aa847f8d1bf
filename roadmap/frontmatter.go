package roadmap

// frontmatter.go: what a plan's front matter says of its order. People and models write it, so it is never
// read as one YAML document, where a stray quote in must_haves would lose the wave above it: the keys are
// cut out by lines, and each is understood or ignored by itself.

import (
	"bytes"
	"iter"
	"strings"

	"github.com/gsd-cli/gsd/planfile"
)

// Meta is what the front matter of a plan says of its place among the others.
type Meta struct {
	Wave      int
	HasWave   bool // tells a real 0 from none (upstream lesson 20)
	DependsOn []Dependency
	Milestone string   // the one that a STATE.md names as the current one
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
	block, _, _ := planfile.CutFrontMatter(src[:min(len(src), MaxFrontMatter)])
	lines := bytes.Split(block, []byte{'\n'})
	for i, line := range lines {
		key, first := cutMetaKey(line)
		v := metaValue{first: first, rest: lines[i+1:]}
		switch key {
		case "status":
			m.Status = strings.ToLower(v.scalar())
		case "milestone":
			m.Milestone = metaValue{first: first}.scalar()
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

// cutMetaKey returns the key at the start of a line and what follows the colon. Keys are compared without case, quotes
// and what joins their words: depends_on, depends-on, dependsOn. A blank after the colon may be missing.
func cutMetaKey(line []byte) (key, value string) {
	if len(line) == 0 || strings.IndexByte(" \t-#", line[0]) >= 0 {
		return "", ""
	}
	key, value, ok := strings.Cut(string(line), ":")
	if !ok {
		return "", ""
	}
	return strings.ToLower(metaKey.Replace(key)), value
}

var metaKey = strings.NewReplacer("_", "", "-", "", " ", "", `"`, "", "'", "")

// metaValue is the value of a key: what follows the colon, and the lines after it, some of them its own.
type metaValue struct {
	first string
	rest  [][]byte
}

// lines lists the lines of the value, without comments and the blanks around them.
func (v metaValue) lines() iter.Seq[string] {
	return func(yield func(string) bool) {
		size := len(v.first)
		if size > maxMetaValue || !yield(cutYAMLComment(v.first)) {
			return
		}
		for _, line := range v.rest {
			size += len(line) + 1
			if size > maxMetaValue || !goesOn(line) || !yield(cutYAMLComment(string(line))) {
				return
			}
		}
	}
}

// goesOn reports whether a line after a key's belongs to its value: an indented one, and at column 0 what YAML and people
// put there, an item, a comment, the end or a part of a [list].
func goesOn(line []byte) bool {
	if len(line) == 0 {
		return true
	}
	if c := line[0]; c == '"' || c == '\'' {
		return !bytes.Contains(line, []byte{c, ':'})
	}
	return isDigit(line[0]) || strings.IndexByte(" \t\r-#]},`", line[0]) >= 0
}

// items lists what the value holds: `[a, "b"]`, `- a` on lines of its own, `a, b`.
func (v metaValue) items() []string {
	var all []string
	for line := range v.lines() {
		line = strings.TrimPrefix(line, "- ")
		for item := range strings.FieldsFuncSeq(line, func(c rune) bool { return strings.ContainsRune("[],\"'`", c) }) {
			if item = OneLine(item); item != "" && item != "-" {
				all = append(all, item)
			}
		}
	}
	return all
}

// scalar is the first line of the value that says something, without quotes.
func (v metaValue) scalar() string {
	for line := range v.lines() {
		if line == "" {
			continue
		}
		if quote := line[:1]; quote == `"` || quote == "'" {
			line, _, _ = strings.Cut(line[1:], quote)
		}
		return strings.TrimSpace(line)
	}
	return ""
}

// cutYAMLComment trims a line and drops its comment, which needs a blank before it.
func cutYAMLComment(s string) string {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "#") {
		return ""
	}
	for _, blank := range []string{" #", "\t#"} {
		s, _, _ = strings.Cut(s, blank)
	}
	return strings.TrimSpace(s)
}

// parseWave reads `2`, `Wave 2`, `2a`, `2.0`, `2 (parallel)`. A letter or a fraction orders plans within
// a wave, which depends_on does better.
func parseWave(s string) (int, bool) {
	if len(s) >= 4 && strings.EqualFold(s[:4], "wave") {
		s = strings.TrimLeft(s[4:], " -_#:")
	}
	n, rest := cutCount(s)
	return n, rest != s && !(len(rest) > 1 && isLetter(rest[0]) && isWord(rest[1]))
}
