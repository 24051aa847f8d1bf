package view

import (
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/settings"
	"github.com/gsd-cli/gsd/internal/text"
)

// longestValue is how many characters of a setting's value are shown.
const longestValue = 200

// Settings prints all settings, each with its value here and what it is for.
func Settings(p *Printer, all *settings.Settings) {
	width, kind := 0, settings.Kind("")
	for _, s := range all.Settings {
		width = max(width, len(s.Name))
	}
	for _, s := range all.Settings {
		if s.Kind != kind {
			if kind != "" {
				p.Printf("\n")
			}
			kind = s.Kind
			p.Printf("%s\n", printer.Bold("%s", settingsHeading(kind)))
		}
		p.Printf("  %s  %s\n", printer.Pad(s.Name, width), valueHere(s))
		if s.Problem != "" {
			p.Printf("      %s: %s\n", printer.Yellow("problem"), s.Problem)
		}
		p.Printf("      %s\n", printer.Dim("%s", s.Use))
	}
	p.Warnings(all.Warnings)
}

func settingsHeading(kind settings.Kind) string {
	if kind == settings.Git {
		return "git config NAME VALUE, here or with --global:"
	}
	return "Environment:"
}

// valueHere returns the value of a setting that counts here, and where it is from.
func valueHere(s settings.Setting) printer.Text {
	value := text.Cut(text.Line(s.Value), longestValue)
	switch {
	case s.Value == "":
		return printer.Dim("%s (default)", s.Default)
	case s.Kind == settings.Environment:
		return printer.Sprintf("%s (environment)", value)
	}
	return printer.Sprintf("%s (git config, %s)", value, s.Scope)
}
