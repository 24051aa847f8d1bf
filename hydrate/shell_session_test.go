package hydrate_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/planfile"
)

// seedShell is the original script's, as written, with the arguments that it is called with.
const seedShell = `
bootstrap_session() {
  local plan_path="$1"    # Path to PLAN.md
  local session_dir="$2"  # User's session directory

  local user session_file timestamp

  user=ada
  session_file="${session_dir}/current-plan.md"
  timestamp=$(date -u +"%Y-%m-%dT%H:%M:%SZ")

  # Create session directory if needed
  mkdir -p "$session_dir"

  # Create header
  cat > "$session_file" << EOF
<!-- Session progress for ${user} -->
<!-- Plan: ${plan_path} -->
<!-- Started: ${timestamp} -->

EOF

  # Copy plan content with status="pending" injected
  # Transform: <task type="auto"> → <task type="auto" status="pending">
  sed 's/<task type="\([^"]*\)"/<task type="\1" status="pending"/g' \
    "$plan_path" >> "$session_file"
}

update_task_status() {
  local session_file="$1"
  local task_num="$2"
  local new_status="$3"
  awk -v n="$task_num" -v status="$new_status" '
    /<task[^>]*type=/ {
      count++
      if (count == n) {
        gsub(/status="[^"]*"/, "status=\"" status "\"")
      }
    }
    { print }
  ' "$session_file" > "${session_file}.tmp"

  mv "${session_file}.tmp" "$session_file"
}
`

// TestShellSession: a session that the original script made does not say which bytes its plan had. Its text does.
func TestShellSession(t *testing.T) {
	t.Parallel()
	sh, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	const plan = "---\nplan: 1\n---\n\n<objective>Notes.</objective>\n\n<tasks>\n<task type=\"auto\">\n  <name>A</name>\n  <action>One.</action>\n</task>\n\n" +
		"<task type=\"checkpoint:human-verify\" gate=\"blocking\">\n  <name>B</name>\n  <action>Two.</action>\n</task>\n</tasks>\n"
	for _, test := range []struct{ name, plan string }{
		{"plain", plan},
		{"CRLF", strings.ReplaceAll(plan, "\n", "\r\n")},
		{"no final newline", strings.TrimSuffix(plan, "\n")},
		{"examples", plan + "\nWrite `<task type=\"auto\">` so:\n\n```xml\n<task type=\"auto\">\n</task>\n```\n"},
		{"a status in the plan", strings.Replace(plan, "<task type=\"check", "<task type=\"auto\" status=\"pending\">\n<name>C</name>\n</task>\n<task type=\"check", 1)},
		{"comments first", "<!-- A plan. -->\n\n" + plan},
		{"a tag of several lines", strings.Replace(plan, "<task type=\"check", "<task\n  type=\"check", 1)},
		{"a feature beside", plan + "<feature>\n<name>F</name>\n</feature>\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newProject(t)
			p.Now = now
			name := filepath.Join(p.Dir, filepath.FromSlash(planPath))
			write(t, name, test.plan)
			shell := func(command string) {
				t.Helper()
				cmd := exec.Command(sh, "-c", seedShell+command)
				cmd.Dir = p.Dir
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
			}
			isEdited := func(want bool) {
				t.Helper()
				p, err := hydrate.Open(p.Dir) // each file is read once
				if err != nil {
					t.Fatal(err)
				}
				defer p.Close()
				if r, err := p.Hydrate(user); err != nil || r.IsEdited() != want || r.Verdict != hydrate.Resume {
					t.Fatalf("edited %v, want %v: %s %v %v", r.IsEdited(), want, r.Verdict, r.Warnings, err)
				}
			}
			shell("bootstrap_session " + planPath + " .planning/sessions/" + user)
			isEdited(false)
			shell("update_task_status .planning/sessions/" + user + "/current-plan.md 1 complete")
			isEdited(false)
			write(t, name, strings.Replace(test.plan, "Two.", "Three.", 1))
			isEdited(true)
			p, err := hydrate.Open(p.Dir)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			b, err := p.Bootstrap(t.Context(), hydrate.BootstrapOptions{User: user, Plan: planPath, Now: now, Wait: time.Second})
			if err != nil || b.Kept || b.Session.Tasks[0].Status != planfile.Complete {
				t.Fatalf("%v, kept %v, %+v", err, b.Kept, b.Session.Tasks)
			}
			if text, err := os.ReadFile(filepath.Join(p.Dir, filepath.FromSlash(b.Path))); err != nil || !strings.Contains(string(text), "Three.") {
				t.Errorf("%v\n%s", err, text)
			}
			isEdited(false)
		})
	}
}
