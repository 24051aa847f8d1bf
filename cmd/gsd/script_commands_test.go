package main

// The commands that the scripts have beside testscript's own.

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gsd-cli/gsd/testdata"
)

// cmdExitCode runs a program and holds its exit code: "exitcode N PROGRAM ARGS…".
func cmdExitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exitcode N program args...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// cmdFails runs a gsd that is to fail with the exit code N, and holds what it says to the law of main.go.
func cmdFails(ts *testscript.TestScript, neg bool, args []string) {
	cmdExitCode(ts, neg, args)
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("a command that failed printed an answer: %q", out)
	}
	says := ts.ReadFile("stderr")
	if strings.HasPrefix(says, "{") { // of a command with --json
		answer := struct {
			Error, Hint string
			Do          []any
		}{}
		ts.Check(json.Unmarshal([]byte(says), &answer))
		if answer.Error == "" || answer.Hint == "" && answer.Do == nil || strings.Index(says, "\n") != len(says)-1 {
			ts.Fatalf("not one line of JSON with an error and what helps: %q", says)
		}
		return
	}
	lines := strings.Split(strings.ReplaceAll(strings.TrimSuffix(says, "\n"), "\n  ", " "), "\n") // either may be broken
	helps := lines[min(1, len(lines)):]
	if len(helps) > 0 && strings.HasPrefix(helps[0], "hint: ") {
		helps[0] = "try: a hint"
	}
	isOther := func(line string) bool { return !strings.HasPrefix(line, "try: ") }
	if !strings.HasPrefix(lines[0], "gsd: ") || len(helps) == 0 || slices.ContainsFunc(helps, isOther) || !strings.HasSuffix(says, "\n") {
		ts.Fatalf("not one line \"gsd: …\", and then \"hint: …\" or \"try: …\": %q", says)
	}
	what := []rune(strings.TrimPrefix(lines[0], "gsd: "))
	if len(what) < 5 || len(what) > 1 && unicode.IsUpper(what[0]) && unicode.IsLower(what[1]) || what[len(what)-1] == '.' {
		ts.Fatalf("not lower case without a period: %q", lines[0])
	}
	if strings.TrimPrefix(lines[1], "hint: ") == "" {
		ts.Fatalf("an empty hint")
	}
	if bad := unsafeRune(says); bad != "" {
		ts.Fatalf("standard error has %s", bad)
	}
}

// cmdSample lays out the demo's sample project in the directory given, or here. Plan 01-01 is done; 01-02
// has three tasks.
func cmdSample(ts *testscript.TestScript, neg bool, args []string) {
	dir := "."
	if len(args) > 0 {
		dir = args[0]
	}
	ts.Check(os.CopyFS(ts.MkAbs(dir), testdata.Sample()))
}

// A snapshot is all that can be seen of a directory or file without changing it.
type snapshot struct {
	path  string
	loose bool
	text  string
}

// cmdSnapshot remembers a directory or file: "snapshot [-loose] PATH NAME". With -loose it leaves out what
// a writer leaves behind who changed nothing: the guard, the session's .gitignore, the times of directories.
func cmdSnapshot(ts *testscript.TestScript, neg bool, args []string) {
	loose := len(args) > 0 && args[0] == "-loose"
	if loose {
		args = args[1:]
	}
	if neg || len(args) != 2 {
		ts.Fatalf("usage: snapshot [-loose] path name")
	}
	path := ts.MkAbs(args[0])
	stateOf(ts).snapshots[args[1]] = snapshot{path, loose, manifest(ts, path, loose)}
}

// cmdUnchanged compares what snapshot remembered under each NAME with what is there.
func cmdUnchanged(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 0 {
		ts.Fatalf("usage: [!] unchanged name...")
	}
	for _, name := range args {
		was, ok := stateOf(ts).snapshots[name]
		if !ok {
			ts.Fatalf("no snapshot %q", name)
		}
		is := manifest(ts, was.path, was.loose)
		switch {
		case neg && is == was.text:
			ts.Fatalf("%s did not change", was.path)
		case !neg && is != was.text:
			ts.Fatalf("%s changed:\n%s", was.path, diff.Diff("before", []byte(was.text), "after", []byte(is)))
		}
	}
}

