package host

// settings_model_test.go: what the tests of the settings editor insert, and the law that they hold it to, by decoding.

import (
	"bytes"
	stdcmp "cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"
	"pgregory.net/rapid"
)

// testKind is a kind that stands on its own feet: what follows "gsd ", up to a flag.
func testKind(command string) string {
	rest, ours := strings.CutPrefix(command, "gsd ")
	if !ours {
		return ""
	}
	kind, _, _ := strings.Cut(rest, " -")
	return kind
}

func wantNested(event, command string, timeout int) entry {
	return entry{event, fmt.Sprintf(
		`{"matcher":"","hooks":[{"type":"command","command":%q,"timeout":%d}]}`, command, timeout)}
}

func wantFlat(event, command string) entry {
	return entry{event, fmt.Sprintf(`{"command":%q}`, command)}
}

func wantLine() entry {
	return entry{"", `{"type":"command","command":"gsd statusline"}`}
}

// wantVersion stands for the version that insert is given.
func wantVersion() entry { return entry{"version", "1"} }

func (e entry) isVersion() bool { return e.event == "version" }

// wants are the lists of entries that the laws are held against.
func wants() [][]entry {
	one := wantNested("SessionStart", "gsd hook start --host claude --pid $PPID && x <y>", 10)
	end := wantNested("SessionEnd", "gsd session end --host claude", 3)
	task := wantNested("SessionStart", "gsd hook task", 10)
	return [][]entry{
		{one},
		{wantLine()},
		{one, task, end, wantLine()},
		{wantLine(), end, one},
		{wantVersion(), wantFlat("SessionStart", "gsd hook start --host cursor"), wantFlat("SessionEnd", "gsd session end"), wantLine()},
		{{"SessionStart", `{"type":"command","bash":"gsd hook start","powershell":"gsd hook start","timeoutSec":30}`}},
	}
}

