package hydrate

// For the tests, which are in a package of their own because they use packages that import this one.

const (
	MaxSummaryFiles = maxSummaryFiles
)

var (
	YAMLWord = yamlWord
	Markdown = markdown
)
