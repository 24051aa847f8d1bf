package app_test

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/apptest"
)

func TestMain(m *testing.M) { apptest.Main(m) }

// What the tests of several packages share, under short names.
type (
	machine = apptest.Machine
	child   = apptest.Child
	order   = apptest.Order
	ledger  = apptest.Ledger
)

const (
	user         = apptest.User
	patience     = apptest.Patience
	sessionsPath = apptest.SessionsPath
	sessionPath  = apptest.SessionPath
	runsPath     = apptest.RunsPath
	planPath     = apptest.PlanPath
)

var (
	agentCaller     = apptest.AgentCaller
	allocated       = apptest.Allocated
	aProcess        = apptest.AProcess
	as              = apptest.As
	assessed        = apptest.Assessed
	bootstrap       = apptest.Bootstrap
	bootstrapAt     = apptest.BootstrapAt
	commitAll       = apptest.CommitAll
	crumbsOf        = apptest.CrumbsOf
	endRun          = apptest.EndRun
	filesIn         = apptest.FilesIn
	freeLease       = apptest.FreeLease
	here            = apptest.Here
	holder          = apptest.Holder
	hydrateStarting = apptest.HydrateStarting
	kindOfError     = apptest.KindOfError
	lose            = apptest.Lose
	lostSessions    = apptest.LostSessions
	mark            = apptest.Mark
	newMachine      = apptest.NewMachine
	newProject      = apptest.NewProject
	newWorld        = apptest.NewWorld
	now             = apptest.Now
	ownerOf         = apptest.OwnerOf
	projectOf       = apptest.ProjectOf
	readLedger      = apptest.ReadLedger
	reopen          = apptest.Reopen
	restoreByID     = apptest.RestoreByID
	runGit          = apptest.RunGit
	spawn           = apptest.Spawn
	startOn         = apptest.StartOn
	startRun        = apptest.StartRun
	statuses        = apptest.Statuses
	sweep           = apptest.Sweep
	takePicture     = apptest.TakePicture
	tasksOf         = apptest.TasksOf
	textOfFile      = apptest.TextOfFile
	wantKind        = apptest.WantKind
	write           = apptest.Write
)
