package capacity

import (
	"fmt"
	"math/big"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// amount draws a quantity of any size and unit.
func amount() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		text := fmt.Sprint(rapid.Int64Range(1, 1<<32).Draw(t, "digits"))
		if rapid.Bool().Draw(t, "fraction") {
			text += fmt.Sprintf(".%d", rapid.IntRange(1, 999).Draw(t, "fraction"))
		}
		return text + rapid.SampledFrom([]string{"", "m", "k", "M", "G", "Ki", "Mi", "Gi", "e3", "e-3", "u", "n"}).Draw(t, "unit")
	})
}

// demands draws demands of the workers and of both roles.
func demands() *rapid.Generator[[]Demand] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Demand {
		request, err := ParseQuantity(amount().Draw(t, "request"))
		if err != nil {
			t.Fatal(err)
		}
		return Demand{
			Type:     rapid.SampledFrom(Types()).Draw(t, "type"),
			Roles:    rapid.SampledFrom([]Role{Worker, ControlPlane, bothRoles}).Draw(t, "roles"),
			Request:  request,
			Replicas: rapid.Int64Range(0, 1<<31-1).Draw(t, "replicas"),
			Limit:    true,
			Key:      rapid.StringMatching(`[a-c]`).Draw(t, "key"),
		}
	}), 1, 12)
}

// A pool of exactly what is asked is enough, and one of a billionth less is not,
// whatever the amounts, units and replicas.
func TestExactlyEnough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := demands().Draw(t, "demands")
		packs := []Pack{{Name: "p"}}
		need := map[Type]*big.Int{}
		for _, d := range all { // added up in another way than Compare does
			if d.Roles&Worker != 0 {
				sum, ok := need[d.Type]
				if !ok {
					sum = new(big.Int)
					need[d.Type] = sum
				}
				sum.Add(sum, new(big.Int).Mul(d.Request.value(), big.NewInt(d.Replicas)))
			}
		}
		size := int64(1)
		pool := func(less *Type) Pool {
			p := Pool{Name: "w", Role: Worker, Size: &size, Node: map[Type]Amount{}}
			for _, of := range Types() {
				n := new(big.Int)
				if need[of] != nil {
					n.Set(need[of])
				}
				if less != nil && of == *less {
					n.Sub(n, big.NewInt(1))
				}
				p.Node[of] = Amount{n}
			}
			return p
		}
		short := func(p Pool) (types []string) {
			for _, f := range Compare(packs, all, []Pool{p}) {
				if f.Rule == RuleInsufficient {
					types = append(types, f.Tags["type"]+" "+f.Tags["short"])
				}
			}
			return types
		}
		if got := short(pool(nil)); len(got) > 0 {
			t.Fatalf("exactly enough is not: %v", got)
		}
		for of, n := range need {
			if n.Sign() == 0 {
				continue
			}
			if got := short(pool(&of)); !slices.Equal(got, []string{string(of) + " 1n"}) {
				t.Fatalf("a billionth of %s is missing, but got %v", of, got)
			}
		}
	})
}

// The size that a finding proposes is enough, and one node less is not.
func TestProposedSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := demands().Draw(t, "demands")
		size := rapid.Int64Range(0, 5).Draw(t, "size")
		pool := Pool{Name: "w", Role: Worker, Size: &size, Node: map[Type]Amount{}}
		for _, of := range Types() {
			node, err := ParseQuantity(amount().Draw(t, "node"))
			if err != nil {
				t.Fatal(err)
			}
			pool.Node[of] = node
		}
		proposed := func() (size int64) {
			for _, f := range Compare([]Pack{{Name: "p"}}, all, []Pool{pool}) {
				if n, ok := f.Proposed.(int64); ok {
					size = n
				}
			}
			return size
		}
		n := proposed()
		if n == 0 {
			return
		}
		if n <= size {
			t.Fatalf("%d nodes are proposed in the place of %d", n, size)
		}
		if size = n; proposed() != 0 {
			t.Fatalf("%d nodes are not enough", n)
		}
		if size = n - 1; proposed() != n {
			t.Fatalf("%d nodes would have been enough", n-1)
		}
	})
}

// The order of packs and pools changes nothing that is said.
func TestOrder(t *testing.T) {
	packs := []Pack{
		newPack(t, "a", "[{type: cpu, components: [{resourceRequestParamRef: b, scheduleType: worker}, {resourceRequestParamRef: a, scheduleType: worker}]}]", "a: 1500m\nb: 1500m"),
		newPack(t, "b", component("cpu a - worker"), "a: 1500m"),
		newPack(t, "c", component("cpu a - all"), "a: 1.5"),
		newPack(t, "d", "[{type: memory, minLimit: 4097}, {type: memory, minLimit: 0.1}]", ""),
		newPack(t, "e", component("memory m - all"), "m: 100G"),
		newPack(t, "f", "[{type: cpus}]", ""),
	}
	pools := []Pool{newPool(t, "worker 2 1 1Gi"), newPool(t, "worker 1 2 200Gi"), newPool(t, "master 1 1 1Gi")}
	said := func() []string {
		var lines []string
		for _, f := range Check(packs, pools) {
			lines = append(lines, fmt.Sprint(f.Message, f.Proposed, f.Tags))
		}
		return sorted(lines)
	}
	want := said()
	random := rand.New(rand.NewSource(1))
	for range 50 {
		random.Shuffle(len(packs), func(i, j int) { packs[i], packs[j] = packs[j], packs[i] })
		random.Shuffle(len(pools), func(i, j int) { pools[i], pools[j] = pools[j], pools[i] })
		if diff := cmp.Diff(want, said()); diff != "" {
			t.Fatalf("-first +shuffled:\n%s", diff)
		}
	}
	if !strings.Contains(strings.Join(want, "\n"), "a a (1500m), a b (1500m), b a (1500m) and 1 more") {
		t.Errorf("what asks for as much is not in the order of names:\n%s", strings.Join(want, "\n"))
	}
}
