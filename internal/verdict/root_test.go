package verdict_test

import (
	"path"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
)

// TestChoose: what is named comes before the caller's own run, that before upstream's pointer, that before the only session, and that before
// the only root with an open plan; the planning directory comes before others.
func TestChoose(t *testing.T) {
	const plan = "phases/01-a/01-01-PLAN.md"
	const open, api, web, shop = plan, "workstreams/api/" + plan, "workstreams/web/" + plan, "shop/" + plan
	for _, test := range []struct {
		name                       string
		files, sessions            []string // sessions on 01-01 of these roots
		sub, stream, flag, pointer string
		run                        string // the root of the caller's run
		done                       []string
		want                       string // below .planning
		several                    []string
		warned                     bool
		naming                     string
	}{
		{name: "plain", files: []string{open}},
		{name: "nothing is open", files: []string{open, api}, done: []string{"", "workstreams/api"}},
		{name: "only a workstream is open", files: []string{open, api}, done: []string{""}, want: "workstreams/api"},
		{name: "both are open", files: []string{open, api}},
		{name: "two workstreams are open", files: []string{open, api, web}, done: []string{""}, several: []string{".planning/workstreams/api", ".planning/workstreams/web"}},
		{name: "a session before open plans", files: []string{open, api, web}, sessions: []string{"workstreams/web"}, want: "workstreams/web"},
		{name: "one that is over does not count", files: []string{open, api, web}, sessions: []string{"workstreams/web"}, done: []string{"", "workstreams/web"}, want: "workstreams/api"},
		{name: "two sessions", files: []string{open, api, web}, sessions: []string{"workstreams/web", "workstreams/api"}, several: []string{".planning/workstreams/api", ".planning/workstreams/web"}},
		{name: "two sessions and the planning directory's", files: []string{open, api, web}, sessions: []string{"workstreams/web", ""}},
		{name: "pointer", files: []string{open, api, web}, sessions: []string{"workstreams/web"}, pointer: "api\n", want: "workstreams/api"},
		{name: "pointer to nothing", files: []string{open, api}, sessions: []string{"workstreams/api"}, pointer: "gone", warned: true},
		{name: "pointer out", files: []string{open, api}, pointer: "../workstreams/api", warned: true},
		{name: "run before the pointer", files: []string{open, api, web}, run: "workstreams/web", pointer: "api", want: "workstreams/web"},
		{name: "environment", files: []string{open, api, web}, run: "workstreams/web", stream: "api", pointer: "web", want: "workstreams/api"},
		{name: "environment of nothing", files: []string{open, api}, sessions: []string{"workstreams/api"}, stream: "web", warned: true},
		{name: "hidden", files: []string{open, "workstreams/.api/" + plan}, stream: ".api", warned: true},
		{name: "flag", files: []string{open, api, web}, stream: "api", flag: "web", want: "workstreams/web", naming: "web"},
		{name: "flag for no workstream", files: []string{open, api}, stream: "api", flag: ".", naming: "."},
		{name: "sub-project", files: []string{open, shop}, sub: "shop", want: "shop"},
		{name: "sub-project by its flag", files: []string{open, shop}, flag: "shop", want: "shop", naming: "shop"},
		{name: "sub-project without phases", files: []string{open, "shop/x"}, sub: "shop", warned: true},
		{name: "only a sub-project", files: []string{shop}, want: "shop"},
		{name: "workstream of a sub-project", files: []string{open, "shop/workstreams/api/" + plan}, sub: "shop", stream: "api", want: "shop/workstreams/api"},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{}
			for _, name := range test.files {
				files[name] = ""
			}
			if test.pointer != "" {
				files["active-workstream"] = test.pointer
			}
			dir, machine, state := projectOf(t, files).Dir, apptest.NewMachine(), session.StateDir(t.TempDir())
			start := func(root string, caller run.Caller) *app.Project {
				p := reopen(t, dir)
				p.StateDir, p.Processes, p.Caller = state, machine, caller
				p.Enter(path.Join(".planning", root))
				apptest.StartOn(t, p, user, path.Join(root, plan), 0)
				return p
			}
			for _, root := range test.sessions {
				start(root, run.Caller{})
			}
			caller := agentCaller("talk", 100)
			if test.run != "" {
				startRun(t, start(test.run, caller), now)
			}
			for _, root := range test.done {
				write(t, filepath.Join(dir, ".planning", root, "phases/01-a/01-01-SUMMARY.md"), "Done.")
			}
			p := reopen(t, dir)
			p.StateDir, p.Processes, p.Caller = state, machine, caller
			p.Planning.Subproject, p.Planning.Workstream, p.Planning.Flag = test.sub, test.stream, test.flag
			if err := p.Choose(user); err != nil {
				t.Fatal(err)
			}
			warned := slices.ContainsFunc(p.Planning.Warned(), func(w problem.Warning) bool { return w.Code == problem.WorkstreamUnknown })
			want := path.Join(".planning", test.want)
			if got := p.Base(); got != want || !slices.Equal(p.Planning.Undecided, test.several) || warned != test.warned || p.Planning.Naming() != test.naming {
				t.Errorf("%q, several %q, named %q, warnings %v", got, p.Planning.Undecided, p.Planning.Naming(), p.Planning.Warned())
			}
		})
	}
}
