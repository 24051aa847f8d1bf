package upstream

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Upstream's installer and ours work in the same directories. Whichever comes first, the files and hooks of both survive the
// other's installation and removal. Gemini is missing because upstream no longer supports it.
func TestInstallers(t *testing.T) {
	dir := os.Getenv("GSD_CORE")
	if dir == "" {
		t.Skip("GSD_CORE is not set to the directory in which test/upstream/install.sh installed upstream")
	}
	installer := filepath.Join(dir, "node_modules", "@opengsd", "gsd-core", "bin", "install.js")
	gsd := filepath.Join(t.TempDir(), "gsd")
	if runtime.GOOS == "windows" {
		gsd += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", gsd, "../../cmd/gsd").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	for _, host := range []string{"claude", "codex", "copilot", "cursor", "opencode"} {
		for _, scope := range []string{"project", "user"} {
			t.Run(host+" "+scope, func(t *testing.T) {
				t.Parallel()
				start := func(t *testing.T) *machine {
					return newMachine(t, installer, gsd, host, scope)
				}
				alone := start(t)
				nothing := alone.tree(t)
				alone.theirs(t)
				theirs := alone.tree(t)
				alone.theirs(t) // an update, after which Codex's config.toml is in another order
				updated := alone.tree(t)
				alone.theirs(t, "--uninstall")
				left := alone.tree(t)

				t.Run("ours first", func(t *testing.T) {
					m := start(t)
					m.ours(t)
					ours := m.tree(t)
					m.theirs(t)
					m.apart(t, nothing, ours, theirs, left)
				})
				t.Run("theirs first", func(t *testing.T) {
					m := start(t)
					m.theirs(t)
					before := m.tree(t)
					m.ours(t)
					ours := m.tree(t)
					m.theirs(t)
					m.apart(t, before, ours, updated, left)
				})
			})
		}
	}
}

// A machine has a user with one project, in which both programs can be installed for one host.
type machine struct {
	installer, gsd, host, scope string
	root, project               string
}

func newMachine(t *testing.T, installer, gsd, host, scope string) *machine {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{installer, gsd, host, scope, root, filepath.Join(root, "project")}
	for _, dir := range []string{"home", "tmp", "project/.planning"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func (m *machine) run(t *testing.T, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = m.project
	home, tmp := filepath.Join(m.root, "home"), filepath.Join(m.root, "tmp")
	cmd.Env = []string{
		"HOME=" + home, "USERPROFILE=" + home, "TMPDIR=" + tmp, "TEMP=" + tmp, "SystemRoot=" + os.Getenv("SystemRoot"),
		"PATH=" + filepath.Dir(m.gsd) + string(os.PathListSeparator) + os.Getenv("PATH"), "HTTPS_PROXY=http://127.0.0.1:9", "HTTP_PROXY=http://127.0.0.1:9",
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", filepath.Base(name), strings.Join(args, " "), err, out)
	}
}

// theirs runs upstream's installer.
func (m *machine) theirs(t *testing.T, args ...string) {
	t.Helper()
	scope := map[string]string{"project": "--local", "user": "--global"}[m.scope]
	m.run(t, "node", append([]string{m.installer, "--" + m.host, scope}, args...)...)
}

// ours runs gsd install.
func (m *machine) ours(t *testing.T, args ...string) {
	t.Helper()
	m.run(t, m.gsd, append([]string{"install", m.host, "--scope", m.scope}, args...)...)
}

// apart removes each of the two, with both installed: ours, then, after it was installed again, theirs and ours. before is
// what ours was installed into, ours what then was there, theirs what remains without ours, and left what theirs leaves.
func (m *machine) apart(t *testing.T, before, ours, theirs, left map[string]string) {
	t.Helper()
	m.kept(t, before, ours)
	m.ours(t, "--remove")
	same(t, "theirs, after ours was removed", theirs, m.tree(t))
	m.ours(t)
	m.theirs(t, "--uninstall")
	m.kept(t, before, ours)
	m.ours(t, "--remove")
	same(t, "what is left of both", left, m.tree(t))
}

// kept checks that gsd is installed, and that the files which its installation added are still what they were.
func (m *machine) kept(t *testing.T, before, ours map[string]string) {
	t.Helper()
	m.ours(t, "--check")
	now, added := m.tree(t), 0
	for name, text := range ours {
		if _, had := before[name]; had || !strings.Contains(text, "installed by gsd") {
			continue
		}
		added++
		if now[name] != text {
			t.Errorf("%s of ours is %.200q, want %.200q", name, now[name], text)
		}
	}
	if added < 4 {
		t.Errorf("gsd added %d commands", added)
	}
}

// notes are the files in which upstream keeps the times and digests of its own installations.
var notes = regexp.MustCompile(`/gsd-(file-manifest\.json|install-state\.json|migration-journal/.*)$`)

// tree returns the text of every file, with ROOT in place of the machine's directory. JSON is brought into one form, and
// an empty object is left out, because upstream leaves one of Codex's hooks, and gsd removes it.
func (m *machine) tree(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS(m.root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || strings.HasPrefix(name, "tmp/") || notes.MatchString(name) {
			return err
		}
		text, err := os.ReadFile(filepath.Join(m.root, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		text = bytes.ReplaceAll(text, []byte(m.root), []byte("ROOT"))
		var value any
		if json.Unmarshal(text, &value) == nil {
			text, err = json.MarshalIndent(value, "", " ")
		}
		if string(text) != "{}" {
			all[name] = string(text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// same compares two trees.
func same(t *testing.T, what string, want, got map[string]string) {
	t.Helper()
	names := map[string]bool{}
	for name := range want {
		names[name] = true
	}
	for name := range got {
		names[name] = true
	}
	for _, name := range sortedKeys(names) {
		is, has := got[name]
		was, had := want[name]
		switch {
		case !has:
			t.Errorf("%s: %s is gone", what, name)
		case !had:
			t.Errorf("%s: %s is left, with %.200q", what, name, is)
		case is != was:
			t.Errorf("%s: %s (-want +got):\n%s", what, name, cmp.Diff(was, is))
		}
	}
}
