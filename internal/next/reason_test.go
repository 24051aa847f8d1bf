package next

import (
	"fmt"
	"reflect"
	"strings"
)

// inCodes lists reasons for a test to compare: each has its code and its values, by the names that JSON has.
func inCodes(reasons ...Reason) (all []string) {
	for _, r := range reasons {
		words := []string{string(r.Code)}
		for field, v := range reflect.ValueOf(r).Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name == "code" || v.IsZero() {
				continue
			}
			text := fmt.Sprint(v.Interface())
			if name == "commit" {
				text = text[:7]
			}
			words = append(words, name+"="+text)
		}
		all = append(all, strings.Join(words, " "))
	}
	return all
}
