package session

import (
	"errors"
	"strconv"
	"testing"
)

var errClosed = errors.New("the table is closed")

// counted is a process table that counts how often it is asked, and in which each process begins anew every time.
type counted struct{ asked map[int]int }

func (c *counted) Here() Owner { return Owner{PID: 7, BootID: "boot"} }

func (c *counted) Find(pid int) (Process, error) {
	c.asked[pid]++
	switch pid {
	case 1:
		return Process{}, ErrNoProcess
	case 2:
		return Process{}, errClosed
	}
	return Process{StartTime: strconv.Itoa(100*pid + c.asked[pid]), Parent: 1}, nil
}

func TestGlance(t *testing.T) {
	c := &counted{asked: map[int]int{}}
	g := Glance(c)
	if got := g.Here(); got != c.Here() {
		t.Errorf("here: %+v", got)
	}
	for range 3 {
		for pid, want := range map[int]struct {
			process Process
			err     error
		}{
			1:  {Process{}, ErrNoProcess}, // a fact, and remembered like one
			2:  {Process{}, errClosed},
			3:  {Process{"301", 1}, nil},
			4:  {Process{"401", 1}, nil},
			0:  {Process{"1", 1}, nil},
			-1: {Process{"-99", 1}, nil},
		} {
			if got, err := g.Find(pid); got != want.process || !errors.Is(err, want.err) || (err == nil) != (want.err == nil) {
				t.Errorf("%d: %+v, %v; want %+v", pid, got, err, want)
			}
		}
	}
	for pid, n := range c.asked {
		if n != 1 {
			t.Errorf("%d was asked for %d times", pid, n)
		}
	}
	// Another glance is another moment.
	if got, _ := Glance(c).Find(3); got.StartTime != "302" {
		t.Errorf("another glance: %+v", got)
	}
}
