package nearest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/agext/levenshtein"
)

func TestName(t *testing.T) {
	known := []string{"number", "boolean", "string", "password"}
	for _, tc := range []struct{ got, want string }{
		{"nummber", "number"},
		{"Boolean", "boolean"},
		{"strng", "string"},
		{"input", ""},
		{"stirng", "string"},
		{"lits", ""},
		{"", ""},
		{"passwort", "password"},
	} {
		if got := Name(tc.got, known); got != tc.want {
			t.Errorf("Name(%q) = %q, want %q", tc.got, got, tc.want)
		}
	}
}

// Words that two names share do not make them similar.
func TestNameOfSharedWords(t *testing.T) {
	for _, tc := range []struct{ got, known, want string }{
		{"mustToDuration", "mustToRawJson", ""},
		{"musttorawjsn", "mustToRawJson", "mustToRawJson"},
		{"mustToRwaJsno", "mustToRawJson", "mustToRawJson"},
		{"none.yaml", "cache.yaml", ""},
		{"cahce.yaml", "cache.yaml", "cache.yaml"},
		{"cache.yml", "cache.yaml", "cache.yaml"},
		{"caches/none.yaml", "caches/base.yaml", ""},
		{"cluster.nme", "clusterContext", ""},
		{"clusterContxet", "clusterContext", "clusterContext"},
		{"toUpper", "upper", "upper"},
		{"replaceAll", "replace", "replace"},
		{"fail-om", "fail-on", "fail-on"},
		{"failNo", "failOn", "failOn"},
		{"max-size", "min-size", ""},
		{"straße.yaml", "strasse.yaml", "strasse.yaml"},
		{"İstanbul.yml", "İstanbul.yaml", "İstanbul.yaml"},
	} {
		if got := Name(tc.got, []string{tc.known}); got != tc.want {
			t.Errorf("Name(%q, %q) = %q, want %q", tc.got, tc.known, got, tc.want)
		}
	}
}

// What has the same name elsewhere is not meant.
func TestPath(t *testing.T) {
	known := []string{"backend.resources.cpu", "redis.resources.cpu", "redis.resources.memory", "redis.replicas", "redis.replica", "replicas"}
	for _, tc := range []struct{ got, want string }{
		{"redis.resources.cpus", "redis.resources.cpu"},
		{"redi.resources.cpu", "redis.resources.cpu"},
		{"redis.resource.memory", "redis.resources.memory"},
		{"redis.replicass", "redis.replicas"},
		{"replica", "replicas"},
		{"x.resources.cpu", ""},
		{"redi.resource.cpu", ""},
		{"redis.x.replicas", ""},
		{"x.replicas", ""},
		{"redis.replicas", "redis.replica"},
		{"", ""},
		{".", ""},
	} {
		if got := Path(tc.got, known, nil); got != tc.want {
			t.Errorf("Path(%q) = %q, want %q", tc.got, got, tc.want)
		}
	}
	if got := Path("redis.replicass", known, func(path string) bool { return path != "redis.replicas" }); got != "redis.replica" {
		t.Errorf("got %q, want what fits", got)
	}
}

func TestNameSeesSwappedLetters(t *testing.T) {
	if got := Name("prot", []string{"replicas", "port"}); got != "port" {
		t.Errorf("got %q, want port", got)
	}
}

func TestNamePrefersTheFirstOfEquals(t *testing.T) {
	if got := Name("abcx", []string{"abcy", "abcz"}); got != "abcy" {
		t.Errorf("got %q, want the first of two equally near names", got)
	}
}

func TestHint(t *testing.T) {
	if got, want := Hint("nummber", []string{"number"}), ` (did you mean "number"?)`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, got := range []string{"zzz", "number"} {
		if hint := Hint(got, []string{"number"}); hint != "" {
			t.Errorf("Hint(%q) = %q, want none", got, hint)
		}
	}
}

