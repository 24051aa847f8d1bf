package leftover_test

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/apptest"
)

func TestMain(m *testing.M) { apptest.Main(m) }

const user = apptest.User

var (
	assessed   = apptest.Assessed
	newWorld   = apptest.NewWorld
	now        = apptest.Now
	projectOf  = apptest.ProjectOf
	runGit     = apptest.RunGit
	textOfFile = apptest.TextOfFile
	write      = apptest.Write
)
