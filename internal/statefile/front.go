package statefile

// front.go: the front matter that upstream's commands keep. It is read as YAML, to know what the keys are, and changed
// as text, so that order, quotes and comments stay.

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gsd-cli/gsd/roadmap"
)

// The keys (upstream's state-md-schema.cjs). Milestone is read only: upstream's commands for milestones write it.
const (
	keyMilestone       = "milestone"
	keyPhase           = "current_phase"
	keyPhaseName       = "current_phase_name"
	keyPlan            = "current_plan"
	keyStatus          = "status"
	keyActivity        = "last_activity"
	keyActivityText    = "last_activity_desc"
	keyTotalPhases     = "progress.total_phases"
	keyCompletedPhases = "progress.completed_phases"
	keyTotalPlans      = "progress.total_plans"
	keyCompletedPlans  = "progress.completed_plans"
	keyPercent         = "progress.percent"
)

// maxFront is the length of the longest front matter that is read, in bytes.
const maxFront = 64 << 10

// openFront finds front matter at the start, after a byte order mark, and answers where the body begins. What looks
// like it and cannot be read is a problem, and belongs to neither.
func (d *document) openFront() (body int) {
	at := len(d.src) - len(strings.TrimPrefix(d.src, "\ufeff"))
	first, from := nextLine(d.src, at)
	if strings.TrimRight(first, " \t") != "---" {
		return 0
	}
	for at = from; ; {
		text, next := nextLine(d.src, at)
		if strings.TrimRight(text, " \t") == "---" {
			d.readFront(d.src[from:at], from)
			return next
		}
		if next == len(d.src) {
			d.problems = append(d.problems, Problem{1, "the front matter is never closed"})
			return 0
		}
		at = next
	}
}

// readFront reads the YAML that stands at offset from. What upstream refuses is a problem.
func (d *document) readFront(text string, from int) {
	broken := func(why string) { d.problems = append(d.problems, Problem{1, "the front matter " + why}) }
	if len(text) > maxFront {
		broken("is longer than 64 KiB")
		return
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		broken("is no YAML: " + roadmap.OneLine(err.Error()))
		return
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return
	}
	f := frontReader{src: d.src, lines: lineStarts(text, from), keys: map[string]value{}}
	f.read("", doc.Content[0])
	if f.why != "" {
		broken(f.why)
		return
	}
	d.front = f.keys
}

// lineStarts is where each line of text begins, which begins at offset from.
func lineStarts(text string, from int) []int {
	starts := []int{from}
	for i := range len(text) {
		if text[i] == '\n' {
			starts = append(starts, from+i+1)
		}
	}
	return starts
}

// frontReader notes the keys of front matter and of the mapping `progress` in it.
type frontReader struct {
	src   string
	lines []int
	keys  map[string]value
	why   string // it cannot be read
}

func (f *frontReader) read(prefix string, node *yaml.Node) {
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, val := node.Content[i], node.Content[i+1]
		name := prefix + key.Value
		if _, again := f.keys[name]; again {
			f.why = "has the key " + roadmap.OneLine(name) + " twice"
		}
		if val.Anchor != "" || val.Kind == yaml.AliasNode {
			f.why = "has an anchor or an alias, which GSD does not read"
		}
		v := value{line: 1 + key.Line, text: val.Value, free: true}
		if node.Style&yaml.FlowStyle == 0 && val.Kind == yaml.ScalarNode {
			v.cut(f.src, f.lines[key.Line-1], key.Value)
		}
		f.keys[name] = v
		if name == "progress" && val.Kind == yaml.MappingNode {
			f.read("progress.", val)
		}
	}
}

// cut finds the value of the key that stands in the line at offset at. It stays free unless all of the value is there,
// plain or in quotes that hide nothing.
func (v *value) cut(src string, at int, key string) {
	text, _ := nextLine(src, at)
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, " "), key+":")
	if !ok {
		return
	}
	at += len(text) // from here on, the end of the line
	text = strings.TrimLeft(rest, " \t")
	from := at - len(text)
	var inner string
	var length int
	if text != "" && (text[0] == '"' || text[0] == '\'') {
		v.quote = text[0]
		end := strings.IndexByte(text[1:], v.quote)
		if end < 0 {
			return
		}
		inner, length = text[1:end+1], end+2
		if after := strings.TrimLeft(text[length:], " \t"); after != "" && after[0] != '#' {
			return
		}
	} else {
		inner = text
		if i := strings.Index(" "+text, " #"); i >= 0 {
			inner = text[:max(i-1, 0)]
		}
		inner = strings.TrimRight(inner, " \t")
		if length = len(inner); length == 0 {
			from = at - len(rest) // a comment may follow
		}
	}
	if inner == v.text {
		v.from, v.to, v.free = from, from+length, false
	}
}

// written is how a new value of a key is written: in the quotes that the old one has, or in quotes where YAML would
// read a plain one as something else.
func (v value) written(text string) string {
	quote := v.quote
	if quote == 0 && !isPlain(text) {
		quote = '"'
	}
	switch quote {
	case '\'':
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	case '"':
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
	}
	return text
}

// isPlain reports whether YAML reads a plain text as itself: a whole number, a date, or words. A phase such as 2.10 is
// none of these, because it would be read as 2.1.
func isPlain(s string) bool {
	if isDigits(s) {
		return len(s) == 1 || s[0] != '0'
	}
	var node yaml.Node
	if err := yaml.Unmarshal([]byte(s), &node); err != nil || len(node.Content) != 1 {
		return false
	}
	n := node.Content[0]
	return n.Kind == yaml.ScalarNode && n.Style == 0 && n.Value == s && (n.Tag == "!!str" || n.Tag == "!!timestamp") &&
		n.Anchor == "" && !strings.Contains(s, "#") && !strings.Contains(s, ": ") && !strings.HasSuffix(s, ":")
}
