package main

import (
	"os"

	"github.com/rogpeppe/go-internal/testscript"
)

// Scripts that need these ask [unix] first.

func setUmask() {}

func openUp(string) {}

func mayDropRights() bool { return false }

func asNobody() { os.Exit(126) }

func guardHolder() { os.Exit(126) }

func cmdFIFO(ts *testscript.TestScript, neg bool, args []string) { ts.Fatalf("no FIFOs here") }
