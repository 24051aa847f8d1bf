package evidence

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/gitlog"
)

const plan31 = ".planning/phases/03-data/03-01-PLAN.md"

// fake implements Objects.
type fake struct {
	body           string
	merge, foreign bool
	changes        []gitlog.Change   // in the planning directory
	files          []string          // and outside of it
	version        string            // of the plan
	others         map[string]string // versions of other plans
	err            error
}

func (f *fake) Merge() bool                       { return f.merge }
func (f *fake) Body() string                      { return f.body }
func (f *fake) Changes() ([]gitlog.Change, error) { return f.changes, f.err }
func (f *fake) Outside() (bool, bool, error)      { return len(f.files) > 0, f.foreign, f.err }
func (f *fake) Files() ([]string, error)          { return f.files, f.err }

func (f *fake) Version(name string) (string, error) {
	if name != plan31 {
		return f.others[name], f.err
	}
	return f.version, f.err
}

// history makes commits, newest first, from lines, oldest first: `subject | +added ~modified -removed`, or with
// `!merge`, `!foreign`, `!lacks` (the plan), `!v2` (another version of it) and `=path` (the plan there) among the
// files. What follows a line feed in the subject is the body.
func history(lines ...string) []*Commit {
	var all []*Commit
	for i, line := range lines {
		message, files, _ := strings.Cut(line, " | ")
		subject, body, _ := strings.Cut(message, "\n")
		f := &fake{body: body, version: "v", others: map[string]string{}}
		for file := range strings.FieldsSeq(files) {
			change := gitlog.Change{Path: file[1:], Kind: map[byte]gitlog.Kind{'+': gitlog.Added, '~': gitlog.Modified, '-': gitlog.Removed}[file[0]]}
			switch {
			case file == "!merge":
				f.merge = true
			case file == "!foreign":
				f.foreign = true
			case file == "!lacks":
				f.version = ""
			case file == "!v2":
				f.version = "v2"
			case file[0] == '=':
				f.others[change.Path] = "v"
			case strings.HasPrefix(change.Path, ".planning/"):
				f.changes = append(f.changes, change)
			default:
				f.files = append(f.files, change.Path)
			}
		}
		all = append(all, &Commit{ID: hash(i + 1), When: time.Unix(int64(60*(i+1)), 0), Subject: subject, Objects: f})
	}
	slices.Reverse(all)
	return all
}

// hash returns the hash of the nth oldest commit.
func hash(n int) string { return fmt.Sprintf("%07d%033d", n, n) }

func values(commits []*Commit) iter.Seq[*Commit] { return slices.Values(commits) }

// tasksOf makes a plan of tasks: `name`, `name | file file`, `test: name` for a test-driven one, `stop: name` for a
// checkpoint.
func tasksOf(tasks ...string) Plan {
	p := Plan{Path: plan31, Root: ".planning", ID: "03-01"}
	for i, text := range tasks {
		name, files, _ := strings.Cut(text, " | ")
		t := Task{Number: i + 1, Type: "auto", Files: strings.Fields(files)}
		if t.Name, t.TDD = strings.CutPrefix(name, "test: "); !t.TDD {
			if bare, ok := strings.CutPrefix(name, "stop: "); ok {
				t.Name, t.Type = bare, "checkpoint:human-verify"
			}
		}
		p.Tasks = append(p.Tasks, t)
	}
	return p
}

// given formats an answer, with confidence in hundredths: `1=2@97 -=3@60` means that the second oldest commit carried
// out task 1, and that the third belongs to the plan but to none of its tasks.
func given(f Found) string {
	var all []string
	add := func(task string, some []Evidence) {
		for _, e := range some {
			n, _ := strconv.Atoi(e.ID[:7])
			all = append(all, fmt.Sprintf("%s=%d@%.0f", task, n, 100*e.Confidence))
		}
	}
	for _, t := range f.Tasks {
		add(strconv.Itoa(t.Number), t.Commits)
	}
	add("-", f.Unassigned)
	return strings.Join(all, " ")
}

// letters returns the first letters of the statuses.
func letters(f Found) string {
	var all strings.Builder
	for _, s := range f.Statuses(DefaultConfidence) {
		all.WriteByte(s[0])
	}
	return all.String()
}
