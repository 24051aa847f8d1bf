package worktree

import (
	"fmt"
	"testing"

	"github.com/gsd-cli/gsd/internal/gitlog"
)

// BenchmarkLook is what hydrate adds: a plan of three tasks, of which two have their files, in repositories of two sizes.
func BenchmarkLook(b *testing.B) {
	for _, size := range []int{200, 50_000} {
		r := newRepo(b)
		for i := range size {
			r.write(fmt.Sprintf("lib/pkg%03d/component%02d/source_file_%05d.go", i/200, i/20%10, i), "package x\n")
		}
		r.write("src/alpha.go", "package a\n")
		r.commit()
		r.age("src/alpha.go")
		r.write("src/beta.go", "package b\n")
		for name, prepare := range map[string]func(){"clean": func() { r.remove("src/beta.go") }, "untracked": func() {}, "staged": func() { r.git("add", "src/beta.go") }} {
			r.write("src/beta.go", "package b\n")
			prepare()
			b.Run(fmt.Sprintf("%d/%s", size, name), func(b *testing.B) {
				for b.Loop() {
					Look(gitlog.Find(r.dir), []string{"src/beta.go", ".planning/phases/01-one/01-01-PLAN.md", "src/alpha.go", "src/gamma.go"}, nil)
				}
			})
			r.git("reset", "-q")
		}
	}
}
