package palette

import (
	"fmt"
	"strings"

	"github.com/krm-packs/functions/pkg/values"
)

// NoteMasked adds a note about the variables and values that Palette has replaced with asterisks.
func (p *Profile) NoteMasked(note func(string, ...any)) {
	var masked []string
	if variables := values.Field(p.spec, "variables"); variables != nil {
		for _, v := range variables.Content {
			if isMasked(values.Text(values.Field(v, "defaultValue"))) {
				masked = append(masked, "the variable "+values.Text(values.Field(v, "name")))
			}
		}
	}
	for i := range p.Packs {
		if one := &p.Packs[i]; one.Values != nil {
			for n, line := range strings.Split(one.Values.Value, "\n") {
				if at := strings.LastIndex(line, ": "); at >= 0 && isMasked(strings.Trim(line[at+2:], ` "'`+"\r")) {
					masked = append(masked, fmt.Sprintf("line %d of the values of %s", n+1, one.Resource))
				}
			}
		}
	}
	if len(masked) > 0 {
		note("%s: Palette has masked %s; it stays as it is: set the value before you import the profile into Palette", p.Path, strings.Join(masked, ", "))
	}
}

// isMasked reports whether a text consists of the asterisks that Palette exports instead of a
// secret.
func isMasked(text string) bool { return len(text) >= 3 && strings.Trim(text, "*") == "" }
