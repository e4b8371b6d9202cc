package capacity

import (
	"fmt"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/pack"
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

// A line is the resources of a pack, with the values of values.yaml, and pools as [poolNamed] takes them, or in flow
// style. The outcome is what is requested, and what the function finds.
func TestRequests(t *testing.T) {
	cases.Table(t, "requests/*", func(t *testing.T, c *cases.Case) string {
		var b strings.Builder
		given := strings.ReplaceAll(strings.TrimSuffix(c.Text("values.yaml"), "\n"), "\n", "\n    ")
		if given != "" {
			given = "\n    " + given
		}
		for line := range strings.Lines(c.Text("requests")) {
			parts := strings.Split(strings.TrimSpace(line), " | ")
			b.WriteString("$ " + line)
			demands, _ := Demands(newPack("p", parts[0], c.Text("values.yaml")), nil)
			for _, d := range demands {
				fmt.Fprintf(&b, "%s %s: %d × %s of %s, limit %v, doubtful %v, assumed %v\n", d.Type, d.Key, d.Replicas, d.Type.Text(d.Request), d.Roles, d.Limit, d.Doubtful, d.Assumed)
			}
			items := typed("p", parts[0], given)
			for i, pool := range parts[1:] {
				if !strings.HasPrefix(pool, "{") {
					pool = poolNamed(fmt.Sprint("pool-", i), pool)
				}
				parts[i+1] = pool
			}
			if len(parts) > 1 {
				items += "---\n" + cluster("{machinePools: ["+strings.Join(parts[1:], ", ")+"]}")
			}
			output, outcome := functiontest.Evaluate(t, Function(), functiontest.List("", items))
			if output != functiontest.List("", items) {
				t.Errorf("the list was changed:\n%s", output)
			}
			findings := outcome.Findings
			for i, facts := range functiontest.Facts(findings) {
				fmt.Fprintf(&b, "%s: %s\n", facts, findings[i].Message())
			}
		}
		return b.String()
	})
}
