package schema

import (
	"fmt"
	"strings"
	"testing"
)

// Names of many unknown keys are compared up to a limit, and then none has a near one.
func TestManyUnknownKeys(t *testing.T) {
	const count = 2000
	many := func(prefix string) string {
		var b strings.Builder
		for i := range count {
			fmt.Fprintf(&b, "some%skey%d: 1\n", prefix, i)
		}
		return b.String()
	}
	v := layered(t, layers{many("value"), many("vlaue")})
	findings := unknown(&Schema{}, v)
	if len(findings) != count || findings[0].Nearest == "" || findings[count-1].Nearest != "" {
		t.Errorf("got %d findings, the first with the nearest %q, the last with %q", len(findings), findings[0].Nearest, findings[count-1].Nearest)
	}
}
