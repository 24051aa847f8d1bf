package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/durable"
)

func writeCrumb(t testing.TB, s StateDir, c Crumb) Crumb {
	t.Helper()
	if err := s.WriteCrumb(durable.Writer{}, c); err != nil {
		t.Fatal(err)
	}
	return c.filled()
}

func listCrumbs(t testing.TB, s StateDir) Crumbs {
	t.Helper()
	found, err := s.Crumbs()
	if err != nil {
		t.Fatal(err)
	}
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
	c.Version, c.ID = 7, "made up"
	c.Updated = c.Updated.In(time.FixedZone("", 7200))
	c = writeCrumb(t, s, c)
	if c.Version != 1 || c.ID != CrumbID(c.Project, c.User, c.Plan, c.Started) {
		t.Errorf("version %d, id %s", c.Version, c.ID)
	}
	wantDir(t, filepath.Join(dir, crumbsDir), c.ID+".crumb.json")
	wantCrumbs(t, listCrumbs(t, s), Crumbs{Good: []Crumb{c}})
	if runtime.GOOS != "windows" {
		wantFile(t, dir, "crumbs/"+c.ID+".crumb.json", `{
  "version": 1,
  "id": "`+c.ID+`",
  "project": "/work/project",
  "user": "ada-lovelace",
  "plan": ".planning/phases/03-api/03-01-PLAN.md",
  "digest": "sha256:`+strings.Repeat("0f", 32)+`",
  "started": "2026-03-01T10:00:00Z",
  "tasks": [
    {
      "name": "Task <one> & \"more\"",
      "status": "complete"
    },
    {
      "name": "Задача",
      "status": "in-progress"
    },
    {
      "name": "",
      "status": "pending"
    }
  ],
  "current": 2,
  "run": "r1",
  "updated": "2026-03-02T11:30:00.123456789Z"
}
`)
	}

	// Again: one crumb, the new one. Begun anew: two.
	c.Tasks[1].Status, c.Current = "complete", 3
	c = writeCrumb(t, s, c)
	wantCrumbs(t, listCrumbs(t, s), Crumbs{Good: []Crumb{c}})
	anew := c
	anew.Started, anew.Tasks, anew.Current = "2026-03-03T10:00:00Z", nil, 0
	writeCrumb(t, s, anew)
	if got := listCrumbs(t, s); len(got.Good) != 2 || len(got.Bad) != 0 {
		t.Errorf("%+v", got)
	}
}

// drawCrumb gives any crumb that can be written, as its writer hands it in.
func drawCrumb(t *rapid.T) Crumb {
	text := func(label string) string { return rapid.String().Draw(t, label) }
	path := func(label string) string { return strings.ReplaceAll(text(label), "\x00", "") }
	c := Crumb{
		Version: rapid.Int().Draw(t, "version"),
		ID:      text("id"),
		Project: at("/") + path("project"),
		User:    rapid.StringMatching(`[a-z0-9-]{1,30}`).Draw(t, "user"),
		Plan:    rapid.Custom(func(t *rapid.T) string { return "p" + rapid.String().Draw(t, "path") }).Filter(isPlanPath).Draw(t, "plan"),
		Digest:  text("digest"),
		Started: text("started"),
		Run:     text("run"),
		Updated: time.Unix(rapid.Int64Range(-62135596800+1, 253402300799).Draw(t, "seconds"), rapid.Int64Range(0, 999_999_999).Draw(t, "nanoseconds")).
			In(time.FixedZone("", rapid.IntRange(-14*3600, 14*3600).Draw(t, "zone"))),
	}
	for range rapid.IntRange(0, 5).Draw(t, "tasks") {
		c.Tasks = append(c.Tasks, CrumbTask{text("name"), text("status")})
	}
	c.Current = rapid.IntRange(0, len(c.Tasks)).Draw(t, "current")
	return c
}

