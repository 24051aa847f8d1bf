package team

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/share"
)

func TestTeamFile(t *testing.T) {
	at := time.UnixMilli(1_764_000_000_123).UTC()
	whole := &team{
		Remote: "origin", prefix: "refs/gsd/", ttl: time.Hour, looked: at, count: 2, own: map[string]string{"ada": "ada-01234567"},
		users: map[string]teammate{
			"ada-01234567": {commit: "-"},
			"bob-01234567": {"c0", []teamSession{{Plan: "a/1-PLAN.md", worktree: "w1", machine: "laptop two", done: 1, resume: 2, total: 3, started: at, changed: at}, {Plan: "b.md", worktree: "w2"}}},
		},
		Claims: map[string]heldClaim{
			"claims/x": {"c1", share.Claim{Plan: "x.md", User: "bob-01234567", Name: "bob", Worktree: "w1", Machine: "m", Started: at, At: at, Renewed: at}},
			"claims/y": {commit: "c2"},
		},
	}
	again := parseTeam(string(whole.encode()))
	again.everyone()
	if again.rest = ""; !reflect.DeepEqual(again, whole) {
		t.Errorf("got  %+v\nwant %+v", again, whole)
	}
	for _, text := range []string{"", "x", "gsd team 2\to\tp\t1\n", teamVersion, "\x00", strings.Repeat("\t", 100)} {
		if got := parseTeam(text); len(got.everyone())+len(got.Claims) > 0 {
			t.Errorf("%q: %+v", text, got)
		}
	}
	odd := parseTeam(teamVersion + "\to\tp\tx\tx\tx\non\ta\nuser\nclaim\tx\nuser\tu\tc\textra\non" + strings.Repeat("\tx", 8) + "\nuser\tu2\tc2\non" + strings.Repeat("\tx", 8) + "\n" + strings.Repeat("\t", 50))
	if len(odd.Claims) != 0 || odd.everyone()["u2"].commit != "c2" {
		t.Errorf("%+v", odd)
	}
	evil := &team{Remote: "o\tx\nown", users: map[string]teammate{"u": {"c\n", []teamSession{{Plan: "p\t\n", machine: "m\nuser\tx\ty"}}}}}
	if got := parseTeam(string(evil.encode())); len(got.everyone()) != 1 || len(got.users["u"].sessions) != 1 {
		t.Errorf("%+v", got)
	}
}
