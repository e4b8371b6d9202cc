package list

import (
	"errors"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/values"
)

// Items beyond the limits leave byte for byte, and are refused when they are
// wanted.
func TestLimits(t *testing.T) {
	deep := `- apiVersion: v1
  kind: Deep
  metadata:
    name: deep
  a: ` + strings.Repeat("[", 1001) + strings.Repeat("]", 1001) + "\n"
	large := `- apiVersion: v1
  kind: Large
  metadata:
    name: large
  a: |
` + strings.Repeat("    "+strings.Repeat("x", 1020)+"\n", 33<<10)
	for name, item := range map[string]string{"alias bomb": bomb, "depth": deep, "size": large} {
		for place, input := range map[string]string{"first": listStart + item + oneItem, "last": listStart + oneItem + item} {
			t.Run(name+" "+place, func(t *testing.T) {
				l := read(t, input)
				if string(written(t, l)) != input {
					t.Error("it does not leave as it came")
				}
				var refused []error
				for _, item := range l.Items {
					if _, err := item.Document(); err != nil {
						refused = append(refused, err)
					}
				}
				var limit *values.LimitError
				if len(refused) != 1 || !errors.As(refused[0], &limit) {
					t.Errorf("refused %v", refused)
				}
			})
		}
	}
}

// A list that needs the parser is refused by its size before it is parsed.
func TestParsedListLimit(t *testing.T) {
	input := "---\n" + listStart + oneItem + strings.Repeat("#"+strings.Repeat(" ", 1<<20-2)+"\n", maxParsedList>>20)
	_, err := Read([]byte(input))
	if err == nil || !strings.HasPrefix(err.Error(), "the ResourceList is larger than 64 MiB and not in block style") {
		t.Errorf("got %v", err)
	}
	// In block style there is no such limit.
	if _, err := Read([]byte(input[len("---\n"):])); err != nil {
		t.Errorf("in block style: %v", err)
	}
}

func TestConfigLimits(t *testing.T) {
	config := strings.NewReplacer("- apiVersion", "  apiVersion").Replace(bomb)
	_, err := Read([]byte(listStart + oneItem + "functionConfig:\n" + config))
	if want := "functionConfig of the ResourceList: the document expands to more than 1000000 nodes"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// An alias of another item would expand to more than the limit.
func TestAliasesAcrossItemsLimit(t *testing.T) {
	_, err := Read([]byte(listStart + bomb + `- apiVersion: v1
  kind: A
  a: *g
`))
	if want := "items[1]: aliases of other items add more than 100000 nodes to the list"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// Items that each expand to less than the limit do not exceed it together.
func TestAliasesOfAllItemsLimit(t *testing.T) {
	anchors := `- apiVersion: v1
  kind: A
  x: &x [` + strings.Repeat("1, ", 9999) + "1]\n"
	of := func(n int) error {
		_, err := Read([]byte(listStart + anchors + strings.Repeat(`- apiVersion: v1
  kind: A
  a: *x
`, n)))
		return err
	}
	if err := of(9); err != nil {
		t.Error(err)
	}
	if err, want := of(10), "items[10]: aliases of other items add more than 100000 nodes to the list"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
