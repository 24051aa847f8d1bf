// Package identity determines who the user is: the name that a session belongs to, and where that name comes from.
//
//	user := identity.Find(ctx, identity.SystemWorld(os.Environ()), dir)
//
// A plain configuration is read in this process; anything that needs git's rules is left to git. A name is only read
// here if every version of git would read the same. In doubt git is asked: that takes about three milliseconds, while a
// wrong name costs somebody a session. Nothing in a configuration is executed, neither here nor by the one question to
// git. (A library does not do: of the 384 configurations in which the tests ask git, go-git agrees with it in 46 %.)
//
//   - environment.go reads the environment: git's variables, and where git and its files are;
//   - config.go reads one configuration file, or says why git must;
//   - plain.go finds the files that apply in a directory, and says when it is not sure;
//   - ask.go asks git if there is a doubt;
//   - sanitize.go turns a user's name into the name of a directory.
package identity

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Source is where a name comes from.
type Source string

// The sources. Find asks those but SourceRun, in this order (docs/design.md, identity).
const (
	SourceGit      Source = "git"      // user.name of git's configuration
	SourceOS       Source = "os"       // the operating system's user
	SourceHostname Source = "hostname" // the short name of the machine
	SourceDefault  Source = "default"  // nothing else is known
	SourceRun      Source = "run"      // the run that the caller belongs to, see User.InRun
)

// The codes of the warnings of Find.
const (
	// WarnConfigBroken means that git refused to answer, usually because a configuration file is malformed.
	WarnConfigBroken = "git-config-broken"
	// WarnGitMissing means that there is no git program, whose answer might differ from what was read.
	WarnGitMissing = "git-missing"
	// WarnGitTimeout means that git did not answer in time and was stopped.
	WarnGitTimeout = "git-timeout"
	// WarnGitFailed means that git could not be started, was killed by a signal, or answered far too much.
	WarnGitFailed = "git-failed"
	// WarnUnusable means that nothing was left of a name after sanitizing.
	WarnUnusable = "name-unusable"
)

// lastResort is the name of a user about whom nothing is known.
const lastResort = "unknown"

// Problem is something that a person should know.
type Problem struct {
	Code   string `json:"code"` // what it is about, in kebab-case, one of those above; there may be new ones
	Detail string `json:"says"` // what git or the system said, on one line without control characters
}

// User is the answer of Find.
type User struct {
	Name     string    `json:"user"` // the sanitised name, never empty, safe as one path element
	Raw      string    `json:"raw"`  // the name as its source gave it
	Source   Source    `json:"source"`
	Warnings []Problem `json:"warnings"` // what a person should know
	// Guessed means that git may have a name that it could not report: it refused, did not answer in time, or was not
	// asked because it would have blocked. Name is then the best alternative and may differ the next time, so nothing
	// should be written under it. It is false if git says that there is no user.name or no repository, or if there is no
	// git program and every file could be read.
	Guessed bool `json:"-"`
}

// IsGuess reports whether git does not name the user here, so that the name may be another one where git does.
func (u User) IsGuess() bool { return u.Source != SourceGit || u.Guessed }

// InRun returns the user as the run was recorded that the caller belongs to: under a name that gsd had made already.
func (u User) InRun(name string) User {
	u.Name, u.Raw, u.Source, u.Guessed = name, name, SourceRun, false
	return u
}

// World is what Find depends on besides the files of the user and the project. SystemWorld returns one.
type World struct {
	env      environment
	git      string                // the path of the git program, "" for none
	patience time.Duration         // how long git may take
	run      func(*exec.Cmd) error // runs git
	osUser   func() (string, error)
	hostname func() (string, error)
}

// SystemWorld returns the real world with the environment env (usually os.Environ).
func SystemWorld(env []string) World {
	e := readEnvironment(env)
	return World{
		env:      e,
		git:      FindGit(e.path),
		patience: 5 * time.Second,
		run:      (*exec.Cmd).Run,
		osUser:   osUser,
		hostname: os.Hostname,
	}
}

// Find determines who works in dir, the directory in which git would be asked. It always has an answer: git's user.name
// there, else the OS user, else the short host name, else "unknown". A source whose name sanitizes to nothing is
// skipped with a warning. Problems with git are warnings too, never errors. ctx ends the wait for git early.
func Find(ctx context.Context, w World, dir string) User {
	git := w.gitName(ctx, dir)
	u := User{Warnings: git.warnings, Guessed: git.guessed}
	if git.named && u.setName(SourceGit, git.name) {
		return u
	}
	if raw, err := w.osUser(); err == nil && raw != "" && u.setName(SourceOS, raw) {
		return u
	}
	if raw, err := w.hostname(); err == nil {
		raw, _, _ = strings.Cut(raw, ".")
		if raw != "" && u.setName(SourceHostname, raw) {
			return u
		}
	}
	u.setName(SourceDefault, lastResort)
	return u
}

// Hidden says why git does not read the user's own configuration here, although there is one, as the end of a sentence; "" if it does,
// or if there is none.
func (w World) Hidden() string {
	for _, file := range w.env.globalFiles() {
		info, err := os.Stat(file)
		if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
			continue
		}
		if w.env.global != nil && *w.env.global != file {
			return fmt.Sprintf("GIT_CONFIG_GLOBAL=%s hides %s", *w.env.global, file)
		}
		if f, err := os.Open(file); err != nil {
			return file + " cannot be read: permission denied"
		} else {
			f.Close() // it was only opened to see whether that is allowed
		}
	}
	return ""
}

// AccountName returns the name that a user has of whom only the account is known; "" if there is none.
func AccountName() string {
	raw, err := osUser()
	if err != nil {
		return ""
	}
	return Sanitize(raw)
}

// setName makes raw the user's name, and reports whether it could. If not, it adds a warning.
func (u *User) setName(from Source, raw string) bool {
	name := Sanitize(raw)
	if name == "" {
		detail := fmt.Sprintf("%s: %.80q has no letter a-z and no digit", from, raw)
		u.Warnings = append(u.Warnings, Problem{WarnUnusable, detail})
		return false
	}
	u.Name, u.Raw, u.Source = name, raw, from
	return true
}
