package view

import "github.com/gsd-cli/gsd/hydrate"

// StaleWord says what a reason of a stale session means; "" if gsd does not know the reason.
func StaleWord(reason hydrate.StaleReason) string { return staleWords[reason] }
