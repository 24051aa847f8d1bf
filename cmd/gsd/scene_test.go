//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/testdata"
)

// A scene is one state: a project, a home, a clock and the agents at work.
type scene struct {
	t         *testing.T
	name      string
	root, dir string // the project is in root
	env       []string
	now       time.Time
	lifetime  time.Duration // of a run whose process cannot be checked, 0 for the usual one
	commits   int
	agent     string            // the number of a process that lives, if there is one
	names     map[string]string // of what differs from run to run
	part      int               // of the commands that write, only every twelfth is run; 0 for all of them
	lines     string            // commands of this state alone
	alone     bool              // and no others
	golden    []string          // the commands of which the answers are in a golden file
	young     []string          // the files that were changed last
	settled   map[string]string // the stamps of all files, as the state is
}

func newScene(t *testing.T, name string) *scene {
	t.Helper()
	// Of the same length on every machine: lines are cut at a width. What is written is synced, which costs nothing in memory.
	base := "/dev/shm/states-"
	if info, err := os.Stat("/dev/shm"); err != nil || !info.IsDir() {
		base = "/tmp/gsd-states-"
	}
	root := base + fmt.Sprintf("%08x", time.Now().UnixNano()&0xffffffff)
	t.Cleanup(func() { os.RemoveAll(root) })
	s := &scene{t: t, name: name, root: root, dir: filepath.Join(root, "notes"), now: stateFrom, names: map[string]string{}}
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(s.dir, testdata.Sample()); err != nil {
		t.Fatal(err)
	}
	s.write("phases/02-sharing/02-01-PLAN.md", sharingPlan)
	s.write("phases/02-sharing/02-02-PLAN.md", strings.Replace(sharingPlan, "wave: 1", "wave: 2\ndepends_on: [\"02-01\"]", 1))
	s.write("~/.gitconfig", "[user]\n\tname = Ada Lovelace\n\temail = ada@example.com\n")
	s.write("~/.local/state/gsd/machine", "0123456789abcdef0123456789abcdef\n")
	s.write("~/.bash_profile", "exit\n") // which shell finds what is no matter here
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git")
	}
	s.env = []string{"HOME=" + filepath.Join(root, "home"), "PATH=" + filepath.Dir(git) + ":/usr/bin:/bin", "TZ=UTC"}
	return s
}

// at is a file: of .planning, with "./" of the project, with "~/" of the home.
func (s *scene) at(name string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		return filepath.Join(s.root, "home", rest)
	}
	if rest, ok := strings.CutPrefix(name, "./"); ok {
		return filepath.Join(s.root, "notes", rest)
	}
	return filepath.Join(s.root, "notes", ".planning", name)
}

func (s *scene) check(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatalf("%s: %v", s.name, err)
	}
}

func (s *scene) write(name, text string) {
	s.t.Helper()
	name = s.at(name)
	s.check(os.MkdirAll(filepath.Dir(name), 0o755))
	s.check(os.WriteFile(name, []byte(text), 0o644))
}

func (s *scene) read(name string) string {
	s.t.Helper()
	text, err := os.ReadFile(s.at(name))
	s.check(err)
	return string(text)
}

// described are the schemas that some command's output was checked against.
var described = map[string]bool{}

// gsd runs a command line, and returns what it printed in the form of a section.
func (s *scene) gsd(line string, terminal bool) (section string, code int) {
	s.t.Helper()
	r := s.answer(line, terminal)
	return r.section(), r.code
}

// answer runs a command line, of which JSON has to fit its schema.
func (s *scene) answer(line string, terminal bool) (r result) {
	s.t.Helper()
	line, input, _ := strings.Cut(line, " <")
	var stdout, stderr bytes.Buffer
	a := &program{stdout: &stdout, stderr: &stderr, env: s.env, dir: s.dir, now: func() time.Time { return s.now }, lifetime: s.lifetime, style: printer.Style{Colour: terminal, Bars: terminal}}
	if input != "" {
		a.stdin = strings.NewReader(hostInput[input])
	}
	r.code = a.run(context.Background(), strings.Fields(line))
	r.out, r.err = stdout.String(), stderr.String()
	schema, text := schemaName(line), r.out
	if text == "" {
		schema, text = "error", r.err
	}
	if strings.HasSuffix(line, " --json") && text != "" {
		described[schema] = true
		if err := checkSchema(schema, []byte(text)); err != nil {
			s.t.Errorf("%s: gsd %s: %v\n%s", s.name, line, err, text)
		}
	}
	return r
}

// section returns an answer in the form of a golden file.
func (r result) section() string {
	var b strings.Builder
	if r.code != 0 {
		fmt.Fprintf(&b, "exit %d\n", r.code)
	}
	for text := range strings.Lines(r.err) {
		b.WriteString("! " + text)
	}
	b.WriteString(r.out)
	if r.out != "" && !strings.HasSuffix(r.out, "\n") {
		b.WriteString("␄\n")
	}
	return b.String()
}

