package next

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

func TestCycles(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		on   string // each plan of phase 3 with what it depends on
		want []string
	}{
		{"1: 2: 1", nil},
		{"1:1", nil}, // a plan does not wait for itself
		{"3:4 4:3", []string{"03-03 -> 03-04 -> 03-03"}},
		{"3:4 4:5 5:3 6:3", []string{"03-03 -> 03-04 -> 03-05 -> 03-03"}},
		{"1:2 2:3 3:1,2", []string{"03-01 -> 03-02 -> 03-03 -> 03-01"}}, // one set, one finding
		{"1:2 2:3,4 3:4 4:1", []string{"03-01 -> 03-02 -> 03-04 -> 03-01"}},
		{"1:2 2:1 3:2,4 4:3", []string{"03-01 -> 03-02 -> 03-01", "03-03 -> 03-04 -> 03-03"}},
		{"1:2 2:1,3 3:", []string{"03-01 -> 03-02 -> 03-01"}},
		{"1:9 9:1", nil}, // 9 is done
	} {
		metas, files := map[string]string{}, []string{doneFiles("03-a/03-09")}
		for plan := range strings.FieldsSeq(test.on) {
			n, on, _ := strings.Cut(plan, ":")
			var ids []string
			for d := range strings.SplitSeq(on, ",") {
				if d != "" {
					ids = append(ids, "03-0"+d)
				}
			}
			metas["03-0"+n] = fmt.Sprintf("---\ndepends_on: [%s]\n---\n", strings.Join(ids, ", "))
			if n != "9" {
				files = append(files, "03-a/03-0"+n+"-PLAN.md")
			}
		}
		d := roadmap.ScanPhases(listing(below(".planning/phases", strings.Join(files, " "))...), ".planning")
		var got []string
		for _, c := range Cycles(d, func(p *roadmap.Plan) frontmatter.Meta { return frontmatter.Read([]byte(metas[p.ID])) }) {
			var way []string
			for _, p := range append(c.Way, c.Way[0]) {
				way = append(way, p.Label())
			}
			got = append(got, strings.Join(way, " -> "))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.on, got, test.want)
		}
	}
}
