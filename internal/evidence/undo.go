package evidence

// undo.go: which commits were reverted, in git's own two forms, `Revert "subject"` and `This reverts commit HASH`, and in those that people write
// (planref.Subject). `Reapply "subject"` reverts the revert. A revert that fits no commit is no work either. A revert that was itself reverted has
// no effect.

import (
	"strings"

	"github.com/gsd-cli/gsd/internal/gitlog"
)

const (
	hashDigits  = 40
	maxReverted = 100 // commits that one commit reverts
)

// undone reports for each item, oldest first, whether it was reverted. A revert by hash applies to that commit, with
// all lines that it lists, if it is among the older items. Otherwise, because the hash may be from before a rebase, a
// revert by subject applies to the newest older commit with that subject.
func undone(items []item) []bool {
	gone, oldest := make([]bool, len(items)), map[string]int{} // the first index of each hash
	for i, it := range items {
		for _, hash := range []string{it.id, it.hash()} {
			if _, ok := oldest[hash]; !ok {
				oldest[hash] = i
			}
		}
	}
	reverted, waiting := map[string]bool{}, map[string]int{} // hashes, and the number of reverts still to apply to a subject
	for i := len(items) - 1; i >= 0; i-- {
		it := items[i]
		switch {
		case reverted[it.id] || reverted[it.hash()]:
			gone[i] = true
		case waiting[it.line] > 0:
			waiting[it.line]--
			gone[i] = true
		case waiting[it.commit.Subject] > 0:
			waiting[it.commit.Subject]--
			gone[i], reverted[it.hash()] = true, true
		case waiting[it.Text] > 0 && !it.isRevert():
			waiting[it.Text]--
			gone[i] = true
		}
		if gone[i] || !it.isRevert() {
			continue
		}
		found := false
		for _, hash := range it.reverts {
			if first, ok := oldest[hash]; ok && first < i {
				reverted[hash], found = true, true
			}
		}
		if !found && it.Reverts != "" {
			waiting[it.Reverts]++
		}
	}
	return gone
}

// hash returns the hash of the item's commit, as a revert names it in its own repository.
func (it item) hash() string {
	_, hash := gitlog.CutID(it.commit.ID)
	return hash
}

// revertedHashes returns the hash of every `This reverts commit HASH` in a message.
func revertedHashes(body string) (hashes []string) {
	for len(hashes) < maxReverted {
		_, rest, ok := strings.Cut(body, "This reverts commit ")
		if !ok {
			break
		}
		body = rest
		if len(rest) >= hashDigits && strings.Trim(rest[:hashDigits], "0123456789abcdef") == "" {
			hashes = append(hashes, strings.Clone(rest[:hashDigits])) // so as not to keep the whole body
		}
	}
	return hashes
}
