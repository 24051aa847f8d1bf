package roadmap

import (
	"strings"
	"testing"
)

// scopeText lists what counts: `v2: 2.3 2.4`, of all phases of the roadmap.
func scopeText(r *Roadmap) string {
	entries := Join(&Disk{}, r)
	s := r.Scope(entries)
	text := "v" + s.Milestone + ":"
	for _, e := range entries {
		if s.Counts(e.Milestone, e.Number) {
			text += " " + e.Milestone + "/" + e.Number.String()
		}
	}
	if s.Unbounded {
		text += " unbounded"
	}
	return text
}

func TestScope(t *testing.T) {
	const two = "## v1.0 A\n### Phase 1: A\n## v1.1 B\n### Phase 2: B\n"
	for _, c := range []struct{ name, named, src, want string }{
		{"nothing", "", "", "v:"},
		{"no milestones", "", "### Phase 1: A\n### Phase 2: B\n", "v: /1 /2"},
		{"no milestones, and STATE.md names one", "v1.0", "### Phase 1: A\n", "v: /1"},
		{"the first not shipped", "", two, "v1: 1/1"},
		{"the one that STATE.md names", "v1.1", two, "v1.1: 1.1/2"},
		{"with other zeros", "v1", two, "v1: 1/1"},
		{"without its v", "1.1", two, "v1.1: 1.1/2"},
		{"v0.1 is not v0.10", "v0.1", "## v0.10 B\n### Phase 2: B\n## v0.1 A\n### Phase 1: A\n", "v0.1: 0.1/1"},
		{"v0.10 is not v0.1", "v0.10", "## v0.10 B\n### Phase 2: B\n## v0.1 A\n### Phase 1: A\n", "v0.10: 0.10/2"},
		{"one that the roadmap has not", "v2.0", two, "v: 1/1 1.1/2 unbounded"},
		{"not shipped ones count where none is current", "v2.0", "## v1.0 A (shipped)\n### Phase 1: A\n## v1.1 B\n### Phase 2: B\n", "v: 1.1/2 unbounded"},
		{"named, but shipped", "v1.0", "## v1.0 A ✅ SHIPPED\n### Phase 1: A\n## v1.1 B\n### Phase 2: B\n", "v1.1: 1.1/2"},
		{"named and shipped, and no other", "v1.0", "## v1.0 A ✅ SHIPPED\n### Phase 1: A\n", "v1: 1/1"},
		{"one in a fold, without a sign", "", "<details>\n<summary>v1.0 A</summary>\n\n- [ ] Phase 1: A\n</details>\n\n## v2.0: Current\n### Phase 2: B\n", "v2: 2/2"},
		{"one in a fold, in progress", "", "<details>\n<summary>🚧 v1.0 A</summary>\n\n- [ ] Phase 1: A\n</details>\n\n## v2.0: Next\n### Phase 2: B\n", "v1: 1/1"},
		{"all in folds", "", "<details>\n<summary>v1.0 A</summary>\n\n- [ ] Phase 1: A\n</details>\n", "v1: 1/1"},
		{"named, and in a fold", "v1.0", "<details>\n<summary>v1.0 A</summary>\n\n- [ ] Phase 1: A\n</details>\n\n## v2.0: Next\n### Phase 2: B\n", "v1: 1/1"},
		{"all shipped", "", "## v1.0 A ✅ SHIPPED\n### Phase 1: A\n", "v:"},
		{"given up", "", "## v1.0 A — ABANDONED\n### Phase 1: A\n## v1.1 B\n### Phase 2: B\n", "v1.1: 1.1/2"},
		{"marked as under way", "", "## v1.0 A\n### Phase 1: A\n## 🚧 v1.1 B\n### Phase 2: B\n", "v1.1: 1.1/2"},
		{"the first with an open phase", "", "## v1.0 A\n- [x] Phase 1: A\n## v1.1 B\n### Phase 2: B\n", "v1.1: 1.1/2"},
		{"all done, none shipped", "", "## v1.0 A\n- [x] Phase 1: A\n## v1.1 B\n- [x] Phase 2: B\n", "v1.1: 1.1/2"},
		{"in a fold that says nothing", "", "<details>\n<summary>v1.0 A</summary>\n### Phase 1: A\n</details>\n", "v1: 1/1"},
		{"in a fold, but named", "v1.0", "<details>\n<summary>v1.0 A</summary>\n### Phase 1: A\n</details>\n## v1.1 B\n### Phase 2: B\n", "v1: 1/1"},
		{"milestones without phases: the first", "", "## v1.0 A\n## v1.1 B\n", "v1:"},
		{"the last that has phases", "", "## v1.0 A\n- [x] Phase 1: A\n## v1.1 B\n- [x] Phase 2: A\n## v1.2 C\n", "v1.1: 1.1/2"},
		{"phases of no milestone are those of one without", "", "## v1.0 A ✅ SHIPPED\n### Phase 1: A\n# v1.1 B\n# Phases\n### Phase 4: A\n", "v1.1: /4"},
		{"phases of no milestone are not those of one with some", "", "### Phase 4: A\n## v1.1 B\n### Phase 5: A\n", "v1.1: 1.1/5"},
		{"parking places", "", "- [ ] Phase 0.1: A\n- [ ] Phase 0: A\n- [ ] Phase 999: A\n- [ ] Phase 999.1: A\n- [ ] Phase 10: A\n", "v: /10"},
		{"ranges, all of them", "v1.1", "## Milestones\n- v1.0 A (Phases 1-10)\n- v1.1 B (Phases 55-64 + 55.1, 57.8)\n## Phases\n- [ ] Phase 55.1: A\n- [ ] Phase 57.8: A\n- [ ] Phase 60: A\n- [ ] Phase 64.2: A\n- [ ] Phase 65: A\n- [ ] Phase 3: A\n", "v1.1: 1.1/55.1 1.1/57.8 1.1/60 1.1/64.2"},
	} {
		if got := scopeText(Parse([]byte(c.src), c.named)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestCheck(t *testing.T) {
	const text = "### Phase 1: A\n"
	wide := func(order string) string {
		var b strings.Builder
		for _, r := range text {
			b.WriteString(strings.NewReplacer("c", string(r), "0", "\x00").Replace(order))
		}
		return b.String()
	}
	for src, ok := range map[string]bool{
		"": false, " \n": false, text: true, "\ufeff" + text: true, "# R\xff\n" + strings.Repeat(text, 9): true, "# R\x00\n" + strings.Repeat(text, 9): true,
		"\xff\xfe" + wide("c0"): false, "\xfe\xff" + wide("0c"): false, wide("c0"): false, wide("0c"): false,
	} {
		if err := Check([]byte(src)); (err == nil) != ok {
			t.Errorf("%q: %v", src, err)
		}
	}
}

// Without front matter the line counts alone, as in upstream; other lines, in other words, are prose.
func TestNamedMilestone(t *testing.T) {
	for src, want := range map[string]string{
		"---\nmilestone: v1.2\n---\n":                          "v1.2",
		"milestone: v2.0\nstatus: executing\n\n# State\n":      "v2.0",
		"# State\r\n\r\nmilestone: \"v2.0\" # now\r\nmore\r\n": "v2.0",
		"---\nstatus: x\n---\n\nmilestone: v2.0\n":             "",
		"# State\n\nMilestone: v1.4 (not started)\n":           "",
		"# State\n": "",
		"":          "",
	} {
		if got := NamedMilestone([]byte(src)); got != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}
