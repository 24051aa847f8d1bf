package session

import (
	"os"

	"github.com/gsd-cli/gsd/internal/durable"
)

// WriteState makes chunk the file at name, a STATE.md of the project root, with slashes. was is the version
// that it was made from, the zero Stamp where there is none. No lock is taken: upstream's programs know none
// of ours, so what protects another's change is that the file must still be was. Errors are those of
// durable.Writer.Replace.
func WriteState(root *os.Root, name string, chunk []byte, was durable.Stamp) error {
	return durable.Writer{}.Shared().Replace(root, name, [][]byte{chunk}, filePerm, was)
}
