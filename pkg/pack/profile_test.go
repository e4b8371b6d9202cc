package pack

import "testing"

func TestVariableValue(t *testing.T) {
	options := []VariableOption{{Value: "a", Label: "A"}, {Value: "b", Label: "B", Default: true}}
	for text, want := range map[string]string{"": "b", "A": "a", "a": "a", "c": "c"} {
		if got := (&ProfileVariable{DefaultValue: text, Options: options}).Value(); got != want {
			t.Errorf("%q: got %q", text, got)
		}
	}
	if got := (&ProfileVariable{Options: options[:1]}).Value(); got != "" {
		t.Errorf("got %q", got)
	}
}

func TestPresetString(t *testing.T) {
	for want, p := range map[string]Preset{`"ha"`: {Name: "ha"}, `"ha" (group "size")`: {Name: "ha", Group: "size"}} {
		if got := p.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
