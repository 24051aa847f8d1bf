package history

// undo.go: reverts. A revert takes back the commit that it names by hash, or else by subject; a revert that was
// itself taken back takes nothing back.

import "strings"

// undo is what reverts need of a commit.
type undo struct {
	id, subject string
	takesID     string // the commit that it takes back, at least seven digits; empty if it does not tell
	takes       string // that commit's subject; empty if it does not tell
}

// shortest is how many digits of a hash name a commit.
const shortest = 7

// undone tells which of some commits, newest first, were taken back. A hash that none of the older ones has may
// be from before a rebase, so the subject counts then.
func undone(commits []undo) []bool {
	older := map[string][]int{} // by the beginning of the hash
	for i, c := range commits {
		if len(c.id) >= shortest {
			older[c.id[:shortest]] = append(older[c.id[:shortest]], i)
		}
	}
	target := func(i int) int {
		id := commits[i].takesID
		if id == "" {
			return -1
		}
		for _, k := range older[id[:shortest]] {
			if k > i && strings.HasPrefix(commits[k].id, id) {
				return k
			}
		}
		return -1
	}
	gone, open := make([]bool, len(commits)), map[string]int{}
	for i, c := range commits {
		if !gone[i] && open[c.subject] > 0 {
			open[c.subject]--
			gone[i] = true
		}
		if gone[i] {
			continue
		}
		if k := target(i); k >= 0 {
			gone[k] = true
		} else if c.takes != "" {
			open[c.takes]++
		}
	}
	return gone
}

// revertedID finds `This reverts commit HASH` in a message.
func revertedID(body string) string {
	const says = "his reverts commit "
	_, hex, ok := strings.Cut(body, says)
	if !ok {
		return ""
	}
	n := 0
	for n < len(hex) && n < 64 && (isDigit(hex[n]) || 'a' <= hex[n] && hex[n] <= 'f') {
		n++
	}
	if n < shortest {
		return ""
	}
	return hex[:n]
}