func manifest(ts *testscript.TestScript, root string, loose bool) string {
	var b strings.Builder
	ts.Check(filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if loose && (entry.Name() == ".guard" || strings.Contains(name, "/sessions/") && entry.Name() == ".gitignore") {
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s %q", info.Mode(), name)
		if !loose || !info.IsDir() {
			fmt.Fprintf(&b, " %s", info.ModTime().UTC().Format(time.RFC3339Nano))
		}
		switch info.Mode().Type() {
		case 0:
			data, err := os.ReadFile(path)
			if err != nil {
				data = []byte("unreadable")
			}
			fmt.Fprintf(&b, " %d bytes %x", info.Size(), sha256.Sum256(data))
		case fs.ModeSymlink:
			to, err := os.Readlink(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " -> %s", to)
		}
		b.WriteByte('\n')
		return nil
	}))
	return b.String()
}

// unescape reads \n, \t, \r, \xNN, \uNNNN and \UNNNNNNNN as Go does.
func unescape(ts *testscript.TestScript, s string) string {
	var b strings.Builder
	for s != "" {
		if s[0] == '\'' || s[0] == '"' {
			b.WriteByte(s[0])
			s = s[1:]
			continue
		}
		r, multibyte, rest, err := strconv.UnquoteChar(s, 0)
		if err != nil {
			ts.Fatalf("%q: %v", s[:min(len(s), 20)], err)
		}
		if multibyte {
			b.WriteRune(r)
		} else {
			b.WriteByte(byte(r))
		}
		s = rest
	}
	return b.String()
}

// cmdEscapes turns the escapes in files into what they stand for, so that a script shows them.
func cmdEscapes(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		text := unescape(ts, ts.ReadFile(name))
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o666))
	}
}

// cmdSetenv is env with escapes: "setenv NAME 'a\x1bb'".
func cmdSetenv(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: setenv name value")
	}
	ts.Setenv(args[0], unescape(ts, args[1]))
}

// cmdReplace replaces a text that occurs just once in a file: "replace FILE OLD NEW", with escapes.
func cmdReplace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace file old new")
	}
	text, old := ts.ReadFile(args[0]), unescape(ts, args[1])
	if n := strings.Count(text, old); n != 1 {
		ts.Fatalf("%q is %d times in %s", old, n, args[0])
	}
	text = strings.Replace(text, old, unescape(ts, args[2]), 1)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}

// cmdSub replaces what a pattern matches in a file, wherever it does: "sub FILE PATTERN TEXT", TEXT with escapes.
func cmdSub(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: sub file pattern text")
	}
	pattern, err := regexp.Compile(args[1])
	ts.Check(err)
	text := ts.ReadFile(args[0])
	if !pattern.MatchString(text) {
		ts.Fatalf("no %s in %s", pattern, args[0])
	}
	text = pattern.ReplaceAllLiteralString(text, unescape(ts, args[2]))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}

// cmdJSON looks into the JSON on standard output: "json PATH VALUE", where PATH is such as tasks.0.name,
// ends in .len for how many there are, and VALUE has escapes and may be JSON itself: "json resume null".
func cmdJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: [!] json path value")
	}
	dec := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout")))
	dec.UseNumber()
	var value any
	ts.Check(dec.Decode(&value))
	if dec.More() {
		ts.Fatalf("more than one JSON value")
	}
	for _, key := range strings.Split(args[0], ".") {
		switch v := value.(type) {
		case map[string]any:
			if key == "len" {
				value = json.Number(strconv.Itoa(len(v)))
				continue
			}
			inner, ok := v[key]
			if !ok {
				ts.Fatalf("no %q; there are %q", key, slices.Sorted(maps.Keys(v)))
			}
			value = inner
		case []any:
			if key == "len" {
				value = json.Number(strconv.Itoa(len(v)))
				continue
			}
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(v) {
				ts.Fatalf("no element %s of %d", key, len(v))
			}
			value = v[i]
		default:
			ts.Fatalf("%s: %v has no %q", args[0], value, key)
		}
	}
	got, isText := value.(string)
	if !isText {
		text, err := json.Marshal(value)
		ts.Check(err)
		got = string(text)
	}
	if want := unescape(ts, args[1]); (got == want) == neg {
		ts.Fatalf("%s is %q, want %q", args[0], got, want)
	}
}

