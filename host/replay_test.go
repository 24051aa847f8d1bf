package host

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/planfile"
)

// TestDefangReplay measures what becomes of real plans: of the tasks' texts, as they are shown, few lines change, and
// next to none that has no tag in it. The plans are their authors' and are only read.
func TestDefangReplay(t *testing.T) {
	labels, err := os.ReadFile("../../shared/replay/tasks.tsv")
	if err != nil {
		t.Skip("the replay data is in ../shared beside the checkout, and is not here")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git to read the bundles with")
	}
	blobs := map[string][]string{} // by bundle
	for line := range strings.Lines(string(labels)) {
		if field := strings.Split(line, "\t"); len(field) == 5 && !strings.HasPrefix(line, "#") {
			blobs[field[0]] = append(blobs[field[0]], field[1])
		}
	}
	tasks, lines, changed, compared := 0, 0, 0, 0
	for bundle, ids := range blobs {
		for _, src := range replayBlobs(t, bundle, ids) {
			f := planfile.Parse(src)
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
						t.Errorf("%s: not the same again: %q", bundle, text)
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
	}
	t.Logf("%d tasks: %d of %d lines change (%.2f %%), %d of them a comparison", tasks, changed, lines, 100*float64(changed)/float64(lines), compared)
	if tasks < 1000 || changed*100 > lines*4 || compared*5000 > lines {
		t.Errorf("more than 4 %% of the lines change, or more than 1 in 5,000 is a comparison that does")
	}
}

// replayBlobs reads blobs out of a bundle.
func replayBlobs(t *testing.T, bundle string, ids []string) [][]byte {
	t.Helper()
	file, err := filepath.Abs("../../shared/replay/" + bundle + ".bundle")
	if err != nil {
		t.Fatal(err)
	}
	clone := filepath.Join(t.TempDir(), bundle)
	if out, err := exec.Command("git", "clone", "-q", "--bare", file, clone).CombinedOutput(); err != nil {
		t.Fatalf("git clone %s: %v\n%s", bundle, err, out)
	}
	cmd := exec.Command("git", "-C", clone, "cat-file", "--batch")
	cmd.Stdin = strings.NewReader(strings.Join(ids, "\n") + "\n")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git cat-file %s: %v", bundle, err)
	}
	var all [][]byte
	for r := bufio.NewReader(bytes.NewReader(out)); len(all) < len(ids); {
		var name, kind string
		var size int
		if _, err := fmt.Fscanf(r, "%s %s %d\n", &name, &kind, &size); err != nil {
			t.Fatal(err)
		}
		src := make([]byte, size+1) // with a line's end
		if _, err := io.ReadFull(r, src); err != nil {
			t.Fatal(err)
		}
		all = append(all, src[:size])
	}
	return all
}
