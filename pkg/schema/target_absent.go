package schema

import (
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// missingField counts the chosen resources that do not have the field of a target. An
// absent field is read as empty values. If no resource has it, or one has a field
// with nearly that name, a name is misspelt.
type missingField struct {
	// resources is the number of the resources.
	resources int
	// first is the first of the resources.
	first diag.Resource
	// misspelt is the resource that has a field with nearly the name, and key is that
	// field, in the place of step.
	misspelt  diag.Resource
	step, key string
}

// add counts a resource, and looks for a field with nearly the name.
func (l *missingField) add(resource diag.Resource, document *values.Document, path values.Path) {
	if l.resources++; l.resources == 1 {
		l.first = resource
	}
	if step, key := nearestKey(document, path); key != "" && l.key == "" {
		l.misspelt, l.step, l.key = resource, step, key
	}
}

// finding returns the finding about the chosen resources that do not have the field, or false if
// there is nothing to report.
func (l *missingField) finding(path string, chosen int) (f diag.Finding, ok bool) {
	switch {
	case l.key != "":
		f = diag.Say("%s has no %s, so its values are read as empty", l.misspelt, l.step).Do("correct the path of the target, or the field")
		f.Nearest = l.key
		return f, true
	case l.resources == 0 || l.resources < chosen:
		return f, false
	case chosen == 1:
		return diag.Say("%s, the only selected resource, has no %s, so its values are read as empty", l.first, path), true
	}
	return diag.Say("none of the %d selected resources has %s, so their values are read as empty", chosen, path), true
}

// nearestKey returns the first step of a path that is absent, and a key in its place that is nearly
// the same, or "" if there is none.
func nearestKey(in *values.Document, path values.Path) (step, key string) {
	steps := keySteps(path)
	at, key := new(comparer).nearKey(in, steps, nil)
	if step = steps[at].Key; key == "" || max(len(key), len(step))-min(len(key), len(step)) > 1 {
		return "", "" // a longer name, valuesFrom, is another field
	}
	return step, key
}
