//go:build linux

package main

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gsd-cli/gsd/planfile"
)

// lives is what is known of the agents' runs: a model of what may be called interrupted or crashed. Runs are not distinguished, so it
// permits too much rather than too little.
type lives struct {
	started bool         // there was a run
	ended   bool         // one ended since, or may have
	died    bool         // the process of one is gone
	marked  map[int]bool // the tasks that were marked in progress since there was a run, by id
	left    map[int]bool // those that were so when a run ended
}

// over is called when a run may have ended.
func (l *lives) over() {
	if l.started {
		l.ended = true
		maps.Copy(l.left, l.marked)
	}
}

// killed is called when processes of agents are gone.
func (l *lives) killed() {
	l.died = l.died || l.started
	l.over()
}

// follow follows a command, given the session before it. Of one that was killed, it takes the most.
func (l *lives) follow(words []string, before []sessionTask) {
	switch words[0] {
	case "hook", "run", "exec", "restore", "archive":
		if len(words) < 2 || words[1] != "task" {
			l.over()
			l.started = true
		} else if l.started {
			for _, t := range before {
				l.marked[t.id] = true
			}
		}
	case "takeover": // whatever run has the session
		l.over()
	case "mark":
		n, _ := strconv.Atoi(words[1])
		if l.started && n > 0 && n <= len(before) && words[2] == string(planfile.InProgress) {
			l.marked[before[n-1].id] = true
		}
	}
}

// interruptedTask is where text says of the task to resume that it was interrupted.
var interruptedTask = lazyRegexp(`(?m)^resume at task \d+: .*?\bname(\d+)v\d+\b.*\n  it was interrupted$`)

// holdWords checks that nothing is called interrupted or crashed without a run that is known to have ended so.
func (w *world) holdWords(words []string, r result) {
	out := r.out + r.err
	if slices.Contains(words, "--json") || slices.Contains(words, "--help") {
		return
	}
	if strings.Contains(out, "interrupted") && !w.lives.ended {
		w.violate("no run ended: interrupted", "%q: %s", words, out)
	}
	if (strings.Contains(out, "left in progress: task") || strings.Contains(out, "was in progress when its conversation")) && !w.lives.ended {
		w.violate("no run ended: left in progress", "%q: %s", words, out)
	}
	if strings.Contains(out, "crashed") && !w.lives.died && !r.killed {
		w.violate("no run crashed: crashed", "%q: %s", words, out)
	}
	for _, match := range interruptedTask().FindAllStringSubmatch(out, -1) {
		if id, _ := strconv.Atoi(match[1]); !w.lives.left[id] {
			w.violate("no run left the task: interrupted", "task %d, %q: %s", id, words, out)
		}
	}
}
