package upgrade

import (
	"fmt"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/values"
)

// A key has a new name only where that is clear: in the same mapping, and the only one that
// is alike.
func TestRenames(t *testing.T) {
	keys := func(prefix string, n int) string {
		text := ""
		for i := range n {
			text += fmt.Sprintf("%s%d: 1\n", prefix, i)
		}
		return text
	}
	for _, tc := range []struct{ name, base, next, key, want string }{
		{"a near name", "server: {hostname: a}", "server: {hostName: a}", "server.hostname", "server.hostName"},
		{"below a near name", "ingres: {host: a, tls: b}", "ingress: {host: a, tls: b, class: c}", "ingres.host", "ingress.host"},
		{"a component with another name", "backend: {resources: {}, replicas: 1}", "write: {resources: {}, replicas: 1}\nredis: {resources: {}, port: 1}", "backend.resources", "write.resources"},
		{"another component", "backend: {resources: {}, replicas: 1, probes: {}}", "redis: {resources: {}, port: 1, tls: {}, auth: {}}", "backend.resources", ""},
		{"a key of another component", "server: {port: 8080}", "server: {}\nlistener: {port: 8080}", "server.port", ""},
		{"two components that are alike", "oldconfigurationsection: {size: 1}", "red: {size: 1}\nblue: {size: 1}", "oldconfigurationsection.size", ""},
		{"one of two is more alike", "old: {size: 1, name: a}", "red: {size: 1, name: a}\nblue: {size: 1}", "old.size", "red.size"},
		{"two old components", "old: {size: 1}\nolder: {size: 1}", "red: {size: 1}", "old.size", ""},
		{"half in common", "old: {size: 1, name: a}", "red: {size: 1}", "old.size", "red.size"},
		{"nothing in common", "old: {size: 1}", "red: {port: 1}", "old", ""},
		{"a near name of another kind", "image: a", "images: {tag: a}", "image", ""},
		{"a key that exists before", "hostname: a\nhostName: b", "hostName: b", "hostname", ""},
		{"a near name that is another old one's", "log: a\nlogs: b", "logz: b", "log", ""},
		{"the value is not there", "old: {size: 1, name: a, kind: b}", "red: {size: 1, name: a}", "old.kind", ""},
		{"names with dots", "a: {x.y: 1}", "a: {x.z: 1}", "a.x.y", "a.x.z"},
		{"null", "size:", "sizes: {x: 1}", "size", "sizes"},
		{"as many keys as are compared", "hostname: a\n" + keys("old", 99), "hostName: a\n" + keys("other", 99), "hostname", "hostName"},
		{"more keys", "hostname: a\n" + keys("old", 99), "hostName: a\n" + keys("other", 100), "hostname", ""},
		{"nothing is near", "timeout: 3", "replicas: 3", "timeout", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			base, err := values.Parse(tc.base)
			if err != nil {
				t.Fatal(err)
			}
			next, err := values.Parse(tc.next)
			if err != nil {
				t.Fatal(err)
			}
			keys := strings.Split(tc.key, ".")
			if strings.Contains(tc.base, "x.y") {
				keys = []string{"a", "x.y"}
			}
			for range 2 { // the second time from what is known
				r := &renames{base: base, next: next}
				if got := pathOf(r.of(keys)); got != tc.want {
					t.Errorf("got %q, want %q", got, tc.want)
				}
			}
		})
	}
}
