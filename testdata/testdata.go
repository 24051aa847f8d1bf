// Package testdata holds what tests share, and the sample project that gsd demo plays its story on:
//
//   - sample: a small project with a roadmap and two plans
//   - script: what a person at a terminal would type and see, as testscript runs it over the real program
//   - frozen: what every command prints in every state of a project
//   - replay: what gsd answers on the real histories beside the checkout
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
