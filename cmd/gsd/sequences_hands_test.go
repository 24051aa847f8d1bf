//go:build linux

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/planfile"
)

// A hand is what is known of the agents of an owner of a session: a model of who works on what.
type hand struct {
	agent int            // the agent whose start was the last thing that happened to the owner's runs; 0 if that is not known
	tasks map[int]string // the tasks that it has marked in progress since, by id, with the plan's path
}

// guard is called before a command. It returns what is to be called after it: the laws about what others are working on.
func (w *world) guard(words []string) func(result) {
	o, takes := w.owner(), words[0] == "takeover"
	starts := (words[0] == "bootstrap" || words[0] == "restore") &&
		!slices.ContainsFunc(words, func(word string) bool { return slices.Contains([]string{"--list", "--dry-run"}, word) })
	held := map[*planModel]string{}
	_, before := w.session()
	if starts && !takes {
		held = w.heldByOthers()
	}
	return func(r result) {
		w.followHand(o, words, before, r)
		_, after := w.session()
		if r.code == 75 && takes {
			w.violate("takeover takes a plan over", "%q: %s", words, r.err)
		}
		if !starts || len(after) == 0 || r.code != 0 && !r.killed {
			return
		}
		on := w.planOf(after[0].id)
		if who := held[on]; who != "" && (len(before) == 0 || w.planOf(before[0].id) != on) {
			w.violate("nobody's plan is taken from them: "+words[0], "%q took the plan of %s: %s", words, who, r.out)
		}
	}
}

// preview is called before a command. If it is a bootstrap, a dry run of it comes first, and what is to be called after it checks that
// both have ended in the same way, with the same words if that is a refusal.
func (w *world) preview(words []string) func(result) {
	if len(words) == 1 && words[0] == "restore" {
		return w.previewRestore()
	}
	if !slices.Contains(words, "bootstrap") || slices.Contains(words, "--dry-run") || slices.Contains(words, "--help") {
		return func(result) {}
	}
	dies := w.dies
	w.dies = 0
	dry := w.run("", append(slices.Clone(words), "--dry-run")...)
	if words[0] == "bootstrap" {
		for _, wrong := range heldToStarts(w.run) {
			w.violate("what is said of a plan is what bootstrap does", "%s", wrong)
		}
	}
	w.dies = dies
	return func(r result) {
		if !r.killed && !dry.killed && (dry.code != r.code || dry.err != r.err) {
			w.violate("a dry run ends as the real one does", "%q: the dry run said %d %s, but %d %s", words, dry.code, dry.err, r.code, r.err)
		}
	}
}

// previewRestore returns what checks that `gsd restore` brings the only lost session back if gsd hydrate offers that, and else refuses it.
func (w *world) previewRestore() func(result) {
	var said struct {
		Recovery struct{ Lost []struct{ ID string } }
		Do       []action.Action
	}
	dies := w.dies
	w.dies = 0
	_ = json.Unmarshal([]byte(w.run("", "hydrate", "--json").out), &said)
	w.dies = dies
	return func(r result) {
		if r.killed || len(said.Recovery.Lost) != 1 {
			return
		}
		offered := slices.ContainsFunc(said.Do, func(a action.Action) bool { return a.Kind == action.Restore })
		if offered != (r.code == 0) {
			w.violate("what is said of a lost session is what restore does", "%+v: but restore: exit %d %s", said, r.code, r.err)
		}
	}
}

// archives is called before a command. If it archives a session, what is to be called after it checks that there is none then, that
// no loss is reported, and that nothing was changed if it was refused.
func (w *world) archives(words []string) func(result) {
	if words[len(words)-1] != "archive" {
		return func(result) {}
	}
	before, err := os.ReadFile(w.sessionFile())
	head, _ := w.session()
	return func(r result) {
		after, gone := os.ReadFile(w.sessionFile())
		switch {
		case r.killed:
		case r.code != 0 && string(after) != string(before):
			w.violate("archive: a refusal changes nothing", "exit %d %s", r.code, r.err)
		case r.code == 66 && err == nil, r.code == 0 && gone == nil:
			w.violate("archive: the session is archived", "exit %d %s%s", r.code, r.out, r.err)
		case r.code == 0:
			told := w.run("", "hydrate").out
			_, lost := w.lostAt[w.owner()]
			if plan := planNamed(head.Plan); !strings.Contains(told, "no session for ") || !lost && strings.Contains(told, " on "+plan+", ") && strings.Contains(told, "lost session ") {
				w.violate("archive: nothing is lost", "of %s\n%s", plan, told)
			}
			if strings.Contains(r.out, "which could not be read") {
				return // it names no plan
			}
			start := []string{"bootstrap", head.Plan, "--dry-run"}
			if strings.Contains(r.out, " --again ") {
				start = append(start, "--again")
			}
			if dry := w.run("", start...); exists(filepath.Join(w.dir(), head.Plan)) && strings.Contains(r.out, "gsd bootstrap ") != (dry.code == 0) {
				w.violate("what archive says of the plan is what bootstrap does", "%s: but bootstrap: exit %d %s", r.out, dry.code, dry.err)
			}
		}
	}
}

