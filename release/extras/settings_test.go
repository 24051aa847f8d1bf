package main

import "testing"

func TestSettings(t *testing.T) {
	const config = `{"schema": 1, "settings": [
		{"name": "gsd.some", "kind": "git-config", "use": "auto: by itself", "default": "off", "value": "auto", "scope": "local", "problem": null},
		{"name": "TERM", "kind": "environment", "use": "dumb: no colour", "default": "none", "value": null, "scope": null, "problem": null}]}`
	const want = `Git configuration:

  gsd.some  auto: by itself; default: off

Environment:

  TERM  dumb: no colour; default: none
`
	if got, err := settingsOf([]byte(config)); got != want || err != nil {
		t.Errorf("%v\n%s", err, got)
	}
}
