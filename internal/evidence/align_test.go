package evidence

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/testenv"
)

// TestWeights has a case for each weight whose answer changes without it.
func TestWeights(t *testing.T) {
	t.Parallel()
	three := tasksOf("Build the parser", "Write a printer", "Measure both")
	cases := map[string]struct {
		plan Plan
		log  []string
		want string
	}{
		"Name":          {three, []string{"feat(03-01): printer"}, "2=1@73"},
		"Checkpoint":    {tasksOf("Build the parser", "stop: Look at it", "Measure both"), []string{"feat(03-01): parser", "feat(03-01): y"}, "1=1@95 3=2@65"},
		"Files":         {tasksOf("Build the parser | p.go", "Write a printer | q.go", "Measure | m.go"), []string{"feat(03-01): x | ~q.go ~z.go"}, "2=1@70"},
		"MinFiles":      {tasksOf("Build the parser | a.go b.go c.go d.go", "Write a printer"), []string{"feat(03-01): x | ~a.go ~e.go ~f.go ~g.go ~h.go ~i.go"}, "1=1@65"},
		"NoTask":        {tasksOf("Build the parser", "Write a printer"), []string{"feat(03-01): parser", "feat(03-01): printer", "fix(03-01): v", "fix(03-01): w"}, "1=1@96 2=2@90 -=3@75 -=4@75"},
		"Next":          {three, []string{"feat(03-01): x", "feat(03-01): y"}, "1=1@65 2=2@65"},
		"Skip":          {three, []string{"feat(03-01): x"}, "1=1@65"},
		"Far":           {tasksOf("Build the parser", "a", "b", "c", "d", "Write a printer"), []string{"feat(03-01): write a printer"}, "6=1@86"},
		"Same":          {three, []string{"feat(03-01): build the parser", "feat(03-01): build the parser"}, "1=1@96 1=2@94"},
		"SameRest":      {tasksOf("test: Build the parser", "Write a printer"), []string{"test(03-01): parser", "feat(03-01): y"}, "1=1@96 1=2@62"},
		"UsedUp":        {tasksOf("Build the parser", "Build on"), []string{"feat(03-01): build parser", "feat(03-01): parser tables"}, "1=1@95 2=2@65"},
		"Back":          {three, []string{"feat(03-01): write a printer", "feat(03-01): build the parser"}, "1=2@75 2=1@75"},
		"Slope":         {three, []string{"feat(03-01): printer"}, "2=1@73"},
		"MaxConfidence": {three, []string{"feat(03-01): build parser", "feat(03-01): write printer", "feat(03-01): measure both"}, "1=1@97 2=2@97 3=3@97"},
		"OrderAlone":    {three, []string{"feat(03-01): x"}, "1=1@65"},
		"MinSimilarity": {tasksOf("Build a parser of nested lists and quoted text for it", "Write a printer"), []string{"feat(03-01): quoted strings escaped literals verbatim always"}, "1=1@65"},
		"Unnamed":       {tasksOf("Build the parser | p.go", "Write a printer"), []string{"feat: build the parser | ~p.go"}, "1=1@73"},
		"Several":       {tasksOf("Build the parser | p.go", "Write a printer | q.go", "Measure both"), []string{"feat(03-01): build the parser | ~p.go ~q.go", "feat(03-01): measure both"}, "1=1@97 2=1@80 3=2@94"},
		"Said":          {tasksOf("Build the parser | p.go", "Write a printer | q.go"), []string{"feat(03-01): build the parser | ~p.go ~q.go"}, "1=1@97"},
		"Beside":        {tasksOf("Build the parser | p.go", "Write a small printer | q.go"), []string{"feat(03-01): build the parser\nand a small printer, to write it | ~p.go ~q.go"}, "1=1@97 2=1@55"},
		"PhaseOnly":     {three, []string{"feat(03): build parser"}, "1=1@78"},
	}
	answer := func(plan Plan, log []string, w Weights) string {
		plan.Weights, plan.Alone = &w, true
		return given(Match(values(history(log...)), plan))
	}
	for i := range reflect.TypeFor[Weights]().NumField() {
		name := reflect.TypeFor[Weights]().Field(i).Name
		c, ok := cases[name]
		if !ok {
			t.Errorf("no case for %s", name)
			continue
		}
		w := Standard
		if got := answer(c.plan, c.log, w); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
		reflect.ValueOf(&w).Elem().Field(i).SetFloat(0)
		if got := answer(c.plan, c.log, w); got == c.want {
			t.Errorf("%s: the answer is %q without it, too", name, got)
		}
	}
}

