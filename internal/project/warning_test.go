package project

import (
	"fmt"
	"slices"
	"testing"
)

// TestWarningsEnd: a project with a thousand faults of a kind is told of some of them.
func TestWarningsEnd(t *testing.T) {
	p := &Project{}
	for i := range 1000 {
		p.Warn(Warning{Code: PlanUnreadable, Path: fmt.Sprint(i % 500)})
		p.Warn(Warning{Code: DirectoryUnreadable, Path: fmt.Sprint(i % 10)})
	}
	all := p.Warned()
	if len(all) != MaxAlike+1+10 || !slices.ContainsFunc(all, func(w Warning) bool { return w.Code == PlanUnreadable && w.More && w.Path == "" }) {
		t.Errorf("%v", all)
	}
}
