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
func Install(w Where) (*Plan, error) {
	return w.plan(func(p *Plan, s setup, is looked) error {
		if s.settings != "" {
			change := is.settings
			ours, _ := findEntries(change.Before, kindOf)
			for _, h := range is.theirs {
				beside := ""
				if slices.ContainsFunc(ours, func(o found) bool { return o.kind == h.kind && slices.Equal(o.path, h.path) }) {
					beside = "; gsd's own is beside it, and both run"
				}
				p.noteTheirs(h, change, beside)
			}
			var err error
			if change.After, err = insertEntries(change.Before, is.entries, kindOf); err != nil {
				return badSettings(change.Path, err)
			}
			p.take(change)
			if w.Scope == Local && change.Before == nil {
				p.note("%s is yours alone: see that git ignores it", w.show(change.Path))
			}
			if s.strict && hasComments(change.Before) {
				p.idle("%s has comments or trailing commas: %s does not read such a file, so its hooks will not run", w.show(change.Path), w.Host)
			}
			if file := w.hooksOff(); file != "" {
				p.idle("%s has disableAllHooks: no hooks will run", w.show(file))
			}
		}
		if bin := strings.Trim(p.Where.Program, `"'`); filepath.IsAbs(bin) {
			if _, err := os.Stat(bin); errors.Is(err, fs.ErrNotExist) {
				p.idle("gsd is called as %s, which is not there; an installation with --absolute puts its path of today there", w.show(bin))
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
		p.Notes = append(p.Notes, p.Where.copies(p.Where.Scope)...)
		return nil
	})
}

// Remove plans the removal of what Install wrote. What it leaves are the bytes from before the installation; what
// others have written since then stays, too, byte for byte.
func Remove(w Where) (*Plan, error) {
	return w.plan(func(p *Plan, s setup, is looked) error {
		if change := is.settings; change.Before != nil {
			var err error
			if change.After, err = removeEntries(change.Before, s.version(), kindOf); err != nil {
				return badSettings(change.Path, err)
			}
			for _, h := range is.theirs {
				p.noteTheirs(h, change, "")
			}
			if change.After == nil && change.at.linked {
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
		return nil
	})
}

func (p *Plan) noteTheirs(h found, in Change, more string) {
	p.note("%s calls gsd in its own way, which is left alone%s: %s", p.Where.show(in.Path), more, h.command)
}

func (p *Plan) noteEdited(c Change) {
	p.note("%s is not as gsd wrote it, and is left alone", p.Where.show(c.Path))
}

// plan makes a plan that fill fills in. Each file is read once.
func (w Where) plan(fill func(*Plan, setup, looked) error) (*Plan, error) {
	s, err := w.setup()
	if err != nil {
		return nil, err
	}
	p := &Plan{Where: w}
	var is looked
	if s.settings != "" {
		if is.settings, err = p.read(s.settings); err != nil {
			return nil, err
		}
	}
	for _, f := range s.files {
		change, err := p.read(f.path)
		if err != nil {
			return nil, err
		}
		is.files = append(is.files, change)
	}
	p.Where.adopt(is)
	if s, err = p.Where.setup(); err != nil {
		return nil, err
	}
	if s.settings != "" {
		if is.entries, is.theirs, err = notTheirs(is.settings, s.entries); err != nil {
			return nil, err
		}
	}
	if p.State, err = p.state(s, is); err != nil {
		return nil, err
	}
	if err := fill(p, s, is); err != nil {
		return nil, err
	}
	return p, nil
}

// looked is what was there, of all that a setup is about.
type looked struct {
	settings Change
	entries  []entry // what is to be in the settings, but for what somebody has written in their own way
	theirs   []found // that
	files    []Change
}

// adopt lets everything call us as all the hooks that are there do, or OpenCode's plugin, where nothing else is wanted.
// Hooks that differ, and a status line alone, say nothing of how the others should be.
func (w *Where) adopt(is looked) {
	if w.Program != "" {
		return
	}
	var programs []string
	there, _ := findEntries(is.settings.Before, kindOf) // what cannot be read is told of later
	for _, h := range there {
		if bin, _ := takeApart(h.command); h.path[0] == "hooks" {
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

// notTheirs leaves out what somebody has written in their own way: a hook of the same event that calls us and is not
// as we write it. It is not ours to change, and ours beside it would do the same twice.
func notTheirs(settings Change, entries []entry) (want []entry, theirs []found, err error) {
	there, err := findEntries(settings.Before, callsUs)
	if err != nil {
		return nil, nil, badSettings(settings.Path, err)
	}
	for _, e := range entries {
		mine, _ := e.handler(kindOf)
		i := slices.IndexFunc(there, func(h found) bool {
			return mine != nil && kindOf(h.command) == "" && h.kind == mine.kind && slices.Equal(h.path, e.path)
		})
		if i >= 0 {
			theirs = append(theirs, there[i])
			continue
		}
		want = append(want, e)
	}
	return want, theirs, nil
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

// idle notes why hooks would not run.
func (p *Plan) idle(format string, args ...any) {
	p.note(format, args...)
	p.Idle = true
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
			return "", badSettings(is.settings.Path, err)
		}
		if stands == taken {
			p.note("%s has another %s, which is left alone", p.Where.show(is.settings.Path), pathName(e.path))
		}
		add(stands)
	}
	for i, f := range s.files {
		add(f.standing(is.files[i].Before))
	}
	switch {
	case all == 0 && len(is.theirs) > 0: // somebody has seen to all of it
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
