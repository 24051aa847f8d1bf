package identity

import (
	"os/exec"
	"syscall"
	"testing"
)

// git does not look beyond the file system it starts in. The mount is made in a name space of its own, in
// which git and this package are both run.
func TestAcrossFileSystems(t *testing.T) {
	t.Parallel()
	for script, plain := range map[string]bool{"": true, "repo work {local}": false, "gitdir work {local}": false} {
		s := newScene(t, "global\nmkdir work/mnt\n"+script)
		isolated := func(command string) *exec.Cmd {
			cmd := exec.Command("/bin/sh", "-c", "mount -t tmpfs none mnt && mkdir mnt/a && cd mnt/a && "+command)
			cmd.Dir = s.dir
			cmd.Env = append(s.helperEnv(), "PATH=/usr/sbin:/sbin:/usr/bin:/bin")
			cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
			return cmd
		}
		if out, err := isolated("true").CombinedOutput(); err != nil {
			t.Skipf("no mount can be made here: %v %s", err, out)
		}
		oracle := s.heard(isolated("GIT_CONFIG_SYSTEM=" + s.system + " " + s.git + " config user.name"))
		got := s.helped(isolated(s.helper()))
		if oracle.Said != "=Global" || got.Said != "=Global" || got.Asked == plain {
			t.Errorf("%s: git says %+v, we say %+v", script, oracle, got)
		}
	}
}
