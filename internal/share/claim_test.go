package share

import (
	"strings"
	"testing"
	"time"
)

func claim(user, worktree string, renewed time.Time) Claim {
	return Claim{Plan: "a.md", User: user, Worktree: worktree, Name: "Ada", Started: noon, At: noon, Renewed: renewed}
}

func TestContend(t *testing.T) {
	mine := claim("u1", "w1", time.Time{})
	again := mine
	again.Started = at(1)
	for _, test := range []struct {
		name     string
		mine     Claim
		held     Claim
		starting bool
		now      int
		want     Outcome
		write    bool
		at       int
	}{
		{"nobody has it", mine, Claim{}, true, 0, Held, true, 0},
		{"nobody has it any more", mine, Claim{}, false, 5, Held, true, 5},
		{"mine", mine, claim("u1", "w1", noon), false, 5, Held, false, 0},
		{"mine, to be renewed", mine, claim("u1", "w1", noon), false, 6, Held, true, 0},
		{"mine, from the future", mine, claim("u1", "w1", at(20)), false, 6, Held, true, 0},
		{"mine, of another session", again, claim("u1", "w1", noon), false, 1, Held, true, 1},
		{"mine, in another worktree", mine, claim("u1", "w2", noon), true, 1, Elsewhere, false, 0},
		{"somebody else's", mine, claim("u2", "w1", noon), true, 71, Lost, false, 0},
		{"expired", mine, claim("u2", "w2", noon), true, 72, Held, true, 72},
		{"expired, in another worktree", mine, claim("u1", "w2", noon), true, 72, Held, true, 72},
		{"expired, but lost before", mine, claim("u2", "w2", noon), false, 72, Lost, false, 0},
		{"from the future", mine, claim("u2", "w2", at(73)), true, 1, Held, true, 1},
	} {
		held := &test.held
		if test.held == (Claim{}) {
			held = nil
		}
		got, write := Contend(test.mine, held, test.starting, at(test.now), ClaimTTL)
		if got != test.want || (write != nil) != test.write {
			t.Errorf("%s: %s, %+v", test.name, got, write)
		}
		if write != nil && (!write.At.Equal(at(test.at)) || !write.Renewed.Equal(at(test.now)) || !write.By("u1", "w1")) {
			t.Errorf("%s: %+v", test.name, write)
		}
	}
}

func TestClaimText(t *testing.T) {
	c := claim("ada-1", "w1", at(1))
	c.Machine, c.Branch = "laptop", "main"
	text, err := EncodeClaim(c)
	want := `{"plan":"a.md","user":"ada-1","name":"Ada","worktree":"w1","machine":"laptop","branch":"main",` +
		`"started":"2026-11-23T12:00:00Z","at":"2026-11-23T12:00:00Z","renewed":"2026-11-23T13:00:00Z"}` + "\n"
	if err != nil || string(text) != want {
		t.Errorf("%s, %v", text, err)
	}
	if got, err := DecodeClaim(ClaimRef("a.md"), text); err != nil || got != c {
		t.Errorf("%+v, %v", got, err)
	}
	more := strings.Replace(want, `{`, `{"more":[],`, 1)
	if got, err := DecodeClaim(ClaimRef("a.md"), []byte(more)); err != nil || got != c {
		t.Errorf("with a field that is not known: %+v, %v", got, err)
	}
	hostile := strings.Replace(want, "laptop", `a\u001b[31m`, 1)
	if got, err := DecodeClaim(ClaimRef("a.md"), []byte(hostile)); err != nil || got.Machine != "a-31m" {
		t.Errorf("%+v, %v", got, err)
	}
	for name, bad := range map[string]string{
		"nothing": "", "plan": strings.Replace(want, "a.md", "../a.md", 1),
		"another's plan": strings.Replace(want, "a.md", "b.md", 1), "user": strings.Replace(want, "ada-1", "../x", 1),
		"worktree": strings.Replace(want, "w1", "", 1), "size": want + strings.Repeat(" ", maxClaim),
	} {
		if got, err := DecodeClaim(ClaimRef("a.md"), []byte(bad)); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
	for _, bad := range []Claim{{User: "u", Worktree: "w"}, {Plan: "a.md", Worktree: "w"}, {Plan: "a.md", User: "u"}} {
		if _, err := EncodeClaim(bad); err == nil {
			t.Errorf("%+v is encoded", bad)
		}
	}
}