// cmdSchema holds the JSON on standard output against schema.json: "schema COMMAND".
func cmdSchema(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: schema command")
	}
	ts.Check(checkSchema(args[0], []byte(ts.ReadFile("stdout"))))
}

// cmdSafe says that what was printed can be looked at in a terminal: "safe" looks at standard output and
// standard error, "safe FILE…" at files.
func cmdSafe(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 0 {
		args = []string{"stdout", "stderr"}
	}
	for _, name := range args {
		bad := unsafeRune(ts.ReadFile(name))
		if neg && bad == "" {
			ts.Fatalf("%s is safe", name)
		} else if !neg && bad != "" {
			ts.Fatalf("%s has %s", name, bad)
		}
	}
}

// actsOrHides is written from the list in docs/design.md, Bounds, and not taken from internal/text.
var actsOrHides = lazyRegexp(`[\x00-\x08\x0b-\x1f\x7f-\x{9f}` + // controls, but tab and line feed
	`\x{ad}\x{34f}\x{61c}\x{115f}\x{1160}\x{17b4}\x{17b5}\x{180b}-\x{180f}` + // soft hyphen, joiners, fillers
	`\x{200b}-\x{200f}\x{2028}-\x{202e}\x{2060}-\x{206f}` + // zero width, separators, bidirectional
	`\x{3164}\x{feff}\x{ffa0}\x{fff9}-\x{fffb}` + // fillers, byte order mark, interlinear
	`\x{1d173}-\x{1d17a}\x{e0000}-\x{e0fff}]`) // musical controls, tags, variation selectors

// unsafeRune describes what should not have been printed, "" if there is nothing.
func unsafeRune(s string) string {
	if !utf8.ValidString(s) {
		return fmt.Sprintf("invalid UTF-8: %q", s)
	}
	if at := actsOrHides().FindStringIndex(s); at != nil {
		return fmt.Sprintf("%+q in %+q", s[at[0]:at[1]], s[max(0, at[0]-40):min(len(s), at[1]+40)])
	}
	return ""
}

// What takes two columns, by Unicode's scripts and not as width.go has it, and what takes none.
var (
	twoColumns = lazyRegexp(`[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\x{3000}-\x{3030}\x{ff01}-\x{ff60}\x{1f300}-\x{1faff}✅❌]`)
	noColumn   = lazyRegexp(`[\p{Mn}\p{Me}]`)
)

// columnsOf is how wide a line is.
func columnsOf(line string) int {
	return utf8.RuneCountInString(line) + len(twoColumns().FindAllString(line, -1)) - len(noColumn().FindAllString(line, -1))
}

// cmdColumns says that no line of standard output is wider than N columns: "columns N".
func cmdColumns(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: columns n")
	}
	most, err := strconv.Atoi(args[0])
	ts.Check(err)
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		line = strings.TrimSuffix(line, "\n")
		if n := columnsOf(line); n > most {
			ts.Fatalf("%d columns: %s", n, line)
		}
	}
}

// cmdTouched says when files were last written: "touched 2026-03-01T09:00:00Z FILE…".
func cmdTouched(ts *testscript.TestScript, neg bool, args []string) {
	at, err := time.Parse(time.RFC3339, args[0])
	ts.Check(err)
	for _, name := range args[1:] {
		ts.Check(os.Chtimes(ts.MkAbs(name), at, at))
	}
}

var archiveName = lazyRegexp(`^current-plan\.\d{14}(-\d+)?\.stale$`)

