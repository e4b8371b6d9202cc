package decode_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/values"
)

// ambiguousForm has a field of each sort.
type ambiguousForm struct {
	Name     string                 `json:"name"`
	Names    []string               `json:"names"`
	Labels   map[string]string      `json:"labels"`
	Revision wholeOrText            `json:"revision"`
	Count    int64                  `json:"count"`
	Force    bool                   `json:"force"`
	Version  string                 `json:"version" scalars:"string"`
	Data     map[string]string      `json:"data" scalars:"secret"`
	Quantity decode.Text            `json:"quantity"`
	Values   map[string]decode.Text `json:"values"`
	Facts    facts                  `json:"facts"`
	Any      []*yaml.Node           `json:"any" scalars:"any"`
	Raw      *yaml.Node             `json:"raw"`
	Either   former                 `json:"either"`
	Injector []*ambiguousForm       `json:"injectors" single:"true"`
}

type wholeOrText string

func (w *wholeOrText) DecodeNode(n *yaml.Node, path string) []diag.Finding { return nil }

type facts map[string]string

func (f *facts) DecodeNode(n *yaml.Node, path string) []diag.Finding { return nil }
func (f *facts) IsString(path string) bool                           { return path == "a.version" }

type former struct{}

func (f *former) DecodeNode(n *yaml.Node, path string) []diag.Finding { return nil }
func (f *former) Form() any                                           { return new(ambiguousForm) }

func TestAmbiguous(t *testing.T) {
	cases.Table(t, "ambiguous", func(t *testing.T, c *cases.Case) string {
		document, err := values.Parse(c.Text("resource.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		found := slices.Collect(decode.AmbiguousMetadata(document.Root(), ""))
		spec := values.Field(document.Root(), "spec")
		found = slices.AppendSeq(found, decode.Ambiguous(spec, "spec", new(ambiguousForm)))
		numbers := slices.Collect(decode.AmbiguousNumbers(spec, "spec", new(ambiguousForm)))
		var lines []string
		for _, f := range found {
			line := fmt.Sprintf("%s %s %d:%d: %s", f.Level(), f.Path(), f.Position.Line, f.Position.Column, f.Message())
			if f.Path() != "" && !strings.HasPrefix(f.Path(), "metadata") && !slices.ContainsFunc(numbers, func(n diag.Finding) bool { return n.Key == f.Key }) {
				line += " (not for kustomize)"
			}
			lines = append(lines, line)
		}
		functiontest.Facts(found)
		return strings.Join(lines, "\n")
	})
}

// A reader that wants no more findings gets none, however many there are.
func TestAmbiguousStops(t *testing.T) {
	document, err := values.Parse("any: [" + strings.Repeat("on, ", 100_000) + "off]\n")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for range decode.Ambiguous(document.Root(), "", new(ambiguousForm)) {
		if count++; count == 10 {
			break
		}
	}
	if count != 10 {
		t.Errorf("got %d findings, want 10", count)
	}
}
