package work_test

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/apptest"
)

func TestMain(m *testing.M) { apptest.Main(m) }

// What the tests of several packages share, under short names.
type (
	machine = apptest.Machine
	order   = apptest.Order
	child   = apptest.Child
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
	aProcess    = apptest.AProcess
	agentCaller = apptest.AgentCaller
	allocated   = apptest.Allocated
	as          = apptest.As
	assessed    = apptest.Assessed
	bootstrap   = apptest.Bootstrap
	endRun      = apptest.EndRun
	freeLease   = apptest.FreeLease
	here        = apptest.Here
	holder      = apptest.Holder
	kindOfError = apptest.KindOfError
	mark        = apptest.Mark
	newMachine  = apptest.NewMachine
	newProject  = apptest.NewProject
	newWorld    = apptest.NewWorld
	now         = apptest.Now
	ownerOf     = apptest.OwnerOf
	projectOf   = apptest.ProjectOf
	readLedger  = apptest.ReadLedger
	runGit      = apptest.RunGit
	spawn       = apptest.Spawn
	startRun    = apptest.StartRun
	sweep       = apptest.Sweep
	takePicture = apptest.TakePicture
	textOfFile  = apptest.TextOfFile
	wantKind    = apptest.WantKind
	write       = apptest.Write
)
