package planfile

import (
	"bytes"
	"errors"
	"slices"
)

// brokenTag reports whether a start tag has a quote that is not closed.
func (f *File) brokenTag() bool {
	return slices.ContainsFunc(f.Tasks, func(t Task) bool { return t.broken })
}

// failer is what testing.TB and *rapid.T have in common.
type failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// checkSessionLaws checks what holds for every session of a plan: it has the plan's tasks, with the same names and
// texts and the requested status, and setting a status and setting it back yields the same bytes.
//
// It returns the error of Session, which must be caused by contradictory fences and tags.
func checkSessionLaws(t failer, plan *File) error {
	t.Helper()
	head := Header{User: "ada", Plan: ".planning/phases/01-a/01-01-PLAN.md", Started: "2026-01-02T03:04:05Z", Digest: "sha256:00", Phase: "2.1", Summary: "sha256:01", Fresh: true}
	s, err := plan.Session(head, func(Task) Status { return Pending })
	if err != nil {
		if plan.isElement() && !plan.brokenTag() && !errors.Is(err, ErrDuplicateStatus) {
			t.Fatalf("a plan of elements: %v\n%q", err, plan.src)
		}
		return err
	}
	src := s.src
	if s.Header != head {
		t.Fatalf("session header is %+v, want %+v", s.Header, head)
	}
	if len(s.Tasks) != len(plan.Tasks) {
		t.Fatalf("session has %d tasks, its plan %d (%s)\n%q", len(s.Tasks), len(plan.Tasks), plan.Dialect, plan.src)
	}
	if ordinary := plan.Dialect == DialectTask && plan.body == 0 && !plan.HasStatus() && !plan.brokenTag(); ordinary && !s.Holds(plan.src) {
		t.Fatalf("the session does not hold its own plan\n%q", src)
	}
	if wrapped := plan.Dialect == DialectHeading || plan.Dialect == DialectPlan; !wrapped && !plan.brokenTag() && !s.HasTextOf(plan) {
		t.Fatalf("the session does not have the text of its own plan\n%q", src)
	}
	checkBelow(t, s)
	for _, other := range [][]byte{append(bytes.Clone(plan.src), 'x'), plan.src[:len(plan.src)-1]} {
		if s.Holds(other) {
			t.Fatalf("the session holds another plan\n%q", src)
		}
	}
	// In a wrapped plan, a stray end tag ends the wrapper.
	wrapped := plan.Dialect == DialectHeading || plan.Dialect == DialectPlan
	loose := wrapped && bytes.Contains(bytes.ToLower(plan.src), []byte("</task"))
	for n := 1; n <= min(len(s.Tasks), 40) && !loose; n++ {
		if got, want := s.Name(n), plan.Name(n); got != want {
			t.Fatalf("task %d is named %q in the session, %q in the plan\n%q", n, got, want, plan.src)
		}
		if got, want := s.Body(n), plan.Body(n); got != want {
			t.Fatalf("task %d has the text %q in the session, %q in the plan\n%q", n, got, want, plan.src)
		}
	}
	if unclosed(s) > unclosed(plan) && !loose {
		t.Fatalf("the session has tasks without an end tag\n%q", src)
	}
	for i, task := range s.Tasks {
		if task.Status != Pending || task.statuses != 1 {
			t.Fatalf("task %d has %d statuses, %q\n%q", task.Number, task.statuses, task.Status, src)
		}
		if i > 40 {
			continue // the check is quadratic in the tasks
		}
		chunks, err := s.SetStatus(InProgress, task.Number)
		if errors.Is(err, ErrOpenQuote) && task.broken {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		changed := Parse(bytes.Join(chunks, nil))
		if len(changed.Tasks) != len(s.Tasks) || changed.Tasks[i].Status != InProgress {
			t.Fatalf("the status of task %d was not set\n%q", task.Number, src)
		}
		if len(changed.src) != len(src)+len(InProgress)-len(Pending) {
			t.Fatalf("task %d: bytes outside the attribute changed", task.Number)
		}
		chunks, err = changed.SetStatus(Pending, task.Number)
		if errors.Is(err, ErrOpenQuote) && task.broken {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(bytes.Join(chunks, nil), src) {
			t.Fatalf("setting task %d and setting it back changed the file\n%q", task.Number, src)
		}
	}
	return nil
}

// checkSetStatus sets the status of the tasks that pick chooses, and checks that each task with one place for a status
// takes it, and that setting all at once has the same result as one after the other.
func checkSetStatus(t failer, f *File, s Status, pick func(int) bool) {
	t.Helper()
	var numbers []int
	one, want := f, error(nil)
	for n := len(f.Tasks); n > 0 && want == nil; n-- { // in any order
		if !pick(n) {
			continue
		}
		numbers = append(numbers, n)
		task := one.Tasks[n-1]
		var chunks [][]byte
		if chunks, want = one.SetStatus(s, n); chunks != nil {
			one = Parse(bytes.Join(chunks, nil))
		}
		refused := task.statuses > 1 || !f.isElement() || errors.Is(want, ErrOpenQuote) && task.broken
		if (want != nil) != refused || want == nil && (len(one.Tasks) != len(f.Tasks) || one.Tasks[n-1].Status != s) {
			t.Fatalf("task %d with %d statuses: %v\n%q\n%q", n, task.statuses, want, f.src, one.src)
		}
	}
	chunks, err := f.SetStatus(s, numbers...)
	all := f.src
	if chunks != nil {
		all = bytes.Join(chunks, nil)
	}
	switch {
	case errors.Is(err, ErrOpenQuote) || errors.Is(want, ErrOpenQuote): // an earlier change may close the quote
	case (err == nil) != (want == nil):
		t.Fatalf("at once: %v, one after the other: %v\n%q", err, want, f.src)
	case err == nil && !bytes.Equal(all, one.src):
		t.Fatalf("tasks %v at once:\n%q\none after the other:\n%q", numbers, all, one.src)
	}
}

// unclosed counts the tasks without an end tag.
func unclosed(f *File) (n int) {
	for _, p := range f.Problems() {
		if p.Code == "task-unclosed" {
			n++
		}
	}
	return n
}

// checkBelow checks that a session is the same one with a title above its header, and that what is read as a plan has no header there.
func checkBelow(t failer, s *File) {
	t.Helper()
	const title = "# Session\n\n```\n<!-- Plan: an/example -->\n```\n"
	src := append([]byte(title), bytes.TrimPrefix(s.src, []byte(bom))...)
	below := ParseSession(src)
	if !bytes.Equal(below.Bytes(), src) {
		t.Fatal("ParseSession then Bytes is not the identity")
	}
	if below.Header != s.Header || len(below.Tasks) != len(s.Tasks) {
		t.Fatalf("below a title, the header is %+v, with %d tasks, want %+v and %d\n%q", below.Header, len(below.Tasks), s.Header, len(s.Tasks), src)
	}
	for i := range s.Tasks {
		if below.Tasks[i].Status != s.Tasks[i].Status {
			t.Fatalf("below a title, task %d is %q\n%q", i+1, below.Tasks[i].Status, src)
		}
	}
	if !bytes.Equal(below.bare(), s.bare()) {
		t.Fatalf("below a title, the text is another one\n%q", src)
	}
	if h := Parse(src).Header; h != (Header{}) {
		t.Fatalf("as a plan, it has the header %+v\n%q", h, src)
	}
}
