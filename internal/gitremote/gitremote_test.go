package gitremote

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/gitlog"
)

// TestRound pushes, lists and reads, in two clones of a bare repository.
func TestRound(t *testing.T) {
	w := newWorld(t)
	bare := w.bare("origin.git")
	a, b := w.clone("a", bare), w.clone("b", bare)
	rma, rmb := w.remote(a), w.remote(b)
	if refs, err := a.List(t.Context(), rma); err != nil || len(refs) != 0 {
		t.Fatalf("an empty repository lists %v, %v", refs, err)
	}
	files := map[string]string{"phases/03-x/03-02-PLAN.md": "{}\n", "phases.txt": "", "phases/03-x/a.md": "a"}
	first, res := w.put(a, rma, "users/ann-00000001", "", files)
	if res.Outcome != Done {
		t.Fatal(res)
	}
	if got := w.get(b, rmb, "users/ann-*"); !maps.Equal(got, files) {
		t.Errorf("read %v, want %v", got, files)
	}
	if _, res := w.put(b, rmb, "users/ann-00000001", "", files); res.Outcome != Done {
		t.Errorf("the very same, pushed again: %v", res)
	}
	other := map[string]string{"x": "y"}
	if _, res := w.put(b, rmb, "users/ann-00000001", "", other); res.Outcome != Lost {
		t.Errorf("a ref that exists was created: %v", res)
	}
	second, res := w.put(b, rmb, "users/ann-00000001", first, other)
	if res.Outcome != Done {
		t.Error(res)
	}
	if _, res := w.put(a, rma, "users/ann-00000001", first, map[string]string{"z": ""}); res.Outcome != Lost {
		t.Errorf("an old value replaced a new one: %v", res)
	}
	if got := w.get(a, rma, "users/*"); !maps.Equal(got, other) {
		t.Errorf("read %v, want %v", got, other)
	}

	// Several updates at once, each for itself.
	results, err := a.Push(t.Context(), rma, []Update{
		{"refs/gsd/claims/03-02", "", second},
		{"refs/gsd/users/ann-00000001", first, second}, // is already so
		{"refs/gsd/users/none", second, ""},            // is not there
		{"refs/gsd/claims/03-03", second, first},
	})
	var got []Outcome
	for _, r := range results {
		got = append(got, r.Outcome)
	}
	if err != nil || !slices.Equal(got, []Outcome{Done, Done, Lost, Lost}) {
		t.Errorf("%v, %v", results, err)
	}

	// Nothing that the user's git shows or that a branch has was touched.
	for _, r := range []*Repo{a, b} {
		if refs := w.run(r.dir, "for-each-ref", "--format=%(refname)"); refs != "refs/heads/main" {
			t.Errorf("refs %q", refs)
		}
		if s := w.run(r.dir, "status", "--porcelain"); s != "" {
			t.Errorf("status %q", s)
		}
		if _, err := os.Lstat(filepath.Join(r.dir, ".git", "FETCH_HEAD")); err == nil {
			t.Error("there is a FETCH_HEAD")
		}
		w.run(r.dir, "fsck", "--strict")
		if count := w.run(r.dir, "count-objects"); !strings.HasPrefix(count, "2 objects") {
			t.Errorf("the user's repository has %s", count)
		}
	}

	// Removing deletes only what is asked for.
	w.run(a.dir, "push", "-q", "origin", "main", "main:refs/gsdx/users/a", "main:refs/x/refs/gsd/y")
	if results, err := a.Remove(t.Context(), rma); err != nil || len(results) != 2 {
		t.Errorf("%v, %v", results, err)
	}
	if left := w.run(bare, "for-each-ref", "--format=%(refname)"); left != "refs/gsdx/users/a\nrefs/heads/main\nrefs/x/refs/gsd/y" {
		t.Errorf("left: %s", left)
	}
	if err := a.Forget(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(a.own); err == nil {
		t.Error("not everything was forgotten")
	}
}

// TestCommitIsGits compares a commit with what git makes of the same files.
func TestCommitIsGits(t *testing.T) {
	w := newWorld(t)
	r := w.clone("a", "")
	files := map[string][]byte{}
	for _, name := range []string{"a", "a.b", "a0", "a-b/c", "b/a/c", "b/a.c", "ü/x", "b/a0", "z"} {
		files[name+".f"] = []byte(strings.Repeat(name, 3000))
		w.write(filepath.Join(r.dir, name+".f"), strings.Repeat(name, 3000), 0o644)
	}
	files["a/x"], files["empty"] = []byte{}, nil
	w.write(filepath.Join(r.dir, "a/x"), "", 0o644)
	w.write(filepath.Join(r.dir, "empty"), "", 0o644)
	c, err := NewCommit(files)
	noError(t, err)
	w.run(r.dir, "add", "-A")
	tree := w.run(r.dir, "write-tree")
	w.env = append(w.env, "GIT_AUTHOR_DATE=@0 +0000", "GIT_COMMITTER_DATE=@0 +0000",
		"GIT_AUTHOR_NAME=gsd", "GIT_COMMITTER_NAME=gsd", "GIT_AUTHOR_EMAIL=gsd@localhost", "GIT_COMMITTER_EMAIL=gsd@localhost")
	if want := w.run(r.dir, "commit-tree", tree, "-m", "gsd: shared sessions"); c.ID != want {
		t.Errorf("commit %s, git has %s", c.ID, want)
	}
	for range 2 {
		noError(t, r.Write(t.Context(), c))
	}
	trees, err := r.Read(t.Context(), nil, []string{c.ID})
	if err != nil || trees[0].Err != nil || len(trees[0].Files) != len(files) {
		t.Fatal(trees, err)
	}
	for name, data := range files {
		if string(trees[0].Files[name]) != string(data) {
			t.Errorf("%s differs", name)
		}
	}

	for _, names := range [][]string{{""}, {"a/../b"}, {"/a"}, {"a/"}, {".git/hooks/x"}, {"a", "a/b"}, {"x/.GIT"}, {"a\\b"}, {strings.Repeat("a/", 20) + "b"}} {
		bad := map[string][]byte{}
		for _, name := range names {
			bad[name] = nil
		}
		if _, err := NewCommit(bad); err == nil {
			t.Errorf("a commit holds %q", names)
		}
	}
}

// TestDamagedStore damages one of gsd's objects: it is written again.
func TestDamagedStore(t *testing.T) {
	w := newWorld(t)
	r := w.clone("a", w.bare("origin.git"))
	rm := w.remote(r)
	first, _ := w.put(r, rm, "users/a", "", map[string]string{"a": "1"})
	name := filepath.Join(r.own, "objects", first[:2], first[2:])
	noError(t, os.Chmod(name, 0o644))
	w.write(name, "", 0o644)
	if _, res := w.put(r, rm, "users/b", "", map[string]string{"a": "1"}); res.Outcome != Done {
		t.Error(res)
	}
}

// TestWhichRemote checks the choice of the remote and of the prefix.
func TestWhichRemote(t *testing.T) {
	for _, test := range []struct {
		name    string
		config  [][2]string
		want    string
		prefix  string
		wantErr bool
	}{
		{"none", nil, "", "", true},
		{"the only one", [][2]string{{"remote.up.stream.url", "x"}}, "up.stream", "refs/gsd/", false},
		{"origin of two", [][2]string{{"remote.a.url", "x"}, {"remote.origin.url", "x"}}, "origin", "refs/gsd/", false},
		{"the branch's", [][2]string{{"remote.a.url", "x"}, {"remote.origin.url", "x"}, {"branch.main.remote", "a"}}, "a", "refs/gsd/", false},
		{"a branch of our own", [][2]string{{"remote.a.url", "x"}, {"remote.origin.url", "x"}, {"branch.main.remote", "."}}, "origin", "refs/gsd/", false},
		{"several", [][2]string{{"remote.a.url", "x"}, {"remote.b.url", "x"}}, "", "", true},
		{"chosen", [][2]string{{"remote.a.url", "x"}, {"remote.b.url", "x"}, {"gsd.remote", "b"}}, "b", "refs/gsd/", false},
		{"a URL", [][2]string{{"gsd.remote", "https://u:secret@example.com/x"}}, "https://u:secret@example.com/x", "refs/gsd/", false},
		{"a path", [][2]string{{"gsd.remote", "../x.git"}}, "../x.git", "refs/gsd/", false},
		{"unknown", [][2]string{{"remote.a.url", "x"}, {"gsd.remote", "nope"}}, "", "", true},
		{"an option", [][2]string{{"gsd.remote", "--upload-pack=x"}}, "", "", true},
		{"an option like a path", [][2]string{{"gsd.remote", "--upload-pack=./x"}}, "", "", true},
		{"branches", [][2]string{{"remote.a.url", "x"}, {"gsd.refPrefix", "gsd"}}, "a", "refs/heads/gsd/", false},
		{"elsewhere", [][2]string{{"remote.a.url", "x"}, {"gsd.refPrefix", "refs/team/gsd/"}}, "a", "refs/team/gsd/", false},
		{"all branches", [][2]string{{"remote.a.url", "x"}, {"gsd.refPrefix", "refs/heads/"}}, "", "", true},
		{"everything", [][2]string{{"remote.a.url", "x"}, {"gsd.refPrefix", "refs/"}}, "", "", true},
		{"no name", [][2]string{{"remote.a.url", "x"}, {"gsd.refPrefix", "a..b"}}, "", "", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			r := w.clone("a", "")
			for _, c := range test.config {
				w.run(r.dir, "config", c[0], c[1])
			}
			rm, err := r.Remote(t.Context())
			if test.wantErr {
				if err == nil {
					t.Errorf("remote %v", rm)
				}
				return
			}
			if err != nil || rm.Name != test.want || rm.Prefix != test.prefix || strings.Contains(rm.String(), "secret") {
				t.Errorf("%+v, %v", rm, err)
			}
		})
	}
}

