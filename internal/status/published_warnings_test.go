package status_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/status"
)

// What state.json says otherwise is said unless something changed since, or a clock was wrong.
func TestPublishedWarnings(t *testing.T) {
	t.Parallel()
	const one, two = ".planning/state.json says that phase 1 is complete, and its files that it is not complete; gsd goes by the files",
		".planning/state.json says that phase 1 is complete, and its files that it is not complete (and 1 more); gsd goes by the files"
	at := time.Now()
	for name, test := range map[string]struct {
		phases  string
		updated time.Time
		touched string // a file that was changed after it
		want    string
	}{
		"one":                   {`{"number": "1", "status": "complete"}`, at.Add(time.Minute), "", one},
		"two":                   {`{"number": "1", "status": "complete"}, {"number": "2", "status": "complete"}`, at.Add(time.Minute), "", two},
		"the roadmap changed":   {`{"number": "1", "status": "complete"}`, at.Add(time.Minute), "ROADMAP.md", ""},
		"the phase changed":     {`{"number": "1", "status": "complete"}`, at.Add(time.Minute), "phases/01-hull", ""},
		"another one changed":   {`{"number": "1", "status": "complete"}`, at.Add(time.Minute), "phases/02-mast", one},
		"from the time to come": {`{"number": "1", "status": "complete"}`, at.Add(2 * time.Hour), "", ""},
	} {
		p := projectOf(t, map[string]string{
			"ROADMAP.md": "# R\n\n- [ ] Phase 1: Hull\n- [ ] Phase 2: Mast\n", "phases/01-hull/01-01-PLAN.md": "", "phases/02-mast/02-01-PLAN.md": "",
			"state.json": fmt.Sprintf(`{"contract": "1.0.0", "updated_at": %q, "phases": [%s]}`, test.updated.Format(time.RFC3339), test.phases),
		})
		if test.touched != "" {
			later := at.Add(10 * time.Minute)
			if err := os.Chtimes(filepath.Join(p.Dir, ".planning", test.touched), later, later); err != nil {
				t.Fatal(err)
			}
		}
		st, err := status.Of(p, status.Options{User: "ada", Now: at.Add(time.Hour)})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range st.Warnings {
			if w.Code == status.PublishedDiffers {
				got = append(got, w.Detail)
			}
		}
		if strings.Join(got, "\n") != test.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
