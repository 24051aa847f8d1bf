package gitremote

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gsd-cli/gsd/internal/testenv"
)

// hostile makes commits in a bare repository that nobody should have pushed.
type hostile struct {
	*world
	bare string
}

// object writes an object that is made of a text any number of times.
func (h *hostile) object(kind, text string, times int) string {
	h.t.Helper()
	cmd := exec.Command(h.git, "-C", h.bare, "hash-object", "-t", kind, "-w", "--literally", "--stdin")
	cmd.Env = h.env
	cmd.Stdin = &repeated{text: text, left: times}
	out, err := cmd.Output()
	if err != nil {
		h.t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// repeated reads a text any number of times.
type repeated struct {
	text string
	left int
	rest []byte
}

func (r *repeated) Read(b []byte) (int, error) {
	if len(r.rest) == 0 && r.left > 0 {
		n := min(r.left, 1+(1<<20)/len(r.text))
		r.left -= n
		r.rest = []byte(strings.Repeat(r.text, n))
	}
	if len(r.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(b, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func raw(id string) string {
	b, _ := hex.DecodeString(id)
	return string(b)
}

func (h *hostile) commit(tree, message string, times int) string {
	return h.object("commit", "tree "+tree+"\nauthor a <a> 0 +0000\ncommitter a <a> 0 +0000\n\n"+strings.Repeat(message, times), 1)
}

// chain makes a pack in which each object is a delta of the one before, with one byte more, and returns a commit that has the last
// one as its first file.
func (h *hostile) chain(length, size int, salt byte) string {
	base := append(bytes.Repeat([]byte("c"), size), salt)
	var pack bytes.Buffer
	write := func(kind byte, size int, before string, data []byte) {
		b := kind<<4 | byte(size&15)
		for size >>= 4; size > 0; size >>= 7 {
			pack.WriteByte(b | 0x80)
			b = byte(size & 0x7f)
		}
		pack.WriteByte(b)
		pack.WriteString(before)
		z := zlib.NewWriter(&pack)
		_, _ = z.Write(data)
		_ = z.Close()
	}
	pack.WriteString("PACK\x00\x00\x00\x02")
	pack.Write(binary.BigEndian.AppendUint32(nil, uint32(length+1)))
	write(byte(plumbing.BlobObject), len(base), "", base)
	names := []string{plumbing.ComputeHash(plumbing.BlobObject, base).String()}
	for range length {
		delta := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(len(base))), uint64(len(base)+1))
		for from := 0; from < len(base); from += 0xffff00 {
			n := min(len(base)-from, 0xffff00)
			delta = append(delta, 0xff, byte(from), byte(from>>8), byte(from>>16), byte(from>>24), byte(n), byte(n>>8), byte(n>>16))
		}
		base = append(base, 1)
		write(byte(plumbing.REFDeltaObject), len(delta)+2, raw(names[len(names)-1]), append(delta, 1, 1))
		names = append(names, plumbing.ComputeHash(plumbing.BlobObject, base).String())
	}
	sum := sha1.Sum(pack.Bytes())
	pack.Write(sum[:])
	cmd := exec.Command(h.git, "-C", h.bare, "index-pack", "--stdin")
	cmd.Env, cmd.Stdin = h.env, &pack
	if out, err := cmd.CombinedOutput(); err != nil {
		h.t.Fatalf("%v\n%s", err, out)
	}
	tree := ""
	for i := range names {
		tree += fmt.Sprintf("100644 %05d\x00", i) + raw(names[len(names)-1-i])
	}
	return h.commit(h.object("tree", tree, 1), "", 0)
}

// TestHostilePacks: what is too large is not even received, and costs nobody else anything: not the objects of others, which are
// received without it, and not the budget for reading them.
func TestHostilePacks(t *testing.T) {
	if testing.Short() {
		t.Skip("makes packs of many megabytes")
	}
	w := newWorld(t)
	h := &hostile{w, w.bare("origin.git")}
	size, links, chains := 33<<20, 5, 1
	if testenv.Thorough() {
		size, links, chains = 1<<30, 20, 5
	}
	small := h.object("blob", "x", 1)
	good := func(text string) string {
		return h.commit(h.object("tree", "100644 f\x00"+raw(small), 1), text, 1)
	}
	line := strings.Repeat("\x00", 1<<20)
	blob := h.object("blob", line, size>>20)
	entry := "100644 f\x00" + raw(small)
	bad := map[string]string{
		"a blob of zeros": h.commit(h.object("tree", "100644 f\x00"+raw(blob), 1), "", 0),
		"the same blob":   h.commit(h.object("tree", "100644 g\x00"+raw(blob), 1), "", 0),
	}
	if testenv.Thorough() {
		bad["a tree of millions"] = h.commit(h.object("tree", entry, 64<<20/len(entry)), "", 0)
		bad["a long message"] = h.commit(h.object("tree", entry, 1), "x\n", 32<<20)
	}
	received := map[string]string{}
	for i := range chains {
		received[fmt.Sprint("a chain of deltas ", i)] = h.chain(links, 7<<20, byte(i+2))
	}
	all := map[string]string{"good": good("1"), "good, too": good("2")}
	maps.Copy(all, bad)
	maps.Copy(all, received)
	names := slices.Sorted(maps.Keys(all))
	var ids []string
	for i, name := range names {
		w.run(h.bare, "update-ref", fmt.Sprintf("refs/gsd/users/u%d", i), all[name])
		ids = append(ids, all[name])
	}
	w.run(h.bare, "repack", "-adq") // as many are pushed
	r := w.clone("a", h.bare)
	trees, err := r.Read(t.Context(), w.remote(r), ids)
	noError(t, err)
	for i, name := range names {
		tree := trees[i]
		var failed *Error
		switch unusable := errors.As(tree.Err, &failed) && failed.Kind == Unusable; {
		case strings.HasPrefix(name, "good"):
			if tree.Err != nil || string(tree.Files["f"]) != "x" {
				t.Errorf("%s: %v", name, tree.Err)
			}
		case tree.Err == nil || tree.Later():
			t.Errorf("%s: %v, later: %v", name, tree.Err, tree.Later())
		case bad[name] != "" != unusable:
			t.Errorf("%s: %v, received: %v", name, tree.Err, !unusable)
		}
		t.Logf("%s: %v", name, tree.Err)
	}
	if left, _ := filepath.Glob(filepath.Join(r.own, "objects", "pack", "tmp_*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestOneOfMany: what the remote cannot send keeps nobody else's from being read, and may come the next time.
func TestOneOfMany(t *testing.T) {
	needUnix(t)
	w := newWorld(t)
	h := &hostile{w, w.bare("origin.git")}
	var ids []string
	for i := range 7 {
		ids = append(ids, h.commit(h.object("tree", "100644 f\x00"+raw(h.object("blob", "x", 1)), 1), "x", i))
		w.run(h.bare, "update-ref", fmt.Sprintf("refs/gsd/users/u%d", i), ids[i])
	}
	for _, test := range []struct {
		does string
		want Kind
	}{
		{"echo 'fatal: early EOF' >&2; exit 128", Unreachable},
		{"exec sleep 600", Slow},
	} {
		if test.want == Slow && !testenv.Thorough() { // it waits for a timeout
			continue
		}
		r := w.clone("clone"+fmt.Sprint(test.want), h.bare)
		r.git = w.write(filepath.Join(w.tmp, "git"), "#!/bin/sh\ncase \"$*\" in *' fetch '*) in=$(cat)\ncase $in in *"+ids[3]+"*) "+
			test.does+";; esac\necho \"$in\" | "+w.git+" \"$@\"\nexit $?;; esac\nexec "+w.git+" \"$@\"\n", 0o755)
		rm := w.remote(r)
		if test.want == Slow {
			rm.Timeout = 10 * time.Second
		}
		left := ids
		for range len(ids) { // on a busy machine, not all may be read in time
			trees, err := r.Read(t.Context(), rm, left)
			if err != nil && len(left) > 1 {
				t.Fatal(err)
			}
			var later []string
			for i, tree := range trees {
				var failed *Error
				switch {
				case tree.Err == nil != (left[i] != ids[3]) && !tree.Later():
					t.Errorf("commit %d: %v", slices.Index(ids, left[i]), tree.Err)
				case tree.Err == nil:
				case tree.Later():
					later = append(later, left[i])
				case !errors.As(tree.Err, &failed) || failed.Kind != test.want:
					t.Errorf("commit %d: %v", slices.Index(ids, left[i]), tree.Err)
				}
			}
			left = later
			if test.want != Slow || len(left) == 0 {
				break
			}
		}
		if want := 1; test.want == Slow && len(left) > 0 || test.want != Slow && (len(left) != want || left[0] != ids[3]) {
			t.Errorf("%v are not read", left)
		}
	}
}
