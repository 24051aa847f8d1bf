// Command extras writes what a package of gsd has besides the program: its man pages and the completion scripts of the shells.
// Both are what the program itself says, so neither can differ from it.
//
//	go run ./release/extras DIR
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// scripts are the shells, and under which name each looks for a completion script.
var scripts = map[string]string{"bash": "gsd.bash", "zsh": "_gsd", "fish": "gsd.fish", "pwsh": "gsd.ps1"}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: extras DIR")
		os.Exit(64)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "extras:", err)
		os.Exit(1)
	}
}

// write builds the program, asks it for its help and its scripts, and writes them below dir, which it replaces.
func write(dir string) error {
	temp, err := os.MkdirTemp("", "gsd")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	program := filepath.Join(temp, "gsd.exe") // Windows runs no other name, and the rest does not mind
	if out, err := exec.Command("go", "build", "-o", program, "./cmd/gsd").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	files := map[string]string{}
	say := func(args ...string) string {
		out, failed := exec.Command(program, args...).Output()
		if failed != nil && err == nil {
			err = fmt.Errorf("gsd %q: %w", args, failed)
		}
		return string(out)
	}
	for shell, name := range scripts {
		files[filepath.Join("completions", name)] = say("completion", shell)
	}
	var pages []string
	for _, name := range strings.Fields(say("__complete", "--", "")) {
		commands := []string{name}
		if name == "run" { // its commands have a page each
			for _, sub := range strings.Fields(say("__complete", "--", name, "")) {
				commands = append(commands, name+" "+sub)
			}
		}
		for _, command := range commands {
			page := "gsd-" + strings.ReplaceAll(command, " ", "-")
			pages = append(pages, page+"(1)")
			files[filepath.Join("man", page+".1")] = manPage(page, say(append(strings.Fields(command), "--help")...), "gsd(1)")
		}
	}
	overview := "NAME:\n   gsd - memory of a plan for coding agents\n\nDESCRIPTION:\n" + say("--help") + "\n" +
		say("help", "environment") + "\n" + say("help", "exit-status")
	files[filepath.Join("man", "gsd.1")] = manPage("gsd", overview, strings.Join(pages, ", "))
	if err != nil {
		return err
	}
	for _, sub := range []string{"man", "completions"} {
		if err := os.RemoveAll(filepath.Join(dir, sub)); err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			return err
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
