package host

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"
	"pgregory.net/rapid"
)

func TestSettingsLaw(t *testing.T) {
	for i, want := range wants() {
		t.Run(fmt.Sprint("no file ", i), func(t *testing.T) { holdLaw(t, nil, want) })
		for _, src := range settingsSeeds() {
			t.Run(fmt.Sprint(i, src), func(t *testing.T) { holdLaw(t, []byte(src), want) })
		}
	}
}

func TestSettingsLawOfAnyFile(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		src := anySettings(r)
		if len(mustFind(r, src)) > 0 {
			r.Fatalf("the generator makes ours: %s", src)
		}
		holdLaw(r, src, rapid.SampledFrom(wants()).Draw(r, "want"))
	})
}

// anySettings draws a file with comments, in any layout, in which each name is there once.
func anySettings(r *rapid.T) []byte {
	eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(r, "eol")
	extras := []string{"", "", "", " ", "  ", "\t", "NL", "NL  ", " NL\t", "\r", "/* c */", " /*NL*/ ", "// cNL", " // c NL NL", "/**/// \rNL  "}
	if rapid.Bool().Draw(r, "plain") {
		extras = []string{"", " ", "NL  "}
	}
	extra := func() string {
		return strings.ReplaceAll(rapid.SampledFrom(extras).Draw(r, "extra"), "NL", eol)
	}
	list := func(brackets string, kids []string) string {
		for i := range kids {
			kids[i] = extra() + kids[i] + extra()
		}
		text := brackets[:1] + strings.Join(kids, ",")
		if len(kids) > 0 && rapid.IntRange(0, 3).Draw(r, "comma") == 0 {
			text += "," + extra()
		}
		if len(kids) == 0 {
			text += extra()
		}
		return text + brackets[1:]
	}
	member := func(name, value string) string { return quoted(name) + extra() + ":" + extra() + value }
	literals := []string{"1", "-0", "1e400", "12345678901234567890", "null", "true", `"\u0026 && // ,]"`, `"gsd hook start"`, `""`}
	var value func(depth int) string
	value = func(depth int) string {
		switch n := rapid.IntRange(0, 9).Draw(r, "type"); {
		case n < 2 && depth > 0:
			return list("[]", rapid.SliceOfN(rapid.Custom(func(*rapid.T) string { return value(depth - 1) }), 0, 3).Draw(r, "array"))
		case n < 4 && depth > 0:
			names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "hooks", "matcher", "version"}), 0, 3, rapid.ID).Draw(r, "names")
			kids := []string{}
			for _, name := range names {
				kids = append(kids, member(name, value(depth-1)))
			}
			return list("{}", kids)
		}
		return rapid.SampledFrom(literals).Draw(r, "literal")
	}
	hooks := func() string {
		var events []string
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"SessionStart", "SessionEnd", "Stop"}), 0, 3, rapid.ID).Draw(r, "events") {
			var groups []string
			for range rapid.IntRange(0, 2).Draw(r, "groups") {
				groups = append(groups, list("{}", []string{member("matcher", `"x"`), member("hooks", list("[]", []string{`{"command":"theirs"}`}))}))
			}
			events = append(events, member(name, list("[]", groups)))
		}
		return list("{}", events)
	}
	var members []string
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "hooks", "statusLine", "version"}), 0, 4, rapid.ID).Draw(r, "members") {
		if name == "hooks" {
			members = append(members, member(name, hooks()))
		} else {
			members = append(members, member(name, value(2)))
		}
	}
	before := rapid.SampledFrom([]string{"", "\ufeff"}).Draw(r, "mark")
	return []byte(before + extra() + list("{}", members) + extra())
}

