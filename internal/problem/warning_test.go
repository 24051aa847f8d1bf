package problem

import (
	"fmt"
	"io/fs"
	"slices"
	"testing"

	"github.com/gsd-cli/gsd/internal/durable"
)

// TestWarningsEnd: a project with a thousand faults of a kind gets warnings of some of them.
func TestWarningsEnd(t *testing.T) {
	var all []Warning
	for i := range 1000 {
		all = WithWarning(all, Warning{Code: PlanUnreadable, Path: fmt.Sprint(i % 500)})
		all = WithWarning(all, Warning{Code: DirectoryUnreadable, Path: fmt.Sprint(i % 10)})
	}
	if len(all) != MaxAlike+1+10 || !slices.ContainsFunc(all, func(w Warning) bool { return w.Code == PlanUnreadable && w.More && w.Path == "" }) {
		t.Errorf("%v", all)
	}
}

func TestHistoryWarning(t *testing.T) {
	if HistoryWarning(durable.ErrBudget).Code != ReadingStopped || HistoryWarning(fs.ErrInvalid).Code != HistoryUnreadable {
		t.Error("warnings about the history")
	}
}
