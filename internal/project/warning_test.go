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
		p.Warn(PlanUnreadable, fmt.Sprint(i%500))
		p.Warn(DirectoryUnreadable, fmt.Sprint(i%10))
	}
	more := Warning{PlanUnreadable, "more warnings of this kind were left out"}
	if all := p.Warned(); len(all) != MaxAlike+1+10 || !slices.Contains(all, more) {
		t.Errorf("%v", all)
	}
}
