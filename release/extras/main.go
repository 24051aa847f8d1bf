// Command extras writes what a package of gsd has besides the program: its man pages and the completion scripts of the shells.
// Both are what the program itself says, so neither can differ from it.
//
//	go run ./release/extras DIR
package main

import (
	"encoding/json"
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
	settings, failed := settingsOf([]byte(say("config", "--json")))
	if err == nil {
		err = failed
	}
	overview := "NAME:\n   gsd - show a coding agent where it left off in a plan\n\nDESCRIPTION:\n" + say("--help") + "\n" +
		settings + "\n" + say("help", "exit-status")
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

// settingsOf converts what gsd config --json prints into a part of a help: each setting with what it is for and its default, and without
// its value on the machine that makes the release.
func settingsOf(config []byte) (string, error) {
	var all struct {
		Settings []struct{ Name, Kind, Use, Default string }
	}
	if err := json.Unmarshal(config, &all); err != nil {
		return "", fmt.Errorf("gsd config --json: %w", err)
	}
	var b strings.Builder
	kind := ""
	for _, s := range all.Settings {
		if s.Kind != kind {
			kind = s.Kind
			fmt.Fprintf(&b, "\n%s:\n\n", map[string]string{"git-config": "Git configuration", "environment": "Environment"}[kind])
		}
		fmt.Fprintf(&b, "  %s  %s; default: %s\n", s.Name, s.Use, s.Default)
	}
	return strings.TrimPrefix(b.String(), "\n"), nil
}