// TestRules has a case for each rule whose answer changes without it, and checks that Table describes each.
func TestRules(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for i, r := range Table {
		if r.Name == "" || r.Does == "" || r.From == "" || names[r.Name] {
			t.Errorf("%d: %+v", i, r)
		}
		names[r.Name] = true
	}
	if last := RuleEndings; last != 1<<(len(Table)-1) {
		t.Errorf("%d rules, and the last bit is %b", len(Table), last)
	}
	cases := map[Rules]struct {
		plan Plan
		log  []string
	}{
		RulePhase:       {dataPlan(), []string{"feat(03): user schema"}},
		RuleSquash:      {dataPlan(), []string{"x\n\n* feat(03-01): user schema\n* feat(03-01): login"}},
		RulePlanning:    {dataPlan(), []string{"docs(03-01): user schema | ~.planning/STATE.md"}},
		RuleElsewhere:   {dataPlan(), []string{"feat(03-01): user schema | ~x ~.planning/workstreams/b/phases/x"}},
		RuleMoved:       {dataPlan(), []string{"feat(04-01): user schema | !lacks =.planning/phases/04-x/04-01-PLAN.md", "docs: move | -.planning/phases/04-x/04-01-PLAN.md +" + plan31}},
		RuleLate:        {dataPlan(), []string{"feat(03-01): user schema | !lacks"}},
		RuleReverts:     {dataPlan(), []string{"feat(03-01): user schema", `Revert "feat(03-01): user schema"`}},
		RuleTests:       {tasksOf("test: Build the parser", "Write a printer"), []string{"test(03-01): parser", "feat(03-01): b"}},
		RuleUnnamed:     {dataPlan(), []string{"feat: user schema | ~src/schema.sql"}},
		RuleSeveral:     {dataPlan(), []string{"feat(03-01): x (Tasks 1 and 2)"}},
		RuleFixes:       {tasksOf("Build the parser", "stop: Look at it"), []string{"feat(03-01): parser", "fix(03-01): x"}},
		RuleUnfinished:  {dataPlan(), []string{"wip(03-01): user schema | ~src/schema.sql"}},
		RuleCheckpoints: {tasksOf("Build the parser", "stop: Look at it", "Measure both"), []string{"feat(03-01): parser", "feat(03-01): b"}},
		RuleFiles:       {dataPlan(), []string{"feat(03-01): a | ~src/login.go"}},
		RuleOneTask:     {tasksOf("Build the parser"), []string{"feat(03-01): a"}},
		RuleIndistinct:  {indistinct(tasksOf("Build the parser")), []string{"feat(03-01): a"}},
		RuleUsedUp:      {tasksOf("Build the parser", "Build on"), []string{"feat(03-01): build parser", "feat(03-01): parser tables"}},
		RuleOrderAlone:  {dataPlan(), []string{"feat(03-01): a"}},
		RuleEndings:     {dataPlan(), []string{"feat(03-01): endpoints"}},
	}
	for i := range Table {
		c := cases[1<<i]
		c.plan.Alone = true
		answer := func() string {
			f := Match(values(history(c.log...)), c.plan)
			return given(f) + " " + letters(f)
		}
		with := answer()
		c.plan.Without = 1 << i
		if without := answer(); with == without {
			t.Errorf("%s: %q with and without it", Table[i].Name, with)
		}
	}
}

// TestAlignIsBest checks by trying all alignments that one of the best assigns each item to the task that align
// returns.
func TestAlignIsBest(t *testing.T) {
	t.Parallel()
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		names := rapid.SliceOfN(rapid.SampledFrom([]string{"parse lists", "print lists", "stop: look", "test: parse text", "measure"}), 2, 4).Draw(t, "tasks")
		p := prepare(tasksOf(names...))
		items := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) item {
			it := item{}
			it.Type = rapid.SampledFrom([]string{"feat", "test", "refactor"}).Draw(t, "type")
			it.words = p.words(rapid.SampledFrom([]string{"parse", "parse lists", "print", "measure text", "x"}).Draw(t, "text"))
			return it
		}), 1, 4).Draw(t, "items")
		s, found := p.score(items), p.align(items)
		best, with := math.Inf(-1), slices.Repeat([]float64{math.Inf(-1)}, len(items))
		at := make([]int, len(items))
		var try func(i int)
		try = func(i int) {
			if i < len(items) {
				for task := -1; task < len(names); task++ {
					at[i] = task
					try(i + 1)
				}
				return
			}
			worth := s.worth(at)
			best = max(best, worth)
			for i, a := range found {
				if a.task == at[i] {
					with[i] = max(with[i], worth)
				}
			}
		}
		try(0)
		for i := range items {
			if with[i] < best-1e-9 {
				t.Fatalf("item %d at task %d scores %f, the best score is %f", i, found[i].task, with[i], best)
			}
		}
	})
}

// worth computes the score of an alignment directly.
func (s *scores) worth(at []int) (all float64) {
	last := -1
	for i, task := range at {
		if task < 0 {
			all += s.NoTask
			continue
		}
		all += s.emission[i][task]
		switch {
		case task == last:
			all += s.same[i][task]
		case task > last:
			all += s.Next + max(s.skip[task]-s.skip[last+1], s.Far)
		default:
			all += s.Back
		}
		last = task
	}
	return all
}

func TestSimilarity(t *testing.T) {
	t.Parallel()
	p := Plan{}
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"", "x", 0},
		{"x", "", 0},
		{"parse nested lists", "Parse the nested lists", 3.0/7 + 0.5},
		{"write it", "write", 1.0/3 + 1.0/6},
		{"one two", "one three", 1.0/4 + 1.0/6},
		{"a b c d", "a b c d", 1},
		{"nesting tests", "nest test", 0.5 + 1.0/3},
		{"task 2: Parse", "parse task 3", 0.5 + 1.0/3},
	} {
		if got := similarity(p.words(c.a), p.words(c.b)); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%q, %q: %f, want %f", c.a, c.b, got, c.want)
		}
	}
}

func TestStem(t *testing.T) {
	t.Parallel()
	for w, want := range map[string]string{
		"tests": "test", "tested": "test", "testing": "test", "test": "test", "caches": "cach", "cache": "cach", "class": "class",
		"ring": "ring", "bed": "bed", "use": "use", "2": "", "2fa": "2fa", "": "",
	} {
		if got := (&Plan{}).stem(w); got != want {
			t.Errorf("%q: %q, want %q", w, got, want)
		}
	}
	if got := (&Plan{}).words(strings.Repeat("ab ", maxWords-2) + "É-x y"); !reflect.DeepEqual(got, wordSet{"ab", "x", "é"}) {
		t.Errorf("%q", got)
	}
}
