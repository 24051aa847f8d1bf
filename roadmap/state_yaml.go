package roadmap

// state_yaml.go: the front matter that upstream writes at every turn. It is read as YAML, to know what the keys
// are, and changed as text, so that order, quotes and comments stay. Afterwards it is read again: a key whose
// value is not what was meant is not changed at all.

import (
	"strconv"
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"

	"go.yaml.in/yaml/v3"
)

// stateFront is front matter; the zero value is none.
type stateFront struct {
	end  int // where the body begins
	from int // where the YAML begins
	to   int // where it ends
	line int // the line before it
	keys map[string]stateKey
}

// stateKey is a key with a plain value on its own line: src[from:to], with its quotes.
type stateKey struct {
	no       int
	from, to int
	quote    byte // 0, '"' or '\''
	text     string
}

// The keys of the position (upstream state.cjs, buildStateFrontmatter).
const (
	keyMilestone       = "milestone"
	keyMilestoneName   = "milestone_name"
	keyPhase           = "current_phase"
	keyPhaseName       = "current_phase_name"
	keyPlan            = "current_plan"
	keyStatus          = "status"
	keyActivity        = "last_activity"
	keyTotalPhases     = "progress.total_phases"
	keyCompletedPhases = "progress.completed_phases"
	keyTotalPlans      = "progress.total_plans"
	keyCompletedPlans  = "progress.completed_plans"
	keyPercent         = "progress.percent"
)

var stateKeys = []string{
	keyMilestone, keyMilestoneName, keyPhase, keyPhaseName, keyPlan, keyStatus, keyActivity,
	keyTotalPhases, keyCompletedPhases, keyTotalPlans, keyCompletedPlans, keyPercent,
}

// maxStateFront is the length of the longest front matter that is read.
const maxStateFront = 64 << 10

// openStateFront finds front matter at the start of src, after a byte order mark. What looks like it and is
// none is a warning.
func openStateFront(src string) (stateFront, []StateWarning) {
	var none stateFront
	at := len(src) - len(strings.TrimPrefix(src, "\ufeff"))
	first, next := stateLineAt(src, at)
	if first != "---" {
		return none, nil
	}
	f := stateFront{from: next, line: 1}
	for at := next; ; {
		text, next := stateLineAt(src, at)
		if text == "---" {
			f.to, f.end = at, next
			break
		}
		if next >= len(src) {
			return none, []StateWarning{{1, "front-matter-open", "the front matter is never closed"}}
		}
		at = next
	}
	if f.to-f.from > maxStateFront {
		return none, []StateWarning{{1, "front-matter-broken", "the front matter is longer than 64 KiB"}}
	}
	root, err := parseStateYAML(src[f.from:f.to])
	if err != nil {
		return none, []StateWarning{{1, "front-matter-broken", "the front matter is no YAML: " + OneLine(err.Error())}}
	}
	if root == nil {
		return none, nil // thematic breaks
	}
	f.keys = map[string]stateKey{}
	offsets := lineOffsets(src[f.from:f.to])
	if name := f.collect(src, offsets, "", root); name != "" {
		return none, []StateWarning{{1, "front-matter-broken", "the front matter has the key " + name + " twice"}}
	}
	return f, nil
}

// stateLineAt is the line at offset at without blanks behind it, and where the next one begins.
func stateLineAt(src string, at int) (string, int) {
	next := len(src)
	if i := strings.IndexByte(src[at:], '\n'); i >= 0 {
		next = at + i + 1
	}
	return strings.TrimRight(src[at:next], " \t\r\n"), next
}

// parseStateYAML is the mapping that a text is; nil where it is something else.
func parseStateYAML(text string) (*yaml.Node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, nil
	}
	return doc.Content[0], nil
}

