package main

import (
	"github.com/gsd-cli/gsd/host"
)

type jsonInstall struct {
	Schema  int          `json:"schema"`
	Host    string       `json:"host"`
	Scope   string       `json:"scope"`
	Action  string       `json:"action"`
	State   string       `json:"state"`
	Changes []jsonChange `json:"changes"`
	Notes   []string     `json:"notes"`
}

type jsonChange struct {
	Path   string `json:"path"`
	Action string `json:"action"`
}

type jsonHosts struct {
	Schema int        `json:"schema"`
	Hosts  []jsonHost `json:"hosts"`
}

type jsonHost struct {
	Host   string      `json:"host"`
	Found  bool        `json:"found"`
	Scopes []jsonScope `json:"scopes"`
	Notes  []string    `json:"notes"`
}

type jsonScope struct {
	Scope   string  `json:"scope"`
	State   *string `json:"state"`
	Problem *string `json:"problem"`
}

func installJSON(plan *host.Plan, o installOptions) jsonInstall {
	j := jsonInstall{
		Schema: schemaNumber, Host: o.host, Scope: string(o.scope), Action: "install", State: string(plan.State),
		Changes: []jsonChange{}, Notes: notesJSON(plan.Notes),
	}
	switch {
	case o.check:
		j.Action = "check"
	case o.dryRun && o.remove:
		j.Action = "dry-run-remove"
	case o.dryRun:
		j.Action = "dry-run"
	case o.remove:
		j.Action = "remove"
	}
	for _, c := range plan.Changes {
		j.Changes = append(j.Changes, jsonChange{Path: plan.Where.Show(c.Path), Action: actionOf(c)})
	}
	return j
}

func notesJSON(notes []string) []string {
	all := []string{}
	for _, n := range notes {
		all = append(all, line(n))
	}
	return all
}

func hostsJSON(list []host.Installed) jsonHosts {
	j := jsonHosts{Schema: schemaNumber, Hosts: []jsonHost{}}
	for _, h := range list {
		its := jsonHost{Host: h.Host, Found: h.Found, Scopes: []jsonScope{}, Notes: notesJSON(h.Notes)}
		for _, s := range h.Scopes {
			scope := jsonScope{Scope: string(s.Scope)}
			if state := string(s.State); state != "" {
				scope.State = &state
			}
			if problem := line(s.Problem); problem != "" {
				scope.Problem = &problem
			}
			its.Scopes = append(its.Scopes, scope)
		}
		j.Hosts = append(j.Hosts, its)
	}
	return j
}
