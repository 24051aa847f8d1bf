package work

import (
	"strings"
	"testing"
	"unicode"
)

func TestBatchLeft(t *testing.T) {
	t.Parallel()
	item := func(id, status string) string {
		return `{"quick_id": "` + id + `", "description": "Do ` + id + `", "status": "` + status + `"}`
	}
	for name, test := range map[string]struct{ src, want string }{
		"begun":              {`{"items": [` + item("a", "complete") + "," + item("b", "pending") + "," + item("c", "pending") + `]}`, "1 of 3 tasks done, next: Do b"},
		"new":                {`{"items": [` + item("b", "pending") + `]}`, "0 of 1 task done, next: Do b"},
		"over":               {`{"items": [` + item("a", "complete") + `]}`, ""},
		"over, some failed":  {`{"items": [` + item("a", "complete") + "," + item("b", "failed") + "," + item("c", "blocked") + `]}`, ""},
		"done since":         {`{"items": [` + item("done", "pending") + "," + item("c", "pending") + `]}`, "1 of 2 tasks done, next: Do c"},
		"all done since":     {`{"items": [` + item("done", "pending") + `]}`, ""},
		"failed and redone":  {`{"items": [` + item("done", "failed") + `]}`, ""},
		"no description":     {`{"items": [{"quick_id": "b", "status": "pending"}]}`, "0 of 1 task done, next: b"},
		"on several lines":   {`{"items": [{"description": "a\n\u001b[2Jb", "status": "pending"}]}`, "0 of 1 task done, next: a [2Jb"},
		"nothing":            {`{}`, ""},
		"another status":     {`{"items": [{"quick_id": "b", "status": "PENDING"}, {"quick_id": "c", "status": 7}]}`, ""},
		"no object":          {`[1]`, ""},
		"half-written":       {`{"items": [` + item("b", "pending") + ",", ""},
		"items of its own":   {`{"items": {"a": 1}}`, ""},
		"an item of its own": {`{"items": ["a", null, 3]}`, ""},
		"empty":              {``, ""},
	} {
		if got := readBatch([]byte(test.src)).left(func(id string) bool { return id == "done" }); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// FuzzBatch checks that what is said of a batch is one line, and nothing of one that is not JSON.
func FuzzBatch(f *testing.F) {
	f.Add([]byte(`{"items": [{"quick_id": "260101-abc", "description": "x\u2028y", "status": "pending"}]}`))
	f.Add([]byte(`{"items": [null, {"quick_id": 1}]}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		left := readBatch(src).left(func(string) bool { return false })
		if strings.ContainsFunc(left, unicode.IsControl) || len(left) > 4<<10 {
			t.Fatalf("%q", left)
		}
		if left != "" && src[0] != '{' && !strings.ContainsRune(" \t\r\n", rune(src[0])) {
			t.Fatalf("%q of %q", left, src)
		}
	})
}
