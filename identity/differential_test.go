//go:build unix

package identity

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// Where files stand, what the environment and the repository say: one scene each.
func TestScenes(t *testing.T) {
	t.Parallel()
	n := 0
	cases(t, "scenes.txt", func(name string, fields []string, script string) {
		if n++; testing.Short() && n%4 > 0 { // git is asked each time
			return
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			newScene(t, script).agree(fields[0], fields[1])
		})
	})
}

// The text of a configuration file, in every place that it can stand in.
func TestTexts(t *testing.T) {
	t.Parallel()
	cases(t, "texts.txt", func(name string, fields []string, _ string) { testText(t, name, fields[0], fields[1], fields[2]) })
	testText(t, "ordinary", "=Ann Other", "plain", ordinary(t))
	const ann = "[user]\nname = Ann\n"
	testText(t, "long line", "=Ann", "plain", ann+"email = "+strings.Repeat("x", 100_000)+"\n")
	long := strings.Repeat("Ann ", 20_000) + "Other"
	testText(t, "long name", "="+long, "plain", "[user]\nname = "+long+"\n")
	testText(t, "more than a megabyte", "=Ann", "asks", ann+strings.Repeat("# "+strings.Repeat("x", 98)+"\n", 11_000))
	testText(t, "many sections", "=Ann", "plain", strings.Repeat("[branch \"b\"]\n\tremote = origin\n\tmerge = refs/heads/b\n", 500)+ann)
}

func testText(t *testing.T, name, want, mode, text string) {
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		places := []struct{ name, script, path string }{
			{"global", "", "home/.gitconfig"},
			{"local", `gitdir work/.git ""`, "work/.git/config"},
			{"xdg", "", "home/.config/git/config"},
			// Below a name with precedence: the text then only matters if it is broken.
			{"global below", "repo work {local}", "home/.gitconfig"},
			{"local above", "global\n" + `gitdir work/.git ""`, "work/.git/config"},
		}
		if testing.Short() {
			places = places[:1]
		}
		for _, place := range places {
			t.Run(place.name, func(t *testing.T) {
				s := newScene(t, place.script)
				s.do("file", s.root+"/"+place.path, nil, text)
				here := want
				switch {
				case here == "*" || here == "!":
				case place.name == "global below":
					here = "=Local"
				case place.name == "local above" && here == "-":
					here = "=Global"
				}
				s.agree(here, mode)
			})
		}
	})
}

// Random files, put together from the texts, in random places.
func TestRandom(t *testing.T) {
	t.Parallel()
	var plain, all []string
	cases(t, "texts.txt", func(_ string, fields []string, _ string) {
		all = append(all, fields[2])
		if fields[1] != "asks" {
			plain = append(plain, fields[2])
		}
	})
	if testing.Short() {
		t.Skip("the texts and scenes are enough for a quick run")
	}
	rng := rand.New(rand.NewPCG(20251120, 1))
	asked := 0
	const rounds = 300
	for range rounds {
		s := newScene(t, "")
		files := ""
		for _, path := range []string{"home/.gitconfig", "home/.config/git/config", "work/.git/config"} {
			text := ""
			for range rng.IntN(4) {
				pieces := plain
				if rng.IntN(10) == 0 {
					pieces = all
				}
				text += pieces[rng.IntN(len(pieces))]
			}
			if path == "work/.git/config" {
				s.play(`repo work ""`)
				text = coreLocal + text
			}
			if rng.IntN(20) == 0 {
				text = text[:rng.IntN(len(text)+1)] // torn anywhere
			}
			s.do("file", s.root+"/"+path, nil, text)
			files += fmt.Sprintf("%s: %q\n", path, text)
		}
		oracle, got := s.oracle(), s.subject()
		if oracle.Said != got.Said {
			t.Errorf("git says %+v, we say %+v\n%s", oracle, got, files)
		}
		if got.Asked {
			asked++
		}
	}
	if asked < rounds/5 || asked > rounds*4/5 {
		t.Errorf("git was asked in %d of %d: the comparison says too little", asked, rounds)
	}
}
