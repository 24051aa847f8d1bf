//go:build !linux

package main

import "github.com/rogpeppe/go-internal/testscript"

// What takes Linux: a script asks [watch], [mknod] and [tmpfs] first.

const canWatch = false

func mayMakeDevices() bool { return false }

func mayMount() bool { return false }

func cmdDevice(ts *testscript.TestScript, neg bool, args []string) { ts.Fatalf("no devices here") }

func cmdWatch(ts *testscript.TestScript, neg bool, args []string) { ts.Fatalf("nothing to watch with") }

func cmdTmpfs(ts *testscript.TestScript, neg bool, args []string) { ts.Fatalf("no tmpfs here") }
