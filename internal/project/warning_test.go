package project

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gsd-cli/gsd/internal/problem"
)

// TestWarningsEnd: a project with a thousand faults of a kind is told of some of them.
func TestWarningsEnd(t *testing.T) {
	p := &Project{}
	for i := range 1000 {
		p.Warn(problem.Warning{Code: problem.PlanUnreadable, Path: fmt.Sprint(i % 500)})
		p.Warn(problem.Warning{Code: problem.DirectoryUnreadable, Path: fmt.Sprint(i % 10)})
	}
	all := p.Warned()
	if len(all) != problem.MaxAlike+1+10 || !slices.ContainsFunc(all, func(w problem.Warning) bool { return w.Code == problem.PlanUnreadable && w.More && w.Path == "" }) {
		t.Errorf("%v", all)
	}
}
