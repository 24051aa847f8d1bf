package share

import (
	"bytes"
	"fmt"
	"maps"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/planfile"
)

func TestEncode(t *testing.T) {
	ids := TaskIDs([]string{"Secret words", "b"})
	state := State{"a.md": {
		Cut:   Stamp{1, 0, "w0"},
		Tasks: map[string]Task{ids[0]: {planfile.Complete, Stamp{noon.UnixMilli(), 1, "w1"}}},
		Places: map[string]Place{"w1": {
			Started: noon, Machine: "laptop", Branch: "a/b", Digest: "sha256:" + strings.Repeat("0a", 32),
			Blob: strings.Repeat("1b", 20), Head: strings.Repeat("2c", 32), Run: "active", Tasks: ids,
			Stamp: Stamp{noon.UnixMilli(), 2, "w1"},
		}},
	}}
	want := `{"schema":1,"cut":"1970-01-01T00:00:00.001Z/0000/w0","tasks":{"` + ids[0] +
		`":{"status":"complete","stamp":"2026-11-23T12:00:00.000Z/0001/w1"}},"places":{"w1":{"started":"2026-11-23T12:00:00Z",` +
		`"digest":"sha256:` + strings.Repeat("0a", 32) + `","blob":"` + strings.Repeat("1b", 20) +
		`","machine":"laptop","branch":"a/b","head":"` + strings.Repeat("2c", 32) + `","run":"active","tasks":["` +
		ids[0] + `","` + ids[1] + `"],"stamp":"2026-11-23T12:00:00.000Z/0002/w1"}}}` + "\n"
	files := encoded(t, state)
	if got := string(files["a.md"]); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if again, err := Decode(files); err != nil || !Equal(again, state) {
		t.Errorf("%v, %v", again, err)
	}
}

// TestEncodeSkipped: a version that does not know the status must keep the file instead of leaving it out, so it is a later one's.
func TestEncodeSkipped(t *testing.T) {
	id := TaskIDs([]string{"a"})[0]
	state := State{"a.md": {Tasks: map[string]Task{id: {planfile.Skipped, Stamp{1, 1, "w1"}}}}}
	files := encoded(t, state)
	if text := string(files["a.md"]); !strings.HasPrefix(text, `{"schema":2,`) || !strings.Contains(text, `"status":"skipped"`) {
		t.Error(text)
	}
	if again, err := Decode(files); err != nil || !Equal(again, state) {
		t.Errorf("%v, %v", again, err)
	}
}

// TestEncodeRound checks that a state is read as it was, also as a part of a replica.
func TestEncodeRound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		state := states.Draw(t, "state")
		files := encoded(t, state)
		again, err := Decode(files)
		if err != nil || !Equal(again, state) || !maps.EqualFunc(files, encoded(t, again), bytes.Equal) {
			t.Fatalf("%v: %v", err, again)
		}
		r := Replica{Known: state, Seen: map[string]Seen{"a.md": {Started: noon, Tasks: map[string]planfile.Status{"x": "pending"}}}}
		text, err := EncodeReplica(r)
		if err != nil {
			t.Fatal(err)
		}
		s, err := DecodeReplica(text)
		if err != nil || !Equal(s.Known, state) || !s.Seen["a.md"].Started.Equal(noon) || s.Seen["a.md"].Tasks["x"] != "pending" {
			t.Fatalf("%v: %v", err, s)
		}
	})
}

func TestDecodeRefuses(t *testing.T) {
	id := TaskIDs([]string{"a"})[0]
	const stamp = "2026-11-23T12:00:00.000Z/0001/w1"
	var tasks, places []string
	for i := range MaxTasks + 1 {
		tasks = append(tasks, fmt.Sprintf(`"%012x":{"status":"complete","stamp":%q}`, i, stamp))
	}
	for i := range MaxPlaces + 1 {
		places = append(places, fmt.Sprintf(`"w%d":{"stamp":"2026-11-23T12:00:00.000Z/0001/w%d"}`, i, i))
	}
	all := func(tasks, places []string) string {
		return `{"schema":1,"tasks":{` + strings.Join(tasks, ",") + `},"places":{` + strings.Join(places, ",") + `}}`
	}
	if _, err := Decode(map[string][]byte{"a.md": []byte(all(tasks[1:], places[1:]))}); err != nil {
		t.Error(err)
	}
	for name, text := range map[string]string{
		"nothing": "", "not JSON": "x", "a list": "[]", "no schema": "{}", "schema 0": `{"schema":0}`, "below 0": `{"schema":-1}`,
		"a status":       `{"schema":1,"tasks":{"` + id + `":{"status":"done","stamp":"` + stamp + `"}}}`,
		"a task's id":    `{"schema":1,"tasks":{"../../etc":{"status":"complete","stamp":"` + stamp + `"}}}`,
		"a long id":      `{"schema":1,"tasks":{"` + id + `0":{"status":"complete","stamp":"` + stamp + `"}}}`,
		"a stamp":        `{"schema":1,"tasks":{"` + id + `":{"status":"complete","stamp":"2026"}}}`,
		"a worktree":     `{"schema":1,"places":{"W1":{"stamp":"` + stamp + `"}}}`,
		"another's":      `{"schema":1,"places":{"w2":{"stamp":"` + stamp + `"}}}`,
		"a place's task": `{"schema":1,"places":{"w1":{"tasks":["x"],"stamp":"` + stamp + `"}}}`,
		"tasks":          all(tasks, nil),
		"places":         all(nil, places),
		"size":           `{"schema":1}` + strings.Repeat(" ", MaxFile),
		"UTF-8":          "{\"schema\":3,\"x\":\"\xff\"}",
	} {
		state, err := Decode(map[string][]byte{"a.md": []byte(text), "b.md": []byte(`{"schema":1}`)})
		if err == nil || len(state) != 1 {
			t.Errorf("%s: %v, %v", name, state, err)
		}
	}
	if state, err := Decode(map[string][]byte{"../a.md": []byte(`{"schema":1}`)}); err == nil || len(state) > 0 {
		t.Error("a path is taken")
	}
}

