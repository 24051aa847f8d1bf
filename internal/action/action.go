// Package action has what can be run next, as values. What an action is typed as, and whether it writes, follows from its kind; package
// view says what it does.
package action

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gsd-cli/gsd/internal/text"
)

// A Kind is what an action does.
type Kind string

// The kinds of actions. Those of the first part start a session on a plan, or continue one.
const (
	Start      Kind = "start"       // a session on a plan
	StartWith  Kind = "start-with"  // a session on a plan, with the progress that is known
	StartNext  Kind = "start-next"  // a session on the plan that is ready once a summary is written
	StartReady Kind = "start-ready" // a session on a plan that is ready in place of another
	StartLeft  Kind = "start-left"  // a session on a plan that was left behind
	StartFresh Kind = "start-fresh" // a session without what is known
	Again      Kind = "again"       // a session on a plan that has its summary
	AgainFresh Kind = "again-fresh" // the same, without what is known
	Refresh    Kind = "refresh"     // copy what is new in the plan
	Follow     Kind = "follow"      // continue with a plan that was moved
	Adopt      Kind = "adopt"       // continue one's session under a former name
	Bring      Kind = "bring"       // continue a session of another clone here
	TakeUp     Kind = "take-up"     // continue what was just archived, or what another run switched to

	Continue      Kind = "continue"       // the session
	Visit         Kind = "visit"          // look at one's session in another worktree
	Choose        Kind = "choose"         // a workstream
	Begin         Kind = "begin"          // a task
	GoOn          Kind = "go-on"          // with a task that one's own run left
	Done          Kind = "done"           // complete a task
	Approve       Kind = "approve"        // complete a checkpoint, at which the user is asked
	Reset         Kind = "reset"          // set a task back to pending
	ReadTask      Kind = "read-task"      // in full
	ListTasks     Kind = "list-tasks"     // of the session, or of a plan
	DraftSummary  Kind = "draft-summary"  // write a draft of the summary
	FinishSummary Kind = "finish-summary" // make the draft the summary
	ShowNext      Kind = "show-next"      // which plan comes next
	Archive       Kind = "archive"        // archive the session, which has ended
	Restore       Kind = "restore"        // bring a lost session back
	ListLost      Kind = "list-lost"      // sessions
	ArchiveNote   Kind = "archive-note"   // a hand-off note
	Sweep         Kind = "sweep"          // record the end of crashed runs
	SweepLeft     Kind = "sweep-left"     // the same, where they left tasks in progress
	ResetTasks    Kind = "reset-tasks"    // set the tasks that a run left back to pending
	CleanUp       Kind = "clean-up"       // what crashed runs left on disk
	Ignore        Kind = "ignore"         // the sessions, for git
	EndRun        Kind = "end-run"        // record the end of one that has expired
	HowToEnd      Kind = "how-to-end"     // how to end the run at work
	HowToTake     Kind = "how-to-take"    // a plan over that somebody is working on
	HowToForget   Kind = "how-to-forget"  // a lost session
	StartRun      Kind = "start-run"      // record it
	ShowSession   Kind = "show-session"   // what is known of it, and what comes next
	ShowRuns      Kind = "show-runs"      // who is at work
	ShowHolder    Kind = "show-holder"    // who is working on a plan
	WriteState    Kind = "write-state"    // create STATE.md
	UpdateState   Kind = "update-state"   // change values of STATE.md
	Fetch         Kind = "fetch"          // commits, of which one may have a plan that is not here
	BringPlan     Kind = "bring-plan"     // out of a commit
	Merge         Kind = "merge"          // a branch that has what is here, and more
	BringBack     Kind = "bring-back"     // a file as it was committed
	AllowReading  Kind = "allow-reading"  // a file of one's own
	AllowWriting  Kind = "allow-writing"  // in a directory of one's own
	AllowAll      Kind = "allow-all"      // reading and writing in a directory of one's own
	Install       Kind = "install"        // hooks, again
	InstallThere  Kind = "install-there"  // hooks in the project of another directory
	InstallAt     Kind = "install-at"     // hooks that call this gsd by its path
	Uninstall     Kind = "uninstall"      // one of two sets of hooks
	UndoInstall   Kind = "undo-install"   // of hooks
	Sync          Kind = "sync"           // again
	EndSyncs      Kind = "end-syncs"      // in the background
)

