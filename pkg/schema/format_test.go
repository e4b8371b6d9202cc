package schema

import (
	"errors"
	"os"
	"path/filepath"
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// documentFormats are the formats of the pack constraints document.
var documentFormats = []string{
	"${string}", "${string:/^([a-z0-9].*)$/}", "${number}", "${number:[5000-5005]}", "${number:/^(500[0-5])$/}",
	"${boolean}", "${password}", "${password:/^([a-z0-9].*)$/}", "${list:[PACK,GIT,CHART]}", "${ipv4}", "${version}",
	"${ipv4} - ${ipv4}", `${string}, ${string:/size=\d+/}`,
}

// mustFormat parses a format that the test needs to be right.
func mustFormat(t testing.TB, literal string) *Format {
	t.Helper()
	f, err := ParseFormat(literal)
	if err != nil {
		t.Fatalf("ParseFormat(%q): %v", literal, err)
	}
	return f
}

// partsOf writes the parts of a format one by one, each as it was understood.
func partsOf(f *Format) []string {
	var parts []string
	for i := range f.parts {
		p := &f.parts[i]
		text := p.name
		switch {
		case p.kind == kindText:
			text = "text " + text
		case p.regex != nil:
			text += " " + p.regex.String()
		case p.bounds != nil:
			text += " " + p.bounds.String()
		case p.kind == kindList:
			text += " " + strings.Join(p.texts, "|")
		}
		parts = append(parts, text)
	}
	return parts
}

func TestParseFormat(t *testing.T) {
	for _, tc := range []struct {
		name, literal string
		want          []string
	}{
		{"one placeholder", "${string}", []string{"string"}},
		{"a composite", "${ipv4} - ${ipv4}", []string{"ipv4", "text  - ", "ipv4"}},
		{"text around", "a${string}b", []string{"text a", "string", "text b"}},
		{"placeholders side by side", "${string}${number}", []string{"string", "number"}},
		{"whitespace in a placeholder", "${ number :\t[ 1 - 10 ] }", []string{"number [1-10]"}},
		{"whitespace before a regex", "${string: / x /}", []string{"string  x "}},
		{"literal dollars and braces", "$a {b} $$${string}}$", []string{"text $a {b} $$", "string", "text }$"}},
		{"a negative range", "${number:[-5--1]}", []string{"number [-5--1]"}},
		{"signs in a range", "${number:[-1-+1]}", []string{"number [-1-+1]"}},
		{"a range of fractions", "${number:[0.5-1.5]}", []string{"number [0.5-1.5]"}},
		{"a range with exponents", "${number:[1e-3-1E3]}", []string{"number [1e-3-1E3]"}},
		{"a range of one number", "${number:[5-5.0]}", []string{"number [5-5.0]"}},
		{"options are trimmed", "${list:[ A , B C,\tD]}", []string{"list A|B C|D"}},
		{"one option", "${list:[A]}", []string{"list A"}},
		{"options with brackets and braces", "${list:[a[0],{b},c}]}", []string{"list a[0]|{b}|c}"}},
		{"a list with a regex", "${list:/^a$/}", []string{"list ^a$"}},
		{"a boolean with a regex", "${boolean:/true/}", []string{"boolean true"}},
		{"an unknown type", "${input}", []string{"input"}},
		{"an unknown type in another case", "${String}", []string{"String"}},
		{"the constraint of an unknown type", "${input:/(/}${ipv6:[x]}${a.b:whatever}b", []string{"input", "ipv6", "a.b", "text b"}},
		{"a brace in the regex of an unknown type", "${input:/[/}]/}b", []string{"input", "text b"}},

		// Where a regex ends.
		{"a regex with repetitions", "${string:/^a{2,3}$/}", []string{"string ^a{2,3}$"}},
		{"a regex that ends in a repetition", "${string:/a{2}/}", []string{"string a{2}"}},
		{"a regex with slashes", "${string:/^a/b/c$/}", []string{"string ^a/b/c$"}},
		{"a regex with a bracket", `${string:/^[^]a]\]$/}`, []string{`string ^[^]a]\]$`}},
		{"a slash and a brace in a class", "${string:/^[/}]$/}", []string{"string ^[/}]$"}},
		{"a slash and a brace in a group", "${string:/^(a/}|b)$/}", []string{"string ^(a/}|b)$"}},
		{"a slash and an escaped brace", `${string:/^a/\}$/}`, []string{`string ^a/\}$`}},
		{"an escaped slash and a brace", `${string:/^a\/}$/}`, []string{`string ^a\/}$`}},
		{"an escaped backslash at the end", `${string:/a\\/}b/}`, []string{`string a\\`, "text b/}"}},
		{"the first end wins", "${string:/a/}b/}", []string{"string a", "text b/}"}},
		{"an open brace is text in a regex", "${string:/a{2/}b}/}", []string{"string a{2", "text b}/}"}},
		{"two regexes", "${string:/a/}/${string:/b/}", []string{"string a", "text /", "string b"}},
		{"two regexes side by side", "${string:/a/}${number:/b/}", []string{"string a", "number b"}},
		{"a dollar and a brace in a regex", `${string:/^\${[A-Z]+}$/}`, []string{`string ^\${[A-Z]+}$`}},
		{"a placeholder-like text in a regex", `${string:/^\${input}$/}`, []string{`string ^\${input}$`}},
		{"a regex without its slash never swallows the next placeholder's", `${input:/a}${string:/b/}`, []string{"input", "string b"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, partsOf(mustFormat(t, tc.literal))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestParseFormatErrors(t *testing.T) {
	for _, tc := range []struct{ name, literal, at, fault string }{
		{"empty", "", "", `got="the format \"\"" want="a placeholder such as ${string}"`},
		{"no placeholder", "5000", "5000", `got="the format \"5000\"" want="a placeholder such as ${string}"`},
		{"a type without its braces", "{ipv4}", "{ipv4}", `got="the format \"{ipv4}\"" want="a placeholder such as ${ipv4}"`},
		{"a placeholder that is not closed", "a ${string", "${string", `got="a placeholder that is not closed" want="\"}\" at its end"`},
		{"a placeholder that is not closed after its colon", "${string: ", "${string: ", `got="a placeholder that is not closed" want="\"}\" at its end"`},
		{"only the start of a placeholder", "a${", "${", `got="a placeholder that is not closed" want="\"}\" at its end"`},
		{"an unknown type that ends in the next placeholder", "${input:x ${string}", "${input:x ${string}", `got="a placeholder that is not closed" want="\"}\" at its end"`},
		{"an unknown type that is not closed", "${input:[x", "${input:[x", `got="a placeholder that is not closed" want="\"}\" at its end"`},
		{"no type", "${}", "}", `got="\"}\"" want="a type: string, password, number, boolean, list, ipv4 or version"`},
		{"no type but a constraint", "${:/a/}", ":/a/}", `got="\":/a/}\"" want="a type: string, password, number, boolean, list, ipv4 or version"`},
		{"no colon", "${string/^a/}", "/^a/}", `got="\"/^a/}\" after the type string" want="\"}\", or \":\" and a constraint"`},
		{"two words", "${string x}", "x}", `got="\"x}\" after the type string" want="\"}\", or \":\" and a constraint"`},
		{"no constraint after the colon", "${number:}", "}", `got="\"}\"" want="one constraint of number: /regex/ or a range such as [1-10]"`},
		{"another constraint", "${string:abc}", "abc}", `got="\"abc}\"" want="one constraint of string: /regex/ (number has ranges, list has options)"`},
		{"another constraint of a list", "${list:A,B}", "A,B}", `got="\"A,B}\"" want="one constraint of list: options such as [A,B] or /regex/"`},

		{"a range on a string", "${string:[1-5]}", "[1-5]}", `got="\"[1-5]}\"" want="one constraint of string: /regex/ (number has ranges, list has options)"`},
		{"a range on a version", "${version:[1-5]}", "[1-5]}", `got="\"[1-5]}\"" want="one constraint of version: /regex/ (number has ranges, list has options)"`},
		{"options on a boolean", "${boolean:[true,false]}", "[true,false]}", `got="\"[true,false]}\"" want="one constraint of boolean: /regex/ (number has ranges, list has options)"`},
		{"options on a number", "${number:[A,B]}", "A,B]}", `got="\"A,B]\"" want="a range such as [1-10], both ends included"`},
		{"numbers as options", "${number:[1,2]}", ",2]}", `got="\",2]\" after 1" want="a range such as [1-10], both ends included (list has options)"`},
		{"an empty range", "${number:[]}", "]}", `got="\"]\"" want="a range such as [1-10], both ends included"`},
		{"one end", "${number:[5]}", "]}", `got="\"]\" after 5" want="a range such as [1-10], both ends included (list has options)"`},
		{"no maximum", "${number:[5-]}", "]}", `got="\"]\"" want="a range such as [1-10], both ends included"`},
		{"three ends", "${number:[1-2-3]}", "-3]}", `got="\"-3\" after the range" want="a range such as [1-10], both ends included"`},
		{"a hexadecimal end", "${number:[0x1-0x9]}", "x1-0x9]}", `got="\"x1-0x9]\" after 0" want="a range such as [1-10], both ends included (list has options)"`},
		{"minimum above maximum", "${number:[10-9]}", "10-9]}", `got="a range from 10 to 9" want="the smaller number first"`},
		{"negative minimum above maximum", "${number:[-1--5]}", "-1--5]}", `got="a range from -1 to -5" want="the smaller number first"`},
		{"fractional minimum above maximum", "${number:[1.5-1.49]}", "1.5-1.49]}", `got="a range from 1.5 to 1.49" want="the smaller number first"`},
		{"a huge exponent", "${number:[1-1e1000000000]}", "1e1000000000]}", `got="the bound \"1e1000000000\"" want="an exponent of at most 1000000"`},
		{"a tiny exponent", "${number:[1e-1000000000-1]}", "1e-1000000000-1]}", `got="the bound \"1e-1000000000\"" want="an exponent of at most 1000000"`},
		{"a range that is not closed", "${number:[1-5}", "[1-5}", `got="a constraint that is not closed" want="\"]}\" at its end"`},
		{"a list without options", "${list}", "}", `got="a list without options" want=${list:[A,B]}`},
		{"empty options", "${list:[]}", "]}", `got="an empty option" want=${list:[A,B]}`},
		{"an empty option", "${list:[A, ,B]}", " ,B]}", `got="an empty option" want=${list:[A,B]}`},
		{"an empty last option", "${list:[A,]}", "]}", `got="an empty option" want=${list:[A,B]}`},
		{"a range and a regex", "${number:[1-5]:/x/}", ":/x/}", `got="\":/x/}\" after the constraint" want="\"}\", because a placeholder has one constraint"`},
		{"a range and a regex, and another list", "${number:[1-5]/x/} ${list:[A]}", "/x/} ${list:[A]}", `got="\"/x/}\" after the constraint" want="\"}\", because a placeholder has one constraint"`},
		{"a regex and a range", "${number:/x/[1-5]}", "/x/[1-5]}", `got="two constraints" want="one constraint of number: /regex/ or a range such as [1-10]"`},
		{"a regex and a range, and another regex", "${number:/x/:[1-5]} ${number:/x/}", "/x/:[1-5]} ${number:/x/}", `got="two constraints" want="one constraint of number: /regex/ or a range such as [1-10]"`},

		{"a regex that is not closed", "${string:/^a$}", "/^a$}", `got="a regex that is not closed" want="\"/}\" at its end"`},
		{"an empty regex", "${string://}", "//}", `got="the invalid regex \"\" (it is empty)" want="the syntax of RE2"`},
		{"an invalid regex", "${string:/a(b/}", "/a(b/}", "got=\"the invalid regex \\\"a(b\\\" (missing closing ): `a(b`)\" want=\"the syntax of RE2\""},
		{"Perl's syntax", "${string:/(?=a)/}", "/(?=a)/}", "got=\"the invalid regex \\\"(?=a)\\\" (invalid or unsupported Perl syntax: `(?=`)\" want=\"the syntax of RE2\""},
		{"an invalid regex of several ends", "${string:/[/}](/}", "/[/}](/}", "got=\"the invalid regex \\\"[/}](\\\" (missing closing ): `[/}](`)\" want=\"the syntax of RE2\""},
		{"an invalid regex does not swallow the next", "${string:/(a/}, ${string:/b)/}", "/(a/}, ${string:/b)/}", "got=\"the invalid regex \\\"(a\\\" (missing closing ): `(a`)\" want=\"the syntax of RE2\""},
		{"an invalid regex does not swallow an unknown type's", "${string:/(a/}, ${input:/b)/}", "/(a/}, ${input:/b)/}", "got=\"the invalid regex \\\"(a\\\" (missing closing ): `(a`)\" want=\"the syntax of RE2\""},
		{"a regex that is too big", "${string:/(a{100}){10}(a{100}){10}(a{100}){10}(a{100}){10}(a{100}){10}(a{100}){10}/}", "/(a{100}){10}(a{100}){10}(a{100}){10}(a{100}){10}(a{100}){10}(a{100}){10}/}", `got="a regex of more than 5000 instructions" want="fewer counted repetitions"`},
		{"regexes that are too big together", strings.Repeat("${string:/(ab?){900}/}", 2), "/(ab?){900}/}", `got="a regex of more than 5000 instructions" want="fewer counted repetitions"`},

		{"too long", "${string}" + strings.Repeat("a", MaxFormatBytes), strings.Repeat("a", len("${string}")), `got="a format of 4105 bytes" want="at most 4096 bytes"`},
		{"too many placeholders", strings.Repeat("${string}", MaxPlaceholders+1), "${string}", `got="one more placeholder" want="at most 64 placeholders"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := ParseFormat(tc.literal)
			var failure *TemplateError
			if !errors.As(err, &failure) {
				t.Fatalf("got %v and error %v, want a *TemplateError", got, err)
			}
			if failure.Offset > len(tc.literal) || tc.literal[failure.Offset:] != tc.at {
				t.Errorf("offset %d, want that of %q", failure.Offset, tc.at)
			}
			if got := strings.TrimSpace(functiontest.Facts([]diag.Finding{failure.Finding})[0]); got != tc.fault {
				t.Errorf("got %s, want %s", got, tc.fault)
			}
		})
	}
	if _, err := ParseFormat(strings.Repeat("${string}", MaxPlaceholders)); err != nil {
		t.Errorf("%d placeholders: %v", MaxPlaceholders, err)
	}
	if _, err := ParseFormat("${string}" + strings.Repeat("a", MaxFormatBytes-len("${string}"))); err != nil {
		t.Errorf("%d bytes: %v", MaxFormatBytes, err)
	}
}

// The size of a regex is estimated, so that a huge one is not compiled.
func TestCharacters(t *testing.T) {
	for pattern, want := range map[string]int{"abc": 3, "[a-z].": 2, "a*b?": 2, "(ab){2,3}": 6, "a{5,}": 5, "a{0,}": 1, "(a{10}){20}": 200, "^$": 0} {
		tree, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if got := characters(tree); got != want {
			t.Errorf("%s: got %d, want %d", pattern, got, want)
		}
	}
}

func TestFormatString(t *testing.T) {
	for literal, want := range map[string]string{
		"${string}":                  "a string",
		"${string:/^a/}":             "a string that matches /^a/",
		"${password}":                "a password",
		"${password:/^.{8,}$/}":      "a password that matches /^.{8,}$/",
		"${number}":                  "a decimal number",
		"${number:[ 5000 - 5005 ]}":  "a number from 5000 to 5005",
		"${boolean}":                 "true or false in lower case",
		"${list:[PACK, GIT,CHART]}":  "PACK, GIT or CHART",
		"${list:/^v/}":               "a string that matches /^v/",
		"${ipv4}":                    "an IPv4 address",
		"${ipv4:/^10/}":              "an IPv4 address that matches /^10/",
		"${version}":                 "a semantic version (such as 1.2.3)",
		"${input}":                   "any value",
		"${ipv4} - ${ipv4}":          "a string of the form ${ipv4} - ${ipv4}",
		"${string:/a\nb/}":           `a string that matches /a\nb/`,
		"${string}\t${string}\u202e": `a string of the form ${string}\t${string}\u202e`,
		"a" + strings.Repeat("é", 200) + "${string}":            "a string of the form a" + strings.Repeat("é", 149) + "...",
		"${list:[" + strings.Repeat("option,", 49) + "option]}": strings.Repeat("option, ", 4) + "option and 45 more",
	} {
		if got := mustFormat(t, literal).String(); got != want {
			t.Errorf("%q:\n got %s\nwant %s", literal, got, want)
		}
	}
}

// Rule V14.
func TestUnknownTypes(t *testing.T) {
	f := mustFormat(t, "${input} ${strng:/(/} ${String} ${input} ${ipv6:[x]} ${number}")
	want := []string{"input", "strng", "String", "ipv6"}
	if diff := cmp.Diff(want, f.Unknown()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, literal := range documentFormats {
		if got := mustFormat(t, literal).Unknown(); got != nil {
			t.Errorf("%s: got %v, want none", literal, got)
		}
	}
}

func TestSecret(t *testing.T) {
	for literal, want := range map[string]bool{
		"${password}": true, "${password:/a/}": true, "user:${password}": true, "${string}:${password}": true,
		"${string}": false, "password ${string}": false, "${passwort}": false,
	} {
		if got := mustFormat(t, literal).Secret(); got != want {
			t.Errorf("%s: got %t", literal, got)
		}
	}
}

// TestCorpusTemplates parses the schemas of public packs.
func TestCorpusTemplates(t *testing.T) {
	files := functiontest.Corpus(t, "packs/*/schema.yaml")
	templates, unknown := 0, map[string]bool{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var schema map[string]struct {
			Schema string `yaml:"schema"`
		}
		name := filepath.Base(filepath.Dir(file))
		if err := yaml.Unmarshal(content, &schema); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for key, constraint := range schema {
			templates++
			template, err := ParseTemplate(constraint.Schema)
			if err != nil {
				t.Errorf("%s: %s: %v", name, key, err)
				continue
			}
			if template.Format == nil {
				continue
			}
			for _, one := range template.Format.Unknown() {
				unknown[one] = true
			}
		}
	}
	t.Logf("%d templates of %d packs parsed, unknown types %v", templates, len(files), unknown)
	if templates == 0 {
		t.Error("the corpus has schemas but no templates")
	}
}

func FuzzParseFormat(f *testing.F) {
	for _, literal := range documentFormats {
		f.Add(literal)
	}
	for _, literal := range []string{
		"${string}/${string}:${version}", "${number:[-5--1]}", "${number:[1e5-1e6]}", "${list:[a,b]c]}", "${input:/(/}", `${string:/\/}[/}]/}`, "${", "${string:/(/}${string:/)/}", "${number:[1-1e99999999999]}",
		"${string:/(a{9}){9}/}",
	} {
		f.Add(literal)
	}
	f.Fuzz(func(t *testing.T, literal string) {
		format, err := ParseFormat(literal)
		if err != nil {
			var failure *TemplateError
			if !errors.As(err, &failure) || failure.Offset < 0 || failure.Offset > len(literal) || failure.Finding.Found == "" || strings.ContainsAny(failure.Error(), "\r\n") {
				t.Fatalf("%q: %#v, want an offset in the format and a reason of one line", literal, err)
			}
			return
		}
		if strings.ContainsAny(format.String(), "\r\n") || format.String() == "" {
			t.Errorf("%q: String is %q, want one line", literal, format)
		}
		// The parts, written as a format again, parse to the same parts.
		var again strings.Builder
		for i := range format.parts {
			p := &format.parts[i]
			switch {
			case p.kind == kindText:
				again.WriteString(p.name)
			case p.regex != nil:
				again.WriteString("${" + p.name + ":/" + p.regex.String() + "/}")
			case p.bounds != nil:
				again.WriteString("${" + p.name + ":" + p.bounds.String() + "}")
			case p.kind == kindList:
				again.WriteString("${" + p.name + ":[" + strings.Join(p.texts, ",") + "]}")
			default:
				again.WriteString("${" + p.name + "}")
			}
		}
		if again.Len() > MaxFormatBytes {
			return
		}
		second, err := ParseFormat(again.String())
		if err != nil {
			t.Fatalf("%q: written again as %q: %v", literal, again.String(), err)
		}
		if diff := cmp.Diff(partsOf(format), partsOf(second)); diff != "" {
			t.Fatalf("%q: written again as %q:\n%s", literal, again.String(), diff)
		}
	})
}

func (n *numberRange) String() string { return "[" + n.low.text + "-" + n.high.text + "]" }
