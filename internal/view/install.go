package view

import (
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/text"
)

// Installs is what gsd install did for the hosts that were named, would do, or found.
type Installs struct {
	Installs []Install       `json:"installs"` // one for each host, in the order of the command line
	Do       []action.Action `json:"do"`       // what can be run next: what undoes what was installed
}

// Install is what gsd install did for a host, would do, or found.
type Install struct {
	Host    string          `json:"host"` // its name, such as claude
	Scope   agent.Scope     `json:"scope"`
	Action  InstallAction   `json:"action"`  // what was asked for; check and the dry runs change nothing
	State   agent.State     `json:"state"`   // how far it was installed before
	Changes []InstallChange `json:"changes"` // the files that changed, or would change
	Notes   []string        `json:"notes"`   // what a person should know, such as that the hooks will not run
	// Allowed is what gsd allows the agent to run without asking, as a command line begins, such as "gsd mark": once it is installed, or
	// with check as it is now. None after a removal.
	Allowed []string `json:"allowed"`

	Shared   bool `json:"shared"`   // the changes are for everybody who works on the project, once they are committed
	Inactive bool `json:"inactive"` // the hooks would not run, though they are there; a note says why
	Twice    bool `json:"twice"`    // another installation runs gsd as well; a note says which
}

// InstallChange is a file that an installation or a removal changes.
type InstallChange struct {
	Path   string     `json:"path"` // relative to the project, or below ~, or else absolute
	Action FileAction `json:"action"`

	before, after []byte
}

// InstallAction is what gsd install was asked to do.
type InstallAction string

// The actions of gsd install.
const (
	ActionInstall      InstallAction = "install"
	ActionRemove       InstallAction = "remove"
	ActionDryRun       InstallAction = "dry-run"        // of install
	ActionDryRunRemove InstallAction = "dry-run-remove" // of remove
	ActionCheck        InstallAction = "check"
)

// FileAction is what happens to a file.
type FileAction string

// The actions on a file.
const (
	FileCreated FileAction = "created"
	FileChanged FileAction = "changed"
	FileRemoved FileAction = "removed"
)

// Hosts lists every host that gsd supports, and where gsd is installed for it.
type Hosts struct {
	Hosts []agent.Installed `json:"hosts"` // every host that gsd knows
}

// NewInstall returns the answer for a plan, which has been carried out unless action is a check or a dry run.
func NewInstall(plan *agent.Plan, action InstallAction) *Install {
	in := &Install{
		Host: plan.Where.Host, Scope: plan.Where.Scope, Action: action, State: plan.State, Notes: plan.Notes,
		Shared: plan.Shared, Inactive: plan.Inactive, Twice: plan.Twice,
	}
	if action != ActionRemove && action != ActionDryRunRemove {
		in.Allowed = plan.Allowed(action == ActionCheck)
	}
	for _, c := range plan.Changes {
		change := InstallChange{plan.Where.Show(c.Path), FileChanged, c.Before, c.After}
		switch {
		case c.Before == nil:
			change.Action = FileCreated
		case c.After == nil:
			change.Action = FileRemoved
		}
		in.Changes = append(in.Changes, change)
	}
	return in
}

// Add adds what was done for a host, or would be.
func (all *Installs) Add(in *Install) {
	all.Installs = append(all.Installs, *in)
	if undo := in.undo(); undo.Kind != "" {
		all.Do = action.Distinct(append(all.Do, undo))
	}
}

// Works reports whether everything is installed and its hooks run, and nothing runs gsd a second time.
func (in *Install) Works() bool { return in.State == agent.Complete && !in.Inactive && !in.Twice }

// Installs prints what was done for each host, or would be.
func (p *Printer) Installs(all Installs) {
	for i := range all.Installs {
		p.Install(&all.Installs[i])
	}
}

