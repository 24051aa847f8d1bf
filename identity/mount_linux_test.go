package identity

import (
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// git does not look beyond the file system it starts in. The mount is made in a name space of its own, in
// which git and this package are both run.
func TestAcrossFileSystems(t *testing.T) {
	t.Parallel()
	const setUp = `mount -t tmpfs none mnt && mkdir mnt/a && cd mnt/a && `
	isolated := func(s *scene, command string) *exec.Cmd {
		cmd := exec.Command("/bin/sh", "-c", setUp+command)
		cmd.Dir = s.dir
		cmd.Env = append(s.helperEnv(), "PATH=/usr/sbin:/sbin:/usr/bin:/bin")
		cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
		return cmd
	}
	for _, c := range []struct {
		name  string
		build func(s *scene)
		want  string
	}{
		{"a repository beyond", func(s *scene) { s.repo("work", localName) }, "=Global"},
		{"a bare repository beyond", func(s *scene) { s.gitDir("work", localName) }, "=Global"},
		{"nothing beyond", func(s *scene) {}, "=Global"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.global()
			s.mkdir("work/mnt")
			c.build(s)
			if out, err := isolated(s, "true").CombinedOutput(); err != nil {
				t.Skipf("no mount can be made here: %v %s", err, out)
			}
			oracle, got := s.heard(isolated(s, "GIT_CONFIG_SYSTEM="+s.system+" "+s.git+" config user.name")), s.helped(isolated(s, s.helper()))
			if sign(oracle) != c.want || sign(got) != sign(oracle) {
				t.Errorf("git says %v (%s), we say %v, want %q", oracle, strings.TrimSpace(oracle.Note), got, c.want)
			}
			if plain := c.name == "nothing beyond"; plain == got.Asked {
				t.Errorf("git was asked: %t (%s)", got.Asked, got.Note)
			}
		})
	}
}
