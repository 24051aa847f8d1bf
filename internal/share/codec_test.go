package share

import (
	"bytes"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/testenv"
	"github.com/gsd-cli/gsd/planfile"
)

func TestEncode(t *testing.T) {
	ids := TaskIDs([]string{"Secret words", "b"})
	all := []Session{{
		Plan: "a.md", Worktree: "w1", Started: noon, Changed: at(1), Seen: noon, Machine: "laptop", Branch: "a/b", Digest: "sha256:" + strings.Repeat("0a", 32),
		Blob: strings.Repeat("1b", 20), Head: strings.Repeat("2c", 32),
		Tasks: []Task{{ID: ids[0], Status: planfile.Complete, Set: noon.Add(1), Head: strings.Repeat("3d", 20)}, {ID: ids[1], Status: planfile.Skipped, Set: noon, By: "w2"}},
	}}
	want := `[{"worktree":"w1","started":"2026-11-23T12:00:00Z","changed":"2026-11-23T13:00:00Z","seen":"2026-11-23T12:00:00Z",` +
		`"digest":"sha256:` + strings.Repeat("0a", 32) + `","blob":"` + strings.Repeat("1b", 20) +
		`","machine":"laptop","branch":"a/b","head":"` + strings.Repeat("2c", 32) + `","tasks":[{"id":"` + ids[0] +
		`","status":"complete","set":"2026-11-23T12:00:00.000000001Z","head":"` + strings.Repeat("3d", 20) + `"},{"id":"` + ids[1] +
		`","status":"skipped","set":"2026-11-23T12:00:00Z","by":"w2"}]}]` + "\n"
	files := encoded(t, all)
	if got := string(files["a.md"]); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if again, err := Decode(files); err != nil || cmp.Diff(again, all) != "" {
		t.Errorf("%v, %v", again, err)
	}
}

