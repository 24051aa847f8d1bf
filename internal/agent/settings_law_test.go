package agent

// settings_law_test.go: the law of settings.go, for any file, checked by decoding.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"
	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/testenv"
)

// lines expands our command lines in JSON: @start, @agent and @end are of today, @old is how another gsd was called. A bare call becomes
// what Install writes for it.
func lines(s string) string {
	s = strings.NewReplacer("@start", callOf("gsd", startKind, Claude), "@agent", callOf("gsd", agentKind, Claude),
		"@end", callOf("gsd", endKind, Claude), "@old", callOf("/old/gsd", startKind, Claude)).Replace(s)
	return bareCall.ReplaceAllStringFunc(s, func(call string) string {
		return strings.Trim(quoted(inEither(strings.ReplaceAll(call, `\`, ""))), `"`)
	})
}

var bareCall = regexp.MustCompile(`(?:\\"/[^"]*gsd\\"|\.?[\w/]*gsd) (?:hook \w+ --host [a-z]+ --pid=\$PPID|statusline)`)

func nested(event, kind string, timeout int) entry {
	e := flat(event, kind)
	e.isGrouped = true
	e.handler = `{"type":"command",` + strings.TrimSuffix(e.handler[1:], "}") + fmt.Sprintf(`,"timeout":%d}`, timeout)
	return e
}

func flat(event, kind string) entry {
	return entry{event: event, kind: kind, handler: `{"command":` + quoted(inEither(callOf("gsd", kind, Claude))) + `}`}
}

var statusLine = entry{kind: lineKind, handler: lines(`{"type":"command","command":"gsd statusline"}`)}

var permissions, asking = permissionsOf(allowList, "gsd"), permissionsOf(askList, "gsd")

// wanted is what is merged into a file.
type wanted struct {
	version string
	entries []entry
}

// wants are what the law is checked with.
func wants() []wanted {
	one, end, agent := nested("SessionStart", startKind, 10), nested("SessionEnd", endKind, 3), nested("SessionStart", agentKind, 10)
	return []wanted{
		{"", []entry{one}},
		{"", []entry{statusLine}},
		{"", []entry{one, agent, end, statusLine}},
		{"", []entry{statusLine, end, one}},
		{"1", []entry{flat("SessionStart", startKind), flat("SessionEnd", endKind), statusLine}},
		{"", []entry{permissions}},
		{"", []entry{permissions, asking}},
		{"1", []entry{one, asking, permissions, end, statusLine}},
	}
}

// settingsSeeds are files that hold nothing of ours and can be edited.
var settingsSeeds = []string{
	"{}", "{}\n", "{ }", "{\n}", "{\n}\n", "{\r\n}\r\n", "  {}", "{} ", "{\t}", "{  \n }", "{}\r\n", "\ufeff{}", "\ufeff{\r\n\t\"a\": 1\r\n}",
	`{"hooks":{}}`, `{"hooks":{ }}`, "{\n  \"hooks\": {}\n}\n", "{\"hooks\": {\n  }}", "{\"hooks\": {\n  }\n}",
	`{"hooks":{"SessionStart":[]}}`, `{"hooks":{"SessionStart":[ ]}}`, "{\n  \"hooks\": {\n    \"SessionStart\": [\n    ]\n  }\n}\n",
	"{\n  \"hooks\": {\n    \"SessionStart\": []\n  }\n}\n", `{"hooks":{"Stop":[]}}`, `{"hooks":{"SessionStart":[],"Stop":[],},}`,
	`{"version":1}`, `{"version":1,"hooks":{}}`, `{"hooks":{},"version":1}`, `{"version" : 1 }`, `{"a":{},"version":1}`,
	`{"statusLine":null}`, `{"statusLine":{"command":"mine"}}`, `{"statusLine":{"type":"command","command":"date"},"b":1}`,
	`{"a":1}`, `{"a": 1}`, `{"a":1,}`, `{"a": 1, "b": [2, 3]}`, "{\"a\":1\n}", "{\"a\":1,\n\"b\":2}", "{\n\"a\":1\n}", "{\n\t\"a\": 1\n}",
	"{\n    \"a\": {\n        \"b\": []\n    }\n}", "{\n  \"a\": 1 // c\n}\n", "{\n  \"a\": 1, // c\n}\n", "{\n  \"a\": 1 /* c */ , /* d */\n}\n",
	"{\n  \"a\": 1\n  // \"b\": 2\n}\n", "{\"a\":1 // c\r\n}", "{\"a\":1 // c\r\r\n\n}", "{\n\"a\":1 // c\r\r\n}", "{\r\n\"a\":1 // c */\n}",
	"{ // c\n}", "{// c\n}", "{ /* c */ }", "{/* c */}", "{/* c */\n}", "{ // c\r\n // d\n}", "{ // c \n\n}", "/**/{/**/}/**/",
	"// a\n{\"b\":1}", "{} // c", "{}// c\r", "{}\n// c\n", "{\"hooks\":{\"SessionStart\":[ // c\n]}}",
	"{\"hooks\":{\"SessionStart\":[ /* c */ ]}}", "{\"hooks\":{ // c\n}}", "{\"hooks\" /* c */ : {}}", "{\"hooks\": // c\n{\"SessionStart\":[]}}",
	`{"n":[12345678901234567890,1e400,-0,1.50,1E+2],"s":"\u0026 && \ud800 \/ é \\\" // /* ,]"}`,
	`{"hooks":{"SessionStart":[{"matcher":"*","hooks":[{"type":"command","command":"make && gsd hook start"}]}]}}`,
	`{"hooks":{"SessionStart":[{"matcher":"x","hooks":[]},7,null,{"hooks":{}},{"hooks":[[]]},{"command":5}],"Stop":[]}}`,
	"{\n  \"hooks\": {\n    \"SessionStart\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"a\"}]} // mine\n      // the end\n    ] // c\n" +
		"    , \"Stop\": [] /* d */\n  } // e\n} // f",
	"{\r\n\t\"hooks\": {\r\n\t\t\"SessionStart\": [\r\n\t\t\t{ \"command\": \"a\" },\r\n\t\t],\r\n\t},\r\n}",
	`{"\u0068ooks":{"Session\u0053tart":[]}}`, `{"hooks":{"SessionStart":[{"command":"a","hooks":[{"command":"b"}]}]}}`, `{"":"","a b":{" ":[ ]}}`,
	`{"env":{"A":"1","A":"2"},"a":1,"a":2}`, `{"permissions":{"deny":[1],"deny":[2]},"hooks":{"Stop":[{"x":1,"x":2,"hooks":[{"command":"a","command":"b"}]}]}}`,
	`{"permissions":{}}`, `{"permissions":{"allow":[]}}`, `{"permissions":{"allow":[ ]}}`, "{\n  \"permissions\": {\n    \"allow\": []\n  }\n}\n",
	"{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(make)\", // mine\n      \"Bash(gsd mark:*)\"\n    ],\n    \"deny\": []\n  }\n}\n",
	`{"permissions":{"allow":["Bash(gsd done:*)","Bash(gsd hydrate:*)","Bash(gsd mark:*)","Bash(gsd next:*)","Bash(gsd status:*)"],"ask":[]},"b":1}`,
	`{"permissions":{"ask":["Bash(rm:*)","Bash(gsd takeover:*)"]}}`, `{"permissions":{"ask":["Bash(gsd takeover)"]}}`,
	"{\"permissions\":{\"deny\":[\"x\"], // c\n}}", "{\"permissions\":{\"allow\":[ // c\n\"a\", /* d */ ]}}",
	"{\"a\":1" + strings.Repeat(" ", 100) + "}", "{\n" + strings.Repeat(" ", 100) + "\"a\":1}",
}

func TestSettingsLaw(t *testing.T) {
	for i, want := range wants() {
		t.Run(fmt.Sprint("no file ", i), func(t *testing.T) { holdLaw(t, nil, want) })
		for j, src := range settingsSeeds {
			if i != j%len(wants()) && (testing.Short() || i < len(wants())-1) { // the last has some of everything
				continue
			}
			t.Run(fmt.Sprint(i, src), func(t *testing.T) { holdLaw(t, []byte(src), want) })
		}
	}
}

func TestSettingsLawOfAnyFile(t *testing.T) {
	rapid.Check(testenv.Laws(t), func(r *rapid.T) {
		want := rapid.SampledFrom(wants()).Draw(r, "want")
		holdLaw(r, anySettings(r), want)
		mixed := anySettings(r, `{"command":"@start"}`, `{"command":"@old" /* c */}`, `{"hooks":[{"command":"@end"},],}`)
		checkRemoval(r, mixed)
		out := mustMerge(r, mixed, want)
		sameBytes(r, "a second insertion", mustMerge(r, out, want), out)
		checkRemoval(r, out)
	})
}

// FuzzSettingsLaw: a file is refused, or the law holds for it. Out of any file that can be read, a removal takes ours.
func FuzzSettingsLaw(f *testing.F) {
	for i, src := range settingsSeeds {
		if testing.Short() && i%8 > 0 {
			continue
		}
		f.Add([]byte(src), byte(i))
		m, _ := merge([]byte(src), wants()[2].entries, "")
		f.Add(bytes.ReplaceAll(m.text, []byte(`"matcher":""`), []byte(`"matcher":"startup"`)), byte(i))
	}
	f.Fuzz(func(t *testing.T, src []byte, pick byte) {
		want := wants()[int(pick)%len(wants())]
		d, err := parse(src)
		if err != nil {
			return
		}
		checkRemoval(t, src)
		if m, err := merge(src, want.entries, want.version); err == nil {
			checkRemoval(t, m.text)
			if len(d.ours()) == 0 {
				holdLaw(t, src, want)
			}
		}
	})
}

// anySettings draws a file with comments, in any layout, in which each name is there once. Its events hold elements of
// theirs and those that are given.
func anySettings(r *rapid.T, given ...string) []byte {
	eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(r, "eol")
	extras := []string{"", "", "", " ", "  ", "\t", "NL", "NL  ", " NL\t", "\r", "/* c */", " /*NL*/ ", "// cNL", " // c NL NL", "/**/// \rNL  "}
	if rapid.Bool().Draw(r, "plain") {
		extras = []string{"", " ", "NL  "}
	}
	extra := func() string {
		return strings.ReplaceAll(rapid.SampledFrom(extras).Draw(r, "extra"), "NL", eol)
	}
	list := func(brackets string, parts []string) string {
		for i := range parts {
			parts[i] = extra() + parts[i] + extra()
		}
		text := brackets[:1] + strings.Join(parts, ",")
		if len(parts) > 0 && rapid.IntRange(0, 3).Draw(r, "comma") == 0 {
			text += "," + extra()
		}
		if len(parts) == 0 {
			text += extra()
		}
		return text + brackets[1:]
	}
	member := func(name, value string) string { return quoted(name) + extra() + ":" + extra() + value }
	object := func(names []string, most int, value func(name string) string) string {
		var parts []string
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, most, rapid.ID).Draw(r, "names") {
			parts = append(parts, member(name, value(name)))
		}
		return list("{}", parts)
	}
	literals := []string{"1", "-0", "1e400", "12345678901234567890", "null", "true", `"\u0026 && // ,]"`, `"gsd hook start"`, `""`}
	var value func(depth int) string
	value = func(depth int) string {
		switch n := rapid.IntRange(0, 9).Draw(r, "type"); {
		case n < 2 && depth > 0:
			return list("[]", rapid.SliceOfN(rapid.Custom(func(*rapid.T) string { return value(depth - 1) }), 0, 3).Draw(r, "array"))
		case n < 4 && depth > 0:
			return object([]string{"a", "b", "hooks", "matcher", "version"}, 3, func(string) string { return value(depth - 1) })
		}
		return rapid.SampledFrom(literals).Draw(r, "literal")
	}
	event := func(string) string {
		var groups []string
		for range rapid.IntRange(0, 2).Draw(r, "groups") {
			handlers := []string{`{"command":"theirs"}`}
			if len(given) > 0 && rapid.Bool().Draw(r, "given") {
				element := lines(rapid.SampledFrom(given).Draw(r, "element"))
				groups, handlers = append(groups, element), append(handlers, element)
			}
			handlers = rapid.Permutation(handlers).Draw(r, "handlers")
			groups = append(groups, list("{}", []string{member("matcher", `"x"`), member("hooks", list("[]", handlers))}))
		}
		return list("[]", groups)
	}
	rules := []string{"ASK", `"Bash(make)"`, `"Bash(gsd mark:*)"`, "1", "OURS", "HALF"}
	root := object([]string{"a", "hooks", "permissions", "statusLine", "version"}, 4, func(name string) string {
		switch name {
		case "hooks":
			return object([]string{"SessionStart", "SessionEnd", "Stop"}, 3, event)
		case "permissions":
			return object([]string{"allow", "ask", "deny"}, 3, func(string) string {
				var all []string
				for _, rule := range rapid.SliceOfN(rapid.SampledFrom(rules), 0, 3).Draw(r, "rules") {
					block := permissionsOf(allowList, "/old/gsd").rules
					switch {
					case rule == "HALF":
						block = block[:4]
					case rule == "ASK" && len(given) > 0:
						block = permissionsOf(askList, "/old/gsd").rules
					case rule != "OURS" || len(given) == 0:
						block = nil
						rule = strings.NewReplacer("OURS", `"Bash(ls)"`, "ASK", `"Bash(gsd takeover:*)"`).Replace(rule)
						all = append(all, rule)
					}
					for _, text := range block {
						all = append(all, quoted(text))
					}
				}
				return list("[]", all)
			})
		}
		return value(2)
	})
	return []byte(rapid.SampledFrom([]string{"", "\ufeff"}).Draw(r, "mark") + extra() + root + extra())
}

// holdLaw checks the law for a file that holds nothing of ours, or nil, and for what can be merged into it.
func holdLaw(t rapid.TB, src []byte, want wanted) {
	t.Helper()
	out := mustMerge(t, src, want)
	sameBytes(t, "a second insertion", mustMerge(t, out, want), out)
	removed := func(what string, out []byte) {
		t.Helper()
		back := mustRemove(t, out)
		sameValue(t, what, back, src)
		if isPlain(src) || restores(src, out, want.version) {
			sameBytes(t, what, back, src)
		}
	}
	removed("removed", out)
	for i := 1; i < len(want.entries); i++ {
		one, two := wanted{want.version, want.entries[:i]}, wanted{want.version, want.entries[i:]}
		removed("removed after two insertions", mustMerge(t, mustMerge(t, src, one), two))
		removed("removed after two insertions in another order", mustMerge(t, mustMerge(t, src, two), one))
	}
	older := wanted{want.version, slices.Clone(want.entries)}
	for i, e := range older.entries {
		older.entries[i].handler = strings.NewReplacer(`"type":"command",`, "", `(gsd `, `(/older/gsd `, `& gsd `, `& /older/gsd `, ":10", ":600").Replace(e.handler)
		if e.list != "" {
			older.entries[i] = permissionsOf(e.list, "/older/gsd")
		}
	}
	updated := mustMerge(t, mustMerge(t, src, older), want)
	if got, want := append(commandsOf(t, updated), allowedIn(t, updated)...), append(commandsOf(t, out), allowedIn(t, out)...); !reflect.DeepEqual(got, want) {
		t.Fatalf("updated: %v, want %v", got, want)
	}
	removed("removed after an update", updated)
	if src != nil {
		sameBytes(t, "nothing to remove", mustRemove(t, src), src)
	}
	for _, e := range want.entries {
		if e.list != "" {
			if got := allowedIn(t, out); !slices.Equal(got, rulesOf(want.entries)) {
				t.Fatalf("permissions: %q in %s", got, out)
			}
			continue
		}
		line := e.event + ": " + inEither(callOf("gsd", e.kind, Claude))
		if n := strings.Count("\n"+strings.Join(commandsOf(t, out), "\n")+"\n", "\n"+line+"\n"); n != 1 && (e.event != "" || n != 0) {
			t.Fatalf("%d of %s in %s", n, line, out)
		}
	}
	sameValue(t, "merged", out, src)
	for name, text := range formatted(t, out) {
		back := mustRemove(t, text)
		if diff := cmp.Diff(withoutOurs(decoded(t, orEmpty(src))), withoutOurs(decoded(t, orEmpty(back)))); diff != "" || len(commandsOf(t, orEmpty(back))) > 0 || len(allowedIn(t, orEmpty(back))) > 0 {
			t.Fatalf("%s and removed (-want +got)\n%s\n%s", name, diff, text)
		}
	}
}

// orEmpty is a file, or an empty one for none.
func orEmpty(src []byte) []byte {
	if src == nil {
		return []byte("{}")
	}
	return src
}

// sameValue checks that a file holds what another does, and its comments, apart from what is ours.
func sameValue(t rapid.TB, what string, got, want []byte) {
	t.Helper()
	got, want = orEmpty(got), orEmpty(want)
	if got, want := comments(got), comments(want); !slices.Equal(got, want) {
		t.Fatalf("%s: comments %q, want %q", what, got, want)
	}
	if diff := cmp.Diff(withoutOurs(decoded(t, want)), withoutOurs(decoded(t, got))); diff != "" {
		t.Fatalf("%s: value (-want +got)\n%s\n%s", what, diff, got)
	}
}

// isPlain reports whether a file has to come back byte for byte: it holds something, and nothing empty where ours goes; it has no comments,
// and no white space but before names, values and brackets.
func isPlain(src []byte) bool {
	if src == nil {
		return true
	}
	d, err := parse(src)
	if err != nil || d.isEmpty() || !d.root.IsStandard() {
		return false
	}
	holders := [][]string{{"hooks"}, {"permissions"}, {"permissions", allowList}, {"permissions", askList}}
	for _, event := range members(d.find("hooks")) {
		holders = append(holders, []string{"hooks", event.name})
	}
	for _, names := range holders {
		if v := d.find(names...); v != nil && len(members(v))+len(elements(v)) == 0 {
			return false
		}
	}
	for v := range d.root.All() {
		if all, _ := partsOf(v); len(all) > 0 && all[len(all)-1].value.AfterExtra != nil {
			return false
		}
		for _, m := range members(v) {
			if m.value.AfterExtra != nil {
				return false
			}
		}
		for _, e := range elements(v) {
			if e.value.AfterExtra != nil {
				return false
			}
		}
	}
	return true
}

// checkRemoval checks for any file that can be read that a removal takes all of ours out of it, and nothing else.
func checkRemoval(t rapid.TB, src []byte) {
	t.Helper()
	back := mustRemove(t, src)
	if back == nil {
		back = []byte("{}")
	}
	if left := append(commandsOf(t, back), allowedIn(t, back)...); len(left) > 0 {
		t.Fatalf("left: %v\n%q\n%q", left, src, back)
	}
	sameBytes(t, "removed again", mustRemove(t, back), back)
	if diff := cmp.Diff(withoutOurs(decoded(t, src)), withoutOurs(decoded(t, back))); diff != "" {
		t.Fatalf("value (-want +got)\n%s\n%q\n%q", diff, src, back)
	}
}

func mustMerge(t rapid.TB, src []byte, want wanted) []byte {
	t.Helper()
	m, err := merge(src, want.entries, want.version)
	if err != nil {
		t.Fatalf("merge: %v\n%s", err, src)
	}
	return m.text
}

func mustRemove(t rapid.TB, src []byte) []byte {
	t.Helper()
	out, err := remove(src, "1")
	if err != nil {
		t.Fatalf("remove: %v\n%s", err, src)
	}
	return out
}

// commandsOf lists our commands in a file, with their events.
func commandsOf(t rapid.TB, src []byte) (all []string) {
	t.Helper()
	d, err := parse(src)
	noError(t, err)
	for _, h := range d.ours() {
		all = append(all, h.event+": "+h.command)
	}
	return all
}

// allowedIn lists the permissions of ours in a file.
func allowedIn(t rapid.TB, src []byte) (all []string) {
	t.Helper()
	d, err := parse(src)
	noError(t, err)
	for _, list := range []string{allowList, askList} {
		for _, at := range d.blocks(list) {
			all = append(all, d.rules(list)[at:at+blockSize(list)]...)
		}
	}
	return all
}

// rulesOf lists the permissions of entries, as allowedIn does.
func rulesOf(entries []entry) (all []string) {
	for _, list := range []string{allowList, askList} {
		for _, e := range entries {
			if e.list == list {
				all = append(all, e.rules...)
			}
		}
	}
	return all
}

func sameBytes(t rapid.TB, what string, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) || (got == nil) != (want == nil) {
		t.Fatalf("%s\ngot:  %q\nwant: %q", what, got, want)
	}
}

// standardized is a file as JSON without comments.
func standardized(t rapid.TB, text []byte) []byte {
	t.Helper()
	text, err := hujson.Standardize(append(bytes.Clone(bytes.TrimPrefix(text, []byte("\ufeff"))), '\n'))
	if err != nil {
		t.Fatalf("not valid: %v\n%s", err, text)
	}
	return text
}

// decoded is the value of a settings file.
func decoded(t rapid.TB, text []byte) (v map[string]any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(standardized(t, text)))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("not valid: %v\n%s", err, text)
	}
	return v
}

