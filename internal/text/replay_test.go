package text

import (
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/replay"
	"github.com/gsd-cli/gsd/internal/testenv"
	"github.com/gsd-cli/gsd/planfile"
)

// TestDefangReplay measures what becomes of real plans: of the tasks' texts, as they are shown, few lines change, and
// next to none that has no tag in it. The plans are their authors' and are only read.
func TestDefangReplay(t *testing.T) {
	tasks, lines, changed, compared := 0, 0, 0, 0
	for _, p := range replay.Plans(t) {
		f := planfile.Parse(p.Source)
		for _, task := range f.Tasks {
			tasks++
			children, err := f.Children(task.Number)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range children {
				text := Clean(c.Text)
				after := Defang(text)
				if Defang(after) != after {
					t.Errorf("%s: not the same again: %q", p.Bundle, text)
				}
				was := strings.Split(text, "\n")
				for i, is := range strings.Split(after, "\n") {
					lines++
					if is != was[i] {
						changed++
					}
					if strings.Contains(is, " ‹ ") {
						compared++
					}
				}
			}
		}
	}
	t.Logf("%d tasks: %d of %d lines change (%.2f %%), %d of them a comparison", tasks, changed, lines, 100*float64(changed)/float64(lines), compared)
	if tasks < testenv.Count(50, 1000) || changed*100 > lines*4 || compared*5000 > lines {
		t.Errorf("more than 4 %% of the lines change, or more than 1 in 5,000 is a comparison that does")
	}
}
