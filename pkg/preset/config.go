package preset

import (
	"fmt"
	"strings"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/pack"
)

// Config is the spec of the kind ApplyPreset.
type Config struct {
	function.Options
	pack.Choice
	// Presets are applied to the packs that they name, in this order.
	Presets []Reference `json:"presets"`

	// given says that presets were given, well or not.
	given bool
}

// Reference names a preset of a pack.
type Reference struct {
	// Pack is the name in pack.json.
	Pack string `json:"pack" required:"true"`
	// Name is the name of a preset, or `group:name`.
	Name string `json:"name" required:"true"`

	// field is where the reference stands in a ConfigMap.
	field string
}

// DataKeys returns nothing to list: every key is a pack.
func (c *Config) DataKeys() []string { return nil }

// ReadData takes the presets of a pack from a ConfigMap: `PACK: preset,preset`.
// Names that hold a comma need the typed form.
func (c *Config) ReadData(key, value string) (known bool, err error) {
	c.given = true
	found := false
	for name := range strings.SplitSeq(value, ",") {
		if name = strings.TrimSpace(name); name != "" {
			found = true
			c.Presets = append(c.Presets, Reference{Pack: key, Name: name, field: "data." + key})
		}
	}
	if !found {
		return true, fmt.Errorf("names no preset; write the name of one, or of several with commas between them, or remove the key")
	}
	return true, nil
}

// reference is a Reference with its place in the configuration.
type reference struct {
	Reference
	at string
}

// path is where a field of the reference stands.
func (r reference) path(field string) string {
	if r.field != "" {
		return r.field
	}
	return r.at + "." + field
}

// references returns the references that are complete; the others are reported
// with the configuration.
func (c *Config) references() []reference {
	var all []reference
	for i, r := range c.Presets {
		if r.Pack != "" && r.Name != "" {
			all = append(all, reference{r, fmt.Sprintf("spec.presets[%d]", i)})
		}
	}
	return all
}