func TestIsSlip(t *testing.T) {
	for _, tc := range []struct {
		got  string
		want bool
	}{
		{"constraints", false},
		{"Constraints", true},
		{"constraint", true},
		{"contraints", true},
		{"cosntraints", true},
		{"constants", false},
		{"annotations", false},
		{"", false},
	} {
		if got := IsTypo(tc.got, "constraints"); got != tc.want {
			t.Errorf("IsTypo(%q) = %v, want %v", tc.got, got, tc.want)
		}
	}
}

// One letter more, less or other is a distance of 1, wherever it is and of however many bytes.
func TestIsTypoAsDistance(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	name := func() string {
		letters := []rune("abäöé€‚")
		text := make([]rune, random.IntN(5))
		for i := range text {
			text[i] = letters[random.IntN(len(letters))]
		}
		return string(text)
	}
	for range 100_000 {
		got, want := name(), name()
		distance := levenshtein.Distance(got, want, nil)
		if is := got != want && (distance <= 1 || distance == 2 && anagram(got, want)); IsTypo(got, want) != is {
			t.Fatalf("IsTypo(%q, %q) = %v, of distance %d", got, want, !is, distance)
		}
	}
}

func TestReference(t *testing.T) {
	known := []string{"m5.xlarge", "redis-6", "vault", "1.30.2", "v1.2", "consul2", "v19"}
	for got, want := range map[string]string{
		"m5.xlage":   "m5.xlarge",
		"m5.2xlarge": "",
		"m6.xlarge":  "",
		"redis-7":    "",
		"rdis-6":     "redis-6",
		"valt":       "vault",
		"1.31.2":     "",
		"1.302":      "",
		"1.30.2.":    "1.30.2",
		"v1":         "",
		"V1.2":       "v1.2",
		"consul":     "",
		"consl2":     "consul2",
	} {
		if name := Reference(got, known); name != want {
			t.Errorf("Reference(%q) = %q, want %q", got, name, want)
		}
	}
}

func TestIsMisspelt(t *testing.T) {
	for _, tc := range []struct {
		got, want string
		near      bool
	}{
		{"pack.json", "pack.json", false},
		{"Pack.JSON", "pack.json", true},
		{"packs.json", "pack.json", true},
		{"apck.json", "pack.json", true},
		{"pac.jsn", "pack.json", true},
		{"pa.jsn", "pack.json", false},
		{"stack.json", "pack.json", false},
		{"ack.json", "pack.json", true},
		{"oack.json", "pack.json", true},
		{"lack.json", "pack.json", true},
		{"back.json", "pack.json", false},
		{"ind", "kind", true},
		{"mind", "kind", true},
		{"find", "kind", false},
		{"1ack.json", "pack.json", false},
		{"package.json", "pack.json", false},
		{"ConfiMap", "ConfigMap", true},
		{"ConfigMaps", "ConfigMap", true},
		{"Packs", "Pack", true},
		{"dependency", "dependencies", true},
		{"policies", "policy", true},
		{"Page", "Pack", false},
		{"configmap", "ConfigMap", true},
		{"CnfgMp", "ConfigMap", false},
		{"Repositories", "Repository", true},
		{"dependency", "dependencies", true},
		{"fn.ktp.dev", "fn.kpt.dev", true},
		{"dependencies.yml", "dependencies.yaml", true},
		{"gti", "git", true},
		{"no", "on", false},
		{"Sacrat", "Secret", true},
		{"Paga", "Page", true},
		{"Pcake", "Pages", false},
		{"wuota", "quota", true},
		{"bype", "type", false},
		{"", "Pack", false},
		{"Pack", "", false},
		{strings.Repeat("a", maxName), strings.Repeat("a", maxName-1), true},
		{strings.Repeat("a", maxName+1), strings.Repeat("a", maxName), false},
	} {
		if got := IsMisspelt(tc.got, tc.want); got != tc.near {
			t.Errorf("IsMisspelt(%q, %q) = %v", tc.got, tc.want, got)
		}
	}
}

func TestMisspelt(t *testing.T) {
	known := []string{"PackageVariantSet", "PackageVariant", "data", "binaryData"}
	for got, want := range map[string]string{
		"PackageVariants": "PackageVariant", "PackageVariantSte": "PackageVariantSet", "PackageVariant": "", "dtaa": "data", "binarydata": "binaryData", "spec": "",
	} {
		if name := Misspelt(got, known); name != want {
			t.Errorf("Misspelt(%q) = %q, want %q", got, name, want)
		}
	}
}

