package team

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/gitremote"
	"github.com/gsd-cli/gsd/internal/share"
)

func TestTeamFile(t *testing.T) {
	at := time.UnixMilli(1_764_000_000_123).UTC()
	whole := &Seen{
		Remote: "origin", prefix: "refs/gsd/", ttl: time.Hour, looked: at, count: 2, own: map[string]string{"ada": "ada-01234567"},
		clones: map[string]teammate{
			"ada-01234567/0": {commit: "-"},
			"bob-01234567/1": {"c0", []CloneSession{{Plan: "a/1-PLAN.md", worktree: "w1", machine: "laptop two", done: 1, skipped: 4, resume: 2, total: 3, started: at, changed: at}, {Plan: "b.md", worktree: "w2"}}},
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
	for _, text := range []string{"", "x", "gsd team 1\to\tp\t1\n", teamHead, "\x00", strings.Repeat("\t", 100)} {
		if got := parseTeam(text); len(got.everyone())+len(got.Claims) > 0 {
			t.Errorf("%q: %+v", text, got)
		}
	}
	odd := parseTeam(teamHead + "\to\tp\tx\tx\tx\non\ta\nuser\nclaim\tx\nuser\tu\tc\textra\non" + strings.Repeat("\tx", 9) + "\nuser\tu2\tc2\non" + strings.Repeat("\tx", 9) + "\n" + strings.Repeat("\t", 50))
	if len(odd.Claims) != 0 || odd.everyone()["u2"].commit != "c2" {
		t.Errorf("%+v", odd)
	}
	evil := &Seen{Remote: "o\tx\nown", clones: map[string]teammate{"u": {"c\n", []CloneSession{{Plan: "p\t\n", machine: "m\nuser\tx\ty"}}}}}
	if got := parseTeam(string(evil.encode())); len(got.everyone()) != 1 || len(got.clones["u"].sessions) != 1 {
		t.Errorf("%+v", got)
	}
}

// TestReadClaim: a ref holds a claim only if all of it could be read; what nobody can say yet may be one.
func TestReadClaim(t *testing.T) {
	at := time.UnixMilli(1_764_000_000_123).UTC()
	c := share.Claim{Plan: "phases/a/01-01-PLAN.md", User: "bob-01234567", Worktree: "w1", Started: at, At: at, Renewed: at}
	text, err := share.EncodeClaim(c)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{claimText: text}
	slow := &gitremote.Error{Kind: gitremote.Slow}
	for _, test := range []struct {
		tree    gitremote.Tree
		is      bool
		unknown bool
	}{
		{gitremote.Tree{Files: files}, true, false},
		{gitremote.Tree{Files: files, Err: errors.New("torn")}, false, false},
		{gitremote.Tree{Files: files, Err: slow}, false, true},
		{gitremote.Tree{Err: &gitremote.Error{Kind: gitremote.Moved}}, false, true},
		{gitremote.Tree{}, false, false},
	} {
		held := readClaim(share.ClaimRef(c.Plan), "id", &test.tree)
		if (held.Plan != "") != test.is || held.commit != "id" || isUnknown(&test.tree) != test.unknown {
			t.Errorf("%+v: %+v, unknown %v", test.tree, held, isUnknown(&test.tree))
		}
	}
	if !isMoved(&gitremote.Error{Kind: gitremote.Moved}) || isMoved(slow) || isMoved(nil) {
		t.Error("isMoved")
	}
	for id, want := range map[string]string{"bob-01234567": "bob", "bob-0123456x": "bob-0123456x", "bob": "bob", "-01234567": "-01234567", "a-b-01234567": "a-b"} {
		if got := nameOf(id); got != want {
			t.Errorf("%s: %s", id, got)
		}
	}
}
