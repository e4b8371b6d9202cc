package function

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/nearest"
)

// ConfigGroupVersion is the apiVersion of the functionConfig kinds, by the
// convention of kpt's function catalog.
const ConfigGroupVersion = "fn.kpt.dev/v1alpha1"

// DataReader is implemented by configurations whose ConfigMap form has keys
// beyond the fields of the struct.
type DataReader interface {
	// DataKeys returns the forms of its keys for messages: `variables.NAME`.
	DataKeys() []string
	// ReadData takes one entry of `data`. It reports false for a key that is
	// none of its own.
	ReadData(key, value string) (known bool, err error)
}

// configFile is the typed form of a functionConfig.
type configFile struct {
	APIVersion string     `json:"apiVersion"`
	Kind       string     `json:"kind"`
	Metadata   *yaml.Node `json:"metadata"`
	Spec       *yaml.Node `json:"spec"`
}

// configMap is the plain form, for `kpt fn eval -- key=value` and `configMap:`.
type configMap struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Metadata   *yaml.Node        `json:"metadata"`
	Data       map[string]string `json:"data"`
	Immutable  bool              `json:"immutable"`
}

// readConfig fills the processor's configuration from the functionConfig and
// reports what is wrong with it. What is right is filled all the same, so that
// the rest of the run finds what else there is to mend.
func (r *Run) readConfig(processor Processor, config any) {
	n := r.list.config
	if n == nil || len(n.Content) == 0 {
		return // kpt fn render without a configuration
	}
	apiVersion, kind := scalarField(n, "apiVersion"), scalarField(n, "kind")
	var problems []Problem
	switch {
	case kind == "ConfigMap" && apiVersion == "v1":
		var file configMap
		problems = append(Decode(n, "", &file), r.readData(file.Data, config)...)
	case kind == r.function.Kind && apiVersion == ConfigGroupVersion:
		var file configFile
		problems = Decode(n, "", &file)
		if file.Spec != nil {
			problems = append(problems, Decode(file.Spec, "spec", config)...)
		}
	case slices.Contains(r.function.Accepts, TypeMeta{apiVersion, kind}):
		item, err := configItem(n)
		if err != nil {
			problems = []Problem{{"", err.Error()}}
			break
		}
		processor.(ResourceReader).ReadResource(item)
	default:
		problems = []Problem{r.function.otherKind(apiVersion, kind)}
	}
	for _, p := range problems {
		r.ConfigInvalid(p.Path, p.String())
	}
}

// otherKind says which kinds a function takes as its functionConfig.
func (f *Function) otherKind(apiVersion, kind string) Problem {
	accepted := slices.Concat([]TypeMeta{{ConfigGroupVersion, f.Kind}}, f.Accepts, []TypeMeta{{"v1", "ConfigMap"}})
	var kinds, shown []string
	for _, a := range accepted {
		if a.Kind == kind {
			return Problem{"apiVersion", fmt.Sprintf("got %q, want %s for the kind %s", apiVersion, a.APIVersion, kind)}
		}
		kinds = append(kinds, a.Kind)
		shown = append(shown, fmt.Sprintf("%s (%s)", a.Kind, a.APIVersion))
	}
	return Problem{"kind", fmt.Sprintf("got %q (%s), want %s%s", kind, apiVersion, OneOf(shown), nearest.Hint(kind, kinds))}
}

// configItem makes an item of a functionConfig.
func configItem(n *yaml.Node) (*Item, error) {
	text, err := printBlock(*n)
	if err != nil {
		return nil, err
	}
	item := fileItem(text, "", 0)
	if item.invalid != "" {
		return nil, errors.New(item.invalid)
	}
	return item, nil
}

// readData fills a configuration from the strings of a ConfigMap: a field takes
// the text, a list of texts takes them separated by commas, and a map takes
// `key=value` entries separated by commas. Other fields, and those tagged
// `flat:"-"`, have no place in a ConfigMap.
func (r *Run) readData(data map[string]string, config any) []Problem {
	fields := structFields(reflect.ValueOf(config).Elem())
	names := slices.DeleteFunc(slices.Clone(fields.names), func(name string) bool {
		field := fields.byName[name]
		return field.tag.Get("flat") == "-" || !isFlat(field.value.Type())
	})
	custom, _ := config.(DataReader)
	var problems []Problem
	for _, key := range slices.Sorted(maps.Keys(data)) {
		path, message := "data."+key, ""
		switch {
		case slices.Contains(names, key):
			f := fields.byName[key]
			message = setFlat(f.value, data[key], f.tag)
		default:
			known := false
			if custom != nil {
				var err error
				if known, err = custom.ReadData(key, data[key]); err != nil {
					message = err.Error()
				}
			}
			if !known {
				options, near := names, names
				if custom != nil {
					// `variable.A` is near `variables.A`, whatever the name is.
					options = append(slices.Clone(names), custom.DataKeys()...)
					_, name, named := strings.Cut(key, ".")
					for _, form := range custom.DataKeys() {
						if named {
							form = strings.Replace(form, "NAME", name, 1)
						}
						near = append(slices.Clone(near), form)
					}
				}
				message = fmt.Sprintf("unknown option; a ConfigMap takes %s%s", OneOf(options), nearest.Hint(key, near))
				if field, ok := fields.byName[key]; ok && field.tag.Get("flat") != "-" {
					message = fmt.Sprintf("can not be given in a ConfigMap: use the kind %s (%s)", r.function.Kind, ConfigGroupVersion)
				}
			}
		}
		if message != "" {
			problems = append(problems, Problem{path, message})
		}
	}
	return problems
}

