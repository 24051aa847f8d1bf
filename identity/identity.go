// Package identity says who the user is: the name a session belongs to, and where that name came from.
//
// The law of this package: the answer of git is either read from a plain configuration, in this process,
// or it is asked of git. It is never guessed. Nothing that stands in a configuration is ever executed
// here, and git is only ever asked for one value, which executes nothing either.
//
//   - config.go reads one configuration file and says whether it understood all of it;
//   - repository.go finds the repository that git would settle on, or says that it is not sure;
//   - plain.go puts the two together: a name, or a doubt;
//   - ask.go asks git wherever there is a doubt;
//   - sanitize.go turns what somebody is called into the name of a directory.
package identity

import (
	"context"
	"fmt"
	"strings"
)

// Source is where a name came from.
type Source string

// The sources, in the order in which they are asked (docs/design.md, identity).
const (
	SourceGit      Source = "git"
	SourceOS       Source = "os"
	SourceHostname Source = "hostname"
	SourceDefault  Source = "default"
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

// Warning is something the user should know about the answer. Code is kebab-case and stable; Detail is one
// line for a person, without control characters.
type Warning struct{ Code, Detail string }

// User is the answer of Find.
type User struct {
	Name     string // sanitised, never empty, safe as one path element
	Raw      string // as the source gave it
	Source   Source
	Warnings []Warning // nil if there is nothing to say
	// Guessed says that git has, or may have, a name that it could not tell: it refused, did not answer in time, or was
	// not asked because it would have waited for ever. Name is then the best that is left, and may be another one the
	// next time, so nothing should be written under it. It is not set where git says that there is no user.name or no
	// repository, nor where there is no git program and every file could be read.
	Guessed bool
}

// Find says who works in dir, the directory in which git would be asked. It always has an answer: the
// user.name that git gives there, else the OS user, else the short host name, else "unknown". A source
// whose name sanitises to nothing is passed over with a warning. What went wrong with git is a warning
// too, never an error. ctx ends the wait for git early.
func Find(ctx context.Context, w World, dir string) User {
	return w.choose(w.gitName(ctx, dir))
}

// choose walks down the sources from git's answer.
func (w World) choose(git answer) User {
	u := User{Warnings: git.warnings, Guessed: git.guessed}
	if git.state == nameSet && u.take(SourceGit, git.raw) {
		return u
	}
	if raw, err := w.OSUser(); err == nil && raw != "" && u.take(SourceOS, raw) {
		return u
	}
	if raw, err := w.Hostname(); err == nil {
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