// settingsSeeds are files that hold nothing of ours and can be edited.
func settingsSeeds() []string {
	seeds := []string{
		"{}", "{}\n", "{ }", "{\n}", "{\n}\n", "{\r\n}\r\n", "  {}", "{} ", "{\t}", "{  \n }", "{}\r\n", "\ufeff{}", "\ufeff{\r\n\t\"a\": 1\r\n}",
		`{"hooks":{}}`, `{"hooks":{ }}`, "{\n  \"hooks\": {}\n}\n", "{\"hooks\": {\n  }}", "{\"hooks\": {\n  }\n}",
		`{"hooks":{"SessionStart":[]}}`, `{"hooks":{"SessionStart":[ ]}}`, "{\n  \"hooks\": {\n    \"SessionStart\": [\n    ]\n  }\n}\n",
		"{\n  \"hooks\": {\n    \"SessionStart\": []\n  }\n}\n", `{"hooks":{"Stop":[]}}`, `{"hooks":{"SessionStart":[],"Stop":[],},}`,
		`{"version":1}`, `{"version":1,"hooks":{}}`, `{"hooks":{},"version":1}`, `{"version" : 1 }`, `{"a":{},"version":1}`,
		`{"statusLine":null}`, `{"statusLine":{"command":"mine"}}`, `{"statusLine":{"type":"command","command":"date"},"b":1}`,
		`{"a":1}`, `{"a": 1}`, `{"a":1,}`, `{"a": 1, "b": [2, 3]}`, "{\"a\":1\n}", "{\"a\":1,\n\"b\":2}", "{\n\"a\":1\n}", "{\n\t\"a\": 1\n}", "{\n    \"a\": {\n        \"b\": []\n    }\n}",
		"{\n  \"a\": 1 // c\n}\n", "{\n  \"a\": 1, // c\n}\n", "{\n  \"a\": 1 /* c */ , /* d */\n}\n", "{\n  \"a\": 1\n  // \"b\": 2\n}\n", "{\"a\":1 // c\r\n}", "{\"a\":1 // c\r\r\n\n}", "{\n\"a\":1 // c\r\r\n}", "{\r\n\"a\":1 // c\n}",
		"{ // c\n}", "{// c\n}", "{ /* c */ }", "{/* c */}", "{/* c */\n}", "{ // c\r\n // d\n}", "{ // c \n\n}", "/**/{/**/}/**/", "// a\n{\"b\":1}", "{} // c", "{}// c\r", "{}\n// c\n",
		"{\"hooks\":{\"SessionStart\":[ // c\n]}}", "{\"hooks\":{\"SessionStart\":[ /* c */ ]}}", "{\"hooks\":{ // c\n}}", "{\"hooks\" /* c */ : {}}", "{\"hooks\": // c\n{\"SessionStart\":[]}}",
		`{"n":[12345678901234567890,1e400,-0,1.50,1E+2],"s":"\u0026 && \ud800 \/ é \\\" // /* ,]"}`,
		`{"hooks":{"SessionStart":[{"matcher":"*","hooks":[{"type":"command","command":"make && gsd hook start"}]}]}}`,
		`{"hooks":{"SessionStart":[{"matcher":"x","hooks":[]},7,null,{"hooks":{}},{"hooks":[[]]},{"command":5}],"Stop":[]}}`,
		"{\n  \"hooks\": {\n    \"SessionStart\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"a\"}]} // mine\n      // the end\n    ] // c\n    , \"Stop\": [] /* d */\n  } // e\n} // f",
		"{\r\n\t\"model\": \"opus\",\r\n\t\"hooks\": {\r\n\t\t\"SessionStart\": [\r\n\t\t\t{ \"command\": \"a\" },\r\n\t\t],\r\n\t},\r\n}",
		`{"\u0068ooks":{"Session\u0053tart":[]}}`, `{"hooks":{"SessionStart":[{"command":"a","hooks":[{"command":"b"}]}]}}`, `{"":"","a b":{" ":[ ]}}`,
		"{\"a\":1" + strings.Repeat(" ", 100) + "}", "{\n" + strings.Repeat(" ", 100) + "\"a\":1}",
	}
	return seeds
}

// decoded is the value of a settings file, by another way than that of the editor.
func decoded(t rapid.TB, text []byte) map[string]any {
	t.Helper()
	text, err := hujson.Standardize(append(bytes.Clone(bytes.TrimPrefix(text, []byte("\ufeff"))), '\n'))
	if err != nil {
		t.Fatalf("not valid: %v\n%s", err, text)
	}
	var v map[string]any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("not valid: %v\n%s", err, text)
	}
	return v
}

func decodedEntry(t rapid.TB, e entry) any { return decoded(t, []byte(`{"v":`+e.value+`}`))["v"] }

// withEntries puts entries into a value.
func withEntries(t rapid.TB, v map[string]any, want []entry) map[string]any {
	_, had := v["hooks"]
	for _, e := range want {
		if e.event == "" || e.isVersion() {
			continue
		}
		hooks, _ := v["hooks"].(map[string]any)
		if hooks == nil {
			hooks = map[string]any{}
			v["hooks"] = hooks
		}
		event, _ := hooks[e.event].([]any)
		hooks[e.event] = append(event, decodedEntry(t, e))
	}
	for _, e := range want {
		name := stdcmp.Or(e.event, "statusLine")
		_, there := v[name]
		if e.event != "" && !e.isVersion() || there || e.isVersion() && (had || v["hooks"] == nil) {
			continue
		}
		v[name] = decodedEntry(t, e)
	}
	return v
}