func isFlat(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String, reflect.Bool, reflect.Int, reflect.Int64:
		return true
	case reflect.Slice, reflect.Map:
		return t.Elem().Kind() == reflect.String
	}
	return false
}

func setFlat(out reflect.Value, text string, tag reflect.StructTag) string {
	switch out.Kind() {
	case reflect.Slice:
		for _, part := range splitList(text) {
			element := reflect.New(out.Type().Elem()).Elem()
			if message := setScalar(element, part, tag); message != "" {
				return message
			}
			out.Set(reflect.Append(out, element))
		}
	case reflect.Map:
		out.Set(reflect.MakeMap(out.Type()))
		for _, part := range splitList(text) {
			key, value, ok := strings.Cut(part, "=")
			if !ok {
				return fmt.Sprintf("got %q, want key=value entries, separated by commas", part)
			}
			out.SetMapIndex(reflect.ValueOf(strings.TrimSpace(key)), reflect.ValueOf(strings.TrimSpace(value)))
		}
	default:
		return setScalar(out, text, tag)
	}
	return ""
}

func splitList(text string) []string {
	var parts []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// readOverrides checks the severity overrides of a configuration and returns
// those that hold.
func (r *Run) readOverrides(config any) map[string]Severity {
	rules := map[string]Severity{}
	for _, rule := range r.function.allRules() {
		rules[rule.ID] = rule.Severity
	}
	known := slices.Sorted(maps.Keys(rules))
	overrides := map[string]string{}
	if c, ok := config.(interface{ options() *Options }); ok {
		overrides = c.options().Severity
	}
	allowed := []string{string(Error), string(Warning), string(Info), string(Off)}
	overridden := map[string]Severity{}
	for _, id := range slices.Sorted(maps.Keys(overrides)) {
		path, value := "spec.severity."+id, overrides[id]
		if r.list.config != nil && scalarField(r.list.config, "kind") == "ConfigMap" {
			path = "data.severity"
		}
		switch {
		case rules[id] == "":
			r.ConfigInvalid(path, fmt.Sprintf("%s: unknown rule %q%s; the function's README lists its rules", path, id, nearest.Hint(id, known)))
		case id == RuleConfigInvalid.ID || id == RuleInputInvalid.ID || id == RulePanic.ID:
			r.ConfigInvalid(path, fmt.Sprintf("%s: the severity of %s can not be changed", path, id))
		case !slices.Contains(allowed, value):
			r.ConfigInvalid(path, fmt.Sprintf("%s: got %q for %s, want %s%s", path, value, id, OneOf(allowed), nearest.Hint(value, allowed)))
		default:
			overridden[id] = Severity(value)
		}
	}
	return overridden
}

func (f *Function) allRules() []Rule {
	all := append(slices.Clone(f.Rules), RuleConfigInvalid, RuleInputInvalid, RulePanic, RuleNothingToDo)
	slices.SortFunc(all, func(a, b Rule) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// isConfig reports whether an item of the list is the functionConfig itself:
// clients send its file among the items too. It is neither a second
// configuration nor anything to work on.
func (l *List) isConfig(item *Item) bool {
	return l.config != nil &&
		item.kind == scalarField(l.config, "kind") &&
		item.apiVersion == scalarField(l.config, "apiVersion") &&
		item.name == scalarField(field(l.config, "metadata"), "name") &&
		item.namespace == scalarField(field(l.config, "metadata"), "namespace")
}

// ConfigPath returns where an option stands in the functionConfig of the run:
// `spec.packs`, or `data.packs` in a ConfigMap.
func (r *Run) ConfigPath(option string) string {
	if scalarField(r.list.config, "kind") == "ConfigMap" {
		return "data." + option
	}
	return "spec." + option
}

// ConfigResource identifies the functionConfig of the run in findings.
func (r *Run) ConfigResource() Resource { return r.list.configResource() }
