//go:build unix

package identity

// Random configurations, put together from pieces that are each known to be read in more than one way by
// somebody, held against git. A failure prints the seed and the files.

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// pieces of a configuration file. The plain ones stand more often, so that many files are whole.
var (
	linePieces = []string{
		"[user]\n", "[user]\n", "[user]\n", "[core]\n", "[alias]\n", "[USER]\n", "[user] ", "[core]\teditor = vi\n",
		"name = Ann\n", "name = Bob\n", "name = Ann Other\n", "\tname = Cid # c\n", "NAME=Dee\n", "name = \"Eve  \"\n",
		"email = x\n", "x = y\\\n", "x = \"y\\\n z\"\n", "# c\n", "; c\n", "\n", "  \t\n", "# c \\\n",
		"[branch \"a\"]\nmerge = m\n", "[url \"a\\\"b\"]\ninsteadOf = c\n", "[user \"x\"]\nname = Sub\n",
		"flag\n", "bare = false\n", "repositoryformatversion = 0\n", "name = a \\\\ b\n", "name = a \\\" b\n",
		"name = \"a # b\" ; c\n", "name = \"\"\n", "name =\n", "name = \u00e9\u65e5\n", "name = a=b\r\n", "[user]\r\n",
	}
	nastyPieces = []string{
		"name\n", "name = a\\tb\n", "name = a\tb\n", "name = a\\\n", "name = \"a\n", "name = a\\qb\n", "name # c\n",
		"[user.x]\n", "[user ]\n", "[user\n", "[us_er]\n", "[]\n", "[user \"x\" ]\n", "[include]\n", "path = inc\n",
		"[include]\npath = inc\n", "[includeIf \"gitdir:work/\"]\npath = inc\n", "[includeIf \"onbranch:main\"]\npath = inc\n",
		"bare = true\n", "bare\n", "worktree = /\n", "repositoryformatversion = 1\n", "[extensions]\n", "[trace2]\n",
		"\xef\xbb\xbf", "\x00", "\r", "\v", "\xff", "=", "]", "\"", "\\", "'", "name", "[", "1x = y\n", "-\n", "[core]\nbare = maybe\n",
		"[safe]\ndirectory = *\n", "[user.name]\n", "name = x;y\n", "name = \"x\"y\"z\"\n", "name\t=\tx\n", "name =\\\n x\n",
	}
)

func randomText(rng *rand.Rand, nasty int) string {
	var b strings.Builder
	if rng.IntN(4) > 0 {
		b.WriteString("[user]\n")
	}
	for range rng.IntN(8) {
		if rng.IntN(100) < nasty {
			b.WriteString(nastyPieces[rng.IntN(len(nastyPieces))])
		} else {
			b.WriteString(linePieces[rng.IntN(len(linePieces))])
		}
	}
	text := b.String()
	if rng.IntN(10) == 0 && len(text) > 0 { // torn anywhere
		text = text[:rng.IntN(len(text))]
	}
	return text
}

func TestRandom(t *testing.T) {
	t.Parallel()
	const workers, rounds = 4, 100
	for worker := range uint64(workers) {
		t.Run(fmt.Sprint(worker), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(20251120, worker))
			s := newScene(t)
			plain := 0
			for round := range rounds {
				s.remove("home")
				s.remove("work")
				s.remove("system")
				s.mkdir("work")
				s.file("home/inc", "[user]\nname = Included\n")
				nasty := []int{0, 5, 40}[rng.IntN(3)]
				var files strings.Builder
				put := func(rel string, chance int) bool {
					if rng.IntN(100) >= chance {
						return false
					}
					text := randomText(rng, nasty)
					s.file(rel, text)
					fmt.Fprintf(&files, "\n%s: %q", rel, text)
					return true
				}
				put("home/.gitconfig", 80)
				put("home/.config/git/config", 30)
				put("system", 30)
				if rng.IntN(2) == 0 {
					s.repo("work", "")
					s.file("work/.git/inc", "[user]\nname = Included\n")
					put("work/.git/config", 80)
				}
				oracle, got := s.oracle(), s.subject()
				if !got.Asked {
					plain++
				}
				if oracle.State != got.State || oracle.Raw != got.Raw {
					t.Errorf("worker %d, round %d: git says %v (%s), we say %v (asked: %t, %s)%s",
						worker, round, oracle, strings.TrimSpace(oracle.Note), got, got.Asked, got.Note, files.String())
				}
			}
			t.Logf("%d of %d were read without git", plain, rounds)
			if plain < rounds/5 {
				t.Errorf("only %d of %d were read without git: the comparison says too little", plain, rounds)
			}
		})
	}
}
