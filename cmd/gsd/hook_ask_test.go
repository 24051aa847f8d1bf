package main

import (
	"slices"
	"testing"
)

func TestCallsIn(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]call{
		"":                                     nil,
		"gsd hydrate":                          nil,
		"go run ./tools mark 3 complete":       nil,
		"gsd done":                             {{command: "done"}},
		"gsd done 3":                           {{"done", 3}},
		"gsd done three":                       {{command: "done"}},
		"gsd -C . mark 3 complete":             {{"mark", 3}},
		"gsd mark 3 done --json":               {{"mark", 3}, {command: "done"}}, // the word done is taken for a command, which completes nothing by number
		"gsd mark 3 in-progress":               {{command: "mark"}},
		"gsd bootstrap 01-02":                  {{command: "bootstrap"}},
		"GSD_WAIT=1 /opt/my/gsd 'done' \"3\"":  {{"done", 3}},
		`C:\go\bin\gsd.exe done 3`:             {{"done", 3}},
		"cd x;gsd done 1&&gsd mark 2 complete": {{"done", 1}, {"mark", 2}},
		"$(gsd done 3)":                        {{"done", 3}},
	} {
		if got := callsIn(line); !slices.Equal(got, want) {
			t.Errorf("%q: %+v", line, got)
		}
	}
}
