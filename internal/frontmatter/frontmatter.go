// Package frontmatter reads the front matter of plans and summaries. People and models write it, so it is not parsed as
// one YAML document, in which a stray quote in must_haves would lose the wave above it: each key is found by its line, and
// parsed or ignored independently of the others.
package frontmatter

import (
	"bytes"
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/gsd-cli/gsd/internal/markdown"
	"github.com/gsd-cli/gsd/internal/text"
	"github.com/gsd-cli/gsd/planfile"
)

// Meta is the front matter of a plan, a summary, a verification or STATE.md, as far as it is used.
type Meta struct {
	Wave      int
	HasWave   bool // distinguishes wave 0 from no wave (upstream lesson 20)
	DependsOn []Dependency
	Milestone string   // the current milestone in STATE.md
	Status    string   // in lower case
	Files     []string // files_modified: the files that the plan is going to change
	Deleted   []string // files_deleted: those that it is going to remove
	Manual    bool     // autonomous: false, so a person is needed
	Gaps      bool     // gap_closure: true, so it fixes what a verification found
	Unusable  string   // why the plan cannot be carried out, such as that it is empty; "" if it can. The caller sets it.
}

// The statuses of a plan or a summary that matter.
const (
	Superseded = "superseded" // a plan that others replaced
	Cancelled  = "cancelled"  // a plan that was given up
	Halted     = "halted"     // a summary of work that was stopped on purpose
	Blocked    = "blocked"    // a summary of work that could not be finished, or a plan that cannot be carried out now
	Unmerged   = "unmerged"   // a file with conflict markers, whose own status is unknown. The caller sets it.
)

// IsGivenUp reports whether a plan of that status is not to be carried out any more.
func IsGivenUp(status string) bool {
	return status == Superseded || status == Cancelled || status == "canceled"
}

// OwnStatus returns the status that a plan without a summary states of itself, if somebody should know of it, else "": those of real plans
// that say nothing are planned, pending and ready.
func OwnStatus(status string) string {
	switch status {
	case "complete", "completed", "done", "draft", Blocked, Halted:
		return status
	}
	if IsGivenUp(status) {
		return status
	}
	return ""
}

const (
	// MaxSize is the number of bytes of a file that Read reads at most. Upstream reads the whole front
	// matter, in which a long must_haves may come before the wave; the largest of 994 real plans has 76 KiB in all.
	MaxSize = 256 << 10
	// maxValue is the maximum length of a value in bytes; real ones have less than 2,000.
	maxValue = 8 << 10
)

// Conflict returns a *planfile.ConflictError for a file whose front matter, or what stands in its place, has conflict markers. head is the
// beginning of the file, and whole reads all of it, if it can. One whose front matter is whole says its status, whatever is below.
func Conflict(head []byte, whole func() []byte) error {
	if block, rest, closed := markdown.CutFrontMatter(head); block != nil && closed {
		head = head[:len(head)-len(rest)]
	}
	if !bytes.Contains(head, []byte("<<<<<<<")) {
		return nil
	}
	conflict, ok := errors.AsType[*planfile.ConflictError](planfile.CheckConflict(whole()))
	if !ok || conflict.Line > bytes.Count(head, []byte("\n"))+1 {
		return nil
	}
	return conflict
}

