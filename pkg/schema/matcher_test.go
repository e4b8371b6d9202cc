package schema

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
)

// textScalar and plainScalar are the two sorts of scalars: what YAML reads as a string, and
// the source text of anything else.
func textScalar(s string) Scalar  { return Scalar{Text: s, IsString: true} }
func plainScalar(s string) Scalar { return Scalar{Text: s} }

// verdict is one value and whether it has the format.
type verdict struct {
	v    Scalar
	want bool
}

func accepted(values ...Scalar) (js []verdict) {
	for _, v := range values {
		js = append(js, verdict{v, true})
	}
	return js
}

func refused(values ...Scalar) (js []verdict) {
	for _, v := range values {
		js = append(js, verdict{v, false})
	}
	return js
}

// Rules V5 and V7 to V14, each by values that another reading of it would check
// differently.
func TestMatch(t *testing.T) {
	thousand := strings.Repeat("1", 1000)
	for _, tc := range []struct {
		name, format string
		values       [][]verdict
	}{
		{"V5: the empty text is for required", "${number:[1-10]}", [][]verdict{accepted(textScalar(""), plainScalar(""))}},
		{"V5: the empty text under a composite", "${ipv4} - ${ipv4}", [][]verdict{accepted(textScalar(""))}},

		{"V7: string", "${string}", [][]verdict{accepted(textScalar("a"), textScalar("5"), textScalar("true"), textScalar("é\n")), refused(plainScalar("5"), plainScalar("true"), plainScalar("2020-01-01"), plainScalar(".inf"))}},
		{"V7: string with a regex", "${string:/5/}", [][]verdict{accepted(textScalar("5")), refused(plainScalar("5"), textScalar("4"))}},
		{"V7: password", "${password}", [][]verdict{accepted(textScalar("a"), textScalar("5")), refused(plainScalar("5"), plainScalar("true"))}},

		{"V8: number", "${number}", [][]verdict{
			accepted(plainScalar("5"), textScalar("5"), textScalar("-5"), textScalar("+5"), textScalar("0.5"), textScalar(".5"), textScalar("5."), textScalar("1e5"), textScalar("1E+5"), textScalar("-1.5e-5"), textScalar("007"), textScalar("0"), textScalar("1e1000000000"), textScalar(thousand)),
			refused(textScalar("a"), textScalar("0x10"), textScalar("0o10"), textScalar("1_000"), textScalar("1,000"), textScalar(".inf"), textScalar("-.inf"), textScalar(".nan"), textScalar("NaN"), textScalar("Infinity"), textScalar("."), textScalar("-"), textScalar("e5"), textScalar("1e"), textScalar("1e+"), textScalar("1e5.0"), textScalar("--5"), textScalar("5 "), textScalar(" 5"), textScalar("5\n"), textScalar("1.2.3"), textScalar("٥"), plainScalar("true")),
		}},
		{"V8: boolean", "${boolean}", [][]verdict{
			accepted(plainScalar("true"), textScalar("true"), plainScalar("false"), textScalar("false")),
			refused(plainScalar("True"), plainScalar("TRUE"), textScalar("yes"), plainScalar("1"), textScalar("on"), textScalar("true "), textScalar("truefalse")),
		}},
		{"V8: boolean with a regex", "${boolean:/^t/}", [][]verdict{accepted(plainScalar("true")), refused(plainScalar("false"))}},

		{"V9: both ends", "${number:[5000-5005]}", [][]verdict{
			accepted(plainScalar("5000"), plainScalar("5005"), textScalar("5001"), plainScalar("5000.0"), plainScalar("5.005e3"), plainScalar("500000e-2"), plainScalar("05000"), plainScalar("5004.999")),
			refused(plainScalar("4999"), plainScalar("5006"), plainScalar("5005.0000000000000000000000001"), plainScalar("4999.99999999999999999999999"), plainScalar("-5000"), plainScalar("5e1000000000"), plainScalar("5000e-99999999999999999999"), textScalar("500x"), plainScalar("true"), plainScalar("0"), plainScalar("50000"), plainScalar("500")),
		}},
		{"V9: negative ends", "${number:[-5--1]}", [][]verdict{accepted(plainScalar("-5"), plainScalar("-1"), plainScalar("-1.0"), plainScalar("-4.5"), plainScalar("-10e-1")), refused(plainScalar("-5.01"), plainScalar("-0.99"), plainScalar("1"), plainScalar("5"), plainScalar("0"), plainScalar("-1e9999999999"))}},
		{"V9: fractional ends", "${number:[0.5-1.5]}", [][]verdict{accepted(plainScalar(".5"), plainScalar("0.50"), plainScalar("1"), plainScalar("1.5"), plainScalar("150e-2")), refused(plainScalar("0.49"), plainScalar("1.51"), plainScalar("0"), plainScalar("-1"), plainScalar("15"), plainScalar("0.05"))}},
		{"V9: beyond what a float can tell", "${number:[0-0.1]}", [][]verdict{accepted(plainScalar("0.1"), plainScalar("0.1000000000000000000")), refused(plainScalar("0.10000000000000000001"))}},
		{"V9: fewer digits than the ends", "${number:[1.25-1.5]}", [][]verdict{accepted(plainScalar("1.25"), plainScalar("1.3"), plainScalar("1.5")), refused(plainScalar("1.2"), plainScalar("1"), plainScalar("1.51"))}},
		{"V9: exponents that no machine word holds", "${number:[1-10]}", [][]verdict{accepted(plainScalar("5e0")), refused(plainScalar("5e18446744073709551616"), plainScalar("5e-18446744073709551616"), plainScalar("5e281474976710656"))}},
		{"V9: exponents beyond a range that holds zero", "${number:[0-10]}", [][]verdict{accepted(plainScalar("5e-18446744073709551616"), plainScalar("5e-9223372036854775808")), refused(plainScalar("5e18446744073709551616"), plainScalar("5e9223372036854775807"), plainScalar("-5e-9223372036854775808"))}},
		{"V9: zero has no sign", "${number:[0-0]}", [][]verdict{accepted(plainScalar("0"), plainScalar("-0"), plainScalar("+0.00e5"), plainScalar("0e1000000000")), refused(plainScalar("1"), plainScalar("-1"), plainScalar("1e-1000000000"))}},
		{"V9: numbers with exponents as ends", "${number:[1e-3-1e3]}", [][]verdict{accepted(plainScalar("0.001"), plainScalar("1000")), refused(plainScalar("0.0009"), plainScalar("1001"))}},
		{"V9: a range and a long number", "${number:[1-10]}", [][]verdict{accepted(plainScalar(strings.Repeat("0", 1000)+"5"), plainScalar("5"+strings.Repeat("0", 1000)+"e-1000")), refused(plainScalar(thousand))}},

		{"V10: list", "${list:[PACK, GIT,A B]}", [][]verdict{
			accepted(textScalar("PACK"), textScalar("GIT"), textScalar("A B")),
			refused(textScalar("pack"), textScalar("PAC"), textScalar("PACK,GIT"), textScalar(" GIT"), textScalar("GIT "), textScalar("A"), plainScalar("5")),
		}},
		{"V10: options that are not strings", "${list:[1,true]}", [][]verdict{accepted(plainScalar("1"), textScalar("1"), plainScalar("true")), refused(plainScalar("1.0"), plainScalar("True"))}},

		{"V11: ipv4", "${ipv4}", [][]verdict{
			accepted(textScalar("10.10.10.10"), textScalar("0.0.0.0"), textScalar("255.255.255.255")),
			refused(textScalar("256.0.0.1"), textScalar("10.0.0"), textScalar("10.0.0.0.1"), textScalar("010.0.0.1"), textScalar("10.0.0.00"), textScalar("10.0.0.0/8"), textScalar("::1"), textScalar("::ffff:10.0.0.1"), textScalar("10.0.0.1 "), plainScalar("10.0"), textScalar("1.2.3.4%a")),
		}},
		{"V11: version", "${version}", [][]verdict{
			accepted(textScalar("18446744073709551615.0.0"), textScalar("1.18.0"), textScalar("0.0.0"), textScalar("1.2.3-rc.1+build.5")),
			refused(textScalar("18446744073709551616.0.0"), textScalar("1.18"), plainScalar("1.18"), textScalar("v1.18.0"), textScalar("01.1.1"), textScalar("1.2.3-01"), textScalar("1.2.3-"), textScalar("1.2.3+"), textScalar("1.2.3 "), textScalar("latest"), textScalar("1.2.3.4")),
		}},

		{"V12: a regex is not anchored", `${string:/size=\d+/}`, [][]verdict{accepted(textScalar("size=150"), textScalar("a size=1 b")), refused(textScalar("size=s"))}},
		{"V12: a regex with anchors", "${number:/^(500[0-5])$/}", [][]verdict{accepted(plainScalar("5000"), textScalar("5005")), refused(plainScalar("5006"), plainScalar("15000"), plainScalar("50000"))}},
		{"V12: number and regex both count", "${number:/5/}", [][]verdict{accepted(plainScalar("150")), refused(textScalar("a5"), plainScalar("1"))}},
		{"V12: password with a regex", "${password:/^([a-z0-9].*)$/}", [][]verdict{accepted(textScalar("secret")), refused(textScalar("Secret"), plainScalar("5"))}},
		{"V12: ipv4 with a regex", "${ipv4:/^10\\./}", [][]verdict{accepted(textScalar("10.0.0.1")), refused(textScalar("11.0.0.1"), textScalar("10.0.0"))}},
		{"V12: version with a regex", "${version:/^1\\./}", [][]verdict{accepted(textScalar("1.2.3")), refused(textScalar("2.2.3"), textScalar("1.2"))}},
		{"V12: list with a regex instead of options", "${list:/^(v1|v2)$/}", [][]verdict{accepted(textScalar("v1"), textScalar("v2")), refused(textScalar("v3"))}},

		{"V13: two addresses", "${ipv4} - ${ipv4}", [][]verdict{
			accepted(textScalar("10.10.10.10 - 10.10.10.255")),
			refused(textScalar("10.10.10.10"), textScalar("10.0.0.1-10.0.0.9"), textScalar("10.10.10.10 -  10.10.10.255"), textScalar("10.10.10.10 - 10.10.10.256"), textScalar(" - "), textScalar("10.10.10.10 - 10.10.10.255\n")),
		}},
		{"V13: the document's storage type", `${string}, ${string:/size=\d+/}`, [][]verdict{
			accepted(textScalar("type-zeroedthick, size=150"), textScalar("a, b, size=1"), textScalar("size=1, size=2, x")),
			refused(textScalar("type-zeroedthick, size=s"), textScalar("size=150"), textScalar("size=150, "), textScalar(", size=150"), textScalar("size=150, x")),
		}},
		{"V13: some split", "${string}/${string}:${version}", [][]verdict{
			accepted(textScalar("localhost:5000/a/b:1.1.1"), textScalar("a/b:c:1.0.0")),
			refused(textScalar("localhost:5000/a/b"), textScalar("/b:1.1.1"), textScalar("a/:1.1.1"), textScalar("a/b:v1.1.1"), textScalar("a/b:1.1.1 ")),
		}},
		{"V13: a segment is not empty", "a${string}b", [][]verdict{accepted(textScalar("axb"), textScalar("aab"), textScalar("abb")), refused(textScalar("ab"), textScalar("a"), textScalar("b"))}},
		{"V13: a regex that matches the empty text", "a${string:/^x*$/}b", [][]verdict{accepted(textScalar("axb")), refused(textScalar("ab"), textScalar("ayb"))}},
		{"V13: string takes any source text in a composite", "${string}m", [][]verdict{accepted(textScalar("5m"), plainScalar("5m")), refused(textScalar("5"))}},
		{"V13: placeholders side by side", "${number:[1-12]}${number:[1-12]}", [][]verdict{accepted(plainScalar("1212"), plainScalar("11"), plainScalar("112")), refused(plainScalar("1"), plainScalar("00"), plainScalar("13"+"13"+"1"))}},
		{"V13: the regex sees its segment only", `${string:/^b$/}${string:/^c/}`, [][]verdict{accepted(textScalar("bc"), textScalar("bcd")), refused(textScalar("abc"), textScalar("bbc"))}},
		{"V13: word boundaries at the ends of a segment", `${string:/\bb\b/}${string:/\bc\b/}`, [][]verdict{accepted(textScalar("bc"), textScalar("b c")), refused(textScalar("bbc"))}},
		{"V13: regexes are not joined", `${string:/a|b/}c`, [][]verdict{accepted(textScalar("ac"), textScalar("xbc")), refused(textScalar("a"), textScalar("xc"))}},
		{"V13: groups and flags end with their regex", `${string:/(?i)^(a)$/}${string:/^(b)$/}`, [][]verdict{accepted(textScalar("Ab")), refused(textScalar("AB"))}},
		{"V13: lines are those of the segment", `${string:/(?m)^a$/};${string:/(?m)^b$/}`, [][]verdict{accepted(textScalar("x\na;b\ny"), textScalar("a;b")), refused(textScalar("xa;b"), textScalar("a;by"))}},
		{"V13: numbers take fractions and exponents apart", "${number}.${number}", [][]verdict{accepted(plainScalar("1.5"), textScalar("1.5.2"), textScalar("1e5.2")), refused(plainScalar("1"), textScalar("a.5"), plainScalar("1."))}},
		{"V13: booleans and lists", "${boolean}-${list:[a,ab]}${string:/^b?c$/}", [][]verdict{accepted(textScalar("true-abc"), textScalar("false-ac")), refused(textScalar("true-ab"), textScalar("True-abc"), textScalar("true-abbbc"))}},
		{"V13: a boolean that its regex excludes", "${boolean:/x/}-", [][]verdict{refused(textScalar("true-"), textScalar("x-"))}},
		{"V13: a multi-byte character is not split", "${string:/^.$/}${string:/^.$/}", [][]verdict{accepted(textScalar("é數"), textScalar("\xff\xfe")), refused(textScalar("é"), textScalar("數"))}},
		{"V13: text does not end within a character", "\xe2${string}", [][]verdict{accepted(textScalar("\xe2a")), refused(textScalar("€"))}},
		{"V13: a password in a composite", "user:${password}", [][]verdict{accepted(textScalar("user:5")), refused(textScalar("user:"))}},
		{"V13: a ranged number has at most 64 characters", "${number:[1-10]};", [][]verdict{
			accepted(textScalar(strings.Repeat("0", 63) + "5;")),
			refused(textScalar(strings.Repeat("0", 64)+"5;"), textScalar("11;"), textScalar("5"+strings.Repeat("0", 70)+";")),
		}},
		{"V13: a ranged number whose exponent comes late", "${number:[1-10]};", [][]verdict{accepted(textScalar("500e-2;"), textScalar("1000e-3;"), textScalar(strings.Repeat("5", 50)+"e-49;")), refused(textScalar("500e-3;"), textScalar("500;"))}},
		{"V13: ranged numbers before a long run of digits", "${string}${number:[1-1]}${number:[5-5]};${string}", [][]verdict{accepted(textScalar("x1500e-2;" + strings.Repeat("9", 70)))}},
		{"V13: an address with a regex", "${string}-${ipv4:/^1.*1$/}.x", [][]verdict{accepted(textScalar("a-10.0.0.1.x")), refused(textScalar("a-20.0.0.1.x"), textScalar("a-10.0.0.2.x"), textScalar("1-20.0.0.1.x"))}},
		{"V13: the shortest and the longest address", "${ipv4}-${ipv4}", [][]verdict{accepted(textScalar("0.0.0.0-255.255.255.255"), textScalar("255.255.255.255-0.0.0.0"))}},
		{"V13: the longest version", "v${version}", [][]verdict{accepted(textScalar("v1.2.3-" + strings.Repeat("a", 250))), refused(textScalar("v1.2.3-" + strings.Repeat("a", 251)))}},
		{"V13: ^ is the beginning of the segment", "${string}${string:/^b/}", [][]verdict{accepted(textScalar("aab")), refused(textScalar("aa"))}},
		{"V13: (?m)^ is the beginning of the segment", "${string}${string:/(?m)^b/}", [][]verdict{accepted(textScalar("aab")), refused(textScalar("aa"))}},
		{"V13: \\b is the beginning of the segment", `${string}${string:/\bb/}`, [][]verdict{accepted(textScalar("aab")), refused(textScalar("aa"))}},
		{"V13: \\B is the beginning of the segment", `${string}${string:/\B-/}`, [][]verdict{accepted(textScalar("aa-")), refused(textScalar("aa"))}},
		{"V13: $ is the end of the segment", "${string:/b$/}${string}", [][]verdict{accepted(textScalar("baa")), refused(textScalar("aa"))}},
		{"V13: (?m)$ is the end of the segment", "${string:/(?m)b$/}${string}", [][]verdict{accepted(textScalar("baa")), refused(textScalar("aa"))}},
		{"V13: \\b is the end of the segment", `${string:/b\b/}${string}`, [][]verdict{accepted(textScalar("baa")), refused(textScalar("aa"))}},
		{"V13: \\B is the end of the segment", `${string:/-\B/}${string}`, [][]verdict{accepted(textScalar("-aa")), refused(textScalar("aa"))}},

		{"V14: an unknown type", "${input}", [][]verdict{accepted(textScalar("a"), plainScalar("5"), plainScalar("true"), plainScalar("null"))}},
		{"V14: an unknown type with a constraint", "${input:/^a$/}", [][]verdict{accepted(textScalar("b"))}},
		{"V14: an unknown type in a composite", "${input}:${number}", [][]verdict{accepted(textScalar("a:5")), refused(textScalar("a:b"), textScalar(":5"))}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := mustFormat(t, tc.format)
			for _, js := range tc.values {
				for _, j := range js {
					if got := f.Match(j.v) == nil; got != j.want {
						t.Errorf("%s: %q (string: %t): match is %t, want %t", tc.format, j.v.Text, j.v.IsString, got, j.want)
					}
				}
			}
		})
	}
}

