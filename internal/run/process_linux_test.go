package run

import (
	"errors"
	"fmt"
	"os"
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

// inNamespaces reruns the calling test in namespaces of its own, and returns false; in there it
// returns true. The process in there is the first of its PID namespace. about is its ownerOf.
func inNamespaces(t *testing.T, about Owner) bool {
	t.Helper()
	if os.Getenv(insideEnv) == t.Name() {
		// Mounts in here affect nothing outside.
		noError(t, unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""))
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

// TestOtherNamespaces: inside, the state of a process outside is unknown, whatever /proc says there.
func TestOtherNamespaces(t *testing.T) {
	cover := func(t *testing.T) {
		t.Helper()
		noError(t, unix.Mount("none", procDir, "tmpfs", 0, ""))
	}
	for _, tt := range []struct {
		name  string
		mount func(t *testing.T)
		known bool // start times
	}{
		{"its own procfs", func(t *testing.T) { mountProc(t, "") }, true},
		{"the procfs outside", func(*testing.T) {}, false},
		{"no procfs", cover, false},
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
			if (here.StartTime != "") != tt.known {
				t.Errorf("here is %+v", here)
			}
			is, err := s.Find(here.PID)
			if tt.known && err != nil || !tt.known && !errors.Is(err, errUnknown) {
				t.Errorf("this process is %+v, %v", is, err)
			}
			// What was waited for is gone in every case.
			cmd := inRole(t, "stay", Owner{})
			noError(t, cmd.Run())
			if is, err := s.Find(cmd.Process.Pid); !errors.Is(err, ErrNoProcess) {
				t.Errorf("an ended process is %+v, %v", is, err)
			}
		})
	}
}

// TestHiddenProcesses: other users' processes that are not shown are there nevertheless.
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
				if text, err := readFile(procDir + "/" + strconv.Itoa(root.PID) + "/stat"); err == nil {
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
		{"nothing", "", Process{}, errUnknown},
		{"no name", strings.Replace(stat("node", "S", "7", "1", "4711"), ")", "", 1), Process{}, errUnknown},
		{"cut short", strings.Split(stat("node", "S", "7", "1", "4711"), " 4711")[0], Process{}, errUnknown},
		{"no parent", stat("node", "S", "?", "1", "4711"), Process{}, errUnknown},
		{"no start", stat("node", "S", "7", "1", "?"), Process{}, errUnknown},
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
