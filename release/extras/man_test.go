package main

import "testing"

func TestManPage(t *testing.T) {
	const help = `NAME:
   gsd mark - set a task's status

USAGE:
   gsd mark [command options] N

DESCRIPTION:
   .planning is read, and C:\plans.
   STATUS is one of

      complete     it is done,
                   and verified
      in-progress  it is not

   The rest stays.

   EXAMPLES
      gsd mark 2 'in-progress'

   EXIT STATUS
      64  invalid
      Otherwise 0.

OPTIONS:
   --help, -h  show help
`
	const want = `.TH GSD\-MARK 1 "" gsd "gsd manual"
.nh
.ad l
.SH NAME
gsd\-mark \- set a task\(aqs status
.PP
.SH SYNOPSIS
gsd mark [command options] N
.PP
.SH DESCRIPTION
\&.planning is read, and C:\eplans.
STATUS is one of
.PP
.TP
.B complete
it is done,
and verified
.TP
.B in\-progress
it is not
.PP
The rest stays.
.PP
.SH EXAMPLES
.RS 4
.nf
gsd mark 2 \(aqin\-progress\(aq
.fi
.RE
.SH EXIT STATUS
.TP
.B 64
invalid
.PP
Otherwise 0.
.PP
.SH OPTIONS
.TP
.B \-\-help, \-h
show help
.SH SEE ALSO
gsd(1)
`
	if got := manPage("gsd-mark", help, "gsd(1)"); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
