package hydrate

import (
	"testing"
)

// A plan in flight is told of, unless a lost session knows more of it.
func TestRecoveryBegin(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		next *Next
		want int
	}{
		{nil, 0},
		{&Next{Plan: "a"}, 0},
		{&Next{Plan: "a", Begun: true}, 1},
		{&Next{Plan: "lost", Begun: true}, 0},
	} {
		r := &Recovery{}
		r.Lost = []LostSession{{Plan: "lost"}}
		if r.Begin(c.next); len(r.Incomplete) != c.want {
			t.Errorf("%+v: %+v", c.next, r.Incomplete)
		}
	}
}
