package hydrate_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
)

func TestStartable(t *testing.T) {
	p := projectOf(t, map[string]string{
		"phases/01-a/01-01-PLAN.md": "", "phases/01-a/01-01-SUMMARY.md": "done", // done
		"phases/01-a/01-02-PLAN.md": "",
		"phases/01-a/01-03-PLAN.md": "", // in grace's hands
		"phases/01-a/01-10-PLAN.md": "",
		"phases/02-b/02-01-PLAN.md": "", "phases/02-c/02-01-PLAN.md": "", // one id
		"phases/02-b/02-02-PLAN.md": "\x00\x01\x02", // no text
	})
	p.World = hydrate.World{} // without a state directory, in which grace would be a former name of ada
	startOn(t, p, "grace", "phases/01-a/01-03-PLAN.md", 1)
	startable := func(o hydrate.BootstrapOptions) string {
		again := reopen(t, p.Dir) // a project is opened for one command
		again.World = p.World
		o.User, o.Now = "ada", time.Now()
		return strings.Join(hydrate.Startable(again, o), " ")
	}
	for _, test := range []struct {
		o    hydrate.BootstrapOptions
		want string
	}{
		{hydrate.BootstrapOptions{}, "01-02 01-10"},
		{hydrate.BootstrapOptions{Again: true}, "01-01 01-02 01-10"},
		{hydrate.BootstrapOptions{TakeOver: true}, "01-02 01-03 01-10"},
	} {
		if got := startable(test.o); got != test.want {
			t.Errorf("%+v: %q, want %q", test.o, got, test.want)
		}
	}
	// One's own session continues, also if somebody else has one.
	o := hydrate.BootstrapOptions{User: "ada", Plan: ".planning/phases/01-a/01-03-PLAN.md", TakeOver: true, Now: time.Now(), Wait: time.Minute}
	if _, err := p.Bootstrap(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if got := startable(hydrate.BootstrapOptions{}); got != "01-02 01-03 01-10" {
		t.Errorf("with a session of one's own: %q", got)
	}
}
