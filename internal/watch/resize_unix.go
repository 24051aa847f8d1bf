//go:build unix

package watch

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyResize sends to c whenever the terminal gets another size, or shows the process again after it was stopped.
func notifyResize(c chan<- os.Signal) { signal.Notify(c, syscall.SIGWINCH, syscall.SIGCONT) }
