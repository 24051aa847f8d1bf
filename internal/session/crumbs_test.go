package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gsd-cli/gsd/internal/durable"
)

func writeCrumb(t testing.TB, s StateDir, c Crumb) Crumb {
	t.Helper()
	noError(t, s.WriteCrumb(durable.Writer{}, c))
	return c.filled()
}

func listCrumbs(t testing.TB, s StateDir) Crumbs {
	t.Helper()
	found, err := s.Crumbs("")
	noError(t, err)
	return found
}

func wantCrumbs(t testing.TB, got Crumbs, want Crumbs) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("crumbs (-want +got):\n%s", diff)
	}
}

func TestWriteCrumb(t *testing.T) {
	s, dir := newState(t)
	wantCrumbs(t, listCrumbs(t, s), Crumbs{})
	if _, err := os.Lstat(filepath.Dir(dir)); !os.IsNotExist(err) {
		t.Errorf("listing made a directory: %v", err)
	}
	c := sample()
	c.ID, c.Started = "made up", "then\xff\xff" // U+FFFD is what a crumb can hold of it
	c.Updated = c.Updated.In(time.FixedZone("", 7200))
	c = writeCrumb(t, s, c)
	if c.ID != CrumbID(c.Project, c.User, c.Plan, c.Started) {
		t.Errorf("id %s", c.ID)
	}
	wantDir(t, filepath.Join(dir, crumbsDir), c.ID+".crumb.json")
	wantCrumbs(t, listCrumbs(t, s), Crumbs{Good: []Crumb{c}})
	if runtime.GOOS != "windows" {
		wantFile(t, dir, "crumbs/"+c.ID+".crumb.json", `{
  "id": "`+c.ID+`",
  "project": "/work/project",
  "root": ".planning",
  "user": "ada-lovelace",
  "plan": ".planning/phases/03-api/03-01-PLAN.md",
  "digest": "sha256:`+strings.Repeat("0f", 32)+`",
  "started": "then�",
  "tasks": [
    {
      "number": 1,
      "name": "Task <one> & \"more\"",
      "status": "complete",
      "run": "r0",
      "ended": "2026-03-01T10:05:00Z",
      "digest": "0123456789abcdef"
    },
    {
      "number": 2,
      "name": "Задача",
      "status": "in-progress"
    },
    {
      "number": 3,
      "name": "",
      "status": "pending",
      "set": "2026-03-01T10:06:00Z",
      "head": "4b825dc"
    }
  ],
  "current": 2,
  "run": {
    "id": "r1"
  },
  "updated": "2026-03-02T11:30:00.123456789Z"
}
`)
	}

	// Written again, there is one crumb; started again, two.
	c.Tasks[1].Status, c.Current = "complete", 3
	c = writeCrumb(t, s, c)
	wantCrumbs(t, listCrumbs(t, s), Crumbs{Good: []Crumb{c}})
	c.Started = "2026-03-03T10:00:00Z"
	writeCrumb(t, s, c)
	if got := listCrumbs(t, s); len(got.Good) != 2 {
		t.Errorf("%+v", got)
	}
}

