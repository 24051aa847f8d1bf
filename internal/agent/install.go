package agent

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/durable"
)

// Where says what is installed for which host, and for whom.
type Where struct {
	Host    string
	Scope   Scope
	Project string   // the project's directory, absolute; empty outside of one
	GitDir  string   // of the project's repository, shared by its working trees, absolute; empty for none
	Env     []string // as in os.Environ, for git; nil for that of the process
	Home    string   // the user's, absolute; empty if unknown
	Getenv  func(string) string
	Program string // how hooks call us; if empty, as the hooks that are there do, or "gsd"
	Instead string // how they call us instead of by the bare name, where that leads to no gsd or to another program
	Login   string // how a login shell has to call this gsd, if it does not find it by its name; for hosts that run commands in one
	// StatusLine adds our line as the host's status line, unless there is another. It is an error if the host has none in that scope.
	StatusLine bool
	// NoPermissions leaves out what allows our commands, and removes it where it is. If it is not set, a new installation
	// allows them, and a later one keeps what the former did.
	NoPermissions bool
	// Gone are hosts from which the same command removes gsd before this one.
	Gone []string
	// Show returns how notes name a file, whose path is absolute; nil for the path itself.
	Show func(path string) string
}

// State is how far something is installed.
type State string

// The states.
const (
	Absent   State = "absent"
	Complete State = "installed" // all of it
	Partly   State = "partly"    // some of it is missing
	Outdated State = "outdated"  // it is of another version of gsd, or was changed
)

// A Plan is what an installation or a removal would change. Making one only reads.
type Plan struct {
	Where    Where
	State    State // before the change
	Changes  []Change
	Notes    []string // what the user should know. They quote files, and so are untrusted.
	Shared   bool     // the changes are for everybody who works on the project, once they are committed
	Inactive bool     // the hooks are there but would not run; a note says why
	Twice    bool     // another installation of gsd runs it in addition; a note says which
	Repeated []string // those of the notes that are about other installations of gsd, which run in addition

	writer   durable.Writer
	setup    setup
	settings Change
	document *document // what is in settings
	line     Change    // the settings with the status line, where it has a file of its own
	files    []Change
	readers  []string // the other hosts that read the shared ones of files
	merged   merged   // the settings with all entries
	bad      error    // why nothing can be put into the settings
}

// Kind classes an [Error] for an exit code.
type Kind int

// The kinds of errors.
const (
	Usage    Kind = iota // no such host or scope
	Bad                  // a settings file is not what its host could read
	Refused              // not safe to change: a link that leads out, a device
	Denied               // no permission
	Failed               // input or output failed
	Conflict             // somebody changed the file in the meantime
)

// Error is why nothing was changed; where something was, Text says so.
type Error struct {
	Kind       Kind
	Text, Hint string
	Err        error
}

func (e *Error) Error() string { return e.Text }
func (e *Error) Unwrap() error { return e.Err }

// Install plans an installation: the hooks in the host's settings, at the end of their lists, and the commands as files
// of their own. What is there in the same form stays, so the plan of a second installation has no changes. Everything
// is read before anything is written: if a settings file cannot be understood, or is a link out of the project, that is
// an *[Error], and nothing changes at all.
//
// A hook of the user's own that calls gsd stays, and ours is added as well, so that no event is missed: gsd doctor names it.
func Install(w Where) (*Plan, error) {
	p, err := w.readSetup(false)
	if err == nil {
		err = p.bad
	}
	if err != nil {
		return nil, err
	}
	if change := p.settings; p.setup.settings != "" {
		p.noteAllowed(w.NoPermissions)
		change.After = p.merged.text
		p.add(change)
		if w.Scope == Local && change.Before == nil && !w.ignores(change.Path) {
			p.note("%s is yours alone: make sure that git ignores it", w.show(change.Path))
		}
	}
	p.add(p.line)
	for _, c := range p.Changes {
		if !restores(c.Before, c.After, find(w.Host).settings.version) {
			p.note("%s will not be the same byte for byte once gsd is removed: something in it is empty, or is in an unusual place", w.show(c.Path))
		}
	}
	for i, f := range p.setup.files {
		change := p.files[i]
		switch is, wanted := f.state(change.Before), p.setup.wants(f); {
		case is == taken:
			p.noteEdited(change)
		case wanted && is != current:
			change.After = f.signed()
			p.add(change)
		case !wanted:
			p.add(change)
		}
	}
	if w.Instead != "" && p.Where.Program == w.Instead {
		p.note("PATH does not lead to this gsd, so the hooks call it as %s", w.show(strings.Trim(w.Instead, `"`)))
	}
	p.noteLogin()
	if note := w.Uncommitted(); note != "" {
		p.note("%s", note)
	}
	p.Shared = p.isShared() && cmp.Or(p.Where.Program, program) == program // a path is that of one machine
	inactive := texts(p.faults())
	p.Inactive = len(inactive) > 0
	p.Repeated = p.Where.duplicates(w.Scope)
	p.Twice = len(p.Repeated) > 0
	p.Notes = append(append(p.Notes, inactive...), p.Repeated...)
	return p, nil
}