// withoutBlocks takes our blocks out of a list of permissions.
func withoutBlocks(list string, rules []any) []any {
	for i := 0; i < len(rules); i++ {
		first, _ := rules[i].(string)
		command := map[string]string{allowList: allowedCommands[0], askList: askedCommand}[list]
		bin := strings.TrimPrefix(strings.TrimSuffix(first, " "+command+":*)"), "Bash(")
		var block []any
		for _, text := range permissionsOf(list, bin).rules {
			block = append(block, text)
		}
		if n := len(block); n <= len(rules)-i && reflect.DeepEqual(rules[i:i+n], block) {
			rules = slices.Delete(slices.Clone(rules), i, i+n)
			i--
		}
	}
	return rules
}

// withoutOurs takes what is ours out of a value, and the containers and the version of which only a file's bytes record
// whose they are.
func withoutOurs(v map[string]any) map[string]any {
	ours := func(v any) bool {
		m, _ := v.(map[string]any)
		_, group := m["hooks"]
		is := false
		for _, name := range commandMembers {
			if s, ok := m[name].(string); ok {
				if _, kind := splitCommand(s); kind == "" {
					return false
				}
				is = true
			}
		}
		return is && !group
	}
	if ours(v["statusLine"]) {
		delete(v, "statusLine")
	}
	delete(v, "version")
	if permissions, ok := v["permissions"].(map[string]any); ok {
		for _, list := range []string{allowList, askList} {
			if rules, ok := permissions[list].([]any); ok {
				if permissions[list] = withoutBlocks(list, rules); len(withoutBlocks(list, rules)) == 0 {
					delete(permissions, list)
				}
			}
		}
		if len(permissions) == 0 {
			delete(v, "permissions")
		}
	}
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
			m, _ := e.(map[string]any)
			in, ok := m["hooks"].([]any)
			if ok && !ours(e) {
				in = slices.DeleteFunc(in, ours)
				m["hooks"] = in
			}
			return ours(e) || ok && len(in) == 0
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

func comments(text []byte) (all []string) {
	for _, lexeme := range lexemes().FindAll(text, -1) {
		if lexeme[0] == '/' {
			all = append(all, strings.TrimRight(string(lexeme), "\r"))
		}
	}
	return all
}

// formatted is what other programs make of a file.
func formatted(t rapid.TB, text []byte) map[string][]byte {
	text = standardized(t, text)
	var two, tabs, compact bytes.Buffer
	_ = json.Indent(&two, text, "", "  ")
	_ = json.Indent(&tabs, text, "", "\t")
	_ = json.Compact(&compact, text)
	sorted, err := json.Marshal(decoded(t, text))
	noError(t, err)
	hu, err := hujson.Format(bytes.Clone(text))
	noError(t, err)
	padded := strings.NewReplacer("{\n", "{ ", "[\n", "[ ", ",\n", ", ", "\n", " ").Replace(two.String())
	return map[string][]byte{
		"two": two.Bytes(), "tabs": tabs.Bytes(), "compact": compact.Bytes(), "sorted": sorted, "padded": []byte(padded), "hujson": hu,
		"trimmed": []byte(strings.ReplaceAll(two.String(), " \n", "\n")),
	}
}
