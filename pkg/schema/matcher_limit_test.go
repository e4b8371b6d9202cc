package schema

import (
	"strings"
	"testing"
)

// hostile are composites with the values that cost them most; no value fits, so
// no match ends early.
var hostile = []struct{ name, format, unit string }{
	{"digits/numbers", strings.Repeat("${number}", 63) + "x", "1"},
	{"digits/numbers and strings", strings.Repeat("${string}${number}", 31) + "x", "1"},
	{"digits/ranges", "${string}${number:[1-99]}${number:[0-1e70]}${string}x", "1"},
	{"digits/number and regex", "${string}${number:/5(1|11)*$/}${string}x", "1"},
	{"digits/zeros", "${string}${number:[1-99]}${string}x", "0"},
	{"slashes/image", "${string}/${string}:${version}", "/"},
	{"slashes/strings", strings.Repeat("${string}/", 32) + "x", "/"},
	{"slashes/regexes", strings.Repeat(`${string:/\B$/}/`, 32) + "x", "/"},
	{"a/regexes", "${string:/a+$/}${string:/^(a|aa)*b$/}${string:/a/}", "a"},
	{"a/nested", "${string:/^(a+)+$/}${string:/^(a|aa)+$/}${string:/(a*)*b/}", "a"},
	{"a/nested in the middle", "${string}${string:/^(a+)+$/}${string:/^((a|aa)+)*$/}${string}b", "a"},
	{"a/anchors", `${string:/^(a|a)*\b/}${string:/(?m)(a*)*$/}${string:/b/}`, "a"},
	{"a/counted", "${string:/^a{1,50}$/}${string:/^(a{5}){1,9}$/}${string:/b/}", "a"},
	{"a/huge", "${string}${string:/^(a{1,100}b?){1,10}$/}${string}x", "a"},
	{"a/huge on the left", "${string}${string:/(a{1,100}b?){1,10}c$/}${string}x", "a"},
	{"a/huge on the right", "${string}${string:/^(a{1,100}b?){1,10}c/}${string}x", "a"},
	{"a/text", "${string}" + strings.Repeat("a", 200) + "${string}b", "a"},
	{"a/options", "${string}${list:[" + strings.Repeat("a,", 1700) + strings.Repeat("b", 500) + "]}${string}b", "a"},
	{"versions", strings.Repeat("${string}${version}", 31) + "x", "1.1.1-"},
	{"versions/regex", "${string}${version:/^1.*9$/}${string}x", "1.1.1-"},
	{"addresses", "${string}${ipv4}${ipv4:/9$/}${string}x", "1.1.1.1."},
	{"runes", `${string:/\b(é|a)+$/}x`, "éa"},
	{"not UTF-8", `${string:/.$/}x`, "\xff\xe2"},
}

// TestCompositesStayFast: twice the size takes eight times as many steps, because a
// segment has two ends and a length, and again as many if fewer parts fit into the half.
func TestCompositesStayFast(t *testing.T) {
	for _, tc := range hostile {
		f := mustFormat(t, tc.format)
		steps := func(size int) int {
			s := splitter{text: strings.Repeat(tc.unit, size/len(tc.unit)), most: maxCompositeSteps}
			if s.split(f.parts) && s.steps <= maxCompositeSteps {
				t.Errorf("%s: got a match, so the match ends early", tc.name)
			}
			return s.steps
		}
		less, more := steps(MaxCompositeBytes/4), steps(MaxCompositeBytes/2)
		if t.Logf("%s: %d and %d steps", tc.name, less, more); more > 2*8*less+20_000 {
			t.Errorf("%s: got %d and %d steps, want 16 times as many at most", tc.name, less, more)
		}
	}
}

// TestCompositeSteps counts steps, which do not depend on the machine: each part
// tries each segment once at most.
func TestCompositeSteps(t *testing.T) {
	for _, tc := range hostile {
		f := mustFormat(t, tc.format)
		s := splitter{text: strings.Repeat(tc.unit, 100/len(tc.unit)), most: maxCompositeSteps}
		s.split(f.parts)
		n, limit := len(s.text), 0
		for i := range f.parts {
			limit += f.parts[i].segments.cost * n * (n + 1) * (n + 2) / 6
		}
		if t.Logf("%s: %d of %d steps", tc.name, s.steps, limit); s.steps > limit {
			t.Errorf("%s: got %d steps, want %d at most", tc.name, s.steps, limit)
		}
	}
}

