package progress

import (
	"fmt"
	"testing"

	"github.com/gsd-cli/gsd/planfile"
)

// TestWords: what a plan itself says of a task counts where nobody has set its status, and no commit certainly shows it; an unclear word is
// only named.
func TestWords(t *testing.T) {
	t.Parallel()
	sure := []string{"a"}
	for _, test := range []struct {
		word string // of the plan; "-" for no status
		task Task
		want string
	}{
		{"complete", Task{}, "complete complete"},
		{"COMPLETED", Task{}, "complete COMPLETED"},
		{"Done", Task{Status: planfile.Pending}, "complete Done"},
		{"skipped", Task{}, "skipped skipped"},
		{"in_progress", Task{}, "in-progress in_progress"},
		{"in-progress", Task{Status: planfile.Complete}, "in-progress in-progress"},
		{"done", Task{Status: planfile.InProgress}, "complete done"},
		{"pending", Task{}, " "},
		{"", Task{}, " "},
		{"-", Task{}, " "},
		{"PARTIAL", Task{Status: planfile.Pending}, "pending PARTIAL unclear"},
		{"COMPLETE (modified)", Task{}, " COMPLETE (modified) unclear"},
		{"resolved", Task{Status: planfile.InProgress}, "in-progress "},
		{"not done", Task{}, " not done unclear"},
		{"done", Task{Status: planfile.Pending, Set: noon}, "pending "},
		{"done", Task{Status: planfile.InProgress, Set: noon}, "in-progress "},
		{"PARTIAL", Task{Status: planfile.Complete, Set: noon}, "complete "},
		{"done", Task{Status: planfile.InProgress, Commits: sure}, "in-progress "},
		{"in-progress", Task{Status: planfile.Complete, Commits: []string{}}, "complete "},
		{"done", Task{Status: planfile.Pending, Commits: sure}, "complete done"},
	} {
		status := fmt.Sprintf(" status=%q", test.word)
		if test.word == "-" {
			status = ""
		}
		said := Words(planfile.Parse(fmt.Appendf(nil, "<task%s><name>A</name></task>\n<task status=\"x\"></task>", status)))
		tasks := []Task{test.task}
		AddWords(tasks, said, true)
		got := string(tasks[0].Status) + " " + tasks[0].Word
		if tasks[0].IsUnclear() {
			got += " unclear"
		}
		if got != test.want || tasks[0].Word != "" && tasks[0].Commits != nil {
			t.Errorf("%q on %+v: %q, want %q", test.word, test.task, got, test.want)
		}
	}
	for _, none := range []string{"<task></task>", "<task status=\"pending\"></task>\n<task status=\"\"></task>", "# Plan", "<task status=\"done\" status=\"pending\"></task>"} {
		if said := Words(planfile.Parse([]byte(none))); said != nil {
			t.Errorf("%s: %+v", none, said)
		}
	}
}

// TestWordsOfAnother: a plan that was edited since says it of the tasks that it has in common with a session, not of those of one number.
func TestWordsOfAnother(t *testing.T) {
	t.Parallel()
	session := Describe(planfile.Parse([]byte("<task><name>A</name>a</task>\n<task><name>B</name>b</task>\n<task><name>C</name>c</task>\n<task><name>C</name>d</task>")))
	plan := planfile.Parse([]byte("<task status=\"done\"><name>New</name>n</task>\n<task status=\"done\"><name>B</name>b</task>\n" +
		"<task status=\"half\"><name>A</name>a</task>\n<task status=\"done\"><name>C</name>e</task>"))
	AddWords(session, Words(plan), false)
	if got := fmt.Sprint(session[0].Word, " ", session[1].Status, " ", session[2].Word, session[3].Word); got != "half complete " {
		t.Error(got)
	}
}

// TestForgetWords: a word that was recorded gives no status, unless somebody has set it since.
func TestForgetWords(t *testing.T) {
	t.Parallel()
	tasks := []Task{
		{Status: planfile.Complete, Word: "done"},
		{Status: planfile.Complete},
		{Status: planfile.Skipped, Set: noon, Word: "skip"},
	}
	ForgetWords(tasks)
	if got := fmt.Sprintf("%s %s %s %s", tasks[0].Status, tasks[0].Word, tasks[1].Status, tasks[2].Status); got != "pending  complete skipped" {
		t.Error(got)
	}
}
