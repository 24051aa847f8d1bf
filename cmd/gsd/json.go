package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gsd-cli/gsd/host"
	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/planfile"
)

// The objects that --json prints. Their names are a contract: docs/design.md, Commands, gives them, and
// schema.json at the top of the repository describes them; a test holds the two together. A list is
// never null.

// schemaNumber is raised when a name is taken away or changes its meaning, not when one is added.
const schemaNumber = 1

type jsonReport struct {
	Schema   int           `json:"schema"`
	Verdict  string        `json:"verdict"`
	Token    string        `json:"token"`
	User     string        `json:"user"`
	Plan     *string       `json:"plan"`
	Session  string        `json:"session"`
	Started  *string       `json:"started"`
	Tasks    []jsonTask    `json:"tasks"`
	Resume   *jsonResume   `json:"resume"`
	Stale    []jsonReason  `json:"stale"`
	Warnings []jsonWarning `json:"warnings"`
	Next     *jsonNext     `json:"next,omitempty"`
	Run      *jsonRun      `json:"run,omitempty"`
	Recovery *jsonRecovery `json:"recovery,omitempty"`
}

type jsonTask struct {
	Number int    `json:"number"`
	Name   string `json:"name"`
	Type   string `json:"type"`
	Status string `json:"status"`
	Line   int    `json:"line"`
}

type jsonResume struct {
	Number       int    `json:"number"`
	Name         string `json:"name"`
	Interrupted  bool   `json:"interrupted"`
	Files        string `json:"files,omitempty"`
	Precondition string `json:"precondition,omitempty"`
	Verify       string `json:"verify,omitempty"`
	Done         string `json:"done,omitempty"`
}

type jsonReason struct {
	Reason string `json:"reason"`
	Detail string `json:"detail"`
}

type jsonWarning struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

type jsonBootstrap struct {
	jsonReport
	Kept       bool          `json:"kept"`
	Archived   *string       `json:"archived"`
	Carried    []jsonCarried `json:"carried"`
	NotCarried []jsonLeft    `json:"not_carried"`
}

type jsonCarried struct {
	Number  int    `json:"number"`
	From    int    `json:"from"`
	Status  string `json:"status"`
	Changed bool   `json:"changed"`
}

type jsonLeft struct {
	From   int    `json:"from"`
	Name   string `json:"name"`
	Status string `json:"status"`
	Why    string `json:"why"`
}

type jsonMark struct {
	jsonReport
	Marked jsonMarked `json:"marked"`
}

type jsonMarked struct {
	Number   int    `json:"number"`
	Name     string `json:"name"`
	Status   string `json:"status"`
	Previous string `json:"previous"`
	Changed  bool   `json:"changed"`
}

type jsonTasks struct {
	Schema  int            `json:"schema"`
	Plan    string         `json:"plan"`
	Dialect string         `json:"dialect"`
	Tasks   []jsonFullTask `json:"tasks"`
}

type jsonFullTask struct {
	jsonTask
	Text     string      `json:"text,omitempty"`
	Children []jsonChild `json:"children,omitempty"`
}

type jsonChild struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

type jsonWhoami struct {
	Schema   int           `json:"schema"`
	User     string        `json:"user"`
	Raw      string        `json:"raw"`
	Source   string        `json:"source"`
	Warnings []jsonWarning `json:"warnings"`
}

// reportJSON is a report; whether its task was interrupted, its runs tell.
func reportJSON(r *hydrate.Report, u identity.User, interrupted bool) jsonReport {
	j := jsonReport{
		Schema: schemaNumber, Verdict: string(r.Verdict), Token: r.Token(), User: r.User, Session: r.Path,
		Tasks: []jsonTask{}, Stale: []jsonReason{}, Warnings: warningsJSON(u, r.Warnings...),
	}
	if r.Verdict == hydrate.Corrupt {
		j.Warnings = append(j.Warnings, jsonWarning{Code: "session-corrupt", Detail: r.Corrupt})
	}
	if r.Session == nil || r.Verdict == hydrate.Corrupt {
		return j
	}
	j.Plan = &r.Plan.Path
	if r.Session.Header.Started != "" {
		j.Started = &r.Session.Header.Started
	}
	for _, t := range r.Session.Tasks {
		j.Tasks = append(j.Tasks, taskJSON(r.Session, t))
	}
	for _, s := range r.Stale {
		j.Stale = append(j.Stale, jsonReason{s.Reason, s.Detail})
	}
	if r.Verdict == hydrate.Resume {
		j.Resume = &jsonResume{Number: r.Resume, Name: r.Session.Name(r.Resume), Interrupted: interrupted}
		children, _ := r.Session.Children(r.Resume) // the task is there
		for _, c := range children {
			switch c.Name { // some plans have one more than once
			case "files":
				j.Resume.Files = strings.TrimPrefix(j.Resume.Files+"\n"+c.Text, "\n")
			case "precondition":
				j.Resume.Precondition = strings.TrimPrefix(j.Resume.Precondition+"\n"+c.Text, "\n")
			case "verify":
				j.Resume.Verify = strings.TrimPrefix(j.Resume.Verify+"\n"+c.Text, "\n")
			case "done":
				j.Resume.Done = strings.TrimPrefix(j.Resume.Done+"\n"+c.Text, "\n")
			}
		}
	}
	return j
}

