package doctor_test

import (
	"github.com/gsd-cli/gsd/internal/doctor"
	"github.com/gsd-cli/gsd/internal/view"
)

func init() {
	doctor.Words = func(f *doctor.Finding) string { return view.FindingText(f).String() }
}
