package bench

// stress_test.go: many writers of a session at once, and writers that are killed at any moment, with the real program,
// the real file system and SIGKILL. Nothing here depends on timing.

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/testenv"
)

var seed = flag.Uint64("seed", 0, "repeat the random choices of an earlier run; 0 means new ones")

// persist runs a command again for as long as it ends with 75, because another process is writing: 64 writers wait in one queue, and a slow
// disk is not to be mistaken for a lost task.
func (p *project) persist(program string, args ...string) error {
	for {
		_, err := p.try(program, args...)
		if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 75 {
			return err
		}
	}
}

// settled lists the files in a session directory when nobody is writing.
var settled = []string{".gitignore", ".guard", path.Base(sessionName)}

// All writers mark their own tasks at the same time: one that read the file before another wrote it, and wrote after,
// would undo the other's mark.
func TestMarkAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the real program")
	}
	writers, rounds := 24, 2
	if testenv.Thorough() {
		writers, rounds = 64, 5
	}
	p := newSession(t, writers)
	before := string(p.session(t))
	if n := strings.Count(before, `status="pending"`); n != writers {
		t.Fatalf("%d tasks are pending at the start, want %d", n, writers)
	}
	gsd := must(t, gsdBinary)
	for round := range rounds {
		status := "complete"
		if round%2 == 1 {
			status = "pending"
		}
		failed := make([]error, writers)
		var all sync.WaitGroup
		for i := range writers {
			all.Go(func() { failed[i] = p.persist(gsd, "mark", strconv.Itoa(i+1), status) })
		}
		all.Wait()
		if err := errors.Join(failed...); err != nil {
			t.Fatalf("round %d: %v", round+1, err)
		}
		if got, want := string(p.session(t)), strings.ReplaceAll(before, `status="pending"`, `status="`+status+`"`); got != want {
			t.Fatalf("round %d: %d of %d tasks are %s, in %d bytes of %d", round+1, strings.Count(got, `status="`+status+`"`), writers, status, len(got), len(want))
		}
	}
	if got := p.beside(t); !slices.Equal(got, settled) {
		t.Errorf("left in the session directory: %q, want %q", got, settled)
	}
}

// A mark is killed at any moment: the session is the old one or the new one, byte for byte, and the next mark succeeds
// and cleans up.
func TestMarkKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the real program")
	}
	const projects = 4 // side by side, because a mark mostly waits for the disk
	kills := 60
	if testenv.Thorough() {
		kills = 300
	}
	from := *seed
	if from == 0 {
		from = rand.Uint64()
	}
	t.Logf("-seed=%d", from)
	gsd := must(t, gsdBinary)
	found := make([]deaths, projects)
	failed := make([]error, projects)
	var all sync.WaitGroup
	for i := range projects {
		v := victim{project: newSession(t, 40), gsd: gsd, rand: rand.New(rand.NewPCG(from, uint64(i)))}
		v.split(t, 20)
		all.Go(func() { failed[i] = v.dieOften(kills/projects, &found[i]) })
	}
	all.Wait()
	if err := errors.Join(failed...); err != nil {
		t.Error(err)
	}
	var sum deaths
	for _, d := range found {
		sum.before += d.before
		sum.after += d.after
		sum.late += d.late
		sum.left += d.left
		sum.life += d.life / projects
	}
	t.Logf("%d marks killed within the %s that they live: %d before the change, %d after it; %d left a temporary; %d more had ended by then",
		sum.before+sum.after, sum.life.Round(100*time.Microsecond), sum.before, sum.after, sum.left, sum.late)
}

// victim is a project in which marks are killed.
type victim struct {
	*project
	gsd        string
	rand       *rand.Rand
	task       int
	head, tail []byte // the session before and after the status of the task
}

// deaths counts when they died.
type deaths struct {
	before, after int           // the file changed
	late          int           // it had ended by itself
	left          int           // a temporary was there
	life          time.Duration // of a mark that is left alone
}

// split splits the session at the status of a task, so that the expected result of a mark is known without gsd.
func (v *victim) split(t *testing.T, task int) {
	t.Helper()
	const pending = `status="pending"`
	text := v.session(t)
	at := 0
	for n := range task {
		if n > 0 {
			at += len(pending)
		}
		i := bytes.Index(text[at:], []byte(pending))
		if i < 0 {
			t.Fatalf("the session has no task %d", task)
		}
		at += i
	}
	v.task = task
	v.head, v.tail = text[:at+len(`status="`)], text[at+len(pending)-1:]
}

