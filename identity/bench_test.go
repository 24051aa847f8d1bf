//go:build unix

package identity

import (
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
)

// A developer's ordinary file, a repository three levels up: read in process.
func BenchmarkFindPlain(b *testing.B) { benchmark(b, ordinary, 0) }

// The same with an include, for which git is asked.
func BenchmarkFindAsk(b *testing.B) { benchmark(b, ordinary+"[include]\npath = none\n", 1) }

func benchmark(b *testing.B, global string, runsEach int32) {
	root := b.TempDir()
	home, sub := filepath.Join(root, "home"), filepath.Join(root, "work", "a", "b", "c")
	git := filepath.Join(root, "work", ".git")
	for _, dir := range []string{home, sub, git + "/objects", git + "/refs"} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			b.Fatal(err)
		}
	}
	for path, text := range map[string]string{
		home + "/.gitconfig": global, git + "/HEAD": "ref: refs/heads/main\n", git + "/config": coreLocal,
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	env := []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=xterm", "LANG=C", "GIT_EDITOR=true"}
	var runs atomic.Int32
	w := staged(env, filepath.Join(root, "system"), &runs)
	w.SystemFiles = systemFiles // its cost counts
	b.ReportAllocs()
	n := int32(0)
	for b.Loop() {
		n++
		if u := Find(b.Context(), w, sub); u.Raw != "Ann Other" {
			b.Fatalf("got %+v", u)
		}
	}
	if runs.Load() != n*runsEach {
		b.Fatalf("git was run %d times in %d rounds", runs.Load(), n)
	}
}

func BenchmarkReadConfig(b *testing.B) {
	data := []byte(ordinary)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if r := readConfig(data); r.name != "Ann Other" {
			b.Fatal(r)
		}
	}
}
