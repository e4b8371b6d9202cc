package constraint

import (
	"testing"

	"github.com/krm-packs/functions/pkg/internal/version"
)

func TestParseRange(t *testing.T) {
	for _, c := range []struct{ text, err string }{
		{">=1.0.0", ""},
		{">= 1.0.0 <2.0.0 || =3.0.0 !3.0.1", ""},
		{"1.x", ""},
		{"1.2.x || <=3.x", ""},
		{AnyVersion, ""},
		{"", `the range is empty; write ">=0.0.0-0"`},
		{">=2.0.0 | <1.0.0", `a single | is ignored, so all parts would have to hold; || means or; write ">=2.0.0 || <1.0.0"`},
		{"1.0.0 - 2.0.0", `a range with a hyphen is not known, and the hyphen would be ignored; write ">=1.0.0 <=2.0.0"`},
		{"!1.x", `!1.x would be read as below and above at once, which no version is; write "<1.0.0 || >=2.0.0"`},
		{"!=1.2.x", `!=1.2.x would be read as below and above at once, which no version is; write "<1.2.0 || >=1.3.0"`},
		{"^1.x", `^ is not an operator, and ^1.x would be read as one exact version; write ">=1.0.0 <2.0.0"`},
		{"~1.2.x", `~ is not an operator, and ~1.2.x would be read as one exact version; write ">=1.2.0 <1.3.0"`},
		{"=>1.x", `=> is not an operator, and =>1.x would be read as one exact version; write ">=1.x"`},
		{"=<1.2.x", `=< is not an operator, and =<1.2.x would be read as one exact version; write "<=1.2.x"`},
		{"~>1.x", `~> is not an operator, and ~>1.x would be read as one exact version; write ">=1.0.0 <2.0.0"`},
		{"><1.x", `>< is not an operator, and ><1.x would be read as one exact version`},
		{"1.x.x", `1.x.x would be read as 1.0.x; write "1.x"`},
		{"! 1.0.0", `"!" is alone and would be ignored; write "!1.0.0"`},
		{"~ 1.2.3", `"~" is alone and would be ignored; write ">=1.2.3 <1.3.0"`},
		{">=1.0.0 || || >=2.0.0", `nothing is before ||; write ">=1.0.0 || >=2.0.0"`},
		{">=1.0.0 ||", "nothing is after ||"},
		{"|| >=1.0.0", "nothing is before ||"},
		{">= 1.0.0  <2.0.0", ""},
		{"^0.0.3", `^ is not known; write ">=0.0.3 <0.0.4"`},
		{"^0.0", `^ is not known; write ">=0.0.0 <0.1.0"`},
		{"^0", `^ is not known; write ">=0.0.0 <1.0.0"`},
		{"^1", `^ is not known; write ">=1.0.0 <2.0.0"`},
		{"~1", `~ is not known; write ">=1.0.0 <2.0.0"`},
		{">=1.0.0 || >", "nothing is after ||"},
		{"> || 1.0.0", "nothing is before ||"},
		{"> 1.0.0 || < 0.5.0", ""},
		{"latest", `the range cannot be read: "latest"; write parts like >=1.2.0 or 1.x, joined by spaces or by ||`},
		{">=1.0.0 <two", `the range cannot be read: "<two"; write parts like >=1.2.0 or 1.x, joined by spaces or by ||`},
		{">=1.0.0.0", `the range cannot be read: invalid character(s) found in patch number "0.0"; write parts like >=1.2.0 or 1.x, joined by spaces or by ||`},
		{">=01.0.0", `the range cannot be read: major number must not contain leading zeroes "01"; write parts like >=1.2.0 or 1.x, joined by spaces or by ||`},
		{">=1.0.0-", `the range cannot be read: prerelease is empty; write parts like >=1.2.0 or 1.x, joined by spaces or by ||; write ">=1.0.0"`},
		{"<>1.0.0", `the range cannot be read: could not parse comparator "<>" in "<>1.0.0"; write parts like >=1.2.0 or 1.x, joined by spaces or by ||`},
		{">=V1.2.3", `versions are written without a leading v; write ">=1.2.3"`},
		{">=1.0.0,<2.0.0", `parts are joined by spaces, not by commas; write ">=1.0.0 <2.0.0"`},
		{"^1.2.3", `^ is not known; write ">=1.2.3 <2.0.0"`},
		{"^0.2.3", `^ is not known; write ">=0.2.3 <0.3.0"`},
		{"~1.2", `~ is not known; write ">=1.2.0 <1.3.0"`},
		{"1.*", `* is not known; write "1.x"`},
		{"*", `"*" is alone and would be ignored; write ">=0.0.0-0"`},
		{">=v1.2.3", `versions are written without a leading v; write ">=1.2.3"`},
		{"v1.2.3 || =v1.3.0", `versions are written without a leading v; write "1.2.3 || =1.3.0"`},
		{"!=v1.2.3", `versions are written without a leading v; write "!=1.2.3"`},
		{"v1.2", `versions are written without a leading v; write "1.2.x"`},
		{"<1.0.0||>2.0.0", `|| needs a space on both sides; write "<1.0.0 || >2.0.0"`},
	} {
		_, err := ParseRange(c.text)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.err {
			t.Errorf("%q:\n got %s\nwant %s", c.text, got, c.err)
		}
	}
}

func TestAccepts(t *testing.T) {
	for _, c := range []struct {
		text, version string
		want          bool
	}{
		{">=1.0.0", "2.0.0-rc.1", true}, {"<1.0.0", "1.0.0-rc.1", true}, {">=1.31.2", "1.31.2-eks-7f9249a", true},
		{"1.2.x", "v1.2", true}, {">=26.4.4", "26.04.4", true}, {"=1.0.0", "1.0.0+build", true}, {"1.x", "2.0.0", false},
	} {
		r, err := ParseRange(c.text)
		if err != nil {
			t.Fatal(err)
		}
		v, err := version.Parse(c.version)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Accepts(v); got != c.want {
			t.Errorf("%s in %q: got %v", c.version, c.text, got)
		}
	}
}
