package session

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	_ "github.com/gsd-cli/gsd/testdata/memory" // sync is slow on a disk
)

const (
	limit    = 16 << 20
	patience = 30 * time.Second // for a lock that will come
	old      = "the old session\n"
	next     = "the new session, longer\n"
)

// newProject makes a project and returns it with user's session directory in it.
func newProject(t testing.TB) (project string, d Dir) {
	t.Helper()
	project = t.TempDir()
	noError(t, os.Mkdir(filepath.Join(project, ".planning"), 0o755))
	return project, openProject(t, project)
}

func openProject(t testing.TB, project string) Dir {
	t.Helper()
	root, err := os.OpenRoot(project)
	noError(t, err)
	t.Cleanup(func() { root.Close() })
	return At(root, ".planning", "user")
}

func lock(t testing.TB, d Dir) *Guard {
	t.Helper()
	g, err := d.Lock(context.Background(), patience)
	noError(t, err)
	t.Cleanup(func() { g.Unlock() })
	return g
}

// start locks d and makes text its session.
func start(t testing.TB, d Dir, text string) (*Guard, durable.Stamp) {
	t.Helper()
	g := lock(t, d)
	noError(t, g.Write(chunks(text), durable.Stamp{}))
	return g, stamp(t, g)
}

// stamp is the version of the session as its guard's holder has read it.
func stamp(t testing.TB, g *Guard) durable.Stamp {
	t.Helper()
	_, was, err := g.Read(limit)
	wantNone(t, err)
	return was
}

func chunks(parts ...string) [][]byte {
	var out [][]byte
	for _, p := range parts {
		out = append(out, []byte(p))
	}
	return out
}

func wantSession(t testing.TB, d Dir, want string) {
	t.Helper()
	data, _, err := d.Read(limit)
	if err != nil || string(data) != want {
		t.Errorf("session is %.40q, %v; want %.40q", data, err, want)
	}
}

func wantFile(t testing.TB, project, name, want string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(project, filepath.FromSlash(name)))
	if err != nil || string(data) != want {
		t.Errorf("%s holds %.40q, %v; want %.40q", name, data, err, want)
	}
}

func wantNone(t testing.TB, err error) {
	t.Helper()
	noError(t, err)
}

func wantErr(t testing.TB, err error, want ...error) {
	t.Helper()
	for _, w := range want {
		if !errors.Is(err, w) {
			t.Errorf("error is %v, want %v", err, w)
		}
	}
}

// names lists the session directory, without the guard and the ignore file.
func names(t testing.TB, project string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(project, ".planning/sessions/user"))
	noError(t, err)
	var got []string
	for _, e := range entries {
		if e.Name() != guardFile && e.Name() != IgnoreFile {
			got = append(got, e.Name())
		}
	}
	return got
}

func wantNames(t testing.TB, project string, want ...string) {
	t.Helper()
	slices.Sort(want)
	if got := names(t, project); !slices.Equal(got, want) {
		t.Errorf("session directory holds %q, want %q", got, want)
	}
}

func TestReadingTouchesNothing(t *testing.T) {
	project, d := newProject(t)
	if got, want := d.File(), ".planning/sessions/user/current-plan.md"; got != want {
		t.Errorf("file %q, want %q", got, want)
	}
	_, was, err := d.Read(limit)
	wantErr(t, err, fs.ErrNotExist)
	if !was.IsZero() {
		t.Error("no session has a stamp")
	}
	if entries, _ := os.ReadDir(filepath.Join(project, ".planning")); len(entries) != 0 {
		t.Errorf("reading made %v", entries)
	}
}

func TestUserIsOnePathElement(t *testing.T) {
	project, d := newProject(t)
	for _, user := range []string{"", ".", "..", "../x", "a/b", `a\b`, "A", "a b", "é", "a\x00", "con.txt"} {
		bad := At(d.root, planning, user)
		_, _, err := bad.Read(limit)
		wantErr(t, err, fs.ErrInvalid)
		g, err := bad.Lock(context.Background(), 0)
		wantErr(t, err, fs.ErrInvalid)
		if g != nil {
			t.Errorf("%q was locked", user)
		}
	}
	if entries, _ := os.ReadDir(filepath.Join(project, ".planning")); len(entries) != 0 {
		t.Errorf("something was made: %v", entries)
	}
}

