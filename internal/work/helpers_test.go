package work_test

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/hydratetest"
)

func TestMain(m *testing.M) { hydratetest.Main(m) }

// What the tests of several packages share, under short names.
type (
	machine = hydratetest.Machine
	order   = hydratetest.Order
	child   = hydratetest.Child
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
	aProcess    = hydratetest.AProcess
	agentCaller = hydratetest.AgentCaller
	allocated   = hydratetest.Allocated
	as          = hydratetest.As
	assessed    = hydratetest.Assessed
	bootstrap   = hydratetest.Bootstrap
	endRun      = hydratetest.EndRun
	freeLease   = hydratetest.FreeLease
	here        = hydratetest.Here
	holder      = hydratetest.Holder
	kindOfError = hydratetest.KindOfError
	mark        = hydratetest.Mark
	newMachine  = hydratetest.NewMachine
	newProject  = hydratetest.NewProject
	newWorld    = hydratetest.NewWorld
	now         = hydratetest.Now
	ownerOf     = hydratetest.OwnerOf
	projectOf   = hydratetest.ProjectOf
	readLedger  = hydratetest.ReadLedger
	runGit      = hydratetest.RunGit
	spawn       = hydratetest.Spawn
	startRun    = hydratetest.StartRun
	sweep       = hydratetest.Sweep
	takePicture = hydratetest.TakePicture
	textOfFile  = hydratetest.TextOfFile
	wantKind    = hydratetest.WantKind
	write       = hydratetest.Write
)