// settle takes what differs from run to run out of the files, makes them all equally old, and saves a copy.
func (s *scene) settle() {
	s.t.Helper()
	s.now = stateNow
	host, err := os.Hostname()
	s.check(err)
	ids := strings.NewReplacer(append(s.replaceIDs("00000000%04d"), `"host_name":"`+host, `"host_name":"lab`, `"host_name": "`+host, `"host_name": "lab`)...)
	at := stateNow.Add(-90 * time.Minute)
	s.walk(func(name string, info fs.FileInfo) {
		if info.IsDir() {
			s.check(os.Chtimes(name, at, at))
		}
		if !info.Mode().IsRegular() {
			return
		}
		if strings.Contains(name, "/sessions/") || strings.Contains(name, "/gsd/") {
			text, err := os.ReadFile(name)
			s.check(err)
			s.check(os.WriteFile(name, []byte(ids.Replace(string(text))), info.Mode().Perm()))
		}
		s.check(os.Chtimes(name, at, at))
	})
	for _, name := range s.young {
		s.check(os.Chtimes(name, stateNow, stateNow))
	}
	s.check(exec.Command("cp", "-a", s.root, s.root+".saved").Run())
	s.t.Cleanup(func() { os.RemoveAll(s.root + ".saved") })
	s.settled = s.stamps()
}

// replaceIDs returns the ids of runs in the files, each followed by what stands for it.
func (s *scene) replaceIDs(format string) (pairs []string) {
	s.t.Helper()
	s.walk(func(name string, info fs.FileInfo) {
		if !info.Mode().IsRegular() || !strings.Contains(name, "/sessions/") && !strings.Contains(name, "/gsd/crumbs/") {
			return
		}
		text, err := os.ReadFile(name)
		s.check(err)
		for _, m := range runID().FindAllStringSubmatch(string(text), -1) {
			if id := m[1]; !strings.HasPrefix(id, "00000000") && !slices.Contains(pairs, id) {
				pairs = append(pairs, id, fmt.Sprintf(format, len(pairs)/2+1))
			}
		}
	})
	return pairs
}

// walk goes through all files and directories but those of git.
func (s *scene) walk(see func(string, fs.FileInfo)) {
	s.t.Helper()
	s.check(filepath.WalkDir(s.root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() == ".git" {
			if err == nil && d.IsDir() {
				return fs.SkipDir
			}
			return err
		}
		info, err := d.Info()
		if err == nil {
			see(name, info)
		}
		return err
	}))
}

var (
	runID   = lazyRegexp(`"(?:id|run)": ?"([0-9a-f]{12})"`)
	token   = lazyRegexp(`\b[0-9a-f]{24}\b`)
	crumbID = lazyRegexp(`^([0-9a-f]{16})\.crumb\.json$`)
	crumbOf = lazyRegexp(`"user": "[^"]*"`)
	oddName = lazyRegexp(`runs\.json\.odd-[0-9a-f]{12}`)
	spaces  = lazyRegexp(`  +`)
)

// lost gives the ids of the breadcrumbs in the order of their names.
func (s *scene) lost() []string {
	var ids []string
	files, err := os.ReadDir(s.at("~/.local/state/gsd/crumbs"))
	if err != nil {
		return nil
	}
	for _, f := range files {
		if m := crumbID().FindStringSubmatch(f.Name()); m != nil {
			ids = append(ids, m[1])
		}
	}
	return ids
}

// ordered reports whether the breadcrumbs, whose ids begin with a sum of directory and user, come in the order of their users.
func (s *scene) ordered() bool {
	var all []string
	for _, id := range s.lost() {
		all = append(all, crumbOf().FindString(s.read("~/.local/state/gsd/crumbs/"+id+".crumb.json")))
	}
	return slices.IsSorted(all)
}

// normal names what differs from run to run.
func (s *scene) normal(text string, crumbs []string, wrote bool) string {
	var pairs []string
	if wrote {
		pairs = s.replaceIDs("new-run-%04d")
	}
	host, err := os.Hostname()
	s.check(err)
	program, err := os.Executable()
	s.check(err)
	pairs = append(pairs,
		s.root, "/states", program, "/bin/gsd", version(), "VERSION", "@"+host, "@lab", " on "+host, " on lab",
		`"host_name": "`+host, `"host_name": "lab`, "\x1b", "␛")
	if strings.HasPrefix(text, "{") && strings.Count(text, "\n") == 1 { // an envelope, of one line
		pairs = append(pairs, `\n`, "\\n\n")
	}
	for i, id := range crumbs {
		pairs = append(pairs, id, fmt.Sprintf("crumb-%010d", i+1))
	}
	for _, id := range s.lost() {
		if !slices.Contains(crumbs, id) {
			pairs = append(pairs, id, "crumb-of-this-run")
		}
	}
	if text = strings.NewReplacer(pairs...).Replace(text); s.agent != "" && strings.Contains(text, s.agent) {
		text = regexp.MustCompile(`\b`+s.agent+`\b`).ReplaceAllString(text, "PID")
		text = spaces().ReplaceAllString(text, "  ") // their widths depend on the number
	}
	text = timeOf().ReplaceAllString(text, "State of 2026-01-02 03:04:05 UTC")
	text = oddName().ReplaceAllString(text, "runs.json.odd-000000000000")
	return token().ReplaceAllString(text, "token-000000000000000000")
}

// makeOrdered makes the state until its breadcrumbs come in the order of their users.
func (f projectState) makeOrdered(t *testing.T) *scene {
	t.Helper()
	s := f.make(t)
	for try := 0; !s.ordered(); try++ {
		if try > 40 {
			t.Fatalf("%s: %q", f.name, s.lost())
		}
		os.RemoveAll(s.root)
		s = f.make(t)
	}
	return s
}

// make makes the state.
func (f projectState) make(t *testing.T) *scene {
	t.Helper()
	s := newScene(t, f.name)
	for _, act := range f.acts {
		act(s)
	}
	s.settle()
	return s
}
