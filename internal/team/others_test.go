package team_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/share"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/view"
	"github.com/gsd-cli/gsd/planfile"
)

func (m *member) mark(now time.Time, number int, status planfile.Status) {
	m.T.Helper()
	if err := m.do(now, func(p *app.Project, _ team.SyncOptions) error {
		_, err := apptest.At(p, now).Mark(m.T.Context(), app.MarkOptions{User: m.user, Number: number, Status: status})
		return err
	}); err != nil {
		m.T.Fatal(err)
	}
}

func (m *member) git(args ...string) {
	m.T.Helper()
	cmd := exec.Command(m.Git, args...)
	cmd.Dir, cmd.Env = m.Dir, m.Env
	if out, err := cmd.CombinedOutput(); err != nil {
		m.T.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

// synced is what a sync answers.
func (m *member) synced(now time.Time, change func(o *team.SyncOptions)) (done *team.Synced) {
	m.T.Helper()
	if err := m.do(now, func(p *app.Project, o team.SyncOptions) (err error) {
		if change != nil {
			change(&o)
		}
		done, err = team.Sync(m.T.Context(), p.Project, o)
		return err
	}); err != nil {
		m.T.Fatal(err)
	}
	return done
}

// looks is what a member knows of the others: claims, and sessions.
func (m *member) looks(now time.Time) (all []string) {
	_ = m.do(now, func(p *app.Project, _ team.SyncOptions) error {
		for _, c := range team.ClaimsElsewhere(p.Project, m.user) {
			all = append(all, c.User+" claims "+answer.PlanInText(c.Plan))
		}
		disk := p.Planning.Phases(".planning")
		for _, s := range team.AddSessions(p.Project, nil, m.user, disk) {
			all = append(all, fmt.Sprint(s.User, " ", s.Own, " ", s.ID, " ", s.Done, "/", s.Total, " ", s.Token))
		}
		return nil
	})
	return all
}

// TestOthers: what is known of those in other clones, from the first claim to the removal.
func TestOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many programs")
	}
	members := newMembers(t, 4, 3)
	laptop, desk, bob, offline := members[0], members[1], members[2], members[3] // two are user0's, two user1's
	now := time.Now()
	want := func(m *member, lines ...string) {
		t.Helper()
		if got := m.looks(now); !slices.Equal(got, lines) {
			t.Errorf("%s: %q, want %q", m.Name, got, lines)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(laptop.start(now, 1, true, false))
	laptop.mark(now, 1, planfile.Complete)
	dry := laptop.synced(now, func(o *team.SyncOptions) { o.DryRun = true })
	if len(dry.Files) != 1 || !dry.Pushed || !dry.DryRun {
		t.Errorf("%+v", dry)
	}
	if done := laptop.synced(now, nil); done.Claim.Outcome != share.Held || len(done.Sessions) > 0 || len(done.Warnings) > 0 {
		t.Errorf("%+v", done)
	}
	done := desk.synced(now, nil)
	if len(done.Sessions) != 1 || done.Sessions[0].Done != 1 || done.Sessions[0].Resume != 2 || done.Sessions[0].Missing || done.Sessions[0].Plan != clonePlan(1) {
		t.Errorf("%+v", done.Sessions)
	}
	bob.sync(now)
	want(laptop)
	want(desk, "user0 claims 01-01", "user0 true 01-01 1/3 2")
	want(bob, "user0 claims 01-01", "user0 false 01-01 1/3 2")
	if all := bob.looks(now.Add(share.ClaimTTL)); len(all) != 1 {
		t.Errorf("the claim has expired: %q", all)
	}
	summary := filepath.Join(bob.Dir, filepath.Dir(clonePlan(1)), "01-01-SUMMARY.md")
	write(t, summary, "x")
	want(bob, "user0 claims 01-01")
	os.Remove(summary)

	// Bob starts on it anyway, first because he has not heard of it, then by taking it over.
	must(offline.start(now, 1, false, false))
	lost := offline.synced(now, nil)
	if lost.Claim.Outcome != share.Lost || lost.Claim.User != "user0" || len(lost.Warnings) != 1 || lost.Warnings[0].Code != team.ClaimLost {
		t.Errorf("%+v", lost)
	}
	_ = offline.do(now, func(p *app.Project, _ team.SyncOptions) error {
		r, err := apptest.At(p, now).HydrateAll("user1")
		if err != nil || !slices.ContainsFunc(r.Warnings, func(w problem.Warning) bool {
			return strings.HasPrefix(view.WarningText(&w).String(), "user0 has claimed 01-01 at ")
		}) {
			t.Errorf("%+v, %v", r.Warnings, err)
		}
		return nil
	})
	offline.synced(now, func(o *team.SyncOptions) { o.Remove = true })
	must(bob.start(now, 2, false, false))
	must(bob.start(now, 1, true, true))
	if held := bob.synced(now, nil); held.Claim.Outcome != share.Held || len(held.Warnings) != 1 || !strings.HasPrefix(view.WarningText(&held.Warnings[0]).String(), "user0 has a session at ") {
		t.Errorf("%+v", held)
	}
	if got := laptop.sync(now); got.Outcome != share.Lost || got.User != "user1" {
		t.Errorf("%+v", got)
	}
	want(laptop, "user1 claims 01-01", "user1 false 01-01 0/3 1")

	// Bob gives it up, and user0 has it again.
	must(bob.do(now, func(p *app.Project, _ team.SyncOptions) error {
		_, err := apptest.At(p, now).Archive(t.Context(), app.ArchiveOptions{User: "user1"})
		return err
	}))
	if done := bob.synced(now, nil); done.Claim != nil {
		t.Errorf("%+v", done.Claim)
	}
	if got := laptop.sync(now); got.Outcome != share.Held {
		t.Errorf("%+v", got)
	}
	// What bob removes, nobody knows any more; what user0 has stays.
	bob.synced(now, func(o *team.SyncOptions) { o.Remove = true })
	laptop.sync(now)
	want(laptop)
	desk.sync(now)
	laptop.synced(now, func(o *team.SyncOptions) { o.Remove = true })
	bob.sync(now)
	if all := bob.looks(now); slices.Contains(all, "user0 claims 01-01") {
		t.Errorf("%q", all)
	}
}

// refs are those of the remote that match a pattern.
func (m *member) refs(pattern string) []string {
	m.T.Helper()
	cmd := exec.Command(m.Git, "ls-remote", "origin", pattern)
	cmd.Dir, cmd.Env = m.Dir, m.Env
	out, err := cmd.Output()
	if err != nil {
		m.T.Fatal(err)
	}
	var all []string
	for line := range strings.Lines(string(out)) {
		all = append(all, strings.Fields(line)[1])
	}
	return all
}

// TestOneRefAClone: each clone has a ref, which only it writes, with the sessions of all its worktrees; others see where somebody was last at
// work on a plan; a clone that does not sync for 30 days is dropped, and back with its next sync.
func TestOneRefAClone(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many programs")
	}
	members := newMembers(t, 3, 2)
	laptop, desk, bob := members[0], members[1], members[2]
	now := time.Now()
	for _, m := range []*member{laptop, desk} {
		if err := m.start(now, 1, false, false); err != nil {
			t.Fatal(err)
		}
	}
	first, second := laptop.synced(now, nil).Ref, desk.synced(now, nil).Ref
	desk.mark(now.Add(time.Second), 1, planfile.Complete)
	desk.synced(now.Add(time.Second), nil)
	if all := bob.refs("refs/gsd/users/*"); first == second || len(all) != 2 || !slices.Contains(all, first) || !slices.Contains(all, second) {
		t.Fatalf("%q, %q and %q", all, first, second)
	}
	bob.sync(now)
	if got := bob.looks(now); !slices.Equal(got, []string{"user0 claims 01-01", "user0 false 01-01 1/3 2"}) {
		t.Errorf("%q", got)
	}

	// A worktree of the laptop shares its ref, and leaves what is there of the other.
	tree := &member{&clone{T: t, Dir: laptop.Dir + "-tree", Git: laptop.Git, Env: laptop.Env, Name: "worktree"}, laptop.user}
	laptop.git("worktree", "add", "-q", "-b", "tree", tree.Dir)
	inTree := func(do func(p *app.Project, o team.SyncOptions) error) {
		t.Helper()
		if err := tree.do(now, func(p *app.Project, o team.SyncOptions) error {
			p.StateDir = session.StateDir(laptop.Dir + ".state")
			return do(p, o)
		}); err != nil {
			t.Fatal(err)
		}
	}
	inTree(func(p *app.Project, o team.SyncOptions) error {
		if _, err := apptest.At(p, now).Bootstrap(t.Context(), app.BootstrapOptions{User: tree.user, Plan: clonePlan(2)}); err != nil {
			return err
		}
		done, err := team.Sync(t.Context(), p.Project, o)
		if err == nil && done.Ref != first {
			t.Errorf("the worktree has %s", done.Ref)
		}
		return err
	})
	laptop.synced(now, nil)
	plans := func(done *team.Synced) (all []string) {
		for _, place := range done.Sessions {
			all = append(all, place.Plan)
		}
		slices.Sort(all)
		return all
	}
	if got := plans(desk.synced(now, nil)); !slices.Equal(got, []string{clonePlan(1), clonePlan(2)}) {
		t.Errorf("at the laptop: %q", got)
	}
	laptop.git("worktree", "remove", "--force", tree.Dir)
	laptop.synced(now, nil)
	if got := plans(desk.synced(now, nil)); !slices.Equal(got, []string{clonePlan(1)}) {
		t.Errorf("the worktree is gone: %q", got)
	}

	for _, test := range []struct {
		days  int
		there bool
	}{{28, true}, {31, true}, {32, false}} { // a clock alone is not believed: the desk has not said before the second that it is so late
		done := desk.synced(now.AddDate(0, 0, test.days), nil)
		if said := slices.ContainsFunc(done.Warnings, func(w problem.Warning) bool { return w.Code == team.SyncDropped && w.Name == first }); said == test.there {
			t.Errorf("after %d days: %+v", test.days, done.Warnings)
		}
		if slices.Contains(desk.refs("refs/gsd/users/*"), first) != test.there {
			t.Errorf("after %d days: %v", test.days, !test.there)
		}
	}
	laptop.synced(now.AddDate(0, 0, 32), nil)
	if all := bob.refs("refs/gsd/users/*"); !slices.Contains(all, first) || !slices.Contains(all, second) {
		t.Errorf("it is back: %q", all)
	}
}

// TestInClones: a task that is in progress in another clone is not interrupted, until the session there ends.
func TestInClones(t *testing.T) {
	members := newMembers(t, 2, 2)
	laptop, desk := members[0], members[1]
	now := time.Now()
	look := func() (r *answer.Report) {
		_ = desk.do(now, func(p *app.Project, _ team.SyncOptions) (err error) {
			r, err = p.Hydrate(desk.user)
			if err != nil {
				t.Fatal(err)
			}
			history.CheckStates(apptest.At(p, now).Project, r)
			return nil
		})
		return r
	}
	for _, m := range members {
		if err := m.start(now, 1, false, false); err != nil {
			t.Fatal(err)
		}
	}
	for _, number := range []int{1, 2} {
		laptop.mark(now, number, planfile.InProgress)
	}
	laptop.sync(now)
	if done := desk.synced(now, nil); len(done.Taken) != 2 || done.Taken[1].Number != 2 || done.Taken[1].Status != planfile.InProgress || done.Taken[1].Previous != planfile.Pending {
		t.Errorf("%+v", done.Taken)
	}
	if n := look().Resume; n.Interrupted || n.State != answer.InClone || n.Machine == "" || n.Also[0].State != answer.InClone {
		t.Errorf("%+v", n)
	}
	if err := laptop.start(now.Add(time.Minute), 2, false, false); err != nil {
		t.Fatal(err)
	}
	laptop.sync(now.Add(time.Minute))
	desk.sync(now.Add(time.Minute))
	if n := look().Resume; !n.Interrupted || n.State != answer.Unattended || n.Machine != "" || n.Also[0].State != answer.Unattended {
		t.Errorf("it has ended there: %+v", n)
	}
}

// TestPlanElsewhere: a session in another clone on a plan that is not here, and one that was moved or renamed here.
func TestPlanElsewhere(t *testing.T) {
	members := newMembers(t, 2, 1)
	laptop, desk := members[0], members[1]
	now := time.Now()
	write(t, filepath.Join(laptop.Dir, clonePlan(3)), "<task type=\"auto\">\n  <name>N</name>\n</task>\n")
	laptop.git("add", ".")
	laptop.git("commit", "-q", "-m", "another")
	if err := laptop.start(now, 3, false, false); err != nil {
		t.Fatal(err)
	}
	laptop.sync(now)
	if done := desk.synced(now, nil); len(done.Sessions) != 1 || !done.Sessions[0].Missing {
		t.Errorf("%+v", done.Sessions)
	}
	says := func(name string) (text string) {
		_ = desk.do(now, func(p *app.Project, _ team.SyncOptions) error {
			if err := team.PlanElsewhere(p.Project, desk.user, name); err != nil {
				text = err.Text + " | " + action.Line(err.Do[0].Words())
			}
			return nil
		})
		return text
	}
	for _, name := range []string{"01-03", clonePlan(3)} {
		if got := says(name); !strings.HasPrefix(got, "you have a session on 01-03 at ") || !strings.Contains(got, "; there, commit ") || !strings.HasSuffix(got, " | git fetch") {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := says("01-04") + says("01-01"); got != "" {
		t.Error(got)
	}
	laptop.git("push", "-q", "origin", "HEAD:more")
	desk.git("fetch", "-q", "origin")
	if got := says("01-03"); !strings.Contains(got, ", but in commit ") || !strings.Contains(got, " | git restore --source ") {
		t.Errorf("%q", got)
	}

	if err := laptop.start(now, 1, false, false); err != nil {
		t.Fatal(err)
	}
	laptop.mark(now, 1, planfile.Complete)
	laptop.sync(now)
	desk.sync(now)
	how := func(plan string) (how answer.Relation) {
		_ = desk.do(now, func(p *app.Project, _ team.SyncOptions) error {
			src, err := os.ReadFile(filepath.Join(desk.Dir, plan))
			if err != nil {
				t.Fatal(err)
			}
			if known := inClones(p, desk.user, plan, src); known != nil && known[0].Record.Tasks[0].Status == planfile.Complete {
				how = known[0].How
			}
			return nil
		})
		return how
	}
	for m, want := range map[*member]bool{laptop: false, desk: true} {
		_ = m.do(now, func(p *app.Project, _ team.SyncOptions) error {
			if known := inClones(p, m.user, clonePlan(1), nil); (known != nil) != want {
				t.Errorf("%s: a session in another clone: %+v", m.Name, known)
			}
			return nil
		})
	}
	at := func(name string) string { return filepath.Join(desk.Dir, name) }
	const renamed, moved = ".planning/phases/01-a/01-01-new-PLAN.md", ".planning/phases/02-b/02-01-PLAN.md"
	text, _ := os.ReadFile(at(clonePlan(1)))
	write(t, at(moved), string(text))
	if got := how(clonePlan(1)) + how(moved); got != answer.ByPath {
		t.Errorf("beside a copy: %s", got)
	}
	os.Remove(at(clonePlan(1)))
	if got := how(moved); got != answer.ByMove {
		t.Errorf("moved: %q", got)
	}
	os.Remove(at(moved))
	write(t, at(renamed), string(text)+"\nmore\n")
	if got := how(renamed); got != answer.ByID {
		t.Errorf("renamed and edited: %q", got)
	}
	write(t, at(".planning/phases/01-a/01-01-old-PLAN.md"), string(text)+"\nless\n")
	if got := how(renamed); got != "" {
		t.Errorf("one of two with its id: %q", got)
	}
}

// TestNameless: without an address, another of that name would be mistaken for the user, unless it is said who that is.
func TestNameless(t *testing.T) {
	c := newClones(t, 1, 1)[0]
	for _, test := range []struct {
		kv   string
		want int
	}{{"", 1}, {"gsd.shareAs=ada-x", 0}, {"user.email=a@x", 0}} {
		env := slices.DeleteFunc(slices.Clone(c.Env), func(kv string) bool { return strings.HasPrefix(kv, "GIT_CONFIG_") })
		if key, value, ok := strings.Cut(test.kv, "="); ok {
			env = append(env, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0="+key, "GIT_CONFIG_VALUE_0="+value)
		}
		c.With(func(p *app.Project) {
			done, err := team.Sync(t.Context(), apptest.At(p, c.Now()).Project, team.SyncOptions{User: "ada", Git: c.Git, Env: env, Wait: time.Second})
			if err != nil || len(done.Warnings) != test.want {
				t.Errorf("%s: %+v, %v", test.kv, done, err)
			}
		})
	}
}

// TestNoMachine: without an id of the machine nothing is shared, and a dry run says so.
func TestNoMachine(t *testing.T) {
	c := newClones(t, 1, 1)[0]
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
	for _, state := range []session.StateDir{"", session.StateDir(file)} {
		for _, dry := range []bool{false, true} {
			c.With(func(p *app.Project) {
				p.StateDir = state
				_, err := team.Sync(t.Context(), apptest.At(p, c.Now()).Project, team.SyncOptions{User: "ada", Git: c.Git, Env: c.Env, DryRun: dry})
				apptest.WantKind(t, err, problem.CannotCreate)
			})
		}
	}
}

// TestSyncAuto: when a sync in the background is due, and what is said of one that failed.
func TestSyncAuto(t *testing.T) {
	c := newClones(t, 1, 1)[0]
	now := time.Now()
	o := team.SyncOptions{User: "ada", Git: c.Git, Env: c.Env, Wait: time.Second}
	config := func(args ...string) {
		t.Helper()
		cmd := exec.Command(c.Git, append([]string{"-C", c.Dir, "config"}, args...)...)
		cmd.Env = c.Env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	due := func(at time.Time, last bool) (is bool) {
		c.With(func(p *app.Project) {
			is = team.SyncDue(apptest.At(p, at).Project, last)
		})
		return is
	}
	if due(now, true) {
		t.Error("it is not automatic")
	}
	config("gsd.sync", "auto") // as a repository may bring it
	if due(now, true) {
		t.Error("nobody turned it on")
	}
	turn := func(on bool) {
		t.Helper()
		c.With(func(p *app.Project) {
			if _, err := team.SetAuto(t.Context(), p.Project, o, on); err != nil {
				t.Fatal(err)
			}
		})
	}
	turn(true)
	for i, test := range []struct {
		after time.Duration
		last  bool
		want  bool
	}{{0, false, true}, {time.Second, false, false}, {time.Second, true, true}, {-time.Second, false, false}, {2 * time.Minute, false, true}} {
		if got := due(now.Add(test.after), test.last); got != test.want {
			t.Errorf("%d: %v", i, got)
		}
	}
	try := func(ctx context.Context) (told, known string) {
		c.With(func(p *app.Project) {
			if !team.SyncsItself(p.Project) {
				t.Error("it is automatic")
			}
			_ = team.BackgroundSync(ctx, p.Project, o, time.Second)
			for _, w := range team.SyncWarnings(p.Project) {
				_, told, _ = strings.Cut(view.WarningText(&w).String(), ": ")
			}
			known, _ = team.SyncFailure(p.Project)
		})
		return told, known
	}
	tell := func() (n int) {
		c.With(func(p *app.Project) {
			if team.TellFailure(p.Project) {
				n = 1
			}
		})
		return n
	}
	if told, known := try(t.Context()); told+known != "" || tell() != 0 {
		t.Errorf("it succeeds: %q, %q", told, known)
	}
	config("gsd.remote", "nope")
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if told, known := try(canceled); told+known != "" {
		t.Errorf("canceled: %q, %q", told, known)
	}
	told, known := try(t.Context())
	if told == "" || told != known || tell() != 1 || tell() != 0 {
		t.Errorf("it fails: %q, %q", told, known)
	}
	if told, again := try(t.Context()); told != "" || again != known {
		t.Errorf("as before: %q, %q", told, again)
	}
	config("gsd.remote", "/other")
	if told, other := try(t.Context()); told == "" || other == known {
		t.Errorf("for another reason: %q, %q", told, other)
	}
	config("--unset", "gsd.remote")
	if told, known := try(t.Context()); told+known != "" {
		t.Errorf("it succeeds again: %q, %q", told, known)
	}
	config("remote.origin.pushurl", "/other")
	if told, _ := try(t.Context()); !strings.Contains(told, "the address of origin has changed") || !strings.Contains(told, "gsd sync --auto on") {
		t.Errorf("pushes go elsewhere: %q", told)
	}
	config("--unset", "remote.origin.pushurl")
	if turn(false); due(now, true) {
		t.Error("it was turned off")
	}
	turn(false)
}

// inClones is what gsd sync knows here of a plan with that text in other clones.
func inClones(p *app.Project, user, plan string, src []byte) (all []team.Record) {
	for _, r := range team.RecordsInClones(p.Project, user, plan, planfile.Parse(src)) {
		if r.Clone && !r.Ended {
			all = append(all, r)
		}
	}
	return all
}
