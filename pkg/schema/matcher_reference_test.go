package schema

import (
	"errors"
	"math/big"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/Masterminds/semver/v3"
	"pgregory.net/rapid"
)

// The reference tries every split, every segment by itself, with the
// regexp package on the segment: slow, and short enough to be seen right.

func referenceMatch(f *Format, v Scalar) bool {
	if v.Text == "" {
		return true
	}
	if p := f.single(); p != nil {
		if (p.kind == kindString || p.kind == kindPassword) && !v.IsString {
			return false
		}
		return p.kind == kindUnknown || referenceSegment(p, v.Text, false)
	}
	return referenceSplit(f.parts, v.Text)
}

func referenceSplit(parts []part, text string) bool {
	if len(parts) == 0 {
		return text == ""
	}
	if text == "" {
		return false
	}
	for end := range text {
		if end > 0 && referenceSegment(&parts[0], text[:end], true) && referenceSplit(parts[1:], text[end:]) {
			return true
		}
	}
	return len(parts) == 1 && referenceSegment(&parts[0], text, true)
}

var referenceNumber = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\z`)

func referenceSegment(p *part, text string, composite bool) bool {
	switch p.kind {
	case kindText:
		return text == p.name
	case kindNumber:
		if !referenceNumber.MatchString(text) {
			return false
		}
		if p.bounds != nil {
			value, low, high := rat(text), rat(p.bounds.low.text), rat(p.bounds.high.text)
			return value.Cmp(low) >= 0 && value.Cmp(high) <= 0 && (!composite || len(text) <= MaxRangedNumber)
		}
	case kindBoolean:
		if text != "true" && text != "false" {
			return false
		}
	case kindList:
		if p.regex == nil {
			return slices.Contains(p.texts, text)
		}
	case kindIPv4:
		if addr, err := netip.ParseAddr(text); err != nil || !addr.Is4() {
			return false
		}
	case kindVersion:
		if _, err := semver.StrictNewVersion(text); err != nil {
			return false
		}
	case kindUnknown:
		return true
	}
	return p.regex == nil || regexp.MustCompile(p.regex.String()).MatchString(text)
}

// rat is the value of a decimal text, whose exponent must be small.
func rat(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("not a number: " + text)
	}
	return r
}

// smallExponents reports whether rat is safe for every number in text.
func smallExponents(text string) bool {
	return !regexp.MustCompile(`[eE][+-]?[0-9]{4}`).MatchString(text)
}

var (
	genPattern = rapid.Custom(func(t *rapid.T) string {
		atoms := rapid.SampledFrom([]string{
			"a", "b", "1", `\d`, `\d+`, "^", "$", `\b`, `\B`, `\A`, `\z`, "(?m)", "(?m)^", "(?m)$", "a|b", "|",
			"(a|1)*", "[^a]", ".", "(?s).", "é", "a{2,3}", `\w+`, "x*", "(?i)A", "[/}]", `\}`, "(^a|b$)", "(?U)", `\Qa`,
			`\x{FFFD}`, "(^|a)", "($|b)", "(a?)+", "-", `\.`, "(?:)", `[\d.]+$`, `^\d`,
		})
		for {
			pattern := strings.Join(rapid.SliceOfN(atoms, 1, 4).Draw(t, "atoms"), "")
			if _, err := regexp.Compile(pattern); err == nil && !strings.Contains(strings.ReplaceAll(pattern, "[/}]", ""), "/}") {
				return pattern
			}
		}
	})
	genPlaceholder = rapid.Custom(func(t *rapid.T) string {
		name := rapid.SampledFrom([]string{"string", "string", "password", "number", "boolean", "list", "ipv4", "version", "input"}).Draw(t, "type")
		constraint := rapid.IntRange(0, 2).Draw(t, "constraint")
		switch {
		case name == "list" && constraint > 0:
			options := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "ab", "b", "é", "1", "a-b", "\xe2", "true"}), 1, 3).Draw(t, "options")
			return "${list:[" + strings.Join(options, ",") + "]}"
		case name == "number" && constraint == 1:
			return "${number:" + rapid.SampledFrom([]string{"[1-10]", "[-5--1]", "[0.5-1.5]", "[0-0]", "[-1-1e1]", "[11-110]"}).Draw(t, "range") + "}"
		case constraint > 0 || name == "list":
			return "${" + name + ":/" + genPattern.Draw(t, "pattern") + "/}"
		}
		return "${" + name + "}"
	})
	genFormat = rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for i := range rapid.IntRange(1, 3).Draw(t, "placeholders") {
			if i > 0 || rapid.Bool().Draw(t, "text first") {
				b.WriteString(rapid.SampledFrom([]string{"", ".", "-", "a", "é", "\xe2", "\x82", "a1", "1", "/", "\n"}).Draw(t, "text"))
			}
			b.WriteString(genPlaceholder.Draw(t, "placeholder"))
		}
		b.WriteString(rapid.SampledFrom([]string{"", "", ".", "a", "\xac", "}"}).Draw(t, "text last"))
		return b.String()
	})
	genText = rapid.Custom(func(t *rapid.T) string {
		atoms := rapid.SampledFrom([]string{
			"a", "b", "1", "0", ".", "-", "+", "e", "/", " ", "\n", "é", "€", "\xff", "\xe2", "\x82", "\xac", "A", "_", "}",
			"true", "false", "1.2.3", "1.0.0-a.1+b", "10.0.0.1", "255", "-1", ".5", "1e1",
		})
		return strings.Join(rapid.SliceOfN(atoms, 0, 8).Draw(t, "atoms"), "")
	})
)

// check checks a property at least n times: the 100 times that rapid takes by
// itself are few for a language.
func check(t *testing.T, n int, property func(*rapid.T)) {
	for done := 0; done < n && !t.Failed(); done += 100 {
		rapid.Check(t, property)
	}
}

// TestMatchIsTheReference is the proof that the match of composites is right.
func TestMatchIsTheReference(t *testing.T) {
	accepted, refused := 0, 0
	check(t, 4000, func(t *rapid.T) {
		literal := genFormat.Draw(t, "format")
		f, err := ParseFormat(literal)
		if err != nil {
			t.Fatalf("ParseFormat(%q): %v", literal, err)
		}
		for range 4 {
			v := Scalar{Text: genText.Draw(t, "text"), IsString: rapid.Bool().Draw(t, "string")}
			if !smallExponents(v.Text) {
				continue // more than the reference can hold
			}
			got, want := f.Match(v) == nil, referenceMatch(f, v)
			if got != want {
				t.Fatalf("format %q, value %q: match is %t, want %t", literal, v.Text, got, want)
			}
			if want {
				accepted++
			} else {
				refused++
			}
			if p := f.single(); p != nil && v.Text != "" && p.hasKind(v) {
				s := splitter{text: v.Text, most: maxCompositeSteps}
				if split := s.split(f.parts); split != want && len(v.Text) < MaxRangedNumber {
					t.Fatalf("format %q, value %q: the split is %t, want %t", literal, v.Text, split, want)
				}
			}
		}
	})
	t.Logf("%d accepted, %d refused", accepted, refused)
	if accepted < refused/20 || refused < accepted/20 {
		t.Errorf("%d accepted, %d refused: the generators hardly test one of them", accepted, refused)
	}
}

// TestReachIsTheReference holds what a placeholder reaches from several starts
// against every segment by itself: the limits of segments must leave none out.
func TestReachIsTheReference(t *testing.T) {
	run := rapid.OneOf(genText, rapid.StringMatching(`[-.]?[0-9]{1,3}|[01]{50,70}|\.[0-9]|e-[0-3]x|x`))
	ranged := rapid.SampledFrom([]string{"${number:[1-10]}", "${number:[-5--1]}", "${number:[0.5-1.5]}", "${number:[100-1e70]}"})
	check(t, 1000, func(t *rapid.T) {
		literal := rapid.OneOf(genPlaceholder, ranged).Draw(t, "format")
		f, err := ParseFormat(literal)
		if err != nil {
			t.Fatal(err)
		}
		p := &f.parts[0] // where a regex holds /}, there is a second
		s := splitter{text: strings.Join(rapid.SliceOfN(run, 1, 4).Draw(t, "runs"), ""), most: maxCompositeSteps}
		if s.text == "" || !smallExponents(s.text) {
			return
		}
		var boundaries []int
		for at := range s.text {
			boundaries = append(boundaries, at)
		}
		boundaries = append(boundaries[1:], len(s.text))
		starts := []int{0}
		var want []int
		for _, end := range boundaries {
			for _, start := range starts {
				if short := p.bounds == nil || end-start <= MaxRangedNumber; short && referenceSegment(p, s.text[start:end], true) {
					want = append(want, end)
					break
				}
			}
			if rapid.Bool().Draw(t, "start") {
				starts = append(starts, end)
			}
		}
		if got := s.reach(p, starts, boundaries); !slices.Equal(got, want) {
			t.Fatalf("%s in %q from %d: reaches %d, want %d", literal, s.text, starts, got, want)
		}
	})
}

// referenceVersion is the regex that semver.org suggests.
var referenceVersion = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)` +
	`(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?` +
	`(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$`)

