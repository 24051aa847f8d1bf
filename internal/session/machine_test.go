package session

import (
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const machineID = "0123456789abcdef0123456789abcdef"

// TestMachine: an existing file is used or left alone, never overwritten.
func TestMachine(t *testing.T) {
	for text, want := range map[string]string{
		machineID:                  machineID,
		machineID + "\r\n":         machineID,
		"":                         "",
		machineID[1:] + "\n":       "",
		machineID + "0\n":          "",
		"\n" + machineID:           "",
		strings.ToUpper(machineID): "",
		machineID[1:] + "g":        "",
		machineID + "\nmore":       "",
		machineID + strings.Repeat("\n", machineLimit): "",
	} {
		s, dir := newState(t)
		writeFile(t, filepath.Join(dir, machineFile), text)
		for range 2 {
			if got := s.Machine(); got != want {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
			s.MakeMachine()
		}
		wantFile(t, dir, machineFile, text)
	}
}

// TestMakeMachine: concurrent calls agree on one id.
func TestMakeMachine(t *testing.T) {
	seen := map[string]bool{}
	for range 20 {
		s, dir := newState(t)
		if id := s.Machine(); id != "" {
			t.Errorf("without a directory: %q", id)
		}
		ids := make([]string, 20)
		var start, done sync.WaitGroup
		start.Add(1)
		for i := range ids {
			done.Go(func() {
				start.Wait()
				s.MakeMachine()
				ids[i] = s.Machine()
			})
		}
		start.Done()
		done.Wait()
		for _, id := range ids {
			if len(id) != 32 || id != ids[0] || seen[id] {
				t.Fatalf("they made %q", ids)
			}
		}
		seen[ids[0]] = true
		wantFile(t, dir, machineFile, ids[0]+"\n")
		wantDir(t, dir, machineFile)
	}
}

// TestMachineCannotBeMade: nowhere, in a file, from a directory, through a dangling link or a link to an id outside.
func TestMachineCannotBeMade(t *testing.T) {
	outside := t.TempDir()
	writeFile(t, filepath.Join(outside, "id"), machineID)
	for name, prepare := range map[string]func(dir string){
		"a file above": func(dir string) { writeFile(t, dir, "") },
		"a directory":  func(dir string) { mkdir(t, filepath.Join(dir, machineFile)) },
		"a link":       func(dir string) { link(t, filepath.Join(outside, "none"), filepath.Join(dir, machineFile)) },
		"an id":        func(dir string) { link(t, filepath.Join(outside, "id"), filepath.Join(dir, machineFile)) },
	} {
		s, dir := newState(t)
		prepare(dir)
		for _, s := range []StateDir{s, ""} {
			s.MakeMachine()
			if id := s.Machine(); id != "" {
				t.Errorf("%s: %q", name, id)
			}
		}
	}
	wantDir(t, outside, "id")
	wantFile(t, outside, "id", machineID)
}
