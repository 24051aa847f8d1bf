package roadmap

// depends.go: one entry of depends_on, taken apart from its author's words. What is in an entry is
// recognised by its shape alone; depends_resolve.go says which plans it means.

import (
	"path"
	"strings"
	"unicode"

	"github.com/gsd-cli/gsd/internal/planref"
)

// Dependency is one entry of depends_on, taken apart as far as it can be.
type Dependency struct {
	Text  string         // as written, on one line
	Phase planref.Number // zero where only a plan's number is told
	Plan  planref.Number // zero for a whole phase
	// Stem is what a number does not say: `03-01-auth`, `03-auth`, `auth`.
	Stem string
}

// referenceWord is what a number without a dash is said to be.
type referenceWord int

const (
	noWord referenceWord = iota
	phaseWord
	planWord
)

// firstReference is the first reference in a text, zero where there is none.
func firstReference(text string, word referenceWord) Dependency {
	if deps := appendReferences(nil, text, word); len(deps) > 0 {
		return deps[0]
	}
	return Dependency{}
}

// appendReferences reads the references in a text, most often one: `03-01`, `01`, `Phase 3`,
// `Phase 3 plan 2`, `03-01 (schema), 03-02`, a path. Words that say `none` are dropped.
func appendReferences(deps []Dependency, text string, word referenceWord) []Dependency {
	begin := len(deps)
	for _, piece := range splitReferences(text) {
		piece = oneLine(piece)
		rest := strings.TrimLeft(piece, "@`\"'([*")
		if saysNone(rest) {
			continue
		}
		d := Dependency{Text: piece}
		kind := word
		if after, ok := cutReferenceWord(rest, "phase"); ok {
			rest, kind = after, phaseWord
			word = phaseWord // Phases 1, 2 and 3
		} else if after, ok := cutReferenceWord(rest, "plan"); ok {
			rest, kind = after, planWord
		}
		token, tail := cutReferenceToken(rest)
		d.take(token, kind)
		if isProse(tail) && d.Phase.IsZero() && d.Plan.IsZero() {
			d.Stem = "" // the first word of a sentence
		}
		if kind == planWord && d.Phase.IsZero() && len(deps) > begin {
			// Phase 3, plan 2
			if last := &deps[len(deps)-1]; !last.Phase.IsZero() && last.Plan.IsZero() && last.Stem == "" {
				last.Plan, last.Text = d.Plan, last.Text+", "+d.Text
				continue
			}
		}
		deps = appendTail(deps, d, tail)
	}
	return deps
}

