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
		Tasks: map[string]Task{ids[0]: {Status: planfile.Complete, Stamp: Stamp{noon.UnixMilli(), 1, "w1"}, Head: strings.Repeat("3d", 20)}},
		Places: map[string]Place{"w1": {
			Started: noon, Machine: "laptop", Branch: "a/b", Digest: "sha256:" + strings.Repeat("0a", 32),
			Blob: strings.Repeat("1b", 20), Head: strings.Repeat("2c", 32), Run: "active", Tasks: ids,
			Stamp: Stamp{noon.UnixMilli(), 2, "w1"},
		}},
	}}
	want := `{"cut":"1970-01-01T00:00:00.001Z/0000/w0","tasks":{"` + ids[0] +
		`":{"status":"complete","stamp":"2026-11-23T12:00:00.000Z/0001/w1","head":"` + strings.Repeat("3d", 20) + `"}},"places":{"w1":{"started":"2026-11-23T12:00:00Z",` +
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
		return `{"tasks":{` + strings.Join(tasks, ",") + `},"places":{` + strings.Join(places, ",") + `}}`
	}
	if _, err := Decode(map[string][]byte{"a.md": []byte(all(tasks[1:], places[1:]))}); err != nil {
		t.Error(err)
	}
	for name, text := range map[string]string{
		"nothing": "", "not JSON": "x", "a list": "[]",
		"a status":       `{"tasks":{"` + id + `":{"status":"done","stamp":"` + stamp + `"}}}`,
		"a task's id":    `{"tasks":{"../../etc":{"status":"complete","stamp":"` + stamp + `"}}}`,
		"a long id":      `{"tasks":{"` + id + `0":{"status":"complete","stamp":"` + stamp + `"}}}`,
		"a stamp":        `{"tasks":{"` + id + `":{"status":"complete","stamp":"2026"}}}`,
		"a worktree":     `{"places":{"W1":{"stamp":"` + stamp + `"}}}`,
		"another's":      `{"places":{"w2":{"stamp":"` + stamp + `"}}}`,
		"a place's task": `{"places":{"w1":{"tasks":["x"],"stamp":"` + stamp + `"}}}`,
		"tasks":          all(tasks, nil),
		"places":         all(nil, places),
		"size":           `{}` + strings.Repeat(" ", MaxFile),
		"UTF-8":          "{\"x\":\"\xff\"}",
	} {
		state, err := Decode(map[string][]byte{"a.md": []byte(text), "b.md": []byte(`{}`)})
		if err == nil || len(state) != 1 {
			t.Errorf("%s: %v, %v", name, state, err)
		}
	}
	if state, err := Decode(map[string][]byte{"../a.md": []byte(`{}`)}); err == nil || len(state) > 0 {
		t.Error("a path is taken")
	}
}

func TestDecodeBounds(t *testing.T) {
	files := map[string][]byte{}
	for i := range MaxPlans {
		files[fmt.Sprintf("%d.md", i)] = []byte(`{}`)
	}
	state, err := Decode(files)
	if err != nil || len(state) != MaxPlans {
		t.Errorf("%d plans, %v", len(state), err)
	}
	files["x.md"] = []byte(`{}`)
	if some, err := Decode(files); err == nil || len(some) != MaxPlans {
		t.Errorf("%d plans, %v", len(some), err)
	}
	state["x.md"] = Session{}
	if _, err := Encode(state); err == nil {
		t.Error("too many plans are encoded")
	}

	large := []byte(`{}` + strings.Repeat(" ", MaxFile-2))
	files = map[string][]byte{}
	for i := range MaxState / MaxFile {
		files[fmt.Sprintf("%d.md", i)] = large
	}
	if state, err = Decode(files); err != nil || len(state) != len(files) {
		t.Errorf("%d plans, %v", len(state), err)
	}
	files["x.md"] = []byte(`{}`)
	if some, err := Decode(files); err == nil || len(some) != len(files)-1 {
		t.Errorf("%d plans, %v", len(some), err)
	}
	state = State{}
	full := fullest(t)
	for i := range MaxState / 1_000_000 {
		state[fmt.Sprintf("%d.md", i)] = full
	}
	if _, err := Encode(state); err == nil {
		t.Error("too many bytes are encoded")
	}
}

// fullest is a session at the bounds.
func fullest(t *testing.T) Session {
	s := Session{Tasks: map[string]Task{}, Places: map[string]Place{}}
	var ids []string
	long := strings.Repeat("w", maxID)
	for i := range MaxTasks {
		ids = append(ids, fmt.Sprintf("%012x", i))
		s.Tasks[ids[i]] = Task{Status: planfile.InProgress, Stamp: Stamp{1, 1, long}, Head: strings.Repeat("4e", 32)}
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
	return s
}

// TestFullest checks that a session within the bounds fits into its file.
func TestFullest(t *testing.T) {
	files := encoded(t, State{"a.md": fullest(t)})
	if _, err := Decode(files); err != nil {
		t.Error(err)
	}
	t.Logf("%d bytes", len(files["a.md"]))
}

func TestDecodeCleans(t *testing.T) {
	state, err := Decode(map[string][]byte{"a.md": []byte(`{"other":1,"places":{"w1":{"machine":"a\u001b[31m","branch":"b\u202e",` +
		`"run":"c\n","blob":"d","head":"e","digest":"sha256:f","started":"9000-01-01T00:00:00Z","stamp":"2026-11-23T12:00:00.000Z/0001/w1"}}}`)})
	p := state["a.md"].Places["w1"]
	if want := (Place{Machine: "a-31m", Branch: "b", Run: "c", Stamp: p.Stamp}); err != nil || !p.same(want) {
		t.Errorf("%+v, %v", p, err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("a.md", []byte(`{"cut":"2026-11-23T12:00:00.000Z/0001/w1","tasks":{"0123456789ab":{"status":"complete","stamp":"2026-11-23T12:00:00.000Z/0002/w1"}}}`))
	f.Add("a.md", []byte(`{"places":{"w1":{"started":"2026-11-23T12:00:00Z","branch":"main","tasks":["0123456789ab"],"stamp":"2026-11-23T12:00:00.000Z/0002/w1"}}}`))
	f.Add("b/c.md", []byte(`{"x":[]}`))
	f.Add(ClaimRef("a.md"), []byte(`{"plan":"a.md","user":"u","worktree":"w","started":"2026-11-23T12:00:00Z","at":"2026-11-23T12:00:00Z","renewed":"2026-11-23T12:00:00Z"}`))
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
