package doctor_test

import (
	"github.com/gsd-cli/gsd/internal/doctor"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/view"
)

func init() {
	doctor.Words = func(w *project.Warning) string { return view.WarningText(w).String() }
}
