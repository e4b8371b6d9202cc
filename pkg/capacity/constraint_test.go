package capacity

import (
	"testing"
)

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
