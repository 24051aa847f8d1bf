// Package seedtest runs the functions of the original shell script, of which gsd keeps the file format: for tests, in which gsd reads what
// they write, and they read what gsd writes.
package seedtest

import (
	_ "embed"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/planfile"
)

// User is whose sessions the script writes.
const User = "ada"

//go:embed seed.sh
var functions string

// Run runs a script with the functions of the original shell script, in a directory and for User, and returns what it printed. Without
// bash, the test is skipped.
func Run(t testing.TB, dir, script string, args ...string) string {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	cmd := exec.Command(bash, append([]string{"-c", "GSD_USER=" + User + "\n" + functions + script, "bash"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// A Reading is what the original script reads in a session file.
type Reading struct {
	Valid      bool   // it takes it for a session
	Resume     string // the number of the task to resume, or ALL_COMPLETE
	Statuses   string // of its tasks, each followed by a space
	Complete   int
	InProgress int
	Pending    int
}

// reading reads the files whose names are in its input.
const reading = `
while IFS= read -r file; do
  validate_session_file "$file"
  echo $?
  parse_resume_point "$file"
  parse_task_statuses "$file" | tr '\n' ' '
  echo
  count_task_statuses "$file"
done < names
`

// Read returns what the original script reads in the files of a directory whose names are, one a line, in its file "names".
func Read(t testing.TB, dir string) (all []Reading) {
	t.Helper()
	lines := strings.Split(Run(t, dir, reading), "\n")
	count := func(line string) int {
		_, number, _ := strings.Cut(line, ": ")
		n, err := strconv.Atoi(number)
		if err != nil {
			t.Fatalf("not a count: %q", line)
		}
		return n
	}
	for ; len(lines) >= 6; lines = lines[6:] {
		all = append(all, Reading{lines[0] == "0", lines[1], lines[2], count(lines[3]), count(lines[4]), count(lines[5])})
	}
	return all
}

// Wanted returns what gsd reads in a session file, which is what the original script has to read, but for the Exceptions.
func Wanted(s *planfile.File) Reading {
	reading := Reading{
		Valid: s.Header.Plan != "" && len(s.Tasks) > 0 && s.HasStatus(), Resume: allComplete,
		Complete: s.Count(planfile.Complete), InProgress: s.Count(planfile.InProgress), Pending: s.Count(planfile.Pending),
	}
	for _, t := range s.Tasks {
		reading.Statuses += string(t.Status) + " "
	}
	if first := answer.FirstOpen(s); first != nil {
		reading.Resume = strconv.Itoa(first.Number)
	}
	return reading
}

const allComplete = "ALL_COMPLETE"

// An Exception is a kind of session that the original script reads otherwise than gsd, on purpose.
type Exception struct {
	Why     string
	Example string // the tasks of one
	Script  string // where the script resumes in it
	GSD     string // where gsd does
	// Reads turns what gsd reads in a session into what the script does; nil if the parsed session does not say so. gsd writes no
	// such session.
	Reads func(s *planfile.File, reading Reading) Reading
}

// Exceptions are all of them.
var Exceptions = []Exception{
	{
		Why:     "it does not know every status; gsd, which cannot know that nothing is left to do, resumes there",
		Example: "<task type=\"auto\" status=\"nearly\">\n</task>\n<task type=\"auto\" status=\"pending\">\n</task>\n", Script: "2", GSD: "1",
		Reads: func(s *planfile.File, reading Reading) Reading {
			reading.Resume = allComplete
			for _, t := range slices.Backward(s.Tasks) {
				if t.Status == planfile.InProgress || t.Status == planfile.Pending {
					reading.Resume = strconv.Itoa(t.Number)
				}
			}
			return reading
		},
	},
	{
		Why:     "it reads examples in fences as tasks",
		Example: "```xml\n<task type=\"auto\" status=\"pending\">\n</task>\n```\n<task type=\"auto\" status=\"complete\">\n</task>\n", Script: "1", GSD: allComplete,
	},
	{
		Why:     "it reads a tag on one line only",
		Example: "<task\n type=\"auto\" status=\"pending\">\n</task>\n<task type=\"auto\" status=\"complete\">\n</task>\n", Script: allComplete, GSD: "1",
	},
	{
		Why:     "it does not read a task without a status",
		Example: "<task type=\"auto\">\n</task>\n<task type=\"auto\" status=\"complete\">\n</task>\n", Script: allComplete, GSD: "1",
		Reads: func(s *planfile.File, reading Reading) Reading {
			reading.Resume, reading.Statuses = allComplete, ""
			read := 0
			for _, t := range s.Tasks {
				if t.Status == "" {
					continue
				}
				if read++; !t.Status.Settled() && reading.Resume == allComplete {
					reading.Resume = strconv.Itoa(read)
				}
				reading.Statuses += string(t.Status) + " "
			}
			return reading
		},
	},
}
