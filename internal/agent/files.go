package agent

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"
)

// A file of gsd's ends in a line that says so, with a digest of the text above it. As long as nobody has changed the text,
// a later version may replace or remove the file.
const signature = "installed by gsd, which keeps it up to date; sha256 "

// signed is the file with its signature, in a comment of its language.
func (f file) signed() []byte {
	open, shut := "<!-- ", " -->"
	switch path.Ext(f.path) {
	case ".toml", ".rules":
		open, shut = "# ", ""
	case ".js":
		open, shut = "// ", ""
	}
	return []byte(f.text + open + signature + digestOf([]byte(f.text)) + shut + "\n")
}

func digestOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// signed reports whether a file is as some version of gsd wrote it. Lines may end in CRLF: git makes them so.
func signed(text []byte) bool {
	text = unix(text)
	body, ok := bytes.CutSuffix(text, []byte("\n"))
	if !ok {
		return false
	}
	at := bytes.LastIndexByte(body, '\n') + 1
	_, digest, ok := strings.Cut(string(body[at:]), signature)
	return ok && strings.TrimSuffix(digest, " -->") == digestOf(text[:at])
}

// unix returns a text with the line ends that we write.
func unix(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

// state returns the state of the file if its bytes are text, nil for no file. It is taken unless some version of gsd wrote
// it like this.
func (f file) state(text []byte) itemState {
	switch {
	case text == nil:
		return missing
	case bytes.Equal(unix(text), f.signed()):
		return current
	case signed(text):
		return outdated
	}
	return taken
}
