package host

import (
	"slices"
	"strings"
)

// callsUs tells which of our commands a command line runs, in whatever way somebody has written it: behind a guard,
// within another shell's quotes, by a variable's path; "" for none. It knows of the shell only where a command begins, and
// takes for none what it does not understand.
func callsUs(command string) string { return callIn(command, maxShells) }

// maxShells is how many shells within each other's quotes are looked into.
const maxShells = 3

func callIn(line string, shells int) string {
	for _, words := range simpleCommands(line) {
		words = withoutLead(words)
		if len(words) == 0 {
			continue
		}
		name, rest := baseName(words[0]), words[1:]
		switch {
		case isShell(name) && shells > 0:
			i := slices.IndexFunc(rest, func(w string) bool { return w[0] == '-' && w[len(w)-1] == 'c' })
			if i < 0 || i+1 >= len(rest) {
				continue
			}
			if kind := callIn(rest[i+1], shells-1); kind != "" {
				return kind
			}
			continue
		case name == "go" && len(rest) > 0 && rest[0] == "run", name == "npx": // go run …/gsd@latest, npx gsd@latest
			i := slices.IndexFunc(rest, func(w string) bool { return strings.Contains(w, "@") })
			if i < 0 {
				continue
			}
			name, _, _ = strings.Cut(baseName(rest[i]), "@")
			rest = rest[i+1:]
		}
		if strings.TrimSuffix(name, ".exe") == program {
			if kind := kindIn(rest); kind != "" {
				return kind
			}
		}
	}
	return ""
}

// kindIn tells which of our commands our arguments ask for.
func kindIn(words []string) string {
	for len(words) > 0 && words[0][0] == '-' {
		if words[0] == "-C" && len(words) > 1 {
			words = words[1:]
		}
		words = words[1:]
	}
	switch {
	case len(words) > 0 && (words[0] == "hydrate" || words[0] == "statusline"):
		return words[0]
	case len(words) > 1 && words[0] == "hook" && (words[1] == "end" || words[1] == "task"):
		return "hook " + words[1]
	}
	return ""
}

// withoutLead takes away what may stand before a command's name: variables, the shell's own words, and programs that
// run what follows, with their flags and numbers.
func withoutLead(words []string) []string {
	wraps := false
	for ; len(words) > 0; words = words[1:] {
		switch w := words[0]; w {
		case "!", "{", "do", "elif", "else", "if", "then", "until", "while":
		case "builtin", "command", "env", "exec", "nice", "nohup", "time", "timeout":
			wraps = true
		default:
			name, _, assigns := strings.Cut(w, "=")
			if !(assigns && isName(name)) && !(wraps && strings.ContainsRune("-0123456789", rune(w[0]))) {
				return words
			}
		}
	}
	return nil
}

func isName(s string) bool {
	return s != "" && strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz_0123456789") == ""
}

func isShell(name string) bool {
	switch strings.TrimSuffix(name, ".exe") {
	case "bash", "dash", "ksh", "sh", "zsh":
		return true
	}
	return false
}

// baseName is the last part of a path of any system.
func baseName(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

// simpleCommands gives the commands of a shell's line, each as its words without their quotes; none is empty. Here
// documents end it. A backslash stays: it may be of a path.
func simpleCommands(line string) [][]string {
	var all [][]string
	var words []string
	var word strings.Builder
	endWord := func() {
		if word.Len() > 0 {
			words = append(words, word.String())
			word.Reset()
		}
	}
	end := func() {
		if endWord(); len(words) > 0 {
			all = append(all, words)
			words = nil
		}
	}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case ' ', '\t', '\r', '>':
			endWord()
		case '<':
			if endWord(); strings.HasPrefix(line[i:], "<<") {
				end()
				return all
			}
		case ';', '&', '|', '(', ')', '`', '\n':
			end()
		case '#':
			if word.Len() > 0 {
				word.WriteByte(c)
				continue
			}
			comment, _, _ := strings.Cut(line[i:], "\n")
			i += len(comment) - 1
		case '"', '\'':
			for i++; i < len(line) && line[i] != c; i++ {
				if c == '"' && strings.HasPrefix(line[i:], `\"`) {
					i++
				}
				word.WriteByte(line[i])
			}
		case '$':
			if strings.HasPrefix(line[i:], "$(") {
				continue // the bracket begins a command
			}
			word.WriteByte(c)
		default:
			word.WriteByte(c)
		}
	}
	end()
	return all
}
