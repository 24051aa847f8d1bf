package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/text"
)

// Schema is the number of the contract that every JSON object carries. It is raised when a name is removed or changes its
// meaning, not when one is added.
const Schema = 1

// An Envelope is what JSON says of an answer besides what is in it.
type Envelope struct {
	Command string       // that it answers, such as mark or run list; empty if there is none of that name
	At      action.Place // where commands are to be run, too
}

// JSON writes an answer, indented, as an object whose first members are "schema" and "command". The other names are those of the fields' json tags.
// Beside the rules of encoding/json (embedded structs are flattened, omitempty, which is as omitzero, "-") these hold:
//
//   - A field with the tag answer:"-" is only stored.
//   - A list is never null.
//   - A zero value is null if the field's tag says empty:"null": it is unknown. If 0 is a value, empty:"-1" says
//     that a negative number is null.
//   - A time is in UTC, to the second, and null if it is zero; a duration is in seconds.
//   - A fraction has three digits.
//   - An action also has the command and its arguments, unquoted, as "argv".
//   - Characters that act on a terminal or are invisible there are escaped, and so are <, > and &.
func (e Envelope) JSON(w io.Writer, answer any) error {
	line, err := e.object(answer)
	if err != nil {
		return err
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, line, "", "  "); err != nil {
		return err
	}
	_, err = w.Write(append(escape(indented.Bytes()), '\n'))
	return err
}

// JSONLine is JSON on one line.
func (e Envelope) JSONLine(w io.Writer, answer any) error {
	line, err := e.object(answer)
	if err == nil {
		_, err = w.Write(append(escape(line), '\n'))
	}
	return err
}

// A head has the members that every answer begins with.
type head struct {
	Schema  int    `json:"schema"`               // the version of this format. It is raised when a name is removed or changes its meaning, not when one is added
	Command string `json:"command" empty:"null"` // the command that this is the answer of, such as mark or run list; null if there is none of that name
}

func (e Envelope) object(answer any) ([]byte, error) {
	b := encoder{at: e.At}
	b.WriteByte('{')
	if err := b.fields(reflect.ValueOf(head{Schema, e.Command}), true); err != nil {
		return nil, err
	}
	err := b.fields(reflect.Indirect(reflect.ValueOf(answer)), false)
	b.WriteByte('}')
	return b.Bytes(), err
}

// An encoder holds the part of an answer that is written.
type encoder struct {
	bytes.Buffer
	at action.Place // where commands are typed
}

// Failed is what a command with --json says on standard error, on one line, where it fails.
type Failed struct {
	Error string          `json:"error"`             // what is wrong, in a sentence
	Hint  string          `json:"hint" empty:"null"` // what helps, in a sentence in which commands are between backticks; null for nothing that is known
	Do    []action.Action `json:"do"`                // with which to continue
	Exit  int             `json:"exit"`              // the exit code
}

// ExitCodes are those of sysexits.h, by the kind of the error.
var ExitCodes = [...]int{
	problem.Usage:        64,
	problem.BadData:      65,
	problem.MissingInput: 66,
	problem.NoProject:    69,
	problem.CannotCreate: 73,
	problem.IO:           74,
	problem.Busy:         75,
	problem.Refused:      77,
}

// Fail returns what is said of an error.
func Fail(err *problem.Error) Failed {
	return Failed{Error: err.Text, Hint: err.Hint, Do: err.Do, Exit: ExitCodes[err.Kind]}
}

// fields appends the members of a struct. first is true if no member comes before them.
func (b *encoder) fields(v reflect.Value, first bool) error {
	for i := range v.NumField() {
		field, value := v.Type().Field(i), v.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous && name == "" {
			if value = reflect.Indirect(value); value.IsValid() {
				if err := b.fields(value, first); err != nil {
					return err
				}
				first = false
			}
			continue
		}
		if name == "" || name == "-" || field.Tag.Get("answer") == "-" || isOptional(options) && value.IsZero() {
			continue
		}
		if !first {
			b.WriteByte(',')
		}
		first = false
		b.WriteString(`"` + name + `":`)
		if isUnknown(field.Tag.Get("empty"), value) {
			b.WriteString("null")
			continue
		}
		if err := b.value(value); err != nil {
			return err
		}
	}
	return nil
}

// isOptional reports whether the options of a field's tag leave its zero value out.
func isOptional(options string) bool { return options == "omitempty" || options == "omitzero" }

// isUnknown reports whether a field's tag makes its value null.
func isUnknown(empty string, v reflect.Value) bool {
	switch empty {
	case "null":
		return v.IsZero()
	case "-1":
		return v.Int() < 0
	}
	return false
}

func (b *encoder) value(v reflect.Value) error {
	switch value := v.Interface().(type) {
	case time.Time:
		if value = InCalendar(value); value.IsZero() {
			b.WriteString("null")
			return nil
		}
		b.Write(value.UTC().AppendFormat(b.AvailableBuffer(), `"`+time.RFC3339+`"`))
		return nil
	case time.Duration:
		fmt.Fprintf(b, "%d", value/time.Second)
		return nil
	case action.Action:
		argv, err := json.Marshal(b.at.Words(value.Words()))
		fmt.Fprintf(b, `{"argv":%s`, argv)
		if err == nil {
			err = b.fields(reflect.ValueOf(value), false)
		}
		b.WriteByte('}')
		return err
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			b.WriteString("null")
			return nil
		}
		return b.value(v.Elem())
	case reflect.Struct:
		b.WriteByte('{')
		if err := b.fields(v, true); err != nil {
			return err
		}
		b.WriteByte('}')
		return nil
	case reflect.Slice:
		b.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := b.value(v.Index(i)); err != nil {
				return err
			}
		}
		b.WriteByte(']')
		return nil
	case reflect.Float64:
		v = reflect.ValueOf(math.Round(1000*v.Float()) / 1000)
	}
	text, err := json.Marshal(v.Interface())
	b.Write(text)
	return err
}

// InCalendar returns the zero time for a year out of range: git and file systems store any number.
func InCalendar(t time.Time) time.Time {
	if year := t.UTC().Year(); year < 1 || year > 9999 {
		return time.Time{}
	}
	return t
}

// escape replaces characters that are invisible, or that act on a terminal, by \u escapes, which does not change the value.
func escape(src []byte) []byte {
	b := make([]byte, 0, len(src))
	from := 0 // up to here, src is in b
	for i := 0; i < len(src); {
		if c := src[i]; c < utf8.RuneSelf && c != 0x7f {
			i++
			continue
		}
		r, n := utf8.DecodeRune(src[i:])
		if text.Hidden(r) {
			b = append(b, src[from:i]...)
			if r > 0xffff {
				high, low := utf16.EncodeRune(r)
				b = fmt.Appendf(b, `\u%04x\u%04x`, high, low)
			} else {
				b = fmt.Appendf(b, `\u%04x`, r)
			}
			from = i + n
		}
		i += n
	}
	return append(b, src[from:]...)
}