// An Action is something that can be run next, exactly as it is. What is in it comes from files and is untrusted: Line quotes it.
type Action struct {
	Kind  Kind   `json:"kind"`                 // what it does
	Plan  string `json:"plan,omitempty"`       // the plan, as it is named on a command line: its short name, or its path
	Task  int    `json:"task,omitempty"`       // the number of a task
	ID    string `json:"id,omitempty"`         // of a lost session, a run or a commit; the path of a note, a file or a directory; the name of a host
	Dir   string `json:"dir,omitempty"`        // where to run it, absolute, if the command names that: mostly another project or worktree
	Root  string `json:"workstream,omitempty"` // the workstream or sub-project in which to run it, as --ws names it, if the command does
	Scope string `json:"scope,omitempty"`      // which settings of a host it changes, if not the usual ones

	Replaces Replaced `json:"replaces,omitempty"` // what it archives
}

// Replaced is what an action archives.
type Replaced string

// What an action may archive.
const (
	Session Replaced = "session"  // the session
	File    Replaced = "file"     // the file in the session's place, which is not a session
	InPlace Replaced = "in-place" // what is in the place of a lost session
)

// A form is how actions of a kind are typed. PLAN, TASK, ID and SCOPE stand for what the action has, and are left out where it has none.
type form struct {
	words  string
	writes bool // in the user's session directory
	starts bool // a session on a plan
}

var starting = form{words: "gsd bootstrap PLAN", writes: true, starts: true}

var forms = map[Kind]form{
	Start: starting, StartWith: starting, StartNext: starting, StartReady: starting, StartLeft: starting, Refresh: starting, Follow: starting, Adopt: starting, Bring: starting, TakeUp: starting,

	StartFresh: {words: "gsd bootstrap PLAN --fresh", writes: true, starts: true},
	Again:      {words: "gsd bootstrap PLAN --again", writes: true, starts: true},
	AgainFresh: {words: "gsd bootstrap PLAN --fresh --again", writes: true, starts: true},

	Continue:      {words: "gsd hydrate"},
	Visit:         {words: "gsd hydrate"},
	Choose:        {words: "gsd hydrate"},
	Begin:         {words: "gsd mark TASK in-progress", writes: true},
	GoOn:          {words: "gsd mark TASK in-progress", writes: true},
	Approve:       {words: "gsd done TASK", writes: true},
	Done:          {words: "gsd done TASK", writes: true}, // Claude refuses the word complete, a builtin of shells, in an isolated worktree
	Reset:         {words: "gsd mark TASK pending", writes: true},
	ReadTask:      {words: "gsd tasks PLAN TASK"},
	ListTasks:     {words: "gsd tasks PLAN"},
	DraftSummary:  {words: "gsd done --summary", writes: true},
	FinishSummary: {words: "gsd done --summary", writes: true},
	ShowNext:      {words: "gsd next"},
	Archive:       {words: "gsd archive", writes: true},
	Restore:       {words: "gsd restore ID", writes: true},
	ListLost:      {words: "gsd restore --list"},
	ArchiveNote:   {words: "gsd archive ID", writes: true},
	Sweep:         {words: "gsd run sweep", writes: true},
	SweepLeft:     {words: "gsd run sweep", writes: true},
	ResetTasks:    {words: "gsd run sweep --reset-tasks", writes: true},
	CleanUp:       {words: "gsd run sweep", writes: true},
	Ignore:        {words: "gsd run sweep", writes: true},
	EndRun:        {words: "gsd run end ID", writes: true},
	HowToEnd:      {words: "gsd run end --help"},
	HowToTake:     {words: "gsd help takeover"},
	HowToForget:   {words: "gsd forget --help"},
	StartRun:      {words: "gsd run start", writes: true},
	ShowSession:   {words: "gsd hydrate"},
	ShowRuns:      {words: "gsd run list"},
	ShowHolder:    {words: "gsd status"},
	WriteState:    {words: "gsd state --write"},
	UpdateState:   {words: "gsd state --write"},
	Fetch:         {words: "git fetch"},
	Merge:         {words: "git merge --ff-only ID"},
	BringPlan:     {words: "git restore --source ID -- PLAN"},
	BringBack:     {words: "git --literal-pathspecs checkout HEAD -- ID"},
	AllowReading:  {words: "chmod u+r ID"},
	AllowWriting:  {words: "chmod u+w ID"},
	AllowAll:      {words: "chmod u+rwx ID"},
	Install:       {words: "gsd install ID SCOPE"},
	InstallThere:  {words: "gsd install ID"},
	InstallAt:     {words: "gsd install ID SCOPE --absolute"},
	Uninstall:     {words: "gsd install ID SCOPE --remove"},
	UndoInstall:   {words: "gsd install ID SCOPE --remove"},
	Sync:          {words: "gsd sync", writes: true},
	EndSyncs:      {words: "gsd sync --auto off", writes: true},
}

