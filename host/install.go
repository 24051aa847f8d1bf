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

// State says how far something is installed.
type State string

// The states.
const (
	Absent   State = "absent"
	Complete State = "installed"
	Partly   State = "partly"   // some of it is missing
	Outdated State = "outdated" // it is of another version of ours, or was changed
)

// A Plan is what an installation or a removal would change. Making one only reads.
type Plan struct {
	Where   Where
	State   State // before the change
	Changes []Change
	Notes   []string // what the user should know: texts of files are in it, untrusted
	// Idle tells that the hooks would not run, though they are there. A note says why.
	Idle bool
	// Twice tells that something of somebody else's runs gsd beside a hook of ours. A note says what.
	Twice bool

	writer durable.Writer
}

// Change is one file that is to be written or taken away.
type Change struct {
	Path   string // absolute
	Before []byte // nil where there is no file
	After  []byte // nil where it is taken away

	at    spot
	was   durable.Stamp
	depth int // how many directories above it may be ours
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
// of their own. What is there already in the same form is left as it is, so the plan of a second installation has no
// changes. Everything is looked at before anything is written: a settings file that cannot be understood, or is a
// link out of the project, is an *[Error], and then nothing changes at all.
//
// What calls gsd in somebody's own way stays. Where that runs whenever a hook of ours would, ours is not there; else ours
// is there as well, so that nothing is lost.
func Install(w Where) (*Plan, error) {
	return w.plan(false, func(p *Plan, s setup, is looked) error {
		if is.bad != nil {
			return is.bad
		}
		if s.settings != "" {
			change := is.settings
			for _, t := range is.instead {
				p.noteTheirs(t, change)
			}
			for _, t := range is.beside {
				if t.calls && !t.again {
					p.noteTheirs(t, change)
					continue
				}
				p.note("%s may run gsd a second time, and is left alone: %s", p.Where.show(change.Path), excerpt(t.command))
			}
			var err error
			if change.After, err = insertEntries(change.Before, is.entries, kindOf); err == nil {
				change.After, err = pruneEntries(change.After, is.entries, kindOf)
			}
			if err != nil {
				return badSettings(change.Path, err)
			}
			p.take(change)
			if w.Scope == Local && change.Before == nil {
				p.note("%s is yours alone: see that git ignores it", w.show(change.Path))
			}
		}
		for i, f := range s.files {
			change := is.files[i]
			switch f.standing(change.Before) {
			case taken:
				p.noteEdited(change)
			case missing, outdated:
				change.After = f.signed()
				p.take(change)
			}
		}
		for _, why := range p.Where.idle(s, is) {
			p.note("%s", why)
			p.Idle = true
		}
		p.Notes = append(p.Notes, p.Where.copies(p.Where.Scope)...)
		return nil
	})
}

// idle gives the reasons why hooks would not run, though they were there.
func (w Where) idle(s setup, is looked) []string {
	var why []string
	if s.settings != "" {
		if s.strict && hasComments(is.settings.Before) {
			why = append(why, fmt.Sprintf("%s has comments or trailing commas: %s does not read such a file, so its hooks will not run", w.show(is.settings.Path), w.Host))
		}
		if file := w.hooksOff(); file != "" {
			why = append(why, w.show(file)+" has disableAllHooks: no hooks will run")
		}
	}
	if bin := strings.Trim(w.Program, `"'`); filepath.IsAbs(bin) {
		if _, err := os.Stat(bin); errors.Is(err, fs.ErrNotExist) {
			why = append(why, fmt.Sprintf("gsd is called as %s, which is not there; an installation with --absolute puts its path of today there", w.show(bin)))
		}
	}
	return why
}

// Remove plans the removal of what Install wrote. What it leaves are the bytes from before the installation; what
// others have written since then stays, too, byte for byte. It needs no more than a settings file that is valid, be it
// one that nothing could be put into.
func Remove(w Where) (*Plan, error) {
	return w.plan(true, func(p *Plan, s setup, is looked) error {
		if change := is.settings; change.Before != nil {
			var err error
			if change.After, err = removeEntries(change.Before, s.version(), kindOf); err != nil {
				return badSettings(change.Path, err)
			}
			for _, t := range append(is.instead, is.beside...) {
				if t.calls {
					p.noteTheirs(t, change)
				}
			}
			if change.After == nil && change.at.link != "" {
				change.After = []byte("{}\n") // somebody put it where the link leads to
			}
			p.take(change)
		}
		for i, f := range s.files {
			switch f.standing(is.files[i].Before) {
			case taken:
				p.noteEdited(is.files[i])
			case current, outdated:
				p.take(is.files[i])
			}
		}
		if is.bad != nil && len(p.Changes) == 0 {
			p.State = Absent
		}
		return nil
	})
}

func (p *Plan) noteTheirs(t theirs, in Change) {
	p.note("%s calls gsd in its own way, which is left alone: %s", p.Where.show(in.Path), excerpt(t.command))
}

// excerpt is the beginning of a command line, which may be a whole program.
func excerpt(command string) string {
	const most = 120
	if all := []rune(command); len(all) > most {
		return string(all[:most-1]) + "…"
	}
	return command
}

func (p *Plan) noteEdited(c Change) {
	p.note("%s is not as gsd wrote it, and is left alone", p.Where.show(c.Path))
}

// plan makes a plan that fill fills in. Each file is read once. For a removal, what leads nowhere is not there.
func (w Where) plan(removal bool, fill func(*Plan, setup, looked) error) (*Plan, error) {
	s, err := w.setup()
	if err != nil {
		return nil, err
	}
	p := &Plan{Where: w}
	read := func(name string) (Change, error) {
		if _, err := os.Stat(w.path(name)); removal && errors.Is(err, fs.ErrNotExist) {
			return Change{Path: w.path(name)}, nil
		}
		return p.read(name)
	}
	var is looked
	if s.settings != "" {
		if is.settings, err = read(s.settings); err != nil {
			return nil, err
		}
	}
	for _, f := range s.files {
		change, err := read(f.path)
		if err != nil {
			return nil, err
		}
		is.files = append(is.files, change)
	}
	p.Where.adopt(s, is)
	if s, err = p.Where.setup(); err != nil {
		return nil, err
	}
	if err := is.sort(w.Host, s.entries); err != nil {
		return nil, badSettings(is.settings.Path, err)
	}
	p.Twice = slices.ContainsFunc(is.beside, func(t theirs) bool { return t.again })
	if p.State, err = p.state(s, is); err != nil {
		is.bad, p.State = badSettings(is.settings.Path, err), Partly
	}
	if err := fill(p, s, is); err != nil {
		return nil, err
	}
	return p, nil
}

// looked is what was there, of all that a setup is about.
type looked struct {
	settings Change
	files    []Change
	entries  []entry  // what is to be in the settings: all but what somebody has seen to in their own way
	instead  []theirs // that
	beside   []theirs // what may run us in the same events, and is not enough
	bad      error    // why nothing can be put into the settings
}

// sort fills in the entries that are wanted, and what is there of others.
func (is *looked) sort(host string, entries []entry) error {
	there, err := findTheirs(is.settings.Before)
	if err != nil {
		return err
	}
	for _, e := range entries {
		mine, _ := e.handler(kindOf)
		if mine == nil { // the version
			is.entries = append(is.entries, e)
			continue
		}
		same := slices.DeleteFunc(slices.Clone(there), func(t theirs) bool { return t.kind != mine.kind || !sameEvent(host, t.path, e.path) })
		if i := slices.IndexFunc(same, func(t theirs) bool { return t.covers(*mine) }); i >= 0 {
			is.instead = append(is.instead, same[i])
			same = slices.Delete(same, i, i+1)
		} else {
			is.entries = append(is.entries, e)
		}
		for _, t := range same {
			if e.list {
				t.again = t.calls && t.meets(*mine)
				is.beside = append(is.beside, t)
			}
		}
	}
	return nil
}

// sameEvent tells whether two handlers' paths are of the same event. Copilot knows each in two spellings.
func sameEvent(host string, a, b []string) bool {
	return slices.EqualFunc(a, b, func(a, b string) bool { return a == b || host == Copilot && strings.EqualFold(a, b) })
}

// adopt lets everything call us as all the hooks that are there do, or OpenCode's plugin, where nothing else is wanted.
// Hooks that differ, and what the setup has no hook for, say nothing of how the others should be.
func (w *Where) adopt(s setup, is looked) {
	if w.Program != "" {
		return
	}
	var programs []string
	there, _ := findEntries(is.settings.Before, kindOf) // what cannot be read is told of later
	for _, h := range there {
		if slices.ContainsFunc(s.entries, func(e entry) bool { return e.list && sameEvent(w.Host, e.path, h.path) }) {
			bin, _ := takeApart(h.command)
			programs = append(programs, bin)
		}
	}
	for _, f := range is.files {
		programs = append(programs, programsIn(f.Before)...)
	}
	if programs = slices.Compact(programs); len(programs) != 1 {
		return
	}
	w.Program = programs[0]
	if _, err := w.setup(); err != nil {
		w.Program = ""
	}
}

// setup checks what is wanted, and gives what it comes to.
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
	if kindOf(commands{w.Host, bin}.hydrate()) == "" { // what it does not know could never be taken away
		return setup{}, &Error{Kind: Usage, Text: fmt.Sprintf("hooks cannot call %q", bin), Hint: "let them call " + program + ", by a path that no shell reads anything in"}
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

// read looks at a file as it is now. One that is not there has no bytes; what is no regular file, or leads out of the
// project, is an error.
func (p *Plan) read(name string) (Change, error) {
	c := Change{Path: p.Where.path(name), depth: strings.Count(name, "/")}
	if p.Where.Scope != User { // in a person's own directory the host may have been before us
		c.depth++
	}
	var err error
	if c.at, err = p.Where.spot(name); err == nil {
		c.Before, c.was, err = c.at.read()
	}
	if err != nil {
		return c, p.Where.failed("read", c.Path, err)
	}
	return c, nil
}

func badSettings(name string, err error) *Error {
	return &Error{Kind: Bad, Text: name + ": " + err.Error(), Hint: "mend it, or move it away, and try again; nothing was changed", Err: err}
}

// state tells how far everything of a setup is there, and notes what of it cannot be.
func (p *Plan) state(s setup, is looked) (State, error) {
	var there, old, all int
	add := func(is standing) {
		switch is {
		case taken: // somebody else's
			return
		case current:
			there++
		case outdated:
			old++
		}
		all++
	}
	for _, e := range is.entries {
		if e.isVersion() {
			continue
		}
		stands, _, err := stateOf(is.settings.Before, e, kindOf)
		if err != nil {
			return "", err
		}
		if stands == taken {
			p.note("%s has another %s, which is left alone", p.Where.show(is.settings.Path), pathName(e.path))
		}
		add(stands)
	}
	for i, f := range s.files {
		add(f.standing(is.files[i].Before))
	}
	strays, err := findStrays(is.settings.Before, is.entries, kindOf)
	if err != nil {
		return "", err
	}
	switch {
	case len(strays) > 0 && there+old < all:
		return Partly, nil
	case len(strays) > 0:
		return Outdated, nil
	case all == 0 && len(is.instead) > 0: // somebody has seen to all of it
		return Complete, nil
	case there+old == 0:
		return Absent, nil
	case there == all:
		return Complete, nil
	case there+old == all:
		return Outdated, nil
	}
	return Partly, nil
}
