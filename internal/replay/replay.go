// Package replay gives tests access to the real histories in ../shared/replay, beside the checkout. They are read from
// git bundles and never copied into this repository, because their text belongs to their authors.
package replay

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/testenv"
)

// Dir returns the directory of the data. It skips the test with -short, without git, and if the data is missing, unless the variable CI
// is set.
func Dir(t testing.TB) string {
	t.Helper()
	if testing.Short() {
		t.Skip("the histories take seconds to read")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git program")
	}
	top, err := filepath.Abs(".")
	for err == nil && top != filepath.Dir(top) {
		if _, missing := os.Stat(filepath.Join(top, "go.mod")); missing == nil {
			break
		}
		top = filepath.Dir(top)
	}
	dir := filepath.Join(top, "../shared/replay")
	if _, err := os.Stat(dir); err != nil {
		testenv.Missing(t, "no replay data in ../shared/replay")
	}
	return dir
}

// quick are the projects that are read without GSD_THOROUGH=1: small ones with many labels.
var quick = []string{"r09", "r33"}

func isRead(bundle string) bool {
	return testenv.Thorough() || slices.Contains(quick, strings.TrimSuffix(filepath.Base(bundle), ".bundle"))
}

// Files returns the bundles in the given directories of [Dir]: ".", "full" or "more". There is at least one in each. With GSD_THOROUGH=1
// these are all, else a few, as for everything here that lists something.
func Files(t testing.TB, sets ...string) []string {
	t.Helper()
	var all []string
	for _, set := range sets {
		files, err := filepath.Glob(filepath.Join(Dir(t), set, "r*.bundle"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no history in %s of the replay data: %v", set, err)
		}
		all = append(all, slices.DeleteFunc(files, func(name string) bool { return !isRead(name) })...)
	}
	return all
}

// Bundles returns their names as [Open] takes them, such as r01 or full/r01.
func Bundles(t testing.TB, sets ...string) []string {
	t.Helper()
	names := Files(t, sets...)
	for i, name := range names {
		rel, err := filepath.Rel(Dir(t), name)
		if err != nil {
			t.Fatal(err)
		}
		names[i] = filepath.ToSlash(strings.TrimSuffix(rel, ".bundle"))
	}
	return names
}

// A Plan is a version of a plan, as tasks.tsv labels it.
type Plan struct {
	Bundle, Blob, Path, Dialect string
	Tasks                       int
	Source                      []byte
}

// Plans returns those of tasks.tsv.
func Plans(t testing.TB) (plans []Plan) {
	t.Helper()
	labels, err := os.ReadFile(filepath.Join(Dir(t), "tasks.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	open := map[string]*Objects{}
	for line := range strings.Lines(string(labels)) {
		field := strings.Fields(line)
		if strings.HasPrefix(line, "#") || field[0] == "bundle" || !isRead(field[0]) {
			continue
		}
		p := Plan{Bundle: field[0], Blob: field[1], Path: field[2], Dialect: field[3]}
		if p.Tasks, err = strconv.Atoi(field[4]); err != nil {
			t.Fatalf("tasks.tsv: %q: %v", line, err)
		}
		if open[p.Bundle] == nil {
			open[p.Bundle] = Open(t, p.Bundle)
		}
		p.Source, _ = open[p.Bundle].Get(p.Blob)
		plans = append(plans, p)
	}
	return plans
}

// Objects reads the objects of one history. It uses one process for all of them, because starting one for each is slow.
type Objects struct {
	t    testing.TB
	repo string
	in   io.Writer
	out  *bufio.Reader
}

// Open clones a bundle of [Dir], such as r01.
func Open(t testing.TB, bundle string) *Objects {
	t.Helper()
	o := &Objects{t: t, repo: t.TempDir()}
	o.Git("clone", "--quiet", "--bare", filepath.Join(Dir(t), bundle+".bundle"), ".")
	cmd := exec.Command("git", "-C", o.repo, "cat-file", "--batch")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	o.in, o.out = in, bufio.NewReader(out)
	return o
}

// Git runs git in the clone and returns its output.
func (o *Objects) Git(args ...string) string {
	o.t.Helper()
	out, err := exec.Command("git", append([]string{"-C", o.repo}, args...)...).Output()
	if err != nil {
		o.t.Fatalf("git %v: %v", args, err)
	}
	return string(out)
}

// Get returns the object with the given name, such as REV:PATH or an id, and reports whether it exists.
func (o *Objects) Get(name string) ([]byte, bool) {
	o.t.Helper()
	fmt.Fprintln(o.in, name)
	head, err := o.out.ReadString('\n')
	if err != nil {
		o.t.Fatal(err)
	}
	if strings.HasSuffix(head, " missing\n") {
		return nil, false
	}
	var id, kind string
	var size int
	if _, err := fmt.Sscan(head, &id, &kind, &size); err != nil {
		o.t.Fatalf("%s: %q: %v", name, head, err)
	}
	body := make([]byte, size+1) // with a line feed
	if _, err := io.ReadFull(o.out, body); err != nil {
		o.t.Fatal(err)
	}
	return body[:size], true
}
