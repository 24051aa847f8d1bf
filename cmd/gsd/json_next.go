package main

import (
	"github.com/gsd-cli/gsd/hydrate"
)

type jsonNextAnswer struct {
	Schema   int           `json:"schema"`
	User     string        `json:"user"`
	Next     jsonNext      `json:"next"`
	Warnings []jsonWarning `json:"warnings"`
}

type jsonNext struct {
	Plan         *string       `json:"plan"`
	ID           *string       `json:"id"`
	Phase        *string       `json:"phase"`
	Wave         *int          `json:"wave"`
	Autonomous   bool          `json:"autonomous"`
	GapClosure   bool          `json:"gap_closure"`
	Summary      *string       `json:"summary"`
	Verification *string       `json:"verification"`
	Begun        bool          `json:"begun"`
	Because      []string      `json:"because"`
	AlsoReady    []jsonPlanRef `json:"also_ready"`
}

type jsonPlanRef struct {
	Plan  string  `json:"plan"`
	ID    *string `json:"id"`
	Begun bool    `json:"begun"`
}

func nextJSON(n *hydrate.Next) jsonNext {
	j := jsonNext{
		Plan: known(n.Plan), ID: known(n.ID), Phase: known(n.Phase), Autonomous: !n.Manual, GapClosure: n.Gaps, Summary: known(n.Summary),
		Verification: known(n.Verification), Begun: n.Begun, Because: n.Because, AlsoReady: []jsonPlanRef{},
	}
	if n.HasWave {
		j.Wave = &n.Wave
	}
	if j.Because == nil {
		j.Because = []string{}
	}
	for _, p := range n.AlsoReady {
		j.AlsoReady = append(j.AlsoReady, jsonPlanRef{p.Plan, known(p.ID), p.Begun})
	}
	return j
}

// known is null for what is empty because nobody knows it.
func known(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