func TestIgnoreFileComesWithTheFirstSession(t *testing.T) {
	const ignore = ".planning/sessions/user/.gitignore"
	project, d := newProject(t)
	noError(t, lock(t, d).Unlock())
	wantFile(t, project, ignore, "*\n")

	// What somebody wrote there stays as it is; what is gone is made again.
	path := filepath.Join(project, ignore)
	os.Remove(path)
	lock(t, d).Unlock()
	wantFile(t, project, ignore, "*\n")
	os.WriteFile(path, []byte("mine\n"), 0o644)
	lock(t, d).Unlock()
	wantFile(t, project, ignore, "mine\n")
	if _, err := os.Lstat(filepath.Join(project, ".planning", sessionsDir, IgnoreFile)); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the directory of all users has one:", err)
	}
}

func TestWrite(t *testing.T) {
	project, d := newProject(t)
	g, was := start(t, d, old)
	noError(t, g.Write(chunks("the new", " session, longer\n"), was))
	wantSession(t, d, next)
	err := g.Write(chunks("third"), was)
	wantErr(t, err, durable.ErrChanged)
	if !strings.HasPrefix(err.Error(), "write "+d.File()+": ") {
		t.Errorf("error does not name the file: %v", err)
	}
	wantErr(t, g.Write(chunks("third"), durable.Stamp{}), durable.ErrChanged)
	wantSession(t, d, next)
	wantNames(t, project, fileName)

	// The same bytes are not written.
	was = stamp(t, g)
	if err := g.Write(chunks(next), was); err != nil {
		t.Error(err)
	}
	if !stamp(t, g).Equal(was) {
		t.Error("the same bytes were written")
	}
	// They are no reason to overlook a change.
	past := noon.AddDate(-1, 0, 0)
	wantNone(t, os.Chtimes(filepath.Join(project, d.File()), past, past))
	wantErr(t, g.Write(chunks(next), was), durable.ErrChanged)
	was = stamp(t, g)
	// A removed session does not come back.
	os.Remove(filepath.Join(project, d.File()))
	wantErr(t, g.Write(chunks("third"), was), durable.ErrChanged)
	wantNames(t, project)
}

// TestGuardReadsWhereItWrites: the user's directory was replaced, and the guard
// continues with the one that it locked.
func TestGuardReadsWhereItWrites(t *testing.T) {
	project, d := newProject(t)
	g, _ := start(t, d, old)
	dir := filepath.Join(project, ".planning/sessions/user")
	if err := os.Rename(dir, dir+"-away"); err != nil {
		t.Skip("an open directory cannot be renamed:", err)
	}
	os.Mkdir(dir, 0o755)
	os.WriteFile(filepath.Join(dir, fileName), []byte("another"), 0o644)

	data, was, err := g.Read(limit)
	if err != nil || string(data) != old {
		t.Fatalf("read %q, %v", data, err)
	}
	if err := g.Write(chunks(next), was); err != nil {
		t.Error(err)
	}
	wantFile(t, dir+"-away", fileName, next)
	wantSession(t, d, "another")

	os.Remove(filepath.Join(dir+"-away", fileName))
	_, _, err = g.Read(limit)
	wantErr(t, err, fs.ErrNotExist)
	if !strings.HasPrefix(err.Error(), "read "+d.File()+": ") {
		t.Errorf("error does not name the file: %v", err)
	}
}