func (v *victim) with(status string) []byte { return slices.Concat(v.head, []byte(status), v.tail) }

// dieOften kills one mark after another, each between two that are not killed. The three statuses take turns, so that
// each mark has something to write.
func (v *victim) dieOften(kills int, count *deaths) error {
	statuses := []string{"pending", "in-progress", "complete"}
	now := 0
	next := func() string { now = (now + 1) % len(statuses); return statuses[now] }

	var lives []time.Duration
	for range 9 {
		life, err := v.mark(next())
		if err != nil {
			return err
		}
		lives = append(lives, life)
	}
	slices.Sort(lives)
	count.life = lives[len(lives)/2]

	for tries := 0; count.before+count.after < kills; tries++ {
		if tries == 10*kills {
			return fmt.Errorf("of %d marks only %d died", tries, count.before+count.after)
		}
		was := statuses[now]
		is := next()
		// A tenth longer than they live, so that the last moments are met too.
		ended, err := v.kill(is, time.Duration(v.rand.Int64N(int64(count.life)*11/10)))
		if err != nil {
			return err
		}
		got, err := os.ReadFile(v.path(sessionName))
		if err != nil {
			return err
		}
		changed := bytes.Equal(got, v.with(is))
		switch {
		case !changed && !bytes.Equal(got, v.with(was)):
			return fmt.Errorf("killed on the way from %s to %s, the session is neither: %s", was, is, v.describe(got))
		case ended && !changed:
			return fmt.Errorf("a mark from %s to %s ended well and changed nothing", was, is)
		case ended:
			count.late++
		case changed:
			count.after++
		default:
			count.before++
		}
		names, err := v.names()
		if err != nil {
			return err
		}
		if slices.ContainsFunc(names, func(name string) bool { return strings.HasSuffix(name, ".tmp") }) {
			count.left++
		}
		life, err := v.mark(next())
		if err != nil {
			return err
		}
		count.life += (life - count.life) / 8 // the machine is not always as busy
		if names, err = v.names(); err != nil {
			return err
		}
		if !slices.Equal(names, settled) {
			return fmt.Errorf("after the next mark the session directory holds %q, want %q", names, settled)
		}
	}
	return nil
}

// mark runs a mark to its end and checks the result; life is how long it ran.
func (v *victim) mark(status string) (life time.Duration, err error) {
	cmd := v.command(status)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	begin := time.Now()
	if err := cmd.Wait(); err != nil {
		return 0, fmt.Errorf("gsd mark: %w\n%s", err, errs.Bytes())
	}
	life = time.Since(begin)
	got, err := os.ReadFile(v.path(sessionName))
	if err == nil && !bytes.Equal(got, v.with(status)) {
		err = fmt.Errorf("marked as %s, the session is another: %s", status, v.describe(got))
	}
	return life, err
}

func (v *victim) command(status string) *exec.Cmd {
	cmd := exec.Command(v.gsd, "mark", strconv.Itoa(v.task), status)
	cmd.Dir, cmd.Env = v.dir, v.env
	return cmd
}

// describe describes a wrong session on one line.
func (v *victim) describe(got []byte) string {
	shared := 0
	for want := v.with(""); shared < min(len(got), len(want)) && got[shared] == want[shared]; {
		shared++
	}
	return fmt.Sprintf("%d bytes; as expected up to byte %d, then %.40q (the status is at byte %d)", len(got), shared, got[shared:], len(v.head))
}

// kill starts a mark and kills it after a delay; ended reports whether it had ended before.
func (v *victim) kill(status string, after time.Duration) (ended bool, err error) {
	cmd := v.command(status)
	if err := cmd.Start(); err != nil {
		return false, err
	}
	time.Sleep(after)
	if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return false, err
	}
	err = cmd.Wait()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		if exit.Exited() && exit.ExitCode() >= 64 {
			return false, fmt.Errorf("gsd mark: %w", err) // its own failure, not ours
		}
		return false, nil
	}
	return err == nil, err
}

// names lists the session directory.
func (p *project) names() ([]string, error) {
	entries, err := os.ReadDir(p.path(path.Dir(sessionName)))
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names, err
}

func (p *project) beside(t *testing.T) []string {
	t.Helper()
	names, err := p.names()
	noError(t, err)
	return names
}
