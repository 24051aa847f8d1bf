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
	{name: "records of runs of 16 MB: one name", make: func(p *project) { p.repeat(records, `{"runs":[{"id":"`, "a", most) }, commands: runCommands},
	{name: "records of runs of 1 MB: brackets in brackets", make: func(p *project) { p.repeat(records, `{"runs":`, "[", recordsLimit-8) }, commands: runCommands},
	{name: "records of runs of 1 MB: runs that are open", make: openRuns(2000), commands: runCommands},
	{name: "records of runs of 1 MB: runs that ended", make: endedRuns(2000), commands: runCommands},
	{name: "records of runs of 1 MB: one run, again and again", make: func(p *project) { p.runs(2500, func(int) string { return runText(1, "") }) }, commands: runCommands},
	{name: "records of runs of 1 MB: tasks", make: func(p *project) { markedTasks(7000)(p) }, commands: runCommands},
	{name: "records of runs of 1 MB: members", make: func(p *project) {
		p.runs(1, func(int) string {
			return runText(0, `,"members":[`+strings.TrimSuffix(strings.Repeat(`{"pid":4711,"start_time":"1"},`, 30_000), ",")+`]`)
		})
	}, commands: runCommands},
	{name: "records of runs that are torn", make: func(p *project) { p.write(records, `{"holder":"000000000001","runs":[`+runText(1, "")) }, commands: runCommands},
	{name: "records of runs of other times and numbers", make: func(p *project) {
		p.runs(1, func(int) string {
			return `{"id":"a","token":"t","owner":{"pid":-9223372036854775808},"started":"9999-12-31T23:59:59Z","seen":"0000-01-01T00:00:00+14:00","ttl":9223372036854775807}`
		})
	}, commands: runCommands},
	{name: "a breadcrumb of 15 MB, 200 times", make: func(p *project) {
		dir := must[string](p.t)(filepath.EvalSymlinks(p.dir))
		name := p.crumbOf(dir, user, plan, 400_000)
		for i := range 200 {
			p.hardlink(name, filepath.Join(filepath.Dir(name), filepath.Base(name)[:8]+fmt.Sprintf("%08x.crumb.json", i)))
		}
	}, commands: "hydrate\nrestore --list\nrestore\nrun sweep --dry-run\nstatus\nmark 1 complete"},
}

const runCommands = "run start\nrun list\nhydrate\nmark 1 complete\nrun sweep --dry-run\nrun sweep\nrun end --status success\nstatus"

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