// TestHostileObjects reads commits that we never write: each is an error by itself, and the good one among them is read.
func TestHostileObjects(t *testing.T) {
	w := newWorld(t)
	bare := w.bare("origin.git")
	r := w.clone("a", bare)
	rm := w.remote(r)
	in := func(text string, args ...string) string {
		w.t.Helper()
		name := w.write(filepath.Join(w.tmp, "in"), text, 0o644)
		return w.run(bare, append(args, name)...)
	}
	blob := func(text string) string { return in(text, "hash-object", "-w") }
	tree := func(entries string) string { // the entries have names in hexadecimal
		return w.run(bare, "hash-object", "-t", "tree", "-w", "--literally", w.write(filepath.Join(w.tmp, "in"), entries, 0o644))
	}
	raw := func(id string) string {
		b := make([]byte, 20)
		for i := range b {
			b[i] = unhex(id[2*i])<<4 | unhex(id[2*i+1])
		}
		return string(b)
	}
	commit := func(tree string, more ...string) string {
		return in("tree "+tree+"\n"+strings.Join(more, "")+"author a <a> 0 +0000\ncommitter a <a> 0 +0000\n\nx\n", "hash-object", "-t", "commit", "-w", "--literally")
	}
	small := blob("x")
	ok := commit(tree("100644 f\x00" + raw(small)))
	bomb := tree("100644 f\x00" + raw(small))
	for range 8 {
		entries := ""
		for _, name := range "abcdefghij" {
			entries += "40000 " + string(name) + "\x00" + raw(bomb)
		}
		bomb = tree(entries)
	}
	deep := tree("100644 f\x00" + raw(small))
	for range 20 {
		deep = tree("40000 d\x00" + raw(deep))
	}
	bad := map[string]string{
		"a symbolic link": commit(tree("120000 f\x00" + raw(small))),
		"a submodule":     commit(tree("160000 f\x00" + raw(small))),
		"up":              commit(tree("40000 ..\x00" + raw(tree("100644 f\x00"+raw(small))))),
		"a slash":         commit(tree("100644 a/b\x00" + raw(small))),
		"escapes":         commit(tree("100644 a\x1b[2J\x00" + raw(small))),
		"twice":           commit(tree("100644 f\x00" + raw(small) + "100644 f\x00" + raw(small))),
		"a history":       commit(tree("100644 f\x00"+raw(small)), "parent "+ok+"\n"),
		"a tree bomb":     commit(bomb),
		"deep":            commit(deep),
		"no commit":       small,
	}
	if !testing.Short() {
		bad["large"] = commit(tree("100644 f\x00" + raw(blob(strings.Repeat("x", 17<<20)))))
		bad["huge"] = commit(tree("100644 f\x00" + raw(blob(strings.Repeat("x", 20<<20)))))
	}
	w.run(bare, "update-ref", "refs/gsd/users/ok", ok)
	names := slices.Sorted(maps.Keys(bad))
	ids := []string{ok, "--option", strings.Repeat("0", 40)}
	for i, name := range names {
		w.run(bare, "update-ref", "refs/gsd/users/b"+string(rune('a'+i)), bad[name])
		ids = append(ids, bad[name])
	}
	trees, err := r.Read(t.Context(), rm, ids)
	noError(t, err)
	if trees[0].Err != nil || string(trees[0].Files["f"]) != "x" {
		t.Errorf("the good one: %v", trees[0])
	}
	for i, tree := range trees[1:] {
		if tree.Err == nil {
			t.Errorf("%s was read", ids[i+1])
			continue
		}
		if i >= 2 {
			t.Logf("%s: %v", names[i-2], tree.Err)
			if errors.Is(tree.Err, gitlog.ErrTruncated) {
				t.Errorf("%s was not fetched", names[i-2])
			}
		}
	}
}

