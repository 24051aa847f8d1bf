// Package share holds the rules of shared sessions: what a user's sessions look like to others (names.go, state.go,
// codec.go), when a change was made (stamp.go), how the states of several worktrees become one (merge.go), what a
// worktree has to say and what it takes over (replica.go), and who has claimed a plan (claim.go).
//
// It is pure: it reads no file, no clock and no git. A state is a value: nothing changes one that was handed out.
//
// The state of a user is a map that is merged entry by entry, the later stamp winning, so that merging is commutative,
// associative and idempotent, and no history is needed. Two kinds of entries make up the session of a plan: the status of
// each task, which any of the user's worktrees may change, and one Place for each worktree, which only that one changes.
// If "where I work" were one entry, two worktrees on one plan would overwrite it in turn at every sync, forever.
//
// No text of a plan and no name of a task is in it. A task is known by a digest of its name, which can be confirmed by
// somebody who guesses the name, but not read.
package share
