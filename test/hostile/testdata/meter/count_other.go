//go:build linux && !amd64

package main

// aboutFiles counts every system call: their numbers are another machine's.
func aboutFiles(int) bool { return true }