// withoutOurs takes what is ours out of a value, and the containers and the version with it that only a file's bytes
// can tell to be somebody's.
func withoutOurs(v map[string]any, kind func(string) string) map[string]any {
	ours := func(v any) bool {
		m, _ := v.(map[string]any)
		_, group := m["hooks"]
		var lines []string
		for _, name := range []string{"command", "bash", "powershell", "commandWindows", "exec"} {
			if s, ok := m[name].(string); ok {
				lines = append(lines, s)
			}
		}
		return !group && len(lines) > 0 && !slices.ContainsFunc(lines, func(s string) bool { return kind(s) == "" })
	}
	if ours(v["statusLine"]) {
		delete(v, "statusLine")
	}
	delete(v, "version")
	hooks, ok := v["hooks"].(map[string]any)
	if !ok {
		return v
	}
	for name, event := range hooks {
		list, ok := event.([]any)
		if !ok {
			continue
		}
		list = slices.DeleteFunc(list, func(e any) bool {
			if ours(e) {
				return true
			}
			m, _ := e.(map[string]any)
			in, ok := m["hooks"].([]any)
			if !ok {
				return false
			}
			in = slices.DeleteFunc(in, ours)
			m["hooks"] = in
			return len(in) == 0
		})
		if hooks[name] = list; len(list) == 0 {
			delete(hooks, name)
		}
	}
	if len(hooks) == 0 {
		delete(v, "hooks")
	}
	return v
}

func isSubsequence(short, long []byte) bool {
	for _, c := range short {
		i := bytes.IndexByte(long, c)
		if i < 0 {
			return false
		}
		long = long[i+1:]
	}
	return true
}

func comments(text []byte) []string {
	var all []string
	for from, to := range lexemes(text) {
		if text[from] == '/' {
			all = append(all, string(text[from:to]))
		}
	}
	return all
}

func insertEntries(src []byte, want []entry) ([]byte, error) {
	d, err := parse(src, testKind)
	if err != nil {
		return nil, err
	}
	version := ""
	var entries []entry
	for _, e := range want {
		if e.isVersion() {
			version = e.value
		} else {
			entries = append(entries, e)
		}
	}
	if d, err = d.insert(entries, version); err != nil {
		return nil, err
	}
	return d.src, nil
}

func mustParse(t rapid.TB, src []byte) *document {
	t.Helper()
	d, err := parse(src, testKind)
	if err != nil {
		t.Fatalf("parse: %v\n%s", err, src)
	}
	return d
}

func mustInsert(t rapid.TB, src []byte, want ...entry) []byte {
	t.Helper()
	out, err := insertEntries(src, want)
	if err != nil {
		t.Fatalf("insert: %v\n%s", err, src)
	}
	return out
}

func mustRemove(t rapid.TB, src []byte) []byte {
	t.Helper()
	return mustParse(t, src).remove("1")
}

func mustFind(t rapid.TB, src []byte) []handler {
	t.Helper()
	all := mustParse(t, src).ours()
	for i := range all {
		all[i].object, all[i].group = nil, nil // where it is does not matter
	}
	return all
}

// runsOnce asserts that every entry that is wanted runs when it is to, and that nothing else of its kind runs then.
func runsOnce(t rapid.TB, src []byte, want []entry) {
	t.Helper()
	all := mustParse(t, src).ours()
	for _, e := range want {
		if e.event == "" || e.isVersion() {
			continue
		}
		mine := e.handler(testKind)
		n := 0
		for _, h := range all {
			if h.kind == mine.kind && h.event == e.event {
				if n++; !mine.runsLike(h) {
					t.Fatalf("%s runs otherwise in %s", h.command, src)
				}
			}
		}
		if n != 1 {
			t.Fatalf("%d of %s in %s", n, mine.kind, src)
		}
	}
}

func sameBytes(t rapid.TB, what string, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) || (got == nil) != (want == nil) {
		t.Fatalf("%s\ngot:  %q\nwant: %q", what, got, want)
	}
}

