package cli

import (
	"slices"
	"testing"

	"github.com/spf13/pflag"
)

// The value of a list has several lines in a job of CI.
func TestTexts(t *testing.T) {
	for _, tc := range []struct{ args, want []string }{
		{[]string{"--x", "a,b"}, []string{"a", "b"}},
		{[]string{"--x", "a", "--x=b,c"}, []string{"a", "b", "c"}},
		{[]string{"--x", "a\nb, c\n"}, []string{"a", "b", "c"}},
		{[]string{"--x", "a\r\n\nb"}, []string{"a", "b"}},
		{[]string{"--x", `"a,b",c`}, []string{"a,b", "c"}},
		{[]string{"--x", ""}, nil},
		{nil, []string{"default"}},
	} {
		got := []string{"default"}
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		listFlag(flags, &got, "x", "")
		if err := flags.Parse(tc.args); err != nil || !slices.Equal(got, tc.want) {
			t.Errorf("%q: got %q, %v", tc.args, got, err)
		}
	}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	listFlag(flags, new([]string), "x", "")
	if err := flags.Parse([]string{"--x", `a"b`}); err == nil {
		t.Error("a quote inside of a text is no error")
	}
}
