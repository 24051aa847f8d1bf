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
	a := Next(Question{Disk: d, Roadmap: &Roadmap{}, Entries: Join(d, &Roadmap{}), Meta: func(p *Plan) Meta { return ReadMeta([]byte("---\n" + metas[p.ID] + "\n---\n")) }})
	if want := []string{"03-02 is in wave 1 and depends on 03-01 in wave 1", "03-04 is in wave 2 and depends on 03-05 in wave 3"}; !slices.Equal(a.Waves, want) {
		t.Errorf("waves %q, want %q", a.Waves, want)
	}
	if want := []string{
		"03-01 and 03-02, both in wave 1, are going to change ./a.go", "03-08 and 03-09, both in wave 5, are going to change b.go",
		"03-09 and 03-10, both in wave 5, are going to change ./c.go",
	}; !slices.Equal(a.Overlaps, want) {
		t.Errorf("overlaps %q, want %q", a.Overlaps, want)
	}
}
