package team_test

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/hydratetest"
)

func TestMain(m *testing.M) { hydratetest.Main(m) }

// What the tests of several packages share, under short names.
type (
	clone = hydratetest.Clone
	order = hydratetest.Order
)

const (
	patience = hydratetest.Patience
)

var (
	newClones = hydratetest.NewClones
	clonePlan = hydratetest.ClonePlan
	pair      = hydratetest.Pair
	sequences = hydratetest.Sequences
	spawn     = hydratetest.Spawn
	thorough  = hydratetest.Thorough
	write     = hydratetest.Write
)
