//go:build unix

package gitremote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/testenv"
)

// round starts a process that takes part in one round, in the repository r, and returns what it printed.
func (w *world) round(r *Repo, git, ref, file string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Dir = r.dir
	cmd.Env = append(slices.Clip(w.env), round+"="+ref, "GSD_TEST_GIT="+git, "GSD_TEST_FILE="+file)
	cmd.WaitDelay = 10 * time.Second
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// TestCrowd lets many processes work with one bare repository at once: each with a ref of its own, and all with the same.
func TestCrowd(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	for _, test := range []struct {
		name      string
		processes int
		ref       func(int) string
	}{
		{"own refs", 200, func(i int) string { return fmt.Sprintf("users/u%03d", i) }},
		{"one ref", 50, func(int) string { return "users/all" }},
	} {
		t.Run(test.name, func(t *testing.T) {
			if !testenv.Thorough() {
				test.processes /= 10
			}
			w := newWorld(t)
			bare := w.bare("origin.git")
			var clones []*Repo // as many machines
			for i := range 8 {
				clones = append(clones, w.clone(fmt.Sprint("clone", i), bare))
			}
			first := clones[0]
			rm := w.remote(first)
			for i := range test.processes { // what each replaces
				if i == 0 || test.name == "own refs" {
					if i%MaxUpdates == 0 {
						c, _ := NewCommit(map[string][]byte{"before": nil})
						noError(t, first.Write(t.Context(), c))
						var updates []Update
						for j := i; j < min(i+MaxUpdates, test.processes); j++ {
							if u := (Update{rm.Prefix + test.ref(j), "", c.ID}); !slices.Contains(updates, u) {
								updates = append(updates, u)
							}
						}
						if _, err := first.Push(t.Context(), rm, updates); err != nil {
							t.Fatal(err)
						}
					}
				}
			}

			said, errs := make([]string, test.processes), make([]error, test.processes)
			var all sync.WaitGroup
			for i := range test.processes {
				all.Go(func() { said[i], errs[i] = w.round(clones[i%len(clones)], w.git, test.ref(i), fmt.Sprint("file", i)) })
			}
			all.Wait()

			tries := map[string]int{}
			for i, err := range errs {
				files := w.get(first, rm, test.ref(i))
				_, before := files["before"]
				_, mine := files[fmt.Sprint("file", i)]
				code := new(exec.ExitError)
				switch {
				case err == nil:
					tries[said[i]+" tries"]++
				case errors.As(err, &code) && code.ExitCode() == 75 && said[i] != "":
					tries[said[i]]++
				default:
					t.Errorf("process %d: %v: %s", i, err, said[i])
				}
				if !before || mine != (err == nil) {
					t.Errorf("process %d: its file is there: %t; what was there before: %t; %v %s", i, mine, before, err, said[i])
				}
			}
			t.Logf("%d processes at once: %v", test.processes, tries)
			if test.name == "own refs" && tries["1 tries"] != test.processes {
				t.Errorf("with refs of their own all succeed at the first try: %v", tries)
			}
		})
	}
}

// TestKilled kills a round with SIGKILL at every run of git: before it, in the middle and after it; then git alone. The next
// round succeeds, and there are no temporary files or refs but the one.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	if runtime.GOOS != "linux" {
		t.Skip("only Linux ends git with the process that started it")
	}
	const script = `#!/bin/sh
n=$(($(cat %[1]s/n 2>/dev/null || echo 0)+1)); echo $n >%[1]s/n
[ $n = $GSD_KILL ] || exec %[2]s "$@"
case $GSD_WHEN in
before) kill -9 $PPID;;
middle) timeout -s KILL 0.%[3]s %[2]s "$@"; kill -9 $PPID;;
after) %[2]s "$@"; kill -9 $PPID;;
git) kill -9 $$;;
esac
`
	w := newWorld(t)
	runs := 0
	for kill := 1; ; kill++ {
		killed := false
		for i, when := range []string{"before", "middle", "after", "git"} {
			if !testenv.Thorough() && i != kill%4 {
				continue
			}
			bare := w.bare(fmt.Sprintf("origin-%d-%s.git", kill, when))
			r := w.clone(fmt.Sprintf("clone-%d-%s", kill, when), bare)
			rm := w.remote(r)
			w.put(r, rm, "users/a", "", map[string]string{"before": ""})
			if err := r.Forget(); err != nil { // so that it has to be fetched
				t.Fatal(err)
			}
			dir := filepath.Join(w.tmp, fmt.Sprintf("wrap-%d-%s", kill, when))
			git := w.write(filepath.Join(dir, "git"), fmt.Sprintf(script, dir, w.git, []string{"001", "002", "004", "008"}[(kill+i)%4]), 0o755)
			env := w.env
			w.env = append(env[:len(env):len(env)], fmt.Sprint("GSD_KILL=", kill), "GSD_WHEN="+when)
			_, err := w.round(r, git, "users/a", "mine")
			w.env = env
			killed = killed || err != nil
			runs++

			if out, err := w.round(r, w.git, "users/a", "mine"); err != nil {
				t.Errorf("after a kill %s run %d: %v: %s", when, kill, err, out)
			}
			if got := w.get(r, rm, "users/a"); !maps.Equal(got, map[string]string{"before": "", "mine": "done\n"}) {
				t.Errorf("after a kill %s run %d there is %v", when, kill, got)
			}
			if refs := w.run(bare, "for-each-ref", "--format=%(refname)"); refs != "refs/gsd/users/a" {
				t.Errorf("after a kill %s run %d the remote has %s", when, kill, refs)
			}
			if refs := w.run(r.dir, "for-each-ref", "--format=%(refname)"); refs != "refs/heads/main" {
				t.Errorf("after a kill %s run %d we have %s", when, kill, refs)
			}
			// Temporary files are swept once they are old.
			long := time.Now().Add(-2 * time.Hour)
			_ = filepath.WalkDir(r.own, func(path string, d os.DirEntry, err error) error {
				if err == nil && !d.IsDir() {
					err = os.Chtimes(path, long, long)
				}
				return err
			})
			if err := r.prepare(); err != nil {
				t.Error(err)
			}
			_ = filepath.WalkDir(r.own, func(path string, d os.DirEntry, _ error) error {
				if name := d.Name(); strings.HasPrefix(name, "tmp_") || strings.HasSuffix(name, ".lock") || strings.HasSuffix(name, ".tmp") {
					t.Errorf("after a kill %s run %d there is %s", when, kill, path)
				}
				return nil
			})
		}
		if !killed {
			if kill < 6 {
				t.Errorf("a round runs git %d times; there should be config, ls-remote, fetch, unpack-objects and push", kill-1)
			}
			break
		}
	}
	t.Logf("%d rounds were killed", runs)
}

