package evidence

// undo.go: what was taken back, in git's own two forms: `Revert "subject"` and `This reverts commit HASH`. `Reapply
// "subject"` takes back the revert. A revert that was itself taken back takes nothing back.

import "strings"

const (
	hashDigits   = 40
	mostReverted = 100 // commits that one commit takes back
)

// undone reports of each item, the oldest first, whether it was taken back. A revert by hash means that commit, if it is
// there and older, with all lines that it lists; else one by subject means the newest older commit of that subject: the
// hash may be from before a rebase.
func undone(items []item) []bool {
	gone, oldest := make([]bool, len(items)), map[string]int{} // the first place of each hash
	for i, it := range items {
		for _, hash := range []string{it.id, it.commit.ID} {
			if _, ok := oldest[hash]; !ok {
				oldest[hash] = i
			}
		}
	}
	taken, waiting := map[string]bool{}, map[string]int{} // hashes, and how many reverts wait for a subject
	for i := len(items) - 1; i >= 0; i-- {
		it := items[i]
		switch {
		case taken[it.id] || taken[it.commit.ID]:
			gone[i] = true
		case waiting[it.line] > 0:
			waiting[it.line]--
			gone[i] = true
		case waiting[it.commit.Subject] > 0:
			waiting[it.commit.Subject]--
			gone[i], taken[it.commit.ID] = true, true
		}
		if gone[i] || !it.reverts() {
			continue
		}
		found := false
		for _, hash := range it.takes {
			if place, ok := oldest[hash]; ok && place < i {
				taken[hash], found = true, true
			}
		}
		if !found && it.Reverts != "" {
			waiting[it.Reverts]++
		}
	}
	return gone
}

// revertedHashes finds every `This reverts commit HASH` of a message.
func revertedHashes(body string) (hashes []string) {
	for len(hashes) < mostReverted {
		_, rest, ok := strings.Cut(body, "This reverts commit ")
		if !ok {
			break
		}
		body = rest
		if len(rest) >= hashDigits && strings.Trim(rest[:hashDigits], "0123456789abcdef") == "" {
			hashes = append(hashes, strings.Clone(rest[:hashDigits])) // and not the whole body with it
		}
	}
	return hashes
}
