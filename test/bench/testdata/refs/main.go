// Command refs lists the refs of the remote of the working directory that match a pattern, as gsd sync does first of all.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/gsd-cli/gsd/internal/gitremote"
)

func main() {
	if err := list(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func list(pattern string) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	git, err := exec.LookPath("git")
	if err != nil {
		return err
	}
	r, err := gitremote.Open(dir, filepath.Join(os.TempDir(), "gsd-bench-remote.git"), git, os.Environ())
	if err != nil {
		return err
	}
	remote, err := r.Remote(context.Background())
	if err != nil {
		return err
	}
	refs, err := r.List(context.Background(), remote, pattern)
	fmt.Println(len(refs))
	return err
}
