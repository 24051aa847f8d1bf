package hydrate_test

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/hydratetest"
)

func TestMain(m *testing.M) { hydratetest.Main(m) }

// What the tests of several packages share, under short names.
type (
	order  = hydratetest.Order
	ledger = hydratetest.Ledger
)

const (
	user         = hydratetest.User
	patience     = hydratetest.Patience
	sessionsPath = hydratetest.SessionsPath
	sessionPath  = hydratetest.SessionPath
	runsPath     = hydratetest.RunsPath
	planPath     = hydratetest.PlanPath
)

var (
	aProcess        = hydratetest.AProcess
	agentCaller     = hydratetest.AgentCaller
	as              = hydratetest.As
	assessed        = hydratetest.Assessed
	bootstrap       = hydratetest.Bootstrap
	bootstrapAt     = hydratetest.BootstrapAt
	commitAll       = hydratetest.CommitAll
	crumbsOf        = hydratetest.CrumbsOf
	endRun          = hydratetest.EndRun
	filesIn         = hydratetest.FilesIn
	hydrateStarting = hydratetest.HydrateStarting
	lose            = hydratetest.Lose
	lostSessions    = hydratetest.LostSessions
	mark            = hydratetest.Mark
	newProject      = hydratetest.NewProject
	newWorld        = hydratetest.NewWorld
	now             = hydratetest.Now
	projectOf       = hydratetest.ProjectOf
	readLedger      = hydratetest.ReadLedger
	reopen          = hydratetest.Reopen
	restoreByID     = hydratetest.RestoreByID
	runGit          = hydratetest.RunGit
	spawn           = hydratetest.Spawn
	startOn         = hydratetest.StartOn
	startRun        = hydratetest.StartRun
	statuses        = hydratetest.Statuses
	takePicture     = hydratetest.TakePicture
	tasksOf         = hydratetest.TasksOf
	textOfFile      = hydratetest.TextOfFile
	thorough        = hydratetest.Thorough
	wantKind        = hydratetest.WantKind
	write           = hydratetest.Write
)
