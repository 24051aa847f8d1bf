package gitremote

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/testenv"
)

// TestConfiguration pushes and reads in spite of what a user may have configured.
func TestConfiguration(t *testing.T) {
	settings := map[string][]string{
		"mirror":       {"remote.origin.mirror", "true"},
		"everything":   {"remote.origin.fetch", "+refs/*:refs/*"},
		"push options": {"push.pushOption", "x"},
		"signed":       {"push.gpgSign", "true"},
		"follow tags":  {"push.followTags", "true"},
		"submodules":   {"push.recurseSubmodules", "check"},
		"prune":        {"fetch.prune", "true"},
		"tags":         {"remote.origin.tagOpt", "--tags"},
		"atomic":       {"push.default", "nothing"},
		"old protocol": {"protocol.version", "0"},
		"includes":     {"push.useForceIfIncludes", "true"},
		"fsck":         {"transfer.fsckObjects", "true"},
		"packs":        {"fetch.unpackLimit", "1"},
		"columns":      {"column.ui", "always"},
		"colors":       {"color.ui", "always"},
		"fsmonitor":    {"core.fsmonitor", "false-is-not-run"},
		"trace":        {"trace2.eventTarget", "2"},
		"format":       {"log.showSignature", "true"},
	}
	if !testenv.Thorough() {
		settings = map[string][]string{"all at once": slices.Concat(slices.Collect(maps.Values(settings))...)}
	}
	for name, config := range settings {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			bare := w.bare("origin.git")
			r := w.clone("a", bare)
			w.run(r.dir, "tag", "v1")
			for setting := range slices.Chunk(config, 2) {
				w.run(r.dir, "config", setting[0], setting[1])
			}
			first, res := w.put(r, w.remote(r), "users/a", "", map[string]string{"x": ""})
			if res.Outcome != Done {
				t.Fatal(res)
			}
			if _, res = w.put(r, w.remote(r), "users/a", first, map[string]string{"y": ""}); res.Outcome != Done {
				t.Fatal(res)
			}
			noError(t, r.Forget())
			w.get(r, w.remote(r), "users/a")
			if refs := w.run(bare, "for-each-ref", "--format=%(refname)"); refs != "refs/gsd/users/a" {
				t.Errorf("the remote has %s", refs)
			}
			if refs := w.run(r.dir, "for-each-ref", "--format=%(refname)"); refs != "refs/heads/main\nrefs/tags/v1" {
				t.Errorf("we have %s", refs)
			}
		})
	}
}

// TestBranches shares below refs/heads/: no remote-tracking branch appears.
func TestBranches(t *testing.T) {
	w := newWorld(t)
	r := w.clone("a", w.bare("origin.git"))
	w.run(r.dir, "config", "gsd.refPrefix", "gsd")
	rm := w.remote(r)
	first, res := w.put(r, rm, "users/a", "", map[string]string{"x": ""})
	if res.Outcome != Done {
		t.Fatal(res)
	}
	if _, res := w.put(r, rm, "users/a", first, map[string]string{"y": ""}); res.Outcome != Done {
		t.Fatal(res)
	}
	noError(t, r.Forget())
	w.get(r, rm, "users/a")
	if refs := w.run(r.dir, "for-each-ref", "--format=%(refname)"); refs != "refs/heads/main" {
		t.Errorf("refs %s", refs)
	}
	if results, err := r.Remove(t.Context(), rm); err != nil || len(results) != 1 || results[0].Outcome != Done {
		t.Error(results, err)
	}
}

