package history

// For the tests, which are in a package of their own because they use packages that import this one.

var Elsewhere = elsewhere
