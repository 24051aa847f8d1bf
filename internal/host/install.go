package host

import (
	"bytes"
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
	Project string // the project's directory, absolute; empty outside of one
	Home    string // the user's, absolute; empty where nobody knows
	Getenv  func(string) string
	Program string // how hooks call us; "gsd" where empty
	// StatusLine wants our line in the host's status line, if nobody else's is there. Claude alone has one.
	StatusLine bool
	// Show is how notes name a file, whose path is absolute; as it is where nil.
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
	Where   Where
	State   State // before the change
	Changes []Change
	Notes   []string // what the user should know: it quotes files, and so is untrusted
	// Idle reports that the hooks would not run, though they are there. A note says why.
	Idle bool
	// Twice reports that something of somebody else's runs gsd beside a hook of ours. A note says what.
	Twice bool

	writer   durable.Writer
	setup    setup
	settings Change
	document *document // what is in settings
	files    []Change
	wanted   []entry   // all of the setup that nobody has installed in their own way
	instead  []handler // what somebody has installed in their own way
	beside   []handler // what may run us in the same events, but not always
	bad      error     // why nothing can be put into the settings
}

// Change is one file that is to be written or taken away.
type Change struct {
	Path   string // absolute
	Before []byte // nil where there is no file
	After  []byte // nil where it is taken away

	dir, name string // where the file is: a name below a directory that exists
	link      string // the link that leads to it, absolute; empty if it is none
	was       durable.Stamp
	depth     int // how many directories above it may be ours
}

// maxSettings is the largest settings file that is read and written, in bytes.
const maxSettings = 4 << 20

// Kind classes an [Error] for an exit code.
type Kind int