// TestKindsOfClones shares from a linked worktree, a shallow clone, a partial clone, and inside a hook of git.
func TestKindsOfClones(t *testing.T) {
	if testing.Short() {
		t.Skip("makes clones of five kinds")
	}
	w := newWorld(t)
	bare := w.bare("origin.git")
	w.run(bare, "config", "uploadpack.allowFilter", "true")
	r := w.clone("a", bare)
	w.write(filepath.Join(r.dir, "file"), "text", 0o644)
	w.run(r.dir, "add", "file")
	w.run(r.dir, "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-q", "-m", "second")
	w.run(r.dir, "push", "-q", "origin", "HEAD:main")
	w.run(bare, "symbolic-ref", "HEAD", "refs/heads/main")
	want := map[string]string{"x/y": "theirs"}
	last, _ := w.put(r, w.remote(r), "users/a", "", want)
	url := "file://" + filepath.ToSlash(bare)
	dirs := map[string]string{}
	for name, args := range map[string][]string{"shallow": {"--depth=1"}, "partial": {"--filter=blob:none", "--no-checkout"}, "tree": {"--filter=tree:0", "--no-checkout"}} {
		dirs[name] = filepath.Join(w.tmp, name)
		w.run(w.tmp, append(append([]string{"clone", "-q"}, args...), url, dirs[name])...)
	}
	dirs["worktree"] = filepath.Join(w.tmp, "worktree")
	w.run(r.dir, "worktree", "add", "-q", dirs["worktree"])
	dirs["in a hook"] = r.dir
	for _, name := range []string{"shallow", "partial", "tree", "worktree", "in a hook"} {
		env := w.env
		if name == "in a hook" {
			env = append(env[:len(env):len(env)], "GIT_DIR=/nowhere", "GIT_INDEX_FILE=/nowhere", "GIT_TRACE=1")
		}
		other, err := Open(dirs[name], dirs[name]+".own", w.git, env)
		if err != nil {
			t.Fatal(name, err)
		}
		rm := w.remote(other)
		if err := other.Forget(); err != nil { // the worktree has what its repository has
			t.Fatal(err)
		}
		if got := w.get(other, rm, "users/a"); got["x/y"] != want["x/y"] {
			t.Errorf("%s: read %v", name, got)
		}
		want["x/y"] = name
		var res Result
		if last, res = w.put(other, rm, "users/a", last, want); res.Outcome != Done {
			t.Errorf("%s: %v", name, res)
		}
	}
}

// TestNoHooks has hooks that must not run: at our side, and in a repository on this machine, unless its user named it in a configuration
// of their own.
func TestNoHooks(t *testing.T) {
	needUnix(t)
	w := newWorld(t)
	bare := w.bare("origin.git")
	r := w.clone("a", bare)
	ran := filepath.Join(w.tmp, "ran")
	for _, name := range []string{"pre-push", "reference-transaction", "post-checkout", "pre-auto-gc", "post-merge"} {
		w.write(filepath.Join(r.dir, ".git", "hooks", name), "#!/bin/sh\necho "+name+" >>"+ran+"\nexit 1\n", 0o755)
	}
	w.write(filepath.Join(bare, "hooks", "post-receive"), "#!/bin/sh\necho server >>"+ran+"\n", 0o755)
	w.run(r.dir, "config", "--global", "core.hooksPath", filepath.Join(r.dir, ".git", "hooks"))
	w.put(r, w.remote(r), "users/a", "", map[string]string{"x": ""})
	noError(t, r.Forget())
	w.get(r, w.remote(r), "users/a")
	w.run(r.dir, "config", "--global", "--unset", "core.hooksPath")
	if text, err := os.ReadFile(ran); err == nil {
		t.Errorf("hooks that ran: %s", text)
	}
	w.run(r.dir, "config", "--global", "url."+bare+".insteadOf", "https://example.com/origin.git")
	w.run(r.dir, "config", "remote.origin.url", "https://example.com/origin.git")
	r.config = nil // a Repo reads it once
	w.put(r, w.remote(r), "users/b", "", map[string]string{"x": ""})
	if text, err := os.ReadFile(ran); err != nil || string(text) != "server\n" {
		t.Errorf("hooks that ran: %s, %v", text, err)
	}
}

// TestRemoteWithAWorkingTree: a repository on this machine whose HEAD is one of our refs does not check out what is pushed there, through
// its filters, though it is configured to.
func TestRemoteWithAWorkingTree(t *testing.T) {
	needUnix(t)
	w := newWorld(t)
	other := filepath.Join(w.tmp, "other")
	w.run(w.tmp, "init", "-q", other)
	r := w.clone("a", other)
	rm := w.remote(r)
	ran := filepath.Join(w.tmp, "ran")
	w.run(other, "symbolic-ref", "HEAD", rm.Prefix+"users/a")
	w.run(other, "config", "receive.denyCurrentBranch", "updateInstead")
	w.run(other, "config", "filter.trap.smudge", "touch "+ran)
	w.write(filepath.Join(other, ".git", "info", "attributes"), "* filter=trap\n", 0o644)
	id, _ := w.put(r, rm, "users/a", "", map[string]string{"x": ""})
	w.put(r, rm, "users/a", id, map[string]string{"x": "more"})
	for _, file := range []string{ran, filepath.Join(other, "x")} {
		if _, err := os.Stat(file); err == nil {
			t.Errorf("%s is there", file)
		}
	}
}

