package jsonschema

import (
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/meter"
	"github.com/krm-packs/functions/pkg/values"
)

// Schema is a compiled JSON schema. It is immutable and safe for concurrent use.
type Schema struct {
	// compiled is the schema of the library, and warnings are keywords that are ignored.
	compiled *jsonschema.Schema
	// tracks reports whether an unevaluated keyword depends on which children were validated.
	tracks   bool
	warnings []Fault
}

// Warnings returns at most one fault that names the keywords that the draft of the schema
// ignores, and those that are misspelt.
func (s *Schema) Warnings() []Fault { return s.warnings }

// Fault is a fault at a place in a schema.
type Fault struct {
	// Pointer is the place, as a JSON pointer: #/properties/port.
	Pointer string
	// Message contains the fault and the accepted values.
	Message string
	// Nearest is the keyword that a misspelt one probably means, "" in other faults.
	Nearest string
	// isUnsure reports whether Helm may compile the schema: it refers to a document that a server
	// may have, or it exceeds a limit that Helm does not have.
	isUnsure bool
}

// Error returns the place and the message.
func (f Fault) Error() string { return strings.TrimPrefix(f.Pointer+": "+f.Message, "#: ") }

// Faults are the faults of a schema.
type Faults []Fault

// Error returns the first faults, and the number of the others.
func (f Faults) Error() string { return strings.Join(shorten(f, Fault.Error), "; ") }

// IsRejected reports whether Helm rejects a schema for which [Compile] or [Parse] returned this
// error, whatever the values are. It does not if Helm may read another document, or if the schema
// only exceeds a limit of this package.
func IsRejected(err error) bool {
	faults, _ := errors.AsType[Faults](err)
	return slices.ContainsFunc(faults, func(f Fault) bool { return !f.isUnsure })
}

// Parse compiles the JSON text of a schema. It returns the errors of Compile, and an error if the
// text is not JSON.
//
//	{"type": "object", "properties": {"port": {"type": "integer", "maximum": 65535}}, "required": ["port"]}
func Parse(source string) (*Schema, error) { return parse(source, 2020) }

// ParseDraft7 is [Parse] for the schemas of Capact: one that declares no draft is of draft-07.
func ParseDraft7(source string) (*Schema, error) { return parse(source, 7) }

// parse reads the text of a schema, and compiles it. draft is the draft without a $schema.
func parse(source string, draft int) (*Schema, error) {
	n, _, err := values.ReadJSON(source)
	if err != nil {
		return nil, Faults{{Pointer: "#", Message: "cannot be read as JSON: " + err.Error()}}
	}
	return compile(n, draft)
}

// address is the one that Helm gives to a schema. References are relative to it.
const address = "file:///values.schema.json"

// Compile compiles a schema. It ignores keywords that it does not know.
//
// The error is Faults: what the draft does not allow, patterns that RE2 does not support,
// references that lead to no schema of the document, and a schema that is too large. No other
// document is read.
func Compile(n *yaml.Node) (*Schema, error) { return compile(n, 2020) }

// compile compiles a schema, of a draft if it declares none.
func compile(n *yaml.Node, draft int) (*Schema, error) {
	t := newTree(n)
	data, fault := t.data(t.root, nil)
	if fault != nil {
		return nil, Faults{{Pointer: "#", Message: strings.TrimPrefix(fault.Path.String()+": "+fault.Message, ": "), isUnsure: true}}
	}
	s := newSurvey(t, draft)
	if s.work > maxSchemaWork {
		return nil, Faults{{Pointer: "#", Message: "the schema is too large: it has too many parts, or they are nested too deep", isUnsure: true}}
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	if draft == 7 {
		c.DefaultDraft(jsonschema.Draft7)
	}
	c.UseRegexpEngine(s.patterns.compile)
	err := c.AddResource(address, data)
	if err == nil {
		var compiled *jsonschema.Schema
		if compiled, err = c.Compile(address); err == nil {
			return &Schema{compiled, s.tracks, s.warnings}, nil
		}
	}
	return nil, s.faults(err)
}

// noLoader keeps the library from reading files.
type noLoader struct{}

func (noLoader) Load(string) (any, error) { return nil, errors.New("no other document is read") }

// faults returns why the library does not compile the schema.
func (s *survey) faults(err error) (faults Faults) {
	invalid, isInvalid := errors.AsType[*jsonschema.SchemaValidationError](err)
	if isInvalid && pointerOf(invalid.URL) == "" {
		violation, _ := errors.AsType[*jsonschema.ValidationError](invalid.Err)
		for _, v := range (&report{tree: s.tree}).violations(violation, maxFaults) {
			faults = append(faults, Fault{Pointer: v.Path.pointer(), Message: v.Message, isUnsure: s.patterns.isTooLarge()})
		}
		return faults
	}
	// What the library finds first differs from call to call, so it is not said.
	if faults = s.faultsOfReferences(); len(faults) > 0 {
		return faults[:min(len(faults), maxFaults)]
	}
	uri := s.text(s.root, "$schema")
	if missing, ok := errors.AsType[*jsonschema.LoadURLError](err); ok && uri != "" && strings.HasPrefix(uri, missing.URL) {
		return Faults{{Pointer: "#/$schema", Message: "must be the address of a draft of JSON Schema, got " + quote(uri), isUnsure: isOnServer(uri)}}
	}
	return Faults{{Pointer: "#", Message: "its identifiers, anchors or references are ambiguous or lead to no schema"}}
}

// pointerOf returns the JSON pointer in the address of a schema: /properties/port.
func pointerOf(location string) string {
	_, fragment, _ := strings.Cut(location, "#")
	if pointer, err := url.PathUnescape(fragment); err == nil {
		return pointer
	}
	return fragment
}

// Validate returns the violations of a schema by a value, at most limit, in the order of the text.
// Content that JSON does not have, such as a key that is a map, is a violation as well, and then
// the only one.
//
// It returns an error if the schema cannot validate the value: it refers to itself without end, or
// may take more than 250,000 steps.
func (s *Schema) Validate(n *yaml.Node, limit int) ([]Violation, error) {
	return s.ValidateIn(new(meter.Meter), n, limit)
}

// ErrSpent is the error of [Schema.ValidateIn] if the run has not enough steps left.
var ErrSpent = errors.New("the steps of the run are spent")

// StepsOfCheck are the steps of a [meter.Meter] that a step of a check takes: about a microsecond.
const StepsOfCheck = 100

// ValidateIn is [Schema.Validate] for one of many values. It charges the meter of the run, because each check may
// take 250,000 steps, and returns ErrSpent if the run has not enough left.
func (s *Schema) ValidateIn(run *meter.Meter, n *yaml.Node, limit int) ([]Violation, error) {
	t := newTree(n)
	data, fault := t.data(t.root, nil)
	if fault != nil {
		return []Violation{*fault}, nil
	}
	b := newBound(t, s, run.Left()/StepsOfCheck)
	most := b.measure(s.compiled, t.root, 0)
	run.Spend(StepsOfCheck * min(max(most.steps, b.own), b.most)) // also for a check that is too long: it was measured
	if b.err != nil {
		return nil, b.err
	}
	invalid, ok := errors.AsType[*jsonschema.ValidationError](s.compiled.Validate(data))
	if !ok {
		return nil, nil
	}
	return (&report{tree: t, schemas: b.schemas, measured: b.measured}).violations(invalid, limit), nil
}
