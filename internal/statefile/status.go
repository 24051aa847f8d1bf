package statefile

import (
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
)

// stage is how far a status says that a phase is. A later one is greater.
type stage int

const (
	ownWords stage = iota // nothing that a command or the template writes
	unstated
	toPlan
	toExecute
	running
	checking // the phase is done but for what people do
	closed
	paused // or discussed: only people know when that is over
)

// stages are the statuses of the template and of upstream's commands, in lower case (its state-document.cjs,
// STATUS_EXACT_TOKENS and KNOWN_TEMPLATE_DEFAULTS), and those of front matter.
var stages = map[string]stage{
	"": unstated, "unknown": unstated, "not started": unstated,
	"[ready to plan / planning / ready to execute / in progress / phase complete]": unstated,
	"ready to plan": toPlan, "planning": toPlan, "defining requirements": toPlan,
	"planning complete": toExecute, "ready to execute": toExecute,
	"in progress": running, "executing": running, "active": running,
	"verifying": checking, "phase complete": checking, "phase complete — ready for verification": checking,
	"complete": checking, "completed": checking, "done": checking, "complete ✓": checking, "complete ✅": checking,
	"all phases complete": closed, "milestone complete": closed, "awaiting next milestone": closed,
	"paused": paused, "stopped": paused, "discussing": paused,
}

// statusValue is what a status says, and of which phase; no number where it does not name one.
type statusValue struct {
	stage stage
	phase planref.Number
}

func readStatus(s string) statusValue {
	s = strings.ToLower(s)
	if stage, ok := stages[s]; ok {
		return statusValue{stage: stage}
	}
	if strings.HasSuffix(s, " milestone complete") && strings.Count(s, " ") == 2 {
		return statusValue{stage: closed}
	}
	of := func(prefix, suffix string) (planref.Number, bool) {
		rest, ok := strings.CutPrefix(s, prefix)
		rest, closes := strings.CutSuffix(rest, suffix)
		n, isNumber := planref.ParseNumber(rest)
		return n, ok && closes && isNumber
	}
	for _, f := range []struct {
		prefix, suffix string
		stage          stage
	}{{"planning phase ", "", toPlan}, {"executing phase ", "", running}, {"verifying phase ", "", checking}, {"phase ", " complete", checking}} {
		if n, ok := of(f.prefix, f.suffix); ok {
			return statusValue{f.stage, n}
		}
	}
	return statusValue{}
}

// token is the word that upstream has in front matter for a stage that a Position may have (its state-md-schema.cjs,
// STATUS_LIFECYCLE_ENUM).
func (s stage) token() string {
	switch s {
	case toPlan:
		return "planning"
	case toExecute, running:
		return "executing"
	case closed:
		return "completed"
	}
	return "unknown"
}
