package verdict_test

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/verdict"
)

// A plan in flight is told of, unless a lost session knows more of it.
func TestRecoveryBegin(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		next *verdict.Next
		want int
	}{
		{nil, 0},
		{&verdict.Next{Plan: "a"}, 0},
		{&verdict.Next{Plan: "a", Begun: true}, 1},
		{&verdict.Next{Plan: "lost", Begun: true}, 0},
	} {
		r := &verdict.Recovery{}
		r.Lost = []verdict.LostSession{{Plan: "lost"}}
		if r.Begin(c.next); len(r.Incomplete) != c.want {
			t.Errorf("%+v: %+v", c.next, r.Incomplete)
		}
	}
}
