package session

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/gsd-cli/gsd/internal/durable"

	"github.com/google/go-cmp/cmp"
)

// FuzzCrumb: any bytes as a crumb's file are good or bad, once; why is fit to be shown; and a good one that is
// written again reads the same. Bytes with a wrong id are tried with the right one too, which no fuzzer guesses.
func FuzzCrumb(f *testing.F) {
	text := encoded(f, sample(), nil)
	f.Add([]byte(text))
	f.Add([]byte(text[:len(text)/2]))
	for _, tt := range crumbFaults(f) {
		if len(tt.text) < 4<<10 {
			f.Add([]byte(tt.text))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		tryCrumb(t, "0123456789abcdef", text)
		var c Crumb
		fields := map[string]any{}
		if json.Unmarshal(text, &c) != nil || json.Unmarshal(text, &fields) != nil || fields == nil {
			return
		}
		id := CrumbID(c.Project, c.User, c.Plan, c.Started)
		fields["id"] = id
		if again, err := json.Marshal(fields); err == nil {
			tryCrumb(t, id, again)
		}
	})
}

func tryCrumb(t *testing.T, stem string, text []byte) {
	s, dir := newState(t)
	writeFile(t, crumbPath(dir, stem), string(text))
	got := listCrumbs(t, s)
	if len(got.Good)+len(got.Bad) != 1 {
		t.Fatalf("%d good and %d bad", len(got.Good), len(got.Bad))
	}
	for _, bad := range got.Bad {
		if bad.ID != stem || bad.Why == "" || len(bad.Why) > 80 {
			t.Errorf("%+v", bad)
		}
		for _, c := range []byte(bad.Why) {
			if c < ' ' || c > '~' {
				t.Errorf("%q", bad.Why)
			}
		}
		if err := s.RemoveCrumb(durable.Writer{}, bad.ID); err != nil {
			t.Error(err)
		}
	}
	for _, good := range got.Good {
		if good.ID != stem {
			t.Errorf("%s is in the file of %s", good.ID, stem)
		}
		if err := s.WriteCrumb(durable.Writer{}, good); err != nil {
			t.Fatal(err)
		}
		wantCrumbs(t, listCrumbs(t, s), got)
		its, err := s.CrumbsOf(good.Project, good.User, "")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(got, its); diff != "" {
			t.Error(diff)
		}
		if err := s.RemoveCrumb(durable.Writer{}, good.ID); err != nil {
			t.Error(err)
		}
	}
	if entries, err := os.ReadDir(filepath.Join(dir, crumbsDir)); err != nil || len(entries) != 0 {
		t.Errorf("left: %v, %v", entries, err)
	}
}
