package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// Messages stay readable when a hub is large.
func TestUnsatisfiedIsBounded(t *testing.T) {
	items := []string{dbInterface, policyOf("GLOBAL", rulesOf("{interface: {path: cap.*}, oneOf: [{implementationConstraints: {path: cap.implementation.none}}]}"))}
	for n := range 40 {
		items = append(items, implementation(fmt.Sprintf("a%02d", n), ""))
	}
	output, _ := evaluateUnnoted(t, functiontest.List(configOf("onNotSelected: warning"), join(items...)))
	s := selections(t, output)[0]
	f := functiontest.Run(t, Function(), "", join(items...)).Findings[0]
	if message := f.Message(); len(s.Rejected) != 40 || strings.Count(message, "cap.implementation.a") != maxShown || len(message) > 1000 {
		t.Errorf("got %d rejections, %s", len(s.Rejected), message)
	}
}
