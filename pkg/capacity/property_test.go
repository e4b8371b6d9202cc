package capacity

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/inf.v0"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/diag"
	_ "github.com/krm-packs/functions/pkg/function/functiontest/draws"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
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

// demands draws demands of the workers and of both roles, all of one pack.
func demands() *rapid.Generator[[]Demand] {
	p := &pack.Pack{Name: "p"}
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Demand {
		request, fault := parseQuantity(amount().Draw(t, "request"))
		if fault != nil {
			t.Fatal(fault)
		}
		return Demand{
			Pack:     p,
			Type:     rapid.SampledFrom(Types()).Draw(t, "type"),
			Roles:    rapid.SampledFrom([]Role{Worker, ControlPlane, bothRoles}).Draw(t, "roles"),
			Request:  request,
			Replicas: rapid.Int64Range(0, 1<<31-1).Draw(t, "replicas"),
			Limit:    true,
			Key:      rapid.StringMatching(`[a-c]`).Draw(t, "key"),
		}
	}), 1, 12)
}

// A pool of exactly what is requested is enough, and one of a billionth less is not,
// whatever the amounts, units and replicas.
func TestExactlyEnough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := demands().Draw(t, "demands")
		need := map[Type]*inf.Dec{}
		for _, d := range all { // added up in another way than Compare does
			if d.Roles&Worker != 0 {
				if need[d.Type] == nil {
					need[d.Type] = new(inf.Dec)
				}
				for _, replicas := range []int64{d.Replicas / 2, d.Replicas - d.Replicas/2} {
					need[d.Type].Add(need[d.Type], new(inf.Dec).Mul(d.Request.dec, inf.NewDec(replicas, 0)))
				}
			}
		}
		size := int64(1)
		short := func(less Type) (types []string) {
			p := Pool{Name: "w", Role: Worker, Size: &size, Node: map[Type]Stock{}}
			for _, of := range Types() {
				p.Node[of] = Stock{Free: Amount{need[of]}}
			}
			if less != "" {
				p.Node[less] = Stock{Free: p.Node[less].Free.sub(unit("n"))}
			}
			for _, f := range Compare(all, []Pool{p}) {
				if f.Rule == rule.ResourcesInsufficient {
					types = append(types, f.Tags["type"]+" "+f.Tags["short"])
				}
			}
			return types
		}
		if got := short(""); len(got) > 0 {
			t.Fatalf("exactly enough is not: %v", got)
		}
		for of, n := range need {
			if n.Sign() == 0 {
				continue
			}
			if got := short(of); !slices.Equal(got, []string{string(of) + " 1n"}) {
				t.Fatalf("a billionth of %s is missing, but got %v", of, got)
			}
		}
	})
}

// The proposed size is enough, and one node less is not.
func TestProposedSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := demands().Draw(t, "demands")
		size := rapid.Int64Range(0, 5).Draw(t, "size")
		pool := Pool{Name: "w", Role: Worker, Size: &size, Node: map[Type]Stock{}}
		for _, of := range Types() {
			node, fault := parseQuantity(amount().Draw(t, "node"))
			if fault != nil {
				t.Fatal(fault)
			}
			pool.Node[of] = Stock{Free: node}
		}
		proposed := func() (size int64) {
			for _, f := range Compare(all, []Pool{pool}) {
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
			t.Fatalf("%d nodes are proposed in place of %d", n, size)
		}
		if size = n; proposed() != 0 {
			t.Fatalf("%d nodes are not enough", n)
		}
		if size = n - 1; proposed() != n {
			t.Fatalf("%d nodes would have been enough", n-1)
		}
	})
}

// The findings depend neither on the order of packs nor on the order of pools.
func TestOrder(t *testing.T) {
	packs := []*pack.Pack{
		newPack("a", "[{type: cpu, components: [{resourceRequestParamRef: b, scheduleType: worker}, {resourceRequestParamRef: a, scheduleType: worker}]}]", `a: 1500m
b: 1500m`),
		newPack("b", component("cpu a - worker"), "a: 1500m"),
		newPack("c", component("cpu a - all"), "a: 1.5"),
		newPack("d", "[{type: memory, minLimit: 4097}, {type: memory, minLimit: 0.1}]", ""),
		newPack("e", component("memory m - all"), "m: 100G"),
		newPack("f", "[{type: cpus}]", ""),
	}
	one, two := int64(1), int64(2)
	machinePools := []pack.MachinePool{
		{Name: "small", Role: "worker", Size: &two, Capacity: pack.Capacity{CPU: "1", Memory: "1Gi"}},
		{Name: "large", Role: "worker", Size: &one, Capacity: pack.Capacity{CPU: "2", Memory: "200Gi"}},
	}
	messages := func() []string {
		var demands []Demand
		var findings []diag.Finding
		for _, p := range packs {
			d, f := Demands(p, nil)
			demands, findings = append(demands, d...), append(findings, f...)
		}
		pools, _ := Pools(nil, &pack.ClusterContext{MachinePools: machinePools})
		findings = append(findings, Compare(demands, pools)...)
		var lines []string
		for _, f := range findings {
			lines = append(lines, fmt.Sprint(f.Message(), f.Proposed, f.Tags))
		}
		slices.Sort(lines)
		return lines
	}
	want := messages()
	random := rand.New(rand.NewSource(1))
	for range 50 {
		random.Shuffle(len(packs), func(i, j int) { packs[i], packs[j] = packs[j], packs[i] })
		random.Shuffle(len(machinePools), func(i, j int) { machinePools[i], machinePools[j] = machinePools[j], machinePools[i] })
		if diff := cmp.Diff(want, messages()); diff != "" {
			t.Fatalf("-first +shuffled:\n%s", diff)
		}
	}
	all := strings.Join(want, "\n")
	for _, list := range []string{"a a (1500m), a b (1500m), b a (1500m) and 1 more", "control-plane, but packs request cpu and memory from this role (c, e)"} {
		if !strings.Contains(all, list) {
			t.Errorf("%q is not in\n%s", list, all)
		}
	}
}
