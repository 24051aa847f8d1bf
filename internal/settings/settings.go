// Package settings lists the settings that gsd reads, keys of git's configuration and variables of the environment, for gsd config: what
// each is for, and what it is set to. The packages that need a setting read it themselves.
package settings

import (
	"context"
	"errors"
	"os/exec"
	"strconv"
	"strings"

	"github.com/gsd-cli/gsd/internal/gitexec"
	"github.com/gsd-cli/gsd/internal/problem"
)

// Kind is where a setting is made.
type Kind string

// The kinds, in the order in which they are listed.
const (
	Git         Kind = "git-config"  // git config NAME VALUE, which --global makes for all of a user's repositories
	Environment Kind = "environment" // a variable of the environment
)

// Settings is the answer of gsd config.
type Settings struct {
	Settings []Setting         `json:"settings"` // all settings that gsd reads, also those that are not set
	Warnings []problem.Warning `json:"warnings"` // what could not be read
}

// Setting is one setting. Its value is untrusted.
type Setting struct {
	Name    string `json:"name"`                 // such as gsd.remote or GSD_RUN
	Kind    Kind   `json:"kind"`                 // where it is made
	Use     string `json:"use"`                  // what it is for, for a person
	Default string `json:"default"`              // what counts if it is not set, in words
	Value   string `json:"value" empty:"null"`   // what it is set to, a URL without its password; null if it is not set here
	Scope   string `json:"scope" empty:"null"`   // in which of git's configurations it is set: system, global, local, worktree or command; else null
	Problem string `json:"problem" empty:"null"` // why its value does not count; null if nothing is known to be wrong with it
}

// Options say where to look.
type Options struct {
	Dir    string // the directory in which git is asked
	Env    []string
	Getenv func(string) string
	Git    string // the program git; empty for none
}

// Unread is the code of the warning that git's configuration could not be read.
const Unread = "git-config-unread"

// Find returns all settings with their values, in the order of the table. It only reads.
func Find(ctx context.Context, o Options) *Settings {
	answer := &Settings{}
	inGit, err := gitConfig(ctx, o)
	if err != nil {
		answer.Warnings = append(answer.Warnings, problem.Warning{Code: Unread, Says: err.Error()})
	}
	for _, e := range table() {
		s := e.Setting
		if s.Kind == Git {
			found := inGit[strings.ToLower(s.Name)]
			s.Value, s.Scope = found.value, found.scope
		} else {
			s.Value = o.Getenv(s.Name)
		}
		if s.Value != "" && e.check != nil {
			s.Problem = e.check(s.Value)
		}
		if s.Value != "" && e.show != nil {
			s.Value = e.show(s.Value)
		}
		answer.Settings = append(answer.Settings, s)
	}
	return answer
}

// A configured is a value of git's configuration, and where it is from.
type configured struct{ scope, value string }

// gitConfig returns what git's configuration has of the settings, by their names in lower case. The last of several values counts, as in git.
func gitConfig(ctx context.Context, o Options) (map[string]configured, error) {
	if o.Git == "" {
		return nil, errors.New("there is no git program in PATH")
	}
	found := map[string]configured{}
	out, err := gitexec.Git{Dir: o.Dir, Env: o.Env}.Run(ctx, "", "config", "--null", "--show-scope", "--get-regexp", `^(gsd\.|user\.(name|email)$)`)
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		const none = 1 // the status if no key matches
		if failed.ExitCode() == none {
			return found, nil
		}
		said, _, _ := strings.Cut(strings.TrimSpace(string(failed.Stderr)), "\n")
		return nil, errors.New(strings.TrimPrefix(said, "fatal: "))
	}
	if err != nil {
		return nil, err
	}
	for fields := strings.Split(out, "\x00"); len(fields) > 1; fields = fields[2:] {
		key, value, _ := strings.Cut(fields[1], "\n")
		found[key] = configured{fields[0], value}
	}
	return found, nil
}

// MaxFile parses a value of GSD_MAX_FILE_MIB, and returns the size of the largest file to read, in bytes. The error says what the value
// has to be.
func MaxFile(value string) (int64, error) {
	n, err := strconv.ParseInt(value, 10, 32)
	if err != nil || n < 1 || n > 2047 {
		return 0, errors.New("a whole number of MiB, from 1 to 2047")
	}
	return n << 20, nil
}

// Columns parses a value of COLUMNS, and returns how wide a line may be. Hosts set it, because they read from a pipe.
func Columns(value string) (int, error) {
	n, err := strconv.ParseUint(strings.TrimSpace(value), 10, 15)
	if err != nil || n == 0 {
		return 0, errors.New("a whole number from 1 to 32767")
	}
	return int(n), nil
}