// Words returns the command and its arguments, unquoted; none of the zero action.
func (a Action) Words() (words []string) {
	for word := range strings.FieldsSeq(forms[a.Kind].words) {
		switch word {
		case "PLAN":
			words = append(words, given(a.Plan)...)
		case "TASK":
			if a.Task > 0 {
				words = append(words, strconv.Itoa(a.Task))
			}
		case "ID":
			words = append(words, given(a.ID)...)
		case "SCOPE":
			if a.Scope != "" {
				words = append(words, "--scope", a.Scope)
			}
		default:
			words = append(words, word)
		}
	}
	return Place{In: a.Dir, Root: a.Root}.Words(words)
}

func given(word string) []string {
	if word == "" {
		return nil
	}
	return []string{word}
}

// Writes reports whether an action writes in the user's session directory here: one with a directory is about another one.
func (a Action) Writes() bool { return forms[a.Kind].writes && a.Dir == "" && a.Root == "" }

// Starts reports whether an action starts or continues a session on its plan.
func (a Action) Starts() bool { return forms[a.Kind].starts }

// A Place is where commands are typed.
type Place struct {
	In      string // the directory that -C named; may be empty
	Root    string // the workstream or sub-project that --ws named, or that the command chose by its plan; may be empty
	Program string // as what gsd is called, a word of a command line; empty for gsd
}

// Words returns a command for somebody who types it there: one of gsd or git names the directory that -C named, and one of gsd the
// workstream, unless it names others. What gsd does comes first, because hosts' rules for what an agent may run compare the beginning of a line.
func (at Place) Words(words []string) []string {
	if len(words) < 2 {
		return words
	}
	bare := words[:flagsEnd(words)]
	return slices.Insert(slices.Clone(words), flagsAt(bare), at.flags(bare)...)
}

// flagsEnd returns where the flags of a command end that are its own: at its end, or before --.
func flagsEnd(words []string) int {
	if end := slices.Index(words, "--"); end >= 0 {
		return end
	}
	return len(words)
}

// flagsAt returns where the flags are put that name a place, in a command without what comes after its own flags.
func flagsAt(bare []string) int {
	if bare[0] == "git" {
		return 1
	}
	return len(bare)
}

// flags returns what of a place is still to be named in a command: one that names another directory names all.
func (at Place) flags(bare []string) (flags []string) {
	program := bare[0]
	if slices.Contains(bare, "-C") || program != "gsd" && program != "git" {
		return nil
	}
	if at.In != "" {
		flags = append(flags, "-C", at.In)
	}
	if at.Root != "" && program == "gsd" && !slices.Contains(bare, "--ws") {
		flags = append(flags, "--ws", at.Root)
	}
	return flags
}

// Line returns a command as it is typed there; "" if a word of it cannot be printed as it is.
func (at Place) Line(words []string) string { return at.Typed(Line(words)) }

// Typed returns a command, which is typed so where gsd is called gsd, as it is typed there; "" if it cannot be.
func (at Place) Typed(line string) string {
	typed := quoted(line)
	bare := slices.Clone(typed[:flagsEnd(typed)])
	if flags := at.flags(bare); len(flags) > 0 {
		named := Line(append([]string{bare[0]}, flags...))
		if named == "" {
			return ""
		}
		typed = slices.Insert(typed, flagsAt(bare), strings.TrimPrefix(named, bare[0]+" "))
	}
	if typed[0] == "gsd" && at.Program != "" {
		typed[0] = at.Program
	}
	return strings.Join(typed, " ")
}

// quoted cuts a command into its words, in their quotes.
func quoted(line string) (words []string) {
	start, open := 0, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'':
			open = !open
		case c == '\\' && !open:
			i++
		case c == ' ' && !open:
			words, start = append(words, line[start:i]), i+1
		}
	}
	return append(words, line[start:])
}

// Distinct leaves out every action that is typed like an earlier one.
func Distinct(all []Action) []Action {
	known := map[string]bool{}
	return slices.DeleteFunc(all, func(a Action) bool {
		typed := strings.Join(a.Words(), "\x00")
		was := known[typed]
		known[typed] = true
		return was
	})
}

// Line returns a command as it is typed where gsd is called gsd; "" if a word of it cannot be printed as it is, so that it would mean
// another file.
func Line(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		typed, ok := text.Typed(word)
		if !ok {
			return ""
		}
		isFlag := strings.HasPrefix(word, "--") || word == "-C" || words[0] != "gsd" // a flag is gsd's
		if quoted[i] = word; !text.IsWord(word) || !isFlag {
			quoted[i] = typed
		}
	}
	return strings.Join(quoted, " ")
}
