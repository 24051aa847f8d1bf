package project

import (
	"slices"
	"strings"
	"testing"
)

func TestFindByID(t *testing.T) {
	files := []string{
		".planning/phases/03-auth/03-01-PLAN.md",
		".planning/phases/03-auth/03-01-SUMMARY.md",
		".planning/phases/03-auth/03-010-PLAN.md",
		".planning/phases/02.1-fix/02.1-03-slug-PLAN.md",
		".planning/phases/20-blades/PLAN.md",
		".planning/phases/loose/09-01-PLAN.md",
		".planning/phases/08-01-PLAN.md",
		".planning/phases/.08-02-PLAN.md",
		".planning/phases/PLAN.md",
		".planning/phases/30-x/auth-PLAN.md",
		".planning/milestones/v1.0-phases/06-01-PLAN.md",
		".planning/phases/ABC-07-code/ABC-07-01-PLAN.md",
		".planning/workstreams/web/phases/04-ui/04-01-PLAN.md",
		".planning/workstreams/api/phases/04-ep/04-01-PLAN.md",
		".planning/phases/WEB-ui/WEB-20-PLAN.md",
		".planning/phases/WEB-ui/WEB-21-x-PLAN.md",
		".planning/sub/phases/11-x/11-01-PLAN.md",
		".planning/quick/001-tempo/001-PLAN.md",
		".planning/quick/020-y/020-PLAN.md",
		".planning/quick/260322-14r-hook/260322-14r-PLAN.md",
		".planning/milestones/v1.0-phases/03-old/03-01-PLAN.md",
		".planning/milestones/v1.0-phases/01-old/01-01-PLAN.md",
		".planning/milestones/v1.0-ROADMAP.md",
		".planning/sessions/me/03-01-PLAN.md",
		"secret/03-05-PLAN.md",
	}
	inPlanning := map[string]string{}
	for _, file := range files {
		inPlanning["../"+file] = plan
	}
	p := opened(t, inPlanning)
	p.Allow(1<<20, len(files))
	for id, want := range map[string]string{
		"03-01":                "phases/03-auth/03-01-PLAN.md",
		"3-1":                  "phases/03-auth/03-01-PLAN.md",
		"3-10":                 "phases/03-auth/03-010-PLAN.md",
		"02.1-03":              "phases/02.1-fix/02.1-03-slug-PLAN.md",
		"9-1":                  "phases/loose/09-01-PLAN.md",
		"8-1":                  "phases/08-01-PLAN.md",
		"8-2":                  "",
		"30":                   "",
		"6-1":                  "milestones/v1.0-phases/06-01-PLAN.md",
		"ABC-07-01":            "phases/ABC-07-code/ABC-07-01-PLAN.md",
		"07-01":                "phases/ABC-07-code/ABC-07-01-PLAN.md",
		"ABC-20":               "phases/20-blades/PLAN.md quick/020-y/020-PLAN.md",
		"ABC-08-01":            "phases/08-01-PLAN.md",
		"WEB-20":               "phases/WEB-ui/WEB-20-PLAN.md",
		"WEB-021":              "phases/WEB-ui/WEB-21-x-PLAN.md",
		"21":                   "",
		"04-01":                "workstreams/api/phases/04-ep/04-01-PLAN.md workstreams/web/phases/04-ui/04-01-PLAN.md",
		"11-01":                "sub/phases/11-x/11-01-PLAN.md",
		"20":                   "phases/20-blades/PLAN.md quick/020-y/020-PLAN.md",
		"001":                  "quick/001-tempo/001-PLAN.md",
		"quick/001":            "quick/001-tempo/001-PLAN.md",
		"quick/1":              "quick/001-tempo/001-PLAN.md",
		"quick/001-tempo":      "quick/001-tempo/001-PLAN.md",
		"260322-14r":           "quick/260322-14r-hook/260322-14r-PLAN.md",
		"quick/260322-14r":     "quick/260322-14r-hook/260322-14r-PLAN.md",
		"01-01":                "milestones/v1.0-phases/01-old/01-01-PLAN.md",
		"03":                   "",
		"03-02":                "",
		"03-05":                "",
		"02-03":                "",
		"":                     "",
		"quick/":               "",
		"../secret/03-05":      "",
		"quick/../../secret":   "",
		"quick/001-tempo/..":   "",
		`..\secret`:            "",
		"/etc":                 "",
		"quick/.":              "",
		"03-01-PLAN.md":        "",
		"phases/03-auth/03-01": "",
	} {
		got := p.findByID(id)
		for i := range got {
			got[i] = strings.TrimPrefix(got[i], ".planning/")
		}
		if !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("findByID(%s) = %q, want %q", id, got, want)
		}
	}
	// Each plan is found by the id that it was given.
	for _, root := range p.Roots() {
		disk := p.Phases(root)
		for _, dir := range disk.Phases {
			for _, other := range dir.Plans {
				if other.ID != "" && !slices.Contains(p.findByID(other.ID), other.Path) {
					t.Errorf("%s is not found as %s", other.Path, other.ID)
				}
			}
		}
	}
}
