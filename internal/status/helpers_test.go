package status_test

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/hydratetest"
)

func TestMain(m *testing.M) { hydratetest.Main(m) }

// What the tests of several packages share, under short names.
var (
	as          = hydratetest.As
	commitAll   = hydratetest.CommitAll
	newWorld    = hydratetest.NewWorld
	now         = hydratetest.Now
	startOn     = hydratetest.StartOn
	filesIn     = hydratetest.FilesIn
	onePlan     = hydratetest.OnePlan
	projectOf   = hydratetest.ProjectOf
	reopen      = hydratetest.Reopen
	takePicture = hydratetest.TakePicture
	wantKind    = hydratetest.WantKind
	write       = hydratetest.Write
)
