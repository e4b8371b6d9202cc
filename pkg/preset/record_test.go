package preset

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/pack"
)

func TestParseRecord(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"", ""},
		{"[]", ""},
		{`["a:b", ":c"]`, `["a:b",":c"]`},
		{`["a:b@0123456789ab@1.0.0", "a:b", "x@y:z@0123456789ab@", ":n@0123456789ab@1%40"]`, `["a:b","x@y:z",":n"]`},
		{`["a:b@0123456789a@1.0.0", "g:<ü>"]`, `["a:b@0123456789a@1.0.0","g:<ü>"]`},
	} {
		record, faults := ParseRecord(tc.text)
		if record.String() != tc.want || len(faults) > 0 {
			t.Errorf("%s: got %s, %v", tc.text, record, faults)
		}
		if again, _ := ParseRecord(record.String()); !cmp.Equal(again, record) {
			t.Errorf("%s: read back as %v", tc.text, again)
		}
	}
	for _, text := range []string{"a", "{}", `["a"]`, `[1]`, `["a:b"`, `"a:b"`} {
		if record, faults := ParseRecord(text); len(faults) != 1 || record != nil {
			t.Errorf("%s: got %v, %v", text, record, faults)
		}
	}
}

// One preset of a group is in the record. Groups and names may have colons.
func TestRecordWith(t *testing.T) {
	of := func(name string) pack.Preset {
		at := strings.LastIndex(name, ":")
		return pack.Preset{Group: name[:at], Name: name[at+1:]}
	}
	known := []pack.Preset{of("g:a"), of("g:b"), of("g:h:c"), of(":a"), of(":b")}
	for _, tc := range []struct {
		record        Record
		add           string
		want          Record
		replaced      string
		names, absent string
	}{
		{nil, "g:a", Record{"g:a"}, "", "g:a", "g:b"},
		{Record{"g:a", ":b"}, "g:b", Record{"g:b", ":b"}, "g:a", "g:b b", "g:a"},
		{Record{"g:a"}, "g:a", Record{"g:a"}, "", "g:a", ":a"},
		{Record{"g:a"}, "g:h:c", Record{"g:a", "g:h:c"}, "", "g:a g:h:c", ":a"},
		{Record{"g:h:x"}, "g:h:c", Record{"g:h:c"}, "g:h:x", "g:h:c", "g:h:x"},
		{Record{":a"}, ":b", Record{":a", ":b"}, "", "a b", "g:a"},
	} {
		got, replaced := tc.record.with(of(tc.add), known)
		if !cmp.Equal(got, tc.want) || replaced != tc.replaced {
			t.Errorf("%v with %s: %v, %q", tc.record, tc.add, got, replaced)
		}
		if names := strings.Join(got.Names(), " "); names != tc.names || !got.Has(of(tc.add)) || got.Has(of(tc.absent)) {
			t.Errorf("%v: the names are %s", got, names)
		}
	}
	if found := (Record{"g:b", ":x"}).find(known); len(found) != 1 || found[0].Name != "b" {
		t.Errorf("found %v", found)
	}
}
