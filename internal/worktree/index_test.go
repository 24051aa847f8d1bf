package worktree

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// FuzzIndex: whatever an index holds, reading it ends, and says nothing of files that were not asked for.
func FuzzIndex(f *testing.F) {
	for _, version := range []string{"2", "3", "4"} {
		r := newRepo(f)
		r.write("src/a.go", "package a\n")
		r.write("src/b.go", "package b\n")
		r.write("src/deep/c.go", "package c\n")
		r.commit()
		r.write("src/d.go", "package d\n")
		r.git("add", "-N", "src/d.go")
		r.git("update-index", "--index-version", version)
		data, err := os.ReadFile(r.at(".git/index"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		f.Add(data[:len(data)/2])
	}
	wanted := []string{"src/a.go", "src/B.go", "src/deep/c.go", "", strings.Repeat("x", 5000)}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, width := range []int{20, 32} {
			x := newIndex(wanted, width)
			err := x.read(bytes.NewReader(data), int64(len(data)))
			for name := range x.entries {
				if name != wanted[0] && name != wanted[1] && name != wanted[2] && name != wanted[4] {
					t.Errorf("%q, %v", name, err)
				}
			}
		}
	})
}

// TestManyEntries: an index of several pieces is read whole, in each version.
func TestManyEntries(t *testing.T) {
	for _, version := range []string{"2", "4"} {
		r := newRepo(t)
		for i := range 600 {
			r.write(strings.Repeat("directory/", i%20)+"file"+strings.Repeat("x", i), "x")
			if i%50 == 49 {
				break
			}
		}
		r.git("update-index", "--index-version", version)
		r.commit()
		blob := strings.TrimSpace(r.git("rev-parse", "HEAD:file"))
		var lines strings.Builder
		for i := range 2000 {
			lines.WriteString("100644 " + blob + "\tmany/" + strings.Repeat("long-", i%30) + string(rune('a'+i%26)) + strings.Repeat("z", i/26) + "\n")
		}
		r.write(".git/lines", lines.String())
		r.git("-c", "core.quotePath=false", "read-tree", "HEAD")
		stdin, err := os.Open(r.at(".git/lines"))
		if err != nil {
			t.Fatal(err)
		}
		defer stdin.Close()
		r.feed(stdin, "update-index", "--index-info")
		all := strings.Split(strings.TrimSuffix(r.git("ls-files", "-z"), "\x00"), "\x00")
		x, err := readIndex(r.at(".git"), all, nil)
		if err != nil || len(x.entries) != len(all) || len(all) < 2000 {
			t.Errorf("version %s: %d of %d, %v", version, len(x.entries), len(all), err)
		}
	}
}
