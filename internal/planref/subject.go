package planref

// subject.go: which plans a commit's subject names. Prose is full of pairs of numbers: those in the scope of a
// conventional commit are plans, others only if they are written like one. Upstream's executors write `type(NN-MM):
// text`, and so do 2,300 of 9,800 commits of sixteen real projects, which use no other form of scope.

import (
	"slices"
	"strings"
	"unicode"
)

// Subject is the parsed first line of a commit message.
type Subject struct {
	Type    string // of a conventional commit, in lower case: feat, fix, docs; "" if it is not one
	Text    string // the line without type and scope
	Plans   []Ref  // the plans that it names, each once
	Scoped  bool   // Plans are from the scope (`feat(03-01): …`), not from the text
	Led     bool   // Plans are from the text, which begins with one (`feat(app): 03-01 …`, `Phase 3 Plan 03-01: …`)
	Phase   Number // the phase in the scope, if that names no plan
	Reverts string // the subject that it reverts, or if it is of type revert, its text; "" if it is not a revert
}

const (
	maxSubject = 1000 // bytes of a subject that are read; longer ones are paragraphs without line breaks
	maxPlans   = 50   // plans in one subject
)

// ParseSubject parses the first line of a commit message. It accepts any text. 11-fix-auth and 03-01-auth in it are plans if they are
// among the named ones, which may be nil; else they are phase 11 and plan 03-01.
func ParseSubject(line string, named Named) Subject {
	line = strings.TrimSpace(line)
	if len(line) > maxSubject {
		line = strings.ToValidUTF8(line[:maxSubject], "")
	}
	if of := cutRevert(line); of != "" {
		return Subject{Type: "revert", Text: line, Reverts: of}
	}
	kind, scope, text := cutScope(line)
	s := Subject{Type: kind, Text: text}
	s.readRevert()
	s.readScope(scope, named)
	if s.Scoped = len(s.Plans) > 0; !s.Scoped {
		s.readProse(text, named)
	}
	return s
}

// cutRevert returns the subject that is reverted by `Revert "…"` or by `Reapply "…"`, which reverts the revert; "" for
// any other line.
func cutRevert(line string) string {
	verb, quoted, _ := strings.Cut(line, ` "`)
	end := strings.LastIndexByte(quoted, '"') // GitHub appends a number
	switch {
	case end > 0 && verb == "Revert":
		return quoted[:end]
	case end > 0 && verb == "Reapply":
		return `Revert "` + quoted[:end] + `"`
	}
	return ""
}

// readRevert reads what people write for a revert by hand: `fix(03-01): revert "feat(03-01): …"`, `revert: feat(03-01): …` and
// `revert(03-01): …`.
func (s *Subject) readRevert() {
	if verb, rest, ok := strings.Cut(s.Text, ` "`); ok && strings.EqualFold(verb, "revert") {
		s.Reverts = cutRevert(`Revert "` + rest)
	} else if s.Type == "revert" {
		s.Reverts = s.Text
	}
}

// cutScope splits a line into the type, scope and text of a conventional commit.
func cutScope(line string) (kind, scope, text string) {
	word := strings.IndexFunc(line, func(r rune) bool { return !unicode.IsLetter(r) })
	if word <= 0 {
		return "", "", line
	}
	kind, rest := strings.ToLower(line[:word]), line[word:]
	if inner, ok := strings.CutPrefix(rest, "("); ok {
		if scope, rest, ok = strings.Cut(inner, ")"); !ok {
			return "", "", line
		}
	}
	text, ok := strings.CutPrefix(strings.TrimPrefix(rest, "!"), ":")
	if !ok {
		return "", "", line
	}
	return kind, scope, strings.TrimSpace(text)
}

// readScope parses `03-01`, `3-1, 3-2`, `03-01,02`, `03-slug-01`, `phase-03`, `03`, `03-slug` and `quick-001`.
func (s *Subject) readScope(scope string, named Named) {
	last := Number{} // the phase of the previous plan
	for item := range strings.FieldsFuncSeq(scope, func(r rune) bool { return strings.ContainsRune(",+&;/ ", r) }) {
		if ref, ok := quickRef(item); ok {
			s.add(ref)
			continue
		}
		if len(item) > len("phase") && strings.EqualFold(item[:len("phase")], "phase") {
			item = strings.TrimLeft(item[len("phase"):], "-")
		}
		if len(named) > 0 {
			if ref, n := cutNamed(item); n == len(item) && named[ref] {
				s.add(ref)
				continue
			}
		}
		phase, ref, n := cutRef(item)
		if plan, ok := planAfterSlug(item[n:]); ok && ref == (Ref{}) {
			ref = NewRef(phase, plan)
		}
		switch {
		case n == 0:
		case ref != Ref{}:
			s.add(ref)
			last = phase
		case !last.IsZero() && isDigit(item[0]):
			s.add(NewRef(last, phase))
		case s.Phase.IsZero() && (n == len(item) || item[n] == '-'):
			s.Phase = phase
		}
	}
	if len(s.Plans) > 0 {
		s.Phase = Number{}
	}
}

