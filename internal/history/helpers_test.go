package history_test

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/hydratetest"
)

func TestMain(m *testing.M) { hydratetest.Main(m) }

// What the tests of several packages share, under short names.
type clone = hydratetest.Clone

const (
	user         = hydratetest.User
	sessionsPath = hydratetest.SessionsPath
	sessionPath  = hydratetest.SessionPath
)

var (
	newClones    = hydratetest.NewClones
	pair         = hydratetest.Pair
	allocated    = hydratetest.Allocated
	assessed     = hydratetest.Assessed
	bootstrap    = hydratetest.Bootstrap
	bootstrapAt  = hydratetest.BootstrapAt
	commitAll    = hydratetest.CommitAll
	crumbsOf     = hydratetest.CrumbsOf
	filesIn      = hydratetest.FilesIn
	lose         = hydratetest.Lose
	lostSessions = hydratetest.LostSessions
	newProject   = hydratetest.NewProject
	newWorld     = hydratetest.NewWorld
	now          = hydratetest.Now
	projectOf    = hydratetest.ProjectOf
	reopen       = hydratetest.Reopen
	startOn      = hydratetest.StartOn
	textOfFile   = hydratetest.TextOfFile
	write        = hydratetest.Write
)
