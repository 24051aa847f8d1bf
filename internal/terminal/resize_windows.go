package terminal

import "os"

// NotifyResize does nothing: a Windows console says that by no signal.
func NotifyResize(chan<- os.Signal) {}