// TestCrumbRoundTrip: whatever is written is read again, alone, by all ways; and removed it is gone.
func TestCrumbRoundTrip(t *testing.T) {
	s, dir := newState(t)
	rapid.Check(t, func(t *rapid.T) {
		c := drawCrumb(t)
		if err := s.WriteCrumb(durable.Writer{}, c); err != nil {
			t.Fatal(err)
		}
		want := c
		want.Version, want.ID, want.Updated = 1, CrumbID(c.Project, c.User, c.Plan, c.Started), c.Updated.UTC()
		want.Tasks = append([]CrumbTask{}, c.Tasks...)
		all, err1 := s.Crumbs()
		its, err2 := s.CrumbsOf(c.Project, c.User, "")
		none, err3 := s.CrumbsOf(c.Project, c.User+"x", "")
		if err := errors.Join(err1, err2, err3); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(Crumbs{Good: []Crumb{want}}, all) + cmp.Diff(all, its) + cmp.Diff(Crumbs{}, none); diff != "" {
			t.Fatal(diff)
		}
		if err := s.RemoveCrumb(durable.Writer{}, want.ID); err != nil {
			t.Fatal(err)
		}
		if entries, err := os.ReadDir(filepath.Join(dir, crumbsDir)); err != nil || len(entries) != 0 {
			t.Fatalf("%v, %v", entries, err)
		}
	})
}

// TestCrumbKeepsWhatIsNoUTF8 where it is only shown, and can be found by the same id.
func TestCrumbKeepsWhatIsNoUTF8(t *testing.T) {
	s, _ := newState(t)
	c := sample()
	c.Started, c.Tasks[0].Name = "then\xff\xff", "caf\xe9"
	id := CrumbID(c.Project, c.User, c.Plan, c.Started)
	if err := s.WriteCrumb(durable.Writer{}, c); err != nil {
		t.Fatal(err)
	}
	c.Version, c.ID, c.Started, c.Tasks[0].Name = 1, id, "then\uFFFD", "caf\uFFFD"
	wantCrumbs(t, listCrumbs(t, s), Crumbs{Good: []Crumb{c}})
}

func TestWriteCrumbRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*Crumb)
		want   error
	}{
		"relative project":         {func(c *Crumb) { c.Project = "p" }, fs.ErrInvalid},
		"project that is no UTF-8": {func(c *Crumb) { c.Project += "\xff" }, fs.ErrInvalid},
		"no user":                  {func(c *Crumb) { c.User = "" }, fs.ErrInvalid},
		"user with a slash":        {func(c *Crumb) { c.User = "../x" }, fs.ErrInvalid},
		"no plan":                  {func(c *Crumb) { c.Plan = "" }, fs.ErrInvalid},
		"plan above":               {func(c *Crumb) { c.Plan = "../PLAN.md" }, fs.ErrInvalid},
		"plan that is no UTF-8":    {func(c *Crumb) { c.Plan += "\xff" }, fs.ErrInvalid},
		"task 4 of 3":              {func(c *Crumb) { c.Current = 4 }, fs.ErrInvalid},
		"no stamp":                 {func(c *Crumb) { c.Updated = time.Time{} }, fs.ErrInvalid},
		"year 10000":               {func(c *Crumb) { c.Updated = time.Date(9999, 12, 31, 23, 0, 0, 0, time.FixedZone("", -7200)) }, fs.ErrInvalid},
		"17 MiB":                   {func(c *Crumb) { c.Tasks[0].Name = strings.Repeat("x", 17<<20) }, durable.ErrTooLarge},
	} {
		s, dir := newState(t)
		c := sample()
		tt.change(&c)
		if err := s.WriteCrumb(durable.Writer{}, c); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
		if _, err := os.Lstat(dir); !os.IsNotExist(err) {
			t.Errorf("%s: something was made: %v", name, err)
		}
	}
	if err := StateDir("").WriteCrumb(durable.Writer{}, sample()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nowhere: %v", err)
	}
	s, dir := newState(t)
	writeFile(t, dir, "a file where the directory should be")
	if err := s.WriteCrumb(durable.Writer{}, sample()); err == nil {
		t.Error("written into a file")
	}
	if _, err := s.Crumbs(); err == nil {
		t.Error("a file was listed")
	}
}

