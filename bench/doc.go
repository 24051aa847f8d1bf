// Package bench measures gsd from the outside and mistreats it: the release binary in processes of its
// own, beside the programs that docs/design.md compares it with ("Measured, not asserted").
//
// It holds only tests.
//
//	go test ./bench                                        the stress tests
//	go test -run '^$' -bench . -benchtime 1x ./bench       the benchmarks, less than a minute
//
// The law:
//
//   - A figure is a ratio. The programs that are compared take turns within one run, started alike and
//     writing to the null device, so that a busy or slow machine slows all of them. The medians are
//     compared; the minima stand beside them, and where the two ratios differ the machine was busy. Enough
//     rounds are run with any -benchtime; a longer one runs more.
//   - No test fails over a time. A benchmark prints each bar with the figure held against it, and fails
//     only where it was run with -strict.
//   - Nothing of the person who runs it is touched: HOME, the configuration of git and every project are
//     made anew in temporary folders. TMPDIR says on which file system.
package bench
