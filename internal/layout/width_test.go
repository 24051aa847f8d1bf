package layout

import "testing"

func TestFit(t *testing.T) {
	for _, test := range []struct {
		text string
		n    int
		want string
	}{
		{"", 0, ""},
		{"ab", 2, "ab"},
		{"ab", 4, "ab"},
		{"abc", 2, "a…"},
		{"abc", 1, "…"},
		{"abc", 0, ""},
		{"abc", -3, ""},
		{"粘土", 4, "粘土"},
		{"粘土", 3, "粘…"},
		{"粘土", 2, "…"},
		{"🔥🔥", 3, "🔥…"},
		{"⚡x", 3, "⚡x"},
		{"ｶﾀ", 2, "ｶﾀ"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…"},
	} {
		if got := Cut(test.text, test.n); got != test.want {
			t.Errorf("%q in %d columns: %q, want %q", test.text, test.n, got, test.want)
		}
	}
}
