package main

import (
	"os"
	"os/exec"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
)

// opening is how long to wait for an opener to fail. Some only end with the browser that they start.
const opening = 2 * time.Second

// openPage writes a page to a temporary file, which stays, and shows it in the browser.
func openPage(inv *invocation, goos string, page []byte) error {
	opener := opener(goos, inv.env)
	if opener == nil {
		return cannotOpen("there is no display", nil)
	}
	program, err := exec.LookPath(opener[0])
	if err != nil {
		return cannotOpen("there is no "+opener[0], err)
	}
	file, err := os.CreateTemp("", "gsd-status-*.html")
	if err == nil {
		_, err = file.Write(page)
		if closed := file.Close(); err == nil {
			err = closed
		}
	}
	if err != nil {
		return cannotOpen(err.Error(), err)
	}
	cmd := exec.Command(program, append(opener[1:], file.Name())...)
	cmd.Env = inv.env
	detach(cmd)
	ended := make(chan error, 1)
	if err = cmd.Start(); err == nil {
		go func() { ended <- cmd.Wait() }()
		select {
		case err = <-ended:
		case <-time.After(opening):
		}
	}
	if err != nil {
		_ = os.Remove(file.Name())
		return cannotOpen(opener[0]+": "+err.Error(), err)
	}
	inv.printf("opened %s\n", file.Name())
	return nil
}

// opener returns the command that shows a file in the browser, nil if there is no display.
func opener(goos string, env environ) []string {
	switch goos {
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	case "darwin":
		return []string{"open"}
	}
	if env.get("DISPLAY") == "" && env.get("WAYLAND_DISPLAY") == "" && env.get("BROWSER") == "" {
		return nil
	}
	return []string{"xdg-open"}
}

func cannotOpen(why string, err error) error {
	return &hydrate.Error{
		Kind: hydrate.IO, Text: "cannot open a browser: " + why, Hint: "gsd status --format html > status.html; then open that", Err: err,
	}
}
