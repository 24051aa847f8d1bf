package status

// published.go: upstream publishes where the project is in state.json, for other programs (gsd-core, lib/state-contract.cjs, #3227). What gsd
// says comes from the files that this is made from, so it is compared with them, and nothing is taken from it.

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/project"
)

// PublishedDiffers warns that state.json says something else about a phase than the files, although none of them changed since.
const PublishedDiffers = "state-json-differs"

const maxPublished = 256 << 10 // bytes of state.json that are read; a phase has 100

// published is what a state.json says.
type published struct {
	Contract string `json:"contract"`
	Phases   []struct {
		Number string `json:"number"`
		Status string `json:"status"` // complete, in_progress or pending
	} `json:"phases"`
	Updated time.Time `json:"updated_at"`
}

// readPublished parses a state.json. One that is half-written, or of another contract than 1, says nothing.
func readPublished(src []byte) (p published) {
	if json.Unmarshal(src, &p) != nil || !strings.HasPrefix(p.Contract, "1.") {
		return published{}
	}
	return p
}

// otherwise returns the phases about which it says something else than the files: that one is complete, or that it is not. changed returns
// when what is said of a phase last changed: what was published before that is no surprise.
func (p *published) otherwise(phases []Phase, changed func(ph *Phase) time.Time) (found []*Phase) {
	says := map[string]string{}
	for _, its := range p.Phases {
		if number, ok := planref.ParseNumber(its.Number); ok {
			says[number.Key()] = its.Status
		}
	}
	for i := range phases {
		ph := &phases[i]
		number, ok := planref.ParseNumber(ph.Number)
		status := says[number.Key()]
		if !ok || status == "" || !ph.Counted {
			continue
		}
		isOver, mayBe := ph.Status == PhaseComplete, ph.Status == PhaseComplete || ph.Status == PhaseDone
		if (status == "complete" && !mayBe || status != "complete" && isOver) && p.Updated.After(changed(ph)) {
			found = append(found, ph)
		}
	}
	return found
}

// publishedWarnings warns of what state.json says otherwise.
func publishedWarnings(p *hydrate.Project, st *Status, now time.Time) []project.Warning {
	name := path.Join(st.Root, "state.json")
	its := readPublished(p.Planning.Beside(name, maxPublished))
	if its.Updated.After(now) {
		return nil // a clock was wrong: nobody knows what is older
	}
	found := its.otherwise(st.Phases, func(ph *Phase) time.Time { return changedAt(p, st.Roadmap, ph.Dir) })
	if len(found) == 0 {
		return nil
	}
	first, more := found[0], ""
	if len(found) > 1 {
		more = fmt.Sprintf(" (and %d more)", len(found)-1)
	}
	words := map[bool]string{true: "is complete", false: "is not complete"}
	detail := fmt.Sprintf("%s says that phase %s %s, and its files that it %s%s; gsd goes by the files",
		name, first.Number, words[first.Status != PhaseComplete], words[first.Status == PhaseComplete], more)
	return []project.Warning{{Code: PublishedDiffers, Detail: detail}}
}

// changedAt returns when the last of some files was changed; those that are not there did not.
func changedAt(p *hydrate.Project, names ...string) (last time.Time) {
	for _, name := range names {
		if info, err := p.Planning.Lstat(name); name != "" && err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return last
}
