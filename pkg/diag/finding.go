package diag

import "fmt"

// Kind is the kind of problem that a finding describes, for code that depends on it.
type Kind uint8

// The kinds of findings.
const (
	KindStatement  Kind = iota // Found is a sentence of its own
	KindGot                    // Found is not accepted
	KindMissing                // a required field or value is absent or empty
	KindUnknown                // a name that is not among the known ones, where any name is a choice of those
	KindNotFound               // a reference to what does not exist
	KindDuplicate              // a key that is given twice
	KindUnreadable             // a text that cannot be parsed
	KindAlias                  // an accepted form that means another one; Found is a sentence
	KindPlaced                 // Found is a sentence that says itself where it is
)

// Finding is one problem or fact about a resource or a document.
type Finding struct {
	// Rule is the rule it belongs to.
	Rule Rule
	// Severity replaces the rule's severity when it is set. An override by the
	// user still comes on top.
	Severity Severity
	Where
	What
	Wanted
	Mend
	// Pack is the name of the pack that the finding is about.
	Pack string
	// Tags are the facts that a rule adds for tools.
	Tags map[string]string
	// Without names the facts that are missing, or that a fault makes unknown: all facts of a kind of
	// resource, as "ClusterContext", or one, as "ClusterContext spec.variables.DOMAIN".
	Without string `json:"-"`
	// Cause is set if other findings only follow from this one, and Follows is the Cause of the
	// finding that this one follows from.
	Cause, Follows *Cause `json:"-"`
}

// Cause stands for a mistake in all copies of its finding.
type Cause struct{ _ byte } // pointers to nothing may be equal

// Where is the place of a finding.
type Where struct {
	// Origin is the document at fault, or nil if there is none.
	Origin *Origin
	// Key is the path inside the document, `registry.port`.
	Key string
	// Position is the place in the document; zero when there is none.
	Position Position
}

// What describes the value that was found.
type What struct {
	// Kind determines the wording of Found and Accepted.
	Kind Kind
	// Found is the kind of a value, a name, or a sentence. It never holds a value that may
	// be a secret.
	Found string
	// Sentence replaces the sentence that Kind makes of Found, where that would not be one, or ""
	// if there is none.
	Sentence string
	// Value is the text of the user that Found is about. It is zero if Found is not about a text.
	Value Value `json:"-"`
	// First is the place of the first of two duplicates.
	First Position
	// Hints are the schema author's words about the value.
	Hints []string
}

// Wanted describes the accepted values.
type Wanted struct {
	// Accepted describes the accepted values, names in quotes: `"GLOBAL", "ACTION"
	// or "WORKFLOW"`. It is "" if Found needs no such description.
	Accepted string
	// Nearest is the name that was probably meant, or "" if none is near.
	Nearest string
	// Current and Proposed are the value found and the one that fixes it. Both stay
	// nil for anything that may be a secret. Proposed is set only when it is
	// certain.
	Current, Proposed any
}

// Mend describes the correction.
type Mend struct {
	// Action is what to do, in the imperative. The message does not have it if the name that
	// was meant is known: the advice is then to correct the name.
	Action string
	// Note is what else there is to say: what happens until the fault is corrected. The
	// message has it in any case, as its last sentence.
	Note string
	// Unseen is the condition under which the finding is wrong, because the function did not get
	// what it misses, and where to look for it: `if it exists, check the function's selectors`, or
	// "" if there is none.
	Unseen string
	// Mistakes are the texts that were found. The harness makes Edits from them, which correct
	// the texts if the correction is certain.
	Mistakes []Mistake `json:"-"`
	// Edits are the corrections with their places. There are none if one of them is not certain.
	Edits []Edit
	// Belongs are the paths, from the map that has the key at fault, at which the key would
	// be read, if that is known.
	Belongs [][]string
}

// Of sets the rule.
func (f Finding) Of(rule Rule) Finding {
	f.Rule = rule
	return f
}

// In sets the place: a key of a document, and its position there.
func (f Finding) In(origin *Origin, key string, at Position) Finding {
	f.Origin, f.Key, f.Position = origin, key, at
	return f
}

// From sets the document.
func (f Finding) From(origin *Origin) Finding {
	f.Origin = origin
	return f
}

// For sets the pack that the finding is about.
func (f Finding) For(pack string) Finding {
	f.Pack = pack
	return f
}

// About sets the place to a field of a resource, or to the resource when the path
// is empty.
func (f Finding) About(r Resource, path string) Finding {
	return f.In(Whole(r), path, Position{})
}

// At sets key and position, in a document that the caller names later.
func (f Finding) At(key string, at Position) Finding {
	f.Key, f.Position = key, at
	return f
}

// Want sets the description of the accepted values.
func (f Finding) Want(accepted string) Finding {
	f.Accepted = accepted
	return f
}

// Do sets the action, which replaces the advice to look for what was not found.
func (f Finding) Do(action string) Finding {
	f.Action, f.Unseen = action, ""
	return f
}

// Saying sets a sentence for what the sentence of the kind would not fit. It holds no value that
// may be a secret.
func (f Finding) Saying(format string, args ...any) Finding {
	f.Sentence = fmt.Sprintf(format, args...)
	return f
}

// Until sets what the functions do while the fault is not corrected.
func (f Finding) Until(consequence string) Finding {
	f.Note = "until you correct it, " + consequence
	return f
}

// Offer sets the names to choose from.
func (f Finding) Offer(names []string) Finding {
	f.Accepted = OneOf(quoted(names))
	return f
}

// Propose sets the value found, and the one that corrects it as the nearest name. It
// changes nothing when there is no proposal. Neither may be a secret.
func (f Finding) Propose(current, proposal string) Finding {
	if proposal != "" {
		f.Current, f.Proposed = current, proposal
		return f.Meant(current, proposal, nil)
	}
	return f
}

// Resource is the resource at fault; zero when there is none.
func (f *Finding) Resource() Resource {
	if f.Origin == nil {
		return Resource{}
	}
	return f.Origin.Resource
}

// Path is the path of the field at fault in the resource.
func (f *Finding) Path() string { return f.Origin.Path(f.Key) }

// Level is the severity, without overrides by the user.
func (f *Finding) Level() Severity {
	if f.Severity != "" {
		return f.Severity
	}
	return f.Rule.Severity
}