// TestWriteCrumbOver: what says nothing gives way, what a later version wrote does not.
func TestWriteCrumbOver(t *testing.T) {
	c := sample().filled()
	for name, tt := range crumbFaults(t) {
		s, dir := newState(t)
		writeFile(t, crumbPath(dir, c.ID), tt.text)
		err := s.WriteCrumb(durable.Writer{}, sample())
		if strings.HasPrefix(name, "version 99") {
			wantErr(t, err, ErrCrumbVersion)
			wantFile(t, dir, "crumbs/"+c.ID+".crumb.json", tt.text)
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		wantCrumbs(t, listCrumbs(t, s), Crumbs{Good: []Crumb{c}})
	}
	s, dir := newState(t)
	mkdir(t, crumbPath(dir, c.ID))
	wantErr(t, s.WriteCrumb(durable.Writer{}, sample()), durable.ErrNotRegular)
}

func crumbPath(dir, stem string) string { return filepath.Join(dir, crumbsDir, stem+crumbSuffix) }

func TestBadCrumbs(t *testing.T) {
	id := sample().filled().ID
	for name, tt := range crumbFaults(t) {
		s, dir := newState(t)
		writeFile(t, crumbPath(dir, id), tt.text)
		wantCrumbs(t, listCrumbs(t, s), Crumbs{Bad: []BadCrumb{{id, tt.why}}})
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

// TestTornCrumb cuts a crumb at every byte.
func TestTornCrumb(t *testing.T) {
	s, dir := newState(t)
	c := sample().filled()
	text := encoded(t, c, nil)
	for n := range len(text) + 1 {
		writeFile(t, crumbPath(dir, c.ID), text[:n])
		want := Crumbs{Bad: []BadCrumb{{c.ID, "it is not JSON"}}}
		switch {
		case n == 0:
			want.Bad[0].Why = "it is empty"
		case n >= len(text)-1: // all but the newline
			want = Crumbs{Good: []Crumb{c}}
		}
		wantCrumbs(t, listCrumbs(t, s), want)
		if t.Failed() {
			t.Fatal("cut at ", n)
		}
	}
}

// TestCrumbFiles: which files are listed, in which order, and which may be removed by their ids.
func TestCrumbFiles(t *testing.T) {
	s, dir := newState(t)
	c := writeCrumb(t, s, sample())
	long := strings.Repeat("x", 100)
	writeFile(t, crumbPath(dir, "a.b_C-9"), "")
	writeFile(t, crumbPath(dir, ".."), "")
	writeFile(t, crumbPath(dir, long), "")
	writeFile(t, crumbPath(dir, "zz"), encoded(t, c, nil))
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
	if err != nil {
		t.Fatal(err)
	}
	bad := []BadCrumb{
		{"..", "it is empty"},
		{"a.b_C-9", "it is empty"},
		{"big", "it is too large"},
		{"dir", "it is not a regular file"},
		{long, "it is empty"},
		{"zz", "its id is not its file's name"},
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

func TestRemoveCrumb(t *testing.T) {
	s, dir := newState(t)
	if err := s.RemoveCrumb(durable.Writer{}, "0123456789abcdef"); err != nil {
		t.Errorf("no directory: %v", err)
	}
	if err := StateDir("").RemoveCrumb(durable.Writer{}, "0123456789abcdef"); err != nil {
		t.Errorf("nowhere: %v", err)
	}
	c := writeCrumb(t, s, sample())
	if err := s.RemoveCrumb(durable.Writer{}, "0123456789abcdef"); err != nil {
		t.Errorf("no such crumb: %v", err)
	}
	writeFile(t, filepath.Join(dir, "up.crumb.json"), "")
	writeFile(t, filepath.Join(dir, crumbsDir, "sub", "down.crumb.json"), "")
	for _, id := range []string{
		"", "../up", `..\up`, "sub/down", "./" + c.ID, dir + "/up", c.ID + "\x00", c.ID + "\n", c.ID + "/", "a b", "é",
		strings.Repeat("x", 101), "*", c.ID + ":x",
	} {
		if err := s.RemoveCrumb(durable.Writer{}, id); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%q: %v", id, err)
		}
	}
	wantDir(t, dir, crumbsDir, "up.crumb.json")
	wantDir(t, filepath.Join(dir, crumbsDir), c.ID+crumbSuffix, "sub")
	wantDir(t, filepath.Join(dir, crumbsDir, "sub"), "down.crumb.json")

	// A directory that is not empty is nobody's crumb.
	writeFile(t, filepath.Join(dir, crumbsDir, "full.crumb.json", "file"), "")
	if err := s.RemoveCrumb(durable.Writer{}, "full"); err == nil {
		t.Error("a full directory was removed")
	}
	wantFile(t, dir, "crumbs/full.crumb.json/file", "")
}

func TestCrumbsOf(t *testing.T) {
	s, dir := newState(t)
	mine := sample()
	other := mine
	other.User = "bob"
	elsewhere := mine
	elsewhere.Project = at("/work/other")
	anew := mine
	anew.Started = "later"
	mine, anew = writeCrumb(t, s, mine), writeCrumb(t, s, anew)
	other = writeCrumb(t, s, other)
	writeCrumb(t, s, elsewhere)
	prefix := mine.ID[:8]
	writeFile(t, crumbPath(dir, prefix+"-torn"), "{")
	writeFile(t, crumbPath(dir, other.ID[:8]+"-torn"), "{")
	mkdir(t, crumbPath(dir, "x"+prefix))

	good := []Crumb{mine, anew}
	if anew.ID < mine.ID {
		good = []Crumb{anew, mine}
	}
	got, err := s.CrumbsOf(mine.Project, mine.User, "")
	if err != nil {
		t.Fatal(err)
	}
	wantCrumbs(t, got, Crumbs{Good: good, Bad: []BadCrumb{{prefix + "-torn", "it is not JSON"}}})
	got, err = s.CrumbsOf(mine.Project, mine.User, mine.ID)
	if err != nil {
		t.Fatal(err)
	}
	wantCrumbs(t, got, Crumbs{Good: []Crumb{anew}, Bad: []BadCrumb{{prefix + "-torn", "it is not JSON"}}})
	got, err = s.CrumbsOf(at("/work/none"), mine.User, "")
	if err != nil {
		t.Fatal(err)
	}
	wantCrumbs(t, got, Crumbs{})
	got, err = StateDir("").CrumbsOf(mine.Project, mine.User, "")
	if err != nil {
		t.Fatal(err)
	}
	wantCrumbs(t, got, Crumbs{})
}

// TestCrumbsOfOnePrefix: two projects whose hashes begin alike, as one pair in 2^32 does.
func TestCrumbsOfOnePrefix(t *testing.T) {
	s, _ := newState(t)
	seen := map[string]string{}
	c, other := sample(), ""
	for n := 0; other == ""; n++ {
		c.Project = at(fmt.Sprint("/work/", n))
		prefix := CrumbPrefix(c.Project, c.User)
		other = seen[prefix]
		seen[prefix] = c.Project
	}
	c = writeCrumb(t, s, c)
	got, err := s.CrumbsOf(other, c.User, "")
	if err != nil {
		t.Fatal(err)
	}
	wantCrumbs(t, got, Crumbs{})
	got, err = s.CrumbsOf(c.Project, c.User, "")
	if err != nil {
		t.Fatal(err)
	}
	wantCrumbs(t, got, Crumbs{Good: []Crumb{c}})
}

func TestSweepTempsOfCrumbs(t *testing.T) {
	s, dir := newState(t)
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	for _, s := range []StateDir{s, ""} {
		if n := s.OldTemps(now) + s.SweepTemps(now); n != 0 {
			t.Errorf("swept %d of nothing", n)
		}
	}
	c := writeCrumb(t, s, sample())
	in := filepath.Join(dir, crumbsDir)
	age := func(name string, by time.Duration) {
		t.Helper()
		if err := os.Chtimes(filepath.Join(in, name), now.Add(-by), now.Add(-by)); err != nil {
			t.Fatal(err)
		}
	}
	temp := func(n int) string { return fmt.Sprintf(".%s.crumb.json.%016x.tmp", c.ID, n) }
	for n, by := range []time.Duration{time.Hour + time.Second, 100 * 24 * time.Hour, time.Hour, time.Second, -time.Hour} {
		writeFile(t, filepath.Join(in, temp(n)), "{")
		age(temp(n), by)
	}
	mkdir(t, filepath.Join(in, temp(5)))
	age(temp(5), 2*time.Hour)
	writeFile(t, filepath.Join(in, "old.tmp"), "")
	age("old.tmp", 2*time.Hour)
	age(c.ID+crumbSuffix, 2*time.Hour)
	machine := fmt.Sprintf(".%s.%016x.tmp", machineFile, 6)
	writeFile(t, filepath.Join(dir, machine), "")
	age("../"+machine, 2*time.Hour)
	for range 2 { // counting changes nothing
		if n := s.OldTemps(now); n != 3 {
			t.Errorf("counted %d, want 3", n)
		}
	}
	if n := s.SweepTemps(now); n != 3 {
		t.Errorf("swept %d, want 3", n)
	}
	if n := s.OldTemps(now); n != 0 {
		t.Errorf("counted %d that are gone", n)
	}
	wantDir(t, dir, crumbsDir)
	wantDir(t, in, temp(2), temp(3), temp(4), temp(5), c.ID+crumbSuffix, "old.tmp")
}

// TestStateMayBeALink: people keep such directories elsewhere. Inside, a link may lead to a place inside.
func TestStateMayBeALink(t *testing.T) {
	real := filepath.Join(t.TempDir(), "real")
	mkdir(t, filepath.Join(real, "elsewhere"))
	link(t, "elsewhere", filepath.Join(real, crumbsDir))
	s, dir := newState(t)
	link(t, real, dir)
	c := writeCrumb(t, s, sample())
	wantCrumbs(t, listCrumbs(t, s), Crumbs{Good: []Crumb{c}})
	wantDir(t, filepath.Join(real, "elsewhere"), c.ID+crumbSuffix)
	s.MakeMachine()
	if id := s.Machine(); id == "" {
		t.Error("no machine behind a link")
	}
	if err := s.RemoveCrumb(durable.Writer{}, c.ID); err != nil {
		t.Error(err)
	}
	wantDir(t, filepath.Join(real, "elsewhere"))
}

// TestNoLinkLeadsOut: neither the directory of the crumbs nor a crumb takes anybody anywhere.
func TestNoLinkLeadsOut(t *testing.T) {
	c := sample().filled()
	name := c.ID + crumbSuffix
	text := encoded(t, c, nil)
	temp := "." + name + ".0123456789abcdef.tmp"
	outside := t.TempDir()
	writeFile(t, filepath.Join(outside, name), text)
	writeFile(t, filepath.Join(outside, temp), "")
	changed := c
	changed.Run = "another"

	s, dir := newState(t)
	link(t, outside, filepath.Join(dir, crumbsDir))
	wantErr(t, s.WriteCrumb(durable.Writer{}, changed), durable.ErrEscapes)
	_, err := s.Crumbs()
	wantErr(t, err, durable.ErrEscapes)
	_, err = s.CrumbsOf(c.Project, c.User, "")
	wantErr(t, err, durable.ErrEscapes)
	wantErr(t, s.RemoveCrumb(durable.Writer{}, c.ID), durable.ErrEscapes)
	if later := time.Now().Add(CrumbLife); s.OldTemps(later) != 0 || s.SweepTemps(later) != 0 {
		t.Error("swept outside")
	}
	wantDir(t, outside, temp, name)
	wantFile(t, outside, name, text)

	s, dir = newState(t)
	link(t, filepath.Join(outside, name), crumbPath(dir, c.ID))
	link(t, c.ID+crumbSuffix, crumbPath(dir, "to-another"))
	link(t, "nowhere", crumbPath(dir, "to-nothing"))
	const why = "it is not a regular file"
	bad := []BadCrumb{{c.ID, why}, {"to-another", why}, {"to-nothing", why}}
	wantCrumbs(t, listCrumbs(t, s), Crumbs{Bad: bad})
	wantErr(t, s.WriteCrumb(durable.Writer{}, changed), durable.ErrNotRegular)
	for _, b := range bad {
		if err := s.RemoveCrumb(durable.Writer{}, b.ID); err != nil {
			t.Error(err)
		}
	}
	wantDir(t, filepath.Join(dir, crumbsDir))
	wantFile(t, outside, name, text)
}

func TestUntilUnchanged(t *testing.T) {
	for _, tt := range []struct {
		errs []error // of one write after another; then none
		want error
		n    int
	}{
		{nil, nil, 1},
		{[]error{fs.ErrPermission}, fs.ErrPermission, 1},
		{[]error{durable.ErrChanged}, nil, 2},
		{[]error{durable.ErrChanged, fs.ErrNotExist, durable.ErrChanged}, nil, 4},
		{[]error{durable.ErrChanged, fs.ErrPermission}, fs.ErrPermission, 2},
		{[]error{durable.ErrChanged, durable.ErrChanged, durable.ErrChanged, durable.ErrChanged}, durable.ErrChanged, 4},
	} {
		n := 0
		err := untilUnchanged(func() error {
			n++
			if n <= len(tt.errs) {
				return tt.errs[n-1]
			}
			return nil
		})
		if err != tt.want || n != tt.n {
			t.Errorf("%v: %v after %d writes", tt.errs, err, n)
		}
	}
}

// TestWriteCrumbAtOnce: whoever looks meanwhile finds one crumb, whole, and in the end no temporary is left.
func TestWriteCrumbAtOnce(t *testing.T) {
	s, dir := newState(t)
	versions := make([]Crumb, 2)
	for i := range versions {
		c := sample()
		c.Run = strings.Repeat(string(rune('a'+i)), 1000*(i+1))
		versions[i] = c.filled()
	}
	one := func(got Crumbs, err error) {
		t.Helper()
		whole := len(got.Good) == 1 && (cmp.Equal(got.Good[0], versions[0]) || cmp.Equal(got.Good[0], versions[1]))
		if err != nil || !whole || len(got.Bad) > 0 {
			t.Errorf("%+v, %v", got, err)
		}
	}
	writeCrumb(t, s, versions[0])
	var writers, readers sync.WaitGroup
	for _, c := range versions {
		writers.Go(func() {
			wrote := 0
			for range 200 {
				err := s.WriteCrumb(durable.Writer{}, c)
				if err != nil && !errors.Is(err, durable.ErrChanged) {
					t.Error(err)
				}
				if err == nil {
					wrote++
				}
			}
			if wrote == 0 {
				t.Error("never came through")
			}
		})
	}
	done := make(chan struct{})
	readers.Go(func() {
		for {
			got, err := s.Crumbs()
			// Nobody writes as fast as these two; a reader may find no moment in which it stays.
			if len(got.Bad) != 1 || got.Bad[0].Why != "it changes while it is read" {
				one(got, err)
			}
			select {
			case <-done:
				return
			default:
			}
		}
	})
	writers.Wait()
	close(done)
	readers.Wait()
	one(s.Crumbs())
	wantDir(t, filepath.Join(dir, crumbsDir), versions[0].ID+crumbSuffix)
}

// TestManyCrumbs: what is read of crumbs has an end, in files and in bytes, and what was left out is counted.
func TestManyCrumbs(t *testing.T) {
	s, dir := newState(t)
	for n := range maxCrumbs + 5 {
		writeFile(t, crumbPath(dir, fmt.Sprintf("%016x", n)), "{")
	}
	if found := listCrumbs(t, s); len(found.Bad) != maxCrumbs || found.Unread != 5 {
		t.Errorf("%d bad, %d unread", len(found.Bad), found.Unread)
	}
	last := fmt.Sprintf("%016x", maxCrumbs+4)
	if found, err := s.CrumbsNamed(last); err != nil || len(found.Bad) != 1 || found.Bad[0].ID != last || found.Unread != 0 {
		t.Errorf("%+v, %v", found, err)
	}

	s, dir = newState(t)
	const fit = crumbBytes / crumbLimit
	for n := range fit + 2 {
		path := crumbPath(dir, fmt.Sprintf("%016x", n))
		writeFile(t, path, "{")
		if err := os.Truncate(path, crumbLimit); err != nil {
			t.Fatal(err)
		}
	}
	if found := listCrumbs(t, s); len(found.Bad) != fit || found.Unread != 2 {
		t.Errorf("%d bad, %d unread", len(found.Bad), found.Unread)
	}
}

// BenchmarkCrumbsOf: two crumbs of the project among a hundred.
func BenchmarkCrumbsOf(b *testing.B) {
	s, _ := newState(b)
	c := sample()
	for n := range 100 {
		c.Started, c.Project = fmt.Sprint(n), at(fmt.Sprint("/work/", n/2))
		writeCrumb(b, s, c)
	}
	for b.Loop() {
		if got, err := s.CrumbsOf(c.Project, c.User, ""); err != nil || len(got.Good) != 2 {
			b.Fatal(got, err)
		}
	}
}
