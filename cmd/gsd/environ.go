package main

import (
	"runtime"
	"strings"

	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/settings"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// An environ is an environment, as in os.Environ.
type environ []string

func (e environ) get(name string) string {
	for i := len(e) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(e[i], name+"="); ok {
			return value
		}
	}
	return ""
}

// home returns the home directory, as hosts find it.
func (e environ) home() string {
	if runtime.GOOS == "windows" {
		return e.get("USERPROFILE")
	}
	return e.get("HOME")
}

// limit returns the size of the largest file to read, in bytes.
func (e environ) limit() (int64, error) {
	text := e.get("GSD_MAX_FILE_MIB")
	if text == "" {
		return verdict.DefaultLimit, nil
	}
	n, err := settings.MaxFile(text)
	if err != nil {
		return 0, usage(err.Error(), "GSD_MAX_FILE_MIB is %q", text)
	}
	return n, nil
}

// columns returns how wide a line may be where there is no terminal.
func (e environ) columns() int {
	n, err := settings.Columns(e.get("COLUMNS"))
	if err != nil {
		return 80
	}
	return n
}

// runVariable passes a run's token on to the programs that the agent starts.
const runVariable = "GSD_RUN"

// caller determines who runs this program. The token in GSD_RUN does not replace the variables of a host: an agent that gsd exec
// started has both.
func (e environ) caller() run.Caller {
	c := agent.Detect(e.get)
	caller := run.Caller{Host: c.Host, Conversation: c.Conversation, PID: c.PID, Shared: agent.SharesProcess(c.Host)}
	if token := e.get(runVariable); isName(token) {
		caller.Token = token
	}
	return caller
}

// callerIn is caller for an agent in the host with that name, if it is not empty. If the environment is that of another host,
// it belongs to another agent, and only GSD_RUN counts.
func (e environ) callerIn(name string) run.Caller {
	c := e.caller()
	if name != "" && name != c.Host {
		return run.Caller{Token: c.Token, Host: name, Shared: agent.SharesProcess(name)}
	}
	return c
}
