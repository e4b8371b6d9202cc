package diag

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	_ "github.com/krm-packs/functions/pkg/function/functiontest/draws"
)

var (
	vault    = Resource{APIVersion: "v1", Kind: "ConfigMap", Namespace: "packs", Name: "vault", File: "vault.yaml", Index: 1}
	embedded = &Origin{Resource: vault, Field: "data[values.yaml]", Name: "values.yaml", Embedded: true}
	part     = &Origin{Resource: vault, Field: "spec.values", Name: "spec.values"}
	format   = Rule{ID: "values/format", Severity: Error}
)

// placedError is an error that knows its place.
type placedError struct{}

func (placedError) Error() string                       { return "line 3, column 5: bad indentation" }
func (placedError) Where() (reason string, at Position) { return "bad indentation", Position{3, 5} }

// Next to the line of a file, the line in the embedded text is left out.
func TestInFile(t *testing.T) {
	got := Got("a", "b").In(embedded, "k", Position{14, 3}).InFile(30)
	if want := "k: must be b, got a (values.yaml)"; got.Message() != want {
		t.Errorf("got %q, want %q", got.Message(), want)
	}
	duplicate := Duplicate(Position{2, 3}, Position{14, 3}).In(embedded, "k", Position{14, 3}).InFile(30)
	if duplicate.Position != (Position{30, 3}) || duplicate.First != (Position{18, 3}) {
		t.Errorf("got %v and %v, want lines 18 and 30", duplicate.First, duplicate.Position)
	}
}