func TestSettingsText(t *testing.T) {
	start := wantNested("SessionStart", "gsd hook start && :", 10)
	flat := wantFlat("sessionStart", "gsd hook start")
	for _, c := range []struct {
		name string
		src  []byte
		want []entry
		out  string
	}{
		{"no file", nil, []entry{wantVersion(), flat, wantLine()}, `{
  "hooks": {
    "sessionStart": [
      {
        "command": "gsd hook start"
      }
    ]
  },
  "version": 1,
  "statusLine": {
    "type": "command",
    "command": "gsd statusline"
  }
}
`},
		{"an empty object", []byte("{}\n"), []entry{wantLine()}, "{\n  \"statusLine\": {\n    \"type\": \"command\",\n    \"command\": \"gsd statusline\"\n  } }\n"},
		{"one line", []byte(`{"a":1}`), []entry{wantVersion(), flat}, `{"a":1,"hooks":{"sessionStart":[{"command":"gsd hook start"}]},"version":1}`},
		{"one line with spaces", []byte(`{"a": 1}`), []entry{flat, wantLine()}, `{"a": 1, "hooks": {"sessionStart": [{"command": "gsd hook start"}]}, "statusLine": {"type": "command", "command": "gsd statusline"}}`},
		{"an empty list", []byte(`{"hooks":{"sessionStart":[]}}`), []entry{wantVersion(), flat}, `{"hooks":{"sessionStart":[{"command":"gsd hook start"} ]}}`},
		{"behind others", []byte(`{
    "hooks": {
        "SessionStart": [
            {"hooks": [{"type": "command", "command": "theirs"}]} // theirs
            // the end
        ],
    }, // hooks
}`), []entry{start, wantLine()}, `{
    "hooks": {
        "SessionStart": [
            {"hooks": [{"type": "command", "command": "theirs"}]}, // theirs
            // the end
            {
                "matcher": "",
                "hooks": [
                    {
                        "type": "command",
                        "command": "gsd hook start && :",
                        "timeout": 10
                    }
                ]
            }
        ],
    }, // hooks
    "statusLine": {
        "type": "command",
        "command": "gsd statusline"
    },
}`},
		{"tabs and CRLF", []byte("{\r\n\t\"a\": 1 // c\r\n}\r\n"), []entry{flat}, "{\r\n\t\"a\": 1, // c\r\n\t\"hooks\": {\r\n\t\t\"sessionStart\": [\r\n\t\t\t{\r\n\t\t\t\t\"command\": \"gsd hook start\"\r\n\t\t\t}\r\n\t\t]\r\n\t}\r\n}\r\n"},
		{"only the version", []byte("{}"), []entry{wantVersion()}, "{}"},
		{"a status line of theirs", []byte(`{"statusLine":{"command":"date"}}`), []entry{wantLine()}, `{"statusLine":{"command":"date"}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := mustInsert(t, c.src, c.want...)
			if diff := cmp.Diff(c.out, string(out)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			sameBytes(t, "removed", mustRemove(t, out), c.src)
		})
	}
}

// An indentation that nobody reads is not multiplied.
func TestSettingsFarIndentation(t *testing.T) {
	src := []byte("{\n" + strings.Repeat(" ", 1<<20) + "\"a\": 1\n}")
	out := mustInsert(t, src, wants()[2]...)
	if grown := len(out) - len(src); grown > 10_000 {
		t.Errorf("%d bytes more", grown)
	}
	sameBytes(t, "removed", mustRemove(t, out), src)
}

func TestSettingsUpdate(t *testing.T) {
	start := wantNested("E", "gsd hook start --host claude", 10)
	for _, c := range []struct{ name, src, out, removed string }{
		{
			"another command", `{"hooks":{"E":[{"hooks":[{"type":"command", "command":"gsd hook start", "timeout" : 10}]}]}}`,
			`{"hooks":{"E":[{"hooks":[{"type":"command", "command":"gsd hook start --host claude", "timeout" : 10}]}]}}`, `{}`,
		},
		{
			"other members stay", `{"hooks":{"E":[{"description":"x","hooks":[{"statusMessage":"m","command":"gsd hook start","timeout":1e1,"type":"\u0063ommand"}]}]}}`,
			`{"hooks":{"E":[{"description":"x","hooks":[{"statusMessage":"m","command":"gsd hook start --host claude","timeout":1e1,"type":"\u0063ommand"}]}]}}`, `{}`,
		},
		{
			"missing members", "{\"hooks\":{\"E\":[{\"hooks\":[{\n \"command\":\"gsd hook start\" // c\n}]}]}}",
			"{\"hooks\":{\"E\":[{\"hooks\":[{\n \"command\":\"gsd hook start --host claude\", // c\n \"type\": \"command\",\n \"timeout\": 10\n}]}]}}", `{}`,
		},
		{
			"more than one", `{"hooks":{"E":[{"hooks":[{"command":"x"},{"command":"gsd hook start"},{"command":"gsd hook start"}]},{"hooks":[{"command":"gsd hook start 2"},{"command":"gsd hook task"}]},{"hooks":[{"command":"gsd hook start -2"}]}]}}`,
			`{"hooks":{"E":[{"hooks":[{"command":"x"},{"command":"gsd hook start --host claude","type":"command","timeout":10}]},{"hooks":[{"command":"gsd hook start 2"},{"command":"gsd hook task"}]}]}}`,
			`{"hooks":{"E":[{"hooks":[{"command":"x"}]}]}}`,
		},
		{
			"in another event it is another", `{"hooks":{"F":[{"hooks":[{"command":"gsd hook start"}]}]}}`,
			`{"hooks":{"F":[{"hooks":[{"command":"gsd hook start"}]}],"E":[{"matcher":"","hooks":[{"type":"command","command":"gsd hook start --host claude","timeout":10}]}]}}`, `{}`,
		},
		{
			"a flat one", `{"hooks":{"E":[{"command":"gsd hook start"},{"command":"gsd hook start"}]},"version":1}`,
			`{"hooks":{"E":[{"matcher":"","hooks":[{"type":"command","command":"gsd hook start --host claude","timeout":10}]}]},"version":1}`, `{}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := mustInsert(t, []byte(c.src), start)
			if diff := cmp.Diff(c.out, string(out)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			sameBytes(t, "again", mustInsert(t, out, start), out)
			sameBytes(t, "removed", mustRemove(t, out), []byte(c.removed))
		})
	}
	line := []byte(`{"statusLine":{"command":"gsd statusline -x"}}`)
	sameBytes(t, "a member", mustInsert(t, line, wantLine()), []byte(`{"statusLine":{"command":"gsd statusline","type":"command"}}`))
	own := []byte(`{"statusLine":{"type":"command","command":"gsd statusline","padding":0}}`)
	sameBytes(t, "a member with more in it", mustInsert(t, own, wantLine()), own)
	sameBytes(t, "removed", mustRemove(t, own), []byte("{}"))
}