// collect notes the keys of a mapping, and those of `progress`; it answers a key that stands there twice.
func (f *stateFront) collect(src string, offsets []int, prefix string, node *yaml.Node) (twice string) {
	seen := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if seen[key.Value] {
			return prefix + key.Value
		}
		seen[key.Value] = true
		block := value.Kind == yaml.MappingNode && value.Style&yaml.FlowStyle == 0
		if prefix == "" && key.Value == "progress" && block {
			if twice := f.collect(src, offsets, "progress.", value); twice != "" {
				return twice
			}
			continue
		}
		if key.Line < 1 || key.Line > len(offsets) || value.Kind != yaml.ScalarNode ||
			value.Anchor != "" || key.Anchor != "" {
			continue
		}
		k, ok := cutStateKey(src, f.from+offsets[key.Line-1], f.to, key, value)
		if ok && k.to-k.from <= maxStateValue {
			k.no = f.line + key.Line
			f.keys[prefix+key.Value] = k
		}
	}
	return ""
}

// cutStateKey finds the value of a key on its line, which begins at offset at.
func cutStateKey(src string, at, end int, key, value *yaml.Node) (stateKey, bool) {
	text, _ := stateLineAt(src[:end], at)
	indent := len(text) - len(strings.TrimLeft(text, " "))
	rest, ok := strings.CutPrefix(text[indent:], key.Value)
	if !ok || rest == "" || rest[0] != ':' || key.Style != 0 {
		return stateKey{}, false
	}
	rest = rest[1:]
	blanks := stateBlanks(rest)
	k := stateKey{text: value.Value}
	k.from = at + len(text) - len(rest) + blanks
	rest = rest[blanks:]
	switch {
	case rest == "" || blanks > 0 && rest[0] == '#':
		k.from -= blanks
		k.to = k.from
		return k, value.Value == "" && value.Tag == "!!null"
	case rest[0] == '"' || rest[0] == '\'':
		k.quote = rest[0]
		n := stateQuoted(rest)
		k.to = k.from + n
		return k, n > 0
	case strings.IndexByte("|>&*![{%@`?", rest[0]) >= 0:
		return k, false
	}
	if i := strings.Index(rest, " #"); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.Index(rest, "\t#"); i >= 0 {
		rest = rest[:i]
	}
	rest = strings.TrimRight(rest, " \t")
	k.to = k.from + len(rest)
	return k, rest == value.Value // else it goes on in the next line
}

// stateQuoted is the length of the quoted text that s begins with; 0 where it does not end.
func stateQuoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && s[0] == '"':
			i++
		case s[i] != s[0]:
		case s[0] == '\'' && i+1 < len(s) && s[i+1] == '\'':
			i++
		default:
			return i + 1
		}
	}
	return 0
}

// frontSplices is what changes in the front matter.
func (doc stateDoc) frontSplices(u stateUpdate) []stateSplice {
	var splices []stateSplice
	want := map[string]string{}
	for _, name := range stateKeys {
		k, ok := doc.front.keys[name]
		if !ok {
			continue
		}
		value := u.settle(k.text, doc.front.rule(name))
		if value == k.text || value == "" {
			continue
		}
		text := k.quoted(value)
		want[name] = value
		old := doc.src[k.from:k.to]
		if k.from == k.to {
			text = " " + text
		}
		splices = append(splices, stateSplice{k.from, k.to, text, StateEdit{k.no, name, old, strings.TrimSpace(text)}})
	}
	if len(splices) == 0 || !doc.frontTook(splices, want) {
		return nil
	}
	return splices
}

// frontTook reads what the front matter becomes, and tells whether it is what was meant.
func (doc stateDoc) frontTook(splices []stateSplice, want map[string]string) bool {
	f := doc.front
	parts := make([]stateSplice, len(splices))
	for i, s := range splices {
		s.from, s.to = s.from-f.from, s.to-f.from
		parts[i] = s
	}
	text := doc.src[:f.from] + splice(doc.src[f.from:f.to], parts) + doc.src[f.to:]
	after, warnings := openStateFront(text)
	if len(warnings) > 0 || len(after.keys) != len(f.keys) {
		return false
	}
	for name, k := range f.keys {
		value, changed := want[name]
		if !changed {
			value = k.text
		}
		if after.keys[name].text != value {
			return false
		}
	}
	return true
}

// quoted writes a value as its predecessor was written, with quotes where YAML needs them.
func (k stateKey) quoted(value string) string {
	switch {
	case k.quote == '\'':
		return "'" + strings.ReplaceAll(value, "'", "''") + "'"
	case k.quote == '"' || !isPlainYAML(value):
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
	}
	return value
}

