package session

import (
	"encoding/json"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/progress"
)

// at is an absolute path on this system.
func at(path string) string {
	if runtime.GOOS == "windows" {
		return `C:` + filepath.FromSlash(path)
	}
	return path
}

// sample is a crumb as a caller passes it.
func sample() Crumb {
	return Crumb{
		Project: at("/work/project"),
		User:    "ada-lovelace",
		Plan:    ".planning/phases/03-api/03-01-PLAN.md",
		Digest:  "sha256:" + strings.Repeat("0f", 32),
		Started: "2026-03-01T10:00:00Z",
		Tasks: []progress.Task{
			{Name: "Task <one> & \"more\"", Digest: "0123456789abcdef", Status: "complete", Run: "r0", Ended: time.Date(2026, 3, 1, 10, 5, 0, 0, time.UTC)},
			{Name: "Задача", Status: "in-progress"},
			{Status: "pending", Set: time.Date(2026, 3, 1, 10, 6, 0, 0, time.UTC), Head: "4b825dc"},
		},
		Current: 2,
		Run:     json.RawMessage(`{"id":"r1"}`),
		Updated: time.Date(2026, 3, 2, 11, 30, 0, 123456789, time.UTC),
	}
}

// encoded is the text of c, filled by a writer and then changed by change.
func encoded(t testing.TB, c Crumb, change func(*Crumb)) string {
	t.Helper()
	c = c.filled()
	if change != nil {
		change(&c)
	}
	text, err := c.encode()
	noError(t, err)
	return string(text)
}

