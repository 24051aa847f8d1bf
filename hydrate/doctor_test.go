package hydrate

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/roadmap"
)

// TestSed compares what an edit is held to in memory with what sed makes of the file.
func TestSed(t *testing.T) {
	t.Parallel()
	sed, err := exec.LookPath("sed")
	if err != nil {
		t.Skip("no sed")
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "PLAN.md")
	text := rapid.StringMatching(`[a-c .*^$&/"'\[\]{}<é-]{0,8}`)
	rapid.Check(t, func(t *rapid.T) {
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "line end")
		lines := rapid.SliceOfN(text, 1, 4).Draw(t, "lines")
		src := []byte(strings.Join(lines, end) + end)
		e := lineEdit{line: rapid.IntRange(1, len(lines)).Draw(t, "line"), text: text.Draw(t, "text")}
		if own := lines[e.line-1]; rapid.Bool().Draw(t, "replace") {
			from := rapid.IntRange(0, len(own)).Draw(t, "from")
			e.old = own[from:]
		}
		want, args := e.apply(src), e.sed(src)
		if want == nil || args == nil {
			return
		}
		if err := os.WriteFile(name, src, 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(sed, append(append([]string{"-i.bak"}, args...), name)...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v, %s", args, err, out)
		}
		if got, _ := os.ReadFile(name); !bytes.Equal(got, want) {
			t.Fatalf("sed %q makes %q of %q, want %q", args, got, src, want)
		}
	})
}

func TestDropItem(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ list, want string }{
		{` [01-01, 09-09]`, ` [01-01]`},
		{` [09-09, 01-01]`, ` [01-01]`},
		{` ["01-01", "09-09", '01-02']`, ` ["01-01", '01-02']`},
		{` [09-09]`, ` []`},
		{` 09-09`, ` `},
		{` 01-01,09-09 # both`, ` 01-01 # both`},
		{"\n  - 01-01\n  - \"09-09\"\n  - 01-02", "\n  - 01-01\n  \n  - 01-02"},
		{"\n- 09-09", "\n"},
		{" [\n  01-01,\n  09-09\n]", ""}, // is left to a person
	} {
		head, tail := "---\nwave: 2\ndepends_on:", "\nautonomous: true\n---\n"
		src := []byte(head + test.list + tail)
		got := dropItem(src, 3, "09-09").apply(src)
		if want := head + test.want + tail; string(got) != want && (got != nil || test.want != "") {
			t.Errorf("%q: %q, want %q", test.list, got, want)
		}
	}
}

func FuzzDropItem(f *testing.F) {
	f.Add([]byte("---\ndepends_on: [01-01, \"09-09\"]\n---\n"), "09-09")
	f.Add([]byte("---\ndepends_on:\r\n  - 09-09\r\n---\n"), "09-09")
	f.Fuzz(func(t *testing.T, src []byte, item string) {
		e := dropItem(src, roadmap.MetaLine(src, "depends_on"), item)
		if now := e.apply(src); now != nil && len(now) > len(src) {
			t.Errorf("%q is longer than %q", now, src)
		}
		if e.line > 0 {
			_ = e.sed(src)
		}
	})
}

func TestAliasedBy(t *testing.T) {
	t.Parallel()
	const sources = "\nsource \"$ZSH/oh-my-zsh.sh\"\n"
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"plugins=(git)" + sources, "the plugin git of oh-my-zsh"},
		{"plugins=(\n\tz\n\tgit\n)" + sources, "the plugin git of oh-my-zsh"},
		{"plugins=(gitfast z)" + sources, ""},
		{"plugins=(z)\n# git" + sources, ""},
		{"plugins=(git)\n#source oh-my-zsh.sh\n", ""},
		{"plugins=(git)" + sources + "unalias gsd", ""},
		{"unalias gsd\nplugins=(git)" + sources, "the plugin git of oh-my-zsh"},
		{"alias gsd='git svn dcommit'", "alias gsd='git svn dcommit'"},
		{"alias gsd=/opt/gsd/bin/gsd", ""},
		{"alias gsd='gsd -C notes'", ""},
		{"alias gsda=git", ""},
		{"alias gsd=", ""},
	} {
		if got := aliasedBy(test.text); got != test.want {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
}

// TestFreeName gives all plans of one number names of their own, none of which is taken.
func TestFreeName(t *testing.T) {
	t.Parallel()
	phase, _ := planref.ParseNumber("3")
	plan := func(name string) *roadmap.Plan {
		return &roadmap.Plan{Path: ".planning/phases/03-a1/" + name, Phase: phase}
	}
	ids := map[string][]*roadmap.Plan{"03-01": {plan("03-01-PLAN.md")}, "03-03": {plan("03-03-PLAN.md")}}
	for _, test := range []struct{ name, want string }{
		{"03-01-b2-PLAN.md", "03-02-b2-PLAN.md"},
		{"3-PLAN-01-b.md", "3-PLAN-04-b.md"},
		{"PLAN.md", ""},
	} {
		got := strings.TrimPrefix(freeName(plan(test.name), ids), ".planning/phases/03-a1/")
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// A summary without a plan would make the plan that gets its number a done one.
func TestRepeatedBesideASummary(t *testing.T) {
	t.Parallel()
	p := projectOf(t, filesIn("phases/03-a/03-01-PLAN.md phases/03-a/03-01-b-PLAN.md phases/03-a/03-02-SUMMARY.md"))
	found := Doctor(t.Context(), p, DoctorOptions{PlansOnly: true}).Findings
	if len(found) != 1 || found[0].Fix == nil || !strings.HasSuffix(found[0].Fix.Words[3], "/03-03-b-PLAN.md") {
		t.Errorf("%+v", found)
	}
}

// TestManyFindings bounds what is printed of a project of nothing but mistakes.
func TestManyFindings(t *testing.T) {
	t.Parallel()
	d := &doctor{Project: &Project{}}
	for i := range 3 * maxAlike {
		d.found(Finding{Code: "a", Detail: fmt.Sprint(i)})
		d.found(Finding{Code: "b", Detail: "the same"})
	}
	if len(d.Findings) != maxAlike+1 || len(d.warned) != 1 {
		t.Errorf("%d findings, warnings %v", len(d.Findings), d.warned)
	}
}

// A finding is listed once: the fixes of two that are equal are not one value.
func TestFindingTwice(t *testing.T) {
	t.Parallel()
	d := &doctor{}
	for _, line := range []int{3, 3, 4} {
		d.found(Finding{Code: DependencyUnknown, Path: "a", Line: line, Detail: "x", Fix: &Command{[]string{"true"}, "y"}})
	}
	if len(d.Findings) != 2 {
		t.Errorf("%+v", d.Findings)
	}
}
