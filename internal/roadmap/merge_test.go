package roadmap

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/testenv"
)

func TestReduce(t *testing.T) {
	t.Parallel()
	const head = "| Phase | Plans | Status | Completed |\n|---|---|---|---|\n"
	for _, test := range []struct{ name, base, ours, theirs, want string }{
		{"done wins", "- [ ] **Phase 1: A**\n", "- [x] **Phase 1: A**\n", "- [ ] **Phase 1: A**\n", "- [x] **Phase 1: A**\n"},
		{"the later date", "- [ ] **Phase 1: A**\n", "- [x] **Phase 1: A** (completed 2026-01-02)\n", "- [x] **Phase 1: A** (completed 2026-01-01)\n", "- [x] **Phase 1: A** (completed 2026-01-02)\n"},
		{"one side takes a tick back", "- [x] 01-01: a\n", "- [ ] 01-01: a\n", "- [x] 01-01: a\n", "- [ ] 01-01: a\n"},
		{"another text", "- [ ] 01-01: a\n", "- [x] 01-01: a\n", "- [ ] 01-01: b\n", ""},
		{"twice", "- [ ] a\n- [ ] a\n", "- [x] a\n- [ ] a\n", "- [ ] a\n- [x] a\n", ""},
		{"in a fence", "```\n- [ ] a\n```\n", "```\n- [x] a\n```\n", "```\n- [X] a\n```\n", ""},
		{"cells", head + "| 1. A | 0/3 | Planned | - |\n", head + "| 1. A | 1/3 | In Progress | - |\n", head + "| 1. A | 2/3 | Planned | 2026-01-01 |\n", head + "| 1. A | 2/3 | In Progress | 2026-01-01 |\n"},
		{"complete wins", head + "| 1. A | 1/2 | Planned | - |\n", head + "| 1. A | 1/2 | In Progress | - |\n", head + "| 1. A | 2/2 | Complete    | 2026-01-01 |\n", head + "| 1. A | 2/2 | Complete    | 2026-01-01 |\n"},
		{"other totals", head + "| 1. A | 0/3 | Planned | - |\n", head + "| 1. A | 1/3 | Planned | - |\n", head + "| 1. A | 1/4 | Planned | - |\n", ""},
		{"words", head + "| 1. A | 0/3 | Planned | - |\n", head + "| 1. A | 0/3 | Planned | soon |\n", head + "| 1. A | 0/3 | Planned | later |\n", ""},
		{"words after a status", head + "| 1. A | 0/3 | Planned | - |\n", head + "| 1. A | 0/3 | In progress, Bob reviews | - |\n", head + "| 1. A | 0/3 | In progress (blocked by vendor) | - |\n", ""},
		{"complete with words", head + "| 1. A | 0/3 | Planned | - |\n", head + "| 1. A | 0/3 | Complete | - |\n", head + "| 1. A | 0/3 | Complete, but legal must sign | - |\n", ""},
		{"words lose to complete", head + "| 1. A | 0/3 | Planned | - |\n", head + "| 1. A | 0/3 | Blocked by vendor | - |\n", head + "| 1. A | 0/3 | Complete | - |\n", ""},
		{"a link", head + "| 1. A | 0/3 | Planned | - |\n", head + "| 1. A | 0/3 | [Complete](a.md) | - |\n", head + "| 1. A | 0/3 | Complete | - |\n", ""},
		{"words of one side", head + "| 1. A | 0/3 | Planned | - |\n", head + "| 1. A | 0/3 | Complete, but | - |\n", head + "| 1. A | 1/3 | Planned | - |\n", head + "| 1. A | 1/3 | Complete, but | - |\n"},
		{"a status with a date", head + "| 1. A | 0/3 | Planned | - |\n", head + "| 1. A | 0/3 | ✅ Complete | - |\n", head + "| 1. A | 0/3 | **Complete** 2026-01-02 | - |\n", head + "| 1. A | 0/3 | **Complete** 2026-01-02 | - |\n"},
		{"a date and words", head + "| 1. A | 0/3 | Planned | - |\n", head + "| 1. A | 0/3 | Planned | 2026-01-01 |\n", head + "| 1. A | 0/3 | Planned | when Bob is back |\n", ""},
		{"plans", "### Phase 1: A\n\n**Plans:** 0/3 plans executed\n", "### Phase 1: A\n\n**Plans:** 1/3 plans executed\n", "### Phase 1: A\n\n**Plans**: 2/3 plans executed\n", "### Phase 1: A\n\n**Plans**: 2/3 plans executed\n"},
		{"one side's spaces", head + "| 1. A | 0/3 | Planned | - |\n", head + "| 1. A | 0/3 | Planned     | - |\n", head + "| 1. A | 0/3 | Planned | - |\n", head + "| 1. A | 0/3 | Planned     | - |\n"},
		{"a cell more", head + "| 1. A | 0/3 | Planned | - |\n", head + "| 1. A | 1/3 | Planned | - |\n", head + "| 1. A | 2/3 | Planned | - | Bob |\n", ""},
		{"a cell less", head + "| 1. A | 0/3 | Planned | - |\n", head + "| 1. A | 1/3 | Planned | - |\n", head + "| 1. A | 2/3 | Planned |\n", ""},
		{"line ends", "- [ ] a\r\n- [ ] b", "- [x] a\r\n- [ ] b", "- [ ] a\r\n- [x] b", "- [x] a\r\n- [x] b"},
	} {
		_, o, th, _ := Reduce([]byte(test.base), []byte(test.ours), []byte(test.theirs))
		wantOurs, wantTheirs := test.want, test.want
		if test.want == "" {
			wantOurs, wantTheirs = test.ours, test.theirs
		}
		if string(o) != wantOurs || string(th) != wantTheirs {
			t.Errorf("%s: ours\n%s\ntheirs\n%s\nwant\n%s", test.name, o, th, wantOurs)
		}
	}
}

