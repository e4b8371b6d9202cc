package rule

import "github.com/krm-packs/functions/pkg/diag"

// CheckResources is the name of the function.
const CheckResources = "check-resources"

// The rules of check-resources.
var (
	ResourcesInsufficient = add(Rule{
		ID: "resources/insufficient", Severity: diag.Error, By: CheckResources, Manual: true,
		Meaning: "a pool is too small, a single request is larger than a node, or the capacity of the nodes is unknown",
		Breaks:  `{"type": "cpu", "minLimit": 8000}   // and a pool of 2 nodes with 2 CPUs each`,
		Fix:     "Add nodes, use larger ones, or lower the requests. The finding says how much is short.",
	})
	ResourcesInvalid = add(Rule{
		ID: "resources/invalid", Severity: diag.Error, By: CheckResources,
		Meaning: "a constraint cannot be read, or the value that it refers to is not a quantity or a number of replicas",
		Breaks:  `{"type": "ram", "minLimit": 256}   // memory`,
		Fix:     "Correct the constraint, or the value that it refers to.",
	})
	ResourcesNoPool = add(Rule{
		ID: "resources/no-pool", Severity: diag.Error, By: CheckResources, Deployed: true, IsPending: true, Manual: true,
		Meaning: "packs request something from a role that no pool has",
		Breaks:  "a pack with resources, and a ClusterContext without machinePools",
		Fix:     "Add a machine pool of the role, in a ClusterContext or in the functionConfig.",
	})
	ResourcesUnresolvedRef = add(Rule{
		ID: "resources/unresolved-ref", Severity: diag.Warning, By: CheckResources, Manual: true,
		Meaning: "a reference leads to no value, or to a macro that is not resolved: the request is left out, or one replica is assumed",
		Breaks:  `{"resourceRequestParamRef": "server.memroy"}   // server.memory`,
		Fix:     "Correct the path, add the value, or run resolve-macros first.",
	})
	ResourcesSuspiciousUnit = add(Rule{
		ID: "resources/suspicious-unit", Severity: diag.Warning, By: CheckResources,
		Meaning: "the unit of a quantity is probably wrong, as in `memory: 256m`, which is a quarter of a byte; until you correct or accept it, the amount that is certainly meant is compared (`256Mi`), and if that is unclear, the amount is left out",
		Breaks:  "memory: 256m   # thousandths of a byte",
		Fix:     "Write the unit, such as 256Mi. packfn fix does it.",
	})
	ResourcesWaiting = add(Rule{
		ID: "resources/waiting", Severity: diag.Info, By: CheckResources, IsPending: true, Manual: true,
		Meaning: "some requests are not compared, because they depend on content that is not injected yet",
		Breaks:  "metadata: {name: cluster, annotations: {kpt.dev/config-injection: required}}",
		Fix:     "Nothing is wrong. When the machine pools are injected, the requests are compared with them.",
	})
	ResourcesSummary = add(Rule{
		ID: "resources/summary", Severity: diag.Info, By: CheckResources, Manual: true,
		Meaning: "the share of a pool that packs request, and how many packs state requests if not all do",
		Breaks:  "a ClusterContext with machinePools",
		Fix:     "Nothing is wrong. The finding says how much of the pool is requested.",
	})
)
