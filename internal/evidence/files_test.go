package evidence

import "testing"

func TestIsTest(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"tests/test_config.py": true, "src/ipc.test.ts": true, "app/__tests__/x.tsx": true, "GameTests.swift": true, "VMFixtures.swift": true,
		"conftest.py": true, "internal/x_test.go": true, "spec/models/user_spec.rb": true, "tests/__init__.py": true,
		"src/latest.ts": false, "contest.py": false, "Attestation.swift": false, "src/main.rs": false, "inspect.go": false, "": false,
	} {
		if got := isTest(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}

func TestTouchedBy(t *testing.T) {
	t.Parallel()
	s := nameFiles([]Task{
		{Files: []string{"-", "src/a.go", "(NEW)", "./src/a_test.go", "src/a.go"}},
		{Files: []string{"`a.go`", "(EDIT", "—", "additive)", `lib\x\b.go,`}},
		{Files: []string{".planning/notes/API.md"}},
	})
	for _, tt := range []struct {
		changed            []string
		total, named       int
		of0, code0         int
		of1, of2           int
		similar0, similar2 bool
	}{
		{[]string{"app/src/a.go"}, 1, 1, 1, 1, 1, 0, true, false},
		{[]string{"src/a_test.go", "src/z.go"}, 2, 1, 1, 0, 0, 0, true, false},
		{[]string{"other/a.go", "x/b.go"}, 2, 2, 0, 0, 2, 0, false, false},
		{[]string{".planning/STATE.md", ".planning/notes/API.md"}, 1, 1, 0, 0, 0, 1, false, true},
		{nil, 0, 0, 0, 0, 0, 0, false, false},
	} {
		got := s.touchedBy(tt.changed)
		if got.changed != tt.total || got.named != tt.named || got.of(0).files != tt.of0 || got.of(0).code != tt.code0 || got.of(1).files != tt.of1 || got.of(2).files != tt.of2 {
			t.Errorf("%q: %+v, want %+v", tt.changed, got, tt)
		}
		if s.similarity(got, 0) > 0 != tt.similar0 || s.similarity(got, 2) > 0 != tt.similar2 {
			t.Errorf("%q: similar by %v, %v", tt.changed, s.similarity(got, 0), s.similarity(got, 2))
		}
	}
	if s.count[0] != 2 || s.code[0] != 1 || s.count[1] != 2 {
		t.Errorf("%+v", s)
	}
}