// TestWriteCrumbOver: unreadable crumbs are replaced.
func TestWriteCrumbOver(t *testing.T) {
	c := sample().filled()
	for name, tt := range crumbFaults(t) {
		s, dir := newState(t)
		writeFile(t, crumbPath(dir, c.ID), tt.text)
		if err := s.WriteCrumb(durable.Writer{}, sample()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		wantCrumbs(t, listCrumbs(t, s), Crumbs{Good: []Crumb{c}})
	}
	s, dir := newState(t)
	mkdir(t, crumbPath(dir, c.ID))
	wantErr(t, s.WriteCrumb(durable.Writer{}, sample()), durable.ErrNotRegular)
}

func crumbPath(dir, stem string) string { return filepath.Join(dir, crumbsDir, stem+crumbSuffix) }

// TestCrumbFiles: which files are listed, in which order, and which may be removed by their ids.
func TestCrumbFiles(t *testing.T) {
	s, dir := newState(t)
	c := writeCrumb(t, s, sample())
	long := strings.Repeat("x", 100)
	writeFile(t, crumbPath(dir, "a.b_C-9"), "")
	writeFile(t, crumbPath(dir, ".."), "")
	writeFile(t, crumbPath(dir, long), "")
	writeFile(t, crumbPath(dir, "zz"), encoded(t, c, nil))
	writeFile(t, crumbPath(dir, "form"), `{"tasks": {}}`)
	mkdir(t, crumbPath(dir, "dir"))
	others := []string{"." + c.ID + ".crumb.json.0123456789abcdef.tmp", ".crumb.json", "crumb.json", "note.txt", "sp ace.crumb.json", "é.crumb.json", long + "x.crumb.json", "x.crumb.json.bak"}
	for _, name := range others {
		writeFile(t, filepath.Join(dir, crumbsDir, name), encoded(t, c, nil))
	}
	writeFile(t, filepath.Join(dir, crumbsDir, "sub", c.ID+".crumb.json"), encoded(t, c, nil))
	big, err := os.Create(crumbPath(dir, "big"))
	if err == nil {
		err = errors.Join(big.Truncate(20<<20), big.Close())
	}
	noError(t, err)
	bad := []BadCrumb{
		{ID: "..", Why: "it is empty"},
		{ID: "a.b_C-9", Why: "it is empty"},
		{ID: "big", Why: "it is too large"},
		{ID: "dir", Why: "it is not a regular file"},
		{ID: "form", Why: "it does not have the form of a crumb"},
		{ID: long, Why: "it is empty"},
		{ID: "zz", Why: "its id is not its file's name"},
	}
	wantCrumbs(t, listCrumbs(t, s), Crumbs{Good: []Crumb{c}, Bad: bad})
	for _, b := range bad {
		if err := s.RemoveCrumb(durable.Writer{}, b.ID); err != nil {
			t.Error(err)
		}
	}
	wantCrumbs(t, listCrumbs(t, s), Crumbs{Good: []Crumb{c}})
	for _, name := range others {
		if _, err := os.Lstat(filepath.Join(dir, crumbsDir, name)); err != nil {
			t.Error("removed: ", err)
		}
	}
}

// TestManyCrumbs: the files and bytes that are read are limited, and the others are counted.
func TestManyCrumbs(t *testing.T) {
	s, dir := newState(t)
	for n := range maxCrumbs + 5 {
		writeFile(t, crumbPath(dir, fmt.Sprintf("%016x", n)), "{")
	}
	if found := listCrumbs(t, s); len(found.Bad) != maxCrumbs || found.Unread != 5 {
		t.Errorf("%d bad, %d unread", len(found.Bad), found.Unread)
	}
	last := fmt.Sprintf("%016x", maxCrumbs+4)
	if found, err := s.Crumbs(last); err != nil || len(found.Bad) != 1 || found.Bad[0].ID != last || found.Unread != 0 {
		t.Errorf("%+v, %v", found, err)
	}

	s, dir = newState(t)
	const fit = crumbBytes / crumbLimit
	for n := range fit + 2 {
		path := crumbPath(dir, fmt.Sprintf("%016x", n))
		writeFile(t, path, "{")
		noError(t, os.Truncate(path, crumbLimit))
	}
	if found := listCrumbs(t, s); len(found.Bad) != fit || found.Unread != 2 {
		t.Errorf("%d bad, %d unread", len(found.Bad), found.Unread)
	}
}

// TestWriteCrumbRefuses: a crumb that could not be read again is not written, and no directory is made for it.
func TestWriteCrumbRefuses(t *testing.T) {
	for name, change := range map[string]func(*Crumb){
		"project that is not UTF-8": func(c *Crumb) { c.Project += "\xff" },
		"user with a slash":         func(c *Crumb) { c.User = "../x" },
		"plan that is not UTF-8":    func(c *Crumb) { c.Plan += "\xff" },
		"no stamp":                  func(c *Crumb) { c.Updated = time.Time{} },
		"17 MiB":                    func(c *Crumb) { c.Tasks[0].Name = strings.Repeat("x", 17<<20) },
	} {
		want := fs.ErrInvalid
		if name == "17 MiB" {
			want = durable.ErrTooLarge
		}
		s, dir := newState(t)
		c := sample()
		change(&c)
		if err := s.WriteCrumb(durable.Writer{}, c); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
		if _, err := os.Lstat(dir); !os.IsNotExist(err) {
			t.Errorf("%s: something was made: %v", name, err)
		}
	}
	wantErr(t, StateDir("").WriteCrumb(durable.Writer{}, sample()), fs.ErrNotExist)
	s, dir := newState(t)
	writeFile(t, dir, "a file where the directory should be")
	_, err := s.Crumbs("")
	if err := errors.Join(err, s.WriteCrumb(durable.Writer{}, sample())); err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Error(err)
	}
}

