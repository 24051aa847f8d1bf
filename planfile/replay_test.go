package planfile

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// replayPlan is a row of ../shared/replay/tasks.tsv with the bytes that it labels.
type replayPlan struct {
	bundle, blob, path string
	dialect            Dialect
	tasks              int
	src                []byte
}

// replayPlans reads every labelled plan version straight out of the bundles; what the authors wrote is
// theirs and is never copied into this repository.
func replayPlans(t testing.TB) []replayPlan {
	t.Helper()
	if testing.Short() {
		t.Skip("the bundles take seconds to read")
	}
	dir, err := filepath.Abs("../../shared/replay")
	if err != nil {
		t.Fatal(err)
	}
	labels, err := os.ReadFile(filepath.Join(dir, "tasks.tsv"))
	if err != nil {
		t.Skip("the replay data stands in ../shared beside the checkout, and is not here")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git to read the bundles with")
	}
	var plans []replayPlan
	byBundle := map[string][]int{}
	for line := range strings.Lines(string(labels)) {
		field := strings.Split(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(line, "#") || field[0] == "bundle" || len(field) != 5 {
			continue
		}
		n, err := strconv.Atoi(field[4])
		if err != nil {
			t.Fatalf("tasks.tsv: %q: %v", line, err)
		}
		byBundle[field[0]] = append(byBundle[field[0]], len(plans))
		plans = append(plans, replayPlan{bundle: field[0], blob: field[1], path: field[2], dialect: Dialect(field[3]), tasks: n})
	}
	for bundle, rows := range byBundle {
		clone := filepath.Join(t.TempDir(), bundle)
		if out, err := exec.Command("git", "clone", "-q", "--bare", filepath.Join(dir, bundle+".bundle"), clone).CombinedOutput(); err != nil {
			t.Fatalf("git clone %s: %v\n%s", bundle, err, out)
		}
		var ask bytes.Buffer
		for _, i := range rows {
			fmt.Fprintln(&ask, plans[i].blob)
		}
		cmd := exec.Command("git", "-C", clone, "cat-file", "--batch")
		cmd.Stdin = &ask
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git cat-file %s: %v", bundle, err)
		}
		r := bufio.NewReader(bytes.NewReader(out))
		for _, i := range rows {
			var name, kind string
			var size int
			if _, err := fmt.Fscanf(r, "%s %s %d\n", &name, &kind, &size); err != nil {
				t.Fatalf("%s %s: %v", bundle, plans[i].blob, err)
			}
			plans[i].src = make([]byte, size)
			if _, err := io.ReadFull(r, plans[i].src); err != nil {
				t.Fatal(err)
			}
			if _, err := r.Discard(1); err != nil {
				t.Fatal(err)
			}
		}
	}
	return plans
}

func TestReplay(t *testing.T) {
	plans := replayPlans(t)
	wrong := map[string]int{}
	for _, p := range plans {
		if err := Check(p.src); err != nil {
			t.Errorf("%s %s refused: %v", p.bundle, p.blob, err)
			continue
		}
		f := Parse(p.src)
		if !bytes.Equal(f.Bytes(), p.src) {
			t.Errorf("%s %s: Parse then Bytes is not the identity", p.bundle, p.blob)
		}
		if f.Dialect != p.dialect || len(f.Tasks) != p.tasks {
			wrong[p.bundle]++
			t.Errorf("%s %s: %d tasks of dialect %s, labelled %d of %s (%s)", p.bundle, p.blob, len(f.Tasks), f.Dialect, p.tasks, p.dialect, p.path)
		}
		if err := checkSessionLaws(t, f); err != nil {
			t.Errorf("%s %s: %v", p.bundle, p.blob, err)
		}
		for _, task := range f.Tasks {
			if name := f.Name(task.Number); strings.ContainsAny(name, "\n\r") || name == "" {
				t.Errorf("%s %s: task %d is named %q", p.bundle, p.blob, task.Number, name)
			}
		}
		if f.Problems() != nil && len(f.Problems()) != len(f.Tasks) && f.Dialect == DialectTask {
			for _, problem := range f.Problems() {
				if problem.Code != "status-missing" {
					t.Logf("%s %s:%d: %s", p.bundle, p.blob, problem.Line, problem.Detail)
				}
			}
		}
	}
	t.Logf("%d plan versions read", len(plans))
}

// The two ways of reading a task's children are held against each other on the real bodies that are XML:
// etree's is the right one there. The few that differ hold nothing but other people's markup.
func TestReplayCutAgreesWithXML(t *testing.T) {
	agree, differ := 0, 0
	for _, p := range replayPlans(t) {
		f := Parse(p.src)
		for _, task := range f.Tasks {
			body := task.inner.of(f.src)
			root := parseXML(body)
			if root == nil {
				continue
			}
			var want, got []string
			for _, e := range root.ChildElements() {
				want = append(want, e.Tag)
			}
			for _, c := range cutChildren(body) {
				got = append(got, c.name)
			}
			if slices.Equal(want, got) {
				agree++
			} else {
				differ++
				t.Logf("%s %s task %d: XML has %q, cut %q", p.bundle, p.blob, task.Number, want, got)
			}
		}
	}
	t.Logf("%d bodies are XML and agree, %d differ", agree, differ)
	if differ*100 > agree {
		t.Errorf("more than 1 %% differ")
	}
}
