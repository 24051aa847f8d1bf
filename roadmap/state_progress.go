package roadmap

// state_progress.go: the value of `Progress:`, `[████░░░░░░] 40%`, with or without a bracket, in whatever
// characters, with counts such as `(17/19 plans complete)` before or behind, and with remarks.

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// stateSpan is a part of a value.
type stateSpan struct{ from, to int }

// stateCount is `17/19 plans` in a value.
type stateCount struct {
	done, total stateSpan
	phases      bool // of phases, not of plans
}

// stateProgress is where in a value the parts are.
type stateProgress struct {
	s        string
	bar      stateSpan
	percent  stateSpan // its digits; with what follows a point
	hasCents bool
	counts   []stateCount
	odd      bool // it counts something else: one phase's plans, or several percentages
}

// cutStateProgress finds the parts.
func cutStateProgress(s string) stateProgress {
	v := stateProgress{s: s, bar: stateBar(s)}
	percents := 0
	for i := v.bar.to; i < len(s); i++ {
		if s[i] != '%' {
			continue
		}
		from := i
		for from > 0 && (isDigit(s[from-1]) || s[from-1] == '.' && from > 1 && isDigit(s[from-2])) {
			from--
		}
		if from == i || i-from > 6 || from > 0 && (isWord(s[from-1]) || s[from-1] == '.') {
			continue
		}
		if percents++; percents == 1 {
			v.percent = stateSpan{from, i}
			v.hasCents = strings.Contains(s[from:i], ".")
		}
	}
	v.odd = percents > 1
	for i := v.bar.to; i < len(s); i++ {
		if !isDigit(s[i]) || i > 0 && (isWord(s[i-1]) || s[i-1] == '.' || s[i-1] == '-') {
			continue
		}
		c, end, ok := cutStateCount(s, i)
		if ok {
			v.counts = append(v.counts, c)
			i = end
		}
	}
	for i, c := range v.counts {
		for _, other := range v.counts[:i] {
			v.odd = v.odd || c.phases == other.phases
		}
	}
	v.odd = v.odd || tellsOfPhase(s)
	return v
}

// tellsOfPhase tells whether a text is about one phase: `(Phase 5: 3/5 plans)`, `(2/3 Phase 3 plans)`, `(Phase 2)`.
func tellsOfPhase(s string) bool {
	for s := strings.ToLower(s); ; {
		_, after, ok := strings.Cut(s, "phase ")
		if !ok {
			return false
		}
		if digits(after) > 0 {
			return true
		}
		s = after
	}
}

// cutStateCount reads `17/19 plans`, `3 of 4 v1.2 phases` at i.
func cutStateCount(s string, i int) (c stateCount, end int, ok bool) {
	n := digits(s[i:])
	c.done = stateSpan{i, i + n}
	rest := s[i+n:]
	switch {
	case n > 6:
		return c, i, false
	case strings.HasPrefix(rest, "/"):
		i += n + 1
	case strings.HasPrefix(rest, " / "):
		i += n + 3
	case strings.HasPrefix(rest, " of "):
		i += n + 4
	default:
		return c, i, false
	}
	n = digits(s[i:])
	if n == 0 {
		for _, unknown := range []string{"TBD", "?", "N "} {
			if strings.HasPrefix(s[i:], unknown) {
				n = len(strings.TrimSpace(unknown))
			}
		}
	}
	c.total = stateSpan{i, i + n}
	if n == 0 || n > 6 {
		return c, i, false
	}
	rest = strings.TrimPrefix(s[i+n:], "+")
	words := strings.Fields(rest[:min(len(rest), 40)])
	if rest == "" || rest[0] != ' ' {
		return c, i, false
	}
	if len(words) > 1 && versionAt(words[0]) != "" {
		words = words[1:]
	}
	if len(words) == 0 {
		return c, i, false
	}
	switch strings.ToLower(strings.Trim(words[0], ",;)(.")) {
	case "plans", "plan":
	case "phases":
		c.phases = true
	default:
		return c, i, false
	}
	return c, c.total.to - 1, true
}

// The characters of bars, each full one with its empty one.
var stateFull = []struct{ full, empty rune }{
	{'█', '░'}, {'▓', '░'}, {'#', '-'}, {'=', ' '}, {'■', '□'}, {'▰', '▱'}, {'●', '○'}, {'▮', '▯'}, {'*', '.'},
}

const stateEmpty = "░▒.-_ □▱○▯·"

func isFull(r rune) bool {
	for _, c := range stateFull {
		if r == c.full {
			return true
		}
	}
	return false
}

// stateBar is the bar that a value begins with: what its bracket holds, or block characters without one.
func stateBar(s string) stateSpan {
	from := len(s) - len(strings.TrimLeft(s, "` \t"))
	bracket := from < len(s) && s[from] == '['
	if bracket {
		from++
	}
	to := from
	for to < len(s) {
		r, n := utf8.DecodeRuneInString(s[to:])
		if !isFull(r) && !strings.ContainsRune(stateEmpty, r) || !bracket && r < utf8.RuneSelf {
			break
		}
		to += n
	}
	width := utf8.RuneCountInString(s[from:to])
	if width < 2 || width > 200 || bracket && (to == len(s) || s[to] != ']') {
		return stateSpan{}
	}
	return stateSpan{from, to}
}

