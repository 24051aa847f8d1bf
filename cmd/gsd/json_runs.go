package main

import (
	"time"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
)

type jsonRun struct {
	ID       string  `json:"id"`
	Host     *string `json:"host"`
	State    string  `json:"state"`
	Status   *string `json:"status"`
	Cause    *string `json:"cause"`
	Plan     *string `json:"plan"`
	PID      *int    `json:"pid"`
	HostName *string `json:"host_name"`
	Started  string  `json:"started"`
	Ended    *string `json:"ended"`
	Seen     string  `json:"seen"`
	TTL      int     `json:"ttl"`
	Expired  bool    `json:"expired"`
	Holds    bool    `json:"holds_lease"`
	Own      bool    `json:"own"`
	ResumeID *string `json:"resume_id"`
}

type jsonUserRun struct {
	User string `json:"user"`
	jsonRun
}

type jsonRecovery struct {
	Orphans    []jsonRun        `json:"orphans"`
	Doubtful   []jsonRun        `json:"doubtful"`
	Tasks      []int            `json:"tasks"`
	Sessions   []jsonOrphan     `json:"sessions"`
	Incomplete []jsonIncomplete `json:"incomplete"`
}

type jsonIncomplete struct {
	Kind   string  `json:"kind"`
	ID     *string `json:"id"`
	Path   string  `json:"path"`
	Detail *string `json:"detail"`
}

type jsonRuns struct {
	Schema   int           `json:"schema"`
	User     string        `json:"user"`
	Runs     []jsonRun     `json:"runs"`
	More     int           `json:"more"`
	Warnings []jsonWarning `json:"warnings"`
}

type jsonStarted struct {
	Schema     int           `json:"schema"`
	Run        jsonRun       `json:"run"`
	Token      string        `json:"token"`
	Reentered  bool          `json:"reentered"`
	From       *jsonRun      `json:"from"`
	Superseded []jsonRun     `json:"superseded"`
	Warnings   []jsonWarning `json:"warnings"`
}

type jsonEnded struct {
	Schema   int           `json:"schema"`
	Run      jsonRun       `json:"run"`
	Already  bool          `json:"already"`
	GoesOn   bool          `json:"goes_on"`
	Warnings []jsonWarning `json:"warnings"`
}

type jsonUnlocked struct {
	Schema   int           `json:"schema"`
	Unlocked bool          `json:"unlocked"`
	From     *jsonRun      `json:"from"`
	Warnings []jsonWarning `json:"warnings"`
}

type jsonOrphan struct {
	ID      string  `json:"id"`
	Why     string  `json:"why"`
	Corrupt *string `json:"corrupt"`
	Project *string `json:"project"`
	User    *string `json:"user"`
	Plan    *string `json:"plan"`
	Current *int    `json:"current"`
	Done    int     `json:"done"`
	Total   int     `json:"total"`
	Updated *string `json:"updated"`
	Expired bool    `json:"expired"`
}

type jsonOrphans struct {
	Schema  int          `json:"schema"`
	Orphans []jsonOrphan `json:"orphans"`
}

type jsonDismissed struct {
	Schema    int        `json:"schema"`
	Dismissed jsonOrphan `json:"dismissed"`
}

type jsonRestored struct {
	jsonReport
	Project     string     `json:"project"`
	Archived    *string    `json:"archived"`
	NotRestored []jsonLeft `json:"not_restored"`
}

type jsonSwept struct {
	Schema    int           `json:"schema"`
	DryRun    bool          `json:"dry_run"`
	Ended     []jsonRun     `json:"ended"`
	Spared    []jsonRun     `json:"spared"`
	Lease     bool          `json:"lease"`
	Reset     []int         `json:"reset"`
	Forgotten int           `json:"forgotten"`
	Dismissed []jsonOrphan  `json:"dismissed"`
	Crumbs    int           `json:"crumbs"`
	Temps     int           `json:"temps"`
	Rotated   *string       `json:"rotated"`
	Warnings  []jsonWarning `json:"warnings"`
}

