package preset

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/pack"
)

// Config is the spec of the kind ApplyPreset.
type Config struct {
	function.Options
	pack.Choice
	// Presets are applied to the packs that they name, in this order.
	Presets []Reference `json:"presets" flat:"-"`
}

// Reference names a preset of a pack.
type Reference struct {
	// Pack is the name in pack.json.
	Pack string `json:"pack" required:"true"`
	// Name is the name of a preset, or `group:name`.
	Name string `json:"name" required:"true"`
	// Into is the name of the PackValues that is edited, in place of the pack's values.
	Into string `json:"into"`

	// field is the key of the reference in a ConfigMap, and index its index in the configuration.
	field string
	// index is the position in the list of presets.
	index int
}

// DataKeys returns nothing to list: every key is a pack.
func (c *Config) DataKeys(string) (forms []string, meant string) { return nil, "" }

// ReadData takes the presets of a pack from a ConfigMap: `PACK: preset,preset`. Names
// that have a comma need the typed form.
//
//	data: {vault: "ha, debug"}
func (c *Config) ReadData(key, value string) (known bool, err error) {
	before := len(c.Presets)
	for name := range strings.SplitSeq(value, ",") {
		if name = strings.TrimSpace(name); name != "" {
			c.Presets = append(c.Presets, Reference{Pack: key, Name: name, field: "data." + key})
		}
	}
	if len(c.Presets) == before {
		return true, fmt.Errorf("no preset is named; write names of presets, separated by commas, or remove the key")
	}
	return true, nil
}

// path returns the path of a field of the reference.
func (r Reference) path(field string) string {
	if r.field != "" {
		return r.field
	}
	return fmt.Sprintf("spec.presets[%d].%s", r.index, field)
}

// Selected returns what a functionConfig selects.
func Selected(functionConfig *yaml.Node) []Reference {
	var config Config
	function.Fill(&config, functionConfig)
	return config.Presets
}

// references returns the references that are complete; the others are reported with the
// configuration.
func (c *Config) references() []Reference {
	var all []Reference
	for i, r := range c.Presets {
		if r.index = i; r.Pack != "" && r.Name != "" {
			all = append(all, r)
		}
	}
	return all
}
