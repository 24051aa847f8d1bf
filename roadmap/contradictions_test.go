package roadmap

import (
	"slices"
	"testing"
)

func TestContradictions(t *testing.T) {
	metas := map[string]string{
		"03-01": "wave: 1\nfiles_modified: [a.go, x.go]",
		"03-02": "wave: 1\ndepends_on: [03-01]\nfiles_modified: [./a.go]", // on its own wave
		"03-03": "wave: 2\ndepends_on: [03-01, 03-03]\nfiles_modified: [a.go]",
		"03-04": "wave: 2\ndepends_on: [03-05, 03-06, 03-07, Phase 2]",
		"03-05": "wave: 3",
		"03-06": "wave: 4",                                // done
		"03-07": "depends_on: []\nfiles_modified: [a.go]", // has no wave
		"03-08": "wave: 5\nfiles_modified: [b.go]",
		"03-09": "wave: 5\nfiles_deleted: [b.go, c.go]\ncoupling_justified: [\"03-08: order does not matter\"]", // not about files
		"03-10": "wave: 5\nfiles-deleted:\n  - ./c.go\nfiles_modified: [./c.go]",
		"04-01": "wave: 1\nfiles_modified: [a.go]",
		"02-01": "wave: 9",
	}
	d := Scan(listing(below(".planning/phases", "03-a/03-01-PLAN.md 03-a/03-02-PLAN.md 03-a/03-03-PLAN.md 03-a/03-04-PLAN.md 03-a/03-05-PLAN.md "+
		doneFiles("03-a/03-06")+" 03-a/03-07-PLAN.md 03-a/03-08-PLAN.md 03-a/03-09-PLAN.md 03-a/03-10-PLAN.md 04-b/04-01-PLAN.md "+doneFiles("02-z/02-01"))...), ".planning")
	meta := func(p *Plan) Meta { return ReadMeta([]byte("---\n" + metas[p.ID] + "\n---\n")) }
	var found []string
	for _, o := range Overlaps(d.Open(), meta) {
		found = append(found, o.String())
	}
	if want := []string{
		"in wave 1, 03-01 and 03-02 are going to change ./a.go", "in wave 5, 03-08 and 03-09 are going to change b.go",
		"in wave 5, 03-09 and 03-10 are going to change ./c.go",
	}; !slices.Equal(found, want) {
		t.Errorf("overlaps %q, want %q", found, want)
	}

	// Of the plan that comes next, Next says what it is in the way of: each kind once.
	for _, test := range []struct{ session, wave, overlap string }{
		{"03-a/03-01", "03-02 is in wave 1 and depends on 03-01 in wave 1", "in wave 1, 03-01 and 03-02 are going to change ./a.go"},
		{"03-a/03-02", "03-02 is in wave 1 and depends on 03-01 in wave 1", "in wave 1, 03-01 and 03-02 are going to change ./a.go"},
		{"03-a/03-03", "", ""},
		{"03-a/03-05", "03-04 is in wave 2 and depends on 03-05 in wave 3", ""},
		{"03-a/03-07", "", ""},
		{"03-a/03-09", "", "in wave 5, 03-08 and 03-09 are going to change b.go; 1 more like it"},
		{"04-b/04-01", "", ""}, // the same wave and file of another phase
	} {
		a := Next(Question{Disk: d, Roadmap: &Roadmap{}, Entries: Join(d, &Roadmap{}), Meta: meta, Session: ".planning/phases/" + test.session + "-PLAN.md"})
		if a.Wave != test.wave || a.Overlap != test.overlap {
			t.Errorf("%s: %q and %q", test.session, a.Wave, a.Overlap)
		}
	}
}

func TestOverlap(t *testing.T) {
	plan := func(id string) *Plan { return &Plan{ID: id, Path: id} }
	plans := []*Plan{plan("1-1"), plan("1-2"), plan("1-3"), plan("1-4")}
	files := map[string][]string{"1-1": {"a", "b", "c", "d", "e"}, "1-2": {"e", "d", "c", "a", "x", "x"}, "1-3": {"x"}, "1-4": {"./x", "b"}}
	var found []string
	for _, o := range Overlaps(plans, func(p *Plan) Meta { return Meta{HasWave: true, Wave: 2, Files: files[p.ID]} }) {
		found = append(found, o.String())
	}
	if want := []string{
		"in wave 2, 1-1 and 1-2 are going to change e, d, c and 1 more", "in wave 2, 1-2, 1-3 and 1-4 are going to change x",
		"in wave 2, 1-1 and 1-4 are going to change b",
	}; !slices.Equal(found, want) {
		t.Errorf("%q", found)
	}
}
