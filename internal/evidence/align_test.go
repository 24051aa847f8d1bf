package evidence

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestAlignIsBest checks by trying all alignments that one of the best assigns each item to the task that align
// returns.
func TestAlignIsBest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfN(rapid.SampledFrom([]string{"parse lists", "print lists", "stop: look", "test: parse text", "measure"}), 2, 4).Draw(t, "tasks")
		p := prepare(tasksOf(names...))
		items := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) item {
			it := item{}
			it.Type = rapid.SampledFrom([]string{"feat", "test", "refactor"}).Draw(t, "type")
			it.words = words(rapid.SampledFrom([]string{"parse", "parse lists", "print", "measure text", "x"}).Draw(t, "text"))
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
			continue
		}
		all += s.emission[i][task]
		switch {
		case task == last:
			all += s.same[i][task]
		case task > last:
			all += next + max(s.skip[task]-s.skip[last+1], back)
		default:
			all += back
		}
		last = task
	}
	return all
}

func TestSimilarity(t *testing.T) {
	t.Parallel()
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
		if got := similarity(words(c.a), words(c.b)); math.Abs(got-c.want) > 1e-9 {
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
		if got := stem(w); got != want {
			t.Errorf("%q: %q, want %q", w, got, want)
		}
	}
	if got := words(strings.Repeat("ab ", maxWords-2) + "É-x y"); !reflect.DeepEqual(got, wordSet{"ab", "x", "é"}) {
		t.Errorf("%q", got)
	}
}
