package verdict_test

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/hydratetest"
)

func TestMain(m *testing.M) { hydratetest.Main(m) }

// What the tests of several packages share, under short names.
const (
	user       = hydratetest.User
	planPath   = hydratetest.PlanPath
	secondPlan = hydratetest.SecondPlan
)

var (
	agentCaller     = hydratetest.AgentCaller
	as              = hydratetest.As
	assessed        = hydratetest.Assessed
	bootstrap       = hydratetest.Bootstrap
	bootstrapAt     = hydratetest.BootstrapAt
	crumbsOf        = hydratetest.CrumbsOf
	filesIn         = hydratetest.FilesIn
	commitAll       = hydratetest.CommitAll
	reopen          = hydratetest.Reopen
	wantKind        = hydratetest.WantKind
	freeLease       = hydratetest.FreeLease
	holder          = hydratetest.Holder
	hydrateStarting = hydratetest.HydrateStarting
	lose            = hydratetest.Lose
	lostSessions    = hydratetest.LostSessions
	mark            = hydratetest.Mark
	newWorld        = hydratetest.NewWorld
	now             = hydratetest.Now
	projectOf       = hydratetest.ProjectOf
	startRun        = hydratetest.StartRun
	statuses        = hydratetest.Statuses
	sweep           = hydratetest.Sweep
	write           = hydratetest.Write
)
