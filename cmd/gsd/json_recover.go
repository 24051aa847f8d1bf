package main

import (
	"math"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
)

type jsonRecovered struct {
	Schema     int                 `json:"schema"`
	User       string              `json:"user"`
	Plan       string              `json:"plan"`
	ID         *string             `json:"id"`
	Tasks      []jsonRecoveredTask `json:"tasks"`
	Unassigned []jsonEvidence      `json:"unassigned"`
	Looked     int                 `json:"commits_looked_at"`
	Cut        bool                `json:"cut"`
	Session    *string             `json:"session"`
	Archived   *string             `json:"archived"`
	Warnings   []jsonWarning       `json:"warnings"`
}

type jsonRecoveredTask struct {
	Number     int            `json:"number"`
	Name       string         `json:"name"`
	Status     string         `json:"status"`
	Confidence float64        `json:"confidence"`
	Commits    []jsonEvidence `json:"commits"`
}

type jsonEvidence struct {
	ID         string  `json:"id"`
	When       string  `json:"when"`
	Subject    string  `json:"subject"`
	Confidence float64 `json:"confidence"`
	Reason     string  `json:"reason"`
}

func recoverJSON(r *hydrate.Recovered, u identity.User) jsonRecovered {
	j := jsonRecovered{
		Schema: schemaNumber, User: u.Name, Plan: r.Plan, ID: known(r.ID), Tasks: []jsonRecoveredTask{},
		Unassigned: evidenceJSON(r.Unassigned), Looked: r.Looked, Cut: r.Cut,
	}
	for _, t := range r.Tasks {
		j.Tasks = append(j.Tasks, jsonRecoveredTask{t.Number, t.Name, string(t.Status), rounded(t.Confidence), evidenceJSON(t.Commits)})
	}
	warned := r.Warnings
	if r.Session != nil {
		j.Session, j.Archived = &r.Session.Path, known(r.Session.Archived)
		warned = append(warned, r.Session.Warnings...)
	}
	j.Warnings = warningsJSON(u, warned...)
	return j
}

func evidenceJSON(all []hydrate.Evidence) []jsonEvidence {
	list := []jsonEvidence{}
	for _, e := range all {
		list = append(list, jsonEvidence{e.ID, momentJSON(e.When), e.Subject, rounded(e.Confidence), e.Reason})
	}
	return list
}

// rounded leaves three digits of a confidence: more say nothing.
func rounded(x float64) float64 { return math.Round(1000*x) / 1000 }