// TestRemoveCrumb: no id leads elsewhere, and only crumbs are removed.
func TestRemoveCrumb(t *testing.T) {
	s, dir := newState(t)
	for _, s := range []StateDir{s, ""} {
		wantNone(t, s.RemoveCrumb(durable.Writer{}, "0123456789abcdef"))
	}
	c := writeCrumb(t, s, sample())
	wantNone(t, s.RemoveCrumb(durable.Writer{}, "0123456789abcdef"))
	writeFile(t, filepath.Join(dir, "up.crumb.json"), "")
	for _, id := range []string{"", "../up", `..\up`, "./" + c.ID, c.ID + "\x00", c.ID + "/", "a b", "é", strings.Repeat("x", 101), c.ID + ":x"} {
		wantErr(t, s.RemoveCrumb(durable.Writer{}, id), fs.ErrInvalid)
	}
	writeFile(t, filepath.Join(dir, crumbsDir, "full.crumb.json", "file"), "")
	if err := s.RemoveCrumb(durable.Writer{}, "full"); err == nil {
		t.Error("a full directory was removed")
	}
	wantDir(t, dir, crumbsDir, "up.crumb.json")
	wantDir(t, filepath.Join(dir, crumbsDir), c.ID+crumbSuffix, "full.crumb.json")
}

// TestCrumbsOf: crumbs of one user in one project, even if another project has the same prefix, as one pair in 2^32
// has.
func TestCrumbsOf(t *testing.T) {
	s, dir := newState(t)
	mine := sample()
	seen, alike := map[string]string{}, ""
	for n := 0; alike == ""; n++ {
		mine.Project = at(fmt.Sprint("/work/", n))
		prefix := CrumbPrefix(mine.Project, mine.User)
		alike = seen[prefix]
		seen[prefix] = mine.Project
	}
	other, again := mine, mine
	other.User, again.Started = "bob", "later"
	mine, again, other = writeCrumb(t, s, mine), writeCrumb(t, s, again), writeCrumb(t, s, other)
	torn := BadCrumb{ID: mine.ID[:8] + "-torn", Why: "it is not JSON"}
	writeFile(t, crumbPath(dir, torn.ID), "{")
	writeFile(t, crumbPath(dir, other.ID[:8]+"-torn"), "{")
	mkdir(t, crumbPath(dir, "x"+mine.ID[:8]))
	good := []Crumb{mine, again}
	slices.SortFunc(good, func(a, b Crumb) int { return strings.Compare(a.ID, b.ID) })
	for _, tt := range []struct {
		state        StateDir
		project, but string
		want         Crumbs
	}{
		{s, mine.Project, "", Crumbs{Good: good, Bad: []BadCrumb{torn}}},
		{s, mine.Project, mine.ID, Crumbs{Good: []Crumb{again}, Bad: []BadCrumb{torn}}},
		{s, alike, "", Crumbs{Good: []Crumb{}, Bad: []BadCrumb{torn}}},
		{s, at("/work/none"), "", Crumbs{}},
		{"", mine.Project, "", Crumbs{}},
	} {
		got, err := tt.state.CrumbsOf(nil, tt.project, "", mine.User, tt.but, false)
		wantNone(t, err)
		wantCrumbs(t, got, tt.want)
	}
	if got, ok := s.Crumb(mine.ID); !ok || got.ID != mine.ID {
		t.Errorf("%+v, %v", got, ok)
	}
	for _, id := range []string{torn.ID, "none", "../x"} {
		if _, ok := s.Crumb(id); ok {
			t.Errorf("%s was read", id)
		}
	}
}