func runJSON(r *hydrate.Run) jsonRun {
	j := jsonRun{
		ID: r.ID, Host: known(r.Host), State: string(r.State), Plan: known(r.Plan), HostName: known(r.Owner.HostName),
		Started: momentJSON(r.At), Seen: momentJSON(r.Renewed), TTL: int(r.TTL / time.Second), Expired: r.Expired, Holds: r.Holds, Own: r.Own,
		ResumeID: known(r.ResumeID),
	}
	if r.Owner.PID > 0 {
		j.PID = &r.Owner.PID
	}
	if end := r.End; end != nil {
		j.Status, j.Cause, j.Ended = known(string(end.Status)), known(string(end.Cause)), known(momentJSON(end.At))
	}
	return j
}

func runsJSON(runs []hydrate.Run) []jsonRun {
	list := []jsonRun{}
	for i := range runs {
		list = append(list, runJSON(&runs[i]))
	}
	return list
}

func startJSON(s *hydrate.Started, u identity.User) jsonStarted {
	j := jsonStarted{
		Schema: schemaNumber, Run: runJSON(&s.Run), Token: s.Run.Token, Reentered: s.Reentered,
		Superseded: runsJSON(s.Superseded), Warnings: warningsJSON(u, s.Warnings...),
	}
	if s.From != nil {
		from := runJSON(s.From)
		j.From = &from
	}
	return j
}

func endJSON(e *hydrate.Ended, u identity.User) jsonEnded {
	return jsonEnded{Schema: schemaNumber, Run: runJSON(&e.Run), Already: e.Already, GoesOn: e.GoesOn, Warnings: warningsJSON(u, e.Warnings...)}
}

func orphansJSON(orphans []hydrate.Orphan) []jsonOrphan {
	list := []jsonOrphan{}
	for _, o := range orphans {
		j := jsonOrphan{
			ID: o.ID, Why: o.Why, Corrupt: known(o.Corrupt), Project: known(o.Project), User: known(o.User), Plan: known(o.Plan),
			Done: o.Done, Total: len(o.Tasks), Expired: o.Expired,
		}
		if o.Corrupt == "" {
			j.Updated = known(momentJSON(o.Updated))
		}
		if o.Current > 0 {
			j.Current = &o.Current
		}
		list = append(list, j)
	}
	return list
}

func restoreJSON(r *hydrate.Restored, u identity.User) jsonRestored {
	j := jsonRestored{jsonReport: reportJSON(r.Report, u, r.Runs.Interrupted(r.Report)), Project: r.Project, Archived: known(r.Archived), NotRestored: []jsonLeft{}}
	for _, l := range r.Left {
		j.NotRestored = append(j.NotRestored, jsonLeft{l.From, l.Name, string(l.Status), l.Why})
	}
	return j
}

func sweepJSON(s *hydrate.Swept, o hydrate.SweepOptions, u identity.User) jsonSwept {
	return jsonSwept{
		Schema: schemaNumber, DryRun: o.DryRun, Ended: runsJSON(s.Ended), Spared: runsJSON(s.Spared), Lease: s.Lease,
		Reset: append([]int{}, s.Reset...), Forgotten: s.Forgotten, Dismissed: orphansJSON(s.Dismissed), Crumbs: s.Crumbs,
		Temps: s.Temps, Rotated: known(s.Rotated), Warnings: warningsJSON(u, s.Warnings...),
	}
}

// recoveryJSON is nil where there is nothing to recover from.
func recoveryJSON(r *hydrate.Recovery) *jsonRecovery {
	if !r.Any() {
		return nil
	}
	j := &jsonRecovery{
		Orphans: runsJSON(r.Orphans), Doubtful: runsJSON(r.Doubtful), Tasks: append([]int{}, r.Left...),
		Sessions: orphansJSON(r.Lost), Incomplete: incompleteJSON(r.Incomplete),
	}
	return j
}

func incompleteJSON(work []hydrate.Incomplete) []jsonIncomplete {
	list := []jsonIncomplete{}
	for _, w := range work {
		list = append(list, jsonIncomplete{w.Kind, known(w.ID), w.Path, known(w.Detail)})
	}
	return list
}
