package gitremote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	_ "github.com/gsd-cli/gsd/testdata/memory" // sync is slow on a disk
)

// round makes the test program take part in a round instead of running tests: see share.
const round = "GSD_TEST_ROUND"

func TestMain(m *testing.M) {
	if ref, ok := os.LookupEnv(round); ok {
		os.Exit(share(ref))
	}
	os.Exit(m.Run())
}

// share replaces a ref in the remote of the working directory by a tree that also has the files of the one before: what gsd sync
// does. It prints how many tries that took.
func share(ref string) int {
	fail := func(err error) int {
		fmt.Println(err)
		return 1
	}
	ctx := context.Background()
	dir, err := os.Getwd()
	if err != nil {
		return fail(err)
	}
	r, err := Open(dir, dir+".own", os.Getenv("GSD_TEST_GIT"), os.Environ())
	if err != nil {
		return fail(err)
	}
	rm, err := r.Remote(ctx)
	if err != nil {
		return fail(err)
	}
	rm.Timeout = 2 * time.Minute // 200 at once on a small machine
	for try := 1; try <= 5; try++ {
		files := map[string][]byte{}
		old := ""
		refs, err := r.List(ctx, rm, ref)
		if err != nil {
			return fail(err)
		}
		if len(refs) > 0 {
			old = refs[0].ID
			trees, err := r.Read(ctx, rm, []string{old})
			if err == nil {
				err = trees[0].Err
			}
			if err != nil {
				return fail(err)
			}
			maps.Copy(files, trees[0].Files)
		}
		files[os.Getenv("GSD_TEST_FILE")] = []byte("done\n")
		c, err := NewCommit(files)
		if err != nil {
			return fail(err)
		}
		if c.ID == old {
			fmt.Println(try)
			return 0
		}
		if err := r.Write(ctx, c); err != nil {
			return fail(err)
		}
		results, err := r.Push(ctx, rm, []Update{{rm.Prefix + ref, old, c.ID}})
		if err != nil {
			return fail(err)
		}
		if results[0].Outcome == Done {
			fmt.Println(try)
			return 0
		}
		if results[0].Outcome == Rejected {
			return fail(errors.New(results[0].Reason))
		}
		time.Sleep(time.Duration(rand.Int64N(int64(200*time.Millisecond) << try)))
	}
	fmt.Println("others were faster five times")
	return 75
}

// world is a temporary home for a test.
type world struct {
	t   testing.TB
	git string
	env []string
	tmp string

	worlds int // calls of works
}

func newWorld(t testing.TB) *world {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("there is no git here")
	}
	w := &world{t: t, git: git, tmp: t.TempDir()}
	for _, e := range os.Environ() {
		if name, _, _ := strings.Cut(e, "="); !strings.HasPrefix(name, "GIT_") && !strings.HasPrefix(name, "SSH_") && name != "HOME" && name != "XDG_CONFIG_HOME" {
			w.env = append(w.env, e)
		}
	}
	home := filepath.Join(w.tmp, "home")
	noError(t, os.Mkdir(home, 0o755))
	w.env = append(w.env, "HOME="+home, "USERPROFILE="+home, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+filepath.Join(home, ".gitconfig"), "LC_ALL=C")
	return w
}

// run runs git in dir.
func (w *world) run(dir string, args ...string) string {
	w.t.Helper()
	cmd := exec.Command(w.git, append([]string{"-C", dir, "-c", "init.defaultBranch=main"}, args...)...)
	cmd.Env = w.env
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		w.t.Fatalf("git %v: %v\n%s%s", args, err, out, &errs)
	}
	return strings.TrimSpace(string(out))
}

// bare makes a bare repository.
func (w *world) bare(name string) string {
	w.t.Helper()
	dir := filepath.Join(w.tmp, name)
	w.run(w.tmp, "init", "-q", "--bare", dir)
	return dir
}

// clone makes a repository with one commit, and a remote origin.
func (w *world) clone(name, url string) *Repo {
	w.t.Helper()
	dir := filepath.Join(w.tmp, name)
	w.run(w.tmp, "init", "-q", dir)
	w.run(dir, "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "first")
	if url != "" {
		w.run(dir, "remote", "add", "origin", url)
	}
	r, err := Open(dir, dir+".own", w.git, w.env)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func (w *world) remote(r *Repo) *Remote {
	w.t.Helper()
	rm, err := r.Remote(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	rm.Timeout = time.Minute // the machine may be busy
	return rm
}

// put pushes files to a ref that names the commit old.
func (w *world) put(r *Repo, rm *Remote, ref, old string, files map[string]string) (string, Result) {
	w.t.Helper()
	content := map[string][]byte{}
	for name, text := range files {
		content[name] = []byte(text)
	}
	c, err := NewCommit(content)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := r.Write(w.t.Context(), c); err != nil {
		w.t.Fatal(err)
	}
	results, err := r.Push(w.t.Context(), rm, []Update{{rm.Prefix + ref, old, c.ID}})
	if err != nil {
		w.t.Fatal(err)
	}
	return c.ID, results[0]
}

// get reads the files of a ref.
func (w *world) get(r *Repo, rm *Remote, ref string) map[string]string {
	w.t.Helper()
	refs, err := r.List(w.t.Context(), rm, ref)
	if err != nil || len(refs) != 1 {
		w.t.Fatalf("%s: %v, %v", ref, refs, err)
	}
	trees, err := r.Read(w.t.Context(), rm, []string{refs[0].ID})
	if err == nil {
		err = trees[0].Err
	}
	if err != nil {
		w.t.Fatal(err)
	}
	files := map[string]string{}
	for name, data := range trees[0].Files {
		files[name] = string(data)
	}
	return files
}

func (w *world) write(path, text string, mode os.FileMode) string {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		w.t.Fatal(err)
	}
	return path
}

// kind checks the kind of an error, and that its text is one clean line.
func (w *world) kind(err error, want Kind) {
	w.t.Helper()
	e := new(Error)
	if !errors.As(err, &e) || e.Kind != want {
		w.t.Errorf("error %v, want one of kind %d", err, want)
		return
	}
	w.t.Log(err)
	if strings.ContainsAny(err.Error(), "\n\r\x1b\x00") || len(err.Error()) > 600 {
		w.t.Errorf("not one clean line: %q", err)
	}
}

func needUnix(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("it needs a shell script as git")
	}
}

// noError ends a test that cannot go on after an error.
func noError(t interface{ Fatal(args ...any) }, err error) {
	if t, ok := t.(interface{ Helper() }); ok {
		t.Helper()
	}
	if err != nil {
		t.Fatal(err)
	}
}
