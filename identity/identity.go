// Package identity finds out who the user is: the name a session belongs to, and where that name came from.
//
// The rule: a plain configuration is read in this process; anything that needs git's rules is asked of git.
// What is read is what every version of git would answer, and where that is in doubt git is asked: it costs
// about three milliseconds, and a wrong name costs somebody a session. Nothing that stands in a configuration
// is executed here, and git is only asked for one value, which executes nothing either.
//
//   - environment.go reads the environment: git's variables, where git is, where its files are;
//   - config.go reads one configuration file, or says why git has to;
//   - plain.go finds the files that count in a directory, and says when it is not sure;
//   - ask.go asks git wherever there is a doubt;
//   - sanitize.go turns what somebody is called into the name of a directory.
package identity

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Source is where a name came from.
type Source string

// The sources, in the order in which they are asked (docs/design.md, identity).
const (
	SourceGit      Source = "git"      // user.name of git's configuration
	SourceOS       Source = "os"       // the operating system's user
	SourceHostname Source = "hostname" // the short name of the machine
	SourceDefault  Source = "default"  // nothing else is known
)

// The codes of the warnings that Find gives.
const (
	// WarnConfigBroken: git refused to answer, mostly because a configuration file is malformed.
	WarnConfigBroken = "git-config-broken"
	// WarnGitMissing: there is no git program, and what it would have said may differ from what was read.
	WarnGitMissing = "git-missing"
	// WarnGitTimeout: git did not answer in time and was stopped.
	WarnGitTimeout = "git-timeout"
	// WarnGitFailed: git could not be started, died of a signal, or answered far too much.
	WarnGitFailed = "git-failed"
	// WarnUnusable: a source had a name of which nothing is left after sanitising.
	WarnUnusable = "name-unusable"
)

// lastResort is the name of somebody about whom nothing is known.
const lastResort = "unknown"

// Warning is something that a person should know.
type Warning struct {
	Code   string `json:"code"`   // what it is about, in kebab-case, such as plan-edited; new codes may be added
	Detail string `json:"detail"` // the particulars, for a person, on one line without control characters
}

// User is the answer of Find.
type User struct {
	Name     string    `json:"user"` // the sanitised name, never empty, safe as one path element
	Raw      string    `json:"raw"`  // the name as its source gave it
	Source   Source    `json:"source"`
	Warnings []Warning `json:"warnings"` // what a person should know
	// Guessed says that git has, or may have, a name that it could not tell: it refused, did not answer in time, or was
	// not asked because it would have waited for ever. Name is then the best that is left, and may be another one the
	// next time, so nothing should be written under it. It is not set where git says that there is no user.name or no
	// repository, nor where there is no git program and every file could be read.
	Guessed bool `json:"-"`
}

// World is what Find looks at besides the files of the user and the project. SystemWorld makes one.
type World struct {
	env      environment
	git      string                // the path of the git program, "" for none
	system   []string              // the system's configuration files
	patience time.Duration         // how long git may take
	run      func(*exec.Cmd) error // runs git
	osUser   func() (string, error)
	hostname func() (string, error)
}

// SystemWorld is the real world, seen with the environment env (usually os.Environ).
func SystemWorld(env []string) World {
	e := readEnvironment(env)
	git := lookGit(e.path)
	return World{
		env:      e,
		git:      git,
		system:   systemFiles(git),
		patience: 5 * time.Second,
		run:      (*exec.Cmd).Run,
		osUser:   osUser,
		hostname: os.Hostname,
	}
}

// Find finds out who works in dir, the directory in which git would be asked. It always has an answer: the
// user.name that git gives there, else the OS user, else the short host name, else "unknown". A source
// whose name sanitises to nothing is passed over with a warning. What went wrong with git is a warning
// too, never an error. ctx ends the wait for git early.
func Find(ctx context.Context, w World, dir string) User {
	git := w.gitName(ctx, dir)
	u := User{Warnings: git.warnings, Guessed: git.guessed}
	if git.named && u.take(SourceGit, git.name) {
		return u
	}
	if raw, err := w.osUser(); err == nil && raw != "" && u.take(SourceOS, raw) {
		return u
	}
	if raw, err := w.hostname(); err == nil {
		raw, _, _ = strings.Cut(raw, ".")
		if raw != "" && u.take(SourceHostname, raw) {
			return u
		}
	}
	u.take(SourceDefault, lastResort)
	return u
}

// take makes raw the user's name, or warns that it is no use and reports false.
func (u *User) take(from Source, raw string) bool {
	name := Sanitize(raw)
	if name == "" {
		const shown = 80
		quoted := fmt.Sprintf("%.*q", shown, raw)
		u.Warnings = append(u.Warnings, Warning{WarnUnusable, string(from) + ": " + quoted + " has no letter a-z and no digit"})
		return false
	}
	u.Name, u.Raw, u.Source = name, raw, from
	return true
}
