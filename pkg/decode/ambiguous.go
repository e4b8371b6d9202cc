package decode

import (
	"fmt"
	"iter"
	"reflect"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Text is a scalar by its source text: 1.30 is "1.30". API servers read some texts without quotes as
// others, see [Ambiguous].
type Text string

// DecodeNode takes any scalar.
func (t *Text) DecodeNode(n *yaml.Node, path string) []diag.Finding {
	if n.Kind != yaml.ScalarNode {
		return []diag.Finding{diag.Got(values.KindOf(n), "a string").At(path, values.At(n))}
	}
	*t = Text(n.Value)
	return nil
}

// Strings is implemented by maps that accept any scalar, although an API server accepts only a
// string for some of their fields, as in the system facts of a cluster:
//
//	system:
//	  kubernetes.version: 1.30   # must be a string for an API server, which reads 1.3
//	  registry.port: 5000        # may be a number
type Strings interface {
	// IsString reports whether an API server accepts only a string for the scalar at a path in the
	// map.
	IsString(path string) bool
}

// Former is implemented by Decoders that take a map with other fields than their own.
type Former interface {
	// Form returns a pointer to the type of the map.
	Form() any
}

// Ambiguous returns a finding for each plain scalar at n that is read as a string here, and that
// an API server reads as something else: kubectl, Porch and kustomize read YAML 1.1.
//
//	version: 1.30   # here "1.30", there the number 1.3: an error
//	version: 1.31   # there the number 1.31: a warning, where only a string is accepted
//	COUNTRY: no     # there false: an error
//	REPLICAS: 3     # 3, where any scalar is accepted: right
//
// out points to the type that [Node] fills, and path is where n is in its resource. Fields of the type
// *yaml.Node are left out, and so are other fields that Node does not read, unless they have the tag
// `scalars`: any, string, or secret for a string that is not shown. So is metadata, which is for
// [AmbiguousMetadata]. The findings have key, position and rule. The origin is for the caller to set.
func Ambiguous(n *yaml.Node, path string, out any) iter.Seq[diag.Finding] {
	return walk(n, path, out, ambiguous{})
}

// AmbiguousNumbers is [Ambiguous] for a resource that only kpt and kustomize read: kustomize changes
// numbers, but it leaves words such as on as they are.
func AmbiguousNumbers(n *yaml.Node, path string, out any) iter.Seq[diag.Finding] {
	return walk(n, path, out, ambiguous{keepsWords: true})
}

// walk yields the scalars that an API server reads differently, for the type of out.
func walk(n *yaml.Node, path string, out any, a ambiguous) iter.Seq[diag.Finding] {
	return func(yield func(diag.Finding) bool) {
		a := a
		a.yield = yield
		a.value(n, path, reflect.TypeOf(out).Elem(), "")
	}
}

// AmbiguousMetadata returns the findings of [Ambiguous] in the metadata of the resource at n. path is where
// the resource is in another one.
func AmbiguousMetadata(n *yaml.Node, path string) iter.Seq[diag.Finding] {
	var metadata struct {
		Name        string            `json:"name" scalars:"string"`
		Namespace   string            `json:"namespace" scalars:"string"`
		Labels      map[string]string `json:"labels" scalars:"string"`
		Annotations map[string]string `json:"annotations" scalars:"secret"`
	}
	return Ambiguous(values.Field(n, metadataField), diag.Join(path, metadataField), &metadata)
}

const metadataField = "metadata"

// ambiguous is a walk over a tree with the type that it is read as.
type ambiguous struct {
	yield func(diag.Finding) bool
	// isDone reports whether the caller wants no more findings.
	isDone bool
	// keepsWords reports whether booleans are left out.
	keepsWords bool
}

// reading describes how scalars are read.
type reading struct {
	// isString reports whether an API server accepts only a string.
	isString bool
	// isDecoded reports whether [Node] rejects all other scalars.
	isDecoded bool
	// isSecret reports whether the string may be a secret.
	isSecret bool
}

// value looks at the node at a path, which is decoded into the type t.
func (a *ambiguous) value(n *yaml.Node, path string, t reflect.Type, tag reflect.StructTag) {
	n = values.Resolve(n)
	for t.Kind() == reflect.Pointer && t != nodeType {
		t = t.Elem()
	}
	switch scalars := tag.Get("scalars"); {
	case n == nil:
		return
	case scalars == "any":
		a.all(n, path, "", func(string) reading { return reading{isSecret: true} })
		return
	case scalars != "":
		a.texts(n, path, t, reading{isString: true, isSecret: scalars != "string"})
		return
	case t == reflect.TypeFor[Text]():
		a.all(n, path, "", func(string) reading { return reading{isSecret: true} })
		return
	}
	switch of := reflect.New(t).Interface().(type) {
	case Strings:
		a.all(n, path, "", func(below string) reading {
			isString := of.IsString(below)
			return reading{isString: isString, isSecret: !isString}
		})
		return
	case Former:
		t = reflect.TypeOf(of.Form()).Elem()
	}
	isList := t.Kind() == reflect.Slice
	switch {
	case t == nodeType:
	case n.Kind == yaml.ScalarNode && t.Kind() == reflect.String:
		a.scalar(n, path, reading{isString: true, isDecoded: true, isSecret: tag == ofMap})
	case n.Kind == yaml.SequenceNode && isList:
		for i, element := range n.Content {
			a.value(element, elementOf(path, i), t.Elem(), "")
		}
	case n.Kind == yaml.MappingNode && isList && tag.Get("single") == "true":
		a.value(n, path, t.Elem(), "")
	case n.Kind == yaml.MappingNode && t.Kind() == reflect.Struct:
		fields := fieldsOf(t)
		for _, p := range values.Pairs(n) {
			name, _ := p.Name()
			if f, isField := fields.byName[name]; isField && name != metadataField {
				a.value(p.Value, diag.Join(path, name), f.kind, f.tag)
			}
		}
	case n.Kind == yaml.MappingNode && (isList || t.Kind() == reflect.Map):
		for _, p := range values.Pairs(n) {
			a.key(p.Key, path)
			name, _ := p.Name()
			a.value(p.Value, diag.Join(path, name), t.Elem(), ofMap)
		}
	}
}

// ofMap is the tag of the values of a map, whose names users choose: they may be secrets.
const ofMap = `of:"map"`

func elementOf(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// all looks at all scalars at n. of returns how to read a scalar, by its path below the first node.
func (a *ambiguous) all(n *yaml.Node, path, below string, of func(below string) reading) {
	if n = values.Resolve(n); n == nil || a.isDone {
		return
	}
	switch n.Kind {
	case yaml.ScalarNode:
		a.scalar(n, path, of(below))
	case yaml.SequenceNode:
		for i, element := range n.Content {
			a.all(element, elementOf(path, i), elementOf(below, i), of)
		}
	case yaml.MappingNode:
		for _, p := range values.Pairs(n) {
			a.key(p.Key, path)
			name, _ := p.Name()
			a.all(p.Value, diag.Join(path, name), diag.Join(below, name), of)
		}
	}
}

// texts looks at a string, or at the strings of a map. Anything else has another fault.
func (a *ambiguous) texts(n *yaml.Node, path string, t reflect.Type, r reading) {
	switch {
	case n.Kind == yaml.ScalarNode && t.Kind() == reflect.String:
		a.scalar(n, path, r)
	case n.Kind == yaml.MappingNode && t.Kind() == reflect.Map:
		for _, p := range values.Pairs(n) {
			a.key(p.Key, path)
			name, _ := p.Name()
			a.texts(p.Value, diag.Join(path, name), t.Elem(), r)
		}
	}
}

// scalar looks at a scalar that is read as r says.
func (a *ambiguous) scalar(n *yaml.Node, path string, r reading) {
	there, isString := values.APIServerText(n)
	isSame := there == n.Value
	if isString || isSame && !r.isString || r.isDecoded && n.ShortTag() != "!!str" {
		return
	}
	kind, reader := "a number", "the API server and kustomize, which read"
	if there == "true" || there == "false" {
		kind, reader = "a boolean", "the API server, which reads"
		if a.keepsWords {
			return
		}
	}
	subject, severity := n.Value, diag.Error
	if r.isSecret {
		subject = "the value"
	}
	var is string
	switch {
	case isSame:
		severity, is = diag.Warning, fmt.Sprintf("%s for the API server, which accepts a string here", kind)
	case there == "":
		is = "a number that JSON does not have, so kubectl rejects it"
	case !r.isSecret:
		is = fmt.Sprintf("%s for %s %s", kind, reader, there)
	case kind == "a boolean":
		is = "a boolean for the API server, which reads on as true, for example"
	default:
		is = "a number for the API server and kustomize, which write it in another way: 1.30 as 1.3, for example"
	}
	a.report(severity, fmt.Sprintf("without quotes, %s is %s", subject, is), n, path)
}

// key looks at a key of a map whose names users choose.
func (a *ambiguous) key(key *yaml.Node, path string) {
	key = values.Resolve(key)
	if there := values.APIServerKey(key); there != key.Value && !a.keepsWords && !a.isDone {
		a.report(diag.Error, fmt.Sprintf("without quotes, the key %s is %q for the API server", key.Value, there), key, diag.Join(path, key.Value))
	}
}

// report yields a finding about a scalar.
func (a *ambiguous) report(severity diag.Severity, sentence string, n *yaml.Node, path string) {
	if a.isDone {
		return
	}
	f := diag.Say("%s", sentence).Quote(n.Value).Of(rule.InputAmbiguousScalar).At(path, values.At(n))
	f.Severity = severity
	a.isDone = !a.yield(f)
}