// A composite checks values up to a length.
func TestCompositeLimit(t *testing.T) {
	longest := strings.Repeat("a", MaxCompositeBytes-len("/b")) + "/b"
	if m := mustFormat(t, "${string}/${string}").Match(textScalar(longest)); m != nil {
		t.Errorf("%d bytes: got %+v, want a match", len(longest), m)
	}
	const fix = "shorten the value to 512 bytes"
	for _, tc := range []struct {
		name, format     string
		v                Scalar
		want, found, fix string
	}{
		{"text", "${string}/${string}", textScalar("a" + longest), "a string of the form ${string}/${string}", "a string of 513 characters", fix},
		{"bytes, not characters", "${string}/${string}", textScalar(strings.Repeat("é", 300)), "a string of the form ${string}/${string}", "a string of 300 characters", fix},
		{"a password", "${string}/${password}", textScalar("a" + longest), "a string of the form ${string}/${password}", "a string", fix},
		{"1 MB", "${string}/${string}", textScalar(strings.Repeat("/", 1<<20)), "a string of the form ${string}/${string}", "a string of 1048576 characters", fix},
		{"digits are not shown", "${number}${number}", plainScalar(strings.Repeat("1", 513)), "a string of the form ${number}${number}", "a number", fix},
		{"too many steps", "${string}${string:/^(a{1,100}b?){1,10}$/}${string}x", textScalar(strings.Repeat("a", 511) + "x"), "a string of the form ${string}${string:/^(a{1,100}b?){1,10}$/}${string}x", "a string of 512 characters", "shorten the value, or simplify the format"},
		{"a version", "${version}", textScalar("1.2.3-" + strings.Repeat("a", 251)), "a semantic version (such as 1.2.3)", "a string of 257 characters", "shorten the value to 256 bytes"},
	} {
		m := mustFormat(t, tc.format).Match(tc.v)
		if m == nil || m.Accepted != tc.want || m.Found != tc.found+", which is too long to be checked" || m.Action != tc.fix || m.Current != nil || m.Proposed != nil || m.Nearest != "" {
			t.Errorf("%s: got %+v", tc.name, m)
		}
	}
	if m := mustFormat(t, "${version}").Match(textScalar("1.2.3-" + strings.Repeat("a", 250))); m != nil {
		t.Errorf("a version of 256 bytes: got %+v, want a match", m)
	}
}

// TestLongValueUnderOneRegex: a regex checks long values, up to a length that
// depends on its size.
func TestLongValueUnderOneRegex(t *testing.T) {
	f := mustFormat(t, "${string:/^a.{900}.{900}.*b$/}")
	text := "a" + strings.Repeat("c", 100_000)
	if m := f.Match(Scalar{text + "b", true}); m != nil {
		t.Errorf("got %+v, want a match", m)
	}
	if m := f.Match(Scalar{text, true}); m == nil || strings.HasPrefix(m.Action, "shorten") {
		t.Errorf("got %+v, want a mismatch", m)
	}
	if m := f.Match(Scalar{text + "b", false}); m == nil {
		t.Error("a value that is not a string: got a match, want none")
	}
	if m := f.Match(textScalar(text + text + "b")); m == nil || !strings.HasPrefix(m.Action, "shorten the value to 1") {
		t.Errorf("200 KB: got %+v, want a mismatch that says the value is too long", m)
	}
}

func BenchmarkCompositeMatch512(b *testing.B) {
	for _, tc := range hostile {
		b.Run(tc.name, func(b *testing.B) {
			f, v := mustFormat(b, tc.format), textScalar(strings.Repeat(tc.unit, MaxCompositeBytes/len(tc.unit)))
			b.SetBytes(int64(len(v.Text)))
			for b.Loop() {
				if f.Match(v) == nil {
					b.Fatal("a match")
				}
			}
		})
	}
}

func BenchmarkMatch(b *testing.B) {
	for _, tc := range []struct{ format, value string }{
		{"${string}", "registry.example.org"},
		{"${string:/^([a-z0-9].*)$/}", "registry.example.org"},
		{"${number}", "5000"},
		{"${number:[5000-5005]}", "5001"},
		{"${boolean}", "true"},
		{"${list:[PACK,GIT,CHART]}", "CHART"},
		{"${ipv4}", "10.10.10.10"},
		{"${version}", "1.18.0"},
		{"${ipv4} - ${ipv4}", "10.10.10.10 - 10.10.10.255"},
		{`${string}, ${string:/size=\d+/}`, "type-zeroedthick, size=150"},
		{"${string}/${string}:${version}", "localhost:5000/a/b:1.1.1"},
	} {
		b.Run(tc.format, func(b *testing.B) {
			f, err := ParseFormat(tc.format)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if f.Match(Scalar{tc.value, true}) != nil {
					b.Fatal("no match")
				}
			}
		})
	}
}

func BenchmarkParseTemplate(b *testing.B) {
	for _, text := range []string{
		`{{ required }}`,
		`{{ format "${password}" | hints "PostgreSQL password for the gridlight user" }}`,
		`{{ format "${list:[PACK,GIT,CHART]}" }}`,
		`{{ required | format "${number:[5000-5005]}" }}`,
		`{{ format "${string:/^([a-z0-9].*)$/}" }}`,
		`{{ required | format "${ipv4} - ${ipv4}" | hints "ip pool range"}}`,
	} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := parseTemplate(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
