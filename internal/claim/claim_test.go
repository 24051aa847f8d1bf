package claim

import (
	"errors"
	"fmt"
	"testing"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/run"
)

// TestMayStart: each decision, and the first of two reasons against a start.
func TestMayStart(t *testing.T) {
	t.Parallel()
	bad := errors.New("bad")
	large := fmt.Errorf("read: %w", durable.ErrTooLarge)
	bob := &Holder{User: "bob"}
	alive, own, over := &run.Run{State: run.StateActive}, &run.Run{State: run.StateActive, Own: true}, &run.Run{State: run.StateCrashed}
	on := func(plan string) Facts { return Facts{Plan: plan, File: true, Readable: true, Valid: true} }
	stale := Facts{Plan: "p", File: true, Readable: true}
	with := func(f Facts, change func(f *Facts)) Facts {
		change(&f)
		return f
	}
	outdated := func(f *Facts) { f.Outdated = true }
	busy := func(plan string) func(f *Facts) {
		return func(f *Facts) { f.Busy = &run.Run{Plan: plan} }
	}
	done := Plan{Summary: "s", Digest: "d"}
	fresh, again, takeOver := Options{Fresh: true}, Options{Again: true}, Options{TakeOver: true}
	for _, test := range []struct {
		name string
		f    Facts
		p    Plan // "p", if it has no path
		o    Options
		want Decision
		why  Code
	}{
		{"nothing is there", Facts{}, Plan{}, Options{}, Free, ""},
		{"the session is on it", on("p"), Plan{}, Options{}, Continue, ""},
		{"the same, from nothing", on("p"), Plan{}, fresh, Replace, ""},
		{"its text has changed", with(on("p"), outdated), Plan{}, Options{}, Replace, ""},
		{"the session is on another plan", on("q"), Plan{}, Options{}, Replace, ""},
		{"it is stale", stale, Plan{}, Options{}, Replace, ""},
		{"it is none", Facts{File: true}, Plan{}, Options{}, Replace, ""},

		{"the plan is missing", on("p"), Plan{Problem: bad, Holder: bob}, takeOver, Blocked, PlanProblem},
		{"somebody has it", Facts{Closed: bad}, Plan{Holder: bob}, Options{}, Held, ""},
		{"the same, although all is ignored but that", on("q"), Plan{Holder: bob}, Options{Fresh: true, Again: true}, Held, ""},
		{"it is taken over", Facts{}, Plan{Holder: bob}, takeOver, Free, ""},
		{"one's own session continues", on("p"), Plan{Holder: bob}, Options{}, Continue, ""},
		{"the same, with another text", with(on("p"), outdated), Plan{Holder: bob}, Options{}, Replace, ""},
		{"the same, where the plan is now", Facts{Plan: "q", Moved: "p", File: true, Readable: true, Outdated: true}, Plan{Holder: bob}, Options{}, Replace, ""},
		{"a stale session does not", stale, Plan{Holder: bob}, Options{}, Held, ""},
		{"nothing can be written", with(on("p"), func(f *Facts) { f.Closed, f.Unread = bad, bad }), Plan{}, fresh, Unwritable, ""},
		{"the session cannot be read", Facts{File: true, Unread: bad}, Plan{}, fresh, Blocked, SessionUnread},
		{"it is too large", Facts{File: true, Unread: large}, done, Options{}, Blocked, SessionTooLarge},
		{"the same, from nothing", Facts{File: true, Unread: large}, Plan{}, fresh, Replace, ""},
		{"it is unmerged", Facts{File: true, Conflict: bad}, done, Options{}, Blocked, SessionUnmerged},
		{"the same, from nothing", Facts{File: true, Conflict: bad}, Plan{}, fresh, Replace, ""},

		{"the plan is done", on("q"), done, fresh, Done, ""},
		{"the same, again", on("q"), done, again, Replace, ""},
		{"it is done once more", with(on("p"), func(f *Facts) { f.Summary = "d" }), done, Options{}, Continue, ""},
		{"that was another plan", with(on("q"), func(f *Facts) { f.Summary = "d" }), done, Options{}, Done, ""},
		{"the summary is another", with(on("p"), func(f *Facts) { f.Summary = "e" }), done, Options{}, Done, ""},

		{"a lost session is in use", Facts{}, Plan{Lost: []*run.Run{over, alive}}, Options{}, Blocked, LostInUse},
		{"by the user's own run", Facts{}, Plan{Lost: []*run.Run{over, own, alive}}, Options{}, Free, ""},
		{"it was", Facts{}, Plan{Lost: []*run.Run{over}}, Options{}, Free, ""},
		{"it is taken over", Facts{}, Plan{Lost: []*run.Run{alive}}, takeOver, Free, ""},
		{"it comes back", Facts{}, Plan{Lost: []*run.Run{alive}}, Restoring, Free, ""},
		{"one that is kept does not matter", on("p"), Plan{Lost: []*run.Run{alive}}, Options{}, Continue, ""},

		{"the session is in use", with(on("q"), busy("")), Plan{}, Options{Fresh: true, Again: true}, Blocked, InUse},
		{"the same, of a lost one", with(on("q"), busy("")), Plan{}, Restoring, Blocked, InUse},
		{"the same, and it is kept", with(on("p"), busy("q")), Plan{}, Options{}, Continue, ""},
		{"it is taken over", with(on("q"), busy("")), Plan{}, takeOver, Replace, ""},
		{"no session, and a run on another plan", with(Facts{}, busy("q")), Plan{}, Options{}, Blocked, InUse},
		{"no session, and a run on none", with(Facts{}, busy("")), Plan{}, Options{}, Free, ""},
		{"no session, and a run on that plan", with(Facts{}, busy("p")), Plan{}, Options{}, Free, ""},
		{"no session, and a run where that plan was", with(Facts{}, busy("q")), Plan{Formerly: "q"}, Restoring, Free, ""},
		{"a lost session is in use, and this one, too", with(on("q"), busy("")), Plan{Lost: []*run.Run{alive}}, Options{}, Blocked, LostInUse},
	} {
		test.p.Path = "p"
		got := MayStart(&test.f, &test.p, test.o)
		if got.Plan != "p" || got.Decision != test.want || got.Why != test.why || got.Owned != test.f.Owns("p") || got.Summary != test.p.Summary {
			t.Errorf("%s: %+v, want %v %s", test.name, got, test.want, test.why)
		}
		if by := got.Decision == Held; (got.By.User == "bob") != by {
			t.Errorf("%s: held by %v", test.name, got.By)
		}
		if inUse := got.Why == LostInUse || got.Why == InUse; (got.Run != nil && !got.Run.Own) != inUse {
			t.Errorf("%s: in use by %v", test.name, got.Run)
		}
		if failed := got.Decision == Unwritable || got.Decision == Blocked && got.Run == nil; (got.Err != nil) != failed {
			t.Errorf("%s: %v", test.name, got.Err)
		}
		if got.Starts() != (got.Decision == Free || got.Decision == Continue || got.Decision == Replace) {
			t.Errorf("%s: starts: %v", test.name, got.Starts())
		}
	}
	for _, o := range []Options{{}, takeOver} {
		if got := MayStart(&Facts{}, &Plan{Lost: []*run.Run{own}}, o); got.Run != own {
			t.Errorf("%+v: it does not come back: %+v", o, got)
		}
	}
	if got := MayStart(&Facts{}, &Plan{Lost: []*run.Run{alive, own}}, takeOver); got.Run != own {
		t.Errorf("it does not come back: %+v", got)
	}
}
