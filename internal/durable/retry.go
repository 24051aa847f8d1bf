package durable

import "time"

const (
	// patience is for a virus scanner or indexer that holds a file open for a
	// moment; the same bound as robustio in rogpeppe/go-internal. Windows gives
	// the same error where permission is missing for good: that answer is late.
	patience   = 2 * time.Second
	firstPause = time.Millisecond
	maxPause   = 64 * time.Millisecond
)

// patiently runs op until it succeeds, fails for good, or patience is over,
// and returns its last error. Where nothing is transient (Unix) it runs once.
func patiently(op func() error) error {
	return retry(op, transient, time.Now().Add(patience))
}

func retry(op func() error, again func(error) bool, until time.Time) error {
	for pause := firstPause; ; pause = min(2*pause, maxPause) {
		err := op()
		if err == nil || !again(err) || time.Now().Add(pause).After(until) {
			return err
		}
		time.Sleep(pause)
	}
}
