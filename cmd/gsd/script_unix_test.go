//go:build unix

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/session"
)

const nobody = 65534

// setUmask makes what a script's files may be read by the same everywhere.
func setUmask() { unix.Umask(0o022) }

// openUp lets everybody into a directory below the temporary one: testing makes them for root alone.
func openUp(dir string) {
	if os.Geteuid() != 0 {
		return
	}
	program, err := exec.LookPath("gsd")
	if err != nil {
		return
	}
	temp, err := filepath.EvalSymlinks(os.TempDir())
	if err != nil {
		return
	}
	for _, dir := range []string{dir, filepath.Dir(program)} {
		for ; strings.HasPrefix(dir, temp+"/"); dir = filepath.Dir(dir) {
			_ = os.Chmod(dir, 0o755) // mayDropRights looks at what came of it
		}
	}
}

// mayDropRights tells whether a program that asnobody runs gets as far as the scripts' directories.
var mayDropRights = sync.OnceValue(func() bool {
	if os.Geteuid() != 0 {
		return true // there is nothing to drop
	}
	program, err := exec.LookPath("asnobody")
	return err == nil && exec.Command(program, program, "true").Run() == nil
})

// asNobody is a program: it runs another one as the user nobody, or as the one who runs the tests if that
// is not root.
func asNobody() {
	if os.Geteuid() == 0 {
		for _, drop := range []func() error{
			func() error { return unix.Setgroups([]int{nobody}) },
			func() error { return unix.Setgid(nobody) },
			func() error { return unix.Setuid(nobody) },
		} {
			if err := drop(); err != nil {
				fmt.Fprintln(os.Stderr, "asnobody:", err)
				os.Exit(126)
			}
		}
	}
	runAs(os.Stdout)
}

// guardHolder is a program: it takes the guard of a session as gsd does, says so, and holds it until its
// standard input ends.
func guardHolder() {
	die := func(err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, "guardholder:", err)
			os.Exit(1)
		}
	}
	name := os.Args[len(os.Args)-1]
	user := filepath.Base(filepath.Dir(name)) // PROJECT/.planning/sessions/USER/.guard
	root, err := os.OpenRoot(filepath.Join(filepath.Dir(name), "..", "..", ".."))
	die(err)
	guard, err := session.At(root, planref.Planning, user).Lock(context.Background(), 0)
	die(err)
	defer guard.Unlock()
	fmt.Println("locked")
	io.Copy(io.Discard, os.Stdin)
}

func cmdFIFO(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(unix.Mkfifo(ts.MkAbs(args[0]), 0o666))
}