// TestSSHCommand checks what git gets to know of ssh.
func TestSSHCommand(t *testing.T) {
	for _, test := range []struct {
		env    []string
		config string
		want   string
	}{
		{nil, "", "ssh -o BatchMode=yes"},
		{[]string{"GIT_SSH_COMMAND=ssh -i k"}, "", "ssh -o BatchMode=yes -i k"},
		{[]string{"GIT_SSH_COMMAND=/usr/bin/ssh"}, "ssh -v", "/usr/bin/ssh -o BatchMode=yes"},
		{nil, "ssh -v", "ssh -o BatchMode=yes -v"},
		{[]string{"GIT_SSH=/x/plink"}, "ssh -v", "ssh -o BatchMode=yes -v"},
		{[]string{"GIT_SSH_COMMAND=plink -batch"}, "", "plink -batch"},
		{[]string{"GIT_SSH=/x/plink"}, "", ""},
	} {
		r := &Repo{env: test.env}
		got := strings.TrimPrefix(strings.Join(r.ssh(&Remote{sshCommand: test.config}), " "), "GIT_SSH_COMMAND=")
		if got != test.want {
			t.Errorf("%v and %q: %q, want %q", test.env, test.config, got, test.want)
		}
	}
}

// TestClassify checks what is made of git's words and well-known servers'.
func TestClassify(t *testing.T) {
	rm := &Remote{Name: "https://ann:secret@example.com/x", Prefix: DefaultPrefix}
	w := &world{t: t}
	for _, test := range []struct {
		stderr       string
		read, pushed Kind
		words        string // of git's that the sentence has
	}{
		{"remote: Permission to a/b.git denied to c.\nfatal: unable to access 'https://github.com/a/b/': The requested URL returned error: 403\n", Auth, ReadOnly, "Permission to a/b.git denied to c."},
		{"ERROR: Permission to a/b.git denied to c.\nfatal: Could not read from remote repository.\n", Auth, ReadOnly, "Permission to a/b.git denied to c."},
		{"remote: GitLab: You are not allowed to push code to this project.\nfatal: Could not read from remote repository.\n", Auth, ReadOnly, "You are not allowed to push code"},
		{"ERROR: Repository not found.\nfatal: Could not read from remote repository.\n", Unreachable, Unreachable, "Repository not found"},
		{"fatal: unable to access 'https://ann:secret@example.com/x/': Could not resolve host: example.com\n", Unreachable, Unreachable, "Could not resolve host: example.com"},
		{"ssh: connect to host x port 22: Connection refused\nfatal: Could not read from remote repository.\n", Unreachable, Unreachable, "Connection refused"},
		{"error: insufficient permission for adding an object to repository database ./objects\n", Auth, ReadOnly, "insufficient permission"},
		{"fatal: remote error: upload-pack: not our ref 123\n", Moved, Moved, "not our ref"},
		{"error: something else\n", Other, Other, "something else"},
		{"\x1b]0;x\x07remote: \x1b[2J\u202ehi\nfatal: x\r\n", Other, Other, "(x)"},
		{"", Other, Other, ""},
	} {
		for _, pushed := range []bool{false, true} {
			want := test.read
			if pushed {
				want = test.pushed
			}
			err := classify(rm, errUnpack, test.stderr, pushed)
			w.kind(err, want)
			if strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), test.words) {
				t.Errorf("%v", err)
			}
		}
	}
	w.kind(classify(rm, context.DeadlineExceeded, "", false), TimedOut)
	w.kind(classify(rm, errTooMuch, "", false), Other)
}

// TestNoGit runs without git, and is cancelled.
func TestNoGit(t *testing.T) {
	w := newWorld(t)
	r := w.clone("a", w.bare("origin.git"))
	rm := w.remote(r)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.List(ctx, rm); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	ctx, cancel = context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	_, err := r.List(ctx, rm)
	w.kind(err, TimedOut)
	r.git = filepath.Join(w.tmp, "none")
	_, err = r.List(t.Context(), rm)
	w.kind(err, Other)
	if _, err := Open(w.tmp, "", w.git, w.env); err == nil {
		t.Error("there is a repository in a temporary directory")
	}
}
