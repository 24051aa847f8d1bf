package main

import (
	"runtime"
	"runtime/debug"
)

// version describes the build, as recorded by the go command.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v := info.Main.Version
	if v == "" {
		v = "(devel)"
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			v += " " + s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			v += " modified"
		}
	}
	return v + " " + info.GoVersion + " " + runtime.GOOS + "/" + runtime.GOARCH
}
