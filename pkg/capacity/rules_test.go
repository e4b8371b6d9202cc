package capacity

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

func mustParse(t testing.TB, text string) *values.Document {
	t.Helper()
	d, err := values.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return d
}

// newPack makes a pack of resource constraints and values.
func newPack(t testing.TB, name, resources, text string) Pack {
	t.Helper()
	return Pack{
		Name:     name,
		Metadata: mustParse(t, "constraints: {resources: "+resources+"}"),
		Values:   values.Merge(values.Layer{Document: mustParse(t, text)}),
	}
}

func quantity(t testing.TB, text string) Amount {
	t.Helper()
	a, err := ParseQuantity(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return a
}

// newPool makes a pool: `worker 3 4 16Gi 60G`, with - for what is not known, and
// + behind the role of a control plane that schedules workloads.
func newPool(t testing.TB, text string) Pool {
	t.Helper()
	fields := strings.Fields(text)
	var size int64
	if _, err := fmt.Sscan(fields[1], &size); err != nil {
		t.Fatal(err)
	}
	capacity := pack.Capacity{}
	for i, of := range []*pack.Text{&capacity.CPU, &capacity.Memory, &capacity.DiskSize} {
		if at := i + 2; at < len(fields) && fields[at] != "-" {
			*of = pack.Text(fields[at])
		}
	}
	role := strings.TrimSuffix(fields[0], "+")
	pools, problems := Pools([]pack.MachinePool{{Name: role, Role: role, SchedulesWorkloads: role != fields[0], Size: &size, Capacity: capacity}}, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return pools[0]
}

// told makes findings comparable: the rule, what it is about, and the facts.
func told(findings []Finding) []string {
	var out []string
	for _, f := range findings {
		if f.Rule == RuleSummary {
			continue
		}
		line := strings.TrimPrefix(string(f.Rule), "resources/")
		switch {
		case f.Tags["role"] != "":
			line += " " + f.Tags["role"]
		case f.Subject == OfPool:
			line += fmt.Sprintf(" pool %d %s %s/%s", f.Pool, f.Tags["type"], f.Tags["need"], f.Tags["have"])
			if f.Tags["node"] != "" {
				line += " of a node"
			}
		default:
			line += " " + strings.NewReplacer("constraints.resources", "r", "components", "c", "resourceRequestParamRef", "request", "replicaCountParamRef", "replicas").Replace(f.Key)
		}
		if f.Proposed != nil {
			line += fmt.Sprintf(" → %v", f.Proposed)
		}
		out = append(out, line)
	}
	return out
}

// component is one component in flow style: `cpu a.b replicas worker`, with - for
// what is not given.
func component(text string) string {
	fields := strings.Fields(text)
	out := ""
	for i, name := range []string{"resourceRequestParamRef", "replicaCountParamRef", "scheduleType"} {
		if at := i + 1; at < len(fields) && fields[at] != "-" {
			out += name + ": '" + fields[at] + "', "
		}
	}
	return "[{type: " + fields[0] + ", components: [{" + out + "}]}]"
}

// Each rule, as the least that shows it. Values are {cpu: 1, memory: 1Gi, …}.
func TestRules(t *testing.T) {
	const standard = "{cpu: 1500m, half: 500m, big: 3, memory: 2Gi, bytes: 1073741824, decimal: 1G, replicas: 2, quoted: '3', zero: 0, minus: -1, part: 1.5, many: 1e3, " +
		"endless: 1e999999999, node.store.size: 2, list: [1, 2], map: {a: 1}, empty: '', nothing: null, flag: true, word: lots, m: 256m, mi: 500Mi, gi: 2Gi, k: 500, b: 512, u: 5u, " +
		"macro: '{{ .spectro.var.CPU | default \"1\" }}', disk: 10, exponent: 1E1, billions: 2147483648, most: 2147483647, 5: 7, n: 5n, blank: '5 Gi', lower: 2gi, hex: 0x10}"
	for _, tc := range []struct {
		name, resources string
		pools           []string
		want            []string
	}{
		// R1
		{"cpu is in millicores", "[{type: cpu, minLimit: 2000}]", []string{"worker 1 2"}, nil},
		{"cpu, one more", "[{type: cpu, minLimit: 2001}]", []string{"worker 1 2"}, []string{"insufficient pool 0 cpu 2001m/2000m → 2"}},
		{"memory is in Mi", "[{type: memory, minLimit: 2048}]", []string{"worker 1 - 2Gi"}, nil},
		{"memory, one more", "[{type: memory, minLimit: 2049}]", []string{"worker 1 - 2Gi"}, []string{"insufficient pool 0 memory 2049Mi/2Gi → 2"}},
		{"disks are in 10⁹ bytes", "[{type: diskSize, minLimit: 10}]", []string{"worker 1 - - 10000000000"}, nil},
		{"disks, a byte less", "[{type: diskSize, minLimit: 10}]", []string{"worker 1 - - 9999999999"}, []string{"insufficient pool 0 diskSize 10G/9999999999 → 2"}},
		{"fractions", "[{type: cpu, minLimit: 0.5}, {type: cpu, minLimit: 2e2}]", []string{"worker 1 200m"}, []string{"insufficient pool 0 cpu 200500u/200m → 2"}},
		{"components win over minLimit", "[{type: cpu, minLimit: 90000, components: [{resourceRequestParamRef: half, scheduleType: worker}]}]", []string{"worker 1 500m"}, nil},
		{"empty components do not", "[{type: cpu, minLimit: 501, components: []}]", []string{"worker 1 500m"}, []string{"insufficient pool 0 cpu 501m/500m → 2"}},
		{"another type", "[{type: memroy, minLimit: 1}]", nil, []string{"invalid r[0].type → memory"}},
		{"no type", "[{minLimit: 1}]", nil, []string{"invalid r[0].type"}},
		{"a type that is a list", "[{type: [cpu], minLimit: 1}]", nil, []string{"invalid r[0].type"}},
		{"neither", "[{type: cpu}]", nil, []string{"invalid r[0]"}},
		{"null", "[{type: cpu, minLimit: null, components: null}]", nil, []string{"invalid r[0]"}},
		{"a negative minLimit", "[{type: cpu, minLimit: -1}]", nil, []string{"invalid r[0].minLimit"}},
		{"text", "[{type: cpu, minLimit: 2000m}, {type: cpu, minLimit: '2000'}, {type: cpu, minLimit: true}, {type: cpu, minLimit: [1]}]", nil,
			[]string{"invalid r[0].minLimit → 2000", "invalid r[1].minLimit → 2000", "invalid r[2].minLimit", "invalid r[3].minLimit"}},
		{"units of minLimit", "[{type: memory, minLimit: 2Gi}, {type: diskSize, minLimit: 10GB}, {type: memory, minLimit: 1G}, {type: memory, minLimit: -2Gi}, {type: cpu, minLimit: '1.5'}, {type: cpu, minLimit: '-1'}, {type: cpus, minLimit: 10G}, {type: cpu, minLimit: '0'}]", nil,
			[]string{"invalid r[0].minLimit → 2048", "invalid r[1].minLimit → 10", "invalid r[2].minLimit", "invalid r[3].minLimit", "invalid r[4].minLimit", "invalid r[5].minLimit", "invalid r[6].type → cpu", "invalid r[6].minLimit", "invalid r[7].minLimit → 0"}},
		{"numbers of YAML that are none", "[{type: cpu, minLimit: 0x10}, {type: cpu, minLimit: .inf}, {type: cpu, minLimit: .nan}, {type: cpu, minLimit: 1e999999999}, {type: diskSize, minLimit: 1e20}, {type: cpu, minLimit: 9223372036854775807000}]", nil,
			[]string{"invalid r[0].minLimit", "invalid r[1].minLimit", "invalid r[2].minLimit", "invalid r[3].minLimit", "invalid r[4].minLimit", "invalid r[5].minLimit"}},
		{"what is no list", "{type: cpu}", nil, []string{"invalid r"}},
		{"entries that are none", "[null, text, [], {type: cpu, minLimit: 1}]", []string{"worker 1 1"}, []string{"invalid r[0]", "invalid r[1]", "invalid r[2]"}},
		{"components that are none", "[{type: cpu, components: {a: b}}, {type: cpu, components: [null, a]}]", nil, []string{"invalid r[0].c", "invalid r[1].c[0]", "invalid r[1].c[1]"}},
		{"slips", "[{type: cpu, minlimit: 1, minLimit: 2}, {type: cpu, minlimit: 5}, {type: cpu, components: [{resourceRequestParamRef: cpu, replicaCountParamref: replicas, note: x}]}]", []string{"worker 1 9", "master 1 9"},
			[]string{"invalid r[1].minlimit", "invalid r[1]", "invalid r[2].c[0].replicaCountParamref"}},
		{"more slips", "[{type: cpu, minLimt: 5}, {type: cpu, minLimti: 5}, {type: cpu, limit: 5}]", nil,
			[]string{"invalid r[0].minLimt", "invalid r[0]", "invalid r[1].minLimti", "invalid r[1]", "invalid r[2]"}},
		// R2
		{"each worker pool", "[{type: cpu, minLimit: 2000}]", []string{"worker 1 2", "worker 1 1", "worker 2 1"}, []string{"insufficient pool 1 cpu 2000m/1000m → 2"}},
		{"not the control plane", "[{type: cpu, minLimit: 2000}]", []string{"worker 1 2", "control-plane+ 1 1"}, nil},
		{"the control plane that schedules workloads", "[{type: cpu, minLimit: 2000}]", []string{"control-plane+ 1 1"}, []string{"insufficient pool 0 cpu 2000m/1000m → 2"}},
		{"the control plane that does not", "[{type: cpu, minLimit: 2000}]", []string{"control-plane 1 4"}, []string{"no-pool worker"}},
		{"no pools", "[{type: cpu, minLimit: 2000}, {type: memory, minLimit: 1}]", nil, []string{"no-pool worker"}},
		{"nothing asked of no pools", "[{type: cpu, minLimit: 0}]", nil, nil},
		// R3
		{"request × replicas", component("cpu cpu replicas worker"), []string{"worker 2 1500m"}, nil},
		{"request × replicas, one less", component("cpu cpu replicas worker"), []string{"worker 1 2999m"}, []string{"insufficient pool 0 cpu 3/2999m → 2"}},
		{"no replicas", component("cpu cpu - worker"), []string{"worker 1 1500m"}, nil},
		{"quoted replicas", component("cpu half quoted worker"), []string{"worker 1 1499m"}, []string{"insufficient pool 0 cpu 1500m/1499m → 2"}},
		{"replicas with an exponent", component("cpu half many worker"), []string{"worker 1 499"}, []string{"insufficient pool 0 cpu 500/499 → 2"}},
		{"workers", component("cpu cpu - worker"), []string{"worker 1 2", "master 1 1"}, nil},
		{"masters", component("cpu cpu - master"), []string{"worker 1 1", "master 1 1"}, []string{"insufficient pool 1 cpu 1500m/1000m of a node", "insufficient pool 1 cpu 1500m/1000m"}},
		{"the control plane", component("cpu cpu - control-plane"), []string{"worker 1 1", "control-plane 1 2"}, nil},
		{"all", component("cpu half replicas all"), []string{"worker 1 999m", "master 1 999m"}, []string{"insufficient pool 0 cpu 1/999m → 2", "insufficient pool 1 cpu 1/999m → 2"}},
		{"all by default", component("cpu half replicas -"), []string{"worker 1 999m", "master 1 999m"}, []string{"insufficient pool 0 cpu 1/999m → 2", "insufficient pool 1 cpu 1/999m → 2"}},
		{"all, once on a single node", component("cpu half replicas all"), []string{"master+ 1 1"}, nil},
		{"all, and no control plane", component("cpu half - all"), []string{"worker 1 1"}, []string{"no-pool control-plane"}},
		{"an empty schedule", "[{type: cpu, components: [{resourceRequestParamRef: half, scheduleType: ''}]}]", []string{"worker 1 999m", "master 1 499m"}, []string{"insufficient pool 1 cpu 500m/499m of a node", "insufficient pool 1 cpu 500m/499m"}},
		{"a schedule that is a list", "[{type: cpu, components: [{resourceRequestParamRef: half, scheduleType: [worker]}]}]", nil, []string{"invalid r[0].c[0].scheduleType"}},
		{"a reference that is a number", "[{type: cpu, components: [{resourceRequestParamRef: 5, scheduleType: worker}]}]", []string{"worker 1 6"}, []string{"insufficient pool 0 cpu 7000m/6000m of a node", "insufficient pool 0 cpu 7000m/6000m"}},
		{"an empty request", "[{type: cpu, components: [{resourceRequestParamRef: ''}]}]", nil, []string{"invalid r[0].c[0].request"}},
		{"empty replicas", "[{type: cpu, components: [{resourceRequestParamRef: half, replicaCountParamRef: '', scheduleType: worker}]}]", []string{"worker 1 500m"}, nil},
		{"another schedule", component("cpu cpu - workers"), nil, []string{"invalid r[0].c[0].scheduleType → worker"}},
		{"a key with dots", component("cpu node.store.size - worker"), []string{"worker 1 1999m"}, []string{"insufficient pool 0 cpu 2/1999m of a node", "insufficient pool 0 cpu 2/1999m"}},
		{"an index", component("cpu list.1 - worker"), []string{"worker 1 2"}, nil},
		{"no request", component("cpu - replicas worker"), nil, []string{"invalid r[0].c[0].request"}},
		{"a reference that is no path", component("cpu a..b b..c worker"), nil, []string{"invalid r[0].c[0].request", "invalid r[0].c[0].replicas"}},
		{"a reference to several values", component("cpu list.$[] - worker"), nil, []string{"invalid r[0].c[0].request"}},
		{"a reference that is no text", "[{type: cpu, components: [{resourceRequestParamRef: [cpu], replicaCountParamRef: {a: b}}]}]", nil, []string{"invalid r[0].c[0].request", "invalid r[0].c[0].replicas"}},
		// R4
		{"Gi, bytes and G", "[{type: memory, components: [{resourceRequestParamRef: memory, scheduleType: worker}, {resourceRequestParamRef: bytes, scheduleType: worker}, {resourceRequestParamRef: decimal, scheduleType: worker}]}]",
			[]string{"worker 1 - 4221225472", "worker 1 - 4221225471"}, []string{"insufficient pool 1 memory 4221225472/4221225471 → 2"}},
		{"no quantity", component("cpu word - worker"), nil, []string{"invalid word"}},
		{"a boolean", component("cpu flag - worker"), nil, []string{"invalid flag"}},
		{"a map", component("cpu map list worker"), nil, []string{"invalid map", "invalid list"}},
		{"a negative request", component("cpu minus - worker"), nil, []string{"invalid minus"}},
		{"an endless number", component("cpu endless endless worker"), nil, []string{"invalid endless", "invalid endless"}},
		{"a number in sixteens", component("cpu hex - worker"), nil, []string{"invalid hex"}},
		{"a blank", component("memory blank - worker"), nil, []string{"invalid blank → 5Gi"}},
		{"lower case", component("memory lower - worker"), nil, []string{"invalid lower → 2Gi"}},
		// R5
		{"a reference that does not resolve", component("cpu absent - worker"), []string{"worker 0 1"}, []string{"unresolved-ref r[0].c[0].request"}},
		{"empty and null", "[{type: cpu, components: [{resourceRequestParamRef: empty}, {resourceRequestParamRef: nothing}]}]", nil, []string{"unresolved-ref empty", "unresolved-ref nothing"}},
		{"replicas that do not resolve", component("cpu half absent worker"), []string{"worker 1 500m", "worker 1 499m"},
			[]string{"unresolved-ref r[0].c[0].replicas", "insufficient pool 1 cpu 500m/499m of a node", "insufficient pool 1 cpu 500m/499m"}},
		{"no replicas at all", component("cpu cpu zero worker"), []string{"worker 0 1"}, nil},
		{"negative replicas", component("cpu cpu minus worker"), nil, []string{"invalid minus"}},
		{"more replicas than can be counted", "[{type: cpu, components: [{resourceRequestParamRef: cpu, replicaCountParamRef: decimal}, {resourceRequestParamRef: cpu, replicaCountParamRef: bytes, scheduleType: worker}, {resourceRequestParamRef: half, replicaCountParamRef: billions}]}]", nil, []string{"invalid decimal", "invalid billions", "no-pool worker"}},
		{"as many replicas as can be counted", component("cpu half most worker"), []string{"worker 1 1073741823500m", "worker 1 1073741823499m"}, []string{"insufficient pool 1 cpu 1073741823500m/1073741823499m → 2"}},
		{"half a replica", component("cpu cpu part worker"), nil, []string{"invalid part"}},
		{"a macro", component("cpu macro - worker"), nil, []string{"unresolved-ref macro"}},
		{"replicas of a macro", component("cpu half macro worker"), []string{"worker 1 500m"}, []string{"unresolved-ref macro"}},
		// R6
		{"the size counts", "[{type: cpu, minLimit: 6000}]", []string{"worker 3 2", "worker 2 2"}, []string{"insufficient pool 1 cpu 6000m/4000m → 3"}},
		{"all of a type together", "[{type: cpu, minLimit: 1000}, {type: cpu, components: [{resourceRequestParamRef: half, scheduleType: worker}]}]", []string{"worker 1 1500m", "worker 1 1499m"}, []string{"insufficient pool 1 cpu 1500m/1499m → 2"}},
		// R7
		{"the size for all types", "[{type: cpu, minLimit: 3000}, {type: memory, minLimit: 5120}]", []string{"worker 1 2 1Gi"}, []string{"insufficient pool 0 cpu 3000m/2000m → 5", "insufficient pool 0 memory 5Gi/1Gi → 5"}},
		{"a size that can not be written", "[{type: cpu, minLimit: 5000000000000000000}, {type: cpu, minLimit: 5000000000000000000}]", []string{"worker 1 1m"}, []string{"insufficient pool 0 cpu 10000000000000000000m/1m"}},
		{"no size is enough for all types", "[{type: cpu, components: [{resourceRequestParamRef: big, scheduleType: worker}]}, {type: memory, minLimit: 5120}]", []string{"worker 1 2 1Gi"},
			[]string{"insufficient pool 0 cpu 3000m/2000m of a node", "insufficient pool 0 cpu 3000m/2000m", "insufficient pool 0 memory 5Gi/1Gi"}},
		{"not known", "[{type: cpu, minLimit: 3000}, {type: memory, minLimit: 1}]", []string{"worker 1 2"}, []string{"insufficient pool 0 memory 1Mi/", "insufficient pool 0 cpu 3000m/2000m → 2"}},
		// R8
		{"a request larger than a node", component("cpu big - worker"), []string{"worker 9 2"}, []string{"insufficient pool 0 cpu 3000m/2000m of a node"}},
		{"the largest of several", "[{type: cpu, components: [{resourceRequestParamRef: big, scheduleType: worker}, {resourceRequestParamRef: half, scheduleType: worker}]}]", []string{"worker 9 2"}, []string{"insufficient pool 0 cpu 3000m/2000m of a node"}},
		{"a request of both roles", component("cpu big - all"), []string{"worker 9 2", "master 9 2"}, []string{"insufficient pool 0 cpu 3000m/2000m of a node", "insufficient pool 1 cpu 3000m/2000m of a node"}},
		{"a request of the other role", "[{type: cpu, components: [{resourceRequestParamRef: big, scheduleType: master}, {resourceRequestParamRef: half, scheduleType: worker}]}]", []string{"worker 9 2", "master 9 3"}, nil},
		{"a request as large as a node", component("cpu big - worker"), []string{"worker 1 3"}, nil},
		{"a request of no replicas", component("cpu big zero worker"), []string{"worker 9 2"}, nil},
		{"a request of no replicas beside others", "[{type: cpu, minLimit: 1000}, {type: cpu, components: [{resourceRequestParamRef: big, replicaCountParamRef: zero, scheduleType: worker}]}]", []string{"worker 9 2"}, nil},
		{"a minLimit is no request", "[{type: cpu, minLimit: 9000}]", []string{"worker 9 1"}, nil},
		// R9
		{"a quarter of a byte", component("memory m - worker"), []string{"worker 1 - 1Gi"}, []string{"suspicious-unit m → 256Mi"}},
		{"millions of cores", component("cpu mi - worker"), nil, []string{"suspicious-unit mi → 500m", "no-pool worker"}},
		{"billions of cores", component("cpu gi - worker"), nil, []string{"suspicious-unit gi", "no-pool worker"}},
		{"many cores", component("cpu k - worker"), nil, []string{"suspicious-unit k → 500m", "no-pool worker"}},
		{"few bytes", component("memory b - worker"), nil, []string{"suspicious-unit b → 512Mi", "no-pool worker"}},
		{"few bytes of a disk", component("diskSize disk - worker"), nil, []string{"suspicious-unit disk → 10G", "no-pool worker"}},
		{"thousandths of bytes of a disk", component("diskSize m - worker"), nil, []string{"suspicious-unit m", "no-pool worker"}},
		{"billionths of bytes", component("memory n - worker"), nil, []string{"suspicious-unit n", "no-pool worker"}},
		{"millionths of bytes", component("memory u - worker"), nil, []string{"suspicious-unit u", "no-pool worker"}},
		{"nothing, and exponents", "[{type: memory, components: [{resourceRequestParamRef: zero}]}, {type: cpu, components: [{resourceRequestParamRef: exponent, scheduleType: worker}]}]", []string{"worker 1 10 4Gi"}, nil},
		{"usual ones", "[{type: cpu, components: [{resourceRequestParamRef: half, scheduleType: worker}, {resourceRequestParamRef: big, scheduleType: worker}]}, {type: memory, components: [{resourceRequestParamRef: bytes, scheduleType: worker}]}]", []string{"worker 1 4 4Gi"}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var pools []Pool
			for _, text := range tc.pools {
				pools = append(pools, newPool(t, text))
			}
			got := told(Check([]Pack{newPack(t, "p", tc.resources, standard)}, pools))
			for i := range got { // cores are written in millicores, where the table says cores
				got[i] = normalize(got[i])
			}
			want := make([]string, len(tc.want))
			for i := range want {
				want[i] = normalize(tc.want[i])
			}
			if diff := cmp.Diff(want, append([]string{}, got...)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// normalize writes whole cores of a line as millicores.
func normalize(line string) string {
	before, amounts, ok := strings.Cut(line, " cpu ")
	if !ok {
		return line
	}
	amount, rest, _ := strings.Cut(amounts, " ")
	need, have, _ := strings.Cut(amount, "/")
	for _, of := range []*string{&need, &have} {
		if strings.Trim(*of, "0123456789") == "" && *of != "" && *of != "0" {
			*of += "000m"
		}
	}
	return strings.TrimSuffix(before+" cpu "+need+"/"+have+" "+rest, " ")
}

// Messages say what to mend, in words that stand alone.
func TestMessages(t *testing.T) {
	three := int64(3)
	pools, _ := Pools([]pack.MachinePool{
		{Name: "workers", Role: "worker", Size: &three, InstanceType: "m5", Reserved: pack.Capacity{CPU: "200m", Memory: "1Gi"}},
	}, []pack.InstanceType{{Name: "m5", Capacity: pack.Capacity{CPU: "4", Memory: "16Gi"}}})
	packs := []Pack{
		newPack(t, "a", component("cpu server.cpu server.replicas worker"), "server: {cpu: 1500m, replicas: 6}"),
		newPack(t, "b", "[{type: cpu, minLimit: 2000}, {type: cpu, minLimit: 500}, {type: cpu, minLimit: 400}]", ""),
		newPack(t, "c", component("memory heap - worker"), "heap: 20Gi"),
		newPack(t, "d", component("memory heep - worker"), "heap: 20Gi"),
	}
	var got []string
	for _, f := range Check(packs, pools) {
		got = append(got, f.Message)
	}
	want := []string{
		`constraints.resources[0].components[0].resourceRequestParamRef: "heep" leads to nothing in the values, so nothing is counted for it (did you mean "heap"?)`,
		`pool "workers" (3 × m5): memory: a single request is larger than a node, which has 15Gi after 1Gi reserved: c heap (20Gi); more nodes do not help: choose an instance type with 21Gi, or ask for less`,
		`pool "workers" (3 × m5): cpu: packs need 11900m, but it has 11400m (3 × 3800m after 200m reserved), 500m too little; most is asked by a server.cpu (6 × 1500m), b minLimit (2000m), b minLimit (500m) and 1 more; 1 more node of this type would do (size 4)`,
		`pool "workers" (3 × m5): packs need cpu 11900m of 11400m (105%), memory 20Gi of 45Gi (44%)`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A minLimit that is text says how it is written.
func TestMessageOfLimit(t *testing.T) {
	_, findings := Demands([]Pack{newPack(t, "a", "[{type: cpu, minLimit: '2000'}, {type: cpu, minLimit: '1.5'}, {type: cpu, minLimit: 2000m}, {type: cpu, minLimit: many}]", "")})
	want := []string{
		`got the text "2000", want a number of millicores, without a unit; remove the quotes`,
		`got the text "1.5", want a number of millicores, without a unit; remove the quotes`,
		`got the text "2000m", want a number of millicores, without a unit (did you mean 2000?)`,
		`got the text "many", want a number of millicores, without a unit`,
	}
	var got []string
	for _, f := range findings {
		_, message, _ := strings.Cut(f.Message, ": ")
		got = append(got, message)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Where a request does not fit into a node, more nodes are not the whole remedy.
func TestMessageOfBoth(t *testing.T) {
	findings := Check([]Pack{newPack(t, "a", component("cpu cpu replicas worker"), "{cpu: 3, replicas: 2}")}, []Pool{newPool(t, "worker 1 2")})
	want := []string{
		`pool "worker" (1 node): cpu: a single request is larger than a node, which has 2000m: a cpu (3000m); more nodes do not help: choose nodes with 3000m (capacity.cpu), or ask for less`,
		`pool "worker" (1 node): cpu: packs need 6000m, but it has 2000m (1 × 2000m), 4000m too little; most is asked by a cpu (2 × 3000m); choose larger nodes (capacity.cpu), since a single request does not fit into a node; for the rest 2 more nodes would do`,
		`pool "worker" (1 node): packs need cpu 6000m of 2000m (300%)`,
	}
	var got []string
	for _, f := range findings {
		if got = append(got, f.Message); f.Proposed != nil {
			t.Errorf("%v is proposed", f.Proposed)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// What is too small is named where it stands: the instance type, or the capacity
// that the pool itself gives.
func TestMessageOfNode(t *testing.T) {
	one := int64(1)
	pools, _ := Pools([]pack.MachinePool{
		{Name: "w", Role: "worker", Size: &one, InstanceType: "m5", Capacity: pack.Capacity{Memory: "4Gi"}, Reserved: pack.Capacity{Memory: "1Gi"}},
	}, []pack.InstanceType{{Name: "m5", Capacity: pack.Capacity{CPU: "4", Memory: "16Gi"}}})
	var got []string
	for _, f := range Check([]Pack{
		newPack(t, "a", component("cpu cpu - worker"), "cpu: 5"),
		newPack(t, "b", component("memory heap - worker"), "heap: 8Gi"),
	}, pools) {
		got = append(got, f.Field+" "+f.Message)
	}
	want := []string{
		`instanceType pool "w" (1 × m5): cpu: a single request is larger than a node, which has 4000m: a cpu (5000m); more nodes do not help: choose an instance type with 5000m, or ask for less`,
		`capacity.memory pool "w" (1 × m5): memory: a single request is larger than a node, which has 3Gi after 1Gi reserved: b heap (8Gi); more nodes do not help: choose nodes with 9Gi (capacity.memory), or ask for less`,
		`size pool "w" (1 × m5): cpu: packs need 5000m, but it has 4000m (1 × 4000m), 1000m too little; most is asked by a cpu (5000m); choose a larger instance type, since a single request does not fit into a node; for the rest 1 more node would do`,
		`size pool "w" (1 × m5): memory: packs need 8Gi, but it has 3Gi (1 × 3Gi after 1Gi reserved), 5Gi too little; most is asked by b heap (8Gi); choose larger nodes (capacity.memory), since a single request does not fit into a node; for the rest 2 more nodes would do`,
	}
	if diff := cmp.Diff(want, got[:4]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Who is named asks for something, of that pool, and for what does not fit.
func TestMessageOfAskers(t *testing.T) {
	packs := []Pack{
		newPack(t, "a", "[{type: cpu, components: [{resourceRequestParamRef: most, scheduleType: master}, {resourceRequestParamRef: fits, scheduleType: worker}, {resourceRequestParamRef: large, scheduleType: worker}, {resourceRequestParamRef: large, replicaCountParamRef: none, scheduleType: worker}, {resourceRequestParamRef: small, replicaCountParamRef: none, scheduleType: worker}]}]",
			"{most: 9, large: 3, fits: 2, small: 1, none: 0}"),
		newPack(t, "b", "[{type: cpu, minLimit: 5000}]", ""),
	}
	var got []string
	for _, f := range Check(packs, []Pool{newPool(t, "worker 1 2"), newPool(t, "master 1 9")}) {
		got = append(got, f.Message)
	}
	want := []string{
		`pool "worker" (1 node): cpu: a single request is larger than a node, which has 2000m: a large (3000m); more nodes do not help: choose nodes with 3000m (capacity.cpu), or ask for less`,
		`pool "worker" (1 node): cpu: packs need 10000m, but it has 2000m (1 × 2000m), 8000m too little; most is asked by b minLimit (5000m), a large (3000m), a fits (2000m); choose larger nodes (capacity.cpu), since a single request does not fit into a node; for the rest 4 more nodes would do`,
		`pool "worker" (1 node): packs need cpu 10000m of 2000m (500%)`,
		`pool "master" (1 node): packs need cpu 9000m of 9000m (100%)`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A role that no pool has is asked for by packs, each named once.
func TestMessageOfNoPool(t *testing.T) {
	ask := "[{type: cpu, minLimit: 1}, {type: memory, minLimit: 1}]"
	var packs []Pack
	for _, name := range []string{"a", "b", "c"} {
		packs = append(packs, newPack(t, name, ask, ""))
	}
	said := func(packs []Pack, pools []Pool) string {
		return Check(packs, pools)[0].Message
	}
	for _, tc := range []struct {
		got, want string
	}{
		{said(packs, nil), "there are no machine pools, but packs ask cpu, memory of the role worker (a, b, c): add a pool of the role worker, or a control-plane pool that has schedulesWorkloads: true"},
		{said(append(packs, newPack(t, "d", ask, "")), []Pool{newPool(t, "master 1 1 1Gi")}), "no machine pool has the role worker, but packs ask cpu, memory of it (a, b, c and 1 more): add a pool of the role worker, or a control-plane pool that has schedulesWorkloads: true"},
		{said([]Pack{newPack(t, "a", component("cpu a - master"), "a: 1")}, []Pool{newPool(t, "worker 1 1")}), "no machine pool has the role control-plane, but packs ask cpu of it (a): add a pool of the role control-plane"},
	} {
		if tc.got != tc.want {
			t.Errorf("got  %s\nwant %s", tc.got, tc.want)
		}
	}
}

// A summary has each type that is known of a pool, and is of use to programs.
func TestSummary(t *testing.T) {
	found := Check([]Pack{newPack(t, "a", "[{type: cpu, minLimit: 1}, {type: memory, minLimit: 512}]", "")}, []Pool{newPool(t, "worker 2 1 1Gi"), newPool(t, "worker 0 1")})
	var got []Finding
	for _, f := range found {
		if f.Rule == RuleSummary {
			got = append(got, f)
		}
	}
	want := []Finding{
		{Rule: RuleSummary, Subject: OfPool, Message: `pool "worker" (2 nodes): packs need cpu 1m of 2000m (<1%), memory 512Mi of 2Gi (25%)`,
			Tags: map[string]string{"cpu.need": "1m", "cpu.have": "2000m", "cpu.share": "<1%", "memory.need": "512Mi", "memory.have": "2Gi", "memory.share": "25%"}},
		{Rule: RuleSummary, Subject: OfPool, Pool: 1, Message: `pool "worker" (0 nodes): packs need cpu 1m of 0`, Tags: map[string]string{"cpu.need": "1m", "cpu.have": "0"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// What a reference leads to is described without being shown.
func TestMessageOfReference(t *testing.T) {
	_, findings := Demands([]Pack{newPack(t, "a", "[{type: memory, components: [{resourceRequestParamRef: server.memroy}, {resourceRequestParamRef: list, replicaCountParamRef: map}, {resourceRequestParamRef: macro}, {resourceRequestParamRef: broken}, {resourceRequestParamRef: true}, {resourceRequestParamRef: server.memory, scheduleType: [all]}]}, {type: [cpu]}, {type: cpus, minLimit: true}]",
		"{server: {memory: 1Gi}, list: [], map: {}, macro: '{{ .spectro.var.A | default .spectro.var.B }}', broken: '{{ .spectro.var.A | default (secret }}'}")})
	var got []string
	for _, f := range findings {
		got = append(got, strings.TrimPrefix(f.Message, "constraints."))
	}
	want := []string{
		`resources[0].components[0].resourceRequestParamRef: "server.memroy" leads to nothing in the values, so nothing is counted for it (did you mean "server.memory"?)`,
		`list: got a list, want a quantity of bytes such as 512Mi or 2Gi`,
		`map: got a mapping, want a number of replicas`,
		`macro: holds the macro .spectro.var.A, so nothing is counted for it until resolve-macros has resolved it`,
		`broken: holds a macro, so nothing is counted for it until resolve-macros has resolved it`,
		`resources[0].components[4].resourceRequestParamRef: got a boolean, want the path of a value, as text`,
		`resources[0].components[5].scheduleType: got a list, want master, worker or all`,
		`resources[1].type: got a list, want cpu, memory or diskSize`,
		`resources[1]: has neither a minLimit nor components: give one of them, minLimit being a number without a unit`,
		`resources[2].type: got "cpus", want cpu, memory or diskSize (did you mean "cpu"?)`,
		`resources[2].minLimit: got a boolean, want a number without a unit`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A unit that was probably meant is one that makes sense for the type, and is
// not doubted in its turn.
func TestProposals(t *testing.T) {
	for _, tc := range []struct {
		of                Type
		text              string
		ofRequest, ofNode string
	}{
		{CPU, "1mi", "1m", "1m"}, {CPU, "500MB", "500m", "500m"}, {CPU, "1K", "", ""}, {CPU, "2gb", "", ""}, {CPU, "500 bytes", "", ""},
		{CPU, "4 vCPU", "4", "4"}, {CPU, "500 cores", "500", "500"}, {CPU, "4000", "4000m", "4000m"}, {CPU, "1999", "1999m", ""}, {CPU, "99", "", ""}, {CPU, "100", "100m", ""}, {CPU, "2000", "2000m", "2000m"}, {CPU, "2000000m", "", ""}, {CPU, "-5 m", "", ""},
		{Memory, "2GB", "2G", "2G"}, {Memory, "512 m", "512Mi", "512Mi"}, {Memory, "3 cores", "", ""}, {Memory, "2gi", "2Gi", "2Gi"}, {Memory, "512 bytes", "512", "512"}, {Memory, "-5GB", "", ""},
		{Memory, "2", "2Gi", "2Gi"}, {Memory, "15.5", "15.5Gi", "15.5Gi"}, {Memory, "16", "16Mi", "16Gi"}, {Memory, "999", "999Mi", "999Gi"}, {Memory, "1000", "1000Mi", "1000Mi"},
		{Memory, "0GB", "0G", "0G"}, {Memory, "100Ki", "", ""}, {Memory, "1048575", "1048575Mi", "1048575Mi"}, {Memory, "1048576", "", ""},
		{DiskSize, "10", "10G", "10G"}, {DiskSize, "2000", "2000G", "2000G"}, {DiskSize, "10gb", "10G", "10G"}, {DiskSize, "256m", "", ""},
	} {
		for ofNode, want := range map[bool]string{false: tc.ofRequest, true: tc.ofNode} {
			got := ""
			a, err := ParseQuantity(tc.text)
			var wrong *QuantityError
			if errors.As(err, &wrong) {
				got = tc.of.propose(tc.text, wrong, ofNode)
			} else if odd, is := tc.of.suspect(tc.text, a, ofNode); is {
				got = odd.proposed
			}
			if got != want {
				t.Errorf("%s %q, of a node %t: got %q, want %q", tc.of, tc.text, ofNode, got, want)
			}
		}
	}
}

// What can not be read asks for nothing, not even in part.
func TestNoDemand(t *testing.T) {
	for _, resources := range []string{
		"[{type: disk, minLimit: 5}]",
		component("disk size - worker"),
		component("cpu size - nowhere"),
		component("cpu flag - worker"),
		component("cpu size flag worker"),
		"[{minLimit: 5}]",
		"[{type: [cpu], minLimit: 5}]",
		"[{type: cpu}]",
		"[{type: cpu, minLimit: -1}]",
		"[{type: cpu, minLimit: 5m}]",
		"[{type: cpu, minLimit: .inf}]",
		"[{type: diskSize, minLimit: 1e20}]",
		component("cpu - size worker"),
		component("cpu absent - worker"),
		component("cpu list - worker"),
		component("cpu list.$[] - worker"),
		component("cpu minus - worker"),
		component("cpu word - worker"),
		component("cpu size list worker"),
		"[{type: cpu, components: [{resourceRequestParamRef: size, replicaCountParamRef: [size]}]}]",
	} {
		demands, findings := Demands([]Pack{newPack(t, "p", resources, "{size: 5, flag: true, list: [1], minus: -1, word: lots}")})
		if len(demands) > 0 || len(findings) != 1 || strings.Contains(findings[0].Message, "flag") && !strings.Contains(findings[0].Message, "got a boolean") {
			t.Errorf("%s: %+v %+v", resources, demands, findings)
		}
	}
}

// Shares never look like enough when they are not, nor full when they are not.
func TestShare(t *testing.T) {
	for _, tc := range []struct{ a, b, want string }{
		{"1", "1", "100"}, {"999999999n", "1", "99"}, {"1000000001n", "1", "101"}, {"1m", "1", "0"}, {"0", "1", "0"}, {"3", "2", "150"},
	} {
		if got := quantity(t, tc.a).percent(quantity(t, tc.b)).String(); got != tc.want {
			t.Errorf("%s of %s is %s%%, want %s%%", tc.a, tc.b, got, tc.want)
		}
	}
}

// What people would not write is given roughly as well.
func TestWords(t *testing.T) {
	for _, tc := range []struct {
		of         Type
		text, want string
	}{
		{CPU, "0", "0"}, {CPU, "1500m", "1500m"}, {CPU, "200500u", "200500u (about 200.5m)"}, {CPU, "100u", "100u"},
		{Memory, "0", "0"}, {Memory, "1536Mi", "1536Mi"}, {Memory, "500M", "500M"}, {Memory, "1573741824", "1573741824 (about 1.47Gi)"},
		{Memory, "1048576000256m", "1048576000256m (about 1000Mi)"}, {Memory, "1000", "1000"},
		{DiskSize, "60Gi", "60Gi"}, {DiskSize, "1500000001", "1500000001 (about 1.5G)"},
	} {
		a := quantity(t, tc.text)
		if got := tc.of.Words(a); got != tc.want {
			t.Errorf("%s of %s: got %s, want %s", tc.text, tc.of, got, tc.want)
		}
		if got, want := tc.of.Words(Amount{}.Sub(a)), strings.Replace(strings.Replace("-"+tc.want, "about ", "about -", 1), "-0", "0", 1); got != want {
			t.Errorf("-%s of %s: got %s, want %s", tc.text, tc.of, got, want)
		}
	}
}

// Amounts are written as quantities that are exactly the same.
func TestText(t *testing.T) {
	for _, tc := range []struct {
		of         Type
		text, want string
	}{
		{CPU, "1.5", "1500m"}, {CPU, "2", "2000m"}, {CPU, "1n", "1n"}, {CPU, "0", "0"}, {CPU, "100u", "100u"},
		{Memory, "1024Mi", "1Gi"}, {Memory, "1.5Gi", "1536Mi"}, {Memory, "1G", "1G"}, {Memory, "1000001", "1000001"}, {Memory, "256m", "256m"}, {Memory, "2Ti", "2048Gi"},
		{DiskSize, "60G", "60G"}, {DiskSize, "60Gi", "60Gi"}, {DiskSize, "1.5T", "1500G"},
	} {
		if got := tc.of.Text(quantity(t, tc.text)); got != tc.want {
			t.Errorf("%s of %s: got %s, want %s", tc.text, tc.of, got, tc.want)
		}
	}
}
