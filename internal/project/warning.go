package project

import (
	"errors"
	"slices"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/problem"
)

// warnings are what a person should know of what was read.
type warnings struct{ warned []problem.Warning }

// Warn adds a warning to the answer.
func (w *warnings) Warn(warning problem.Warning) { w.warned = problem.WithWarning(w.warned, warning) }

// Warned returns the warnings so far, in their order.
func (w *warnings) Warned() []problem.Warning { return w.warned }

// OverBudget reports whether err means that the command has reached its read limit, and warns of that once.
func (w *warnings) OverBudget(err error, name string) bool {
	if !errors.Is(err, durable.ErrBudget) {
		return false
	}
	if !slices.ContainsFunc(w.warned, func(w problem.Warning) bool { return w.Code == problem.ReadingStopped }) {
		w.Warn(problem.Warning{Code: problem.ReadingStopped, Path: name})
	}
	return true
}
