//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/action"
)

// The law of starts: what a command says of a plan is what bootstrap does with it. A dry run of bootstrap ends as the real one does, which
// preview and trial.do check; so what the others say is held against dry runs, of which the project can have many.

// A nextSaid is what gsd next and gsd status say of a plan that is ready, and of the others.
type nextSaid struct {
	Plan, Summary string
	TakenBy       string     `json:"taken_by"`
	AlsoReady     []nextSaid `json:"also_ready"`
}

// heldToStarts returns where what is said of the plans of a project is not what bootstrap does.
func heldToStarts(run func(stdin string, words ...string) result) (wrong []string) {
	known := map[string]result{}
	start := func(words ...string) result {
		words = append(append([]string{"bootstrap"}, words...), "--dry-run")
		line := strings.Join(words, " ")
		if _, ok := known[line]; !ok {
			known[line] = run("", words...)
		}
		return known[line]
	}
	check := func(ok bool, r result, format string, args ...any) {
		if !ok {
			wrong = append(wrong, fmt.Sprintf(format, args...)+fmt.Sprintf(": but bootstrap: exit %d %s", r.code, r.err))
		}
	}
	isInUse := func(r result) bool { return r.code == 75 && strings.Contains(r.err, "the session is in use by ") }
	isHeld := func(r result) bool {
		return r.code == 75 && (strings.Contains(r.err, " working on ") || strings.Contains(r.err, " has claimed ") || strings.Contains(r.err, " has carried out "))
	}
	offered := strings.Fields(run("", "__complete", "--", "bootstrap", "").out)
	for id := range strings.FieldsSeq(run("", "__complete", "--", "tasks", "").out) {
		r, is := start(id), slices.Contains(offered, id)
		check(is == (r.code == 0 || isInUse(r)), r, "completion offers %s: %v", id, is)
	}
	var next struct {
		Next nextSaid
		Do   []action.Action
	}
	var status struct{ Next nextSaid }
	var report struct{ Do []action.Action }
	for command, into := range map[string]any{"next": &next, "status": &status, "hydrate": &report} {
		if r := run("", command, "--json"); r.code != 0 || json.Unmarshal([]byte(r.out), into) != nil {
			return wrong // without a project, or a session that can be read
		}
	}
	for _, n := range []nextSaid{next.Next, status.Next} {
		for _, said := range append(n.AlsoReady, n) {
			if said.Plan != "" && said.Summary == "" {
				r := start(said.Plan)
				check((said.TakenBy != "") == isHeld(r), r, "%s is ready, in the hands of %q", said.Plan, said.TakenBy)
			}
		}
	}
	starts := func(all []action.Action) (n int) {
		for _, a := range all {
			if a.Starts() {
				r := start(a.Words()[2:]...)
				check(r.code == 0, r, "%s is printed", action.Line(a.Words()))
				n++
			}
		}
		return n
	}
	starts(report.Do)
	goes := slices.ContainsFunc(next.Do, func(a action.Action) bool { return a.Kind == action.Continue })
	if n := starts(next.Do); n == 0 && !goes && next.Next.Plan != "" && next.Next.Summary == "" {
		r := start(next.Next.Plan)
		check(r.code != 0, r, "nothing starts on %s", next.Next.Plan)
	}
	return wrong
}
