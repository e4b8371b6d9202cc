package capacity

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
)

// newPack makes a pack of resource constraints and values.
func newPack(name, resources, text string) *pack.Pack {
	return &pack.Pack{Name: name, Metadata: pack.File("spec", "constraints: {resources: "+resources+"}"), Values: pack.File("values.yaml", text)}
}

// poolNamed writes a pool in flow style: `worker 3 4 16Gi 60G`, with - for what is
// unknown, and + after the role of a control plane that schedules workloads.
func poolNamed(name, text string) string {
	fields := strings.Fields(text)
	role, schedules := strings.CutSuffix(fields[0], "+")
	var capacity []string
	for i, of := range Types() {
		if at := i + 2; at < len(fields) && fields[at] != "-" {
			capacity = append(capacity, string(of)+": "+fields[at])
		}
	}
	return fmt.Sprintf("{name: %s, role: %s, schedulesWorkloads: %t, size: %s, capacity: {%s}}", name, role, schedules, fields[1], strings.Join(capacity, ", "))
}

// pools makes a ClusterContext of pools, none without any.
func pools(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	var pools []string
	for i, text := range texts {
		pools = append(pools, poolNamed(fmt.Sprint("pool-", i), text))
	}
	return "---\n" + cluster("{machinePools: ["+strings.Join(pools, ", ")+"]}")
}

var poolPath = regexp.MustCompile(`machinePools\[(\d+)\]`)