// planNamed is what gsd calls a plan.
func planNamed(plan string) string {
	id, ok := planref.PlanID(plan)
	if !ok {
		return filepath.Base(plan)
	}
	return id
}

// heldByOthers returns which plans people of other accounts have a session on that is to be resumed, in any worktree.
func (w *world) heldByOthers() map[*planModel]string {
	held := map[*planModel]string{}
	user, side, agent, dies := w.user, w.side, w.agent, w.dies
	defer func() { w.user, w.side, w.agent, w.dies = user, side, agent, dies }()
	w.agent, w.dies = 0, 0
	for other := range users {
		for _, dir := range w.dirs() {
			w.user, w.side = other, filepath.Base(dir) == "side"
			if accounts[other] == accounts[user] || !exists(w.sessionFile()) {
				continue
			}
			if _, tasks := w.session(); len(tasks) > 0 && w.look().Verdict == "resume" {
				held[w.planOf(tasks[0].id)] = users[other]
			}
		}
	}
	delete(held, nil)
	return held
}

// followHand follows what an agent is working on. Of what it cannot follow, it knows nothing.
func (w *world) followHand(o owner, words []string, before []sessionTask, r result) {
	h := w.hands[o]
	switch {
	case r.killed, len(words) < 2 && words[0] == "done":
		if r.killed {
			delete(w.hands, o)
		}
	case words[0] == "hook" && words[1] == "start":
		w.hands[o] = &hand{w.agent, map[int]string{}}
	case words[0] == "mark" && r.code == 0 && h != nil:
		n, _ := strconv.Atoi(words[1])
		if delete(h.tasks, before[n-1].id); words[2] == "in-progress" && h.agent == w.agent && w.agent > 0 {
			head, _ := w.session()
			h.tasks[before[n-1].id] = head.Plan
		}
	case slices.Contains([]string{"hook", "run", "restore", "archive", "takeover"}, words[0]), words[0] == "bootstrap" && !strings.Contains(r.out, "kept the valid session"):
		delete(w.hands, o)
	}
}

// done completes the task in progress, and checks that it is the one that is meant.
func (w *world) done() {
	head, before := w.session()
	var open, own []int // indexes of the tasks in progress, and of those of the agent
	first := -1
	hand := w.hands[w.owner()]
	for i, t := range before {
		if !t.status.Settled() && first < 0 {
			first = i
		}
		if t.status == planfile.InProgress {
			if open = append(open, i); hand != nil && hand.agent == w.agent && hand.tasks[t.id] == head.Plan {
				own = append(own, i)
			}
		}
	}
	source, _ := os.ReadFile(w.sessionFile())
	r := w.gsd("", "done")
	if r.killed {
		return
	}
	var changed []int
	_, after := w.session()
	for i, t := range after {
		if i < len(before) && t.status != before[i].status {
			changed = append(changed, i)
		}
	}
	meant := func(i int) bool {
		switch {
		case len(own) > 1 || w.agent == 0 && len(open) > 1:
			return false
		case len(own) == 1:
			return i == own[0]
		case len(open) == 0: // what was committed and nobody has marked may be meant, and may count as done
			return w.committed[before[i].id] || !slices.ContainsFunc(before[:i], func(t sessionTask) bool { return !t.status.Settled() && !w.committed[t.id] })
		}
		return slices.Contains(open, i)
	}
	switch {
	case r.code == 0 && len(changed) == 1 && meant(changed[0]):
	case r.code == 0 && len(changed)+len(open) == 0 && len(w.committed) > 0: // the one that was committed last was complete already
	case r.code == 64 && len(open) > 1 && len(own) != 1:
	case r.code == 75 && len(open) > 0 && len(own) == 0:
	case r.code == 65 || r.code == 66 && first < 0: // no session, or every task is complete
	default:
		w.violate("done means the task in progress", "exit %d %s%s, of agent %d: own %v, in progress %v, changed %v\n%s", r.code, r.out, r.err, w.agent, own, open, changed, source)
	}
}
