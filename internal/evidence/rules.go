package evidence

// rules.go: every weight. Where each rule comes from is in ablate_test.go, which measures what it is worth.

// The scores of an alignment.
const (
	match = 4  // emission: a subject that is a task's name, or a commit that changed a task's files and nothing else
	next  = 1  // transition to a later task
	rest  = 2  // transition to the same task after a part of it, such as to the code after its tests
	skip  = -1 // added for each task that is skipped, except checkpoints
	again = -2 // transition to the same task
	back  = -3 // transition to an earlier task, and the most that is added for those that are skipped
)

// The confidence of an assignment grows from a half to sure with its margin over the next best alignment.
const (
	sure       = 0.975 // the limit as the margin grows
	indirect   = 0.8   // of a commit that does not name the plan itself, and at most of one for a second task
	orderAlone = 0.65  // at most without similar words or files
	unsure     = 0.5   // at which no task is complete: at most where the order says nothing, too
	least      = 0.2   // the similarity up to which words and files do not count
)