// The kinds of errors.
const (
	Usage    Kind = iota // no such host or scope
	Bad                  // a settings file is not what its host could read
	Refused              // a link that leads away, a device: not safe to change
	Denied               // no right to write there
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
// of their own. What is there in the same form stays, so the plan of a second installation has no changes. Everything is
// read before anything is written: if a settings file cannot be understood, or is a link out of the project, that is an
// *[Error], and nothing changes at all.
//
// What calls gsd in somebody's own way stays. If it runs whenever a hook of ours would, ours is not added; else ours is
// added as well, so that nothing is lost.
func Install(w Where) (*Plan, error) {
	p, err := w.look(false)
	if err == nil {
		err = p.bad
	}
	if err != nil {
		return nil, err
	}
	if p.setup.settings != "" {
		if err := p.installHooks(); err != nil {
			return nil, err
		}
	}
	for i, f := range p.setup.files {
		change := p.files[i]
		switch f.standing(change.Before) {
		case taken:
			p.noteEdited(change)
		case missing, outdated:
			change.After = f.signed()
			p.take(change)
		}
	}
	idle := p.idle()
	p.Idle = len(idle) > 0
	p.Notes = append(append(p.Notes, idle...), p.Where.copies(p.Where.Scope)...)
	return p, nil
}

func (p *Plan) installHooks() error {
	change := p.settings
	for _, h := range p.instead {
		p.noteTheirs(h)
	}
	for _, h := range p.beside {
		if h.calls && !h.again {
			p.noteTheirs(h)
			continue
		}
		p.note("%s may run gsd a second time, and is left alone: %s", p.Where.show(change.Path), excerpt(h.command))
	}
	d, err := p.document.insert(p.wanted, p.setup.version)
	if err != nil {
		return badSettings(change.Path, err)
	}
	change.After = d.src
	if strays := d.strays(p.wanted); len(strays) > 0 {
		change.After = d.splice(d.cutting(strays))
	}
	p.take(change)
	if p.Where.Scope == Local && change.Before == nil {
		p.note("%s is yours alone: see that git ignores it", p.Where.show(change.Path))
	}
	return nil
}

// Remove plans the removal of what Install wrote. It leaves the bytes from before the installation, and what others have
// written since then, byte for byte. The settings file need only be valid, even if nothing could be put into it.
func Remove(w Where) (*Plan, error) {
	p, err := w.look(true)
	if err != nil {
		return nil, err
	}
	if change := p.settings; change.Before != nil {
		change.After = p.document.remove(p.setup.version)
		for _, h := range append(p.instead, p.beside...) {
			if h.calls {
				p.noteTheirs(h)
			}
		}
		if change.After == nil && change.link != "" {
			change.After = []byte("{}\n") // somebody keeps it where the link leads to
		}
		p.take(change)
	}
	for i, f := range p.setup.files {
		switch f.standing(p.files[i].Before) {
		case taken:
			p.noteEdited(p.files[i])
		case current, outdated:
			p.take(p.files[i])
		}
	}
	if p.bad != nil && len(p.Changes) == 0 {
		p.State = Absent
	}
	return p, nil
}

// idle lists the reasons why hooks would not run, though they were there.
func (p *Plan) idle() []string {
	var why []string
	w := p.Where
	if p.settings.Before != nil && p.setup.strict && !p.document.root.IsStandard() {
		why = append(why, fmt.Sprintf("%s has comments or trailing commas: %s does not read such a file, so its hooks will not run",
			w.show(p.settings.Path), w.Host))
	}
	if file := w.hooksOff(); file != "" {
		why = append(why, fmt.Sprintf("%s has disableAllHooks: no hooks will run", w.show(file)))
	}
	if bin := strings.Trim(w.Program, `"'`); filepath.IsAbs(bin) {
		if _, err := os.Stat(bin); errors.Is(err, fs.ErrNotExist) {
			why = append(why, fmt.Sprintf("gsd is called as %s, which is not there; an installation with --absolute puts its path of today there",
				w.show(bin)))
		}
	}
	return why
}

func (p *Plan) noteTheirs(h handler) {
	p.note("%s calls gsd in its own way, which is left alone: %s", p.Where.show(p.settings.Path), excerpt(h.command))
}

// excerpt returns the beginning of a command line, which may be a whole program.
func excerpt(command string) string { return cut([]rune(command), 120) }

func (p *Plan) noteEdited(c Change) {
	p.note("%s is not as gsd wrote it, and is left alone", p.Where.show(c.Path))
}

// look reads all that a setup is about, each file once. For a removal, a link that leads nowhere is no file.
func (w Where) look(removal bool) (*Plan, error) {
	s, err := w.setup()
	if err != nil {
		return nil, err
	}
	p := &Plan{Where: w}
	read := func(name string) Change {
		c := Change{Path: w.path(name)}
		if _, e := os.Stat(c.Path); err == nil && !(removal && errors.Is(e, fs.ErrNotExist)) {
			c, err = w.read(name)
		}
		return c
	}
	if s.settings != "" {
		p.settings = read(s.settings)
	}
	for _, f := range s.files {
		p.files = append(p.files, read(f.path))
	}
	if err != nil {
		return nil, err
	}
	if p.document, err = parse(p.settings.Before, kindOf); err != nil {
		return nil, badSettings(p.settings.Path, err)
	}
	p.adopt(s)
	if p.setup, err = p.Where.setup(); err != nil {
		return nil, err
	}
	p.sort()
	if p.State, err = p.state(); err != nil {
		p.bad, p.State = badSettings(p.settings.Path, err), Partly
	}
	return p, nil
}

// sort separates the entries that are wanted from what others have in their place, or beside them.
func (p *Plan) sort() {
	there := p.document.theirs()
	for _, e := range p.setup.entries {
		mine := e.handler(kindOf)
		same := slices.DeleteFunc(slices.Clone(there), func(h handler) bool {
			return h.kind != mine.kind || !p.sameEvent(h.event, e.event)
		})
		if i := slices.IndexFunc(same, func(h handler) bool { return h.covers(mine) }); i >= 0 {
			p.instead = append(p.instead, same[i])
			same = slices.Delete(same, i, i+1)
		} else {
			p.wanted = append(p.wanted, e)
		}
		if e.event == "" {
			continue
		}
		for _, h := range same {
			h.again = h.calls && h.meets(mine)
			p.Twice = p.Twice || h.again
			p.beside = append(p.beside, h)
		}
	}
}

// sameEvent reports whether two names are of one event. Copilot knows each in two spellings.
func (p *Plan) sameEvent(a, b string) bool {
	return a == b || p.Where.Host == Copilot && strings.EqualFold(a, b)
}

// adopt chooses how hooks call us if nobody has said so: as all that are there do, or OpenCode's plugin. Hooks that
// differ, and those in events that the setup has none for, decide nothing.
func (p *Plan) adopt(s setup) {
	if p.Where.Program != "" {
		return
	}
	var programs []string
	for _, h := range p.document.ours() {
		if slices.ContainsFunc(s.entries, func(e entry) bool { return e.event != "" && p.sameEvent(e.event, h.event) }) {
			bin, _ := takeApart(h.command)
			programs = append(programs, bin)
		}
	}
	for _, f := range p.files {
		programs = append(programs, programsIn(f.Before)...)
	}
	if programs = slices.Compact(programs); len(programs) != 1 {
		return
	}
	p.Where.Program = programs[0]
	if _, err := p.Where.setup(); err != nil {
		p.Where.Program = ""
	}
}

// setup checks what is wanted, and returns what that means.
func (w Where) setup() (setup, error) {
	switch {
	case !Known(w.Host):
		return setup{}, &Error{Kind: Usage, Text: fmt.Sprintf("no host %q", w.Host), Hint: "one of " + strings.Join(Names(), ", ")}
	case !slices.Contains(Scopes(w.Host), w.Scope):
		return setup{}, &Error{Kind: Usage, Text: fmt.Sprintf("%s has no scope %q", w.Host, w.Scope), Hint: "--scope " + joined(Scopes(w.Host))}
	case w.Scope != User && w.Project == "":
		return setup{}, &Error{Kind: Usage, Text: "not in a project", Hint: "--scope user"}
	case w.Scope == User && !filepath.IsAbs(w.Home):
		return setup{}, &Error{Kind: Usage, Text: "nobody knows your home directory", Hint: "set HOME"}
	}
	bin := w.Program
	if bin == "" {
		bin = program
	}
	if kindOf(hookCommand(bin, startKind, w.Host)) == "" { // what it does not know could never be removed
		return setup{}, &Error{
			Kind: Usage, Text: fmt.Sprintf("hooks cannot call %q", bin),
			Hint: "let them call " + program + ", by a path that no shell reads anything in",
		}
	}
	return setupOf(w.Host, w.Scope, bin, w.StatusLine), nil
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

func (p *Plan) note(format string, args ...any) {
	p.Notes = append(p.Notes, fmt.Sprintf(format, args...))
}

// take adds a change, unless nothing changes by it.
func (p *Plan) take(c Change) {
	if (c.Before == nil) != (c.After == nil) || !bytes.Equal(c.Before, c.After) {
		p.Changes = append(p.Changes, c)
	}
}

// read reads a file. One that is not there has no bytes; what is not a regular file, or leads out of the project, is an
// error.
func (w Where) read(name string) (Change, error) {
	c := Change{Path: w.path(name), depth: strings.Count(name, "/")}
	if w.Scope != User { // in a person's own directory the host may have been before us
		c.depth++
	}
	err := w.locate(&c)
	if err == nil {
		err = c.read()
	}
	if err != nil {
		return c, w.failed("read", c.Path, err)
	}
	return c, nil
}

func badSettings(name string, err error) *Error {
	return &Error{Kind: Bad, Text: name + ": " + err.Error(), Hint: "mend it, or move it away, and try again; nothing was changed", Err: err}
}

// state returns how much of the setup is there, and notes what of it cannot be.
func (p *Plan) state() (State, error) {
	count := map[standing]int{}
	for _, e := range p.wanted {
		stands, _, err := p.document.place(e)
		if err != nil {
			return "", err
		}
		if stands == taken {
			p.note("%s has another statusLine, which is left alone", p.Where.show(p.settings.Path))
		}
		count[stands]++
	}
	for i, f := range p.setup.files {
		count[f.standing(p.files[i].Before)]++
	}
	there := count[current] + count[outdated]
	strays := len(p.document.strays(p.wanted)) > 0
	switch {
	case there == 0 && count[missing] == 0 && len(p.instead) > 0 && !strays: // somebody has seen to all of it
		return Complete, nil
	case there == 0 && !strays:
		return Absent, nil
	case count[missing] > 0:
		return Partly, nil
	case count[outdated] > 0 || strays:
		return Outdated, nil
	}
	return Complete, nil
}
