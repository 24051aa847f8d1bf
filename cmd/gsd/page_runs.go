package main

import (
	"cmp"
	"path"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
)

// runView is one open run. It stands with its user's session.
type runView struct {
	Kind, Icon  string   // of its state
	Says        string   // the state in words
	Note        string   // what follows from it; may be empty
	Host        string   // the program that the agent runs in
	Where       string   // process and machine; empty where nobody said
	Begun, Seen pageTime // Seen is only there where it cannot be seen now
}

// runStates are the states of an open run, the likeliest to live first.
var runStates = []hydrate.RunState{hydrate.RunActive, hydrate.RunUnknown, hydrate.RunIdle, hydrate.RunOrphaned}

func newRun(r *hydrate.Run, now time.Time) runView {
	v := runView{Kind: string(r.State), Host: pageName(r.Host), Begun: newPageTime(r.At, now)}
	if where := runWhere(r); where != "-" {
		v.Where = pageText(where)
	}
	if v.Host == "" {
		v.Host = "somebody"
	}
	if !r.Renewed.Equal(r.At) && (r.State == hydrate.RunUnknown || r.State == hydrate.RunOrphaned) {
		v.Seen = newPageTime(r.Renewed, now)
	}
	switch r.State {
	case hydrate.RunActive:
		v.Icon, v.Says = "next", "At work"
	case hydrate.RunIdle:
		v.Icon, v.Says, v.Note = "open", "Idle", "It lives, and does not hold the session."
	case hydrate.RunOrphaned:
		v.Icon, v.Says, v.Note = "stale", "Its run died", "Its process is gone, and it never ended."
	default:
		v.Kind, v.Icon, v.Says, v.Note = string(hydrate.RunUnknown), "bar", "May be at work", "Nobody here can tell whether it lives."
		if r.Expired {
			v.Says, v.Note = "May be over", "Nobody here can tell whether it lives, and its time is up."
		}
	}
	return v
}

// addRuns gives the open runs to their users' sessions, what may live first, then what began last. A user who has
// runs and no session gets an entry that says so.
func (p *page) addRuns(s *hydrate.Status, now time.Time) {
	runs := slices.Clone(s.Runs)
	slices.Reverse(runs)
	slices.SortStableFunc(runs, func(a, b hydrate.UserRun) int {
		return cmp.Compare(slices.Index(runStates, a.State), slices.Index(runStates, b.State))
	})
	at := map[string]int{} // by the name as it is on disk: two may look alike
	for i := range s.Sessions {
		at[s.Sessions[i].User] = i
	}
	for i := range runs {
		user := runs[i].User
		if _, there := at[user]; !there {
			at[user] = len(p.Sessions)
			p.Sessions = append(p.Sessions, newSession(hydrate.Session{User: user, Verdict: hydrate.None}, "", now))
		}
		v := &p.Sessions[at[user]]
		v.Runs = append(v.Runs, newRun(&runs[i].Run, now))
	}
	const shownAtOnce = 3
	for i := range p.Sessions {
		if v := &p.Sessions[i]; len(v.Runs) > shownAtOnce+1 {
			v.Runs, v.MoreRuns = v.Runs[:shownAtOnce], v.Runs[shownAtOnce:]
		}
	}
}

// unfinishedView is what began and never properly ended.
type unfinishedView struct {
	Count      int
	Lost       string   // how many sessions; empty for none
	Died       string   // how many runs; empty for none
	Users      []string // whose runs died
	MoreUsers  int      // that are not named
	Work, More []workView
}

// workView is other work that was begun: its words, with a name between them.
type workView struct{ Before, Name, After, Detail, Path string }

// newUnfinished is nil where there is nothing of it.
func newUnfinished(s *hydrate.Status) *unfinishedView {
	v := &unfinishedView{}
	if s.Lost > 0 {
		v.Lost = count(s.Lost, "lost session")
	}
	died := 0
	for i := range s.Runs {
		if s.Runs[i].State != hydrate.RunOrphaned {
			continue
		}
		died++
		if user := pageUser(s.Runs[i].User); !slices.Contains(v.Users, user) {
			v.Users = append(v.Users, user)
		}
	}
	if died > 0 {
		v.Died = count(died, "run")
	}
	const named = 3
	if len(v.Users) > named+1 {
		v.Users, v.MoreUsers = v.Users[:named], len(v.Users)-named
	}
	for _, w := range s.Incomplete {
		v.Work = append(v.Work, newWork(w))
	}
	if v.Count = max(s.Lost, 0) + died + len(v.Work); v.Count == 0 {
		return nil
	}
	const shownAtOnce = 6
	if len(v.Work) > shownAtOnce+1 {
		v.Work, v.More = v.Work[:shownAtOnce], v.Work[shownAtOnce:]
	}
	return v
}

func newWork(w hydrate.Incomplete) workView {
	v := workView{Name: pageName(w.ID), Path: pageText(w.Path)}
	if v.Name == "" {
		v.Name = pageName(path.Base(w.Path))
	}
	switch w.Kind {
	case hydrate.WorkHandOff:
		v.Before, v.Name = "A note to go on from", ""
	case hydrate.WorkItem:
		v.Before, v.After, v.Detail = "Work item", "is still open", pageName(w.Detail)
		if v.Detail != "" {
			v.After = "is still in"
		}
	default:
		v.Before, v.After = "Plan", "has commits and neither a session nor a summary"
	}
	return v
}

// pageUser is a user's name, or that there is none.
func pageUser(name string) string {
	if name = pageName(name); name == "" {
		return "Somebody without a name"
	}
	return name
}
