package markdown

import "testing"

func TestParseFence(t *testing.T) {
	for _, test := range []struct {
		line string
		want Fence
		ok   bool
	}{
		{"```\n", Fence{'`', true, 3}, true},
		{"~~~~ \r\n", Fence{'~', true, 4}, true},
		{"```go\n", Fence{'`', false, 3}, true},
		{"~~~ a`b", Fence{'~', false, 3}, true},
		{"``` a`b", Fence{}, false},
		{"``\n", Fence{}, false},
		{"``` `a`", Fence{}, false},
		{"~~~~~~~~~~~~", Fence{'~', true, 12}, true},
		{"---", Fence{}, false},
		{"", Fence{}, false},
	} {
		if got, ok := ParseFence([]byte(test.line)); ok != test.ok || ok && got != test.want {
			t.Errorf("%q: %v, %v", test.line, got, ok)
		}
	}
	open := Fence{'`', false, 4}
	for f, want := range map[Fence]bool{{'`', true, 4}: true, {'`', true, 5}: true, {'`', true, 3}: false, {'`', false, 4}: false, {'~', true, 4}: false} {
		if f.Closes(open) != want {
			t.Errorf("%v closes: %v", f, !want)
		}
	}
}