// TestTemps: old temporaries are removed, and counting removes none.
func TestTemps(t *testing.T) {
	s, state := newState(t)
	project, d := newProject(t)
	for _, s := range []StateDir{s, ""} {
		if n := s.SweepTemps(noon, false) + SweepTemps(d.root, planning, noon, false); n != 0 {
			t.Errorf("%d in missing directories", n)
		}
	}
	sessions := filepath.Join(project, ".planning", sessionsDir)
	for _, f := range []struct {
		dir, name string
		age       time.Duration
	}{
		{filepath.Join(state, crumbsDir), ".x.crumb.json.0000000000000001.tmp", time.Hour + time.Second},
		{filepath.Join(state, crumbsDir), ".x.crumb.json.0000000000000002.tmp", time.Hour},
		{filepath.Join(state, crumbsDir), "x.crumb.json", 100 * time.Hour},
		{state, ".machine.0000000000000003.tmp", 2 * time.Hour},
		{state, ".machine.0000000000000007.tmp", time.Hour},
		{sessions, "..gitignore.0000000000000004.tmp", time.Hour + time.Second},
		{sessions, "..gitignore.0000000000000005.tmp", time.Hour},
		{sessions, "user/.a.0000000000000006.tmp", 100 * time.Hour}, // left to the guard's holder
	} {
		path := filepath.Join(f.dir, f.name)
		writeFile(t, path, "")
		wantNone(t, os.Chtimes(path, noon.Add(-f.age), noon.Add(-f.age)))
	}
	for range 2 {
		if a, b := s.SweepTemps(noon, true), SweepTemps(d.root, planning, noon, true); a != 2 || b != 1 {
			t.Errorf("counted %d and %d", a, b)
		}
	}
	if a, b := s.SweepTemps(noon, false), SweepTemps(d.root, planning, noon, false); a != 2 || b != 1 {
		t.Errorf("swept %d and %d", a, b)
	}
	wantDir(t, state, ".machine.0000000000000007.tmp", crumbsDir)
	wantDir(t, filepath.Join(state, crumbsDir), ".x.crumb.json.0000000000000002.tmp", "x.crumb.json")
	wantDir(t, sessions, "..gitignore.0000000000000005.tmp", "user")
	if n := d.Temps(); n != 1 {
		t.Errorf("%d beside the session", n)
	}
}

// TestStateLinks: the state directory may be a link. Links inside it may lead inside, but not out.
func TestStateLinks(t *testing.T) {
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	mkdir(t, filepath.Join(elsewhere, "within"))
	link(t, "within", filepath.Join(elsewhere, crumbsDir))
	s, dir := newState(t)
	link(t, elsewhere, dir)
	c := writeCrumb(t, s, sample())
	wantCrumbs(t, listCrumbs(t, s), Crumbs{Good: []Crumb{c}})
	wantDir(t, filepath.Join(elsewhere, "within"), c.ID+crumbSuffix)
	wantNone(t, s.RemoveCrumb(durable.Writer{}, c.ID))
	wantDir(t, filepath.Join(elsewhere, "within"))

	outside := t.TempDir()
	text := encoded(t, c, nil)
	writeFile(t, filepath.Join(outside, c.ID+crumbSuffix), text)
	writeFile(t, filepath.Join(outside, ".x.0123456789abcdef.tmp"), "")
	s, dir = newState(t)
	link(t, outside, filepath.Join(dir, crumbsDir))
	_, err1 := s.Crumbs("")
	_, err2 := s.CrumbsOf(nil, c.Project, "", c.User, "", false)
	for _, err := range []error{err1, err2, s.WriteCrumb(durable.Writer{}, c), s.RemoveCrumb(durable.Writer{}, c.ID)} {
		wantErr(t, err, durable.ErrEscapes)
	}
	if later := time.Now().Add(CrumbLife); s.SweepTemps(later, false) != 0 {
		t.Error("swept outside")
	}

	s, dir = newState(t)
	link(t, filepath.Join(outside, c.ID+crumbSuffix), crumbPath(dir, c.ID))
	link(t, c.ID+crumbSuffix, crumbPath(dir, "to-another"))
	const why = "it is not a regular file"
	wantCrumbs(t, listCrumbs(t, s), Crumbs{Bad: []BadCrumb{{ID: c.ID, Why: why}, {ID: "to-another", Why: why}}})
	wantErr(t, s.WriteCrumb(durable.Writer{}, c), durable.ErrNotRegular)
	wantNone(t, s.RemoveCrumb(durable.Writer{}, c.ID))
	wantDir(t, outside, ".x.0123456789abcdef.tmp", c.ID+crumbSuffix)
	wantFile(t, outside, c.ID+crumbSuffix, text)
}