// isPlainYAML tells whether a text is itself without quotes.
func isPlainYAML(s string) bool {
	if s == "" || strings.IndexByte("-?:,[]{}#&*!|>'\"%@` ", s[0]) >= 0 || strings.Contains(s, ": ") ||
		strings.Contains(s, " #") || strings.HasSuffix(s, ":") {
		return false
	}
	switch strings.ToLower(s) {
	case "true", "false", "null", "~", "yes", "no", "on", "off", "y", "n", ".nan", ".inf":
		return false
	}
	return true
}

// rule is how the value of a key changes.
func (f stateFront) rule(name string) func(stateUpdate, string) string {
	switch name {
	case keyMilestone:
		return stateUpdate.frontMilestone
	case keyMilestoneName:
		return func(u stateUpdate, old string) string { return stateRenamed(old, u.p.MilestoneName) }
	case keyPhase:
		return stateUpdate.frontPhase
	case keyPhaseName:
		return stateUpdate.phaseName
	case keyPlan:
		return stateUpdate.frontPlan
	case keyStatus:
		return stateUpdate.frontStatus
	case keyActivity:
		return stateUpdate.activity
	case keyPercent:
		return f.percent
	}
	return func(u stateUpdate, old string) string {
		p := u.p
		switch {
		case name == keyTotalPhases && p.TotalPhases > 0:
			return stateNumber(old, p.TotalPhases)
		case name == keyCompletedPhases && p.TotalPhases > 0:
			return stateNumber(old, p.DonePhases)
		case name == keyTotalPlans && p.TotalPlans > 0:
			return stateNumber(old, p.TotalPlans)
		case name == keyCompletedPlans && p.TotalPlans > 0:
			return stateNumber(old, p.DonePlans)
		}
		return old
	}
}

// stateNumber is a value that is a number.
func stateNumber(old string, n int) string {
	if digits(old) == len(old) && old != "" && len(old) <= 6 && small(old) == n {
		return old
	}
	return strconv.Itoa(n)
}

// stateRenamed is a name that is only changed where it is another one.
func stateRenamed(old, name string) string {
	if name == "" || stateSame(old, name) {
		return old
	}
	return name
}

// percent is the rule of `progress.percent`, which counts plans, or phases where it has done so until now
// (upstream's verbs give both: research/upstream.md, section 4).
func (f stateFront) percent(u stateUpdate, old string) string {
	p := u.p
	was := f.keys[keyPercent].text
	says := func(done, total string) bool {
		d, t := f.keys[done].text, stateInt(f.keys[total].text)
		return t > 0 && (d == "0" || stateInt(d) > 0) && percentSays(was, stateInt(d), t)
	}
	done, total := p.DonePlans, p.TotalPlans
	phases := says(keyCompletedPhases, keyTotalPhases) && !says(keyCompletedPlans, keyTotalPlans)
	if phases && p.TotalPhases > 0 || total == 0 {
		done, total = p.DonePhases, p.TotalPhases
	}
	if total == 0 || percentSays(old, done, total) {
		return old
	}
	return strconv.Itoa(Percent(done, total))
}

// frontMilestone is the rule of `milestone`.
func (u stateUpdate) frontMilestone(old string) string {
	if u.p.Milestone == "" || sameVersion(old, u.p.Milestone) {
		return old
	}
	return stateVersion(old, u.p.Milestone)
}

// frontPhase is the rule of `current_phase`.
func (u stateUpdate) frontPhase(old string) string {
	if n, ok := planref.ParseNumber(old); u.p.Phase.IsZero() || ok && planref.Compare(n, u.p.Phase) == 0 {
		return old
	}
	if v, ok := cutStatePhase(old); ok && v.text != old {
		return u.phase(old)
	}
	return statePadded(u.p.Phase, old)
}

// frontPlan is the rule of `current_plan`.
func (u stateUpdate) frontPlan(old string) string {
	if v, ok := cutStatePlan(old); ok && v.text != old || !ok && old != "" {
		return u.plan(old)
	}
	if u.p.Plan == 0 || old != "" && small(old) == u.p.Plan {
		return old
	}
	return stateDigits(u.p.Plan, old)
}