// drawBar is a bar as wide as the old one and in its characters.
func drawBar(old string, percent int) string {
	width := utf8.RuneCountInString(old)
	full, empty := rune(0), rune(0)
	for _, r := range old {
		if isFull(r) && full == 0 {
			full = r
		}
		if !isFull(r) && empty == 0 {
			empty = r
		}
	}
	for _, c := range stateFull {
		if empty == 0 && c.full == full {
			empty = c.empty
		}
	}
	switch {
	case full != 0:
	case empty < utf8.RuneSelf:
		full = '#'
	default:
		full = '█'
		for _, c := range stateFull[1:] {
			if c.empty == empty && empty != '░' {
				full = c.full
			}
		}
	}
	n := (percent*width + 50) / 100
	if percent < 100 {
		n = min(n, width-1)
	}
	return strings.Repeat(string(full), n) + strings.Repeat(string(empty), width-n)
}

// progress is the rule of `Progress:`.
func (u stateUpdate) progress(old string) string {
	p := u.p
	if p.TotalPlans == 0 && p.TotalPhases == 0 || strings.Count(old, "%") > 1 { // of a milestone and of a phase
		return old
	}
	if old == "" || statePlaceholder(old) {
		return "[" + drawBar(strings.Repeat("░", 10), p.Percent()) + "] " + strconv.Itoa(p.Percent()) + "%"
	}
	v := cutStateProgress(old)
	if v.odd && u.moved {
		// What tells of the phase that is left behind is over; what is before it may be of the whole.
		stop := stateStop(old[v.bar.to:]) + v.bar.to
		rest := stateTail(old[stop:], func(mark, text string) bool { return mark == "" || !tellsOfPhase(text) })
		if value := old[:stop] + rest; !cutStateProgress(value).odd {
			return u.progress(value)
		}
	}
	if v.odd || v.percent == (stateSpan{}) && v.bar == (stateSpan{}) && len(v.counts) == 0 {
		return old
	}
	done, total := u.basis(v)
	if total == 0 {
		return old
	}
	percent := Percent(done, total)
	var parts []stateSplice
	put := func(at stateSpan, text string) {
		if old[at.from:at.to] != text {
			parts = append(parts, stateSplice{from: at.from, to: at.to, text: text})
		}
	}
	for _, c := range v.counts {
		done, total := p.DonePlans, p.TotalPlans
		if c.phases {
			done, total = p.DonePhases, p.TotalPhases
		}
		if total == 0 {
			continue
		}
		if small(old[c.done.from:c.done.to]) != done {
			put(c.done, stateDigits(done, old[c.done.from:c.done.to]))
		}
		if was := old[c.total.from:c.total.to]; digits(was) == 0 || small(was) != total {
			put(c.total, stateDigits(total, was))
		}
	}
	stale := len(parts) > 0
	if !stale && u.counted(v) {
		return old // what is counted is right, and the percentage its author's
	}
	if v.percent != (stateSpan{}) {
		if !percentSays(old[v.percent.from:v.percent.to], done, total) {
			put(v.percent, strconv.Itoa(percent))
			stale = true
		}
	}
	if v.bar != (stateSpan{}) && (stale || v.percent == (stateSpan{}) && len(v.counts) == 0) {
		put(v.bar, drawBar(old[v.bar.from:v.bar.to], percent))
	}
	if len(parts) == 0 {
		return old
	}
	return u.dropStale(splice(old, parts), percent)
}

// basis is what the percentage counts: plans, or phases where it counted phases until now.
func (u stateUpdate) basis(v stateProgress) (done, total int) {
	p := u.p
	phases, plans := false, false
	for _, c := range v.counts {
		phases, plans = phases || c.phases, plans || !c.phases
	}
	if p.TotalPlans == 0 || phases && !plans {
		return p.DonePhases, p.TotalPhases
	}
	return p.DonePlans, p.TotalPlans
}

// counted tells whether all that p counts by is counted in the value.
func (u stateUpdate) counted(v stateProgress) bool {
	for _, c := range v.counts {
		if !c.phases && u.p.TotalPlans > 0 || c.phases && u.p.TotalPlans == 0 {
			return true
		}
	}
	return len(v.counts) > 0 && u.p.TotalPhases > 0
}

// percentSays tells whether a percentage is that of done, however it was rounded.
func percentSays(text string, done, total int) bool {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return false
	}
	exact := float64(min(done, total)) * 100 / float64(total)
	if done >= total {
		return f == 100
	}
	return f < 100 && f > exact-1 && f < exact+1
}

// dropStale drops remarks that tell of single phases and plans by number, which are over now.
func (u stateUpdate) dropStale(s string, percent int) string {
	v := cutStateProgress(s)
	start := max(v.bar.to, v.percent.to)
	for start < len(s) && s[start] != ' ' {
		start++
	}
	return s[:start] + stateTail(s[start:], func(mark, text string) bool {
		if mark == "" {
			return true
		}
		rest, counts := text, cutStateProgress(text).counts
		if len(counts) == 0 && percent < 100 && firstWord(text) == Complete {
			return false // all plans complete
		}
		for _, c := range counts {
			rest = strings.Replace(rest, text[c.done.from:c.total.to], "", 1)
		}
		var words []string
		for _, w := range strings.Fields(rest) {
			if w = strings.Trim(w, ",;()%~+.-—–"); w != "" && versionAt(w) == "" {
				words = append(words, w)
			}
		}
		left := strings.Join(words, " ")
		if strings.Contains(text, "%") && digits(left) == len(left) {
			return true
		}
		return !strings.ContainsAny(left, "0123456789")
	})
}

// splice puts parts, in any order and not overlapping, in their places.
func splice(s string, parts []stateSplice) string {
	for i := 1; i < len(parts); i++ {
		for j := i; j > 0 && parts[j].from < parts[j-1].from; j-- {
			parts[j], parts[j-1] = parts[j-1], parts[j]
		}
	}
	var b strings.Builder
	at := 0
	for _, part := range parts {
		b.WriteString(s[at:part.from])
		b.WriteString(part.text)
		at = part.to
	}
	b.WriteString(s[at:])
	return b.String()
}