// appendTail adds d and the references in the words after it, outside parentheses: `Phase 3 plan 2`,
// `03-01 03-02`, `the output of 03-01`.
func appendTail(deps []Dependency, d Dependency, tail string) []Dependency {
	found := !d.Phase.IsZero() || !d.Plan.IsZero()
	words := strings.Fields(tail)
	depth := 0
	var more []Dependency
	for i := 0; i < len(words); i++ {
		w := words[i]
		inside := depth > 0 || w[0] == '('
		depth = max(0, depth+strings.Count(w, "(")-strings.Count(w, ")"))
		if inside {
			continue
		}
		rest := strings.Join(words[i:min(i+2, len(words))], " ")
		x := Dependency{Text: w}
		if after, ok := cutReferenceWord(rest, "plan"); ok && !d.Phase.IsZero() && d.Plan.IsZero() {
			token, _ := cutReferenceToken(after)
			x.take(token, planWord)
			if !x.Phase.IsZero() {
				d.Phase = x.Phase // phase: 3, plan: 03-02
			}
			d.Plan = x.Plan
			if !hasDigit(w) {
				i++
			}
			continue
		} else if after, ok := cutReferenceWord(rest, "phase"); ok && !found {
			token, _ := cutReferenceToken(after)
			d.take(token, phaseWord)
			if found = !d.Phase.IsZero(); !hasDigit(w) {
				i++
			}
			continue
		}
		token, _ := cutReferenceToken(w)
		if x.take(token, noWord); x.Phase.IsZero() || x.Plan.IsZero() {
			continue
		}
		if !found {
			d.Phase, d.Plan, d.Stem, found = x.Phase, x.Plan, x.Stem, true
			continue
		}
		more = append(more, x)
	}
	return append(append(deps, d), more...)
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

// splitReferences cuts a text at commas and semicolons outside parentheses, and at an `and` before
// another reference.
func splitReferences(s string) []string {
	var all []string
	depth, start := 0, 0
	for i := 0; i < len(s); i++ {
		n := 0
		switch c := s[i]; {
		case c == '(':
			depth++
		case c == ')':
			depth = max(0, depth-1)
		case depth > 0:
		case c == ',' || c == ';' || c == '\n':
			n = 1
		case c == ' ':
			n = cutJoiner(s[i:])
		}
		if n > 0 {
			all = append(all, s[start:i])
			start = i + n
			i = start - 1
		}
	}
	return append(all, s[start:])
}

// cutJoiner is the length of ` and ` before a reference, 0 elsewhere.
func cutJoiner(s string) int {
	for _, joiner := range []string{" and ", " & ", " + "} {
		rest, ok := strings.CutPrefix(s, joiner)
		if !ok || rest == "" {
			continue
		}
		_, phase := cutReferenceWord(rest, "phase")
		_, plan := cutReferenceWord(rest, "plan")
		if isDigit(rest[0]) || phase || plan {
			return len(joiner)
		}
	}
	return 0
}

// cutReferenceWord drops `Phase `, `phases-`, `plan: ` before a number.
func cutReferenceWord(s, word string) (string, bool) {
	if len(s) <= len(word) || !strings.EqualFold(s[:len(word)], word) {
		return s, false
	}
	rest := s[len(word):]
	if rest[0] == 's' || rest[0] == 'S' {
		rest = rest[1:]
	}
	rest = strings.TrimLeft(rest, " -_:#.\"'")
	if code := planref.CutProject(rest); code == "" || !isDigit(code[0]) {
		return s, false
	}
	return rest, true
}

// cutReferenceToken is the first word of s without what people put around it, and the rest.
func cutReferenceToken(s string) (string, string) {
	end := strings.IndexAny(s, " (:")
	if end < 0 {
		end = len(s)
	}
	return strings.TrimRight(s[:end], ".,;)]}`\"'*>!?"), strings.TrimLeft(s[end:], " :")
}

// isProse tells whether a sentence goes on after its first word, rather than a remark set off by a sign.
func isProse(tail string) bool {
	return tail != "" && isWord(tail[0])
}

// saysNone tells whether a text says that there is nothing: `None`, `N/A`, `none (first plan)`.
func saysNone(s string) bool {
	first, _, _ := strings.Cut(s, " ")
	switch strings.ToLower(strings.Trim(first, "()[]{}<>.,:;*`\"'")) {
	case "", "none", "n/a", "na", "null", "nil", "nothing", "no", "~", "-", "--", "—", "–":
		return true
	}
	return false
}

// take reads a token: a number or two, a name, a file, a path.
func (d *Dependency) take(token string, kind referenceWord) {
	if strings.Contains(token, "/") {
		d.takePath(path.Clean(token))
		return
	}
	stem := strings.TrimSuffix(token, ".md")
	n, ok := planref.ParseName(stem + ".md")
	if !ok {
		n, _ = planref.ParseName(stem + "-PLAN.md")
	}
	if n.Slug != "" && isStem(n.Stem) {
		d.Stem = n.Stem
	}
	d.Phase, d.Plan = n.Phase, n.Plan
	if n.Plan.IsZero() && (kind == planWord || kind == noWord && n.Slug == "") {
		d.Phase, d.Plan = planref.Number{}, n.Phase
	}
}

// takePath reads the path of a plan, of its summary or of a phase's directory.
func (d *Dependency) takePath(p string) {
	dir, base := path.Split(p)
	if strings.HasPrefix(p, "quick/") || strings.Contains(p, "/quick/") { // which belongs to no phase
		return
	}
	kind := noWord
	if planref.IsPhases(path.Base(dir)) && base != "PLAN.md" {
		kind = phaseWord
	}
	d.take(base, kind)
	if d.Phase.IsZero() {
		d.Phase, _ = planref.PhaseOfPlan(p)
	}
}

// isStem tells whether s could be the name of a plan, rather than {{a template's}} or a sentence.
func isStem(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < 0x80 && !isWord(c) && c != '-' && c != '.' {
			return false
		}
	}
	return s != ""
}

// oneLine is s with blanks for what cannot be shown on a line, and no two of them together.
func oneLine(s string) string {
	hidden := func(c rune) bool { return unicode.IsSpace(c) || !unicode.IsPrint(c) }
	return strings.Join(strings.FieldsFunc(s, hidden), " ")
}
