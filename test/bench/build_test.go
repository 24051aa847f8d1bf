package bench

// build_test.go: the programs to run. They are built at first use, so that a run that needs none, such as -list, builds
// nothing.

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

var strict = flag.Bool("strict", false, "fail a benchmark that misses a bar")

// built is where the programs are, "" as long as none was built.
var built string

func TestMain(m *testing.M) {
	code := m.Run()
	for _, text := range reports {
		fmt.Printf("\n%s", text)
	}
	if built != "" {
		os.RemoveAll(built)
	}
	os.Exit(code)
}

// gsdBinary builds gsd as it is released.
var gsdBinary = sync.OnceValues(func() (string, error) {
	if err := readSources(); err != nil {
		return "", err
	}
	return build("gsd", "../../cmd/gsd", "-tags", "urfave_cli_no_docs")
})

// helper builds a program in testdata.
func helper(name string) func() (string, error) {
	return sync.OnceValues(func() (string, error) { return build(name, "./testdata/"+name) })
}

var (
	emptyBinary   = helper("empty")
	replaceBinary = helper("replace")
	peakBinary    = helper("peak")
	refsBinary    = helper("refs")
)

func build(name, pkg string, flags ...string) (string, error) {
	if built == "" {
		dir, err := os.MkdirTemp("", "gsd-bench-")
		if err != nil {
			return "", err
		}
		built = dir
	}
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	binary := filepath.Join(built, name)
	args := append([]string{"build", "-trimpath", "-ldflags=-s -w", "-o", binary}, flags...)
	cmd := exec.Command("go", append(args, pkg)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build %s: %w\n%s", pkg, err, out)
	}
	return binary, nil
}

// readSources reads the directories that gsd is built from. go test caches a result as long as the files that the test
// has opened are unchanged; it does not know those that a go build in the test has opened, and so would not notice
// changes of gsd.
func readSources() error {
	return filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && path != "../.." && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata") {
			return fs.SkipDir
		}
		return err
	})
}

// must returns the program or ends the test.
func must(t testing.TB, binary func() (string, error)) string {
	t.Helper()
	path, err := binary()
	noError(t, err)
	return path
}

// noError ends a test that cannot go on after an error.
func noError(t interface{ Fatal(args ...any) }, err error) {
	if t, ok := t.(interface{ Helper() }); ok {
		t.Helper()
	}
	if err != nil {
		t.Fatal(err)
	}
}
