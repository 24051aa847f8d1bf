// Package bench measures and stress-tests gsd from the outside: the release binary in processes of its own, beside the
// programs that the figures of docs/figures.md compare it with.
//
// It holds only tests.
//
//	go test ./test/bench                                        the stress tests
//	go test -run '^$' -bench . -benchtime 1x ./test/bench       the benchmarks, less than a minute
//
// The rules:
//
//   - A figure is a ratio. The programs to compare take turns within one run, started alike and writing to
//     the null device, so that a busy or slow machine slows all of them. The medians are compared; the
//     minima are printed beside them, and if the two ratios differ the machine was busy. Any -benchtime runs
//     enough rounds; a longer one runs more.
//   - No test fails because of a time. A benchmark prints each limit with its figure, and fails only with
//     -strict.
//   - Nothing of the person who runs it is touched: HOME, git's configuration and every project are created
//     in temporary directories. TMPDIR selects the file system.
package bench
