//go:build unix

package gitremote

// servers_test.go: real servers on loopback, as children of the test. .ci/run thorough installs them.

import (
	"bytes"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/testenv"
)

// program finds a server's program, or skips the test. To start servers takes a minute.
func program(t *testing.T, names ...string) string {
	t.Helper()
	testenv.OnlyThorough(t)
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skipf("there is no %s here; .ci/run thorough installs it", names[0])
	return ""
}

// eventually waits until something is so.
func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited for 30 s until %s", what)
		}
	}
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		testenv.Missing(t, "no loopback: ", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// serve starts a server that listens at a port, until the end of the test.
func (w *world) serve(port int, env []string, argv ...string) {
	w.t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(w.env, env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	log, err := os.Create(filepath.Join(w.tmp, "server.log"))
	if err != nil {
		w.t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	w.t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		<-ended
		log.Close()
		if w.t.Failed() {
			text, _ := os.ReadFile(log.Name())
			w.t.Logf("%s: %s", argv[0], text[:min(len(text), 8000)])
		}
	})
	eventually(w.t, argv[0]+" listens", func() bool {
		select {
		case <-ended:
			text, _ := os.ReadFile(log.Name())
			w.t.Fatalf("%s ended: %s", argv[0], text)
		default:
		}
		c, err := net.Dial("tcp", "127.0.0.1:"+strconv.Itoa(port))
		if err == nil {
			c.Close()
		}
		return err == nil
	})
}

// works checks everything that gsd wants of a server, from two clones.
func (w *world) works(url string) {
	w.t.Helper()
	w.worlds++
	name := fmt.Sprintf("clone%d-", w.worlds)
	a, b := w.clone(name+"a", url), w.clone(name+"b", url)
	rma, rmb := w.remote(a), w.remote(b)
	files := map[string]string{"phases/03-x/03-02-PLAN.md": strings.Repeat("x", 100_000)}
	first, res := w.put(a, rma, "users/ann", "", files)
	if res.Outcome != Done {
		w.t.Fatal(res)
	}
	if got := w.get(b, rmb, "users/*"); !maps.Equal(got, files) {
		w.t.Errorf("read %d files", len(got))
	}
	if _, res := w.put(b, rmb, "users/ann", "", map[string]string{"y": ""}); res.Outcome != Lost {
		w.t.Error(res)
	}
	if _, res := w.put(b, rmb, "users/ann", first, map[string]string{"y": ""}); res.Outcome != Done {
		w.t.Error(res)
	}
	if _, res := w.put(b, rmb, "claims/03-02", "", map[string]string{"y": ""}); res.Outcome != Done {
		w.t.Error(res)
	}
	if got := w.get(a, rma, "users/ann"); len(got) != 1 {
		w.t.Errorf("read %v", got)
	}
	if results, err := a.Remove(w.t.Context(), rma); err != nil || len(results) != 2 || results[0].Outcome != Done || results[1].Outcome != Done {
		w.t.Error(results, err)
	}
	if refs, err := b.List(w.t.Context(), rmb); err != nil || len(refs) != 0 {
		w.t.Error(refs, err)
	}
}

// push tries to push one ref, and returns what became of it.
func (w *world) push(r *Repo) (Result, error) {
	w.t.Helper()
	rm := w.remote(r)
	c, err := NewCommit(map[string][]byte{"x": nil})
	if err == nil {
		err = r.Write(w.t.Context(), c)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	results, err := r.Push(w.t.Context(), rm, []Update{{rm.Prefix + "users/ann", "", c.ID}})
	if err != nil {
		return Result{}, err
	}
	return results[0], nil
}

func TestPath(t *testing.T) {
	w := newWorld(t)
	w.works(w.bare("origin.git"))
}

func TestGitDaemon(t *testing.T) {
	if testing.Short() {
		t.Skip("starts servers")
	}
	w := newWorld(t)
	if _, err := os.Stat(filepath.Join(w.run(w.tmp, "--exec-path"), "git-daemon")); err != nil {
		testenv.Missing(t, "this git has no git daemon")
	}
	w.bare("srv/origin.git")
	for _, write := range []bool{true, false} {
		port := freePort(t)
		args := []string{w.git, "daemon", "--listen=127.0.0.1", "--port=" + strconv.Itoa(port), "--reuseaddr", "--export-all", "--base-path=" + filepath.Join(w.tmp, "srv")}
		if write {
			args = append(args, "--enable=receive-pack")
		}
		w.serve(port, nil, args...)
		url := fmt.Sprintf("git://127.0.0.1:%d/", port)
		if write {
			w.works(url + "origin.git")
			_, err := w.clone("none", "").List(t.Context(), &Remote{Name: url + "none.git", Prefix: DefaultPrefix})
			w.kind(err, Unreachable)
			continue
		}
		r := w.clone("readonly", url+"origin.git")
		if refs, err := r.List(t.Context(), w.remote(r)); err != nil || len(refs) != 0 {
			t.Error(refs, err)
		}
		_, err := w.push(r)
		w.kind(err, ReadOnly)
	}
}

func TestHTTP(t *testing.T) {
	lighttpd := program(t, "lighttpd", "/usr/sbin/lighttpd")
	w := newWorld(t)
	w.bare("srv/origin.git")
	w.bare("srv/public.git")
	port := freePort(t)
	backend := filepath.Join(w.run(w.tmp, "--exec-path"), "git-http-backend")
	conf := fmt.Sprintf(`
server.modules = ("mod_auth", "mod_authn_file", "mod_alias", "mod_setenv", "mod_cgi")
server.document-root = "%[1]s/srv"
server.bind = "127.0.0.1"
server.port = %[2]d
server.upload-dirs = ("%[1]s")
alias.url = ("/git" => "%[3]s")
cgi.assign = ("" => "")
setenv.set-environment = ("GIT_PROJECT_ROOT" => "%[1]s/srv", "GIT_HTTP_EXPORT_ALL" => "1")
auth.backend = "plain"
auth.backend.plain.userfile = "%[1]s/users"
$HTTP["url"] !~ "^/git/public.git" {
  auth.require = ("/git" => ("method" => "basic", "realm" => "git", "require" => "valid-user"))
}
`, w.tmp, port, backend)
	w.write(filepath.Join(w.tmp, "users"), "ann:secret\n", 0o644)
	w.serve(port, nil, lighttpd, "-D", "-f", w.write(filepath.Join(w.tmp, "lighttpd.conf"), conf, 0o644))
	url := fmt.Sprintf("http://127.0.0.1:%d/git/", port)

	t.Run("without a password", func(t *testing.T) {
		r := w.clone("asks", url+"origin.git")
		_, err := r.List(t.Context(), w.remote(r))
		w.kind(err, Auth)
	})
	t.Run("with a wrong one", func(t *testing.T) {
		r := w.clone("wrong", fmt.Sprintf("http://ann:hunter2@127.0.0.1:%d/git/origin.git", port))
		_, err := r.List(t.Context(), w.remote(r))
		w.kind(err, Auth)
		if strings.Contains(err.Error(), "hunter2") {
			t.Error("it prints a password")
		}
	})
	t.Run("with a credential helper", func(t *testing.T) {
		store := w.write(filepath.Join(w.tmp, "credentials"), fmt.Sprintf("http://ann:secret@127.0.0.1:%d\n", port), 0o600)
		w.run(w.tmp, "config", "--global", "credential.helper", "store --file="+store)
		w.works(url + "origin.git")
	})
	t.Run("read only", func(t *testing.T) {
		r := w.clone("public", url+"public.git")
		if _, err := r.List(t.Context(), w.remote(r)); err != nil {
			t.Error(err)
		}
		_, err := w.push(r)
		w.kind(err, ReadOnly)
	})
	t.Run("no repository", func(t *testing.T) {
		r := w.clone("no", url+"no.git")
		_, err := r.List(t.Context(), w.remote(r))
		w.kind(err, Unreachable)
	})
}

// sshd starts an ssh server that knows the keys in a file, and returns the URL's beginning. The client's configuration comes
// from the variable GIT_SSH_COMMAND, without its key and with a key.
func (w *world) sshd(keys string) (url, stranger, friend string) {
	w.t.Helper()
	t := w.t.(*testing.T)
	sshd, keygen := program(t, "/usr/sbin/sshd", "sshd"), program(t, "ssh-keygen")
	program(t, "ssh")
	if os.Getuid() == 0 {
		if err := os.MkdirAll("/run/sshd", 0o755); err != nil {
			testenv.Missing(t, err)
		}
	}
	for _, name := range []string{"host", "ann", "bob"} {
		if out, err := exec.Command(keygen, "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", filepath.Join(w.tmp, name)).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	me, err := user.Current()
	if err != nil {
		testenv.Missing(t, err)
	}
	port := freePort(t)
	conf := fmt.Sprintf("ListenAddress 127.0.0.1:%d\nHostKey %s/host\nPidFile none\nAuthorizedKeysFile %s\nStrictModes no\nUsePAM no\n"+
		"PasswordAuthentication no\nKbdInteractiveAuthentication no\nPermitRootLogin prohibit-password\nMaxStartups 300\n", port, w.tmp, keys)
	host, err := os.ReadFile(filepath.Join(w.tmp, "host.pub"))
	noError(t, err)
	known := w.write(filepath.Join(w.tmp, "known"), fmt.Sprintf("[127.0.0.1]:%d %s", port, host), 0o644)
	w.serve(port, nil, sshd, "-D", "-e", "-f", w.write(filepath.Join(w.tmp, "sshd.conf"), conf, 0o600))
	stranger = "ssh -F none -o IdentitiesOnly=yes -o IdentityAgent=none -o UserKnownHostsFile=" + known
	return fmt.Sprintf("ssh://%s@127.0.0.1:%d", me.Username, port), stranger, stranger + " -i " + filepath.Join(w.tmp, "ann")
}

func TestSSH(t *testing.T) {
	w := newWorld(t)
	bare := w.bare("origin.git")
	keys := filepath.Join(w.tmp, "keys")
	url, stranger, friend := w.sshd(keys)
	key, err := os.ReadFile(filepath.Join(w.tmp, "ann.pub"))
	noError(t, err)
	w.write(keys, string(key), 0o600)
	env := w.env
	t.Run("without a key", func(t *testing.T) {
		w.env = append(env, "GIT_SSH_COMMAND="+stranger)
		r := w.clone("stranger", url+bare)
		_, err := r.List(t.Context(), w.remote(r))
		w.kind(err, Auth)
	})
	t.Run("unknown host", func(t *testing.T) {
		w.env = append(env, "GIT_SSH_COMMAND="+friend+" -o UserKnownHostsFile=/dev/null")
		w.env[len(w.env)-1] = strings.Replace(w.env[len(w.env)-1], "-o UserKnownHostsFile="+w.tmp+"/known", "", 1)
		r := w.clone("unknown", url+bare)
		_, err := r.List(t.Context(), w.remote(r))
		w.kind(err, Auth)
	})
	t.Run("with a key", func(t *testing.T) {
		w.env = append(env, "GIT_SSH_COMMAND="+friend)
		w.works(url + bare)
	})
	t.Run("core.sshCommand", func(t *testing.T) {
		w.env = env
		w.run(w.tmp, "config", "--global", "core.sshCommand", friend)
		w.works(url + bare)
	})
	t.Run("no repository", func(t *testing.T) {
		r := w.clone("no", url+bare+"none")
		_, err := r.List(t.Context(), w.remote(r))
		w.kind(err, Unreachable)
	})
}

func TestGitolite(t *testing.T) {
	w := newWorld(t)
	gitolite := program(t, "gitolite", "gitolite3")
	program(t, "perl")
	url, _, friend := w.sshd(filepath.Join(w.tmp, "keys"))
	home := filepath.Join(w.tmp, "olite")
	noError(t, os.Mkdir(home, 0o755))
	do := func(args ...string) {
		t.Helper()
		cmd := exec.Command(gitolite, args...)
		cmd.Env = append(w.env, "HOME="+home, "GIT_CONFIG_GLOBAL=/dev/null")
		cmd.Dir = home
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("gitolite %v: %v\n%s", args, err, out)
		}
	}
	do("setup", "-pk", filepath.Join(w.tmp, "ann.pub"))
	w.write(filepath.Join(home, ".gitolite/conf/gitolite.conf"), `
repo shared
    RW+ refs/gsd/users/  = ann
    RW+ refs/gsd/claims/ = ann
repo branches
    RW+ refs/heads/ = ann
repo readonly
    R = ann
repo theirs
    RW+ = bob
`, 0o644)
	do("compile")
	do("trigger", "POST_COMPILE")
	keys, err := os.ReadFile(filepath.Join(home, ".ssh/authorized_keys"))
	noError(t, err)
	// sshd sets HOME to the account's, which is not the test's.
	w.write(filepath.Join(w.tmp, "keys"), strings.ReplaceAll(string(keys), `command="`, `command="env HOME=`+home+` GIT_CONFIG_GLOBAL=/dev/null `), 0o600)
	w.env = append(w.env, "GIT_SSH_COMMAND="+friend)

	w.works(url + "/shared")
	r := w.clone("branches", url+"/branches")
	res, err := w.push(r)
	if err != nil || res.Outcome != Rejected || !strings.Contains(res.Hint, "gsd.refPrefix") {
		t.Error(res, err)
	}
	t.Log(res.Reason)
	w.run(r.dir, "config", "gsd.refPrefix", "gsd")
	r.config = nil // a Repo reads it once
	if res, err := w.push(r); err != nil || res.Outcome != Done {
		t.Error(res, err)
	}
	_, err = w.push(w.clone("readonly", url+"/readonly"))
	w.kind(err, ReadOnly)
	r = w.clone("theirs", url+"/theirs")
	_, err = r.List(t.Context(), w.remote(r))
	w.kind(err, Auth)
}

// TestRefused pushes to servers that do not take the refs.
func TestRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many programs")
	}
	for name, test := range map[string]struct{ hook, script string }{
		"update":      {"update", "case $1 in refs/gsd/*) echo no such refs here; exit 1;; esac"},
		"pre-receive": {"pre-receive", "printf '\\033[2J\\033]0;x\\007only branches \\342\\200\\256please\\n'; exit 1"},
		"flood":       {"pre-receive", "yes go away | head -c 3000000; exit 1"},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name == "flood" {
				t.Skip("prints megabytes")
			}
			w := newWorld(t)
			bare := w.bare("origin.git")
			w.write(filepath.Join(bare, "hooks", test.hook), "#!/bin/sh\n"+test.script+"\n", 0o755)
			const url = "https://example.com/origin.git"
			w.run(w.tmp, "config", "--global", "url."+bare+".insteadOf", url) // otherwise, hooks on this machine do not run
			res, err := w.push(w.clone("a", url))
			if err != nil || res.Outcome != Rejected || strings.ContainsAny(res.Reason, "\x1b\x07\n\u202e") || len(res.Reason) > 600 {
				t.Errorf("%q, %v", res.Reason, err)
			}
			t.Log(res.Reason)
		})
	}
	t.Run("hidden", func(t *testing.T) {
		w := newWorld(t)
		bare := w.bare("origin.git")
		w.run(bare, "config", "receive.hideRefs", "refs/gsd")
		res, err := w.push(w.clone("a", bare))
		if err != nil || res.Outcome != Rejected {
			t.Error(res, err)
		}
		t.Log(res.Reason)
	})
	t.Run("a file where a directory should be", func(t *testing.T) {
		w := newWorld(t)
		bare := w.bare("origin.git")
		r := w.clone("a", bare)
		w.put(r, w.remote(r), "users", "", map[string]string{"x": ""})
		res, err := w.push(r)
		if err != nil || res.Outcome != Rejected {
			t.Error(res, err)
		}
		t.Log(res.Reason)
	})
	t.Run("no forced pushes to branches", func(t *testing.T) {
		w := newWorld(t)
		bare := w.bare("origin.git")
		w.run(bare, "config", "receive.denyNonFastForwards", "true")
		w.works(bare) // it is only about branches
		r := w.clone("a", bare)
		w.run(r.dir, "config", "gsd.refPrefix", "gsd")
		rm := w.remote(r)
		first, _ := w.put(r, rm, "users/a", "", map[string]string{"x": ""})
		_, res := w.put(r, rm, "users/a", first, map[string]string{"y": ""})
		if res.Outcome != Rejected {
			t.Error(res)
		}
		t.Log(res.Reason)
	})
}