// These are the sentences of the suite: the one place where they are tested as a
// whole.
func TestMessage(t *testing.T) {
	at, earlier := Position{14, 3}, Position{2, 3}
	known := []string{"number", "bool", "string"}
	for _, tc := range []struct {
		name    string
		finding Finding
		inText  string // in an embedded document, at a key
		inWhole string // about a field of a resource
	}{
		{"a statement", Say("the value of %s is fixed", "x"), "a.b: the value of x is fixed (values.yaml line 14)", "the value of x is fixed"},
		{"a statement with an example", Say("the value is fixed (to 5)"), "a.b: the value is fixed (to 5; values.yaml line 14)", "the value is fixed (to 5)"},
		{"a call", Say("wrap it in string(1)"), "a.b: wrap it in string(1) (values.yaml line 14)", "wrap it in string(1)"},
		{"found and accepted", Got("70000", "a number from 1 to 5"), "a.b: must be a number from 1 to 5, got 70000 (values.yaml line 14)", "must be a number from 1 to 5, got 70000"},
		{"a name that is near one", GotName("nummber", known), `a.b: must be "number", "bool" or "string", got "nummber" (values.yaml line 14). Did you mean "number"?`, `must be "number", "bool" or "string", got "nummber". Did you mean "number"?`},
		{"a name that is near none", GotName("xyz", known), `a.b: must be "number", "bool" or "string", got "xyz" (values.yaml line 14)`, `must be "number", "bool" or "string", got "xyz"`},
		{"the start of a name", GotName("stri", known), `a.b: must be "number", "bool" or "string", got "stri" (values.yaml line 14). Did you mean "string"?`, `must be "number", "bool" or "string", got "stri". Did you mean "string"?`},
		{"missing", Missing(""), "a.b is required, but missing (values.yaml line 14). Set it", "a is required, but missing. Set it"},
		{"empty", Missing("empty"), "a.b is required, but empty (values.yaml line 14). Set it", "a is required, but empty. Set it"},
		{"missing, one of several", Missing("").Want("x or y"), "a.b is required, but missing (values.yaml line 14). Set it to x or y", "a is required, but missing. Set it to x or y"},
		{"missing, and something to do", Missing("").Want("x").Do("add x"), "a.b is required, but missing (values.yaml line 14). It must be x. Add x", "a is required, but missing. It must be x. Add x"},
		{"missing, because it is misspelt", Missing("").Do("rename c to b").Meant("", "c", nil), "a.b is required, but missing (values.yaml line 14). Rename c to b", "a is required, but missing. Rename c to b"},
		{"unknown", Unknown("field", "strin", known).Do("add it"), `a.b: unknown field "strin" (values.yaml line 14). Did you mean "string"?`, `unknown field "strin". Did you mean "string"?`},
		{"unknown, and none is near", Unknown("field", "x", known), `a.b: unknown field "x" (values.yaml line 14). Available: "number", "bool", "string"`, `unknown field "x". Available: "number", "bool", "string"`},
		{"unknown, and many are known", Unknown("field", "x", strings.Split("abcdefghi", "")), `a.b: unknown field "x" (values.yaml line 14). Available: "a", "b", "c", "d", "e" and 4 more`, `unknown field "x". Available: "a", "b", "c", "d", "e" and 4 more`},
		{"unknown, and none are known", Unknown("field", "x", nil), `a.b: unknown field "x" (values.yaml line 14)`, `unknown field "x"`},
		{"other names are offered", Unknown("field", "x", known).Offer(known[:1]), `a.b: unknown field "x" (values.yaml line 14). Available: "number"`, `unknown field "x". Available: "number"`},
		{"not found, one is near", NotFound("pack", "boool", known).IfUnseen(ItExists), `a.b: no pack named "boool" (values.yaml line 14). Did you mean "bool"?`, `no pack named "boool". Did you mean "bool"?`},
		{"not found, none is near", NotFound("pack", "x", nil), `a.b: no pack named "x" (values.yaml line 14). If it exists, check the function's selectors`, `no pack named "x". If it exists, check the function's selectors`},
		{"duplicate", Duplicate(earlier, at), "a.b: duplicate key on lines 2 and 14 (values.yaml). Remove one", "duplicate key. Remove one"},
		{"duplicate on a line", Duplicate(Position{14, 1}, at), "a.b: duplicate key on line 14 (values.yaml). Remove one", "duplicate key. Remove one"},
		{"duplicate somewhere", Duplicate(Position{}, at), "a.b: duplicate key (values.yaml). Remove one", "duplicate key. Remove one"},
		{"unreadable", Unreadable(errors.New("no end")), "a.b: cannot be read: no end (values.yaml line 14)", "cannot be read: no end"},
		{"unreadable, with a place", Unreadable(fmt.Errorf("wrapped: %w", placedError{})), "a.b: cannot be read: bad indentation (values.yaml line 14)", "cannot be read: bad indentation"},
		{"an action", Say("x").Do("remove it"), "a.b: x (values.yaml line 14). Remove it", "x. Remove it"},
		{"an action after what is accepted", Got("x", "y").Do("écris it"), "a.b: must be y, got x (values.yaml line 14). Écris it", "must be y, got x. Écris it"},
		{"a consequence", GotName("nummber", known).Do("x").Until("any value is accepted"), `a.b: must be "number", "bool" or "string", got "nummber" (values.yaml line 14). Did you mean "number"? Until you correct it, any value is accepted`, `must be "number", "bool" or "string", got "nummber". Did you mean "number"? Until you correct it, any value is accepted`},
		{"a hint", hinted(Say("x"), "registry port"), `a.b: x (registry port; values.yaml line 14)`, `x (registry port)`},
		{"hints and an action", hinted(Say("x").Do("set it"), "a", "b"), `a.b: x (a, b; values.yaml line 14). Set it`, `x (a, b). Set it`},
		{"all", hinted(Got("x", "y").Meant("", "z", nil).Do("set it"), "a"), `a.b: must be y, got x (a; values.yaml line 14). Did you mean "z"?`, `must be y, got x (a). Did you mean "z"?`},
		{"an alias", of(KindAlias, "one for many"), "a.b: one for many (values.yaml line 14)", "one for many"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			inText := tc.finding.In(embedded, "a.b", at)
			if got := inText.Message(); got != tc.inText {
				t.Errorf("in a document: got  %s\nwant %s", got, tc.inText)
			}
			for _, whole := range []Finding{tc.finding.At("a", Position{}), tc.finding.About(vault, "spec.a"), tc.finding.In(part, "a", at)} {
				if got := whole.Message(); got != tc.inWhole {
					t.Errorf("in a resource: got  %s\nwant %s", got, tc.inWhole)
				}
			}
			placed := tc.finding.At("a.b", at)
			placed.Kind, placed.Origin = KindPlaced, embedded
			if got := placed.Message(); strings.HasPrefix(got, "a.b: ") || strings.Contains(got, "(values.yaml") {
				t.Errorf("placed: got %s", got)
			}
		})
	}
}

