package session

import (
	"encoding/json"
	"strings"
	"testing"

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
	c, why := parseCrumb(stem, text)
	if why != "" {
		if len(why) > 80 || strings.ContainsFunc(why, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Errorf("%q", why)
		}
		return
	}
	if c.ID != stem {
		t.Errorf("%s is in the file of %s", c.ID, stem)
	}
	again, err := c.filled().encode()
	noError(t, err)
	same, why := parseCrumb(stem, again)
	if diff := cmp.Diff(c, same); why != "" || diff != "" {
		t.Errorf("written again it is %q %s", why, diff)
	}
}