// planAfterSlug returns the plan in what follows a phase's number, if that is the phase's slug and a plan as GSD pads it: `-cli-01`. A
// slug may end in a number, too (`-oauth-2`).
func planAfterSlug(rest string) (Number, bool) {
	dash := strings.LastIndexByte(rest, '-')
	if dash < 2 || rest[0] != '-' || !isLetter(rest[1]) || len(rest[dash:]) != len("-01") || !isDigit(rest[dash+1]) || !isDigit(rest[dash+2]) {
		return Number{}, false
	}
	n, _, ok := CutNumber(rest[dash+1:])
	return n, ok
}

// readProse finds the plans that a text mentions: a pair of numbers that is padded as GSD writes it (03-01), follows
// the word plan, or continues a list of plans. Three numbers joined by dashes, such as a date, are not a plan.
func (s *Subject) readProse(text string, named Named) {
	end := -1 // of the last plan, where a list may continue
	for i := 0; i < len(text); i++ {
		if !isDigit(text[i]) && !isCapital(text[i]) || i > 0 && (isWord(text[i-1]) || text[i-1] == '-' || text[i-1] == '.') {
			continue
		}
		if len(named) > 0 {
			if ref, n := cutNamed(text[i:]); named[ref] {
				s.Led = s.Led || len(s.Plans) == 0 && isLead(text[:i])
				s.add(ref)
				end = i + n
				i = end - 1
				continue
			}
		}
		phase, rest, ok := CutNumber(text[i:])
		if !ok {
			continue
		}
		plan, after, ok := cutDashed(rest)
		if !ok || len(after) > 1 && after[0] == '-' && isDigit(after[1]) {
			continue
		}
		at := len(text) - len(after)
		if end >= 0 && isJoiner(text[end:i]) || isPadded(text[i:at]) || isLed(text[:i]) {
			s.Led = s.Led || len(s.Plans) == 0 && isLead(text[:i])
			s.add(NewRef(phase, plan))
			end = at
		}
		i = at - 1
	}
}

func (s *Subject) add(ref Ref) {
	if len(s.Plans) < maxPlans && !slices.Contains(s.Plans, ref) {
		s.Plans = append(s.Plans, ref)
	}
}

// isPadded reports whether one of the two numbers of a pair begins with a zero.
func isPadded(pair string) bool {
	pair = CutProject(pair)
	return strings.HasPrefix(pair, "0") || strings.Contains(pair, "-0")
}

// isLed reports whether the text before a pair ends in the word plan or plans.
func isLed(before string) bool {
	before = strings.TrimRight(before, " #:([")
	before = strings.ToLower(before[max(0, len(before)-len("-plans")):])
	rest, ok := strings.CutSuffix(strings.TrimSuffix(before, "s"), "plan")
	return ok && (rest == "" || !isWord(rest[len(rest)-1]))
}

// isLead reports whether a text has nothing but what leads to a plan's id, such as `Phase 3 Plan`.
func isLead(before string) bool {
	for word := range strings.FieldsFuncSeq(before, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' }) {
		_, rest, ok := CutNumber(word)
		if !(ok && rest == "") && !strings.EqualFold(word, "phase") && !strings.EqualFold(word, "plan") && !strings.EqualFold(word, "plans") {
			return false
		}
	}
	return true
}

// isJoiner reports whether a text joins two items of a list.
func isJoiner(s string) bool {
	switch strings.TrimSpace(s) {
	case ",", "+", "&", "and", ", and", "/", ";":
		return true
	}
	return false
}

// IsBookkeeping reports whether a commit's type says that it documents work rather than doing it.
func (s Subject) IsBookkeeping() bool {
	return s.Type == "docs" || s.Type == "chore" || s.Type == "wip" || s.Type == "plan"
}

// Closes reports whether a commit completes the plans in its scope, as upstream's executors write it: `docs(03-02):
// complete export plan`.
func (s Subject) Closes() bool {
	words := strings.FieldsFunc(strings.ToLower(s.Text), func(r rune) bool { return !unicode.IsLetter(r) })
	if s.Type != "docs" || len(words) == 0 || words[0] != "complete" && words[0] != "completed" {
		return false
	}
	return len(words) == 1 || slices.ContainsFunc(words, func(w string) bool { return w == "plan" || w == "plans" || w == "summary" })
}

// Completes reports whether a commit says that a phase or a milestone, which what names, is over, as upstream's workflows and people write
// it: `docs(phase-03): complete phase execution`, `docs(13): complete debug agent phase`, `docs(03): close phase 3`, `chore: archive v1.2
// milestone`. One that completes another thing (`complete milestone audit`, `complete phase 1 planning`) does not.
func (s Subject) Completes(what string) bool {
	text := s.Text
	for _, aside := range []string{"(", ";", ": ", " - ", " – ", " — ", " -- "} {
		text, _, _ = strings.Cut(text, aside)
	}
	words := strings.Fields(strings.ToLower(text))
	if s.Reverts != "" || len(words) == 0 || !slices.Contains([]string{"complete", "completed", "close", "closed", "archive", "archived", "ship", "shipped"}, words[0]) {
		return false
	}
	for i, w := range words {
		if strings.Trim(w, ".,") != what {
			continue
		}
		switch rest := words[i+1:]; {
		case len(rest) == 0, len(rest) == 1 && (rest[0] == "execution" || strings.ContainsAny(rest[0], "0123456789")):
			return true
		case strings.ContainsAny(rest[0], "0123456789") && isJoiner(rest[1]):
			return true
		}
	}
	return false
}