// What others wrote beside ours stays when ours goes.
func TestSettingsTheirs(t *testing.T) {
	for _, c := range []struct{ name, src, out string }{
		{"behind ours", "{\n  \"statusLine\": {\"command\": \"gsd statusline\"}, // ours\n  \"b\": 2 // theirs\n}", "{ // ours\n  \"b\": 2 // theirs\n}"},
		{"between ours", "{\n  \"a\": 1,\n  \"statusLine\": {\"command\": \"gsd statusline\"},\n  /* b */ \"b\": 2,\n  \"hooks\": {\"E\": [{\"command\": \"gsd hook start\"}]}\n}", "{\n  \"a\": 1,\n  /* b */ \"b\": 2\n}"},
		{"in our group", `{"hooks":{"E":[{"hooks":[{"command":"gsd hook start"}, {"command":"x"}]}]}}`, `{"hooks":{"E":[{"hooks":[ {"command":"x"}]}]}}`},
		{"a comment before ours", "{\"hooks\":{\"E\":[\n // c\n {\"command\":\"gsd hook start\"}]}}", "{\"hooks\":{\"E\":[\n // c\n]}}"},
		{"a comment behind ours", "{\"hooks\":{\"E\":[{\"command\":\"gsd hook start\"} // c\n]}}", "{\"hooks\":{\"E\":[// c\n]}}"},
		{"a comment in our handler", `{"a":1,"hooks":{"E":[{"hooks":[{"command":"gsd hook start" /* c */}]}]}}`, `{"a":1}`},
		{"a comment at our event", `{"a":1,"hooks":{"E": /* c */ [{"command":"gsd hook start"}],"F":[{"command":"gsd hook start"}]}}`, `{"a":1,"hooks":{"E": /* c */ []}}`},
		{"comments around our comma", "{\"a\":1 // a\n , // b\n \"statusLine\":{\"command\":\"gsd statusline\"} /* c */ , // d\n \"b\":2}", "{\"a\":1 // a\n , // b\n /* c */  // d\n \"b\":2}"},
		{"trailing commas", `{"hooks":{"E":[{"command":"x"},{"command":"gsd hook start"},],"F":[{"command":"gsd hook start"},],},}`, `{"hooks":{"E":[{"command":"x"},],},}`},
		{"a version of theirs", `{"hooks":{"E":[{"command":"gsd hook start"}]},"version":"1"}`, `{"version":"1"}`},
		{"with the mark", `{"a":1,"hooks":{"E":[{"command":"gsd hook start"} ] }}`, `{"a":1,"hooks":{"E":[] }}`},
		{"another version", `{"hooks":{"E":[{"command":"gsd hook start"}]},"version":1.0}`, `{"version":1.0}`},
		{"a version with a comment", `{"hooks":{"E":[{"command":"gsd hook start"}]},"version": /* c */ 1}`, `{"version": /* c */ 1}`},
		{"another's version", `{"statusLine":{"command":"gsd statusline"},"version":1}`, `{"version":1}`},
		{"names twice", `{"hooks":{"E":[{"command":"gsd hook start"}],"E":[{"command":"x"}]},"hooks":{"E":[{"command":"gsd hook start"}]}}`, `{"hooks":{"E":[{"command":"x"}]}}`},
		{"group with its hooks twice", `{"hooks":{"E":[{"hooks":[{"command":"gsd hook start"}],"hooks":[{"command":"x"}]}]}}`, `{"hooks":{"E":[{"hooks":[{"command":"x"}]}]}}`},
		{"a half of theirs", `{"hooks":{"E":[{"bash":"gsd hook start","powershell":"x"},{"bash":"x","powershell":"gsd hook start"}]}}`, `{"hooks":{"E":[{"bash":"gsd hook start","powershell":"x"},{"bash":"x","powershell":"gsd hook start"}]}}`},
		{"a handler that is a group", `{"hooks":{"E":[{"command":"gsd hook start","hooks":[{"command":"x"},{"command":"gsd hook start"}]}]}}`, `{"hooks":{"E":[{"command":"gsd hook start","hooks":[{"command":"x"}]}]}}`},
		{"a status line with more in it", `{"a":1,"statusLine":{"padding":0,"type":"command","command":"gsd statusline","refreshInterval":5}}`, `{"a":1}`},
		{"another place for a status line", `{"line":{"command":"gsd statusline"}}`, `{"line":{"command":"gsd statusline"}}`},
		{"beside null", `{"hooks":{"F":[{"hooks":[{"command":"gsd session end"}]}],"E":null}}`, `{"hooks":{"E":null}}`},
		{"other shapes", `{"hooks":[{"command":"gsd hook start"}],"a":[{"command":"gsd hook start"}],"b":{"c":{"command":"gsd hook start"}}}`, `{"hooks":[{"command":"gsd hook start"}],"a":[{"command":"gsd hook start"}],"b":{"c":{"command":"gsd hook start"}}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := mustRemove(t, []byte(c.src))
			if diff := cmp.Diff(c.out, string(out)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			decoded(t, out)
		})
	}
}

// Wherever somebody adds something after an insertion, it is there after the removal, with its comment.
func TestSettingsTheirsAnywhere(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		out := mustInsert(r, anySettings(r), rapid.SampledFrom(wants()).Draw(r, "want")...)
		const comment = "/* theirs */"
		out = addSomewhere(r, out, comment)
		checkRemoval(r, out)
		if back := mustRemove(r, out); bytes.Count(back, []byte(comment)) != 1 {
			r.Fatalf("%q\nis gone from %q\nin %q", comment, out, back)
		}
	})
}

// addSomewhere puts a member or element, or nothing, with a comment, at any place of a container that may hold ours.
func addSomewhere(r *rapid.T, src []byte, comment string) []byte {
	d, err := parse(src, testKind)
	if err != nil {
		r.Fatal(err)
	}
	boxes := []*hujson.Value{d.root}
	for _, k := range boxOf(d.root).kids {
		if k.name != "hooks" {
			continue
		}
		boxes = append(boxes, k.value)
		for _, event := range boxOf(k.value).kids {
			boxes = append(boxes, event.value)
			for _, group := range boxOf(event.value).kids {
				for _, k := range boxOf(group.value).kids {
					if k.name == "hooks" && k.value.Value.Kind() == '[' {
						boxes = append(boxes, group.value, k.value)
					}
				}
			}
		}
	}
	v := rapid.SampledFrom(boxes).Draw(r, "box")
	b := boxOf(v)
	text := `{"command":"theirs"}`
	if v.Value.Kind() == '{' {
		text = `"theirs":` + text
	}
	i := rapid.IntRange(0, len(b.kids)).Draw(r, "at")
	switch {
	case rapid.Bool().Draw(r, "only a comment"):
		at := b.shut
		if i < len(b.kids) {
			at = rapid.SampledFrom([]int{b.kids[i].start, b.kids[i].end}).Draw(r, "side")
		}
		return d.splice([]edit{{from: at, to: at, text: comment}})
	case i < len(b.kids):
		return d.splice([]edit{{from: b.kids[i].start, to: b.kids[i].start, text: text + comment + ","}})
	case i > 0 && b.kids[i-1].comma < 0:
		return d.splice([]edit{{from: b.kids[i-1].end, to: b.kids[i-1].end, text: ","}, {from: b.shut, to: b.shut, text: text + comment}})
	}
	return d.splice([]edit{{from: b.shut, to: b.shut, text: text + comment}})
}

// checkRemoval asserts of any file that can be read: what is ours goes, all of it, and nothing else.
func checkRemoval(t rapid.TB, src []byte) {
	t.Helper()
	back := mustRemove(t, src)
	if back == nil {
		back = []byte("{}")
	}
	if left := mustFind(t, back); len(left) > 0 {
		t.Fatalf("left: %v\n%q\n%q", left, src, back)
	}
	sameBytes(t, "removed again", mustRemove(t, back), back)
	if !isSubsequence(back, src) {
		t.Fatalf("not only taken out\nfrom: %q\nto:   %q", src, back)
	}
	if duplicates(src) {
		return
	}
	if diff := cmp.Diff(withoutOurs(decoded(t, src), testKind), withoutOurs(decoded(t, back), none)); diff != "" {
		t.Fatalf("value (-want +got)\n%s\n%q\n%q", diff, src, back)
	}
}

func TestSettingsRefused(t *testing.T) {
	deep := strings.Repeat("[", 500)
	for _, c := range []struct{ name, src, err string }{
		{"empty", "", "the file is empty"},
		{"blank", "\ufeff \r\n", "the file is empty"},
		{"only a comment", "// c\n", "line 3, column 1: parsing value: unexpected EOF"},
		{"not JSON", "{\n  a: 1\n}", "line 2, column 3: invalid value"},
		{"cut off", `{"a":1`, ""},
		{"two values", "{}{}", "line 1, column 3: invalid character '{' after top-level value"},
		{"a bad literal is not repeated", `{"token":sk12345}`, "line 1, column 10: invalid value"},
		{"a list", " []", "line 1, column 2: the file holds an array, not an object"},
		{"null", "null", "line 1, column 1: the file holds null, not an object"},
		{"not UTF-8", "{\n\"a\":\"\xff\"}", "line 2, column 6: not UTF-8"},
		{"not UTF-8 in a comment", "{}//\xff", "line 1, column 5: not UTF-8"},
		{"too deep", `{"a":` + deep + strings.Repeat("]", 500) + "}", "line 1, column 505: nested more than 500 deep"},
		{"far too deep", strings.Repeat("{", 4<<20), "line 1, column 501: nested more than 500 deep"},
		{"brackets in strings and comments are not deep", `{"a":"` + deep + `\"` + deep + `"} /*` + deep + `*/ //` + deep, ""},
		{"too long", strings.Repeat(" ", 4<<20) + "{}", "the file is longer than 4 MiB"},
		{"long", `{"a":1}` + strings.Repeat(" ", 4<<20-7), "the file would be longer than 4 MiB"},
		{"hooks null", `{"hooks":null}`, "line 1, column 2: hooks is null, not an object"},
		{"hooks a list", `{"hooks":[]}`, "line 1, column 2: hooks is an array, not an object"},
		{"event an object", "{\"hooks\":{\n\"SessionStart\":{}}}", "line 2, column 1: hooks.SessionStart is an object, not an array"},
		{"event a string", `{"hooks":{"SessionStart":""}}`, "line 1, column 11: hooks.SessionStart is a string, not an array"},
		{"hooks twice", `{"hooks":{},"h\u006foks":{}}`, "line 1, column 13: hooks is there twice"},
		{"event twice", `{"hooks":{"SessionStart":[],"SessionStart":[]}}`, "line 1, column 29: hooks.SessionStart is there twice"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := insertEntries([]byte(c.src), []entry{wantNested("SessionStart", "gsd hook start", 10)})
			if strings.HasPrefix(c.name, "brackets") {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil || out != nil || c.err != "" && err.Error() != c.err {
				t.Errorf("%.80q, error %v, want %s", out, err, c.err)
			}
		})
	}
	if _, err := insertEntries([]byte(`{"statusLine":1,"statusLine":1}`), []entry{wantLine()}); err == nil {
		t.Error("a member that is there twice was passed over")
	}
}

func TestSettingsState(t *testing.T) {
	start := wantNested("E", "gsd hook start", 10)
	for _, c := range []struct {
		name, src string
		want      entry
		standing  standing
	}{
		{"nothing", `{}`, start, missing},
		{"another kind", `{"hooks":{"E":[{"command":"gsd hook task"}]}}`, start, missing},
		{"the same", `{"hooks":{"E":[{"hooks":[{"timeout": 10, /**/ "x":1,"type":"command","command":"gsd hook st\u0061rt"}]}]}}`, start, current},
		{"other timeout", `{"hooks":{"E":[{"hooks":[{"type":"command","command":"gsd hook start","timeout":11}]}]}}`, start, current},
		{"no timeout", `{"hooks":{"E":[{"hooks":[{"type":"command","command":"gsd hook start"}]}]}}`, start, outdated},
		{"a timeout that is none", `{"hooks":{"E":[{"hooks":[{"type":"command","command":"gsd hook start","timeout":"11"}]}]}}`, start, outdated},
		{"for everything", `{"hooks":{"E":[{"matcher":"*","hooks":[{"type":"command","command":"gsd hook start","timeout":10}]}]}}`, start, current},
		{"for some", `{"hooks":{"E":[{"matcher":"startup","hooks":[{"type":"command","command":"gsd hook start","timeout":10}]}]}}`, start, outdated},
		{"twice", `{"hooks":{"E":[{"hooks":[{"type":"command","command":"gsd hook start","timeout":10},{"type":"command","command":"gsd hook start","timeout":10}]}]}}`, start, outdated},
		{"line", `{"statusLine":{"type":"command","command":"gsd statusline"}}`, wantLine(), current},
		{"old line", `{"statusLine":{"command":"gsd statusline"}}`, wantLine(), outdated},
		{"their line", `{"statusLine": { "command":"date" } }`, wantLine(), taken},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _, err := mustParse(t, []byte(c.src)).place(c.want)
			if got != c.standing || err != nil {
				t.Errorf("%v %v, want %v", got, err, c.standing)
			}
		})
	}
	d := mustParse(t, []byte(`{"hooks":7}`))
	if _, _, err := d.place(start); err == nil {
		t.Error("no error for what cannot be edited")
	}
}

// Whatever a file had of ours, what is wanted then runs for everything that it is to run for, and once.
func TestSettingsRuns(t *testing.T) {
	const ours, theirs = `{"type":"command","command":"gsd hook start","timeout":10}`, `{"type":"command","command":"make"}`
	group := func(matcher string, handlers ...string) string {
		return `{"matcher":"` + matcher + `","hooks":[` + strings.Join(handlers, ",") + `]}`
	}
	for _, c := range []struct{ name, event, want string }{
		{"one of two is for everything", group("startup", ours) + "," + group("", ours), group("", ours)},
		{"the last matcher counts", `{"matcher":"","matcher":"startup","hooks":[` + ours + `]}`, group("", ours)},
		{"a matcher that is none", `{"matcher":null,"hooks":[` + ours + `]}`, group("", ours)},
		{"beside others", group("startup", ours, theirs) + "," + group("compact", theirs, ours), group("startup", theirs) + "," + group("compact", theirs) + "," + group("", ours)},
		{"beside others, and alone", group("startup", theirs, ours) + "," + group("compact", ours), group("startup", theirs) + "," + group("", ours)},
		{"beside others that it is right for", group("*", theirs, ours) + "," + group("compact", ours), group("*", theirs, ours)},
		{"beside another kind", group("startup", ours, `{"command":"gsd hook task"}`), group("startup", `{"command":"gsd hook task"}`) + "," + group("", ours)},
		{"twice in a group", group("startup", ours, ours), group("", ours)},
		{"a comment of theirs", `{"matcher":"startup","hooks":[` + ours + `] /* mine */}`, `{"matcher":"startup","hooks":[] /* mine */},` + group("", ours)},
		{"in no group", ours, group("", ours)},
		{"more in it", group("", `{"type":"command","command":"gsd hook start","statusMessage":"m","timeout":60}`), group("", `{"type":"command","command":"gsd hook start","statusMessage":"m","timeout":60}`)},
		{"another shell, beside others", group("", theirs, `{"type":"command","command":"gsd hook start","shell":"powershell"}`), group("", theirs) + "," + group("", ours)},
	} {
		in := func(event string) []byte { return []byte(`{"a":1,"hooks":{"E":[` + event + `],"F":[]}}`) }
		out := mustInsert(t, in(c.event), wantNested("E", "gsd hook start", 10))
		if diff := cmp.Diff(string(in(c.want)), string(out)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.name, diff)
		}
		sameBytes(t, "a second insertion", mustInsert(t, out, wantNested("E", "gsd hook start", 10)), out)
		checkRemoval(t, out)
	}
	flat := `{"hooks":{"E":[{"command":"gsd hook start","matcher":"x"},` + group("", ours) + `]}}`
	sameBytes(t, "where there are no groups", mustInsert(t, []byte(flat), wantFlat("E", "gsd hook start")), []byte(`{"hooks":{"E":[{"command":"gsd hook start"}]}}`))
	// A file of ours is one again.
	whole := mustInsert(t, nil, wantNested("E", "gsd hook start", 10))
	sameBytes(t, "a file of ours", mustInsert(t, bytes.Replace(whole, []byte(`"matcher": ""`), []byte(`"matcher": "x"`), 1), wantNested("E", "gsd hook start", 10)), whole)
}

func mustPrune(t rapid.TB, src []byte, want []entry) []byte {
	d := mustParse(t, src)
	return d.splice(d.cutting(d.strays(want)))
}