func TestDecodeBounds(t *testing.T) {
	files := map[string][]byte{}
	for i := range MaxPlans {
		files[fmt.Sprintf("%d.md", i)] = []byte(`{"schema":1}`)
	}
	state, err := Decode(files)
	if err != nil || len(state) != MaxPlans {
		t.Errorf("%d plans, %v", len(state), err)
	}
	files["x.md"] = []byte(`{"schema":1}`)
	if some, err := Decode(files); err == nil || len(some) != MaxPlans {
		t.Errorf("%d plans, %v", len(some), err)
	}
	state["x.md"] = Session{}
	if _, err := Encode(state); err == nil {
		t.Error("too many plans are encoded")
	}

	large := []byte(`{"schema":3}` + strings.Repeat(" ", MaxFile-12))
	files = map[string][]byte{}
	for i := range MaxState / MaxFile {
		files[fmt.Sprintf("%d.md", i)] = large
	}
	if state, err = Decode(files); err != nil || len(state) != len(files) {
		t.Errorf("%d plans, %v", len(state), err)
	}
	files["x.md"] = []byte(`{"schema":1}`)
	if some, err := Decode(files); err == nil || len(some) != len(files)-1 {
		t.Errorf("%d plans, %v", len(some), err)
	}
	state["x.md"] = Session{}
	if _, err := Encode(state); err == nil {
		t.Error("too many bytes are encoded")
	}
}

// TestFullest checks that a session within the bounds fits into its file.
func TestFullest(t *testing.T) {
	s := Session{Tasks: map[string]Task{}, Places: map[string]Place{}}
	var ids []string
	long := strings.Repeat("w", maxID)
	for i := range MaxTasks {
		ids = append(ids, fmt.Sprintf("%012x", i))
		s.Tasks[ids[i]] = Task{planfile.InProgress, Stamp{1, 1, long}}
	}
	for i := range MaxPlaces {
		text := strings.Repeat("<", 2*maxText)
		id := fmt.Sprintf("%s%02d", long[2:], i)
		p := Place{Started: noon, Ended: noon, Machine: text, Branch: text, Run: text, Digest: "x", Tasks: ids, Stamp: Stamp{1, 1, id}}.clean()
		if p.Digest != "" || len(p.Branch) != maxText {
			t.Fatal(p)
		}
		s.Places[id] = p
	}
	files := encoded(t, State{"a.md": s})
	if _, err := Decode(files); err != nil {
		t.Error(err)
	}
	t.Logf("%d bytes", len(files["a.md"]))
}

func TestDecodeCleans(t *testing.T) {
	state, err := Decode(map[string][]byte{"a.md": []byte(`{"schema":1,"other":1,"places":{"w1":{"machine":"a\u001b[31m","branch":"b\u202e",` +
		`"run":"c\n","blob":"d","head":"e","digest":"sha256:f","started":"9000-01-01T00:00:00Z","stamp":"2026-11-23T12:00:00.000Z/0001/w1"}}}`)})
	p := state["a.md"].Places["w1"]
	if want := (Place{Machine: "a-31m", Branch: "b", Run: "c", Stamp: p.Stamp}); err != nil || !p.same(want) {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestDecodeLater checks that what a later version wrote is pushed again as it was, whatever it means by our fields.
func TestDecodeLater(t *testing.T) {
	files := map[string][]byte{"a.md": []byte(`{ "schema": 3, "tasks": 7 }`), "b.md": []byte(`{"schema":4,"tasks":{}}`)}
	state, err := Decode(files)
	if err != nil {
		t.Fatal(err)
	}
	if !maps.EqualFunc(encoded(t, state), files, bytes.Equal) {
		t.Error(state)
	}
	r := Replica{Known: state}.Observe("w1", []Local{local("a.md", "a", planfile.Complete)}, noon)
	if !Equal(r.Known, state) || len(r.Seen) > 0 {
		t.Errorf("%+v", r)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("a.md", []byte(`{"schema":1,"cut":"2026-11-23T12:00:00.000Z/0001/w1","tasks":{"0123456789ab":{"status":"complete","stamp":"2026-11-23T12:00:00.000Z/0002/w1"}}}`))
	f.Add("a.md", []byte(`{"schema":1,"places":{"w1":{"started":"2026-11-23T12:00:00Z","branch":"main","tasks":["0123456789ab"],"stamp":"2026-11-23T12:00:00.000Z/0002/w1"}}}`))
	f.Add("b/c.md", []byte(`{"schema":3,"x":[]}`))
	f.Add(ClaimRef("a.md"), []byte(`{"schema":1,"plan":"a.md","user":"u","worktree":"w","started":"2026-11-23T12:00:00Z","at":"2026-11-23T12:00:00Z","renewed":"2026-11-23T12:00:00Z"}`))
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		state, _ := Decode(map[string][]byte{name: text})
		files := encoded(t, state)
		again, err := Decode(files)
		if err != nil || !Equal(state, again) || !Equal(Merge(state, again), state) {
			t.Fatalf("%v: %+v, then %+v", err, state, again)
		}
		if c, err := DecodeClaim(name, text); err == nil {
			out, err := EncodeClaim(c)
			if d, err2 := DecodeClaim(name, out); err != nil || err2 != nil || c != d {
				t.Fatalf("%v, %v: %+v, then %+v", err, err2, c, d)
			}
		}
		_, _ = DecodeReplica(text)
	})
}
