package helm

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	v2 "helm.sh/helm/v4/pkg/chart/v2"

	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/internal/meter"
	"github.com/krm-packs/functions/pkg/values"
)

// Values are refused where Helm refuses them, and nowhere else.
func TestSchemas(t *testing.T) {
	tried, refused, left := 0, 0, 0
	for _, s := range append(made(t), corpus(t)...) {
		c, err := s.load()
		if err != nil || !hasSchema(c) {
			continue
		}
		read, random := travelled(t, s), rand.New(rand.NewPCG(1, uint64(len(s.name))))
		tries := runs(100, 1000)
		for try := range tries {
			given := s.given
			if try > 0 {
				given = textOf(t, mutated(random, mapOf(t, s.given), defaults(c)))
			}
			if try%2 == 1 { // words that are booleans in YAML 1.1
				given = strings.ReplaceAll(given, `"yes"`, "yes")
			}
			byHelm := s.refuses(mapOf(t, given))
			document, err := values.Parse(given)
			if err != nil {
				t.Fatal(err)
			}
			found := read.Violations(new(meter.Meter), document.Root(), facts.HasMacro)
			tried++
			if byHelm != nil {
				refused++
			}
			switch {
			case (byHelm != nil) == (len(found) > 0):
			case byHelm != nil && (imports(read) || strings.Contains(byHelm.Error(), "schema compilation failed")):
				left++ // what subcharts export is unknown
			default:
				t.Errorf("%s: Helm says %v, found %v, values:\n%s", s.name, byHelm, lines(found), given)
			}
		}
	}
	t.Logf("%d values are compared; Helm rejects %d; %d that need exports of subcharts are left out", tried, refused, left)
}

// refuses returns why Helm does not render a chart with values: nil when it does.
func (s *subject) refuses(given map[string]any) error {
	c, all, err := s.values(given)
	if err != nil {
		return err
	}
	return util.ValidateAgainstSchema(c, all["Values"].(common.Values))
}

func hasSchema(c *v2.Chart) bool {
	return c.Schema != nil || slices.ContainsFunc(c.Dependencies(), hasSchema)
}

func imports(c *facts.Chart) bool {
	for _, sub := range c.Subcharts {
		if len(sub.ImportValues) > 0 || imports(sub) {
			return true
		}
	}
	return false
}

func lines(found []facts.Violation) (all []string) {
	for _, v := range found {
		all = append(all, fmt.Sprintf("%s: %s %s", v.Chart, v.Path, v.Message))
	}
	return all
}

// defaults are the values of a chart with those of its subcharts.
func defaults(c *v2.Chart) map[string]any {
	all, err := util.MergeValues(c, nil)
	if err != nil {
		return c.Values
	}
	return all
}

// replacement returns a value of any type.
func replacement(random *rand.Rand) any {
	all := []any{"x", "", "yes", 1, -1, 70000, 1.5, true, false, nil, []any{}, []any{"x"}, map[string]any{}, map[string]any{"x": "y"}}
	return all[random.IntN(len(all))]
}

// mutated returns values with one to three changes, at places that they or the defaults have.
func mutated(random *rand.Rand, given, known map[string]any) map[string]any {
	for range 1 + random.IntN(3) {
		at, below := given, known
		for {
			keys := slices.Compact(slices.Sorted(slices.Values(append(keysOf(at), keysOf(below)...))))
			if len(keys) == 0 {
				at["x"] = replacement(random)
				break
			}
			key := keys[random.IntN(len(keys))]
			next, isMap := at[key].(map[string]any)
			other, _ := below[key].(map[string]any)
			if (isMap || at[key] == nil && other != nil) && random.IntN(4) > 0 {
				if next == nil {
					next = map[string]any{}
					at[key] = next
				}
				at, below = next, other
				continue
			}
			switch random.IntN(6) {
			case 0:
				delete(at, key)
			case 1:
				at[key+"x"] = replacement(random)
			default:
				at[key] = replacement(random)
			}
			break
		}
	}
	return given
}

func keysOf(m map[string]any) (keys []string) {
	for key := range m {
		keys = append(keys, key)
	}
	return keys
}
