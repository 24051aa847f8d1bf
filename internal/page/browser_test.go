package page

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/testenv"
)

// TestPageInBrowser shows the pages of all samples to a real browser, light and dark, 360, 800, 1280 and
// 1600 pixels wide. Each stands, byte for byte as it was written, in a frame that may run no script; the
// measuring script is that of the document around the frames (browserHarness), and what it found is read
// from the document that Chromium prints. There is nothing to wait for but the program's end.
func TestPageInBrowser(t *testing.T) {
	testenv.OnlyThorough(t)
	program := findChromium()
	if program == "" {
		t.Skip("no chromium, chromium-browser or google-chrome in PATH (Debian: apt-get install chromium)")
	}
	samples := pageSamples()
	widths := func(name, scheme string) []int {
		switch { // thousands of texts take a slow machine seconds at each width
		case name == "big" && scheme == "light":
			return []int{360}
		case name == "big":
			return []int{1600}
		}
		return []int{360, 800, 1280, 1600}
	}
	grounds := map[string][]string{} // by scheme
	for _, scheme := range []string{"light", "dark"} {
		t.Run(scheme, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "harness.html")
			var frames strings.Builder
			want := 0
			for _, name := range slices.Sorted(maps.Keys(samples)) {
				src := html.EscapeString(renderedPage(t, samples[name]))
				for _, width := range widths(name, scheme) {
					want++
					fmt.Fprintf(&frames, browserFrame, name, width, src)
				}
			}
			text := strings.NewReplacer("SCHEME", scheme, "FRAMES", frames.String()).Replace(browserHarness)
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			found := measure(t, program, scheme, file)
			if len(found) != want {
				t.Fatalf("%d pages were measured, not %d", len(found), want)
			}
			for _, m := range found {
				if len(m.Problems) > 0 {
					t.Errorf("%s, %d pixels wide: %s", m.Page, m.Width, strings.Join(m.Problems, "; "))
				}
				if !slices.Contains(grounds[scheme], m.Ground) {
					grounds[scheme] = append(grounds[scheme], m.Ground)
				}
			}
		})
	}
	if len(grounds["light"]) != 1 || len(grounds["dark"]) != 1 || grounds["light"][0] == grounds["dark"][0] {
		t.Errorf("the grounds are %v", grounds)
	}
}

// measured is what the harness finds of one page at one width.
type measured struct {
	Page     string
	Width    int
	Ground   string // the computed background
	Problems []string
}

func findChromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if program, err := exec.LookPath(name); err == nil {
			return program
		}
	}
	return ""
}

var measuredElement = regexp.MustCompile(`(?s)<pre id="measured">(.*?)</pre>`)

// measure has Chromium print the harness after it ran, and reads what it found. A browser that does not
// come up at all on a machine that is busy gets a second chance, with a new profile.
func measure(t *testing.T, program, scheme, file string) []measured {
	t.Helper()
	var last error
	for range 2 {
		out, err := dumpDOM(t, program, scheme, file)
		if err != nil {
			t.Log(err)
			last = err
			continue
		}
		found := measuredElement.FindStringSubmatch(out)
		if found == nil {
			last = fmt.Errorf("the harness did not run: %.500s", out)
			continue
		}
		var all []measured
		if err := json.Unmarshal([]byte(html.UnescapeString(found[1])), &all); err != nil {
			t.Fatalf("%v: %.500s", err, found[1])
		}
		return all
	}
	t.Fatal(last)
	return nil
}

func dumpDOM(t *testing.T, program, scheme, file string) (string, error) {
	t.Helper()
	home, err := os.MkdirTemp("", "gsd-browser-") // not t.TempDir: a child may still write when it is removed
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(home)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	preferred := "1"
	if scheme == "dark" {
		preferred = "0"
	}
	cmd := exec.CommandContext(ctx, program,
		"--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--disable-extensions", "--no-first-run",
		"--no-default-browser-check", "--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--no-sandbox", // root has no other choice, and the pages are our own
		"--user-data-dir="+filepath.Join(home, "profile"), "--window-size=1800,1000",
		"--blink-settings=preferredColorScheme="+preferred, "--dump-dom",
		"file:///"+strings.TrimPrefix(filepath.ToSlash(file), "/"))
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home, "TMPDIR="+home)
	cmd.WaitDelay = 5 * time.Second // its children hold the pipes
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		return "", fmt.Errorf("%s: %w\n%.2000s", program, err, stderr.String())
	}
	return string(out), nil
}

const browserFrame = `<iframe sandbox="allow-same-origin" data-page="%s" width="%d" height="300" srcdoc="%s"></iframe>`

// browserHarness measures when all frames are loaded. Chromium prints the document after that.
//
//go:embed testdata/browser.html
var browserHarness string