// TestLinksLeadNowhere: a project from elsewhere may hold any links. None makes
// us read, write or lock anything outside, or overwrite anything inside.
func TestLinksLeadNowhere(t *testing.T) {
	for link, want := range map[string]error{
		".planning/sessions":                      ErrNotOwn,
		".planning/sessions/user":                 ErrNotOwn,
		".planning/sessions/user/.guard":          durable.ErrNotRegular,
		".planning/sessions/user/current-plan.md": nil,
		".planning/sessions/.gitignore":           nil,
		".planning/sessions/user/.gitignore":      nil,
	} {
		t.Run(link, func(t *testing.T) {
			project, d := newProject(t)
			outside := t.TempDir()
			path := filepath.Join(project, filepath.FromSlash(link))
			os.MkdirAll(filepath.Dir(path), 0o755)
			target := outside
			if filepath.Ext(link) != "" { // a link to a file
				target = filepath.Join(outside, "target")
				os.WriteFile(target, []byte("precious"), 0o644)
			}
			if err := os.Symlink(target, path); err != nil {
				t.Skip("no symbolic links here:", err)
			}
			if strings.HasSuffix(link, fileName) {
				_, _, err := d.Read(limit)
				wantErr(t, err, durable.ErrEscapes)
			}
			g, err := d.Lock(context.Background(), 0)
			wantErr(t, err, want)
			if err == nil {
				if strings.HasSuffix(link, fileName) {
					_, _, err := g.Read(limit)
					wantErr(t, err, durable.ErrNotRegular)
					wantErr(t, g.Write(chunks(next), durable.Stamp{}), durable.ErrNotRegular)
					_, err = g.Supersede(chunks(next), durable.Stamp{}, noon)
					wantErr(t, err, durable.ErrNotRegular)
				}
				g.Unlock()
			}
			entries, _ := os.ReadDir(outside)
			if target == outside && len(entries) != 0 {
				t.Errorf("outside now holds %v", entries)
			}
			if target != outside {
				wantFile(t, outside, "target", "precious")
			}
		})
	}
}

// TestSessionLinkInsideIsReadWithoutTheGuard: what is read under the guard
// will be written, and writing would replace the link by a file.
func TestSessionLinkInsideIsReadWithoutTheGuard(t *testing.T) {
	project, d := newProject(t)
	g := lock(t, d)
	os.WriteFile(filepath.Join(project, "elsewhere.md"), []byte(old), 0o644)
	if err := os.Symlink("../../../elsewhere.md", filepath.Join(project, d.File())); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	wantSession(t, d, old)
	_, _, err := g.Read(limit)
	wantErr(t, err, durable.ErrNotRegular)
	if want := "read " + d.File() + ": not a regular file: it is a symbolic link"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
}

// TestProjectMovedAway: the lock is taken by path. A path that now leads to another project must fail.
func TestProjectMovedAway(t *testing.T) {
	above := t.TempDir()
	here, there := filepath.Join(above, "here"), filepath.Join(above, "there")
	os.MkdirAll(filepath.Join(here, ".planning"), 0o755)
	d := openProject(t, here)
	lock(t, d).Unlock()
	if err := os.Rename(here, there); err != nil {
		t.Skip("an open directory cannot be renamed:", err)
	}
	_, err := d.Lock(context.Background(), 0)
	wantErr(t, err, errElsewhere)

	os.MkdirAll(filepath.Join(here, ".planning"), 0o755)
	other := openProject(t, here)
	lock(t, other).Unlock()
	_, err = d.Lock(context.Background(), 0)
	wantErr(t, err, errElsewhere)
	lock(t, other) // the lock was released
}

// TestUsers: only directories that a user could have are listed.
func TestUsers(t *testing.T) {
	project, d := newProject(t)
	if users := Users(d.root, planning); len(users) > 0 {
		t.Errorf("without sessions: %q", users)
	}
	for _, name := range []string{"eve", "ada", "bob-2", "Upper", "under_score", ".hidden", "a b"} {
		noError(t, os.MkdirAll(filepath.Join(project, ".planning", "sessions", name), 0o777))
	}
	noError(t, os.WriteFile(filepath.Join(project, ".planning", "sessions", ".gitignore"), []byte("*\n"), 0o666))
	for _, name := range []string{"4fd1e2a0.json", "4fd1e2a0.json.lock"} { // upstream's
		noError(t, os.WriteFile(filepath.Join(project, ".planning", "sessions", name), []byte("{}"), 0o666))
	}
	users := Users(d.root, planning)
	if len(users) != 3 || users[0] != "ada" || users[1] != "bob-2" || users[2] != "eve" {
		t.Errorf("%q", users)
	}
}