// Remove plans the removal of what Install wrote. It leaves the bytes from before the installation, and what others
// have written since then, byte for byte. The settings file need only be valid, even if nothing could be put into it.
func Remove(w Where) (*Plan, error) {
	p, err := w.readSetup(true)
	if err != nil {
		return nil, err
	}
	if change := p.settings; change.Before != nil {
		if change.After, err = remove(change.Before, find(w.Host).settings.version); err != nil {
			return nil, badSettings(change.Path, err)
		}
		if change.After == nil && change.link != "" {
			change.After = []byte("{}\n") // the file that the link leads to is the user's
		}
		p.noteAllowed(true)
		p.add(change)
	}
	if change := p.line; change.Before != nil {
		if change.After, err = remove(change.Before, ""); err != nil {
			return nil, badSettings(change.Path, err)
		}
		if change.After == nil && change.link != "" {
			change.After = []byte("{}\n")
		}
		p.add(change)
	}
	kept := false
	for i, f := range p.setup.files {
		change := p.files[i]
		switch f.state(change.Before) {
		case taken:
			p.noteEdited(change)
		case current, outdated:
			if f.shared && len(p.readers) > 0 {
				change.After, kept = f.signed(), true
			}
			p.add(change)
		}
	}
	if kept {
		p.note("gsd's skills in %s stay, as they are also for: %s", w.show(filepath.Join(w.agents(), "skills")), strings.Join(p.readers, ", "))
	}
	if p.bad != nil && len(p.Changes) == 0 {
		p.State = Absent
	}
	p.Shared = p.isShared()
	return p, nil
}

// isShared reports whether git takes the changes of a plan to everybody who works on the project, once they are committed.
func (p *Plan) isShared() bool {
	return p.Where.Scope == Project && p.Where.GitDir != "" && len(p.Changes) > 0 && !p.Where.ignores(p.Changes[0].Path)
}

// add adds a change, unless nothing changes by it.
func (p *Plan) add(c Change) {
	if (c.Before == nil) != (c.After == nil) || !bytes.Equal(c.Before, c.After) {
		p.Changes = append(p.Changes, c)
	}
}

// faults lists the reasons why hooks would not run, even if they were there.
func (p *Plan) faults() (why []Fault) {
	w := p.Where
	if p.settings.Before != nil && find(w.Host).settings.strict && !p.document.root.IsStandard() {
		why = append(why, Fault{Text: fmt.Sprintf("%s has comments or trailing commas: %s does not read such a file, "+
			"so its hooks will not run", w.show(p.settings.Path), w.Host)})
	}
	if file := w.hooksOff(); file != "" {
		why = append(why, Fault{Text: fmt.Sprintf("%s has disableAllHooks: no hooks will run until that is taken out", w.show(file))})
	}
	if bin := strings.Trim(w.Program, `"'`); filepath.IsAbs(bin) {
		if _, err := os.Stat(bin); errors.Is(err, fs.ErrNotExist) {
			why = append(why, Fault{Text: fmt.Sprintf("gsd is called as %s, which does not exist; an installation with --absolute "+
				"updates the path", w.show(bin)), Moved: true})
		}
	}
	return why
}

func texts(faults []Fault) (all []string) {
	for _, f := range faults {
		all = append(all, f.Text)
	}
	return all
}

// noteAllowed notes what else allows our commands, if they are not to be allowed, and otherwise if no rule can.
func (p *Plan) noteAllowed(removal bool) {
	name := p.Where.show(p.settings.Path)
	switch theirs := p.document.allowedByOthers(); {
	case !find(p.Where.Host).commands.hasRules:
	case removal && len(theirs) > 0:
		p.note("%s allows gsd's commands by rules that gsd did not write like this, and leaves alone: %s", name, strings.Join(theirs, ", "))
	case !removal && p.setup.permit && !canAllow(p.Where.Program):
		p.note("gsd's commands are not allowed without a question: in %s, a rule cannot name %s", name, p.Where.show(p.Where.Program))
	}
}

