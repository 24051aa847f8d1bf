package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
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
)

var browser = flag.Bool("browser", false, "look at the page in a real browser")

// TestPageInBrowser shows the pages of all samples to a real browser, light and dark, 360, 800 and 1600
// pixels wide. Each stands, byte for byte as it was written, in a frame that may run no script; the
// measuring script is that of the document around the frames (browserHarness), and what it found is read
// from the document that Chromium prints. There is nothing to wait for but the program's end.
func TestPageInBrowser(t *testing.T) {
	if !*browser {
		t.Skip("it takes a browser and some ten seconds: .ci/run browser, or -args -browser")
	}
	program := findChromium()
	if program == "" {
		t.Skip("no chromium, chromium-browser or google-chrome in PATH (Debian: apt-get install chromium)")
	}
	samples := pageSamples()
	widths := func(name, scheme string) []int {
		switch { // 11,000 texts take a slow machine seconds at each width
		case name == "big" && scheme == "light":
			return []int{360}
		case name == "big":
			return []int{1600}
		}
		return []int{360, 800, 1600}
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
				t.Run(fmt.Sprintf("%s-%d", m.Page, m.Width), func(t *testing.T) { m.check(t, scheme) })
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

// measured is what the harness tells of one page at one width.
type measured struct {
	Page            string
	Width           int
	ClientWidth     int
	ScrollWidth     int
	Ground          string   // the computed background
	Dark            bool     // what prefers-color-scheme says
	Outside         []string // elements that leave the window, other than in the timeline's box
	Faint           []string // texts with less contrast than 4.5
	Texts           int      // how many were looked at
	LeastContrast   float64
	Requests        []string
	Scripts         int
	Footer          string
	TimelineReaches bool // whether its box is wider inside than outside
	TimelineFocus   bool
	Bars, EmptyBars int // what the timeline draws, and how much of it has no size
	Unnamed         int // graphics without a name
}

func (m measured) check(t *testing.T, scheme string) {
	if m.ScrollWidth > m.ClientWidth {
		t.Errorf("it is %d wide in a window of %d", m.ScrollWidth, m.ClientWidth)
	}
	if len(m.Outside) > 0 {
		t.Errorf("outside the window: %s", strings.Join(m.Outside, "; "))
	}
	if len(m.Faint) > 0 || m.Texts == 0 {
		t.Errorf("of %d texts these are faint: %s", m.Texts, strings.Join(m.Faint, "; "))
	}
	if m.Dark != (scheme == "dark") {
		t.Errorf("the browser did not take the scheme %s", scheme)
	}
	if len(m.Requests) > 0 || m.Scripts > 0 {
		t.Errorf("%d scripts, requests for %q", m.Scripts, m.Requests)
	}
	if !strings.Contains(m.Footer, "gsd status --format html") {
		t.Errorf("it is not complete: it ends in %q", m.Footer)
	}
	if m.EmptyBars > 0 || m.Unnamed > 0 || m.Page != "empty" && m.Bars == 0 {
		t.Errorf("of %d bars %d have no size and %d no name", m.Bars, m.EmptyBars, m.Unnamed)
	}
	if m.Page != "empty" && !m.TimelineFocus {
		t.Error("the timeline cannot be reached with the keyboard")
	}
	if m.Page != "empty" && m.Width == 360 && !m.TimelineReaches {
		t.Error("the timeline is squeezed")
	}
	t.Logf("%d texts, least contrast %.2f", m.Texts, m.LeastContrast)
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
const browserHarness = `<!doctype html>
<html><head><meta charset="utf-8">
<style>:root, iframe { color-scheme: SCHEME } iframe { border: 0; display: block }</style></head>
<body>FRAMES
<script>
'use strict';
const tag = e => e.tagName.toLowerCase() + (e.getAttribute('class') ? '.' + e.getAttribute('class') : '');
const name = e => tag(e.parentElement) + ' > ' + tag(e) + ' ' + e.textContent.trim().slice(0, 40);
const colour = text => { // rgb(1, 2, 3) or rgba(1, 2, 3, 0.5)
  const n = text.match(/[\d.]+/g).map(Number);
  return { rgb: n.slice(0, 3), alpha: n.length > 3 ? n[3] : 1 };
};
const luminance = rgb => {
  const [r, g, b] = rgb.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a, b) => {
  const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
};
function measure(frame) {
  const win = frame.contentWindow, doc = frame.contentDocument, root = doc.documentElement;
  const folded = [...doc.querySelectorAll('details:not([open])')];
  const m = {
    page: frame.dataset.page, width: frame.width * 1, ground: win.getComputedStyle(doc.body).backgroundColor,
    dark: win.matchMedia('(prefers-color-scheme: dark)').matches, scripts: doc.scripts.length,
    requests: win.performance.getEntriesByType('resource').map(e => e.name),
    footer: (doc.querySelector('footer') || { textContent: '' }).textContent.trim().slice(-80),
    outside: [], faint: [], texts: 0, leastContrast: 21, scrollWidth: root.scrollWidth, clientWidth: root.clientWidth,
  };
  for (const d of folded) d.open = true; // what is folded must fit too
  m.scrollWidth = Math.max(m.scrollWidth, root.scrollWidth);
  m.clientWidth = Math.min(m.clientWidth, root.clientWidth);
  for (const e of doc.body.querySelectorAll('*')) {
    if (e.closest('.scroll') && !e.matches('.scroll') || e.closest('.sr, symbol')) continue;
    const r = e.getBoundingClientRect();
    const inside = r.width === 0 || r.left >= -0.5 && r.right <= m.clientWidth + 0.5;
    if (!inside && m.outside.length < 5) m.outside.push(name(e) + ' ' + Math.round(r.left) + ' to ' + Math.round(r.right));
  }
  const grounds = new Map(); // an element's effective background
  const groundOf = e => {
    if (!e) return [255, 255, 255];
    if (!grounds.has(e)) {
      const c = colour(win.getComputedStyle(e).backgroundColor);
      grounds.set(e, c.alpha === 1 ? c.rgb : c.alpha === 0 ? groundOf(e.parentElement)
        : c.rgb.map((v, i) => c.alpha * v + (1 - c.alpha) * groundOf(e.parentElement)[i]));
    }
    return grounds.get(e);
  };
  const texts = doc.createTreeWalker(doc.body, 4);
  for (let n = texts.nextNode(); n; n = texts.nextNode()) {
    const e = n.parentElement, style = win.getComputedStyle(e);
    if (n.data.trim() === '' || e.tagName === 'title' || e.closest('.sr') || style.visibility === 'hidden') continue;
    const c = contrast(colour(e.namespaceURI.endsWith('svg') ? style.fill : style.color).rgb, groundOf(e));
    m.texts++;
    m.leastContrast = Math.min(m.leastContrast, c);
    if (c < 4.5 && m.faint.length < 5) m.faint.push(name(e) + ' ' + c.toFixed(2));
  }
  const box = doc.querySelector('.scroll'), bars = [...doc.querySelectorAll('.track svg')];
  m.timelineReaches = !!box && box.scrollWidth > box.clientWidth;
  m.timelineFocus = !!box && (box.focus(), doc.activeElement === box);
  m.bars = bars.length;
  m.emptyBars = bars.filter(b => b.getBoundingClientRect().width < 100 || !b.querySelector('line.span')).length;
  m.unnamed = bars.filter(b => b.getAttribute('role') !== 'img' || !b.querySelector('title').textContent).length;
  return m;
}
window.onload = () => {
  let text;
  try {
    text = JSON.stringify([...document.querySelectorAll('iframe')].map(measure));
  } catch (e) {
    text = String(e.stack);
  }
  const pre = document.createElement('pre');
  pre.id = 'measured';
  pre.textContent = text;
  document.body.replaceChildren(pre); // what is printed is the answer alone
};
</script></body></html>
`
