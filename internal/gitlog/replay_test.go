package gitlog

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReplay reads real histories whole.
func TestReplay(t *testing.T) {
	t.Parallel()
	needGit(t)
	bundles, _ := filepath.Glob("../../../shared/replay/*.bundle")
	if len(bundles) == 0 {
		t.Skip("no replay data beside the repository")
	}
	for _, bundle := range bundles {
		bundle, err := filepath.Abs(bundle)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(bundle), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			git(t, dir, "", "clone", "-q", "--bare", "-b", "main", bundle, ".git")
			want := gitLog(t, dir, "")
			got, err := ourLog(t, dir)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("git (-), we (+):\n%s", diff)
			}
		})
	}
}