// TestEndsWithUs kills a process whose remote hangs: git and ssh end, too.
func TestEndsWithUs(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux ends git with the process that started it")
	}
	w := newWorld(t)
	pids := filepath.Join(w.tmp, "pids")
	ssh := w.write(filepath.Join(w.tmp, "hang"), "#!/bin/sh\necho $$ $PPID >"+pids+".tmp; mv "+pids+".tmp "+pids+"\nexec cat\n", 0o755)
	r := w.clone("a", "ssh://example.invalid/x")
	self, err := os.Executable()
	noError(t, err)
	cmd := exec.Command(self)
	cmd.Dir = r.dir
	cmd.Env = append(slices.Clip(w.env), round+"=users/a", "GSD_TEST_GIT="+w.git, "GIT_SSH_COMMAND="+ssh)
	var out bytes.Buffer
	cmd.Stdout = &out
	noError(t, cmd.Start())
	var text []byte
	eventually(t, "ssh runs", func() bool { text, _ = os.ReadFile(pids); return len(text) > 0 })
	_ = cmd.Process.Signal(syscall.SIGKILL)
	_ = cmd.Wait()
	for _, field := range strings.Fields(string(text)) {
		var pid int
		fmt.Sscan(field, &pid)
		eventually(t, "git and ssh are gone", func() bool { return gone(pid) })
	}
}