// Read reads the front matter of a file; see [markdown.CutFrontMatter]. It never fails: what it does not understand
// is ignored. Of two keys with the same name the last counts, as in upstream's parser (frontmatter.cjs), so that both
// run plans in the same order.
func Read(src []byte) Meta {
	var m Meta
	block, _, _ := markdown.CutFrontMatter(src[:min(len(src), MaxSize)])
	lines := bytes.Split(block, []byte{'\n'})
	for i, line := range lines {
		key, first := cutKey(line)
		v := value{first: first, rest: lines[i+1:]}
		switch key {
		case "status":
			m.Status = strings.ToLower(v.scalar())
		case "milestone":
			m.Milestone = value{first: first}.scalar()
		case "dependson":
			m.DependsOn = nil
			for _, item := range v.items() {
				if d, ok := parseDependency(item); ok {
					m.DependsOn = append(m.DependsOn, d)
				}
			}
		case "filesmodified":
			m.Files = v.items()
		case "filesdeleted":
			m.Deleted = v.items()
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

// Texts returns the values in the front matter of a file as one line each, by their keys in lower case without separators, such as
// lastupdated.
func Texts(src []byte) map[string]string {
	texts := map[string]string{}
	block, _, _ := markdown.CutFrontMatter(src[:min(len(src), MaxSize)])
	lines := bytes.Split(block, []byte{'\n'})
	for i, line := range lines {
		if key, first := cutKey(line); key != "" {
			texts[key] = text.OneLine(value{first: first, rest: lines[i+1:]}.scalar())
		}
	}
	return texts
}

// Items returns the items of a list in the front matter of a file, such as requirements, in any spelling of its key.
func Items(src []byte, key string) (items []string) {
	key, _ = cutKey([]byte(key + ":"))
	block, _, _ := markdown.CutFrontMatter(src[:min(len(src), MaxSize)])
	lines := bytes.Split(block, []byte{'\n'})
	for i, line := range lines {
		if is, first := cutKey(line); is == key {
			items = value{first: first, rest: lines[i+1:]}.items()
		}
	}
	return items
}

// Line returns the line, from 1, on which the front matter of a file has a key, such as depends_on in any of its spellings.
// It is the last one, which counts; 0 if there is none.
func Line(src []byte, key string) (line int) {
	key, _ = cutKey([]byte(key + ":"))
	block, _, _ := markdown.CutFrontMatter(src[:min(len(src), MaxSize)])
	for i, text := range bytes.Split(block, []byte{'\n'}) {
		if is, _ := cutKey(text); is == key {
			line = i + 2 // after the line of dashes
		}
	}
	return line
}

// A Fault is what keeps a value in the front matter of a plan from meaning anything.
type Fault struct {
	Key    string // such as wave; empty for the front matter itself
	Line   int    // from 1
	Detail string // what is wrong there
}

// Faults returns what Read ignores although somebody meant it: a wave without a number, a list that is not closed, and
// front matter that is not closed. All other keys may have any value.
func Faults(src []byte) (all []Fault) {
	block, _, closed := markdown.CutFrontMatter(src[:min(len(src), MaxSize)])
	lines := bytes.Split(block, []byte{'\n'})
	found := false
	for i, line := range lines {
		key, first := cutKey(line)
		v := value{first: first, rest: lines[i+1:]}
		all = slices.DeleteFunc(all, func(f Fault) bool { return f.Key == key }) // the last key counts
		switch key {
		case "wave":
			if _, ok := parseWave(v.scalar()); !ok && v.scalar() != "" {
				all = append(all, Fault{Key: key, Line: i + 2, Detail: "the wave is not a number: " + text.OneLine(v.scalar())})
			}
		case "dependson", "filesmodified", "filesdeleted":
			text := strings.Join(slices.Collect(v.lines()), " ")
			if strings.HasPrefix(strings.TrimSpace(text), "[") && !strings.Contains(text, "]") {
				all = append(all, Fault{Key: key, Line: i + 2, Detail: "a list begins with [ and has no ]"})
			}
		default:
			continue
		}
		found = true
	}
	if found && !closed {
		all = append(all, Fault{Line: bytes.Count(block, []byte{'\n'}) + 2, Detail: "the front matter has no line --- at its end"})
	}
	return all
}

// cutKey returns the key at the start of a line and the text after the colon. The key is normalised to lower case
// without quotes and separators, so depends_on, depends-on and dependsOn are the same.
func cutKey(line []byte) (key, value string) {
	if len(line) == 0 || strings.IndexByte(" \t-#", line[0]) >= 0 {
		return "", ""
	}
	key, value, ok := strings.Cut(string(line), ":")
	if !ok {
		return "", ""
	}
	return strings.ToLower(keys.Replace(key)), value
}

var keys = strings.NewReplacer("_", "", "-", "", " ", "", `"`, "", "'", "")

// value is the value of a key: the text after the colon, and the lines below, of which the first may belong to it.
type value struct {
	first string
	rest  [][]byte
}

// lines returns the lines of the value, without comments and trimmed.
func (v value) lines() iter.Seq[string] {
	return func(yield func(string) bool) {
		size := len(v.first)
		if size > maxValue || !yield(CutComment(v.first)) {
			return
		}
		for _, line := range v.rest {
			size += len(line) + 1
			if size > maxValue || !continues(line) || !yield(CutComment(string(line))) {
				return
			}
		}
	}
}

// continues reports whether a line below a key belongs to its value: it is indented or, as YAML and people write it, an
// item, a comment, or the end or a part of a [list].
func continues(line []byte) bool {
	if len(line) == 0 {
		return true
	}
	if c := line[0]; c == '"' || c == '\'' {
		return !bytes.Contains(line, []byte{c, ':'})
	}
	return isDigit(line[0]) || strings.IndexByte(" \t\r-#]},`", line[0]) >= 0
}

// items returns the items of a list: `[a, "b"]`, lines `- a`, or `a, b`.
func (v value) items() []string {
	var all []string
	for line := range v.lines() {
		for _, item := range splitItems(strings.TrimPrefix(line, "- ")) {
			if item = text.OneLine(item); item != "" && item != "-" {
				all = append(all, item)
			}
		}
	}
	return all
}

// splitItems splits a line at the commas, quotes and brackets of a list. Brackets in an item are its own: app/[id]/page.tsx.
func splitItems(line string) (items []string) {
	from, inside := 0, 0 // brackets that are open in the item
	for i := range len(line) {
		isOwn := line[i] == '[' && i > from && line[i-1] != ' ' && line[i-1] != '\t' || line[i] == ']' && inside > 0
		switch {
		case isOwn && line[i] == '[':
			inside++
		case isOwn:
			inside--
		case strings.IndexByte("[],\"'`", line[i]) >= 0:
			items = append(items, line[from:i])
			from, inside = i+1, 0
		}
	}
	return append(items, line[from:])
}

// scalar returns the first line of the value that is not empty, without quotes.
func (v value) scalar() string {
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

// CutComment trims a line of YAML and drops its comment, which must follow a blank.
func CutComment(s string) string {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "#") {
		return ""
	}
	for _, blank := range []string{" #", "\t#"} {
		s, _, _ = strings.Cut(s, blank)
	}
	return strings.TrimSpace(s)
}

// parseWave parses `2`, `Wave 2`, `2a`, `2.0` and `2 (parallel)`. A letter or a fraction is meant to order the plans of
// a wave; it is ignored, because depends_on does that.
func parseWave(s string) (int, bool) {
	if len(s) >= 4 && strings.EqualFold(s[:4], "wave") {
		s = strings.TrimLeft(s[4:], " -_#:")
	}
	end := len(s) - len(strings.TrimLeft(s, "0123456789"))
	n, err := strconv.Atoi(s[:end])
	rest := s[end:]
	isWord := len(rest) > 1 && isLetter(rest[0]) && (isDigit(rest[1]) || isLetter(rest[1]) || rest[1] == '_')
	return n, err == nil && end <= maxDigits && !isWord
}

// maxDigits is how many digits a wave has at most.
const maxDigits = 6

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
