package view

import (
	"testing"
	"time"
)

func TestAgo(t *testing.T) {
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	for _, test := range []struct {
		before time.Duration
		want   string
	}{
		{0, "just now"},
		{59 * time.Second, "just now"},
		{time.Minute, "1 minute ago"},
		{119 * time.Minute, "119 minutes ago"},
		{2 * time.Hour, "2 hours ago"},
		{47 * time.Hour, "47 hours ago"},
		{13 * 24 * time.Hour, "13 days ago"},
		{14 * 24 * time.Hour, "2 weeks ago"},
		{59 * 24 * time.Hour, "8 weeks ago"},
		{60 * 24 * time.Hour, "2 months ago"},
		{800 * 24 * time.Hour, "2 years ago"},
		{-3 * time.Hour, "3 hours from now"},
	} {
		if got := Ago(now.Add(-test.before), now); got != test.want {
			t.Errorf("%s: %q, want %q", test.before, got, test.want)
		}
	}
}
