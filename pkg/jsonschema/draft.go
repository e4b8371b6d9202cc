package jsonschema

import (
	"fmt"
	"strings"
)

// draft is a set of drafts of JSON schema.
type draft uint8

const (
	draft4 draft = 1 << iota
	draft6
	draft7
	draft2019
	draft2020
	// undeclared is the draft of a schema that declares none: draft-07, and the
	// keywords that draft-07 does not have as 2020-12 reads them.
	undeclared

	allDrafts = 1<<iota - 1
	upTo7     = draft4 | draft6 | draft7 | undeclared
	from6     = allDrafts &^ draft4
	from7     = from6 &^ draft6
	from2019  = draft2019 | draft2020 | undeclared
	from2020  = draft2020 | undeclared
)

// knownDrafts are the drafts that $schema declares, each with the one that judges it: the
// nearest that this package knows.
var knownDrafts = map[string]struct{ declared, judging draft }{
	"json-schema.org/draft-04/schema":      {draft4, draft7},
	"json-schema.org/draft-06/schema":      {draft6, draft7},
	"json-schema.org/draft-07/schema":      {draft7, draft7},
	"json-schema.org/draft/2019-09/schema": {draft2019, draft2020},
	"json-schema.org/draft/2020-12/schema": {draft2020, draft2020},
}

// drafts returns the draft that $schema declares, and the one that judges it.
func drafts(uri string) (declared, judging draft) {
	_, name, _ := strings.Cut(strings.TrimSuffix(uri, "#"), "://")
	if known, ok := knownDrafts[name]; ok {
		return known.declared, known.judging
	}
	return undeclared, undeclared
}

// draftsOf returns the drafts that give a keyword the meaning that it has here,
// and a name for that use of it. Unknown keywords mean nothing in any draft.
func draftsOf(keyword string, v *value) (of draft, use string) {
	switch keyword {
	case "const", "contains", "propertyNames":
		return from6, keyword
	case "exclusiveMinimum", "exclusiveMaximum":
		if v.kind == boolean {
			return draft4, keyword + " (boolean)"
		}
		return from6, keyword
	case "if", "then", "else":
		return from7, keyword
	case "items":
		if v.kind == array {
			return upTo7 | draft2019, keyword + " (list)"
		}
	case "additionalItems":
		return upTo7 | draft2019, keyword
	case "dependencies":
		return upTo7, keyword
	case "$anchor", "dependentRequired", "dependentSchemas", "minContains", "maxContains", "unevaluatedProperties":
		return from2019, keyword
	case "prefixItems", "unevaluatedItems", "$dynamicRef", "$dynamicAnchor":
		return from2020, keyword
	case "$recursiveRef", "$recursiveAnchor":
		return draft2019, keyword
	}
	return allDrafts, ""
}

// draftWarning names the keywords that other judges of the schema may read
// differently.
func draftWarning(uri string, judging draft, keywords []string) string {
	declared, validated := "the schema declares no draft", "07"
	if uri != "" {
		declared = "$schema is " + quote(uri)
	}
	if judging == draft2020 {
		validated = "2020-12"
	}
	return fmt.Sprintf("%s, so the schema is validated as draft %s. These keywords are ignored or read differently: %s. Declare draft-07 or 2020-12 and use its keywords",
		declared, validated, strings.Join(keywords, ", "))
}
