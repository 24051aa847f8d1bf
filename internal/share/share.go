// Package share holds the rules of shared sessions: what a clone's sessions look like to others (names.go, state.go, codec.go), and who has
// claimed a plan (claim.go). How what clones say of a plan becomes one is package progress's: a session of another clone is a record like any
// other.
//
// It is pure: it reads no file, no clock and no git.
//
// Each clone has a ref of its own, which only it writes, so that nothing is merged at the remote. The ref has a file for each plan, with the
// sessions on it in the clone's worktrees.
//
// A status is shared with the time at which it was set, which is later than every time that was known of the task then. So clocks that are
// wrong decide only between changes that did not know of each other. A time from the future is kept as it is: to cap it by the reader's clock
// would make the outcome depend on who reads.
//
// No text of a plan and no name of a task is in it. A task is known by a digest of its name, which can be confirmed by
// somebody who guesses the name, but not read.
package share