// TestTypesAreTheReference holds numbers and versions against other readers, over
// every short text.
func TestTypesAreTheReference(t *testing.T) {
	var every func(alphabet, text string, length int, visit func(string))
	every = func(alphabet, text string, length int, visit func(string)) {
		visit(text)
		if length == 0 {
			return
		}
		for _, c := range alphabet {
			every(alphabet, text+string(c), length-1, visit)
		}
	}
	// Without x, _ and letters ParseFloat reads decimal numbers alone.
	isFloat := func(text string) bool {
		_, err := strconv.ParseFloat(text, 64)
		return err == nil || errors.Is(err, strconv.ErrRange)
	}
	number, version := mustFormat(t, "${number}").single(), mustFormat(t, "${version}").single()
	every("05+-.eEé", "", 6, func(text string) {
		if got := number.hasType(text); got != isFloat(text) {
			t.Fatalf("the number %q: got %t", text, got)
		}
		longest := 0
		for end := range len(text) + 1 {
			if isFloat(text[:end]) {
				longest = end
			}
		}
		if got := numberPrefix(text); got != text[:longest] {
			t.Fatalf("numberPrefix(%q) = %q, want %q", text, got, text[:longest])
		}
	})
	isVersion := func(text string) {
		if got, want := version.hasType(text), referenceVersion.MatchString(text); got != want {
			t.Fatalf("the version %q: got %t", text, got)
		}
	}
	every("01.-+a", "", 6, isVersion)
	for _, prefix := range []string{"1.0.", "1.0.0-", "1.0.0+", "0.1.0-a", "1.0.0-0+"} {
		every("01.-+aé", prefix, 4, isVersion)
	}
}

