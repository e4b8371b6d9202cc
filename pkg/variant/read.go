package variant

import (
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant/internal/cause"
)

// file is a PackageVariant as a resource.
type file struct {
	_          struct{}   `unknown:"slips"`
	APIVersion string     `json:"apiVersion"`
	Kind       string     `json:"kind"`
	Metadata   metadata   `json:"metadata" required:"true"`
	Spec       Spec       `json:"spec" required:"true"`
	Status     *yaml.Node `json:"status"`
}

// metadata are the fields of metadata. Labels and annotations are read elsewhere.
type metadata struct {
	_ struct{} `unknown:"slips"`
	// Name and Namespace take any scalar, see [Ambiguous].
	Name        decode.Text `json:"name" required:"true"`
	Namespace   decode.Text `json:"namespace"`
	Labels      *yaml.Node  `json:"labels"`
	Annotations *yaml.Node  `json:"annotations"`
}

// Read reads the PackageVariant at n, and returns all that is wrong with it. Keys of the
// findings begin with path, which is empty if n is a resource of its own. Within another
// resource it may lack its apiVersion and kind. Everything that can be read is filled.
func Read(n *yaml.Node, path string) (*PackageVariant, []diag.Finding) {
	isEmbedded := path != ""
	var f file
	findings := decode.Node(n, path, &f)
	v := &PackageVariant{Name: string(f.Metadata.Name), Namespace: NamespaceOr(string(f.Metadata.Namespace)), Spec: f.Spec}
	var checked []diag.Finding
	for _, want := range [][3]string{{"apiVersion", f.APIVersion, GroupVersion}, {"kind", f.Kind, Kind}} {
		switch name, got, accepted := want[0], want[1], want[2]; {
		case got == accepted, isEmbedded && got == "":
		case got == "":
			checked = append(checked, diag.Missing("").At(diag.Join(path, name), diag.Position{}))
		default:
			checked = append(checked, diag.GotName(got, []string{accepted}).At(diag.Join(path, name), diag.Position{}))
		}
	}
	for _, f := range v.validate() {
		checked = append(checked, f.At(diag.Join(path, f.Key), diag.Position{}))
	}
	findings = cause.Join(findings, checked)
	for i := range findings {
		// Clients reprint resources, so the findings are in the order of their paths.
		findings[i].Position = diag.Position{}
		switch f := &findings[i]; {
		case f.Rule != (diag.Rule{}):
		case f.Kind == diag.KindAlias:
			f.Rule = rule.VariantSetAlias
		default:
			f.Rule = rule.VariantInvalid
		}
	}
	return v, findings
}

// HasError reports whether a finding is an error.
func HasError(findings []diag.Finding) bool {
	return slices.ContainsFunc(findings, func(f diag.Finding) bool { return f.Level() == diag.Error })
}

// Texts is a map of texts. Unlike other fields, an entry cannot be null: some readers
// take it for empty text, and others for an absent entry.
type Texts map[string]string

// DecodeNode reads the entries that are texts.
//
//	data: {region: eu-1, tier: "2"}
func (t *Texts) DecodeNode(n *yaml.Node, path string) []diag.Finding {
	all := map[string]*yaml.Node{}
	findings := decode.Node(n, path, &all)
	*t = Texts{}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		value := all[key]
		at, text := diag.Join(path, key), ""
		if values.IsNull(value) {
			findings = append(findings, diag.Got("null", "a string").Do(`write "" for an empty string`).At(at, values.At(value)))
			continue
		}
		if faults := decode.Node(value, at, &text); len(faults) > 0 {
			findings = append(findings, faults...)
			continue
		}
		(*t)[key] = text
	}
	return findings
}

// Revision is a revision as it is written: text, or a whole number.
type Revision string

// DecodeNode reads both forms.
//
//	revision: v1
//	revision: 1
func (r *Revision) DecodeNode(n *yaml.Node, path string) []diag.Finding {
	if isWhole(n) {
		*r = Revision(n.Value)
		return nil
	}
	return decode.Node(n, path, (*string)(r))
}

func isWhole(n *yaml.Node) bool {
	return n != nil && n.Kind == yaml.ScalarNode && n.ShortTag() == "!!int"
}

// DecodeNode reads the fields, and which form the revision has.
func (u *Upstream) DecodeNode(n *yaml.Node, path string) []diag.Finding {
	type plain Upstream
	u.RevisionIsNumber = isWhole(values.Field(n, "revision"))
	return decode.Node(n, path, (*plain)(u))
}
