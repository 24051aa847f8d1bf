package planfile

// conflict.go: the markers that git leaves in a file of which it could not merge two versions. Such a file has lines of both, and
// says nothing that could be relied on.

import (
	"bytes"
	"fmt"

	"github.com/gsd-cli/gsd/internal/markdown"
)

// A ConflictError is the error of Check for a file in which a merge left conflict markers.
type ConflictError struct {
	Line int // of the first marker, from 1
}

func (e *ConflictError) Error() string { return fmt.Sprintf("has conflict markers at line %d", e.Line) }

// CheckConflict returns a *ConflictError for a text in which a merge left conflict markers: lines that begin with <<<<<<<, then
// =======, then >>>>>>>, as git writes them. Markers in fenced code that holds all three, which is closed, are an example:
// documents about git have them. A fence that a conflict cuts in two, and one that is never closed, hide nothing. The time is linear.
func CheckConflict(src []byte) error {
	if !bytes.Contains(src, []byte("<<<<<<<")) {
		return nil
	}
	var open markdown.Fence
	inFence, fence := false, 0 // fence counts the fences that were opened
	start, startedIn, divided := 0, 0, false
	example := 0 // the line of an example in the open fence
	no := 0
	for line := range bytes.Lines(bytes.TrimPrefix(src, []byte(bom))) {
		no++
		line = bytes.TrimRight(line, "\r\n")
		within := 0
		if inFence {
			within = fence
		}
		switch {
		case isMarker(line, '<'):
			if start == 0 || startedIn > 0 && within != startedIn {
				start, startedIn, divided = no, within, false
			}
		case isMarker(line, '=') && start > 0:
			divided = true
		case isMarker(line, '>') && divided:
			if startedIn == 0 || within != startedIn {
				return &ConflictError{start}
			}
			if example == 0 {
				example = start
			}
			start, divided = 0, false
		default:
			f, ok := markdown.CutFence(string(line[:min(len(line), maxFenceLine)]))
			switch {
			case ok && !inFence:
				open, inFence = f, true
				fence++
			case ok && f.Closes(open):
				inFence, example = false, 0
			}
		}
	}
	if example > 0 {
		return &ConflictError{example}
	}
	return nil
}

// maxFenceLine is how much of a line is read to see whether it is a fence.
const maxFenceLine = 256

// isMarker reports whether a line is a conflict marker of a kind: seven times that character, and a label or nothing after it.
func isMarker(line []byte, c byte) bool {
	const length = 7
	return len(line) >= length && bytes.Count(line[:length], []byte{c}) == length && (len(line) == length || line[length] == ' ')
}
