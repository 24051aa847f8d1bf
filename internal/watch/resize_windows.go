package watch

import "os"

// notifyResize does nothing: a Windows console says that by no signal.
func notifyResize(chan<- os.Signal) {}
