package child

import (
	"testing"
	"time"
)

// It is called at once and at every tick until it is stopped, and not afterwards.
func TestRepeat(t *testing.T) {
	t.Parallel()
	calls := 0
	tick := make(chan time.Time)
	stop := repeat(tick, func() { calls++ })
	for range 3 {
		tick <- time.Now()
	}
	stop()
	if calls != 4 {
		t.Errorf("%d calls", calls)
	}
	select {
	case tick <- time.Now():
		t.Error("it still listens")
	default:
	}
}