// TestNumbersCompareExactly holds ranges against rational numbers.
func TestNumbersCompareExactly(t *testing.T) {
	number := rapid.Custom(func(t *rapid.T) string {
		return rapid.StringMatching(`[+-]?(0{0,3}[0159]{1,4}\.?[0159]{0,3}|\.0{0,3}[0159]{1,3})([eE][+-]?0?[0-3])?`).Draw(t, "number")
	})
	check(t, 1000, func(t *rapid.T) {
		text, low, high := number.Draw(t, "text"), number.Draw(t, "low"), number.Draw(t, "high")
		bounds := numberRange{low: parseDecimal(low), high: parseDecimal(high)}
		if got, want := bounds.low.compare(bounds.high), rat(low).Cmp(rat(high)); got != want {
			t.Fatalf("compare(%s, %s) = %d, want %d", low, high, got, want)
		}
		want := rat(text).Cmp(rat(low)) >= 0 && rat(text).Cmp(rat(high)) <= 0
		if got := bounds.contains(text); got != want {
			t.Fatalf("%s in %s = %t, want %t", text, &bounds, got, want)
		}
	})
}

func FuzzMatch(f *testing.F) {
	for _, format := range documentFormats {
		for _, value := range []string{"10.10.10.10 - 10.10.10.255", "type-zeroedthick, size=150", "5001", "true", "v1", "é\xff"} {
			f.Add(format, value, true)
		}
	}
	f.Add("${string}/${string}:${version}", "localhost:5000/a/b:1.1.1", true)
	f.Add("${number:[1-10]}${number:/5/}", "1e1.55", false)
	f.Add(`${string:/\bé$/}${string:/(?m)^a/}`, "aé\na", true)
	f.Add("${string}${string:/^b/}", "aab", true)
	f.Add(`a${string}${number:/^1\b/}${list:/b$/}`, "aa1e1b", true)
	f.Add("${string}-${version}", strings.Repeat("a", MaxCompositeBytes)+"-1.2.3", true)
	f.Fuzz(func(t *testing.T, literal, text string, isString bool) {
		format, err := ParseFormat(literal)
		if err != nil {
			return
		}
		v := Scalar{Text: text, IsString: isString}
		mismatch := format.Match(v)
		if mismatch != nil && (mismatch.Accepted == "" || mismatch.Found == "" || strings.ContainsAny(mismatch.Accepted+mismatch.Found, "\n\r")) {
			t.Errorf("format %q, value %q: mismatch %+v, want one line each", literal, text, mismatch)
		}
		if mismatch == nil && format.single() == nil && len(text) > MaxCompositeBytes {
			t.Errorf("format %q, a value of %d bytes: got a match", literal, len(text))
		}
		if len(format.parts) > 5 || utf8.RuneCountInString(text) > 12 || !smallExponents(text) || !smallExponents(literal) || format.instructions > 500 {
			return
		}
		if want := referenceMatch(format, v); want != (mismatch == nil) {
			t.Errorf("format %q, value %q: match is %t, want %t", literal, text, mismatch == nil, want)
		}
	})
}
