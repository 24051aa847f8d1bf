//go:build unix

package terminal

import (
	"os"
	"os/signal"
	"syscall"
)

// NotifyResize sends to c whenever the terminal gets another size.
func NotifyResize(c chan<- os.Signal) { signal.Notify(c, syscall.SIGWINCH) }