// ownLogin returns how a login shell has to call this gsd, if that matters to nobody else: others who share a project have gsd elsewhere.
func (w Where) ownLogin() string {
	if w.Scope == Project {
		return ""
	}
	return w.Login
}

// noteLogin notes that a login shell does not find gsd by its name.
func (p *Plan) noteLogin() {
	w, at := p.Where, strings.Trim(p.Where.Login, `"`)
	switch {
	case w.Login == "":
	case w.Program == w.Login:
		p.note("%s runs the agent's commands in a login shell, which does not find gsd, so all of it calls gsd as %s", w.Host, w.show(at))
	case cmp.Or(w.Program, program) == program:
		p.note("%s runs the agent's commands in a login shell, which does not find gsd: %s", w.Host, LoginAdvice(w.show(filepath.Dir(at))))
	}
}

// LoginAdvice is what a person can do where a login shell does not find gsd, which is in dir.
func LoginAdvice(dir string) string {
	return "put gsd into a directory that is in PATH there, such as /usr/local/bin, or add " + dir + " to PATH in the login profile, " +
		"or install with --scope user or --absolute, which write its path"
}

func (p *Plan) noteEdited(c Change) {
	p.note("%s is not as gsd wrote it, and is left alone", p.Where.show(c.Path))
}

func (p *Plan) note(format string, args ...any) {
	p.Notes = append(p.Notes, fmt.Sprintf(format, args...))
}

// readSetup reads every file of a setup, each once. In a removal, a broken link counts as a missing file.
func (w Where) readSetup(removal bool) (*Plan, error) {
	s, err := w.setup()
	if err != nil {
		return nil, err
	}
	p := &Plan{Where: w}
	read := func(f file) Change {
		c := Change{Path: w.pathOf(f)}
		if _, e := os.Stat(c.Path); err == nil && !(removal && errors.Is(e, fs.ErrNotExist)) {
			c, err = w.readFile(f)
		}
		return c
	}
	if s.settings != "" {
		p.settings = read(file{path: s.settings})
	}
	if s.line != "" && (w.StatusLine || removal) {
		p.line = read(file{path: s.line})
	}
	for _, f := range s.files {
		p.files = append(p.files, read(f))
	}
	if err != nil {
		return nil, err
	}
	if p.document, err = parse(p.settings.Before); err != nil {
		return nil, badSettings(p.settings.Path, err)
	}
	p.adopt(s)
	if cmp.Or(p.Where.Program, program) == program {
		p.Where.Program = cmp.Or(w.Instead, w.ownLogin(), p.Where.Program)
	}
	permit := p.permits(s)
	if p.setup, err = p.Where.setupWith(permit); err != nil {
		return nil, err
	}
	var programs []string
	p.readers, programs = w.readers()
	bin := cmp.Or(p.Where.Program, program)
	skills := bin
	if removal { // then they are for the others alone
		skills = program
	}
	p.setup.callSkillsAs(skillProgram(skills, programs))
	if !permit && !w.NoPermissions && len(p.document.blocks(askList)) > 0 && canAllow(bin) {
		p.setup.entries = append(p.setup.entries, permissionsOf(askList, bin)) // that somebody has changed what is allowed is no reason to ask less
	}
	if p.merged, err = merge(p.settings.Before, p.setup.entries, find(w.Host).settings.version); err != nil {
		p.bad, p.State = badSettings(p.settings.Path, err), Partly
		return p, nil
	}
	if p.setup.line != "" && w.StatusLine && !removal {
		line, err := merge(p.line.Before, []entry{statusLineOf(cmp.Or(p.Where.Program, program))}, "")
		if err != nil {
			p.bad, p.State = badSettings(p.line.Path, err), Partly
			return p, nil
		}
		p.line.After, p.merged.before = line.text, append(p.merged.before, line.before...)
	}
	p.State = p.state()
	return p, nil
}

