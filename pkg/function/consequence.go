package function

import (
	"cmp"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// subject is what a finding says is missing, and what is there once a mistake is corrected: a key at a
// place, or a resource by its kind and name. A name that is unknown twice at a place is a subject, too.
//
//	kind: Packs       # the mistake: "Packs" means "Pack", so this is the Pack "vault"
//	metadata:
//	  name: vault
//	spec:
//	  verison: 1.2.0  # the mistake: "verison" means "version"
//
// The findings that there is no pack named "vault", and that spec.version is missing, are consequences.
// That there is no pack named "consul" is none: nothing here means that name. The kind of a finding about facts
// that a ClusterContext has is [diag.Finding.Without].
type subject struct {
	// resource is the resource of the key, field the embedded document and path the path in it.
	resource    diag.Resource
	field, path string
	// kind and name identify a resource, kind in lower case.
	kind, name string
	// isUnknown is true for a name that is unknown at the path.
	isUnknown bool
}

// tie ties each finding that only follows from a mistake to the error about that mistake. No other
// place decides which findings are consequences: the findings about the absence of the thing that
// the mistake was meant to define.
func tie(l *list.List, found []diag.Finding) {
	causes := map[subject]*diag.Finding{}
	unread := map[diag.Resource]*diag.Finding{} // resources without their kind, or that cannot be parsed
	for i := range found {
		f := &found[i]
		switch path := f.Path(); {
		case f.Severity != diag.Error:
		case f.Without != "" && f.Rule.Cause:
			causes[subject{kind: strings.ToLower(f.Without)}] = f
		case f.Origin == nil:
		case f.Kind == diag.KindUnreadable && path == "", f.Nearest != "" && (path == "kind" || path == "apiVersion"):
			unread[f.Resource()] = f
		case f.Kind == diag.KindUnknown:
			if first := missed(f); causes[first] == nil {
				causes[first] = f
			}
			if f.Nearest != "" {
				causes[keyOf(f, f.Nearest)] = f
			}
		}
	}
	if len(unread) > 0 {
		for _, item := range l.Items {
			if f := unread[item.Resource()]; f != nil {
				if s := meant(item, f); s.kind != "" && s.name != "" {
					causes[s], causes[subject{kind: s.kind}] = f, f
				}
			}
		}
	}
	if len(causes) == 0 {
		return
	}
	for i := range found {
		if cause := causes[missed(&found[i])]; cause != nil && cause != &found[i] {
			if cause.Cause == nil {
				cause.Cause = &diag.Cause{}
			}
			found[i].Follows = cause.Cause
		}
	}
}

// keyOf returns a key at the place of a finding, which has its last name or another one.
func keyOf(f *diag.Finding, name string) subject {
	key := subject{resource: f.Resource(), path: f.Path()}
	if f.Origin.Embedded {
		key.field, key.path = f.Origin.Field, f.Key
	}
	if name != "" {
		key.path = beside(key.path, name)
	}
	return key
}

// meant returns what an item is without a mistake in its kind or its apiVersion. A Pack can have a name in
// its spec.
func meant(item *list.Item, f *diag.Finding) subject {
	kind := item.Kind()
	if words := strings.Fields(f.Nearest); f.Path() == "kind" || len(words) > 1 { // of "apiVersion kind"
		kind = words[len(words)-1]
	}
	s := subject{kind: strings.ToLower(kind), name: item.Name()}
	if document, err := item.Document(); err == nil {
		s.name = cmp.Or(values.Text(values.Field(document.Root(), "spec", "name")), s.name)
	}
	return s
}

// missed returns what a finding misses. It is zero if it misses nothing, or probably means another name.
func missed(f *diag.Finding) subject {
	switch {
	case f.Without != "":
		return subject{kind: strings.ToLower(f.Without)}
	case f.Origin == nil:
	case f.Kind == diag.KindUnknown:
		s := keyOf(f, "")
		s.isUnknown = true
		return s
	case f.Kind == diag.KindMissing && f.Found == "":
		return keyOf(f, "")
	case f.Kind == diag.KindNotFound && f.Nearest == "":
		if noun := f.Noun(); noun != "" {
			return subject{kind: strings.ToLower(noun), name: f.Value.Text}
		}
	}
	return subject{}
}

// withoutConsequences splits findings into those that stay and those that follow from one of them.
func withoutConsequences(found []diag.Finding) (told, following []diag.Finding) {
	for i := range found {
		if found[i].Follows != nil {
			following = append(following, found[i])
		}
	}
	return slices.DeleteFunc(found, func(f diag.Finding) bool { return f.Follows != nil }), following
}