func TestNames(t *testing.T) {
	known := []string{"alpha", "registries", "beta", "registry"}
	for _, tc := range []struct {
		got  string
		n    int
		want []string
	}{
		{"registry", 2, []string{"registry", "registries"}},
		{"REGISTRIES", 1, []string{"registries"}},
		{"zzz", 3, []string{"alpha", "registries", "beta"}}, // none is near: in their order
		{"alpha", 9, []string{"alpha", "beta", "registries", "registry"}},
		{"alpha", 0, nil},
	} {
		if got := Names(tc.got, known, tc.n); !slices.Equal(got, tc.want) {
			t.Errorf("Names(%q, %d) = %q, want %q", tc.got, tc.n, got, tc.want)
		}
	}
	if got := Names("a", nil, 3); len(got) > 0 {
		t.Errorf("got %q of no names", got)
	}
}

// Long names are not compared, which would cost the product of their lengths.
func TestLongNamesHaveNoNearest(t *testing.T) {
	fits, long := strings.Repeat("a", 128), strings.Repeat("a", 129)
	for _, pair := range [][2]string{{fits[1:], fits}, {fits, fits[1:]}} {
		if got := Name(pair[0], []string{pair[1]}); got != pair[1] {
			t.Error("a name of 128 bytes is near none")
		}
	}
	for _, pair := range [][2]string{{long, long[1:]}, {long[1:], long}, {long, long}} {
		if got := Name(pair[0], []string{pair[1]}); got != "" {
			t.Errorf("a name of %d bytes is near one of %d", len(pair[0]), len(pair[1]))
		}
		if IsTypo(pair[0], pair[1]) {
			t.Errorf("a name of %d bytes is a slip of one of %d", len(pair[0]), len(pair[1]))
		}
	}
	if !IsTypo(fits[1:], fits) {
		t.Error("a name of 127 bytes is not a slip of one of 128")
	}
	if got := Names(long, []string{"b", long, fits}, 2); !slices.Equal(got, []string{"b", long}) {
		t.Errorf("got %d names in another order", len(got))
	}
}

// Of many names the similar one is found as among few, wherever it is, and names that
// are all alike are compared up to a limit.
func TestManyNames(t *testing.T) {
	var known []string
	for i := range 450 {
		known = append(known, fmt.Sprintf("package-%c%c%c", 'a'+i%26, 'a'+i/26%26, 'a'+i/676))
	}
	for _, at := range []int{0, 200, len(known)} {
		all := slices.Insert(slices.Clone(known), at, "PostgreSQL")
		for _, got := range []string{"postgresql", "postgersql", "potgresql", "postgresqll", "postgre", "postgr", "postgrxxzz"} {
			if name := Name(got, all); name != "PostgreSQL" {
				t.Errorf("%s among %d names, at %d: got %q", got, len(all), at, name)
			}
			if names := Names(got, all, 3); len(names) != 3 || names[0] != "PostgreSQL" || len(got) >= 9 && got != "postgrxxzz" && names[1] != known[0] {
				t.Errorf("%s: got %v", got, names)
			}
		}
		if name := Name("mysql", all); name != "" {
			t.Errorf("got %q", name)
		}
		if name := Reference("postgresql1", all); name != "" {
			t.Errorf("got %q", name)
		}
	}
}

// Of very many names the first are compared: by their length, by their letters, and by the
// order of these.
func TestLimits(t *testing.T) {
	for _, tc := range []struct {
		other string
		most  int
	}{{"x", maxSeen}, {"zzzzzz", maxCounted}, {"tegrat", maxCompared}} {
		for more, want := range []bool{true, false} {
			known := append(slices.Repeat([]string{tc.other}, tc.most-1+more), "targets")
			if got := Name("target", known); (got == "targets") != want {
				t.Errorf("after %d names %s: got %q", len(known)-1, tc.other, got)
			}
		}
	}
}
