// Package hostile tests gsd's limits: whatever is in a repository, no command stalls, floods its caller, exhausts the
// machine's memory or writes where it should not. The real program runs on projects that are made to do harm.
//
// It holds only tests, for Linux.
//
//	go test ./test/hostile                                               a few inputs, some seconds
//	GSD_THOROUGH=1 go test ./test/hostile -v                             everything, some minutes
//	GSD_THOROUGH=1 go test ./test/hostile -v -run TestInputs/NAME        one input, with what each command cost
//	GSD_THOROUGH=1 go test ./test/hostile -args -program FILE            another gsd
//
// The rules:
//
//   - An input is a function that makes a project with one kind of harm; the same laws hold for all of them
//     (law_test.go).
//   - A limit is memory, bytes read or system calls, never time: those are the same on a busy machine. Processor time is
//     printed. A timeout only keeps a command that never ends from blocking the tests, and makes it fail.
//   - How work grows is measured at n, 2n and 4n, as an exponent (growth_test.go).
//   - Nothing of the person who runs it is touched, and inputs take little space: links, sparse files, and histories made
//     by git fast-import.
package hostile
