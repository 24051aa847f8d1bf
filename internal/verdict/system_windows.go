package verdict

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

func isReadOnly(err error) bool { return errors.Is(err, windows.ERROR_WRITE_PROTECT) }

func ownerIn(os.FileInfo) (owner int, ok bool) { return 0, false }

func IsOwn(os.FileInfo) bool { return true } // chmod changes nothing else there
