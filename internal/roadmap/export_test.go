package roadmap

// For ablate_test.go, which also asks packages above this one.
var (
	ReadText  = readText
	ScopeText = scopeText
)
