package report

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

// Of returns the finding of a function, without its place.
func Of(function string, f *diag.Finding) Finding {
	out := Finding{
		Rule: f.Rule.ID, Severity: cmp.Or(f.Severity, f.Rule.Severity), Message: f.Message(), Function: function,
		Resource: ResourceOf(f.Resource()), Field: f.Path(), Key: f.Key, Pack: f.Pack,
		Current: f.Current, Proposed: f.Proposed, Tags: f.Tags, Accepted: f.Rule == rule.Accepted, Cause: f,
	}
	if f.Origin == nil || !f.Origin.Embedded {
		out.Key = "" // it is the end of the field
	}
	return out
}

// ResourceOf returns what identifies a resource, nil when nothing does.
func ResourceOf(r diag.Resource) *Resource {
	if r.APIVersion == "" && r.Kind == "" && r.Name == "" {
		return nil
	}
	return &Resource{APIVersion: r.APIVersion, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name}
}

// SetSource makes a line of a file the source of the finding. It is masked unless all
// of it may be shown, or its value is one that the message shows.
func (f *Finding) SetSource(line string) {
	c := f.Cause
	// The head of a resource is the place of findings about it or about one of its fields.
	isHead := c.Origin != nil && !c.Origin.Embedded && !strings.ContainsAny(c.Path(), ".[") && headLine.MatchString(line)
	if f.Source = line; !isHead && (!c.Public || !isAlone(c, line)) {
		f.Source = Mask(line, shown(c)...)
	}
}

// headLine matches a line that says what a resource is.
var headLine = regexp.MustCompile(`^(apiVersion|kind): +["']?[\w./-]+["']?$`)

// shown are the values that a finding shows.
func shown(f *diag.Finding) []string {
	var values []string
	if f.Current != nil {
		values = append(values, fmt.Sprint(f.Current))
	}
	if f.Text != "" {
		return append(values, f.Text)
	}
	if f.Kind == diag.KindGot {
		values = append(values, f.Found)
	}
	return values
}
