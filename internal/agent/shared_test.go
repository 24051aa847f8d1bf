package agent

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/testenv"
)

// TestSharedLaw: in whatever order gsd is installed in hosts and removed from them, each is installed as a whole as long as it is
// there, and after the last one nothing is left.
func TestSharedLaw(t *testing.T) {
	if testing.Short() {
		t.Skip("installs and removes all hosts again and again")
	}
	t.Parallel()
	rapid.Check(testenv.Laws(t), func(r *rapid.T) {
		root, err := os.MkdirTemp("", "gsd")
		noError(r, err)
		defer os.RemoveAll(root)
		root, err = filepath.EvalSymlinks(root)
		noError(r, err)
		scope := rapid.SampledFrom([]Scope{Project, User}).Draw(r, "scope")
		w := whereIn(r, root, Claude, scope)
		path := filepath.ToSlash(filepath.Join(root, "gsd")) // a program that is there
		put(r, path, nil)
		before := treeOf(r, root)
		there := map[string]bool{}
		for range rapid.IntRange(1, 5).Draw(r, "steps") {
			host := rapid.SampledFrom(Names()).Draw(r, "host")
			where := w.at(host, scope)
			if there[host] && rapid.Bool().Draw(r, "remove") {
				uninstall(r, where)
				delete(there, host)
			} else {
				where.Program = rapid.SampledFrom([]string{program, path}).Draw(r, "program")
				install(r, where)
				there[host] = true
			}
			for _, name := range Names() {
				want := Absent
				if there[name] {
					want = Complete
				}
				p := planned(r, Install, w.at(name, scope))
				if p.State != want {
					r.Fatalf("after %s, %s is %s, want %s: %q", host, name, p.State, want, p.Notes)
				}
			}
		}
		for host := range there {
			uninstall(r, w.at(host, scope))
		}
		sameTree(r, "removed", treeOf(r, root).kept(), before.kept())
	})
}

// What one command removes from several hosts is planned for all of them before anything changes: the last one takes the skills.
func TestSharedGone(t *testing.T) {
	t.Parallel()
	w := newWhere(t, Codex, Project)
	install(t, w)
	install(t, w.at(Gemini, Project))
	removes := func(w Where) bool {
		p, err := Remove(w)
		noError(t, err)
		return slices.ContainsFunc(p.Changes, func(c Change) bool { return c.After == nil && filepath.Base(c.Path) == "SKILL.md" })
	}
	last := w.at(Gemini, Project)
	last.Gone = []string{Codex}
	if removes(w) || !removes(last) {
		t.Errorf("Codex removes the skills: %t, Gemini after it: %t", removes(w), removes(last))
	}
}

// TestSkillNames: a name is valid by the specification (agentskills.io), which some hosts enforce, and is not one that gsd-core's
// installer deletes.
func TestSkillNames(t *testing.T) {
	t.Parallel()
	valid := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	for _, c := range commandList {
		if name := c.skillName(); !valid.MatchString(name) || regexp.MustCompile(`^gsd-`).MatchString(name) {
			t.Errorf("the skill %s", name)
		}
	}
}
