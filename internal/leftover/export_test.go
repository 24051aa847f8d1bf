package leftover

const (
	MaxItems = maxItems
	ItemHead = itemHead
)

var Committed = committed
