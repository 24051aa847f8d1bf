package identity

// What identity looks at besides files. Everything that asks the machine stands here, so that a test can
// put something else in its place; the files below are found through HOME in Env, so they need no stand-in.

import (
	"context"
	"os"
	"time"
)

// World is what identity looks at besides files. The zero value is not usable; SystemWorld gives the real
// one.
type World struct {
	// Env is the environment, in the form of os.Environ. git is run with exactly this.
	Env []string
	// LookGit gives the absolute path of the git program that Env's PATH leads to, or "".
	LookGit func(env []string) string
	// SystemFiles gives the system configuration files that the git program at the given path ("" for
	// none) may read. ok is false if that cannot be told.
	SystemFiles func(git string) (files []string, ok bool)
	// RunGit runs git once and waits for it.
	RunGit func(context.Context, GitCall) GitReply
	// Patience is how long git may take; 0 means 5 seconds.
	Patience time.Duration
	// OSUser gives the name of the user that this process runs as, without a Windows domain.
	OSUser func() (string, error)
	// Hostname gives the host's name; Find cuts it at the first dot.
	Hostname func() (string, error)
}

// SystemWorld is the real world, seen with env (usually os.Environ).
func SystemWorld(env []string) World {
	return World{
		Env:         env,
		LookGit:     lookGit,
		SystemFiles: systemFiles,
		RunGit:      runGit,
		OSUser:      osUser,
		Hostname:    os.Hostname,
	}
}
