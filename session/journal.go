package session

import "time"

// The journal is the record of runs inside a session directory, one JSON object a line. The law:
//
//   - It is only appended to, one write a line, under the guard. Two things replace it as a whole, in one step:
//     putting it away once it is long, and forgetting conversation ids.
//   - What a line says is its own affair: one that is torn, no JSON or of a later version hides no other, and
//     counts neither as a start nor as an end.
//   - A run is its start's id. What comes first is told by lines, never by clocks.
//   - An open run is never lost, whatever crashes.
//   - What is read has an end, however long somebody made a journal: at a turn its newest 256 KiB, else the newest 4 MiB
//     or 10,000 lines of it and of what was put away before it. gsd itself puts one away at 128 KiB. Earlier lines
//     count for nothing, and are kept.
//
// docs/design.md, Runs, is where the rules come from; what they must not do, neighbours.md, lessons 1 to 8.
const journalFile = "journal.jsonl"

// A Start is the journal's record that a run began.
type Start struct {
	ID    string // of the run, new for every start: ends pair with it
	Token string // what the run's own processes can show
	Host  string // the program that the agent runs in, such as claude; empty where nobody said
	Plan  string // that the session was on, relative to the project; empty without a session
	Owner Owner
	At    time.Time // UTC
	TTL   time.Duration
}

// Status is how a run ended.
type Status string

// The statuses of an end (docs/design.md, Runs).
const (
	Success     Status = "success"
	Failure     Status = "failure"
	Cancelled   Status = "cancelled"
	Interrupted Status = "interrupted"
	Aborted     Status = "aborted"
)

// Cause is who says that a run ended.
type Cause string

// The causes of an end.
const (
	CauseUser       Cause = "user"       // gsd run end
	CauseExit       Cause = "exit"       // gsd exec saw the command end
	CauseSignal     Cause = "signal"     // gsd exec saw a signal end it
	CauseSuperseded Cause = "superseded" // its own process began another run
	CauseSynthetic  Cause = "synthetic"  // gsd sweep proved the owner dead
	CauseForced     Cause = "forced"     // gsd sweep --force gave it up: nobody can tell whether it lives
)

// An End is the journal's record that a run ended.
type End struct {
	Of       string // the run's id
	Status   Status
	Cause    Cause
	At       time.Time // UTC
	ResumeID string    // the host's conversation id; only of a run that ended in Success
}

// A Run is a start with its end.
type Run struct {
	Start
	End *End // nil while it is open
}

// A Journal is what a journal says, folded: a start and its end are one run, in the order of their starts'
// lines, whatever the clocks said.
type Journal struct {
	Runs []Run
	Bad  int  // lines that say nothing, or nothing that is understood
	Cut  bool // the file is too long to be read whole here, and the earlier part of it was left out
	// ArchivesCut says that so are earlier ones of the files that were put away, or a part of one.
	ArchivesCut bool
}
