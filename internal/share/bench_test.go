package share

import (
	"fmt"
	"testing"

	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/planfile"
)

// of returns a session with some tasks.
func of(worktree, tasks int) []Session {
	s := Session{Plan: "phases/03-auth/03-02-PLAN.md", Worktree: fmt.Sprintf("w%d", worktree), Started: noon, Machine: "laptop", Branch: "main", Changed: noon}
	for i := range tasks {
		s.Tasks = append(s.Tasks, Task{ID: fmt.Sprintf("%012x", i), Status: planfile.Complete, Set: at(worktree)})
	}
	return []Session{s}
}

func BenchmarkMerge1000Tasks(b *testing.B) {
	all := of(1, 1000)
	var ids []string
	for _, t := range all[0].Tasks {
		ids = append(ids, t.ID)
	}
	own := progress.Record{Tasks: make([]progress.Task, len(ids))}
	for b.Loop() {
		Merge(own, all[0].Plan, ids, all, func(Session, Task) bool { return true })
	}
}

func BenchmarkDecode1000Tasks(b *testing.B) {
	files := encoded(b, of(1, 1000))
	b.SetBytes(int64(len(files["phases/03-auth/03-02-PLAN.md"])))
	for b.Loop() {
		if _, err := Decode(files); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDecode10000Users decodes what a team's picture needs: a session of five tasks of each.
func BenchmarkDecode10000Users(b *testing.B) {
	files := encoded(b, of(1, 5))
	for b.Loop() {
		for range 10000 {
			if _, err := Decode(files); err != nil {
				b.Fatal(err)
			}
		}
	}
}
