package next

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

func TestContradictions(t *testing.T) {
	metas := map[string]string{
		"03-01": "wave: 1",
		"03-02": "wave: 1\ndepends_on: [03-01]", // on its own wave
		"03-03": "wave: 2\ndepends_on: [03-01, 03-03]",
		"03-04": "wave: 2\ndepends_on: [03-05, 03-06, 03-07, Phase 2]",
		"03-05": "wave: 3",
		"03-06": "wave: 4",        // done
		"03-07": "depends_on: []", // has no wave
		"03-08": "wave: 1\ndepends_on: [03-05]",
		"02-01": "wave: 9",
	}
	d := roadmap.ScanPhases(listing(below(".planning/phases", "03-a/03-01-PLAN.md 03-a/03-02-PLAN.md 03-a/03-03-PLAN.md 03-a/03-04-PLAN.md 03-a/03-05-PLAN.md "+
		doneFiles("03-a/03-06")+" 03-a/03-07-PLAN.md 03-a/03-08-PLAN.md "+doneFiles("02-z/02-01"))...), ".planning")
	meta := func(p *roadmap.Plan) frontmatter.Meta {
		return frontmatter.Read([]byte("---\n" + metas[p.ID] + "\n---\n"))
	}
	for _, test := range []struct{ session, waves string }{
		{"03-a/03-01", "03-02 in 1 on 03-01 in 1"},
		{"03-a/03-02", "03-02 in 1 on 03-01 in 1"},
		{"03-a/03-03", ""},
		{"03-a/03-05", "03-04 in 2 on 03-05 in 3; 03-08 in 1 on 03-05 in 3"},
		{"03-a/03-07", ""},
	} {
		a := Order(Question{Disk: d, Roadmap: &roadmap.Roadmap{}, Entries: roadmap.Join(d, &roadmap.Roadmap{}), Meta: meta, Session: ".planning/phases/" + test.session + "-PLAN.md"})
		var got []string
		for _, c := range a.Conflicts {
			got = append(got, fmt.Sprintf("%s in %d on %s in %d", c.Plan.Label(), c.Wave, c.On.Label(), c.OnWave))
		}
		if strings.Join(got, "; ") != test.waves {
			t.Errorf("%s: %q", test.session, got)
		}
	}
}
