package history_test

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/apptest"
)

func TestMain(m *testing.M) { apptest.Main(m) }

// What the tests of several packages share, under short names.
type clone = apptest.Clone

const (
	user         = apptest.User
	sessionsPath = apptest.SessionsPath
	sessionPath  = apptest.SessionPath
)

var (
	newClones    = apptest.NewClones
	pair         = apptest.Pair
	allocated    = apptest.Allocated
	assessed     = apptest.Assessed
	bootstrap    = apptest.Bootstrap
	bootstrapAt  = apptest.BootstrapAt
	commitAll    = apptest.CommitAll
	crumbsOf     = apptest.CrumbsOf
	filesIn      = apptest.FilesIn
	lose         = apptest.Lose
	lostSessions = apptest.LostSessions
	newProject   = apptest.NewProject
	newWorld     = apptest.NewWorld
	now          = apptest.Now
	projectOf    = apptest.ProjectOf
	reopen       = apptest.Reopen
	startOn      = apptest.StartOn
	textOfFile   = apptest.TextOfFile
	write        = apptest.Write
)
