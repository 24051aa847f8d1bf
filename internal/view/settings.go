package view

import (
	"fmt"

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
			p.Printf("%s\n", p.Style.Bold(settingsHeading(kind)))
		}
		p.Printf("  %-*s  %s\n", width, s.Name, valueHere(p, s))
		if s.Problem != "" {
			p.Printf("      %s: %s\n", p.Style.Yellow("problem"), text.Line(s.Problem))
		}
		p.Printf("      %s\n", p.Style.Dim(s.Use))
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
func valueHere(p *Printer, s settings.Setting) string {
	value := text.Cut(text.Line(s.Value), longestValue)
	switch {
	case s.Value == "":
		return p.Style.Dim(s.Default + " (default)")
	case s.Kind == settings.Environment:
		return value + " (environment)"
	}
	return fmt.Sprintf("%s (git config, %s)", value, s.Scope)
}