// holdLaw asserts the law of settings.go for a file that holds nothing of ours, or nil, and for what can be inserted.
func holdLaw(t rapid.TB, src []byte, want []entry) {
	t.Helper()
	out := mustInsert(t, src, want...)
	sameBytes(t, "a second insertion", mustInsert(t, out, want...), out)
	sameBytes(t, "removed", mustRemove(t, out), src)
	for i := 1; i < len(want); i++ {
		if want[i-1].isVersion() {
			continue // goes with the next
		}
		two := mustInsert(t, mustInsert(t, src, want[:i]...), want[i:]...)
		sameBytes(t, "removed after two insertions", mustRemove(t, two), src)
		two = mustInsert(t, mustInsert(t, src, want[i:]...), want[:i]...)
		sameBytes(t, "removed after two insertions in another order", mustRemove(t, two), src)
	}
	older := slices.Clone(want)
	for i := range older {
		older[i].value = strings.NewReplacer(`"type":"command",`, "", " --host", ` --old \"quoted\" --host`, ":10", ":600").Replace(older[i].value)
	}
	newer := mustInsert(t, mustInsert(t, src, older...), want...)
	if got, want := mustFind(t, newer), mustFind(t, out); !reflect.DeepEqual(got, want) {
		t.Fatalf("brought up to date: %v, want %v", got, want)
	}
	sameBytes(t, "removed after an update", mustRemove(t, newer), src)

	original := src
	if src == nil {
		original = []byte("{}")
	} else {
		sameBytes(t, "nothing to remove", mustRemove(t, src), src)
		if !isSubsequence(src, out) {
			t.Fatalf("not only inserted\nfrom: %q\nto:   %q", src, out)
		}
	}
	if got, want := comments(out), comments(original); !slices.Equal(got, want) {
		t.Fatalf("comments %q, want %q", got, want)
	}
	if duplicates(src) {
		return // which of them counts is for the decoder to say, and it says otherwise when one is gone
	}
	value := decoded(t, out)
	if diff := cmp.Diff(withEntries(t, decoded(t, original), want), value); diff != "" {
		t.Fatalf("value (-want +got)\n%s\n%s", diff, out)
	}
	for name, text := range formatted(t, out) {
		back := mustRemove(t, text)
		if back == nil {
			back = []byte("{}")
		}
		if diff := cmp.Diff(withoutOurs(decoded(t, original), testKind), withoutOurs(decoded(t, back), none)); diff != "" {
			t.Fatalf("%s and removed (-want +got)\n%s\n%s", name, diff, text)
		}
	}
}

func none(string) string { return "" }

// formatted is what other programs make of a file.
func formatted(t rapid.TB, text []byte) map[string][]byte {
	value := decoded(t, text)
	text, _ = hujson.Standardize(append(bytes.Clone(bytes.TrimPrefix(text, []byte("\ufeff"))), '\n'))
	var two, tabs, compact bytes.Buffer
	_ = json.Indent(&two, text, "", "  ")
	_ = json.Indent(&tabs, text, "", "\t")
	_ = json.Compact(&compact, text)
	sorted, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	padded := strings.NewReplacer("{\n", "{ ", "[\n", "[ ", ",\n", ", ", "\n", " ").Replace(two.String())
	hu, err := hujson.Format(bytes.Clone(text))
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{
		"two": two.Bytes(), "tabs": tabs.Bytes(), "compact": compact.Bytes(), "sorted": sorted, "padded": []byte(padded), "hujson": hu,
		"trimmed": []byte(strings.ReplaceAll(two.String(), " \n", "\n")),
	}
}

// duplicates tells whether an object has a name twice.
func duplicates(src []byte) bool {
	if src == nil {
		return false
	}
	d, err := parse(src, none)
	if err != nil {
		return false
	}
	var in func(v *hujson.Value) bool
	in = func(v *hujson.Value) bool {
		seen := map[string]bool{}
		for _, k := range boxOf(v).kids {
			if v.Value.Kind() == '{' && seen[k.name] || in(k.value) {
				return true
			}
			seen[k.name] = true
		}
		return false
	}
	return in(d.root)
}
