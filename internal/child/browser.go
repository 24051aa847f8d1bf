package child

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"time"
)

// opening is how long to wait for an opener to fail. Some only end with the browser that they start.
const opening = 2 * time.Second

// Browse shows a page in the browser. It writes it to a temporary file, which stays, and returns its name.
func Browse(page []byte, env []string, getenv func(string) string) (name string, err error) {
	opener := opener(getenv)
	if opener == nil {
		return "", errors.New("there is no display")
	}
	program, err := exec.LookPath(opener[0])
	if err != nil {
		return "", fmt.Errorf("there is no %s", opener[0])
	}
	file, err := os.CreateTemp("", "gsd-status-*.html")
	if err == nil {
		_, err = file.Write(page)
		if closed := file.Close(); err == nil {
			err = closed
		}
	}
	if err != nil {
		return "", err
	}
	cmd := exec.Command(program, append(opener[1:], file.Name())...)
	cmd.Env = env
	Detach(cmd)
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
		return "", fmt.Errorf("%s: %w", opener[0], err)
	}
	return file.Name(), nil
}

// opener returns the command that shows a file in the browser, nil if there is no display.
func opener(getenv func(string) string) []string {
	switch {
	case runtime.GOOS == "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	case runtime.GOOS == "darwin":
		return []string{"open"}
	case getenv("DISPLAY") == "" && getenv("WAYLAND_DISPLAY") == "" && getenv("BROWSER") == "":
		return nil
	}
	return []string{"xdg-open"}
}