// adopt chooses how hooks call us if the caller does not say: as the existing hooks, or gsd's plugin, do. If they
// differ, it chooses nothing. Hooks in events for which the setup has none are ignored.
func (p *Plan) adopt(s setup) {
	if p.Where.Program != "" {
		return
	}
	var programs []string
	for _, h := range p.document.ours() {
		of := func(e entry) bool { return e.event != "" && strings.EqualFold(e.event, h.event) }
		if slices.ContainsFunc(s.entries, of) {
			programs = append(programs, h.program)
		}
	}
	if programIn := find(p.Where.Host).commands.programIn; programIn != nil {
		for _, f := range p.files {
			if bin := programIn(f.Before); bin != "" {
				programs = append(programs, bin)
			}
		}
	}
	if programs = slices.Compact(programs); len(programs) != 1 {
		return
	}
	p.Where.Program = programs[0]
	if _, err := p.Where.setup(); err != nil {
		p.Where.Program = ""
	}
}

// permits reports whether our commands are to be allowed. An installation that has our hooks and allows nothing was made
// with NoPermissions, or somebody took the permissions back: that stays.
func (p *Plan) permits(s setup) bool {
	if p.Where.NoPermissions {
		return false
	}
	for i, f := range s.files {
		if f.path == s.policy && p.files[i].Before != nil {
			return true
		}
	}
	hook := func(h handler) bool { return h.event != "" }
	return len(p.document.blocks(allowList)) > 0 || !slices.ContainsFunc(p.document.ours(), hook)
}

// state returns how much of the setup is installed, and notes what cannot be.
func (p *Plan) state() State {
	count := map[itemState]int{}
	for _, is := range p.merged.before {
		if is == taken {
			p.note("%s has another statusLine, which is left alone", p.Where.show(cmp.Or(p.line.Path, p.settings.Path)))
		}
		count[is]++
	}
	var shared []itemState
	for i, f := range p.setup.files {
		switch is := f.state(p.files[i].Before); {
		case f.shared:
			shared = append(shared, is)
		case p.setup.wants(f):
			count[is]++
		case is == current || is == outdated:
			count[outdated]++
		}
	}
	there := count[current]+count[outdated] > 0 || p.merged.strays
	if there { // the skills alone may be another host's
		for _, is := range shared {
			count[is]++
		}
	}
	switch {
	case !there:
		return Absent
	case count[missing] > 0:
		return Partly
	case count[outdated] > 0 || p.merged.strays:
		return Outdated
	}
	return Complete
}

// setup checks what is wanted, and returns what that means, with what allows our commands.
func (w Where) setup() (setup, error) { return w.setupWith(true) }

func (w Where) setupWith(permit bool) (setup, error) {
	bin := w.Program
	if bin == "" {
		bin = program
	}
	bad := func(hint, format string, args ...any) (setup, error) {
		return setup{}, &Error{Kind: Usage, Text: fmt.Sprintf(format, args...), Hint: hint}
	}
	switch scopes := Scopes(w.Host); {
	case !Known(w.Host):
		return bad("one of "+strings.Join(Names(), ", "), "no host %q", w.Host)
	case !slices.Contains(scopes, w.Scope):
		return bad("--scope "+joined(scopes), "%s has no scope %q", w.Host, w.Scope)
	case w.Scope != User && w.Project == "":
		return bad("--scope user", "not in a project")
	case w.Scope == User && !filepath.IsAbs(w.Home):
		return bad("set HOME", "your home directory is unknown")
	case w.StatusLine && !hasStatusLine(w.Host, w.Scope) && hasStatusLine(w.Host, User):
		return bad("--scope user", "%s has a status line for a user only", w.Host)
	case w.StatusLine && !hasStatusLine(w.Host, w.Scope):
		return bad(strings.Join(WithStatusLine(), " and ")+" have one", "gsd can't set a status line in %s", w.Host)
	case !isProgram(bin): // such a hook could never be removed
		return bad("let them call "+program+", by a path without characters that a shell interprets",
			"hooks cannot call %q", bin)
	}
	return setupOf(w.Host, w.Scope, bin, w.StatusLine).allowing(w.Host, w.Scope, bin, permit), nil
}

func joined(scopes []Scope) string {
	var words []string
	for _, s := range scopes {
		words = append(words, string(s))
	}
	return strings.Join(words, " or ")
}

func (w Where) show(path string) string {
	if w.Show == nil {
		return path
	}
	return w.Show(path)
}

func badSettings(name string, err error) *Error {
	const hint = "fix it, or move it away, and try again; nothing was changed"
	return &Error{Kind: Bad, Text: name + ": " + err.Error(), Hint: hint, Err: err}
}
