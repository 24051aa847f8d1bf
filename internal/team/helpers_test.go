package team_test

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/apptest"
)

func TestMain(m *testing.M) { apptest.Main(m) }

// What the tests of several packages share, under short names.
type (
	clone = apptest.Clone
	order = apptest.Order
)

const (
	patience = apptest.Patience
)

var (
	newClones = apptest.NewClones
	clonePlan = apptest.ClonePlan
	pair      = apptest.Pair
	spawn     = apptest.Spawn
	write     = apptest.Write
)
