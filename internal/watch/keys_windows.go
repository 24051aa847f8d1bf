package watch

import (
	"os"

	"golang.org/x/sys/windows"
)

// eachKey has the console f pass on each key when it is typed, without showing it. restore makes it as it was.
func eachKey(f *os.File) (restore func(), again func() bool, err error) {
	console := windows.Handle(f.Fd())
	var was uint32
	if err := windows.GetConsoleMode(console, &was); err != nil {
		return nil, nil, err
	}
	if err := windows.SetConsoleMode(console, was&^(windows.ENABLE_LINE_INPUT|windows.ENABLE_ECHO_INPUT)); err != nil {
		return nil, nil, err
	}
	return func() { _ = windows.SetConsoleMode(console, was) }, func() bool { return true }, nil
}
