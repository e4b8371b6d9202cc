package variant

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

// Messages stay short, and a run fast, however many injectors there are.
func TestChooseAmongMany(t *testing.T) {
	c := &Cluster{}
	c.Add(Object{"ex.com/v1", "Thing", "", "east"}, 0)
	thing := Point{APIVersion: "ex.com/v1", Kind: "Thing", Name: "p"}
	v := readValid(t, "  injectors: ["+strings.Repeat("{name: eastt}, {name: east, kind: Pod}, ", 10)+"]\n")
	_, _, ok, why := v.Choose(thing, c)
	reasons := strings.Split(why, "; ")
	if ok || len(reasons) != namedInjectors+1 || reasons[namedInjectors] != "and 4 more" || !strings.HasSuffix(reasons[14], `(did you mean "east"?)`) {
		t.Errorf("%v %q", ok, reasons)
	}
	v.Spec.Injectors = append(v.Spec.Injectors, Injector{Name: "east"})
	if _, _, ok, _ := v.Choose(thing, c); !ok {
		t.Error("the last of many injectors is not looked at")
	}
	for i := range mostHints + 1 {
		v.Spec.Injectors = []Injector{{Name: fmt.Sprintf("eas%c", '0'+i)}}
		_, _, _, why = v.Choose(thing, c)
		if hinted, want := strings.Contains(why, "did you mean"), i < mostHints-1; hinted != want {
			t.Errorf("missing object %d: %q", i, why)
		}
	}
}

// A ConfigMap of another group is not a ConfigMap.
func TestPointField(t *testing.T) {
	for apiVersion, want := range map[string]string{"v1": "data", "ex.com/v1": "spec"} {
		if got := (Point{APIVersion: apiVersion, Kind: "ConfigMap"}).Field(); got != want {
			t.Errorf("%s: %s", apiVersion, got)
		}
	}
	if got := (Point{APIVersion: "v1", Kind: "Service"}).Field(); got != "spec" {
		t.Errorf("a core Service: %s", got)
	}
}

// The digest is computed over canonical JSON, however the value is written.
func TestDigest(t *testing.T) {
	for text, json := range map[string]string{
		`b: 1
a: [x, null]`: `{"a":["x",null],"b":1}`,
		"{a: ['x', ~], b: 0x1}":              `{"a":["x",null],"b":1}`,
		"{b: [1, 1.50, \"<é\\n\"], a: true}": `{"a":true,"b":[1,1.5,"<é\n"]}`, "{b: &b {k: v}, c: {<<: *b, l: w}}": `{"b":{"k":"v"},"c":{"k":"v","l":"w"}}`,
	} {
		sum := sha256.Sum256([]byte(json))
		if got, want := digest(parse(t, text).Root()), hex.EncodeToString(sum[:])[:12]; got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