// mismatch is a finding of a format as the tests compare it; zero for none.
type mismatch struct {
	Want, Got string
	// Shown says that Got is the value.
	Shown        bool
	Nearest, Fix string
	Proposed     string
}

func mismatchOf(f *diag.Finding) mismatch {
	if f == nil {
		return mismatch{}
	}
	m := mismatch{Want: f.Accepted, Got: f.Found, Shown: f.Current == f.Found, Nearest: f.Nearest, Fix: f.Action}
	m.Proposed, _ = f.Proposed.(string)
	return m
}

// Rule V20: what a message says about a value, and when it shows the value.
func TestMismatch(t *testing.T) {
	const version = "a semantic version (such as 1.2.3)"
	for _, tc := range []struct {
		name, format string
		v            Scalar
		want         mismatch
	}{
		{"a number is shown under number", "${number:[5000-5005]}", plainScalar("70000"), mismatch{Want: "a number from 5000 to 5005", Got: "70000", Shown: true}},
		{"also in quotes", "${number:[5000-5005]}", textScalar("-7e4"), mismatch{Want: "a number from 5000 to 5005", Got: "-7e4", Shown: true}},
		{"also with a regex", "${number:/^5/}", plainScalar("4"), mismatch{Want: "a decimal number that matches /^5/", Got: "4", Shown: true}},
		{"an address is shown under ipv4", "${ipv4}", textScalar("10.0.0.256"), mismatch{Want: "an IPv4 address", Got: "10.0.0.256", Shown: true}},
		{"digits are shown under version", "${version}", plainScalar("1.18"), mismatch{Want: version, Got: "1.18", Shown: true}},
		{"letters are not shown under number", "${number}", textScalar("70000x"), mismatch{Want: "a decimal number", Got: "a string of 6 characters"}},
		{"letters are not shown under version", "${version}", textScalar("latest"), mismatch{Want: version, Got: "a string of 6 characters"}},
		{"whitespace is not shown", "${number}", textScalar("7 7"), mismatch{Want: "a decimal number", Got: "a string of 3 characters"}},
		{"very many digits are not shown", "${number:[1-2]}", plainScalar(strings.Repeat("7", 65)), mismatch{Want: "a number from 1 to 2", Got: "a number"}},
		{"a number is not shown under list", "${list:[A,B]}", plainScalar("123456"), mismatch{Want: "A or B", Got: "a number"}},
		{"a number is not shown under string", "${string}", plainScalar("123456"), mismatch{Want: "a string", Got: "a number", Fix: "put it in quotes"}},
		{"a number is not shown under a regex", "${string:/^a/}", textScalar("123456"), mismatch{Want: "a string that matches /^a/", Got: "a string of 6 characters"}},
		{"a number is not shown in a composite", "${number}-${number}", plainScalar("123456"), mismatch{Want: "a string of the form ${number}-${number}", Got: "a number"}},
		{"a number is not shown beside text", "${number}m", plainScalar("123456"), mismatch{Want: "a string of the form ${number}m", Got: "a number"}},
		{"a message says nothing about a password", "${password:/^a/}", textScalar("secret"), mismatch{Want: "a password that matches /^a/", Got: "a string"}},
		{"nor in a composite", "user:${password}", textScalar("secret"), mismatch{Want: "a string of the form user:${password}", Got: "a string"}},
		{"a password that is a number", "${password}", plainScalar("123456"), mismatch{Want: "a password", Got: "a number", Fix: "put it in quotes"}},

		{"a boolean", "${string}", plainScalar("true"), mismatch{Want: "a string", Got: "a boolean", Fix: "put it in quotes"}},
		{"hexadecimal", "${number}", plainScalar("0x1F"), mismatch{Want: "a decimal number", Got: "a number that is not decimal", Fix: "write the number in decimal, with digits, a sign, a point and an exponent only"}},
		{"hexadecimal in quotes", "${number:[1-50]}", textScalar("0x1F"), mismatch{Want: "a number from 1 to 50", Got: "a string of 4 characters", Fix: "write the number in decimal, with digits, a sign, a point and an exponent only"}},
		{"underscores", "${number:[1-50]}", plainScalar("1_0"), mismatch{Want: "a number from 1 to 50", Got: "a number that is not decimal", Fix: "write the number in decimal, with digits, a sign, a point and an exponent only"}},
		{"infinity", "${number}", plainScalar("-.Inf"), mismatch{Want: "a decimal number", Got: "a number that is not decimal", Fix: "write the number in decimal, with digits, a sign, a point and an exponent only"}},
		{"underscores alone", "${number}", textScalar("_1_"), mismatch{Want: "a decimal number", Got: "a string of 3 characters"}},
		{"null", "${number}", plainScalar("~"), mismatch{Want: "a decimal number", Got: "null"}},
		{"a date", "${number}", plainScalar("2020-01-01T00:00:00Z"), mismatch{Want: "a decimal number", Got: "an unquoted value that is not a string"}},
		{"characters, not bytes", "${number}", textScalar("é"), mismatch{Want: "a decimal number", Got: "a string of 1 character"}},
		{"a line break", "${string}-${number}", textScalar("a-5\n"), mismatch{Want: "a string of the form ${string}-${number}", Got: "a string of 4 characters with a line break at the end"}},
		{"whitespace", "${string}-${number}", textScalar("a-5 "), mismatch{Want: "a string of the form ${string}-${number}", Got: "a string of 4 characters with whitespace around it"}},

		{"the nearest option", "${list:[Delete,Retain]}", textScalar("Retian"), mismatch{Want: "Delete or Retain", Got: "a string of 6 characters", Nearest: "Retain"}},
		{"no option is near", "${list:[Delete,Retain]}", textScalar("hunter2"), mismatch{Want: "Delete or Retain", Got: "a string of 7 characters"}},
		{"an option in another case", "${list:[Delete,Retain]}", textScalar("retain"), mismatch{Want: "Delete or Retain", Got: "a string of 6 characters", Nearest: "Retain", Fix: "use the same letter case", Proposed: "Retain"}},
		{"an option with a line break", "${list:[Delete,Retain]}", textScalar("Retain\n"), mismatch{Want: "Delete or Retain", Got: "a string of 7 characters with a line break at the end", Nearest: "Retain", Fix: "remove the whitespace around the value", Proposed: "Retain"}},
		{"no nearest for a very long value", "${list:[" + strings.Repeat("a", 200) + "]}", textScalar(strings.Repeat("a", 199)), mismatch{Want: strings.Repeat("a", 200), Got: "a string of 199 characters"}},

		{"True", "${boolean}", plainScalar("True"), mismatch{Want: "true or false in lower case", Got: "a boolean", Fix: "write true", Proposed: "true"}},
		{"no", "${boolean}", textScalar("no"), mismatch{Want: "true or false in lower case", Got: "a string of 2 characters", Fix: "write false", Proposed: "false"}},
		{"Yes", "${boolean}", textScalar("Yes"), mismatch{Want: "true or false in lower case", Got: "a string of 3 characters", Fix: "write true", Proposed: "true"}},
		{"ON", "${boolean}", textScalar("ON"), mismatch{Want: "true or false in lower case", Got: "a string of 2 characters", Fix: "write true", Proposed: "true"}},
		{"FALSE", "${boolean}", plainScalar("FALSE"), mismatch{Want: "true or false in lower case", Got: "a boolean", Fix: "write false", Proposed: "false"}},
		{"off", "${boolean}", textScalar("off"), mismatch{Want: "true or false in lower case", Got: "a string of 3 characters", Fix: "write false", Proposed: "false"}},
		{"maybe", "${boolean}", textScalar("maybe"), mismatch{Want: "true or false in lower case", Got: "a string of 5 characters"}},
		{"a boolean that its regex excludes", "${boolean:/false/}", textScalar("yes"), mismatch{Want: "true or false that matches /false/", Got: "a string of 3 characters"}},
		{"a leading v", "${version}", textScalar("v1.2.3"), mismatch{Want: version, Got: "a string of 6 characters", Fix: "remove the leading v", Proposed: "1.2.3"}},
		{"a leading v before what is not shown", "${version}", textScalar("v1.2.3-token"), mismatch{Want: version, Got: "a string of 12 characters", Fix: "remove the leading v"}},
		{"a prefix length", "${ipv4}", textScalar("10.0.0.0/8"), mismatch{Want: "an IPv4 address", Got: "a string of 10 characters", Fix: "remove the prefix length", Proposed: "10.0.0.0"}},
		{"whitespace around a number", "${number:[1-5]}", textScalar(" 5\n"), mismatch{Want: "a number from 1 to 5", Got: "a string of 3 characters with a line break at the end", Fix: "remove the whitespace around the value", Proposed: "5"}},
		{"whitespace around another number", "${number:[1-5]}", textScalar(" 6 "), mismatch{Want: "a number from 1 to 5", Got: "a string of 3 characters with whitespace around it"}},
		{"whitespace around text", "${string:/^a$/}", textScalar("a\n"), mismatch{Want: "a string that matches /^a$/", Got: "a string of 2 characters with a line break at the end", Fix: "remove the whitespace around the value"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := mismatchOf(mustFormat(t, tc.format).Match(tc.v)); got != tc.want {
				t.Errorf("\n got %+v\nwant %+v", got, tc.want)
			}
		})
	}
}

// TestMatchDoesNotAllocate: one placeholder checks a value without a trace,
// but for versions, which the semver package parses into an object.
func TestMatchDoesNotAllocate(t *testing.T) {
	for format, value := range map[string]string{
		"${string}": "a", "${string:/^a/}": "a", "${number}": "5", "${number:[1-10]}": "5", "${boolean}": "true",
		"${list:[A,B]}": "B", "${ipv4}": "10.0.0.1", "${input}": "a",
	} {
		f := mustFormat(t, format)
		if n := testing.AllocsPerRun(10, func() { f.Match(textScalar(value)) }); n > 0 {
			t.Errorf("%s: %v allocations", format, n)
		}
	}
}