func TestCrumbID(t *testing.T) {
	// As sha256sum says. Pinned: existing files have these names.
	const want = "f3390937dc05e00c"
	if got := CrumbID("/work/project", "ada", ".planning/PLAN.md", "2026-03-01T10:00:00Z"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	id := CrumbID("/p", "ada", "plan", "then")
	for _, tt := range []struct {
		name                         string
		project, user, plan, started string
		sameProject, same            bool
	}{
		{"the same", "/p", "ada", "plan", "then", true, true},
		{"begun again", "/p", "ada", "plan", "later", true, false},
		{"another user", "/p", "bob", "plan", "then", false, false},
		{"another project", "/q", "ada", "plan", "then", false, false},
		{"a letter moved behind", "/p", "ada", "plant", "hen", true, false},
	} {
		got := CrumbID(tt.project, tt.user, tt.plan, tt.started)
		if len(got) != 16 || strings.Trim(got, "0123456789abcdef") != "" {
			t.Errorf("%s: %q", tt.name, got)
		}
		if (got[:8] == id[:8]) != tt.sameProject || (got == id) != tt.same {
			t.Errorf("%s: %s and %s", tt.name, got, id)
		}
	}
	if CrumbID("/p", "ada", "plan", "a\xff\xfe") != CrumbID("/p", "ada", "plan", "a\uFFFD") {
		t.Error("a start that is not UTF-8 has another id once it is written")
	}
}

func TestExpired(t *testing.T) {
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name  string
		shown time.Time
		want  bool
	}{
		{"at the end of its life", now.Add(-CrumbLife), false},
		{"after it", now.Add(-CrumbLife - 1), true},
		{"after it in another zone", now.Add(-CrumbLife - 1).In(time.FixedZone("", 14*3600)), true},
		{"far ahead", now.Add(CrumbLife + 1), false},
		{"never", time.Time{}, false},
	} {
		if got := (Crumb{Shown: tt.shown, Updated: now.Add(-9 * CrumbLife)}).Expired(now); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// crumbFaults are texts that are not a crumb of sample's id.
func crumbFaults(t testing.TB) map[string]struct{ text, why string } {
	changed := func(change func(*Crumb)) string { return encoded(t, sample(), change) }
	// With the right id, so that only the intended fault remains.
	moved := func(change func(*Crumb)) string {
		return changed(func(c *Crumb) {
			change(c)
			c.ID = CrumbID(c.Project, c.User, c.Plan, c.Started)
		})
	}
	replaced := func(old, by string) string {
		text := strings.Replace(changed(nil), old, by, 1)
		if text == changed(nil) {
			t.Fatalf("%q is not in a crumb", old)
		}
		return text
	}
	const (
		form    = "it does not have the form of a crumb"
		project = "its project is not an absolute path"
		user    = "its user is not a user's name"
		plan    = "its plan is not a path inside the project"
		current = "its current task is not in its list"
	)
	return map[string]struct{ text, why string }{
		"nothing":            {"", "it is empty"},
		"NULs":               {strings.Repeat("\x00", 512), "it is not JSON"},
		"two":                {changed(nil) + changed(nil), "it is not JSON"},
		"bottomless":         {strings.Repeat("[", 100_000), "it is not JSON"},
		"null":               {"null", project},
		"list":               {"[]", form},
		"other types":        {`{"updated": 5, "tasks": {}}`, form},
		"no project":         {moved(func(c *Crumb) { c.Project = "" }), project},
		"project with NUL":   {moved(func(c *Crumb) { c.Project += "\x00" }), project},
		"no user":            {moved(func(c *Crumb) { c.User = "" }), user},
		"user that is above": {moved(func(c *Crumb) { c.User = ".." }), user},
		"no plan":            {moved(func(c *Crumb) { c.Plan = "" }), plan},
		"plan above":         {moved(func(c *Crumb) { c.Plan = "../PLAN.md" }), plan},
		"plan up and down":   {moved(func(c *Crumb) { c.Plan = "a/../PLAN.md" }), plan},
		"plan of Windows":    {moved(func(c *Crumb) { c.Plan = `a\..\..\PLAN.md` }), plan},
		"plan with NUL":      {moved(func(c *Crumb) { c.Plan = "a\x00" }), plan},
		"task 4 of 3":        {changed(func(c *Crumb) { c.Current = 4 }), current},
		"task -1":            {changed(func(c *Crumb) { c.Current = -1 }), current},
		"no stamp":           {changed(func(c *Crumb) { c.Updated = time.Time{} }), "it does not say when it was written"},
		"year 10000":         {replaced(`2026-03-02T11:30:00.123456789Z`, `9999-12-31T23:00:00-02:00`), "it was written in an impossible year"},
		"year -1":            {replaced(`2026-03-02T11:30:00.123456789Z`, `0000-01-01T01:00:00+02:00`), "it was written in an impossible year"},
		"another's id":       {changed(func(c *Crumb) { c.ID = "0123456789abcdef" }), "its id is not that of its content"},
		"another's name":     {moved(func(c *Crumb) { c.User = "bob" }), "its id is not its file's name"},
	}
}

func TestParseCrumb(t *testing.T) {
	stem := sample().filled().ID
	if _, why := parseCrumb(stem, []byte(encoded(t, sample(), nil))); why != "" {
		t.Fatal("the sample is bad: ", why)
	}
	for name, tt := range crumbFaults(t) {
		if _, why := parseCrumb(stem, []byte(tt.text)); why != tt.why {
			t.Errorf("%s: %q, want %q", name, why, tt.why)
		}
	}
}

// TestLongCrumb: only a crumb that people would read is indented.
func TestLongCrumb(t *testing.T) {
	c := sample()
	for n, lines := range map[int]bool{MaxNamedTasks: true, MaxNamedTasks + 1: false} {
		c.Tasks = make([]progress.Task, n)
		if got := strings.Contains(encoded(t, c, nil), "\n  "); got != lines {
			t.Errorf("%d tasks: indented %v", n, got)
		}
	}
}

// TestParseCrumbIsLenient: what may be more than gsd writes, or less.
func TestParseCrumbIsLenient(t *testing.T) {
	least := map[string]any{
		"project": at("/p"), "user": "ada", "plan": "./PLAN..md",
		"id":      CrumbID(at("/p"), "ada", "./PLAN..md", ""),
		"updated": "2026-03-02T13:30:00+02:00",
		"future":  map[string]any{"more": []int{1}},
	}
	text, err := json.Marshal(least)
	noError(t, err)
	c, why := parseCrumb(least["id"].(string), text)
	if why != "" {
		t.Fatal(why)
	}
	if c.Tasks == nil || !c.Updated.Equal(time.Date(2026, 3, 2, 11, 30, 0, 0, time.UTC)) || c.Updated.Location() != time.UTC {
		t.Errorf("%+v", c)
	}
}
