//go:build linux

package main

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"
)

// What a run is to those who work without hooks, and the laws of all runs.

func init() {
	doings["work"] = doing{6, func(w *world, a, b int) {
		w.agent = 1 + a%3
		w.gsd("", w.asRun("start")...)
	}}
	// Another conversation in a process that has several: of the one before, which may go on, the host says nothing, or that it was left.
	doings["new"] = doing{6, func(w *world, a, b int) {
		if b%2 == 1 {
			w.agent = 3 - a%2
			w.hook("end", `"reason":"clear"`)
		}
		w.agent = 2 + a%2
		w.hook("start", `"source":"startup"`)
	}}
	doings["lose"] = doing{3, func(w *world, a, b int) {
		doings["clean"].do(w, a, 1)
		w.gsd("", "restore")
	}}
	doings["stop"] = doing{6, func(w *world, a, b int) {
		w.agent = 1 + a%3
		w.gsd("", append(w.asRun("end"), "--status", []string{"success", "paused", "failure", "success", "paused"}[b%5])...)
		w.agent = 0
	}}
}

// asRun is gsd run start or end as the agent calls it that has no hooks.
func (w *world) asRun(verb string) []string {
	is := agents[w.agent]
	return []string{"run", verb, "--host", is.host, "--id", is.conversation, "--pid", strconv.Itoa(is.pid)}
}

// A runRow is a run as JSON has it.
type runRow struct {
	ID, State, Status, Host, Plan string
	PID                           int
	Conversation                  string
	ResumeID                      string `json:"resume_id"`
	InProgress                    []int  `json:"in_progress"`
	Started, Seen                 time.Time
}

// runRows returns the runs of the user, the latest first.
func (w *world) runRows() []runRow {
	var list struct{ Runs []runRow }
	_ = json.Unmarshal([]byte(w.run("", "run", "list", "--json").out), &list)
	return list.Runs
}

// lostRuns returns the runs of the user's lost sessions here.
func (w *world) lostRuns() (rows []runRow) {
	var report struct {
		Recovery *struct{ Lost []struct{ Run *runRow } }
	}
	_ = json.Unmarshal([]byte(w.run("", "hydrate", "--json").out), &report)
	if report.Recovery == nil {
		return nil
	}
	for _, l := range report.Recovery.Lost {
		if l.Run != nil {
			rows = append(rows, *l.Run)
		}
	}
	return rows
}

// guardRuns is called before a command. It returns what is to be called after it: the laws about runs.
func (w *world) guardRuns(words []string) func(result) {
	subject := words[0] + " " + slices.Concat(words, []string{"", ""})[1]
	if slices.Contains(words, "--dry-run") {
		return func(result) {}
	}
	restores := words[0] == "restore" && len(words) == 1
	if !restores && !slices.Contains([]string{"hook start", "hook end", "run start", "run end", "run sweep"}, subject) {
		return func(result) {}
	}
	agent, dies := w.agent, w.dies
	w.dies = 0
	var lost []runRow
	if restores {
		lost = w.lostRuns()
	}
	w.dies = dies
	return func(r result) {
		w.agent = agent
		if r.killed || r.code != 0 {
			for _, row := range w.runRows() {
				w.seeRun(row)
			}
			return
		}
		w.holdRuns(words, subject, lost)
		if subject == "hook start" {
			w.holdNamed(r)
		}
	}
}

// seeRun remembers which process a run is of, and checks that one whose process lives never counts as crashed.
func (w *world) seeRun(row runRow) {
	if w.started == nil {
		w.started = map[string]int{}
	}
	at, known := w.started[row.ID]
	if !known {
		at = w.procs[row.PID]
		if row.State != "crashed" && row.PID > 0 { // its conversation's next start may name the process
			w.started[row.ID] = at
		}
	}
	if dead := w.procs[row.PID] != at; known && row.PID > 0 && (row.State == "crashed") != dead && slices.Contains([]string{"active", "idle", "crashed"}, row.State) {
		w.violate("crashed is what died", "run %+v, its process is gone: %v", row, dead)
	}
}

func (w *world) holdRuns(words []string, subject string, lost []runRow) {
	rows := w.runRows()
	later := map[[2]string]bool{} // hosts and plans of runs that are later in time
	for _, row := range rows {
		w.seeRun(row)
		on := [2]string{row.Host, row.Plan}
		if row.ResumeID != "" && (row.Status != "success" && row.Status != "paused" || later[on]) {
			w.violate("only a host's latest conversation is offered", "%+v of %+v", row, rows)
		}
		later[on] = true
		if row.State == "crashed" && row.Status == "" && (subject == "hook start" || subject == "run start" || subject == "run sweep") {
			w.violate("a start closes what crashed", "after %q: %+v", words, row)
		}
	}
	status := words[len(words)-1]
	for _, row := range rows {
		if subject == "run end" && row.Status == "success" && status == "success" && row.Host == agents[w.agent].host && len(row.InProgress) > 0 && row.ID == rows[0].ID {
			w.violate("a success leaves nothing in progress", "%+v", row)
		}
	}
	for _, missing := range lost {
		if len(lost) == 1 && !slices.ContainsFunc(rows, func(row runRow) bool {
			return row.ID == missing.ID && (row.State == missing.State || missing.State == "active" && row.State == "idle")
		}) {
			w.violate("restore brings the run back", "%+v is not in %+v", missing, rows)
		}
	}
}

// namedAtWork is where a brief names a run at work.
var namedAtWork = lazyRegexp(`at work: [^\\]*?, run ([0-9a-f]+),`)

// holdNamed checks that a conversation that starts hears of no colleague who may not exist: an older run of its own process, which may
// have several conversations, without a task in progress or a sign of life since the one that starts began. After the clock was set back,
// what such a run marked may seem to come later.
func (w *world) holdNamed(r result) {
	rows, own := w.runRows(), -1
	for i, row := range rows {
		if own < 0 && row.Conversation == agents[w.agent].conversation && row.Status == "" {
			own = i
		}
	}
	for _, match := range namedAtWork().FindAllStringSubmatch(r.out, -1) {
		at := slices.IndexFunc(rows, func(row runRow) bool { return row.ID == match[1] })
		if shared := agents[w.agent].host == "codex"; shared && own >= 0 && at > own && rows[at].PID == rows[own].PID && len(rows[at].InProgress) == 0 &&
			!rows[at].Started.After(rows[own].Started) && !(rows[at].Seen.After(rows[own].Started) && rows[at].Seen.After(rows[at].Started)) {
			w.violate("nobody is at work who may have been left", "%+v of %+v: %s", rows[at], rows, r.out)
		}
	}
}