// Install prints what was done for a host, or would be.
func (p *Printer) Install(in *Install) {
	of := in.Host + ", scope " + string(in.Scope)
	would := false
	switch in.Action {
	case ActionCheck:
		would = true
		p.Printf("%s: %s%s\n", of, stateWords[in.State], in.but())
	case ActionDryRun, ActionDryRunRemove:
		for _, c := range in.Changes {
			name := text.Line(c.Path)
			p.Quote("", printer.Lines(string(diff.Diff("a/"+name, c.before, "b/"+name, c.after)))...)
		}
		allowed(p, in, "then ")
		p.notes(in.Notes, "")
		return
	case ActionRemove:
		if len(in.Changes) == 0 {
			p.Printf("%s: not installed, nothing to remove\n", of)
		} else {
			p.Printf("%s: removed\n", of)
		}
	default:
		if len(in.Changes) == 0 {
			p.Printf("%s: already installed\n", of)
		} else {
			p.Printf("%s: installed\n", of)
		}
	}
	for _, c := range in.Changes {
		word := printer.Dim("%s", c.Action)
		if would {
			word = printer.Dim("would %s", strings.TrimSuffix(string(c.Action), "d"))
		}
		p.Printf("  %s  %s\n", word, printer.Unbroken(c.Path))
	}
	if in.Action == ActionInstall && len(in.Changes) > 0 {
		allowed(p, in, "now ")
	} else {
		allowed(p, in, "")
	}
	if in.Action == ActionInstall && in.Shared {
		p.Printf("commit these files, and everybody who works on the project has it; colleagues without gsd are not disturbed\n")
	}
	if in.Action == ActionRemove && in.Shared {
		p.Printf("if git tracks these files, commit this, too: until then everybody else has them\n")
	}
	p.notes(in.Notes, "")
	if undo := in.undo(); undo.Kind != "" {
		p.Printf("%s\n", agent.AfterInstall(in.Host))
		p.Try(undo)
	}
}

// undo is what undoes an installation; no action for one that changed nothing.
func (in *Install) undo() (undo action.Action) {
	if in.Action != ActionInstall || len(in.Changes) == 0 {
		return undo
	}
	undo = action.Action{Kind: action.UndoInstall, ID: in.Host}
	if in.Scope != agent.Project {
		undo.Scope = string(in.Scope)
	}
	return undo
}

// allowed prints what the agent may run without asking, if that is anything, in one line: the program only once.
func allowed(p *Printer, in *Install, when string) {
	if len(in.Allowed) == 0 {
		return
	}
	list := []string{in.Allowed[0]}
	program := in.Allowed[0][:strings.LastIndexByte(in.Allowed[0], ' ')+1]
	for _, begin := range in.Allowed[1:] {
		list = append(list, strings.TrimPrefix(begin, program))
	}
	p.Printf("the agent may %srun without asking: %s\n", when, strings.Join(list, ", "))
}

// but says why an installation does not work as it should.
func (in *Install) but() string {
	switch {
	case in.State == agent.Absent:
		return ""
	case in.Inactive:
		return willNotRun
	case in.Twice:
		return ", but another installation also runs gsd"
	}
	return ""
}

func (p *Printer) notes(notes []string, indent string) {
	for _, note := range notes {
		p.Printf("%s%s: %s\n", indent, printer.Yellow("note"), note)
	}
}

const willNotRun = ", but its hooks will not run"

var stateWords = map[agent.State]string{
	agent.Absent:   "not installed",
	agent.Complete: "installed",
	agent.Partly:   "partly installed",
	agent.Outdated: "installed in another form; `gsd install` brings it up to date",
}

// Hosts prints, for each host, whether it is there and in which scopes gsd is installed.
func (p *Printer) Hosts(list Hosts) {
	width := 0
	for _, name := range agent.Names() {
		width = max(width, len(name))
	}
	for _, h := range list.Hosts {
		p.Printf("%s  %s\n", printer.Bold("%s", printer.Pad(h.Host, width)), hostWords(h))
		p.notes(h.Notes, strings.Repeat(" ", width+2))
	}
	p.Printf("%s installs it in this project; %s in all your projects\n", printer.Command("gsd install HOST"), printer.Command("gsd install HOST --scope user"))
}

func hostWords(h agent.Installed) string {
	var words []string
	for _, name := range h.Plugins {
		words = append(words, "installed as the plugin "+name)
	}
	for _, s := range h.Scopes {
		switch {
		case s.Problem != "":
			words = append(words, string(s.Scope)+": "+s.Problem)
		case s.State != agent.Absent:
			state, _, _ := strings.Cut(stateWords[s.State], ";")
			if state += " for " + string(s.Scope); len(s.Faults) > 0 {
				state += willNotRun
			}
			words = append(words, state)
		}
	}
	there := "found"
	if !h.Found {
		there = "not found on this machine"
	}
	if len(words) == 0 {
		words = []string{"not installed"}
	}
	return there + "; " + strings.Join(words, ", ")
}
