package capacity

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each rule about constraints and about the values that they refer to, as the least that
// shows it.
func TestFaults(t *testing.T) {
	for _, tc := range []struct {
		name, resources string
		pools           []string
		want            []string
	}{
		// R1
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
		{"numbers of YAML that are none", "[{type: cpu, minLimit: 0x10}, {type: cpu, minLimit: .inf}, {type: cpu, minLimit: .nan}, {type: cpu, minLimit: 1e999999999}, {type: diskSize, minLimit: 1e20}, {type: cpu, minLimit: 9223372036854775807000}, {type: memory, minLimit: 1e13}]", nil,
			[]string{"invalid r[0].minLimit", "invalid r[1].minLimit", "invalid r[2].minLimit", "invalid r[3].minLimit", "invalid r[4].minLimit", "invalid r[5].minLimit", "invalid r[6].minLimit"}},
		{"not a list", "{type: cpu}", nil, []string{"invalid r"}},
		{"entries that are none", "[null, text, [], {type: cpu, minLimit: 16}]", []string{"worker 1 1"}, []string{"invalid r[0]", "invalid r[1]", "invalid r[2]"}},
		{"components that are none", "[{type: cpu, components: {a: b}}, {type: cpu, components: [null, a]}]", nil, []string{"invalid r[0].c", "invalid r[1].c[0]", "invalid r[1].c[1]"}},
		{"slips", "[{type: cpu, minlimit: 1, minLimit: 2}, {type: cpu, minlimit: 5}, {type: cpu, components: [{resourceRequestParamRef: cpu, replicaCountParamref: replicas, note: x}]}]", []string{"worker 1 9", "master 1 9"},
			[]string{"suspicious-unit r[0].minLimit → 2000", "invalid r[1].minlimit", "invalid r[2].c[0].replicaCountParamref"}},
		{"small limits", "[{type: cpu, minLimit: 15.5}, {type: cpu, minLimit: 16}, {type: cpu, minLimit: 0}, {type: cpu, minLimit: 1.0001}]", []string{"worker 1 9"},
			[]string{"suspicious-unit r[0].minLimit → 15500", "suspicious-unit r[3].minLimit"}},
		{"small limits of memory and disk", "[{type: memory, minLimit: 2}, {type: memory, minLimit: 16}, {type: diskSize, minLimit: 1}]", []string{"worker 1 9 1Gi 1T"},
			[]string{"suspicious-unit r[0].minLimit → 2048"}},
		{"more slips", "[{type: cpu, minLimt: 5}, {type: cpu, minLimti: 5}, {type: cpu, limit: 5}]", nil,
			[]string{"invalid r[0].minLimt", "invalid r[1].minLimti", "invalid r[2]"}},
		// R3
		{"a schedule that is a list", "[{type: cpu, components: [{resourceRequestParamRef: half, scheduleType: [worker]}]}]", nil, []string{"invalid r[0].c[0].scheduleType"}},
		{"an empty request", "[{type: cpu, components: [{resourceRequestParamRef: ''}]}]", nil, []string{"invalid r[0].c[0].request"}},
		{"another schedule", component("cpu cpu - workers"), nil, []string{"invalid r[0].c[0].scheduleType → worker"}},
		{"no request", component("cpu - replicas worker"), nil, []string{"invalid r[0].c[0].request"}},
		{"a reference that is not a path", component("cpu a..b b..c worker"), nil, []string{"invalid r[0].c[0].request", "invalid r[0].c[0].replicas"}},
		{"a reference to several values", component("cpu list.$[] - worker"), nil, []string{"invalid r[0].c[0].request"}},
		{"a reference that is not text", "[{type: cpu, components: [{resourceRequestParamRef: [cpu], replicaCountParamRef: {a: b}}]}]", nil, []string{"invalid r[0].c[0].request", "invalid r[0].c[0].replicas"}},
		// R4
		{"no quantity", component("cpu word - worker"), nil, []string{"invalid word"}},
		{"a boolean", component("cpu flag - worker"), nil, []string{"invalid flag"}},
		{"a map", component("cpu map list worker"), nil, []string{"invalid map", "invalid list"}},
		{"a negative request", component("cpu minus - worker"), nil, []string{"invalid minus"}},
		{"an endless number", component("cpu endless endless worker"), nil, []string{"invalid endless", "invalid endless"}},
		{"a number in sixteens", component("cpu hex - worker"), nil, []string{"invalid hex"}},
		{"a blank", component("memory blank - worker"), nil, []string{"invalid blank → 5Gi", "no-pool worker"}},
		{"lower case", component("memory lower - worker"), nil, []string{"invalid lower → 2Gi", "no-pool worker"}},
		// R5
		{"a reference that does not resolve", component("cpu absent - worker"), []string{"worker 0 1"}, []string{"unresolved-ref r[0].c[0].request"}},
		{"empty and null", "[{type: cpu, components: [{resourceRequestParamRef: empty}, {resourceRequestParamRef: nothing}]}]", nil, []string{"unresolved-ref empty", "unresolved-ref nothing"}},
		{"replicas that do not resolve", component("cpu half absent worker"), []string{"worker 1 500m", "worker 1 499m"},
			[]string{"unresolved-ref r[0].c[0].replicas", "insufficient pool 1 cpu 500m/499m of a node", "insufficient pool 1 cpu 500m/499m"}},
		{"replicas of several values", component("cpu half list.$[] worker"), []string{"worker 1 500m", "worker 1 499m"}, []string{"invalid r[0].c[0].replicas", "insufficient pool 1 cpu 500m/499m of a node", "insufficient pool 1 cpu 500m/499m"}},
		{"negative replicas", component("cpu cpu minus worker"), nil, []string{"invalid minus"}},
		{"replicas that readers of YAML take for 10 or 8", component("cpu cpu octal worker"), nil, []string{"invalid octal"}},
		{"a request with a leading zero", component("cpu octal - worker"), nil, []string{"invalid octal"}},
		{"replicas in quotes with a leading zero", component("cpu zero text worker"), nil, nil},
		{"more replicas than can be counted", "[{type: cpu, components: [{resourceRequestParamRef: cpu, replicaCountParamRef: decimal}, {resourceRequestParamRef: cpu, replicaCountParamRef: bytes, scheduleType: worker}, {resourceRequestParamRef: half, replicaCountParamRef: billions}]}]", nil, []string{"invalid decimal", "invalid billions", "no-pool worker"}},
		{"half a replica", component("cpu cpu part worker"), nil, []string{"invalid part"}},
		{"a macro", component("cpu macro - worker"), nil, []string{"unresolved-ref macro"}},
		{"replicas of a macro", component("cpu half macro worker"), []string{"worker 1 500m"}, []string{"unresolved-ref macro"}},
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
	} {
		t.Run(tc.name, func(t *testing.T) {
			slices.Sort(tc.want)
			if diff := cmp.Diff(tc.want, brief(findings(t, "", typed("p", tc.resources, standard)+pools(tc.pools)))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A constraint that cannot be read requests nothing, not even in part.
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
		demands, findings := Demands(newPack("p", resources, "{size: 5, flag: true, list: [1], minus: -1, word: lots}"), nil)
		if len(demands) > 0 || len(findings) != 1 {
			t.Errorf("%s: %+v %+v", resources, demands, findings)
		}
	}
}
