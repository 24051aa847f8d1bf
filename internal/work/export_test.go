package work

// For the tests, which are in a package of their own because they use packages that import this one.

const (
	MaxItems = maxItems
	ItemHead = itemHead
)

var Committed = committed
