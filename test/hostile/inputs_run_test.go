//go:build linux

package hostile

// inputs_run_test.go: the files beside a session, and the input of hooks.

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
)

var runInputs = []input{
	{name: "a journal of 16 MB: one line", make: func(p *project) { p.repeat(journal, `{"type":"run.start","id":"`, "a", most) }, commands: runCommands},
	{name: "a journal of 16 MB: empty lines", make: func(p *project) { p.repeat(journal, "", "\n", most) }, commands: runCommands},
	{name: "a journal of 16 MB: brackets in brackets", make: func(p *project) { p.repeat(journal, "", strings.Repeat("[", 60_000)+"\n", most) }, commands: runCommands},
	{name: "a journal of 64 MB: other JSON", make: func(p *project) { p.repeat(journal, "", `{"type":"run.later","x":[1,{"a":"\u0041"}]}`+"\n", 64<<20) }, commands: runCommands},
	{name: "a lease of 16 KB: members", make: func(p *project) {
		p.write(own+"/lease.json", `{"token":"t","run":"r","pid":4711,"members":[`+strings.TrimSuffix(strings.Repeat(`{"pid":4711,"start_time":"1"},`, 500), ",")+`],"ttl":3600}`)
	}, commands: runCommands},
	{name: "a breadcrumb of 15 MB, 200 times", make: func(p *project) {
		dir := must[string](p.t)(filepath.EvalSymlinks(p.dir))
		name := p.crumbOf(dir, user, plan, 400_000)
		for i := range 200 {
			p.hardlink(name, filepath.Join(filepath.Dir(name), filepath.Base(name)[:8]+fmt.Sprintf("%08x.crumb.json", i)))
		}
	}, commands: "hydrate\nrestore --list\nrestore\nrun sweep --dry-run\nstatus\nmark 1 complete"},
}

const runCommands = "run start\nrun list\nrun list --all\nhydrate\nmark 1 complete\nrun sweep --dry-run\nrun sweep\nrun end --status success\nstatus"

// crumb writes a breadcrumb as gsd does.
func (p *project) crumb(project, user, plan string) { p.crumbOf(project, user, plan, 1) }

// crumbOf writes a breadcrumb with the given number of tasks and returns its file.
func (p *project) crumbOf(project, user, plan string, tasks int) string {
	p.t.Helper()
	const started = "2026-01-02T03:04:05Z"
	half := func(a, b string) string {
		sum := sha256.Sum256([]byte(a + "\x00" + b))
		return fmt.Sprintf("%x", sum[:4])
	}
	id := half(project, user) + half(plan, started)
	type task struct {
		Name   string `json:"name"`
		Status string `json:"status"`
	}
	list := make([]task, tasks)
	for i := range list {
		list[i] = task{"Part", "pending"}
	}
	text, err := json.Marshal(map[string]any{
		"id": id, "project": project, "user": user, "plan": plan, "digest": "", "started": started,
		"tasks": list, "current": 1, "updated": "2099-01-02T03:04:05Z",
	})
	p.ok(err)
	name := filepath.Join(p.home, "state/gsd/crumbs", id+".crumb.json")
	p.write(name, string(text))
	return name
}
