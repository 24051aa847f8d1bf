//go:build unix

package main

// The law of printed commands: whatever command gsd prints, in any state, works exactly as it is printed, leaves the state
// that its comment promises, and does not lead back to the answer that printed it. This file finds the commands in what gsd
// prints; promises_test.go knows what they promise; sequences_test.go tries them.

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A printed is a command that gsd prints: one that is offered, or one between backticks.
type printed struct {
	line    string // as printed, from "gsd" on
	promise string // what is said to happen, in the words of the line or of the sentence that it is part of
	try     bool   // in a line of its own, which is there to be copied
}

var (
	tryLine   = lazyRegexp(`^ *(?:try|fix): (.+?)   \((.*)\)$`)
	brokenTry = lazyRegexp(`(?m)^( *(?:try|fix): [^\n]+)\n +(\((?:[^()\n]*\n +)*[^()\n]*\))$`) // what is too wide
	codeSpan  = lazyRegexp("`(gsd [^`]+)`")
	bare      = lazyRegexp(`(?:^|[\s("'])gsd ([a-z]+)\b`)
	wholeWord = lazyRegexp(`<span class="whole-word">(.*?)</span>|<wbr />`) // nobody sees these on the page
)

// allPrinted returns the commands in what gsd printed, text or JSON, each once.
func allPrinted(out string) (all []printed) {
	seen := map[string]bool{}
	add := func(p printed) {
		if !seen[p.line] {
			seen[p.line] = true
			all = append(all, p)
		}
	}
	for line := range strings.SplitSeq(unwrapped(out), "\n") {
		var value any
		if strings.HasPrefix(line, "{") && json.Unmarshal([]byte(out), &value) == nil {
			eachString(value, func(text string) {
				for _, p := range allPrinted(text) {
					add(p)
				}
			})
			return all
		}
		if m := tryLine().FindStringSubmatch(line); m != nil {
			add(printed{m[1], m[2], true})
			continue
		}
		line = wholeWord().ReplaceAllString(line, "$1")
		for _, m := range codeSpan().FindAllStringSubmatchIndex(line, -1) {
			add(printed{line[m[2]:m[3]], promiseOf(line[m[1]:]), false})
		}
	}
	return all
}

// unwrapped returns what gsd printed with each offer on one line.
func unwrapped(out string) string {
	return brokenTry().ReplaceAllStringFunc(out, func(offer string) string {
		m := brokenTry().FindStringSubmatch(offer)
		return m[1] + "   " + strings.Join(strings.Fields(m[2]), " ")
	})
}

// bareCommand returns a command of gsd that stands in a sentence without being marked as one; "" if there is none.
func bareCommand(out string) string {
	for line := range strings.SplitSeq(unwrapped(out), "\n") {
		if tryLine().MatchString(line) {
			continue
		}
		for _, m := range bare().FindAllStringSubmatch(codeSpan().ReplaceAllString(line, "``"), -1) {
			if slices.Contains(names(), m[1]) {
				return line
			}
		}
	}
	return ""
}

// promiseOf returns what a sentence says after a command.
func promiseOf(rest string) string {
	rest, _, _ = strings.Cut(rest, ";")
	rest, _, _ = strings.Cut(rest, ". ")
	return strings.Trim(rest, " .,)")
}

func eachString(value any, see func(string)) {
	switch value := value.(type) {
	case string:
		see(value)
	case []any:
		for _, v := range value {
			eachString(v, see)
		}
	case map[string]any:
		for _, v := range value {
			eachString(v, see)
		}
	}
}

// isTemplate reports whether a reader has to fill something in before a command can be run.
func (p *printed) isTemplate() bool {
	words, err := shellWords(p.line)
	if err != nil {
		return false
	}
	if !p.try && (strings.HasSuffix(p.promise, "once it is complete") || strings.HasPrefix(p.promise, "again")) { // which is for its reader to do first
		return true
	}
	for _, word := range words {
		if templateWord().MatchString(word) {
			return true
		}
	}
	return false
}

var templateWord = lazyRegexp(`^(PLAN|ID|N|STATUS|HOST|DIR|HOW|COMMAND)$`)

// shellWords splits a line as a POSIX shell does, if it consists of plain words, words in single quotes and \'.
func shellWords(line string) (words []string, err error) {
	var word strings.Builder
	started := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == ' ':
			if started {
				words = append(words, word.String())
			}
			word.Reset()
			started = false
			continue
		case c == '\'':
			end := strings.IndexByte(line[i+1:], '\'')
			if end < 0 {
				return nil, fmt.Errorf("%s: a quote is not closed", line)
			}
			word.WriteString(line[i+1 : i+1+end])
			i += end + 1
		case c == '\\' && i+1 < len(line):
			i++
			word.WriteByte(line[i])
		case strings.IndexByte("\"$`&|;<>()*?[]#~!{}\n\t=%", c) >= 0 && !(c == '%' || c == '=' && started):
			return nil, fmt.Errorf("%s: a shell takes %q for something else", line, c)
		default:
			word.WriteByte(c)
		}
		started = true
	}
	if started {
		words = append(words, word.String())
	}
	return words, nil
}

// inShell splits a line with the shell of this machine.
func inShell(line string) ([]string, error) {
	out, err := exec.Command("sh", "-c", `gsd() { printf '%s\0' gsd "$@"; }; `+line).Output()
	if err != nil {
		return nil, fmt.Errorf("%s: sh: %v", line, err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), nil
}

func TestAllPrinted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ out, want string }{
		{"no plans left\n", ""},
		{"try: gsd bootstrap 'a b' --again   (copies (all) tasks)", "try gsd bootstrap 'a b' --again: copies (all) tasks"},
		{"  fix: gsd run sweep   (cleans up after it)", "try gsd run sweep: cleans up after it"},
		{"try: gsd run start\n     (records\n       it)\nx", "try gsd run start: records it"},
		{"hint: `gsd restore --list` lists them; name one", "gsd restore --list: lists them"},
		{"- `gsd mark 1 in-progress` records that task 1 was started, `gsd mark 1 complete` that it is done. This was", "gsd mark 1 in-progress: records that task 1 was started, `gsd mark 1 complete` that it is done, gsd mark 1 complete: that it is done"},
		{"{\n  \"warnings\": [{\"detail\": \"`gsd run sweep` \\u003c drops it\"}]}", "gsd run sweep: < drops it"},
		{"`gsd bootstrap <span class=\"whole-word\">03-01</span>` starts it", "gsd bootstrap 03-01: starts it"}, // on the page
	} {
		var got []string
		for _, p := range allPrinted(test.out) {
			line := p.line + ": " + p.promise
			if p.try {
				line = "try " + line
			}
			got = append(got, line)
		}
		if got := strings.Join(got, ", "); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.out, got, test.want)
		}
	}
	for out, want := range map[string]bool{
		"the name that gsd prints": false, "hint: gsd tasks lists them": true, "`gsd next` shows it": false, "try: gsd next   (shows it)": false, "(gsd sync)": true,
	} {
		if got := bareCommand(out) != ""; got != want {
			t.Errorf("%s: %v", out, got)
		}
	}
}
