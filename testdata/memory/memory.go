// Package memory is imported for what its import does: tests keep their files in memory where the system has a file system for
// that, because they sync thousands of files, and a disk takes longer for that than gsd for everything else. TMPDIR chooses
// another place.
package memory
