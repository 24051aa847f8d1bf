package team_test

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/hydratetest"
)

func TestMain(m *testing.M) { hydratetest.Main(m) }

// What the tests of several packages share, under short names.
type (
	order = hydratetest.Order
)

const (
	patience = hydratetest.Patience
)

var (
	sequences = hydratetest.Sequences
	spawn     = hydratetest.Spawn
	thorough  = hydratetest.Thorough
	write     = hydratetest.Write
)
