// Package upstream compares gsd with upstream: both programs are asked the same questions about random projects and the
// heads of real ones. It needs GSD_CORE, the directory in which test/upstream/install.sh installed upstream: run.sh
// does that, too.
package upstream

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// core is a node process that runs upstream's code and answers one question at a time.
type core struct {
	in  io.WriteCloser
	out *bufio.Reader
}

// startCore starts a core for the duration of a test.
func startCore(t *testing.T) *core {
	t.Helper()
	dir := os.Getenv("GSD_CORE")
	if dir == "" {
		t.Skip("GSD_CORE is not set to the directory in which test/upstream/install.sh installed upstream")
	}
	cmd := exec.Command("node", "ask.cjs", filepath.Join(dir, "node_modules", "@opengsd", "gsd-core", "gsd-core", "bin", "lib"))
	for _, env := range os.Environ() {
		if len(env) < 4 || env[:4] != "GSD_" {
			cmd.Env = append(cmd.Env, env)
		}
	}
	cmd.Stderr = os.Stderr
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
		cmd.Wait()
	})
	return &core{in, bufio.NewReaderSize(out, 1<<20)}
}

// question is a line that ask.cjs reads.
type question struct {
	Dir string   `json:"dir"`
	Git bool     `json:"git"` // it is a repository
	IDs []string `json:"ids"` // of phases to look up

	Summary  string `json:"summary,omitempty"` // to be judged
	Validate bool   `json:"validate"`          // only check STATE.md
	Complete string `json:"complete"`          // a phase to complete before that

	Env map[string]string `json:"env,omitempty"` // only name the session in it
}

// told is a line of its answer.
type told struct {
	Session string

	Live     []directory
	Archived []directory
	Index    map[string]struct { // by the directory's path
		Error    string
		Plans    []indexed
		Runnable []string
		Warnings []string
	}
	Analyze   analysis
	Milestone struct {
		Value *struct{ Version, Name string }
		Scope string
	}
	Window struct {
		Value []string
		Scope string
	}
	State struct {
		Error    string
		Progress struct {
			TotalPhases     *int `json:"total_phases"`
			CompletedPhases *int `json:"completed_phases"`
			TotalPlans      *int `json:"total_plans"`
			CompletedPlans  *int `json:"completed_plans"`
			Percent         *int
		}
	}
	Found  map[string]lookup   // by id
	Tasks  map[string][]string // the names of the tasks, by the plan's path
	Judged *judged
	Failed string

	Validated struct {
		Error  string
		Codes  []string // of its findings
		Behind *int     // how many commits STATE.md is behind, nil if unknown
	}
}

// judged is what upstream's commands say about a summary.
type judged struct {
	Valid struct {
		Valid   bool
		Missing []string
	}
	Verified struct {
		Passed bool
		Checks struct {
			Files struct {
				Checked int
				Missing []string
			} `json:"files_created"`
			Commits bool `json:"commits_exist"`
		}
		Errors []string
	}
	Extracted struct {
		OneLiner  string                               `json:"one_liner"`
		Completed []string                             `json:"requirements_completed"`
		Files     struct{ Created, Modified []string } `json:"key_files"`
	}
}

// directory is a phase's directory as upstream reads it. Plans are named relative to it.
type directory struct {
	Dir          string
	Key          string // of its number, as upstream compares them
	Token        string
	Plans        []string
	Superseded   []string
	Summaries    []string
	Blocked      []string // those that say so
	Closed       []string
	Canonical    map[string]string // the id of each plan
	Verification string
}

// indexed is one plan as upstream schedules it.
type indexed struct {
	ID         string
	Wave       int
	HasSummary bool `json:"has_summary"`
	Halted     bool
	BlockedBy  []string `json:"blocked_by"`
}

// analysis is the roadmap as upstream reads it.
type analysis struct {
	Error        string
	Phases       []analyzed
	CurrentPhase string   `json:"current_phase"`
	NextPhase    string   `json:"next_phase"`
	Missing      []string `json:"missing_phase_details"` // phases that only a list has
	Scope        string
}

// missing returns the keys of the phases that only a list has.
func (a analysis) missing() []string {
	var keys []string
	for _, n := range a.Missing {
		keys = append(keys, key(n))
	}
	return keys
}

// analyzed is one phase of an analysis.
type analyzed struct {
	Number       string
	Name         string
	PlanCount    int    `json:"plan_count"`
	SummaryCount int    `json:"summary_count"`
	DiskStatus   string `json:"disk_status"`
}

type lookup struct {
	Found     bool
	Directory string
	Ambiguous []string
}

// ask sends questions about the project in a directory.
func (c *core) ask(t fataler, q question) *told {
	t.Helper()
	line, err := json.Marshal(q)
	if err == nil {
		_, err = c.in.Write(append(line, '\n'))
	}
	if err != nil {
		t.Fatalf("asking upstream: %v", err)
	}
	text, err := c.out.ReadBytes('\n')
	if err != nil {
		t.Fatalf("upstream's answer: %v", err)
	}
	a := &told{}
	if err := json.Unmarshal(text, a); err != nil {
		t.Fatalf("upstream's answer: %v\n%s", err, text)
	}
	if a.Failed != "" {
		t.Fatalf("upstream failed: %s", a.Failed)
	}
	return a
}

// fataler is a test, rapid's or Go's.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}
