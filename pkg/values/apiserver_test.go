package values

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
	sigsyaml "sigs.k8s.io/yaml"

	_ "github.com/krm-packs/functions/pkg/function/functiontest/draws"
)

// spellings are plain scalars of all kinds that YAML 1.1 has, and some of their neighbours.
func spellings() []string {
	all := []string{
		"~", "null", "Null", "NULL", "nULL", "<<x", "=", "1.31.2", "v1.30", "1.30-rc.1", "10.20.0.5", "::1", "a", "yess", "onn", "nope", "TrUe", "yEs", "oN",
		"0", "1", "-1", "+1", "-0", "+0", "00", "007", "0123", "-0123", "089", "0o17", "0O17", "0o8", "-0o17", "0o+7", "0x1F", "0X1f", "-0x1F", "0x", "0xg", "0b101", "0B1", "-0b11", "0b2",
		"1_000", "1__0", "_1", "1_", "0x_1F", "0_7", "1_000.5", "1:30", "190:20:30", "190:20:30.15", "12:30:45", "-1:30",
		"1.30", "1.3", "1.0", "1.", ".5", "-.5", "+.5", ".5_0", "._5", "1.5e3", "1e3", "1E3", "1e+3", "1e-3", "1e-7", "1e21", "1e22", "1e400", "-1e3", "+1e3", "1e", "e3", ".e3", "1.e3", ".5e3", "0.10", "00.1", "0x1p-2", ".0x1",
		"9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", "-9223372036854775808", "-9223372036854775809", "123456789012345678901234567890", "0.1234567890123456789",
		".inf", ".Inf", ".INF", "+.inf", "-.inf", "-.INF", ".iNF", ".nan", ".NaN", ".NAN", ".nAN", "-.nan", "inf", "nan", "Infinity",
		"2001-12-14", "2001-1-2", "2001-13-14", "2001-12-14t21:59:43.10-05:00", "2001-12-14T21:59:43Z", "2001-12-14 21:59:43.10", "2001-12-14 21:59:43.10 -5", "2001-", "20011214", "2001-12",
		".", "..", "-", "+", "+-1", "1-1", "1+1", "-.", "1,000", "100m", "16Gi", "1e3Mi", "5%",
	}
	for _, word := range []string{"y", "n", "yes", "no", "on", "off", "true", "false", "t", "f", "o"} {
		upper := string(word[0]-'a'+'A') + word[1:]
		all = append(all, word, upper, upper+"x", "x"+word)
		for i := 1; i < len(word); i++ {
			upper = upper[:i] + string(word[i]-'a'+'A') + word[i+1:]
			all = append(all, upper)
		}
	}
	return all
}

// A plain scalar has the text, and is the kind of value, that sigs.k8s.io/yaml makes of it. That is how kubectl reads files.
func TestAPIServer(t *testing.T) {
	for _, text := range spellings() {
		for _, form := range []string{
			"a: %s\n", "- %s\n", "[%s, 1]\n", "{a: %s}\n", "%s: a\n", "{%s: a}\n", "&x %s: *x\n",
			`a: &x %s
b: *x
`,
			"a: '%s'\n", "a: !!str %s\n",
		} {
			checkAPIServer(t, fmt.Sprintf(form, text))
		}
	}
}

// A number with a fraction may be meant as a version, although its text stays. Other numbers and words are certain.
func TestMayDifferInAPIServer(t *testing.T) {
	for text, want := range map[string]bool{"version: 1.31\n": true, "version: 1.31.2\n": false, "replicas: 3\n": false, "name: vault\n": false, "name: on\n": true} {
		if got := MayDifferInAPIServer([]byte(text)); got != want {
			t.Errorf("%q: got %t", text, got)
		}
	}
}

func TestAPIServerProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkAPIServer(t, "a: "+rapid.StringMatching(`[-+.0-9][-+._0-9eExobBX]{0,8}`).Draw(t, "text")+"\n")
	})
}

type tester interface {
	Helper()
	Errorf(format string, args ...any)
}

func checkAPIServer(t tester, text string) {
	t.Helper()
	document, err := Parse(text)
	if err != nil {
		return
	}
	want, err := sigsyaml.YAMLToJSON([]byte(text))
	if err != nil {
		return // .inf, and a key that is null
	}
	read := AsAPIServer(document.Root())
	if got, ok := JSON(read); !ok || !sameJSON(t, got, string(want)) {
		t.Errorf("%q: got %s, want %s", text, got, want)
	}
	before, _ := JSON(document.Root())
	if hasOther := before != "" && textsOf(read) != textsOf(document.Root()); hasOther && !MayDifferInAPIServer([]byte(text)) {
		t.Errorf("%q: differs, and MayDifferInAPIServer is false", text)
	}
}

// textsOf returns the texts of all scalars of a tree.
func textsOf(n *yaml.Node) (texts string) {
	if texts = n.Value + "\n"; n.Kind == yaml.AliasNode {
		return texts
	}
	for _, child := range n.Content {
		texts += textsOf(child)
	}
	return texts
}

func sameJSON(t tester, got, want string) bool {
	t.Helper()
	var a, b any
	if json.Unmarshal([]byte(got), &a) != nil || json.Unmarshal([]byte(want), &b) != nil {
		return false
	}
	return cmp.Equal(a, b)
}
