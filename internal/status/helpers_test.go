package status_test

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/apptest"
)

func TestMain(m *testing.M) { apptest.Main(m) }

// What the tests of several packages share, under short names.
var (
	as          = apptest.As
	commitAll   = apptest.CommitAll
	newWorld    = apptest.NewWorld
	now         = apptest.Now
	startOn     = apptest.StartOn
	filesIn     = apptest.FilesIn
	onePlan     = apptest.OnePlan
	projectOf   = apptest.ProjectOf
	reopen      = apptest.Reopen
	takePicture = apptest.TakePicture
	wantKind    = apptest.WantKind
	write       = apptest.Write
)
