package work

import (
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// For the tests, which are in a package of their own because they use packages that import this one.

const (
	MaxItems = maxItems
	ItemHead = itemHead
)

var (
	Committed = committed
	Reset     = reset
)

func (s *Swept) Decide(a *run.Assessment, r *verdict.Report, o SweepOptions) {
	s.decide(a, r, o)
}
