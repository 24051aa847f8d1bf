// Package testdata holds what tests share, and the sample project that gsd demo plays its story on:
//
//   - sample: a small project with a roadmap and two plans
//   - script: what a person at a terminal would type and see, as testscript runs it over the real program
//   - states: what the program says in the states of a project that differ most
//   - replay: what gsd answers on the real histories beside the checkout
//   - memory: a package whose import keeps what tests write in memory
package testdata

import (
	"embed"
	"io/fs"
)

//go:embed all:sample
var files embed.FS

// Sample returns the sample project.
func Sample() fs.FS {
	sample, err := fs.Sub(files, "sample")
	if err != nil {
		panic(err) // it is there
	}
	return sample
}
