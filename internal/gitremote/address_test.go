package gitremote

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAddresses: an address that names a program, or an option of one, is refused; git needs no other program than its own for the rest.
func TestAddresses(t *testing.T) {
	w := newWorld(t)
	r := w.clone("a", "")
	for _, good := range []string{
		"https://example.com/x", "http://u:p@example.com:80/x", "ssh://git@example.com/x", "ssh+git://h/x", "git+ssh://h/x", "git://h/x", "git@example.com:x/y.git",
		"example.com:x", "[::1]:x", "git@[fe80::1]:x", "ssh://[::1]:22/x", "file:///x", "/x", "../x", "./a:b", "x/y::z", "h:x::y",
	} {
		if _, _, err := r.checkAddress(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{
		"", "-x", "--upload-pack=x", "ext::sh -c x", "ext::", "fd::7", "trap::https://example.com", "trap://x", "HTTPS://x", "ftp://x/y", "rsync://x/y",
		"ssh://-oProxyCommand=x/y", "ssh://%2doProxyCommand=x/y", "ssh://u@-oProxyCommand=x/y", "ssh://[-x]/y", "-oProxyCommand=x:y", "u@-oProxyCommand=x:y", "h:-x",
		"git://-x/y", "https:///x", "a\nb", "a\x00b", ":x",
	} {
		if accepted, _, err := r.checkAddress(bad); err == nil {
			t.Errorf("%q is taken as %q", bad, accepted)
		}
	}
	for _, key := range []string{"remote.origin.url", "remote.origin.pushurl", "gsd.remote"} {
		r := w.clone(key, "https://example.com/x")
		w.run(r.dir, "config", key, "ext::sh -c x")
		_, err := r.Remote(t.Context())
		w.kind(err, BadAddress)
	}
}

// TestOwnConfiguration: what the user has configured for themselves counts, also on a condition about their repository, and what the
// repository has does not.
func TestOwnConfiguration(t *testing.T) {
	needUnix(t)
	for name, config := range map[string]string{
		"for all":         "[core]\n\tsshCommand = SSH mine\n",
		"on a condition":  "[includeIf \"gitdir:TOP/work/\"]\n\tpath = TOP/work.config\n",
		"in an insteadOf": "[core]\n\tsshCommand = SSH mine\n[url \"ssh://example.invalid/\"]\n\tinsteadOf = https://example.com/\n",
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			said := filepath.Join(w.tmp, "said")
			ssh := w.write(filepath.Join(w.tmp, "fake"), "#!/bin/sh\necho \"$1\" >>"+said+"\nexit 1\n", 0o755)
			fill := strings.NewReplacer("SSH", ssh, "TOP", w.tmp)
			w.write(filepath.Join(w.tmp, "work.config"), fill.Replace("[core]\n\tsshCommand = SSH mine\n"), 0o644)
			w.write(filepath.Join(w.tmp, "home", ".gitconfig"), fill.Replace(config), 0o644)
			url := "ssh://example.invalid/x"
			if strings.Contains(config, "insteadOf") {
				url = "https://example.com/x"
			}
			r := w.clone("work/a", url)
			w.run(r.dir, "config", "core.sshCommand", ssh+" theirs")
			w.run(r.dir, "config", "credential.helper", "!"+ssh+" helper")
			_, err := r.List(t.Context(), w.remote(r))
			w.kind(err, Unreachable)
			if text, _ := os.ReadFile(said); !strings.HasPrefix(string(text), "mine\n") || strings.Trim(string(text), "mine\n") != "" { // git asks it twice
				t.Errorf("ssh was run with %q", text)
			}
		})
	}
	t.Run("a credential helper", func(t *testing.T) {
		w := newWorld(t)
		r := w.clone("a", "https://example.invalid/x")
		w.run(r.dir, "config", "--global", "credential.helper", "mine")
		w.run(r.dir, "config", "credential.helper", "theirs")
		noError(t, r.prepare())
		out, err := r.answer(t.Context(), nil, r.asking("config", "--get-all", "credential.helper"))
		if err != nil || string(out) != "mine\n" {
			t.Errorf("%q, %v", out, err)
		}
	})
}
