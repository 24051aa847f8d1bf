package leftover

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// FuzzWork checks properties that hold for any bytes, between two --- lines or without them.
func FuzzWork(f *testing.F) {
	for _, s := range []string{
		"id: E2-999\n" + openDoing,
		"id: a\nstatus: complete\nspawned_by: null\nchildren:\n- b\n" + openDoing + "queue_history:\n- position: done\n  exited: null\nversion: '2.0'\n",
		"id: a\nstatus: \"active\"\ncycle_phase: chain # x\nnode_history: [{node: backlog}]\n",
		"id: &a a\nnode_history:\n- <<: *a\n  node: \"\\e[1m\\u2028\"\n  exited: ~\n",
		"type: {{TYPE}}\r\nnode_history:\r\n- node: >-\r\n    do\r\n    it\r\n",
		"? status\n: done\nstatus: \u0085x\nnode_history: !!seq [? {node: x}]\n",
	} {
		f.Add([]byte(s), "---\nstatus: done\n")
	}
	f.Fuzz(func(t *testing.T, front []byte, tail string) {
		if first, _, _ := bytes.Cut(bytes.TrimPrefix(front, []byte("\ufeff")), []byte("\n")); string(bytes.TrimRight(first, " \t\r")) != "---" {
			if w, ok := readWork(front); ok {
				t.Fatalf("%+v without front matter", w)
			}
		}
		src := append([]byte("---\n"), front...)
		src = append(src, "\n---\n"...)
		w, ok := readWork(src)
		if after, found := readWork(append(src[:len(src):len(src)], tail...)); after != w || found != ok {
			t.Fatalf("the text after the front matter changed\n%+v %v to\n%+v %v", w, ok, after, found)
		}
		if marked, found := readWork(append([]byte("\ufeff"), src...)); marked != w || found != ok {
			t.Fatalf("a byte order mark changed\n%+v %v to\n%+v %v", w, ok, marked, found)
		}
		if !ok {
			return
		}
		if w.Node == "" || begins(workQueues, w.Node) {
			t.Fatalf("%+v is not in flight", w)
		}
		if !bytes.Contains(front, []byte("node_history")) {
			t.Fatalf("%+v without a history", w)
		}
		for _, s := range []string{w.ID, w.Node} {
			if !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) || utf8.RuneCountInString(s) > 200 || strings.TrimSpace(s) != s {
				t.Fatalf("%q", s)
			}
		}
	})
}
