package inventory

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/pack"
)

// A value that is not there is not one of the same name elsewhere.
func TestWhyNearest(t *testing.T) {
	p := &pack.Pack{Name: "a", Values: pack.File("values.yaml", "redis:\n  port: 1\n  host: x\n")}
	for key, want := range map[string]string{"redis.prot": `Did you mean "redis.port"?`, "redi.port": `Did you mean "redis.port"?`, "redi.prot": "", "web.redis.port": "", "port": ""} {
		_, err := Why(p, key)
		if err == nil || strings.Contains(err.Error(), "Did you mean") != (want != "") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", key, err, want)
		}
	}
}
