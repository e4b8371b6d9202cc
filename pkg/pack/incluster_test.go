package pack

import (
	"fmt"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/list"
)

// Items are wanted by their heads, and held when they are read. What only mentions a file
// is wanted, and not held.
func TestWants(t *testing.T) {
	cases.Table(t, "wants", func(t *testing.T, c *cases.Case) string {
		var b strings.Builder
		for _, text := range strings.Split(c.Text("items.yaml"), "---\n") {
			item := list.FileItems([]byte(text), "a.yaml")[0]
			document, err := item.Document()
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%swanted %v, held %v\n", text, Wants(item), Holds(item, document))
		}
		return b.String()
	})
}