func unhex(c byte) byte { return byte(strings.IndexByte("0123456789abcdef", c)) }

// TestMoved reads a commit that the remote does not have.
func TestMoved(t *testing.T) {
	w := newWorld(t)
	r := w.clone("a", w.bare("origin.git"))
	_, err := r.Read(t.Context(), w.remote(r), []string{strings.Repeat("1", 40)})
	w.kind(err, Moved)
}

// TestSweep removes what a killed git leaves, and old objects only if there are many.
func TestSweep(t *testing.T) {
	w := newWorld(t)
	r := w.clone("a", w.bare("origin.git"))
	noError(t, r.prepare())
	objects := filepath.Join(r.own, "objects")
	age := func(d time.Duration, names ...string) {
		for _, name := range names {
			when := time.Now().Add(-d)
			path := filepath.Join(objects, name)
			if _, err := os.Lstat(path); err != nil {
				w.write(path, "", 0o444)
			}
			noError(t, os.Chtimes(path, when, when))
		}
	}
	exists := func(name string) bool {
		_, err := os.Lstat(filepath.Join(objects, name))
		return err == nil
	}
	const temporary = "info/.alternates.0123456789abcdef.tmp" // of package durable
	age(2*time.Hour, "ab/tmp_obj_x", "pack/tmp_pack_y", temporary, "info/swept")
	age(time.Minute, "ab/tmp_obj_new")
	age(48*time.Hour, "ab/cdef", "info/kept")
	noError(t, r.prepare())
	if exists("ab/tmp_obj_x") || exists("pack/tmp_pack_y") || exists(temporary) || !exists("ab/tmp_obj_new") || !exists("ab/cdef") {
		t.Error("the wrong files were removed")
	}
	defer func(n int) { manyLoose = n }(manyLoose)
	manyLoose = 1
	age(2*time.Hour, "info/swept")
	noError(t, r.prepare())
	if exists("ab/cdef") || !exists("info/kept") {
		t.Error("old objects are kept")
	}
}

// TestRefNames compares the rule for names with git's.
func TestRefNames(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{
		"refs/gsd/a", "refs/gsd/ü", "refs/a.b/c", "refs/a@/b", "refs/a/@", "refs/-a/b", "refs/a{b/c", "refs/a/b.lockx",
		"refs/a..b", "refs/.a/b", "refs/a/.b", "refs//a", "refs/a/", "refs/a//b", "refs/a.lock/b", "refs/a/b.lock", "refs/a/b.", "refs/a@{b", "refs/a b",
		"refs/a~b", "refs/a^b", "refs/a:b", "refs/a?b", "refs/a*b", "refs/a[b", "refs/a\\b", "refs/a\x7fb", "refs/a\tb", "refs/",
	} {
		cmd := exec.Command(w.git, "check-ref-format", name)
		if want := cmd.Run() == nil; validRef(name) != want {
			t.Errorf("%q: %t, git says %t", name, !want, want)
		}
	}
	for _, name := range []string{"HEAD", "", "refs", "refs/a\u202eb", "refs/\xff", "refs/" + strings.Repeat("a", 500)} {
		if validRef(name) {
			t.Errorf("%q is valid", name)
		}
	}
}
