package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOpenCodePlugin runs the plugin in node, with a shell script for gsd. testdata/opencode/report.txt is what the driver
// was given, and how gsd was called.
func TestOpenCodePlugin(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for a gsd that never answers")
	}
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not here to run the plugin")
	}
	if filepath.Separator != '/' {
		t.Skip("the stub is a shell script")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	noError(t, err)
	at := func(name string) string { return filepath.Join(root, name) }
	// Of a gsd that never answers it has enough after five seconds; here one copy of it is hasty.
	hasty := strings.Replace(openCodePlugin, "HYDRATE_MS = 5000", "HYDRATE_MS = 50", 1)
	if hasty == openCodePlugin {
		t.Fatal("the plugin's patience has another name")
	}
	for name, text := range map[string]string{
		"gsd.mjs": openCodePlugin, "copy.mjs": openCodePlugin, "hasty.mjs": hasty,
		"driver.mjs": readTestdata(t, "opencode/driver.mjs"), "bin/gsd": readTestdata(t, "opencode/gsd"),
		"project/a": "", "other/a": "", "calls": "",
	} {
		put(t, at(name), []byte(text))
	}
	noError(t, os.Chmod(at("bin/gsd"), 0o755))
	if out, err := exec.Command("mkfifo", at("fifo")).CombinedOutput(); err != nil {
		t.Skipf("no FIFOs here: %v, %s", err, out)
	}
	cmd := exec.Command(node, "driver.mjs")
	cmd.Dir = root
	cmd.Env = []string{
		"PATH=" + at("bin") + ":/usr/bin:/bin", "HOME=" + root, "STUB_LOG=" + at("calls"), "STUB_FIFO=" + at("fifo"), "STUB_MODE=one",
		"PROJECT=" + at("project"), "OTHER=" + at("other"),
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil || stderr.Len() > 0 {
		t.Fatalf("node: %v\n%s\n%s", err, stderr.Bytes(), stdout.Bytes())
	}

	var report bytes.Buffer
	if err := json.Indent(&report, stdout.Bytes(), "", " "); err != nil {
		t.Fatalf("it printed more than the report, or none: %v\n%s", err, stdout.Bytes())
	}
	calls, err := os.ReadFile(at("calls"))
	noError(t, err)
	// What is left when the plugin is disposed of ends at once, in no order, and the last one with the process.
	names, _ := filepath.Glob(at("calls.*"))
	var ends []string
	for _, name := range names {
		text, _ := os.ReadFile(name)
		ends = append(ends, string(text))
	}
	slices.Sort(ends)
	got := strings.NewReplacer(root, "ROOT", fmt.Sprint(cmd.Process.Pid), "PID", strings.Repeat("x", 1<<18), "x...").
		Replace(report.String() + string(calls) + strings.Join(ends, ""))
	if *update {
		put(t, "testdata/opencode/report.txt", []byte(got))
	}
	if diff := cmp.Diff(readTestdata(t, "opencode/report.txt"), got); diff != "" {
		t.Errorf("go test ./internal/agent -run Plugin -update (-want +got)\n%s", diff)
	}
	for _, pattern := range []string{"pwned", "*/pwned"} {
		if names, err := filepath.Glob(at(pattern)); len(names) > 0 || err != nil {
			t.Errorf("a shell read it: %q, %v", names, err)
		}
	}
}
