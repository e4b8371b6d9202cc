package schema

import (
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/values"
)

// Values that cannot be secrets are shown, and all others are not.
func TestIsPublic(t *testing.T) {
	document, err := values.Parse("secret: {schema: '{{ format \"${password}\" }}'}\nmode: {schema: '{{ format \"${list:[slow mode,fast]}\" }}'}\ntext: {schema: '{{ format \"${string}\" }}'}\n")
	if err != nil {
		t.Fatal(err)
	}
	parsed, faults := Parse(document)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	entries := map[string]*Entry{}
	for i := range parsed.Entries {
		entries[parsed.Entries[i].Key] = &parsed.Entries[i]
	}
	for value, want := range map[string]bool{
		"true": true, "'false'": true, "1": true, "-1.5": true, "'8080'": true, "1e3": true, "null": true, "": true, "''": true,
		"100m": true, "1.5": true, "64Mi": true, "2Gi": true, "1.2.3": true, "v1.2.3": true, "1.31.2-eks-7f9249a": true, "10.0.0.1": true, "1.30": true,
		"text": false, "web:1": false, "a1b2": false, "12ab": false, "1.2.3 4": false, "10.0.0.1/8": true, "30s": true, "2001:db8::1": true, "'https://example.com/a'": true, "'https://a:b@example.com'": false, "quay.io/a/b:v1": true, "10.0.0.1:5000/a/b": true, "10.0.0.256/a": false, "[1]": false, "{a: 1}": false,
		"'" + strings.Repeat("1", 65) + "'": false, "\"1\\n\"": false,
	} {
		d, err := values.Parse("a: " + value)
		if err != nil {
			t.Fatal(err)
		}
		n := values.Field(d.Root(), "a")
		if got := IsPublic("a", n, nil); got != want {
			t.Errorf("%s: got %t", value, got)
		}
		if slices.Contains([]string{"true", "null", "", "''"}, value) { // which are no secret
			continue
		}
		if IsPublic("a.apiKey", n, nil) || IsPublic("a", n, entries["secret"]) {
			t.Errorf("%s is shown although it is a secret", value)
		}
	}
	text := func(value string) bool {
		d, err := values.Parse("a: " + value)
		if err != nil {
			t.Fatal(err)
		}
		return IsPublic("a", values.Field(d.Root(), "a"), entries["mode"])
	}
	if !text("slow mode") || text("other") {
		t.Error("an option of the schema is not shown, or another text is")
	}
}
