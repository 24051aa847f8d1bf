package identity_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"testing/fstest"

	"github.com/gsd-cli/gsd/identity"
)

// The user of a directory is who git says commits there. The environment is given, not read.
func ExampleFind() {
	dir, err := os.MkdirTemp("", "gsd")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, fstest.MapFS{
		".git/HEAD":    {Data: []byte("ref: refs/heads/main\n")},
		".git/refs/x":  {},
		".git/objects": {Mode: fs.ModeDir | 0o777},
		".git/config":  {Data: []byte("[core]\n\trepositoryformatversion = 0\n[user]\n\tname = Ada Lovelace\n")},
	}); err != nil {
		fmt.Println(err)
		return
	}
	user := identity.Find(context.Background(), identity.SystemWorld([]string{"HOME=" + dir}), dir)
	fmt.Println(user.Name, "from", user.Source)
	// Output:
	// ada-lovelace from git
}

// Names of people become names of directories.
func ExampleSanitize() {
	fmt.Println(identity.Sanitize("Grace B. Hopper"))
	// Output:
	// grace-b-hopper
}
