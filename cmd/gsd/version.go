package main

import (
	"runtime"
	"runtime/debug"

	"github.com/gsd-cli/gsd/internal/agent"
)

// What .goreleaser.yaml sets when it links a release. Any other build has what the go command recorded: the module's version, and
// the commit if it was built in a clone.
var releaseVersion, releaseCommit, releaseDate string

// version describes the build: its version, commit and date as far as they are known, and the module, by which gsd install knows
// this program from others of its name.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown of " + agent.Module
	}
	v, commit, date, modified := releaseVersion, releaseCommit, releaseDate, ""
	if v == "" {
		v = info.Main.Version
	}
	if v == "" {
		v = "(devel)"
	}
	if commit == "" {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				commit = s.Value
			case "vcs.time":
				date = s.Value
			case "vcs.modified":
				if s.Value == "true" {
					modified = ", modified"
				}
			}
		}
	}
	v += " of " + agent.Module
	if commit != "" {
		v += ", commit " + commit[:min(12, len(commit))] + " of " + date + modified
	}
	return v + ", " + info.GoVersion + " " + runtime.GOOS + "/" + runtime.GOARCH
}
