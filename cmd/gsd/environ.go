package main

import (
	"runtime"

	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/settings"
)

// An environ is an environment, as in os.Environ.
type environ []string

func (e environ) get(name string) string { return app.Environ(e).Get(name) }

// home returns the home directory, as hosts find it.
func (e environ) home() string {
	if runtime.GOOS == "windows" {
		return e.get("USERPROFILE")
	}
	return e.get("HOME")
}

// columns returns how wide a line may be where there is no terminal.
func (e environ) columns() int {
	n, err := settings.Columns(e.get("COLUMNS"))
	if err != nil {
		return 80
	}
	return n
}

// caller determines who runs this program.
func (e environ) caller() run.Caller { return app.Environ(e).Caller() }

// callerIn is caller for an agent in the host with that name, if it is not empty. If the environment is that of another host,
// it belongs to another agent, and only GSD_RUN counts.
func (e environ) callerIn(name string) run.Caller {
	c := e.caller()
	if name != "" && name != c.Host {
		return run.Caller{Token: c.Token, Host: name, Shared: agent.SharesProcess(name)}
	}
	return c
}