// TestEncodeRound checks that sessions are read as they were, also as what was fetched.
func TestEncodeRound(t *testing.T) {
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		files := encoded(t, states.Draw(t, "state"))
		all, err := Decode(files)
		if err != nil || !maps.EqualFunc(files, encoded(t, all), bytes.Equal) {
			t.Fatalf("%v: %v", err, all)
		}
		clones := map[string]Clone{"c1": {Commit: "1", Sessions: all}, "c2": {Commit: "2", Left: true, Partly: true}}
		text, err := EncodeClones(clones)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(DecodeClones(text), clones); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestEncodeClones: what was fetched fits into its file, whatever it is, and what does not is fetched again.
func TestEncodeClones(t *testing.T) {
	clones := map[string]Clone{}
	for i := range 5 {
		c := Clone{Commit: fmt.Sprint(i)}
		for n := range 9 {
			s := fullest(n)
			s.Plan = fmt.Sprintf("%d.md", n)
			c.Sessions = append(c.Sessions, s)
		}
		clones[fmt.Sprintf("c%d", i)] = c
	}
	text, err := EncodeClones(clones)
	if again := DecodeClones(text); err != nil || len(text) > MaxState || len(again) == 0 || len(again) == len(clones) {
		t.Errorf("%d bytes, %d clones, %v", len(text), len(again), err)
	}
	odd := Clone{Commit: "1"} // its names become six times as long
	for i := range MaxPlans {
		odd.Sessions = append(odd.Sessions, Session{Plan: fmt.Sprintf("%04d%s/1.md", i, strings.Repeat("<", 490)), Worktree: "w1"})
	}
	text, err = EncodeClones(map[string]Clone{"a": odd, "b": clones["c0"]})
	if again := DecodeClones(text); err != nil || len(text) > MaxState || len(again) != 1 || again["b"].Commit != "0" {
		t.Errorf("%d bytes, %d clones, %v", len(text), len(again), err)
	}
	for _, text := range []string{"", "x", "[]", `{"../x":{"commit":"1"}}`, `{"c":{"commit":"1","files":{"a.md":[{}]}}}`} {
		if got := DecodeClones([]byte(text)); len(got) > 0 {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	id := TaskIDs([]string{"a"})[0]
	var tasks, places []string
	for i := range MaxTasks + 1 {
		tasks = append(tasks, fmt.Sprintf(`{"id":"%012x","status":"complete"}`, i))
	}
	for i := range MaxPlaces + 1 {
		places = append(places, fmt.Sprintf(`{"worktree":"w%d"}`, i))
	}
	of := func(tasks []string) string { return `[{"worktree":"w1","tasks":[` + strings.Join(tasks, ",") + `]}]` }
	all := func(places []string) string { return "[" + strings.Join(places, ",") + "]" }
	for _, good := range []string{of(tasks[1:]), all(places[1:])} {
		if _, err := Decode(map[string][]byte{"a.md": []byte(good)}); err != nil {
			t.Error(err)
		}
	}
	for name, text := range map[string]string{
		"nothing": "", "not JSON": "x", "no list": "{}",
		"a status":    of([]string{`{"id":"` + id + `","status":"done"}`}),
		"a task's id": of([]string{`{"id":"../../etc","status":"complete"}`}),
		"a long id":   of([]string{`{"id":"` + id + `0","status":"complete"}`}),
		"a time":      of([]string{`{"id":"` + id + `","status":"complete","set":"2026"}`}),
		"a worktree":  `[{"worktree":"W1"}]`,
		"none":        `[{}]`,
		"tasks":       of(tasks),
		"places":      all(places),
		"size":        `[]` + strings.Repeat(" ", MaxFile),
		"UTF-8":       "[{\"worktree\":\"w1\",\"x\":\"\xff\"}]",
	} {
		all, err := Decode(map[string][]byte{"a.md": []byte(text), "b.md": []byte(`[{"worktree":"w1"}]`)})
		if err == nil || len(all) != 1 {
			t.Errorf("%s: %v, %v", name, all, err)
		}
	}
	if all, err := Decode(map[string][]byte{"../a.md": []byte(`[{"worktree":"w1"}]`)}); err == nil || len(all) > 0 {
		t.Error("a path is taken")
	}
}

func TestDecodeBounds(t *testing.T) {
	one := []byte(`[{"worktree":"w1"}]`)
	files := map[string][]byte{}
	for i := range MaxPlans {
		files[fmt.Sprintf("%d.md", i)] = one
	}
	all, err := Decode(files)
	if err != nil || len(all) != MaxPlans {
		t.Errorf("%d plans, %v", len(all), err)
	}
	files["x.md"] = one
	if some, err := Decode(files); err == nil || len(some) != MaxPlans {
		t.Errorf("%d plans, %v", len(some), err)
	}
	if _, err := Encode(append(all, Session{Plan: "x.md", Worktree: "w1"})); err == nil {
		t.Error("too many plans are encoded")
	}

	large := append(bytes.Clone(one), bytes.Repeat([]byte(" "), MaxFile-len(one))...)
	files = map[string][]byte{}
	for i := range MaxState / MaxFile {
		files[fmt.Sprintf("%d.md", i)] = large
	}
	if all, err = Decode(files); err != nil || len(all) != len(files) {
		t.Errorf("%d plans, %v", len(all), err)
	}
	files["x.md"] = one
	if some, err := Decode(files); err == nil || len(some) != len(files)-1 {
		t.Errorf("%d plans, %v", len(some), err)
	}
	all = nil
	for i := range MaxState / 300_000 {
		s := fullest(i)
		s.Plan = fmt.Sprintf("%d.md", i)
		all = append(all, s)
	}
	if _, err := Encode(all); err == nil {
		t.Error("too many bytes are encoded")
	}
}

// fullest is a session at the bounds.
func fullest(n int) Session {
	long, text := strings.Repeat("w", maxID-3), strings.Repeat("<", 2*maxText)
	s := Session{Plan: "a.md", Worktree: fmt.Sprintf("%s%03d", long, n), Started: noon, Ended: noon, Machine: text, Branch: text, Digest: "x"}
	for i := range MaxTasks {
		s.Tasks = append(s.Tasks, Task{ID: fmt.Sprintf("%012x", i), Status: planfile.InProgress, Set: noon.Add(1), Head: strings.Repeat("4e", 32), By: long + "by"})
	}
	return s
}

// TestFullest checks that sessions within the bounds fit into their file, the last changed first.
func TestFullest(t *testing.T) {
	var all []Session
	for n := range MaxPlaces {
		s := fullest(n)
		s.Changed = at(n)
		all = append(all, s)
	}
	files := encoded(t, all)
	got, err := Decode(files)
	if err != nil || len(got) < 4 || !got[0].Changed.Equal(at(MaxPlaces-1)) || got[0].Digest != "" || len(got[0].Branch) != maxText {
		t.Error(len(got), err)
	}
	t.Logf("%d bytes", len(files["a.md"]))
}

func TestDecodeCleans(t *testing.T) {
	all, err := Decode(map[string][]byte{"a.md": []byte(`[{"other":1,"worktree":"w1","machine":"a\u001b[31m","branch":"b\u202e",` +
		`"blob":"d","head":"e","digest":"sha256:f","started":"9000-01-01T00:00:00Z","tasks":[{"id":"0123456789ab","status":"complete",` +
		`"set":"2200-01-01T00:00:00Z","head":"x","by":"/"}]}]`)})
	want := []Session{{Plan: "a.md", Worktree: "w1", Machine: "a-31m", Branch: "b", Tasks: []Task{{ID: "0123456789ab", Status: "complete"}}}}
	if diff := cmp.Diff(all, want); err != nil || diff != "" {
		t.Errorf("%s, %v", diff, err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("a.md", []byte(`[{"worktree":"w1","tasks":[{"id":"0123456789ab","status":"complete","set":"2026-11-23T12:00:00.000Z","by":"w2"}]}]`))
	f.Add("a.md", []byte(`[{"worktree":"w1","started":"2026-11-23T12:00:00Z","branch":"main","ended":"2026-11-23T12:00:00Z"}]`))
	f.Add("b/c.md", []byte(`{"x":[]}`))
	f.Add(ClaimRef("a.md"), []byte(`{"plan":"a.md","user":"u","worktree":"w","started":"2026-11-23T12:00:00Z","at":"2026-11-23T12:00:00Z","renewed":"2026-11-23T12:00:00Z"}`))
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		all, _ := Decode(map[string][]byte{name: text})
		files := encoded(t, all)
		again, err := Decode(files)
		if err != nil || len(again) != len(all) || !maps.EqualFunc(files, encoded(t, again), bytes.Equal) {
			t.Fatalf("%v: %+v, then %+v", err, all, again)
		}
		if c, err := DecodeClaim(name, text); err == nil {
			out, err := EncodeClaim(c)
			if d, err2 := DecodeClaim(name, out); err != nil || err2 != nil || c != d {
				t.Fatalf("%v, %v: %+v, then %+v", err, err2, c, d)
			}
		}
		DecodeClones(text)
	})
}
