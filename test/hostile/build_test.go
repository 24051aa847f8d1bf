//go:build linux

package hostile

// build_test.go: the programs to try: gsd as it is released, and the meter that it runs under. They are built at first
// use.

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	_ "github.com/gsd-cli/gsd/testdata/memory" // sync is slow on a disk
)

// program is for a comparison with an earlier version; what is built here is what counts.
var program = flag.String("program", "", "the gsd to try; empty to build it")

// built is where the programs are, "" as long as none was built.
var built string

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	printTables()
	if built != "" {
		os.RemoveAll(built)
	}
	os.Exit(code)
}

var (
	gsdProgram = sync.OnceValues(func() (string, error) {
		if *program != "" {
			return *program, nil
		}
		return build("gsd", "../../cmd/gsd")
	})
	meterProgram = sync.OnceValues(func() (string, error) { return build("meter", "./testdata/meter") })
	emptyProgram = sync.OnceValues(func() (string, error) { return build("empty", "../bench/testdata/empty") })
)

var building sync.Mutex

func build(name, pkg string) (string, error) {
	building.Lock()
	defer building.Unlock()
	if built == "" {
		dir, err := os.MkdirTemp("", "gsd-hostile-")
		if err != nil {
			return "", err
		}
		if err := os.Chmod(dir, 0o755); err != nil { // other users run them, too
			return "", err
		}
		built = dir
	}
	binary := filepath.Join(built, name)
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-tags", "urfave_cli_no_docs", "-o", binary, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build %s: %w\n%s", pkg, err, out)
	}
	return binary, nil
}

// must returns the value, or ends the test.
func must[T any](t testing.TB) func(T, error) T {
	return func(got T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
}
