package share

import (
	"fmt"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/planfile"
)

// of returns a state of one plan with some tasks.
func of(user, tasks int) State {
	l := Local{Plan: "phases/03-auth/03-02-PLAN.md", Place: Place{Started: noon, Machine: "laptop", Branch: "main"}, Changed: noon}
	for i := range tasks {
		l.IDs = append(l.IDs, fmt.Sprintf("%012x", i))
		l.Tasks = append(l.Tasks, progress.Task{Status: planfile.Complete})
	}
	return Replica{}.Observe(fmt.Sprintf("w%d", user), []Local{l}, noon.Add(time.Duration(user)*time.Second)).Known
}

func BenchmarkMerge1000Tasks(b *testing.B) {
	x, y := of(1, 1000), of(2, 1000)
	for b.Loop() {
		Merge(x, y)
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

func BenchmarkMerge10000Users(b *testing.B) {
	x, y := of(1, 5), of(2, 5)
	for b.Loop() {
		for range 10000 {
			Merge(x, y)
		}
	}
}
