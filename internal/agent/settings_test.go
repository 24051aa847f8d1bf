package agent

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What an insertion into a file that holds nothing of ours writes. Its removal restores the file.
func TestMergeText(t *testing.T) {
	start, line := nested("SessionStart", startKind, 10), statusLine
	one := flat("sessionStart", startKind)
	for _, c := range []struct {
		name    string
		src     []byte
		version string
		want    []entry
		out     string
	}{
		{"no file", nil, "1", []entry{one, line}, `{
  "hooks": {
    "sessionStart": [
      {
        "command": "@start"
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
		{"nothing wanted", nil, "1", nil, ""},
		{"an empty object", []byte("{}\n"), "", []entry{line}, "{\n  \"statusLine\": {\n    \"type\": \"command\",\n    \"command\": \"gsd statusline\"\n  }\n}\n"},
		{"one line", []byte(`{"a":1}`), "1", []entry{one}, `{"a":1,"hooks":{"sessionStart":[{"command":"@start"}]},"version":1}`},
		{"an empty list", []byte(`{"hooks":{"sessionStart":[]}}`), "1", []entry{one}, `{"hooks":{"sessionStart":[{"command":"@start"}]}}`},
		{"after others", []byte(`{
    "hooks": {
        "SessionStart": [
            {"hooks": [{"type": "command", "command": "theirs"}]} // theirs
            // the end
        ],
    }, // hooks
}`), "", []entry{start, line}, `{
    "hooks": {
        "SessionStart": [
            {"hooks": [{"type": "command", "command": "theirs"}]}, // theirs
            // the end
            {
                "hooks": [
                    {
                        "type": "command",
                        "command": "@start",
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
		{
			"tabs and CRLF", []byte("{\r\n\t\"a\": 1 // c\r\n}\r\n"), "",
			[]entry{one},
			"{\r\n\t\"a\": 1, // c\r\n\t\"hooks\": {\r\n\t\t\"sessionStart\": [\r\n\t\t\t{\r\n\t\t\t\t\"command\": \"@start\"\r\n\t\t\t}\r\n\t\t]\r\n\t}\r\n}\r\n",
		},
		{
			"an indentation of its own", []byte("{\n  \"hooks\": {\n        \"Stop\": []\n  }\n}"), "",
			[]entry{one},
			"{\n  \"hooks\": {\n        \"Stop\": [],\n        \"sessionStart\": [\n          {\n            \"command\": \"@start\"\n          }\n" +
				"        ]\n  }\n}",
		},
		{"only the version", []byte("{}"), "1", nil, "{}"},
		{"a status line of theirs", []byte(`{"statusLine":{"command":"date"}}`), "", []entry{line}, `{"statusLine":{"command":"date"}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := mustMerge(t, c.src, wanted{c.version, c.want})
			if diff := cmp.Diff(lines(c.out), string(out)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			back := mustRemove(t, out)
			if restores(c.src, out, c.version) != !strings.HasPrefix(c.name, "an empty") {
				t.Errorf("removed: %q", back)
			} else if restores(c.src, out, c.version) {
				sameBytes(t, "removed", back, c.src)
			}
		})
	}
	if testing.Short() {
		return
	}
	// An indentation that nobody reads is not multiplied.
	src := []byte("{\n" + strings.Repeat(" ", 1<<20) + "\"a\": 1\n}")
	out := mustMerge(t, src, wants()[2])
	if grown := len(out) - len(src); grown > 10_000 {
		t.Errorf("%d bytes more", grown)
	}
	sameBytes(t, "removed", mustRemove(t, out), src)
}

// Whatever an event had of ours, what is wanted then runs for everything that it is for, and once. What others have stays.
func TestMergeOlder(t *testing.T) {
	const ours, theirs = `{"type":"command","command":"@start","timeout":10}`, `{"type":"command","command":"make"}`
	group := func(matcher string, handlers ...string) string {
		if matcher != "" {
			matcher = `"matcher":"` + matcher + `",`
		}
		return `{` + matcher + `"hooks":[` + strings.Join(handlers, ",") + `]}`
	}
	with := func(member string) string { return strings.Replace(ours, `"timeout":10`, member, 1) }
	for _, c := range []struct {
		name, event string
		before      itemState
		want        string // "" for the same
	}{
		{"nothing", "", missing, ""},
		{"another kind", group("", `{"command":"@agent"}`), missing, group("", ours)},
		{"the same", `{"hooks":[{"timeout":1e1, /**/ "x":1,"type":"\u0063ommand","command":"@start"}]}`, current, ""},
		{"the user's timeout", group("*", with(`"timeout":60`)), current, ""},
		{"a timeout of text", group("", with(`"timeout":"11"`)), outdated, group("", ours)},
		{"another program", `{"x":"y","hooks":[{"type":"command", "command":"@old", "timeout" : 60}]}`, outdated, `{"x":"y","hooks":[{"type":"command", "command":"@start", "timeout" : 60}]}`},
		{"a member less, and one more", group("", theirs, `{"command":"@start" /* c */,"statusMessage":"hi"}`), outdated, group("", theirs, `{"command":"@start" /* c */,"statusMessage":"hi","type":"command","timeout":10}`)},
		{"twice", group("", ours, ours), outdated, group("", ours)},
		{"twice, beside others", group("", theirs, `{"command":"@old"}`, ours) + "," + group("", theirs, ours), outdated, group("", theirs, `{"command":"@start","type":"command","timeout":10}`) + "," + group("", theirs)},
		{"one of two is for everything", group("startup", ours) + "," + group("", ours), outdated, group("", ours)},
		{"beside others", group("startup", ours, theirs) + "," + group("compact", theirs, ours), outdated, group("startup", theirs) + "," + group("compact", theirs) + "," + group("", ours)},
		{"beside another kind", group("startup", ours, `{"command":"@agent"}`), outdated, group("", ours)},
		{"a comment of theirs", `{"matcher":"startup","hooks":[` + ours + `] /* mine */}`, outdated, `{"matcher":"startup","hooks":[] /* mine */},` + group("", ours)},
		{"in no group", ours + "," + ours, outdated, group("", ours)},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := func(event string) []byte { return []byte(lines(`{"a":1,"hooks":{"E":[` + event + `],"F":[]}}`)) }
			if c.want == "" && c.before == current {
				c.want = c.event
			} else if c.want == "" {
				c.want = group("", ours)
			}
			want := wanted{"", []entry{nested("E", startKind, 10)}}
			m, err := merge(in(c.event), want.entries, "")
			if diff := cmp.Diff(string(in(c.want)), string(m.text)); err != nil || m.before[0] != c.before || diff != "" {
				t.Fatalf("%v, %v (-want +got)\n%s", m.before, err, diff)
			}
			sameBytes(t, "a second insertion", mustMerge(t, m.text, want), m.text)
			checkRemoval(t, m.text)
		})
	}
	for src, want := range map[string]struct {
		before itemState
		out    string
	}{
		`{"statusLine":{"type":"command","command":"gsd statusline","padding":0}}`:      {current, ""},
		`{"statusLine":{"type":"command","command":"/old/gsd statusline","padding":0}}`: {outdated, `{"statusLine":{"type":"command","command":"gsd statusline","padding":0}}`},
		`{"statusLine":{"command":"gsd statusline","padding":0}}`:                       {outdated, `{"statusLine":{"command":"gsd statusline","padding":0,"type":"command"}}`},
		`{"statusLine": { "command":"date" } }`:                                         {taken, ""},
	} {
		src, want.out = lines(src), lines(want.out)
		if want.out == "" {
			want.out = src
		}
		if m, err := merge([]byte(src), []entry{statusLine}, ""); err != nil || m.before[0] != want.before || string(m.text) != want.out {
			t.Errorf("%s: %v, %v: %s", src, m.before, err, m.text)
		}
	}
	// A handler in another event is a stray. A file of ours is one again.
	stray := []byte(lines(`{"hooks":{"F":[{"hooks":[` + ours + `]}]}}`))
	m, err := merge(stray, []entry{nested("E", startKind, 10)}, "")
	if want := lines(`{"hooks":{"E":[` + group("", ours) + `]}}`); err != nil || !m.strays || string(m.text) != want {
		t.Errorf("%v, %v: %s", m.strays, err, m.text)
	}
	want := wanted{"", []entry{nested("E", startKind, 10)}}
	whole := mustMerge(t, nil, want)
	sameBytes(t, "a file of ours", mustMerge(t, bytes.Replace(whole, []byte(`"hooks": [`), []byte("\"matcher\": \"x\",\n        \"hooks\": ["), 1), want), whole)
}

// What others wrote beside ours stays when ours goes.
func TestRemoveTheirs(t *testing.T) {
	for _, c := range []struct{ name, src, out string }{
		{"an object without anything", `{"hooks":{"E":[{"command":"@start"}]}} `, "{} "},
		{"after ours", "{\n  \"statusLine\": {\"command\": \"gsd statusline\"}, // ours\n  \"b\": 2 // theirs\n}", "{ // ours\n  \"b\": 2 // theirs\n}"},
		{"between ours", "{\n  \"a\": 1,\n  \"statusLine\": {\"command\": \"gsd statusline\"},\n  /* b */ \"b\": 2,\n  \"hooks\": {\"E\": [{\"command\": \"@start\"}]}\n}", "{\n  \"a\": 1,\n  /* b */ \"b\": 2\n}"},
		{"in our group", `{"hooks":{"E":[{"hooks":[{"command":"@start"}, {"command":"x"}]}]}}`, `{"hooks":{"E":[{"hooks":[ {"command":"x"}]}]}}`},
		{"a comment before ours", "{\"hooks\":{\"E\":[\n // c\n {\"command\":\"@start\"}]}}", "{\"hooks\":{\"E\":[\n // c\n]}}"},
		{"a comment after ours", "{\"hooks\":{\"E\":[{\"command\":\"@start\"} // c\n]}}", "{\"hooks\":{\"E\":[ // c\n]}}"},
		{"a comment in our handler", `{"a":1,"hooks":{"E":[{"hooks":[{"command":"@start" /* c */}]}]}}`, `{"a":1}`},
		{"a comment at our event", `{"a":1,"hooks":{"E": /* c */ [{"command":"@start"}],"F":[{"command":"@start"}]}}`, `{"a":1,"hooks":{"E": /* c */ []}}`},
		{"a comment after our event's name", `{"a":1,"hooks":{"E" /* c */:[{"command":"@start"}]}}`, `{"a":1,"hooks":{"E" /* c */:[]}}`},
		{"comments around our comma", "{\"a\":1 // a\n , // b\n \"statusLine\":{\"command\":\"gsd statusline\"} /* c */ , // d\n \"b\":2}", "{\"a\":1 // a\n , // b\n /* c */  // d\n \"b\":2}"},
		{"a comment before our last comma", "{\"a\":1 /* a */, // b\n \"statusLine\":{\"command\":\"gsd statusline\"}}", "{\"a\":1 /* a */ // b\n}"},
		{"trailing commas", `{"hooks":{"E":[{"command":"x"},{"command":"@start"},],"F":[{"command":"@start"},],},}`, `{"hooks":{"E":[{"command":"x"},],},}`},
		{"a version of theirs", `{"hooks":{"E":[{"command":"@start"}]},"version":"1"}`, `{"version":"1"}`},
		{"a version before", `{"version":1,"hooks":{"E":[{"command":"@start"}]}}`, `{"version":1}`},
		{"another version", `{"hooks":{"E":[{"command":"@start"}]},"version":1.0}`, `{"version":1.0}`},
		{"a version with a comment", `{"hooks":{"E":[{"command":"@start"}]},"version": /* c */ 1}`, `{"version": /* c */ 1}`},
		{"another's version", `{"statusLine":{"command":"gsd statusline"},"version":1}`, `{"version":1}`},
		{"a half of theirs", `{"hooks":{"E":[{"bash":"@start","powershell":"x"},{"bash":"x","powershell":"@start"}]}}`, `{"hooks":{"E":[{"bash":"@start","powershell":"x"},{"bash":"x","powershell":"@start"}]}}`},
		{"a handler that is a group", `{"hooks":{"E":[{"command":"@start","hooks":[{"command":"x"},{"command":"@start"}]}]}}`, `{"hooks":{"E":[{"command":"@start","hooks":[{"command":"x"}]}]}}`},
		{"a status line with more in it", `{"a":1,"statusLine":{"padding":0,"type":"command","command":"gsd statusline"}}`, `{"a":1}`},
		{"beside null", `{"hooks":{"F":[{"hooks":[{"command":"@end"}]}],"E":null}}`, `{"hooks":{"E":null}}`},
		{"other shapes", `{"hooks":[{"command":"@start"}],"a":[{"command":"@start"}],"b":{"c":{"command":"@start"}}}`, `{"hooks":[{"command":"@start"}],"a":[{"command":"@start"}],"b":{"c":{"command":"@start"}}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := mustRemove(t, []byte(lines(c.src)))
			if diff := cmp.Diff(lines(c.out), string(out)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			decoded(t, out)
		})
	}
}

func TestSettingsRefused(t *testing.T) {
	deep := strings.Repeat("[", 500)
	for _, c := range []struct{ name, src, err string }{
		{"empty", "", "the file is empty"},
		{"only a comment", "// c\n", "line 3, column 1: parsing value: unexpected EOF"},
		{"not JSON", "{\n  a: 1\n}", "line 2, column 3: invalid value"},
		{"two values", "{}{}", "line 1, column 3: invalid character '{' after top-level value"},
		{"a bad literal is not repeated", `{"token":sk12345}`, "line 1, column 10: invalid value"},
		{"a list", " []", "the file holds an array, not an object"},
		{"not UTF-8", "{\n\"a\":\"\xff\"}", "the file is not UTF-8"},
		{"too deep", `{"a":` + deep + strings.Repeat("]", 500) + "}", "line 1: nested more than 500 deep"},
		{"too deep, with spaces", `{"a":` + deep[:499] + "  [", "line 1: nested more than 500 deep"},
		{"many brackets are not deep", `{"a":[` + strings.Repeat("[],{},", 300) + "0]}", ""},
		{"deep behind other brackets", `{"a":"]]]` + `\"]","b":` + deep, "line 1: nested more than 500 deep"},
		{"brackets in strings and comments are not deep", `{"a":"` + deep + `\"` + deep + `"} /*` + deep + `*/ //` + deep, ""},
		{"too long", strings.Repeat(" ", 4<<20) + "{}", "the file is longer than 4 MiB"},
		{"long", `{"a":1}` + strings.Repeat(" ", 4<<20-7), "the file would be longer than 4 MiB"},
		{"hooks null", `{"hooks":null}`, "line 1, column 10: hooks is null, not an object"},
		{"hooks a list", `{"hooks":[]}`, "line 1, column 10: hooks is an array, not an object"},
		{"event an object", "{\"hooks\":{\n\"SessionStart\":{}}}", "line 2, column 16: hooks.SessionStart is an object, not an array"},
		{"event a string", `{"hooks":{"SessionStart":""}}`, "line 1, column 26: hooks.SessionStart is a string, not an array"},
		{"hooks twice", `{"hooks":{},"h\u006foks":{}}`, `line 1, column 13: "hooks" is there twice`},
		{"event twice", `{"hooks":{"SessionStart":[],"SessionStart":[]}}`, `line 1, column 29: "SessionStart" is there twice`},
		{"status line twice", "\ufeff{\"statusLine\":1,\n\"statusLine\":1}", `line 2, column 1: "statusLine" is there twice`},
		{"twice behind a mark", "\ufeff{\"hooks\":{},\"hooks\":{}}", `line 1, column 13: "hooks" is there twice`},
		{"a list twice", `{"permissions":{"ask":[],"allow":[],"ask":[]}}`, `line 1, column 37: "ask" is there twice`},
		{"twice in a group", `{"hooks":{"Stop":[{"hooks":[],"hooks":[]}]}}`, `line 1, column 31: "hooks" is there twice`},
		{"twice in our handler", lines(`{"hooks":{"Stop":[{"hooks":[{"x":1,"x":2,"command":"@start"}]}]}}`), `line 1, column 36: "x" is there twice`},
		{"twice elsewhere", `{"a":1,"a":2,"env":{"A":"1","A":"2"},"permissions":{"deny":[],"deny":[]},"hooks":{"Stop":[{"x":1,"x":2,"hooks":[{"command":"a","command":"b"}]}]}}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() && len(c.src) > 1<<20 {
				t.Skip("reads megabytes")
			}
			got := ""
			if _, err := merge([]byte(c.src), []entry{nested("SessionStart", startKind, 10), statusLine}, ""); err != nil {
				got = err.Error()
			}
			if got != c.err {
				t.Errorf("%s, want %s", got, c.err)
			}
		})
	}
}
