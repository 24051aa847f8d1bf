package view

import (
	"bytes"
	"math"
	"testing"
	"time"
)

func TestJSON(t *testing.T) {
	t.Parallel()
	type inner struct {
		Name string `json:"name"`
		Skip string `json:"-"`
	}
	type named struct {
		Number int `json:"number"`
	}
	type answer struct {
		inner
		*named
		Nested   named         `json:"nested" empty:"null"`
		Text     string        `json:"text" empty:"null"`
		Left     string        `json:"left,omitempty"`
		List     []inner       `json:"list"`
		Index    int           `json:"index" empty:"-1"`
		Share    float64       `json:"share"`
		When     time.Time     `json:"when"`
		Lasted   time.Duration `json:"lasted"`
		Pointer  *named        `json:"pointer"`
		Untagged string
	}
	for _, test := range []struct {
		answer any
		want   string
	}{
		{struct{}{}, "{\n  \"schema\": 1,\n  \"command\": \"mark\"\n}\n"},
		{&answer{Index: -1}, `{
  "schema": 1,
  "command": "mark",
  "name": "",
  "nested": null,
  "text": null,
  "list": [],
  "index": null,
  "share": 0,
  "when": null,
  "lasted": 0,
  "pointer": null
}
`},
		{answer{
			inner: inner{Name: "<\u202e\U000e0041\x7f>", Skip: "x"}, named: &named{Number: 3}, Nested: named{Number: 4}, Text: "a", Left: "b",
			List: []inner{{Name: "c"}, {Name: "d"}}, Share: 2.0 / 3, When: time.Date(2026, 3, 4, 23, 0, 0, 9, time.FixedZone("", -3600)),
			Lasted: 1999 * time.Millisecond, Pointer: &named{Number: 5}, Untagged: "x",
		}, `{
  "schema": 1,
  "command": "mark",
  "name": "\u003c\u202e\udb40\udc41\u007f\u003e",
  "number": 3,
  "nested": {
    "number": 4
  },
  "text": "a",
  "left": "b",
  "list": [
    {
      "name": "c"
    },
    {
      "name": "d"
    }
  ],
  "index": 0,
  "share": 0.667,
  "when": "2026-03-05T00:00:00Z",
  "lasted": 1,
  "pointer": {
    "number": 5
  }
}
`},
		{struct {
			When time.Time `json:"when"`
		}{time.Unix(1<<40, 0)}, "{\n  \"schema\": 1,\n  \"command\": \"mark\",\n  \"when\": null\n}\n"},
	} {
		var out bytes.Buffer
		if err := (Envelope{Command: "mark"}).JSON(&out, test.answer); err != nil || out.String() != test.want {
			t.Errorf("%v\n%s\nwant\n%s", err, &out, test.want)
		}
	}
	var out bytes.Buffer
	if err := (Envelope{Command: "mark"}).JSON(&out, struct {
		Bad float64 `json:"bad"`
	}{math.Inf(1)}); err == nil || out.Len() > 0 {
		t.Errorf("%v: %s", err, &out)
	}
}
