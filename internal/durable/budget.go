package durable

import (
	"errors"
	"math"
)

// ErrBudget means that one command has read as many bytes as it may.
var ErrBudget = errors.New("too much to read for one command")

// A Budget is how many bytes one command may still read, whichever files they come from. Limits on single files do
// not bound a command: a repository of a few kilobytes can hold a thousand files of many megabytes each. The nil
// Budget has no end. A Budget is not safe for concurrent use.
type Budget struct{ left int64 }

// NewBudget gives a budget of n bytes.
func NewBudget(n int64) *Budget { return &Budget{left: n} }

// Take spends n bytes before they are read. It returns [ErrBudget], and spends nothing, where fewer are left.
func (b *Budget) Take(n int64) error {
	switch {
	case b == nil:
		return nil
	case n > b.left:
		return ErrBudget
	}
	b.left -= n
	return nil
}

// Left returns how many bytes may still be read.
func (b *Budget) Left() int64 {
	if b == nil {
		return math.MaxInt64
	}
	return b.left
}