// TestShowCrumb: a loss is shown once, and the next change of the session forgets that.
func TestShowCrumb(t *testing.T) {
	s, dir := newState(t)
	c := writeCrumb(t, s, sample())
	if s.CrumbWritten(c.ID).IsZero() || !s.CrumbWritten("none").IsZero() || !StateDir("").CrumbWritten(c.ID).IsZero() {
		t.Error("it is not known when crumbs were written")
	}
	for _, at := range []time.Time{noon.In(time.FixedZone("", 3600)), noon.Add(time.Hour)} {
		wantNone(t, s.ShowCrumb(durable.Writer{}, c.ID, at))
		shown := c
		shown.Shown = noon
		wantCrumbs(t, listCrumbs(t, s), Crumbs{Good: []Crumb{shown}})
	}
	writeCrumb(t, s, sample())
	wantCrumbs(t, listCrumbs(t, s), Crumbs{Good: []Crumb{c}})
	writeFile(t, crumbPath(dir, "torn"), "{")
	wantNone(t, s.ShowCrumb(durable.Writer{}, "torn", noon))
	wantFile(t, dir, "crumbs/torn.crumb.json", "{")
}

// TestCrumbsInTrees: the crumbs of linked working trees are found by names, whatever else has such a name, and no longer once they are
// removed.
func TestCrumbsInTrees(t *testing.T) {
	s := StateDir(t.TempDir())
	linked := func(project, plan, repository, below, user string) Crumb {
		c := sample()
		c.Project, c.Plan, c.Repository, c.Below, c.User = at(project), plan, repository, below, user
		noError(t, s.WriteCrumb(durable.Writer{}, c))
		return c.filled()
	}
	if s.List().InTrees() {
		t.Error("there is none")
	}
	noError(t, s.WriteCrumb(durable.Writer{}, sample()))
	if s.List().InTrees() {
		t.Error("that of the main tree is of a linked one")
	}
	one, two := linked("/w/a", "p", "/w/.git", ".", "ada"), linked("/w/b", "p", "/w/.git", ".", "ada")
	two.Archive = "current-plan.20260301100000.stale"
	noError(t, s.WriteCrumb(durable.Writer{}, two))
	linked("/w/c", "p", "/w/.git", "sub", "ada")
	linked("/w/d", "p", "/w/.git", ".", "bob")
	linked("/w/e", "p", "/v/.git", ".", "ada")
	name := func(id string) string {
		return filepath.Join(string(s), crumbsDir, id+"."+treeHash("/w/.git", ".", "ada")+treeSuffix)
	}
	for _, id := range []string{sample().filled().ID, "0123456789abcdef", ".", ".."} { // of another crumb, and of none
		noError(t, os.WriteFile(name(id), nil, 0o600))
	}
	noError(t, os.Remove(name(two.ID)))
	noError(t, os.Mkdir(name(two.ID), 0o700)) // its kind does not matter
	found := func() (ids []string) {
		for _, c := range s.CrumbsInTrees(s.List(), "/w/.git", ".", "ada") {
			ids = append(ids, c.ID)
		}
		slices.Sort(ids)
		return ids
	}
	want := []string{one.ID, two.ID}
	slices.Sort(want)
	if got := found(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	noError(t, s.RemoveCrumb(durable.Writer{}, one.ID))
	if _, err := os.Lstat(name(one.ID)); err == nil || !slices.Equal(found(), []string{two.ID}) {
		t.Errorf("after it was removed: %q, %v", found(), err)
	}
}
