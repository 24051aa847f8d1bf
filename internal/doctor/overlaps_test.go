package doctor

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

func TestOverlaps(t *testing.T) {
	metas := map[string]string{
		"03-01": "wave: 1\nfiles_modified: [a.go, x.go]",
		"03-02": "wave: 1\nfiles_modified: [./a.go]",
		"03-03": "wave: 2\nfiles_modified: [a.go]",
		"03-07": "files_modified: [a.go]", // has no wave
		"03-08": "wave: 5\nfiles_modified: [b.go]",
		"03-09": "wave: 5\nfiles_deleted: [b.go, c.go]\ncoupling_justified: [\"03-08: order does not matter\"]", // not about files
		"03-10": "wave: 5\nfiles-deleted:\n  - ./c.go\nfiles_modified: [./c.go]",
		"04-01": "wave: 1\nfiles_modified: [a.go]",
	}
	var plans []*roadmap.Plan
	for _, id := range slices.Sorted(maps.Keys(metas)) {
		phase, _ := planref.ParseNumber(id[:2])
		plans = append(plans, &roadmap.Plan{ID: id, Path: id, Phase: phase})
	}
	var found []string
	for _, o := range overlapsOf(plans, func(p *roadmap.Plan) frontmatter.Meta {
		return frontmatter.Read([]byte("---\n" + metas[p.ID] + "\n---\n"))
	}) {
		says, _, _ := strings.Cut(Words(&Finding{Warning: o.warning()}), ";")
		found = append(found, says)
	}
	if want := []string{
		"in wave 1, 03-01 and 03-02 change ./a.go", "in wave 5, 03-08 and 03-09 change b.go",
		"in wave 5, 03-09 and 03-10 change ./c.go",
	}; !slices.Equal(found, want) {
		t.Errorf("%q, want %q", found, want)
	}
}

func TestOverlapOfMany(t *testing.T) {
	plan := func(id string) *roadmap.Plan { return &roadmap.Plan{ID: id, Path: id} }
	plans := []*roadmap.Plan{plan("1-1"), plan("1-2"), plan("1-3"), plan("1-4")}
	files := map[string][]string{"1-1": {"a", "b", "c", "d", "e"}, "1-2": {"e", "d", "c", "a", "x", "x"}, "1-3": {"x"}, "1-4": {"./x", "b"}}
	var found []string
	for _, o := range overlapsOf(plans, func(p *roadmap.Plan) frontmatter.Meta {
		return frontmatter.Meta{HasWave: true, Wave: 2, Files: files[p.ID]}
	}) {
		says, _, _ := strings.Cut(Words(&Finding{Warning: o.warning()}), ";")
		found = append(found, says)
	}
	if want := []string{
		"in wave 2, 1-1 and 1-2 change e, d, c and 1 more", "in wave 2, 1-2, 1-3 and 1-4 change x",
		"in wave 2, 1-1 and 1-4 change b",
	}; !slices.Equal(found, want) {
		t.Errorf("%q", found)
	}
}
