package main

import (
	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
)

type jsonState struct {
	Schema       int             `json:"schema"`
	User         string          `json:"user"`
	State        string          `json:"state"`
	Missing      bool            `json:"missing"`
	Written      bool            `json:"written"`
	Status       *string         `json:"status"`
	Position     jsonPosition    `json:"position"`
	LastActivity *jsonActivity   `json:"last_activity"`
	Edits        []jsonStateEdit `json:"edits"`
	Left         []jsonStateLeft `json:"left"`
	Text         string          `json:"text"`
	Warnings     []jsonWarning   `json:"warnings"`
}

type jsonActivity struct {
	When string `json:"when"`
	What string `json:"what"`
}

type jsonStateEdit struct {
	Line  int    `json:"line"`
	Field string `json:"field"`
	Old   string `json:"old"`
	New   string `json:"new"`
}

type jsonStateLeft struct {
	Line   int     `json:"line"`
	Field  string  `json:"field"`
	Value  string  `json:"value"`
	Want   *string `json:"want"`
	Reason string  `json:"reason"`
}

func stateJSON(s *hydrate.State, u identity.User) jsonState {
	j := jsonState{
		Schema: schemaNumber, User: u.Name, State: s.Path, Missing: s.Missing, Written: s.Written,
		Status: known(s.Status), Position: positionJSON(s.Position), LastActivity: activityJSON(s.Activity),
		Edits: []jsonStateEdit{}, Left: []jsonStateLeft{}, Text: string(s.Text), Warnings: warningsJSON(u, s.Warnings...),
	}
	for _, e := range s.Edits {
		j.Edits = append(j.Edits, jsonStateEdit(e))
	}
	for _, l := range s.Left {
		j.Left = append(j.Left, jsonStateLeft{l.Line, l.Field, l.Value, known(l.Want), string(l.Reason)})
	}
	return j
}

func activityJSON(act hydrate.Activity) *jsonActivity {
	when := timeJSON(act.When)
	if when == nil {
		return nil
	}
	return &jsonActivity{*when, act.What}
}
