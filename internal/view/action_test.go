package view

import (
	"reflect"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/action"
)

// TestEveryActionIsSaid: each kind of action can be typed, and view says what it does.
func TestEveryActionIsSaid(t *testing.T) {
	g := generator{t, map[string]*source{}, nil, nil}
	kinds := g.sourceOf(reflect.TypeFor[action.Kind]()).constants["Kind"]
	if len(kinds) < 30 {
		t.Fatalf("only %d kinds were found", len(kinds))
	}
	for _, kind := range kinds {
		a := action.Action{Kind: action.Kind(kind.value), Plan: "01-02", Task: 3, ID: "x"}
		if action.Line(a.Words()) == "" || Does(a) == "" {
			t.Errorf("%s: %q (%s)", kind.value, action.Line(a.Words()), Does(a))
		}
	}
	for replaced, want := range map[action.Replaced]string{action.Session: "; this session is archived", action.File: "; that file is archived", action.InPlace: ", and archives what is in its place"} {
		if got := Does(action.Action{Kind: action.Start, Replaces: replaced}); !strings.HasSuffix(got, want) {
			t.Errorf("%s: %q", replaced, got)
		}
	}
}