func taskJSON(f *planfile.File, t planfile.Task) jsonTask {
	return jsonTask{Number: t.Number, Name: f.Name(t.Number), Type: t.Type, Status: string(t.Status), Line: t.Line}
}

// momentJSON is a moment that is always there, in UTC and to the second.
func momentJSON(t time.Time) string { return inCalendar(t).UTC().Format(time.RFC3339) }

// timeJSON is a moment, null where there is none or none that a calendar has.
func timeJSON(t time.Time) *string {
	if inCalendar(t).IsZero() {
		return nil
	}
	return known(momentJSON(t))
}

// warningsJSON joins what is to be said of the user's name with what else there is, each once: a roadmap that
// cannot be read is noticed by whoever asks for it.
func warningsJSON(u identity.User, more ...hydrate.Warning) []jsonWarning {
	all, told := []jsonWarning{}, map[jsonWarning]bool{}
	add := func(w jsonWarning) {
		if !told[w] {
			all, told[w] = append(all, w), true
		}
	}
	for _, w := range u.Warnings {
		add(jsonWarning(w))
	}
	for _, w := range more {
		add(jsonWarning(w))
	}
	return all
}

func bootstrapJSON(b *hydrate.Bootstrapped, u identity.User) jsonBootstrap {
	j := jsonBootstrap{jsonReport: reportJSON(b.Report, u, b.Runs.Interrupted(b.Report)), Kept: b.Kept, Carried: []jsonCarried{}, NotCarried: []jsonLeft{}}
	if b.Archived != "" {
		j.Archived = &b.Archived
	}
	for _, c := range b.Carried {
		j.Carried = append(j.Carried, jsonCarried{c.Number, c.From, string(c.Status), c.Changed})
	}
	for _, l := range b.Left {
		j.NotCarried = append(j.NotCarried, jsonLeft{l.From, l.Name, string(l.Status), l.Why})
	}
	return j
}

func markJSON(m *hydrate.Marked, u identity.User, interrupted bool) jsonMark {
	return jsonMark{jsonReport: reportJSON(m.Report, u, interrupted), Marked: jsonMarked{
		Number: m.Number, Name: m.Name, Previous: string(m.Previous), Changed: m.Changed,
		Status: string(m.Session.Tasks[m.Number-1].Status),
	}}
}

// tasksJSON lists all tasks, or one of them whole.
func tasksJSON(list *hydrate.TaskList, only int) jsonTasks {
	j := jsonTasks{Schema: schemaNumber, Plan: list.Plan, Dialect: string(list.File.Dialect), Tasks: []jsonFullTask{}}
	for _, t := range list.File.Tasks {
		if only > 0 && t.Number != only {
			continue
		}
		full := jsonFullTask{jsonTask: taskJSON(list.File, t)}
		if only > 0 {
			source, _ := list.File.Source(only) // the task is there
			full.Text = string(source)
			children, _ := list.File.Children(only)
			for _, c := range children {
				full.Children = append(full.Children, jsonChild(c))
			}
		}
		j.Tasks = append(j.Tasks, full)
	}
	return j
}

func whoamiJSON(u identity.User) jsonWhoami {
	return jsonWhoami{Schema: schemaNumber, User: u.Name, Raw: u.Raw, Source: string(u.Source), Warnings: warningsJSON(u)}
}

// writeJSON prints a value, indented for people. What could act on a terminal or hide there is written
// as \u escapes, and so are <, > and &: the value stays the same, its look is safe.
func (a *app) writeJSON(v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	text := b.Bytes()
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r < utf8.RuneSelf && r != 0x7f || !host.Hidden(r):
			a.raw.Write(text[:n])
		case r > 0xffff:
			high, low := (r-0x10000)>>10+0xd800, (r-0x10000)&0x3ff+0xdc00
			fmt.Fprintf(&a.raw, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&a.raw, `\u%04x`, r)
		}
		text = text[n:]
	}
	return nil
}
