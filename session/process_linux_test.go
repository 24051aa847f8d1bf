package session

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// insideEnv is set for a test that runs again in namespaces of its own.
const insideEnv = "GSD_TEST_INSIDE"

// ranInside is what the test says in there, so that one that did not run does not pass.
const ranInside = "ran inside"

// inNamespaces runs the test that calls it again, in namespaces of its own, and returns false; in there it
// returns true. The process in there is the first of its PID namespace. about is its ownerOf.
func inNamespaces(t *testing.T, about Owner) bool {
	t.Helper()
	if os.Getenv(insideEnv) == t.Name() {
		// Mounts in here are nobody else's.
		if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
			t.Fatal(err)
		}
		fmt.Println(ranInside)
		return true
	}
	if os.Geteuid() != 0 {
		t.Skip("only root makes namespaces")
	}
	cmd := inRole(t, "", about)
	cmd.Args[1] = "-test.run=^" + strings.ReplaceAll(t.Name(), "/", "$/^") + "$"
	cmd.Env = append(cmd.Env, insideEnv+"="+t.Name())
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWPID | unix.CLONE_NEWNS}
	out, err := cmd.CombinedOutput()
	if errors.Is(err, unix.EPERM) {
		t.Skip("no namespaces may be made here: ", err)
	}
	if err != nil || !strings.Contains(string(out), ranInside) {
		t.Errorf("inside: %v\n%s", err, out)
	}
	if _, why, ok := strings.Cut(string(out), skipInside); ok {
		t.Skip(why)
	}
	return false
}

// skipInside goes before the reason for which a test cannot go on in there.
const skipInside = "skipped inside: "

func mountProc(t *testing.T, options string) {
	t.Helper()
	if err := unix.Mount("proc", procDir, "proc", 0, options); err != nil {
		fmt.Println(skipInside + "no procfs may be mounted: " + err.Error())
		t.SkipNow()
	}
}

// unprivileged runs f with another user's rights, which are the thread's: it ends with f.
func unprivileged(t *testing.T, f func()) {
	t.Helper()
	done := make(chan unix.Errno)
	go func() {
		runtime.LockOSThread()
		const nobody = 65534
		_, _, err := unix.RawSyscall(unix.SYS_SETGROUPS, 0, 0, 0)
		if err == 0 {
			_, _, err = unix.RawSyscall(unix.SYS_SETRESGID, nobody, nobody, nobody)
		}
		if err == 0 {
			_, _, err = unix.RawSyscall(unix.SYS_SETRESUID, nobody, nobody, nobody)
		}
		if err == 0 {
			f()
		}
		done <- err
	}()
	if err := <-done; err != 0 {
		t.Fatal(err)
	}
}

