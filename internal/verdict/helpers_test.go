package verdict_test

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/apptest"
)

func TestMain(m *testing.M) { apptest.Main(m) }

// What the tests of several packages share, under short names.
const (
	user       = apptest.User
	planPath   = apptest.PlanPath
	secondPlan = apptest.SecondPlan
)

var (
	agentCaller     = apptest.AgentCaller
	as              = apptest.As
	assessed        = apptest.Assessed
	bootstrap       = apptest.Bootstrap
	bootstrapAt     = apptest.BootstrapAt
	crumbsOf        = apptest.CrumbsOf
	filesIn         = apptest.FilesIn
	commitAll       = apptest.CommitAll
	reopen          = apptest.Reopen
	wantKind        = apptest.WantKind
	freeLease       = apptest.FreeLease
	holder          = apptest.Holder
	hydrateStarting = apptest.HydrateStarting
	lose            = apptest.Lose
	lostSessions    = apptest.LostSessions
	mark            = apptest.Mark
	newWorld        = apptest.NewWorld
	now             = apptest.Now
	projectOf       = apptest.ProjectOf
	startRun        = apptest.StartRun
	statuses        = apptest.Statuses
	sweep           = apptest.Sweep
	write           = apptest.Write
)