// TestHangs connects to servers that accept and say nothing, and runs an ssh that never ends.
func TestHangs(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for six timeouts of a second")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		testenv.Missing(t, err)
	}
	var open []net.Conn
	var mu sync.Mutex
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			open = append(open, c)
			mu.Unlock()
		}
	}()
	defer func() {
		l.Close()
		mu.Lock()
		defer mu.Unlock()
		for _, c := range open {
			c.Close()
		}
	}()
	w := newWorld(t)
	pids := filepath.Join(w.tmp, "pids")
	ssh := w.write(filepath.Join(w.tmp, "hang"), "#!/bin/sh\nsleep 1000 & echo $! $$ >"+pids+"\nwait\n", 0o755)
	w.env = append(w.env, "GIT_SSH_COMMAND="+ssh)
	for _, url := range []string{"git://" + l.Addr().String() + "/x", "http://" + l.Addr().String() + "/x", "ssh://example.invalid/x"} {
		r := w.clone("a"+url[:3], url)
		rm := w.remote(r)
		rm.Timeout = time.Second
		begin := time.Now()
		_, err := r.List(t.Context(), rm)
		w.kind(err, TimedOut)
		c, _ := NewCommit(nil)
		noError(t, r.Write(t.Context(), c))
		_, err = r.Push(t.Context(), rm, []Update{{"refs/gsd/users/a", "", c.ID}})
		w.kind(err, TimedOut)
		t.Logf("%s: both took %v", url, time.Since(begin).Round(10*time.Millisecond))
	}
	text, err := os.ReadFile(pids)
	noError(t, err)
	for _, field := range strings.Fields(string(text)) {
		pid, _ := strconv.Atoi(field)
		eventually(t, "ssh is gone", func() bool { return gone(pid) })
	}
}

// gone reports whether a process has ended. It may wait for an init that is in no hurry.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := bytes.Cut(stat, []byte(") "))
	return bytes.HasPrefix(state, []byte("Z"))
}

func TestGone(t *testing.T) {
	w := newWorld(t)
	for i, url := range []string{
		filepath.Join(w.tmp, "nowhere"), fmt.Sprintf("git://127.0.0.1:%d/x", freePort(t)), fmt.Sprintf("http://127.0.0.1:%d/x", freePort(t)),
	} {
		r := w.clone(fmt.Sprint("a", i), url)
		_, err := r.List(t.Context(), w.remote(r))
		w.kind(err, Unreachable)
		_, err = w.push(r)
		w.kind(err, Unreachable)
	}
}
