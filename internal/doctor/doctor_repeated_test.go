package doctor_test

import (
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/doctor"
)

// A summary without a plan would make the plan that gets its number a done one.
func TestRepeatedBesideASummary(t *testing.T) {
	t.Parallel()
	p := projectOf(t, filesIn("phases/03-a/03-01-PLAN.md phases/03-a/03-01-b-PLAN.md phases/03-a/03-02-SUMMARY.md"))
	found := doctor.Doctor(t.Context(), p, doctor.Options{PlansOnly: true}).Findings
	if len(found) != 1 || !strings.HasSuffix(found[0].Detail, "; it could be called 03-03-b-PLAN.md") {
		t.Errorf("%+v", found)
	}
}
