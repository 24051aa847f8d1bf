//go:build unix

package main

// The law of printed commands: whatever command gsd prints, in any state, works exactly as it is printed, leaves the state
// that its comment promises, and does not lead back to the answer that printed it. This file finds the commands in what gsd
// prints; promises_test.go knows what they promise; sequences_test.go tries them.

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// A printed is a command that gsd prints.
type printed struct {
	line    string // as printed, from "gsd" on
	promise string // what is said to happen, in the words of the line or of the sentence that it is part of
	try     bool   // in a line of its own, which is there to be copied
}

var (
	tryLine   = regexp.MustCompile(`^try: (.+?)   \((.*)\)$`)
	quoteLine = regexp.MustCompile("`(gsd [^`]+)`")
	inProse   = regexp.MustCompile(`(^|[\s("'])gsd ([a-z]+)\b`)
	wholeWord = regexp.MustCompile(`<span class="whole-word">(.*?)</span>|<wbr />`) // nobody sees these on the page
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
	for line := range strings.SplitSeq(out, "\n") {
		var value any
		if strings.HasPrefix(line, "{") && json.Unmarshal([]byte(out), &value) == nil {
			eachString(value, func(text string) {
				for _, p := range allPrinted(text) {
					add(p)
				}
			})
			return all
		}
		if m := tryLine.FindStringSubmatch(line); m != nil {
			add(printed{m[1], m[2], true})
			continue
		}
		line = wholeWord.ReplaceAllString(line, "$1")
		for _, m := range quoteLine.FindAllStringSubmatchIndex(line, -1) {
			add(printed{line[m[2]:m[3]], promiseOf(line[m[1]:]), false})
		}
		line = quoteLine.ReplaceAllStringFunc(line, func(s string) string { return strings.Repeat("`", len(s)) })
		for _, m := range inProse.FindAllStringSubmatchIndex(line, -1) {
			if command := commandAt(line[m[4]:]); command != "" {
				add(printed{"gsd " + command, promiseOf(line[m[4]+len(command):]), false})
			}
		}
	}
	return all
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

// operands are the words that a command takes besides flags, as far as they can be told from the words of a sentence. An
// upper-case word stands for something that the reader has to fill in.
var operands = map[string]func() *regexp.Regexp{
	"hydrate": nil, "resume": nil, "next": nil, "status": nil, "state": nil, "whoami": nil, "sync": nil, "doctor": nil,
	"bootstrap": planWords, "takeover": planWords, "start": planWords, "restore": planWords, "forget": planWords, "tasks": planWords, "archive": planWords,
	"mark": lazyRegexp(`^(\d+|N|complete|pending|in-progress|skipped|STATUS)$`), "done": lazyRegexp(`^(\d+|N)$`),
	"run": lazyRegexp(`^(start|end|list|sweep|[0-9a-f]{12}|ID)$`), "install": lazyRegexp(`^(HOST|claude|codex|gemini|copilot|cursor|opencode)$`),
}

var planWords = lazyRegexp(`^('.*|.*/.*|[0-9A-Za-z.]*\d[0-9A-Za-z.-]*|[0-9a-f]{16}|PLAN|ID)$`)

// withValue are the flags that take the next word.
var withValue = lazyRegexp(`^--(host|id|status|wait|scope|format|auto)$|^-C$`)

// commandAt returns the command at the beginning of a text, "" if there is none: what follows gsd, up to the first word that
// is none of its operands.
func commandAt(text string) string {
	name, _, _ := strings.Cut(text, " ")
	name = strings.TrimRight(name, ",;:.)\"'")
	wants, known := operands[name]
	if !known {
		return ""
	}
	end := len(name)
	for value := false; ; {
		word := nextWord(text[end:])
		bare := strings.TrimRight(strings.TrimSpace(word), ",;:.)\"")
		switch {
		case bare == "" || end > len(name) && strings.ContainsAny(text[end-1:end], ",;:)"):
			return text[:end]
		case value, strings.HasPrefix(bare, "-"), wants != nil && wants().MatchString(bare):
		default:
			return text[:end]
		}
		value = withValue().MatchString(bare)
		end += strings.Index(word, bare) + len(bare)
		if len(bare) < len(strings.TrimSpace(word)) {
			return text[:end]
		}
	}
}

// nextWord returns the next word with the spaces before it. One in single quotes may contain spaces.
func nextWord(text string) string {
	quoted, begun, escaped := false, false, false
	for i, r := range text {
		switch {
		case escaped:
			escaped = false
		case r == '\\' && !quoted:
			escaped = true
		case r == '\'':
			quoted, begun = !quoted, true
		case r != ' ':
			begun = true
		case begun && !quoted:
			return text[:i]
		}
	}
	return text
}

// isTemplate reports whether a reader has to fill something in before a command can be run.
func (p *printed) isTemplate() bool {
	words, err := shellWords(p.line)
	if err != nil {
		return false
	}
	if !p.try && (strings.HasPrefix(p.promise, "once it is written") || strings.HasPrefix(p.promise, "again")) { // which is for its reader to do first
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
	begun := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == ' ':
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
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
		case strings.IndexByte("\"$`&|;<>()*?[]#~!{}\n\t=%", c) >= 0 && !(c == '%' || c == '=' && begun):
			return nil, fmt.Errorf("%s: a shell takes %q for something else", line, c)
		default:
			word.WriteByte(c)
		}
		begun = true
	}
	if begun {
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
		{"hint: `gsd restore --list` lists them; name one", "gsd restore --list: lists them"},
		{"hint: start one: gsd bootstrap PLAN", "gsd bootstrap PLAN: "},
		{"hint: gsd run end 0f3a5b7c9d1e ends it", "gsd run end 0f3a5b7c9d1e: ends it"},
		{"hint: `gsd tasks` lists them", "gsd tasks: lists them"},
		{"hint: start one with gsd bootstrap PLAN, or name a plan: gsd tasks PLAN", "gsd bootstrap PLAN: or name a plan: gsd tasks PLAN, gsd tasks PLAN: "},
		{"; `gsd done 2`, if it did (drift)", "gsd done 2: if it did (drift"},
		{"x; `gsd run sweep` drops it", "gsd run sweep: drops it"},
		{"was lost; gsd restore 00ff00ff00ff00ff --json brings it back, and archives this one", "gsd restore 00ff00ff00ff00ff --json: brings it back, and archives this one"},
		{"- `gsd mark 1 in-progress` records that task 1 was started, `gsd mark 1 complete` that it is done. This was", "gsd mark 1 in-progress: records that task 1 was started, `gsd mark 1 complete` that it is done, gsd mark 1 complete: that it is done"},
		{"{\n  \"warnings\": [{\"detail\": \"gsd run sweep \\u003c drops it\"}]}", "gsd run sweep: < drops it"},
		{"the name that gsd prints", ""},
		{"(was lost: gsd restore)", "gsd restore: "},
		{`gsd bootstrap <span class="whole-word">03-01</span> starts it`, "gsd bootstrap 03-01: starts it"}, // on the page
		{"hint: gsd bootstrap .planning/phases/01-a/01-01-PLAN.md --fresh", "gsd bootstrap .planning/phases/01-a/01-01-PLAN.md --fresh: "},
		{"hint: gsd bootstrap '.planning/a  b'\\''s/01-01-PLAN.md' starts it", "gsd bootstrap '.planning/a  b'\\''s/01-01-PLAN.md': starts it"},
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
}

func TestShellWords(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"gsd a b", "gsd 'a  b'", `gsd 'it'\''s' -x`, "gsd --a=b .planning/%41@x,y:z", "gsd ''", `gsd 'a"$(b)` + "`c`'"} {
		got, err := shellWords(line)
		want, failed := inShell(line)
		if err != nil || failed != nil || strings.Join(got, "\x00") != strings.Join(want, "\x00") {
			t.Errorf("%s: %q %v, sh says %q %v", line, got, err, want, failed)
		}
	}
	if _, err := shellWords("gsd $x"); err == nil {
		t.Error("a shell would expand $x")
	}
}
