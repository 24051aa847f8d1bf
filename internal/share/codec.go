package share

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"
)

// Encode returns a state as files by their paths, the plans' own. Equal states have equal bytes.
func Encode(state State) (map[string][]byte, error) {
	if len(state) > MaxPlans {
		return nil, fmt.Errorf("%d plans cannot be shared: the limit is %d", len(state), MaxPlans)
	}
	files := make(map[string][]byte, len(state))
	size := 0
	for plan, s := range state {
		text, err := encodeSession(s)
		if err != nil {
			return nil, fmt.Errorf("%.100q: %w", plan, err)
		}
		if size += len(text); len(text) > MaxFile || size > MaxState {
			return nil, fmt.Errorf("%.100q: the sessions are too large to be shared", plan)
		}
		files[plan] = text
	}
	return files, nil
}

func encodeSession(s Session) ([]byte, error) {
	text, err := json.Marshal(s)
	return append(text, '\n'), err
}

// Decode reads a state from its files. A file that gsd did not write, or out of bounds, is left out, and an error says
// why; the errors are joined. The next push of the state replaces it. A field that gsd does not know is dropped: to keep it
// without knowing the rule by which it is merged would be a promise that cannot be kept.
func Decode(files map[string][]byte) (State, error) {
	state := make(State, min(len(files), MaxPlans))
	var errs []error
	size := 0
	for _, plan := range slices.Sorted(maps.Keys(files)) {
		text := files[plan]
		if size += len(text); len(state) == MaxPlans || size > MaxState {
			errs = append(errs, fmt.Errorf("%d files are too many, or too large; the rest was not read", len(files)))
			break
		}
		if !IsPlan(plan) {
			errs = append(errs, fmt.Errorf("%.100q cannot be a plan", plan))
			continue
		}
		s, err := decodeSession(text)
		if err != nil {
			errs = append(errs, fmt.Errorf("%.100q: %w", plan, err))
			continue
		}
		state[plan] = s
	}
	return state, errors.Join(errs...)
}

func decodeSession(text []byte) (Session, error) {
	if len(text) > MaxFile || !utf8.Valid(text) {
		return Session{}, errors.New("it is too large, or not UTF-8")
	}
	var s Session
	if err := json.Unmarshal(text, &s); err != nil {
		return Session{}, fmt.Errorf("it is not a session: %w", err)
	}
	if len(s.Tasks) > MaxTasks || len(s.Places) > MaxPlaces {
		return Session{}, errors.New("it has too many tasks or worktrees")
	}
	for id, t := range s.Tasks {
		if !isTaskID(id) || !t.Status.Known() {
			return Session{}, fmt.Errorf("%.40q with the status %.40q is not a task", id, t.Status)
		}
		t.Head = cleanObject(t.Head)
		s.Tasks[id] = t
	}
	for id, p := range s.Places {
		if id != p.Stamp.Worktree {
			return Session{}, fmt.Errorf("%.80q is not a worktree", id)
		}
		for _, task := range p.Tasks {
			if !isTaskID(task) {
				return Session{}, fmt.Errorf("%.40q is not a task", task)
			}
		}
		s.Places[id] = p.clean()
	}
	return mergeSession(Session{Cut: s.Cut}, s), nil
}

// EncodeReplica returns the bytes of a worktree's own file.
func EncodeReplica(r Replica) ([]byte, error) {
	files, err := Encode(r.Known)
	if err != nil {
		return nil, err
	}
	known := make(map[string]json.RawMessage, len(files))
	for plan, text := range files {
		known[plan] = text
	}
	text, err := json.Marshal(replicaFile{known, r.Seen})
	return append(text, '\n'), err
}

type replicaFile struct {
	Known map[string]json.RawMessage `json:"known"`
	Seen  map[string]Seen            `json:"seen"`
}

// DecodeReplica reads what EncodeReplica returns. Without a file that can be read, use the zero Replica: what is not
// pending is told again, and nothing is set back.
func DecodeReplica(text []byte) (Replica, error) {
	var f replicaFile
	if err := json.Unmarshal(text, &f); err != nil {
		return Replica{}, err
	}
	files := make(map[string][]byte, len(f.Known))
	for plan, text := range f.Known {
		files[plan] = text
	}
	known, err := Decode(files)
	if err != nil {
		return Replica{}, err
	}
	return Replica{Known: known, Seen: f.Seen}, nil
}