func TestSettle(t *testing.T) {
	t.Parallel()
	const head = "| Phase | Plans | Status | Completed |\n|---|---|---|---|\n"
	for _, test := range []struct{ name, text, want string }{
		{
			"the last plan", "- [ ] **Phase 1: A** - b\n\n" + head + "| 1. A | 1/2 | In Progress|  |\n",
			"- [x] **Phase 1: A** - b (completed 2026-01-03)\n\n" + head + "| 1. A | 2/2 | Complete   | 2026-01-03 |\n",
		},
		{
			"a column of another fact", "| Phase | Plans | Verified |\n|---|---|---|\n| 1. A | 1/2 | - |\n",
			"| Phase | Plans | Verified |\n|---|---|---|\n| 1. A | 2/2 | - |\n",
		},
		{"a heading's plans", "### Phase 1: A\n**Plans:** 1/2 plans executed\n", "### Phase 1: A\n**Plans:** 2/2 plans complete\n"},
		{"words in the status", head + "| 1. A | 1/2 | In progress, Bob reviews | - |\n", head + "| 1. A | 2/2 | In progress, Bob reviews | - |\n"},
		{"more than the disk has", head + "| 1. A | 3/2 | Planned | - |\n", ""},
		{"another total", head + "| 1. A | 1/3 | Planned | - |\n", ""},
		{"another phase", head + "| 2. A | 1/2 | Planned | - |\n", ""},
		{"a plan's box", "- [ ] 01-01: a\n", ""},
	} {
		want := test.want
		if want == "" {
			want = test.text
		}
		if got := SetCounts([]byte(test.text), map[string]Done{"1": {2, 2}}, "2026-01-03"); string(got) != want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, want)
		}
	}
	if got := SetCounts([]byte("- [ ] Phase 1: A\n"), map[string]Done{"1": {1, 2}}, "2026-01-03"); string(got) != "- [ ] Phase 1: A\n" {
		t.Errorf("an open phase: %s", got)
	}
}

// TestReduceLaw checks on any input that the same versions stay the same, and that the number of lines never changes.
func TestReduceLaw(t *testing.T) {
	t.Parallel()
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{
			"- [ ] **Phase 1: A**\n", "- [x] **Phase 1: A** (completed 2026-01-01)\r\n", "- [x] 01-01: a\n", "- [ ] 01-01: a", "| Phase | Plans | Status |\n",
			"|---|---|---|\n", "| 1. A | 1/2 | Complete |\n", "| 1. A | 0/2 | Planned |\r\n", "| 1. A |\n", "|\n", "### Phase 1: A\n", "**Plans:** 1/2\n",
			"```\n", "<!--", "-->\n", "\ufeff", "\xff\x00\n", "\r", "\n",
		})).Draw(t, "lines"), "")
	})
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		texts := [3]string{text.Draw(t, "base"), text.Draw(t, "ours"), text.Draw(t, "theirs")}
		b, o, th, _ := Reduce([]byte(texts[0]), []byte(texts[1]), []byte(texts[2]))
		for i, got := range [][]byte{b, o, th} {
			if strings.Count(texts[i], "\n") != strings.Count(string(got), "\n") {
				t.Fatalf("%d: %q became %q", i, texts[i], got)
			}
		}
		if _, o, th, _ := Reduce([]byte(texts[0]), []byte(texts[1]), []byte(texts[1])); string(o) != texts[1] || string(th) != texts[1] {
			t.Fatalf("the same versions became %q and %q", o, th)
		}
		SetCounts([]byte(texts[0]), map[string]Done{"1": {2, 2}}, "2026-01-01")
	})
}