// cmdArchives counts what was archived and copies it: "archives N [FILE…]" puts the archives, oldest first,
// into the files named.
func cmdArchives(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: archives n file...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	dir := filepath.Dir(ts.MkAbs(ts.Getenv("SESSION")))
	entries, err := os.ReadDir(dir)
	ts.Check(err)
	var names []string
	for _, entry := range entries {
		if archiveName().MatchString(entry.Name()) {
			names = append(names, entry.Name())
		} else if !slices.Contains([]string{"current-plan.md", ".guard", ".gitignore", "runs.json"}, entry.Name()) {
			ts.Fatalf("%s was left behind", entry.Name())
		}
	}
	if len(names) != want {
		ts.Fatalf("%d archives, want %d: %q", len(names), want, names)
	}
	slices.SortFunc(names, func(a, b string) int { // .stale before -2.stale
		return strings.Compare(strings.TrimSuffix(a, ".stale"), strings.TrimSuffix(b, ".stale"))
	})
	for i, to := range args[1:] {
		data, err := os.ReadFile(filepath.Join(dir, names[i]))
		ts.Check(err)
		ts.Check(os.WriteFile(ts.MkAbs(to), data, 0o666))
	}
}

var startedLine = lazyRegexp(`(?m)^<!-- Started: (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) -->$`)

// cmdTalked writes the file in which Claude keeps a conversation that was started here: "talked ID".
func cmdTalked(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: talked id")
	}
	here, err := filepath.EvalSymlinks(ts.MkAbs("."))
	ts.Check(err)
	name := regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString(here, "-")
	dir := filepath.Join(ts.Getenv("HOME"), ".claude", "projects", name)
	ts.Check(os.MkdirAll(dir, 0o755))
	ts.Check(os.WriteFile(filepath.Join(dir, args[0]+".jsonl"), nil, 0o644))
}

// cmdStarted checks that a session file says when it was started, in UTC, and that this was a moment ago;
// the time is $STARTED from then on.
func cmdStarted(ts *testscript.TestScript, neg bool, args []string) {
	name := ts.Getenv("SESSION")
	if len(args) > 0 {
		name = args[0]
	}
	m := startedLine().FindStringSubmatch(ts.ReadFile(name))
	if m == nil {
		ts.Fatalf("%s has no line <!-- Started: RFC 3339 UTC -->", name)
	}
	at, err := time.Parse(time.RFC3339, m[1])
	ts.Check(err)
	if began := stateOf(ts).began.Truncate(time.Second); at.Before(began) || at.After(time.Now()) {
		ts.Fatalf("%s is not between the start of this script, %s, and now", m[1], began.UTC())
	}
	ts.Setenv("STARTED", m[1])
}

// cmdDigest puts the SHA-256 of a file into $DIGEST.
func cmdDigest(ts *testscript.TestScript, neg bool, args []string) {
	ts.Setenv("DIGEST", fmt.Sprintf("%x", sha256.Sum256([]byte(ts.ReadFile(args[0])))))
}

// cmdMode is chmod for several files; what lost its owner's write bit gets it back when the script ends.
func cmdMode(ts *testscript.TestScript, neg bool, args []string) {
	mode, err := strconv.ParseUint(args[0], 8, 32)
	ts.Check(err)
	for _, name := range args[1:] {
		name = ts.MkAbs(name)
		ts.Check(os.Chmod(name, fs.FileMode(mode)))
		if mode&0o200 == 0 {
			ts.Defer(func() { _ = os.Chmod(name, fs.FileMode(mode)|0o700) }) // it may be gone
		}
	}
}

// cmdSparse makes a file with a first line of text and a size: "sparse FILE MIB".
func cmdSparse(ts *testscript.TestScript, neg bool, args []string) {
	mib, err := strconv.ParseInt(args[1], 10, 32)
	ts.Check(err)
	name := ts.MkAbs(args[0])
	ts.Check(os.WriteFile(name, []byte("# A plan\n"), 0o666))
	ts.Check(os.Truncate(name, mib<<20))
}

// cmdMany writes a text again and again: "many FILE N TEXT", with escapes.
func cmdMany(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), bytes.Repeat([]byte(unescape(ts, args[2])), n), 0o666))
}

// cmdFill writes a file until the disk is full: "fill FILE".
func cmdFill(ts *testscript.TestScript, neg bool, args []string) {
	f, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	defer f.Close()
	for _, size := range []int{4096, 1} {
		for chunk := bytes.Repeat([]byte("x"), size); err == nil; {
			_, err = f.Write(chunk)
		}
		err = nil
	}
}
