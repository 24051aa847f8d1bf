package share

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// Encode returns sessions as files by their plans' paths. Equal sessions have equal bytes.
func Encode(sessions []Session) (map[string][]byte, error) {
	plans := map[string][]Session{}
	for _, s := range sessions {
		plans[s.Plan] = append(plans[s.Plan], s.clean())
	}
	if len(plans) > MaxPlans {
		return nil, fmt.Errorf("%d plans cannot be shared: the limit is %d", len(plans), MaxPlans)
	}
	files := make(map[string][]byte, len(plans))
	size := 0
	for plan, all := range plans {
		slices.SortFunc(all, func(a, b Session) int {
			return cmp.Or(b.Changed.Compare(a.Changed), strings.Compare(a.Worktree, b.Worktree))
		})
		text, err := json.Marshal(all[:min(len(all), MaxPlaces)])
		for n := len(all) / 2; len(text) >= MaxFile && n > 0; n /= 2 {
			text, err = json.Marshal(all[:n])
		}
		if err != nil {
			return nil, fmt.Errorf("%.100q: %w", plan, err)
		}
		if size += len(text); size > MaxState {
			return nil, fmt.Errorf("%.100q: the sessions are too large to be shared", plan)
		}
		files[plan] = append(text, '\n')
	}
	return files, nil
}

// Decode reads sessions from their files. A file that gsd did not write, or out of bounds, is left out, and an error says
// why; the errors are joined. A field that gsd does not know is dropped.
func Decode(files map[string][]byte) (sessions []Session, err error) {
	var errs []error
	size := 0
	for n, plan := range slices.Sorted(maps.Keys(files)) {
		text := files[plan]
		if size += len(text); n >= MaxPlans || size > MaxState {
			errs = append(errs, fmt.Errorf("%d files are too many, or too large; the rest was not read", len(files)))
			break
		}
		if !IsPlan(plan) {
			errs = append(errs, fmt.Errorf("%.100q cannot be a plan", plan))
			continue
		}
		all, err := decode(plan, text)
		if err != nil {
			errs = append(errs, fmt.Errorf("%.100q: %w", plan, err))
			continue
		}
		sessions = append(sessions, all...)
	}
	return sessions, errors.Join(errs...)
}

func decode(plan string, text []byte) (all []Session, err error) {
	if len(text) > MaxFile || !utf8.Valid(text) {
		return nil, errors.New("it is too large, or not UTF-8")
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("it is not a session: %w", err)
	}
	if len(all) > MaxPlaces {
		return nil, errors.New("it has too many sessions")
	}
	for i, s := range all {
		if !isID(s.Worktree) {
			return nil, fmt.Errorf("%.80q is not a worktree", s.Worktree)
		}
		if len(s.Tasks) > MaxTasks {
			return nil, errors.New("it has too many tasks")
		}
		for _, t := range s.Tasks {
			if !isTaskID(t.ID) || !t.Status.Known() {
				return nil, fmt.Errorf("%.40q with the status %.40q is not a task", t.ID, t.Status)
			}
		}
		s.Plan = plan
		all[i] = s.clean()
	}
	return all, nil
}

// A Clone is what was fetched of a clone's ref.
type Clone struct {
	Commit   string
	Sessions []Session
	Left     bool // it has more, which is not kept, because there are too many clones
	Partly   bool // it has more, which could not be read
}

const maxFileHead = 200 // bytes of a file of clones, of a clone, and of a plan, besides what is in them

type cloneFile struct {
	Commit string                     `json:"commit"`
	Files  map[string]json.RawMessage `json:"files,omitempty"`
	Left   bool                       `json:"left,omitempty"`
	Partly bool                       `json:"partly,omitempty"`
}

// EncodeClones returns what was fetched of clones as the bytes of a file. Where that is too much, the largest are left out, and read from the
// commits again, so that one that somebody has filled keeps no other from being known.
func EncodeClones(clones map[string]Clone) ([]byte, error) {
	all, sizes := make(map[string]cloneFile, len(clones)), map[string]int{}
	for id, c := range clones {
		files, err := Encode(c.Sessions)
		if err != nil {
			return nil, err
		}
		file := cloneFile{c.Commit, map[string]json.RawMessage{}, c.Left, c.Partly}
		sizes[id] = len(id) + maxFileHead
		for plan, text := range files {
			file.Files[plan] = text
			name, _ := json.Marshal(plan) // which cannot fail
			sizes[id] += len(name) + len(text) + maxFileHead
		}
		all[id] = file
	}
	left := MaxState - maxFileHead
	for _, id := range slices.SortedFunc(maps.Keys(all), func(a, b string) int { return cmp.Or(sizes[a]-sizes[b], strings.Compare(a, b)) }) {
		if left -= sizes[id]; left < 0 {
			delete(all, id)
		}
	}
	text, err := json.Marshal(all)
	return append(text, '\n'), err
}

// DecodeClones reads what EncodeClones returns. What cannot be read is fetched again.
func DecodeClones(text []byte) map[string]Clone {
	var all map[string]cloneFile
	if json.Unmarshal(text, &all) != nil {
		return nil
	}
	clones := make(map[string]Clone, len(all))
	for id, c := range all {
		files := make(map[string][]byte, len(c.Files))
		for plan, text := range c.Files {
			files[plan] = text
		}
		if sessions, err := Decode(files); err == nil && IsID(id) {
			clones[id] = Clone{c.Commit, sessions, c.Left, c.Partly}
		}
	}
	return clones
}
