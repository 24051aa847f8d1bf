package session

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The test binary starts itself again to be another process; this variable
// tells it to be one, and which.
const childEnv = "GSD_TEST_CHILD"

func TestMain(m *testing.M) {
	if what := os.Getenv(childEnv); what != "" {
		if err := runChild(what, os.Args[1], os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, what+":", err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func runChild(what, project string, args []string) error {
	root, err := os.OpenRoot(project)
	if err != nil {
		return err
	}
	d := At(root, "user")
	switch what {
	case "count":
		n, _ := strconv.Atoi(args[0])
		for range n {
			if err := increment(d); err != nil {
				return err
			}
		}
		return nil
	case "begin": // begins runs of a name, and ends every second
		n, _ := strconv.Atoi(args[1])
		return beginMany(d, args[0], n)
	case "hold": // says when it has the guard, keeps it until stdin ends
		g, err := d.Lock(context.Background(), patience)
		if err != nil {
			return err
		}
		fmt.Println("held")
		io.Copy(io.Discard, os.Stdin)
		return g.Unlock()
	case "flip": // changes the session for ever, says when each is done
		for n := 0; ; n++ {
			if err := flip(d, n%6 == 5); err != nil {
				return err
			}
			fmt.Println("flipped")
		}
	}
	return fmt.Errorf("no such child")
}

// versionA and versionB differ in every byte and in length.
var (
	versionA = strings.Repeat("A", 40_000)
	versionB = strings.Repeat("B", 60_000)
)

// flip makes the session the other version, by Supersede or by Write.
func flip(d Dir, supersede bool) error {
	g, err := d.Lock(context.Background(), patience)
	if err != nil {
		return err
	}
	defer g.Unlock()
	data, was, err := g.Read(limit)
	if err != nil {
		return err
	}
	to := chunks(versionA[:100], versionA[100:])
	if string(data) == versionA {
		to = chunks(versionB[:100], versionB[100:])
	}
	if supersede {
		_, err = g.Supersede(to, was, time.Now())
	} else {
		err = g.Write(to, was)
	}
	return err
}

type child struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.Closer
	out *bufio.Reader
	err strings.Builder
}

func spawn(t *testing.T, what, project string, args ...string) *child {
	t.Helper()
	c := &child{t: t, cmd: exec.Command(os.Args[0], append([]string{project}, args...)...)}
	c.cmd.Env = append(os.Environ(), childEnv+"="+what)
	c.cmd.Stderr = &c.err
	in, err := c.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.in, c.out = in, bufio.NewReader(out)
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.cmd.Process.Kill(); c.cmd.Wait() })
	return c
}

// line waits for the next line that the child says.
func (c *child) line() {
	c.t.Helper()
	if _, err := c.out.ReadString('\n'); err != nil {
		c.t.Fatalf("child said nothing: %v\n%s", err, c.err.String())
	}
}

// wait lets the child end.
func (c *child) wait() {
	c.t.Helper()
	c.in.Close()
	if err := c.cmd.Wait(); err != nil {
		c.t.Errorf("child: %v\n%s", err, c.err.String())
	}
}

// kill ends the child without a chance to clean up.
func (c *child) kill() {
	c.t.Helper()
	if err := c.cmd.Process.Kill(); err != nil {
		c.t.Fatal(err)
	}
	c.cmd.Wait()
	if c.err.Len() > 0 {
		c.t.Errorf("child: %s", c.err.String())
	}
}

func TestBusyNamesAnotherProcess(t *testing.T) {
	_, d := newProject(t)
	c := spawn(t, "hold", d.root.Name())
	c.line()
	_, err := d.Lock(context.Background(), 2*time.Millisecond)
	busy, ok := err.(*BusyError)
	if !ok {
		t.Fatal(err)
	}
	if busy.Holder.PID != c.cmd.Process.Pid {
		t.Errorf("holder is %d, want %d", busy.Holder.PID, c.cmd.Process.Pid)
	}
	// It gives the guard back while another waits.
	got := make(chan error)
	go func() {
		g, err := d.Lock(context.Background(), patience)
		if err == nil {
			err = g.Unlock()
		}
		got <- err
	}()
	c.wait()
	if err := <-got; err != nil {
		t.Error(err)
	}
}

func TestKilledHolderLetsGo(t *testing.T) {
	_, d := newProject(t)
	c := spawn(t, "hold", d.root.Name())
	c.line()
	c.kill()
	lock(t, d)
}

// TestKill kills a writer at any moment, often. The session is always one of
// the two versions, whole; so is every archive; the next Lock goes through and
// leaves no temporary.
func TestKill(t *testing.T) {
	kills := 120
	if testing.Short() {
		kills = 20
	}
	project, d := newProject(t)
	g, _ := start(t, d, versionA)
	g.Unlock()
	whole := func(name string) {
		data, err := os.ReadFile(filepath.Join(project, ".planning/sessions/user", name))
		if err != nil || string(data) != versionA && string(data) != versionB {
			t.Errorf("%s holds %d bytes of %.3q, %v", name, len(data), data, err)
		}
	}
	temps, archives := 0, 0
	for range kills {
		c := spawn(t, "flip", project)
		for range 1 + rand.IntN(4) {
			c.line()
		}
		// Not to wait for anything: this is the moment, and it is random.
		time.Sleep(time.Duration(rand.IntN(2000)) * time.Microsecond)
		c.kill()

		whole(fileName)
		for _, name := range names(t, project) {
			if strings.HasSuffix(name, ".tmp") {
				temps++
			}
		}
		g := lock(t, d)
		for _, name := range names(t, project) {
			switch {
			case name == fileName:
			case strings.HasSuffix(name, ".stale"):
				archives++
				whole(name)
				os.Remove(filepath.Join(project, ".planning/sessions/user", name))
			default:
				t.Errorf("%s is left", name)
			}
		}
		if err := g.Unlock(); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d kills left %d temporaries; %d archives", kills, temps, archives)
}
