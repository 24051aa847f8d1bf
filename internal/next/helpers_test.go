package next

import (
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

// listing returns a List of files.
func listing(files ...string) roadmap.List {
	dirs := map[string][]string{}
	for _, file := range files {
		for ; file != "."; file = path.Dir(file) {
			if dir, name := path.Dir(file), path.Base(file); !slices.Contains(dirs[dir], name) {
				dirs[dir] = append(dirs[dir], name)
			}
		}
	}
	return func(dir string) []string { return slices.Clone(dirs[dir]) }
}

// below joins a directory with each of the names, which are separated by blanks.
func below(dir, names string) []string {
	files := strings.Fields(names)
	for i := range files {
		files[i] = path.Join(dir, files[i])
	}
	return files
}

// doneFiles names a plan and its summary.
func doneFiles(stem string) string { return stem + "-PLAN.md " + stem + "-SUMMARY.md" }

// number parses a number; it returns zero for any other text.
func number(text string) planref.Number {
	n, _ := planref.ParseNumber(text)
	return n
}

func parse(src string) *roadmap.Roadmap { return roadmap.Parse([]byte(src), "") }