func TestMessageOfWholeDocument(t *testing.T) {
	f := Unreadable(placedError{}).From(embedded)
	if got, want := f.Message(), "cannot be read: bad indentation (values.yaml line 3)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	f = Say("x").Do("set it").IfUnseen("if there is one").WithLook("check the file").From(embedded)
	if got, want := f.Message(), "x (values.yaml). Set it. If there is one, check the file"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if f = f.WithLook(""); f.Unseen != "" {
		t.Errorf("got %s", f.Message())
	}
	f = Say("there are no values").From(embedded)
	if got, want := f.Message(), "there are no values (values.yaml)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A message is one line that a terminal only prints, and at most 1,000 characters
// with its rule, whatever is in it.
func TestMessageLimits(t *testing.T) {
	text := rapid.Custom(func(t *rapid.T) string {
		text := rapid.StringOf(rapid.SampledFrom([]rune("ab é\U0001f600\n\r\t\u2028\u2029\u0085\x1b\x00\x7f\u009b\"."))).Draw(t, "text")
		return strings.Repeat(text, rapid.SampledFrom([]int{1, 1, 50, 500}).Draw(t, "repeat")) + rapid.SampledFrom([]string{"", "\xff"}).Draw(t, "end")
	})
	rapid.Check(t, func(t *rapid.T) {
		f := of(Kind(rapid.IntRange(0, int(KindPlaced)).Draw(t, "kind")), text.Draw(t, "found")).Want(text.Draw(t, "accepted")).Do(text.Draw(t, "action"))
		f.Nearest, f.Hints = text.Draw(t, "nearest"), rapid.SliceOf(text).Draw(t, "hints")
		f.Value = Value{Text: text.Draw(t, "value"), Class: Owned, Instead: f.Found}
		f = f.In(rapid.SampledFrom([]*Origin{nil, embedded, part}).Draw(t, "origin"), text.Draw(t, "key"), Position{1, 1}).Of(format)
		got := f.MessageFor(rapid.SampledFrom([]Audience{Record, Terminal}).Draw(t, "audience"))
		if n := utf8.RuneCountInString(got + " [" + f.Rule.ID + "]"); n > 1000 {
			t.Fatalf("%d characters", n)
		}
		if strings.IndexFunc(got, func(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }) >= 0 || !utf8.ValidString(got) {
			t.Fatalf("not one line of text: %q", got)
		}
	})
}

func TestMessageIsCut(t *testing.T) {
	f := Say("%s", strings.Repeat("é", 2000)).Of(format)
	if got := f.Message(); utf8.RuneCountInString(got)+len(" [values/format]") != 1000 || !strings.HasSuffix(got, "é…") {
		t.Errorf("got %d characters", utf8.RuneCountInString(got))
	}
	f = Say("%s", strings.Repeat("é", 984)).Of(format)
	if got := f.Message(); strings.HasSuffix(got, "…") {
		t.Error("a message of 1,000 characters is cut")
	}
	f = hinted(Say("x").Do("set it"), strings.Repeat("é", 300), "b")
	if got, want := f.Message(), `x (`+strings.Repeat("é", 199)+"…). Set it"; got != want {
		t.Errorf("hints: got %s", got)
	}
	f = hinted(Say("x"), strings.Repeat("é", 200))
	if got, want := f.Message(), `x (`+strings.Repeat("é", 200)+`)`; got != want {
		t.Errorf("hints of 200 characters: got %s", got)
	}
}

func TestOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "",
		" a \n\tb\r\nc ":               "a b c",
		"a\u2028b\u2029c\u0085d":       `a\u{2028}b\u{2029}c\u{85}d`,
		"\x1b[31mred\x07\x00\x7f":      `\u{1b}[31mred\u{7}\u{0}\u{7f}`,
		"\u009b31mred":                 `\u{9b}31mred`,
		"\xff":                         "\ufffd",
		"é\u4e2d\U0001f600 stays 5 %d": "é\u4e2d\U0001f600 stays 5 %d",
	} {
		if got := OneLine(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func hinted(f Finding, hints ...string) Finding {
	f.Hints = hints
	return f
}

// Who may see the value at fault is told it, and others what it is.
func TestMessageFor(t *testing.T) {
	for _, tc := range []struct {
		class                 Class
		record, terminal, all string
	}{
		{Open, `must be y, got "a b"`, `must be y, got "a b"`, `must be y, got "a b"`},
		{Owned, "must be y, got a string", `must be y, got "a b"`, `must be y, got "a b"`},
		{Secret, "must be y, got a string", "must be y, got a string", "must be y, got a string"}, // it is not kept
	} {
		f := GotValue("a\nb", "a string", "y").OfClass(tc.class)
		for audience, want := range map[Audience]string{Record: tc.record, Terminal: tc.terminal, All: tc.all} {
			if got := f.MessageFor(audience); got != want {
				t.Errorf("class %d, audience %d: got %q, want %q", tc.class, audience, got, want)
			}
		}
	}
	unset := GotValue("x", "a string", "y")
	if got := unset.MessageFor(Terminal); got != "must be y, got a string" {
		t.Errorf("without a class: got %q", got)
	}
	long := GotValue(strings.Repeat("é", 200), "a string", "y").OfClass(Owned)
	long.Found += " from a variable"
	if got, want := long.MessageFor(Terminal), `must be y, got "`+strings.Repeat("é", 99)+`…" from a variable`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
