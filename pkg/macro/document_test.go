package macro

import (
	"fmt"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/internal/hydration"
	"github.com/krm-packs/functions/pkg/values"
)

// A case is a document, and what its macros can read. The outcome is what the document becomes, or what is found
// in it, with its places.
func TestDocuments(t *testing.T) {
	cases.Table(t, "documents", func(t *testing.T, c *cases.Case) string {
		d, err := values.Parse(c.Text("values.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		origin := &diag.Origin{Field: "data[values.yaml]", Name: "values.yaml", Embedded: true}
		sources := hydration.Read(d.From(origin), nil, hydration.Edited)
		results, findings := givenIn(t, c.Text("fixture.yaml")).resolver(t, Empty).Document(sources)
		var b strings.Builder
		for i, fact := range functiontest.Facts(findings) {
			if findings[i].Origin != origin {
				t.Errorf("%s has the origin %v", fact, findings[i].Origin)
			}
			fmt.Fprintf(&b, "%s: %s\n", fact, findings[i].Message())
		}
		if len(findings) > 0 {
			if len(results) > 0 { // one that cannot be resolved leaves the others as they are
				t.Errorf("with findings there are results: %+v", results)
			}
			return b.String()
		}
		edits := sources.Edits(results, hydration.Bare)
		out, err := d.Rewrite(edits.Scalars, edits.Comments)
		if err != nil {
			t.Fatal(err)
		}
		return out.Text()
	})
}

// A plain scalar cannot start with the action, so empty text comes first.
func TestPlainStart(t *testing.T) {
	r := givenIn(t, `context: {variables: {V: "1.30", B: "true", C: "a: b", H: "x #y", E: "", T: text, Z: "~"}}`).resolver(t, Empty)
	for name, want := range map[string]string{"V": `"1.30"`, "B": `"true"`, "C": `"a: b"`, "H": `"x #y"`, "T": "text", "Z": `"~"`, "E | default ``": `""`} {
		in := "a: X {{- .spectro.var." + name + " | print }}\n"
		d, _ := values.Parse(in)
		sources := hydration.Read(d, nil, hydration.Edited)
		results, _ := r.Document(sources)
		edits := sources.Edits(results, hydration.Bare)
		if len(edits.Scalars) != 1 {
			t.Fatalf("%s: %d edits", in, len(edits.Scalars))
		}
		edits.Scalars[0].Text = strings.TrimPrefix(edits.Scalars[0].Text, "X")
		out, err := d.ReplaceScalars(edits.Scalars...)
		if err != nil || out.Text() != "a: "+want+"\n" {
			t.Errorf("%s: got %q %v, want %s", name, out.Text(), err, want)
		}
	}
}