// TestReusedPID makes the kernel give a PID twice.
func TestReusedPID(t *testing.T) {
	outside := NewSystem(machine).Here()
	if !inNamespaces(t, outside) {
		return
	}
	mountProc(t, "")
	s := NewSystem(machine)
	wantLiveness(t, s.Here(), s, Alive)
	wantLiveness(t, ownerOf(t), s, Unknown)

	// next starts a process that ought to get the PID.
	next := func(pid int) *exec.Cmd {
		t.Helper()
		err := os.WriteFile("/proc/sys/kernel/ns_last_pid", []byte(strconv.Itoa(pid-1)), 0)
		if err != nil {
			fmt.Println(skipInside + err.Error())
			t.SkipNow()
		}
		cmd := inRole(t, "stay", Owner{})
		if _, err := cmd.StdinPipe(); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	end := func(cmd *exec.Cmd) { cmd.Process.Kill(); cmd.Wait() }
	// owner is who has the PID of cmd.
	owner := func(cmd *exec.Cmd) Owner {
		t.Helper()
		o := s.Here()
		is, err := s.Find(cmd.Process.Pid)
		if err != nil {
			t.Fatal(err)
		}
		o.PID, o.StartTime = cmd.Process.Pid, is.StartTime
		return o
	}

	const far = 20_000 // from the threads of this program
	cmd := next(far)
	first := owner(cmd)
	wantLiveness(t, first, s, Alive)
	end(cmd)
	wantLiveness(t, first, s, Dead)

	// A thread of ours may come between, and start times have 10 ms: until it is the same PID at another time.
	for range 10_000 {
		cmd = next(first.PID)
		second := owner(cmd)
		if second.PID != first.PID || second.StartTime == first.StartTime {
			end(cmd)
			continue
		}
		wantLiveness(t, second, s, Alive)
		wantLiveness(t, first, s, Dead)
		if first.Same(second) {
			t.Errorf("%+v is the same as %+v", first, second)
		}
		end(cmd)
		wantLiveness(t, second, s, Dead)
		return
	}
	t.Errorf("PID %d did not come again", first.PID)
}

// TestOtherNamespaces: who is recorded outside is not told of inside, whatever /proc says there.
func TestOtherNamespaces(t *testing.T) {
	cover := func(t *testing.T) {
		t.Helper()
		if err := unix.Mount("none", procDir, "tmpfs", 0, ""); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name  string
		mount func(t *testing.T)
		told  bool // start times
	}{
		{"its own procfs", func(t *testing.T) { mountProc(t, "") }, true},
		{"the procfs outside", func(*testing.T) {}, false},
		{"no procfs", cover, false},
		{"a procfs that is made up", func(t *testing.T) {
			stat, err := os.ReadFile("/proc/self/stat")
			if err != nil {
				t.Fatal(err)
			}
			cover(t)
			for name, text := range map[string]string{
				"self/status": fmt.Sprintf("Pid:\t%d\n", os.Getpid()),
				"1/stat":      string(stat),
			} {
				path := filepath.Join(procDir, name)
				os.Mkdir(filepath.Dir(path), 0o755)
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			outside := NewSystem(machine).Here()
			if !inNamespaces(t, outside) {
				return
			}
			tt.mount(t)
			s := NewSystem(machine)
			wantLiveness(t, ownerOf(t), s, Unknown)
			here := s.Here()
			if (here.StartTime != "") != tt.told {
				t.Errorf("here is %+v", here)
			}
			is, err := s.Find(here.PID)
			if tt.told && err != nil || !tt.told && !errors.Is(err, errNotTold) {
				t.Errorf("this process is %+v, %v", is, err)
			}
			// What was waited for is gone in every case.
			cmd := inRole(t, "stay", Owner{})
			if err := cmd.Run(); err != nil {
				t.Fatal(err)
			}
			if is, err := s.Find(cmd.Process.Pid); !errors.Is(err, ErrNoProcess) {
				t.Errorf("an ended process is %+v, %v", is, err)
			}
		})
	}
}

// TestHiddenProcesses: other users' processes that are not shown are there all the same.
func TestHiddenProcesses(t *testing.T) {
	for _, option := range []string{"hidepid=1", "hidepid=2"} {
		t.Run(option, func(t *testing.T) {
			if !inNamespaces(t, Owner{}) {
				return
			}
			mountProc(t, option)
			root, end := another(t)
			unprivileged(t, func() {
				s := NewSystem(machine)
				wantLiveness(t, s.Here(), s, Alive)
				if text, err := readProc(strconv.Itoa(root.PID) + "/stat"); err == nil {
					t.Errorf("it is not hidden: %s", text)
				}
				if is, err := s.Find(root.PID); err != nil || is != (Process{}) {
					t.Errorf("found %+v, %v", is, err)
				}
				wantLiveness(t, root, s, Alive)
			})
			end()
			unprivileged(t, func() { wantLiveness(t, root, NewSystem(machine), Dead) })
		})
	}
}

// TestOtherClock: in a time namespace every process seems to have begun at another time.
func TestOtherClock(t *testing.T) {
	here := NewSystem(machine).Here()
	if os.Geteuid() != 0 || strings.Contains(here.Namespace, " ") {
		t.Skip("only root makes namespaces, and this must not be one: ", here.Namespace)
	}
	var out []byte
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		// The namespace is for the children of this thread, which ends with the function.
		runtime.LockOSThread()
		if err = unix.Unshare(unix.CLONE_NEWTIME); err != nil {
			return
		}
		offsets := fmt.Sprintf("/proc/%d/timens_offsets", unix.Gettid())
		if err = os.WriteFile(offsets, []byte("boottime 100000 0\n"), 0); err != nil {
			return
		}
		out, err = inRole(t, "tell", here).Output()
	}()
	<-done
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.EINVAL) {
		t.Skip("no time namespace may be made here: ", err)
	}
	if err != nil || !strings.Contains(string(out), `"Liveness":"unknown","IsAncestor":false`) {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestFirstThreadEnds: the process of which only the first thread has ended looks like a zombie, and works on.
func TestFirstThreadEnds(t *testing.T) {
	const role = "without its first thread"
	if os.Getenv(roleEnv) == role {
		endFirstThread(t)
		say(t, NewSystem(machine).Here())
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}
	cmd := inRole(t, role, Owner{})
	cmd.Args[1] = "-test.run=^" + t.Name() + "$"
	child, end := startOwner(t, cmd)
	if text, err := readProc(strconv.Itoa(child.PID) + "/stat"); err != nil || !strings.Contains(text, ") Z ") {
		t.Fatalf("its first thread has not ended: %q, %v", text, err)
	}
	s := NewSystem(machine)
	wantLiveness(t, child, s, Alive)
	end()
	wantLiveness(t, child, s, Dead)
}

// endFirstThread takes threads until the first is among them, and ends that.
func endFirstThread(t *testing.T) {
	t.Helper()
	const enough = 1000
	taken := make(chan bool)
	for range enough {
		go func() {
			runtime.LockOSThread()
			first := unix.Gettid() == os.Getpid()
			taken <- first
			if first {
				syscall.Syscall(syscall.SYS_EXIT, 0, 0, 0)
			}
			select {}
		}()
		if !<-taken {
			continue
		}
		for {
			text, err := readProc("self/stat")
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(text, ") Z ") {
				return
			}
			runtime.Gosched()
		}
	}
	t.Fatalf("the first is none of %d threads", enough)
}

// TestZombie: a child that has ended is dead though nobody waited for it.
func TestZombie(t *testing.T) {
	s := NewSystem(machine)
	cmd := inRole(t, "stay", Owner{})
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	child := s.Here()
	child.PID = cmd.Process.Pid
	is, err := s.Find(child.PID)
	if err != nil {
		t.Fatal(err)
	}
	child.StartTime = is.StartTime
	wantLiveness(t, child, s, Alive)
	in.Close()
	for err = unix.EINTR; err == unix.EINTR; {
		err = unix.Waitid(unix.P_PID, child.PID, nil, unix.WEXITED|unix.WNOWAIT, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	if text, err := readProc(strconv.Itoa(child.PID) + "/stat"); err != nil || !strings.Contains(text, ") Z ") {
		t.Fatalf("no zombie: %q, %v", text, err)
	}
	wantLiveness(t, child, s, Dead)
}

func TestParseStat(t *testing.T) {
	// stat has as many fields as Linux 2.6 wrote.
	stat := func(name, state, parent, threads, start string) string {
		return "100 (" + name + ") " + state + " " + parent + " 100 100 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 " + threads + " 0 " + start + " 1 2\n"
	}
	for _, tt := range []struct {
		name, text string
		want       Process
		err        error
	}{
		{"asleep", stat("node", "S", "7", "11", "4711"), Process{"4711", 7}, nil},
		{"running", stat("node", "R", "7", "1", "4711"), Process{"4711", 7}, nil},
		{"stopped", stat("node", "T", "7", "1", "4711"), Process{"4711", 7}, nil},
		{"the first of all", stat("init", "S", "0", "1", "1"), Process{"1", 0}, nil},
		{"a name with spaces", stat("a b c", "S", "7", "1", "4711"), Process{"4711", 7}, nil},
		{"a name that looks like the rest", stat("x) Z 1 (y) Z 2", "S", "7", "1", "4711"), Process{"4711", 7}, nil},
		{"a name of nothing", stat("", "S", "7", "1", "4711"), Process{"4711", 7}, nil},
		{"a zombie", stat("node", "Z", "7", "1", "4711"), Process{}, ErrNoProcess},
		{"a zombie's first thread only", stat("node", "Z", "7", "2", "4711"), Process{"4711", 7}, nil},
		{"dead", stat("node", "X", "7", "0", "4711"), Process{}, ErrNoProcess},
		{"dead, in Linux 3", stat("node", "x", "7", "0", "4711"), Process{}, ErrNoProcess},
		{"a name like a zombie's", stat("node) Z", "S", "7", "1", "4711"), Process{"4711", 7}, nil},
		{"nothing", "", Process{}, errNotTold},
		{"no name", strings.Replace(stat("node", "S", "7", "1", "4711"), ")", "", 1), Process{}, errNotTold},
		{"cut short", strings.Split(stat("node", "S", "7", "1", "4711"), " 4711")[0], Process{}, errNotTold},
		{"no parent", stat("node", "S", "?", "1", "4711"), Process{}, errNotTold},
		{"no start", stat("node", "S", "7", "1", "?"), Process{}, errNotTold},
	} {
		got, err := parseStat(tt.text)
		if got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: %+v, %v; want %+v, %v", tt.name, got, err, tt.want, tt.err)
		}
	}
}

// FuzzParseStat: a program may call itself anything, and it changes nothing.
func FuzzParseStat(f *testing.F) {
	f.Add("node", " S 7 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 4711 0")
	f.Add(") Z 1 (", " Z 7 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 4711 0")
	f.Add("a b", " S")
	f.Fuzz(func(t *testing.T, name, rest string) {
		if strings.Contains(rest, ")") {
			t.Skip("the kernel writes none after the name")
		}
		want, wantErr := parseStat("1 (x)" + rest)
		got, err := parseStat("1 (" + name + ")" + rest)
		if got != want || fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Errorf("%+v, %v; by another name %+v, %v", got, err, want, wantErr)
		}
		if err == nil && (got.StartTime == "" || strings.ContainsAny(got.StartTime, " \n")) {
			t.Errorf("%+v", got)
		}
	})
}

// BenchmarkHereFind is what a command pays that asks whether an owner lives.
func BenchmarkHereFind(b *testing.B) {
	b.ReportAllocs()
	parent := os.Getppid()
	for b.Loop() {
		s := NewSystem(nil)
		if s.Here().StartTime == "" {
			b.Fatal("this process has no start time")
		}
		if _, err := s.Find(parent); err != nil {
			b.Fatal(err)
		}
	}
}