// brief writes findings as short as a table needs them: the rule, what it is about, and
// the facts.
func brief(findings []diag.Finding) []string {
	var out []string
	for _, f := range findings {
		if f.Rule == rule.ResourcesSummary {
			continue
		}
		line := strings.TrimPrefix(f.Rule.ID, "resources/")
		switch pool := poolPath.FindStringSubmatch(f.Path()); {
		case f.Tags["role"] != "":
			line += " " + f.Tags["role"]
		case pool != nil:
			line += fmt.Sprintf(" pool %s %s %s/%s", pool[1], f.Tags["type"], f.Tags["need"], f.Tags["have"])
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
	slices.Sort(out)
	return out
}

// component is one component in flow style: `cpu a.b replicas worker`, with - for
// what is absent.
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

// standard are the values of the packs in the tables.
const standard = "{cpu: 1500m, half: 500m, big: 3, memory: 2Gi, bytes: 1073741824, decimal: 1G, replicas: 2, quoted: '3', zero: 0, minus: -1, part: 1.5, many: 1e3, " +
	"endless: 1e999999999, node.store.size: 2, list: [1, 2], map: {a: 1}, empty: '', nothing: null, flag: true, word: lots, m: 256m, mi: 500Mi, gi: 2Gi, k: 500, b: 512, u: 5u, " +
	"macro: '{{ .spectro.var.CPU | default \"1\" }}', disk: 10, exponent: 1E1, billions: 2147483648, most: 2147483647, 5: 7, n: 5n, blank: '5 Gi', lower: 2gi, hex: 0x10, octal: 010, text: '010'}"

// Each rule about amounts, as the least that shows it.
func TestRules(t *testing.T) {
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
		{"fractions", "[{type: cpu, minLimit: 0.5}, {type: cpu, minLimit: 2e2}]", []string{"worker 1 200m"}, []string{"insufficient pool 0 cpu 200500u/200m → 2", "suspicious-unit r[0].minLimit → 500"}},
		{"less than a billionth", "[{type: cpu, minLimit: 0.0000001}]", []string{"worker 1 0"}, []string{"insufficient pool 0 cpu 1n/0", "suspicious-unit r[0].minLimit"}},
		{"components win over minLimit", "[{type: cpu, minLimit: 90000, components: [{resourceRequestParamRef: half, scheduleType: worker}]}]", []string{"worker 1 500m"}, nil},
		{"empty components do not", "[{type: cpu, minLimit: 501, components: []}]", []string{"worker 1 500m"}, []string{"insufficient pool 0 cpu 501m/500m → 2"}},
		// R2
		{"each worker pool", "[{type: cpu, minLimit: 2000}]", []string{"worker 1 2", "worker 1 1", "worker 2 1"}, []string{"insufficient pool 1 cpu 2000m/1000m → 2"}},
		{"not the control plane", "[{type: cpu, minLimit: 2000}]", []string{"worker 1 2", "control-plane+ 1 1"}, nil},
		{"the control plane that schedules workloads", "[{type: cpu, minLimit: 2000}]", []string{"control-plane+ 1 1"}, []string{"insufficient pool 0 cpu 2000m/1000m → 2"}},
		{"the control plane that does not", "[{type: cpu, minLimit: 2000}]", []string{"control-plane 1 4"}, []string{"no-pool worker"}},
		{"no pools", "[{type: cpu, minLimit: 2000}, {type: memory, minLimit: 16}]", nil, []string{"no-pool worker"}},
		{"nothing asked of no pools", "[{type: cpu, minLimit: 0}]", nil, nil},
		// R3
		{"request × replicas", component("cpu cpu replicas worker"), []string{"worker 2 1500m"}, nil},
		{"request × replicas, one less", component("cpu cpu replicas worker"), []string{"worker 1 2999m"}, []string{"insufficient pool 0 cpu 3000m/2999m → 2"}},
		{"no replicas", component("cpu cpu - worker"), []string{"worker 1 1500m"}, nil},
		{"quoted replicas", component("cpu half quoted worker"), []string{"worker 1 1499m"}, []string{"insufficient pool 0 cpu 1500m/1499m → 2"}},
		{"replicas with an exponent", component("cpu half many worker"), []string{"worker 1 499"}, []string{"insufficient pool 0 cpu 500000m/499000m → 2"}},
		{"workers", component("cpu cpu - worker"), []string{"worker 1 2", "master 1 1"}, nil},
		{"masters", component("cpu cpu - master"), []string{"worker 1 1", "master 1 1"}, []string{"insufficient pool 1 cpu 1500m/1000m of a node", "insufficient pool 1 cpu 1500m/1000m"}},
		{"the control plane", component("cpu cpu - control-plane"), []string{"worker 1 1", "control-plane 1 2"}, nil},
		{"all", component("cpu half replicas all"), []string{"worker 1 999m", "master 1 999m"}, []string{"insufficient pool 0 cpu 1000m/999m → 2", "insufficient pool 1 cpu 1000m/999m → 2"}},
		{"all by default", component("cpu half replicas -"), []string{"worker 1 999m", "master 1 999m"}, []string{"insufficient pool 0 cpu 1000m/999m → 2", "insufficient pool 1 cpu 1000m/999m → 2"}},
		{"all, once on a single node", component("cpu half replicas all"), []string{"master+ 1 1"}, nil},
		{"all, and no control plane", component("cpu half - all"), []string{"worker 1 1"}, []string{"no-pool control-plane"}},
		{"an empty schedule", "[{type: cpu, components: [{resourceRequestParamRef: half, scheduleType: ''}]}]", []string{"worker 1 999m", "master 1 499m"}, []string{"insufficient pool 1 cpu 500m/499m of a node", "insufficient pool 1 cpu 500m/499m"}},
		{"a reference that is a number", "[{type: cpu, components: [{resourceRequestParamRef: 5, scheduleType: worker}]}]", []string{"worker 1 6"}, []string{"insufficient pool 0 cpu 7000m/6000m of a node", "insufficient pool 0 cpu 7000m/6000m"}},
		{"empty replicas", "[{type: cpu, components: [{resourceRequestParamRef: half, replicaCountParamRef: '', scheduleType: worker}]}]", []string{"worker 1 500m"}, nil},
		{"a key with dots", component("cpu node.store.size - worker"), []string{"worker 1 1999m"}, []string{"insufficient pool 0 cpu 2000m/1999m of a node", "insufficient pool 0 cpu 2000m/1999m"}},
		{"an index", component("cpu list.1 - worker"), []string{"worker 1 2"}, nil},
		// R4
		{"Gi, bytes and G", "[{type: memory, components: [{resourceRequestParamRef: memory, scheduleType: worker}, {resourceRequestParamRef: bytes, scheduleType: worker}, {resourceRequestParamRef: decimal, scheduleType: worker}]}]",
			[]string{"worker 1 - 4221225472", "worker 1 - 4221225471"}, []string{"insufficient pool 1 memory 4221225472/4221225471 → 2"}},
		// R5
		{"no replicas at all", component("cpu cpu zero worker"), []string{"worker 0 1"}, nil},
		{"as many replicas as can be counted", component("cpu half most worker"), []string{"worker 1 1073741823500m", "worker 1 1073741823499m"}, []string{"insufficient pool 1 cpu 1073741823500m/1073741823499m → 2"}},
		// R6
		{"the size counts", "[{type: cpu, minLimit: 6000}]", []string{"worker 3 2", "worker 2 2"}, []string{"insufficient pool 1 cpu 6000m/4000m → 3"}},
		{"all of a type together", "[{type: cpu, minLimit: 1000}, {type: cpu, components: [{resourceRequestParamRef: half, scheduleType: worker}]}]", []string{"worker 1 1500m", "worker 1 1499m"}, []string{"insufficient pool 1 cpu 1500m/1499m → 2"}},
		// R7
		{"the size for all types", "[{type: cpu, minLimit: 3000}, {type: memory, minLimit: 5120}]", []string{"worker 1 2 1Gi"}, []string{"insufficient pool 0 cpu 3000m/2000m → 5", "insufficient pool 0 memory 5Gi/1Gi → 5"}},
		{"a size that cannot be written", "[{type: cpu, minLimit: 5000000000000000000}, {type: cpu, minLimit: 5000000000000000000}]", []string{"worker 1 1m"}, []string{"insufficient pool 0 cpu 10000000000000000000m/1m"}},
		{"no size is enough for all types", "[{type: cpu, components: [{resourceRequestParamRef: big, scheduleType: worker}]}, {type: memory, minLimit: 5120}]", []string{"worker 1 2 1Gi"},
			[]string{"insufficient pool 0 cpu 3000m/2000m of a node", "insufficient pool 0 cpu 3000m/2000m", "insufficient pool 0 memory 5Gi/1Gi"}},
		{"not known", "[{type: cpu, minLimit: 3000}, {type: memory, minLimit: 16}]", []string{"worker 1 2"}, []string{"insufficient pool 0 memory 16Mi/", "insufficient pool 0 cpu 3000m/2000m → 2"}},
		// R8
		{"a request larger than a node", component("cpu big - worker"), []string{"worker 9 2"}, []string{"insufficient pool 0 cpu 3000m/2000m of a node"}},
		{"the largest of several", "[{type: cpu, components: [{resourceRequestParamRef: big, scheduleType: worker}, {resourceRequestParamRef: half, scheduleType: worker}]}]", []string{"worker 9 2"}, []string{"insufficient pool 0 cpu 3000m/2000m of a node"}},
		{"a request of both roles", component("cpu big - all"), []string{"worker 9 2", "master 9 2"}, []string{"insufficient pool 0 cpu 3000m/2000m of a node", "insufficient pool 1 cpu 3000m/2000m of a node"}},
		{"a request of the other role", "[{type: cpu, components: [{resourceRequestParamRef: big, scheduleType: master}, {resourceRequestParamRef: half, scheduleType: worker}]}]", []string{"worker 9 2", "master 9 3"}, nil},
		{"a request as large as a node", component("cpu big - worker"), []string{"worker 1 3"}, nil},
		{"a request of no replicas", component("cpu big zero worker"), []string{"worker 9 2"}, nil},
		{"a request of no replicas beside others", "[{type: cpu, minLimit: 1000}, {type: cpu, components: [{resourceRequestParamRef: big, replicaCountParamRef: zero, scheduleType: worker}]}]", []string{"worker 9 2"}, nil},
		{"a minLimit is not a request", "[{type: cpu, minLimit: 9000}]", []string{"worker 9 1"}, nil},
		// R9
		{"nothing, and exponents", "[{type: memory, components: [{resourceRequestParamRef: zero}]}, {type: cpu, components: [{resourceRequestParamRef: exponent, scheduleType: worker}]}]", []string{"worker 1 10 4Gi"}, nil},
		{"usual ones", "[{type: cpu, components: [{resourceRequestParamRef: half, scheduleType: worker}, {resourceRequestParamRef: big, scheduleType: worker}]}, {type: memory, components: [{resourceRequestParamRef: bytes, scheduleType: worker}]}]", []string{"worker 1 4 4Gi"}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			slices.Sort(tc.want)
			if diff := cmp.Diff(tc.want, brief(evaluate(t, typed("p", tc.resources, standard)+pools(tc.pools)))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Each pool whose size is known has a summary of the types that are known, unless no pack
// requests anything.
func TestSummary(t *testing.T) {
	summaries := func(constraints string) (facts []string) {
		t.Helper()
		items := typed("a", constraints, "") + "---\n" + cluster("{machinePools: ["+poolNamed("w", "worker 2 1 1Gi")+", "+poolNamed("x", "worker 0 1")+", {name: y, role: worker, capacity: {cpu: 1}}]}")
		_, outcome := functiontest.Evaluate(t, Function(), functiontest.List("", items))
		for _, fact := range functiontest.Facts(outcome.Findings) {
			if strings.Contains(fact, rule.ResourcesSummary.ID) {
				facts = append(facts, fact)
			}
		}
		return facts
	}
	want := []string{
		"info resources/summary ClusterContext/c spec.machinePools[0] cpu.have=2000m cpu.need=16m cpu.share=<1% memory.have=2Gi memory.need=512Mi memory.share=25% pool=w",
		"info resources/summary ClusterContext/c spec.machinePools[1] cpu.have=0 cpu.need=16m pool=x",
	}
	if diff := cmp.Diff(want, summaries("[{type: cpu, minLimit: 16}, {type: memory, minLimit: 512}]")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := summaries("[]"); len(got) > 0 {
		t.Errorf("nothing is requested, but got %v", got)
	}
}

// Only a value that can be meant is near: of the kind that is wanted, under a like key in the same
// place.
func TestNearestReference(t *testing.T) {
	const documents = "redis:\n  service: {port: 6379}\n  replicas: 2\n  replica: x\n  resources: {memory: 1Gi, memry: lots, cpu: '{{ .spectro.var.CPU }}'}\n  label: east\n"
	for _, tc := range []struct{ component, want string }{
		{component("memory redis.resources.memori - worker"), "redis.resources.memory"},
		{component("memory redis.resource.memory - worker"), "redis.resources.memory"},
		{component("cpu redis.resources.cpus - worker"), "redis.resources.cpu"},
		{component("memory redis.resources.memory redis.replicas2 worker"), "redis.replicas"},
		{component("memory redis.resources.memory redis.services worker"), ""},
		{component("memory redis.resources.memory redis.service.replicas worker"), ""},
		{component("memory x.resources.memory - worker"), ""}, // redis is another component
		{component("memory redi.resources.memory - worker"), "redis.resources.memory"},
		{component("memory redis.x.resources.memory - worker"), ""},
		{component("memory redis.resources.memory redis.service.ports.count worker"), ""},
		{component("memory redis.resources.memory redis.lable worker"), ""},
		{component("memory redis.lable - worker"), ""},
	} {
		_, findings := Demands(newPack("a", tc.component, documents), nil)
		if len(findings) != 1 || findings[0].Nearest != tc.want {
			t.Errorf("%s: got %q, want %q as the nearest", tc.component, functiontest.Facts(findings), tc.want)
		}
	}
}
