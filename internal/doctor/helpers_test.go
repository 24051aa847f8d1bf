package doctor_test

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/hydratetest"
)

func TestMain(m *testing.M) { hydratetest.Main(m) }

// What the tests of several packages share, under short names.
var (
	filesIn   = hydratetest.FilesIn
	projectOf = hydratetest.ProjectOf
)
