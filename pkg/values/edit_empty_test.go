package values

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	_ "github.com/krm-packs/functions/pkg/function/functiontest/draws"
)

// commented draws a block collection whose lines each have a comment of their own.
type commented struct {
	*rapid.T
	text     strings.Builder
	comments int
}

func (c *commented) comment() string {
	c.comments++
	return fmt.Sprintf(" # c%d", c.comments)
}

func (c *commented) value(indent string, depth int) {
	switch kind := rapid.IntRange(0, 6).Draw(c.T, "kind"); {
	case depth == 0 || kind < 2:
		c.text.WriteString(rapid.SampledFrom([]string{" 1", " two", " 'three'", " {a: 1}", " [1, 2]", " {}"}).Draw(c.T, "scalar") + c.comment() + "\n")
	case kind == 2:
		c.text.WriteString(" |" + c.comment() + "\n" + indent + "  some\n" + indent + "  # text\n")
	case kind == 3:
		c.text.WriteString(c.comment() + "\n")
		for range rapid.IntRange(1, 3).Draw(c.T, "elements") {
			c.above(indent)
			c.text.WriteString(indent + "-")
			c.value(indent+"  ", depth-1)
		}
	default:
		c.text.WriteString(c.comment() + "\n")
		c.mapping(indent+"  ", depth-1)
	}
}

// above draws a comment on a line of its own.
func (c *commented) above(indent string) {
	if rapid.IntRange(0, 3).Draw(c.T, "above") == 0 {
		c.text.WriteString(indent + strings.TrimPrefix(c.comment(), " ") + "\n")
	}
}

func (c *commented) mapping(indent string, depth int) {
	for i := range rapid.IntRange(1, 3).Draw(c.T, "keys") {
		c.above(indent)
		fmt.Fprintf(&c.text, "%sk%d:", indent, i)
		c.value(indent, depth)
	}
}

// collections returns the steps to the collections with content in a tree, but for its root.
func collections(n *yaml.Node, at []Step) (all [][]Step) {
	for i, child := range n.Content {
		step := Element(i)
		if n.Kind == yaml.MappingNode {
			if i%2 == 0 {
				continue
			}
			step = Key(n.Content[i-1].Value)
		}
		if below := Below(at, step); child.Kind != yaml.ScalarNode && len(child.Content) > 0 {
			all = append(append(all, below), collections(child, below)...)
		}
	}
	return all
}

// emptied returns a tree without the content of the collection at some steps.
func emptied(n *yaml.Node, at []Step) *yaml.Node {
	c := *n
	if len(at) == 0 {
		c.Content = nil
		return &c
	}
	c.Content = slices.Clone(n.Content)
	for i, child := range n.Content {
		if n.Kind == yaml.SequenceNode && i == at[0].Index || n.Kind == yaml.MappingNode && i%2 == 1 && n.Content[i-1].Value == at[0].Key {
			c.Content[i] = emptied(child, at[1:])
		}
	}
	return &c
}

var commentNames = regexp.MustCompile(`# c\d+\b`)

// Every edit that empties a map or a list keeps the comment on the line of its key, and all
// comments outside of it, once.
func TestEmptiedCollectionsKeepTheirComments(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		c := commented{T: r}
		c.mapping("", 3)
		d, err := Parse(c.text.String())
		if err != nil {
			r.Fatalf("%v\n%s", err, c.text.String())
		}
		all := collections(d.Root(), nil)
		if len(all) == 0 {
			return
		}
		at := rapid.SampledFrom(all).Draw(r, "at")
		want, gone := emptied(d.Root(), at), Follow(d.Root(), at)
		edits := map[string]func() (*Document, error){
			"sync of all":     func() (*Document, error) { return d.Sync(Change{Want: want}) },
			"sync of a value": func() (*Document, error) { return d.Sync(Change{At: at, Want: Follow(want, at)}) },
			"set":             func() (*Document, error) { return d.Set(at, Of(Follow(want, at))) },
			"deletes": func() (edited *Document, err error) {
				edited = d
				for i := len(gone.Content) - 1; i >= 0 && err == nil; i-- {
					step := Element(i)
					if gone.Kind == yaml.MappingNode {
						i--
						step = Key(gone.Content[i].Value)
					}
					edited, _, err = edited.Delete(Below(at, step))
				}
				return edited, err
			},
		}
		// What is on lines of the collection goes with it, and so may what is on lines of its own.
		var kept []string
		first, last, _ := extentOf(gone)
		for i, line := range strings.Split(d.Text(), "\n") {
			isInside := i+1 >= first && i+1 <= last && gone.Style&yaml.FlowStyle == 0
			if comment := commentNames.FindString(line); comment != "" && !isInside && strings.TrimSpace(line) != comment {
				kept = append(kept, comment)
			}
		}
		for name, edit := range edits {
			edited, err := edit()
			if err != nil || !Equal(edited.Root(), want) {
				r.Fatalf("%s at %v: %v\n%s", name, at, err, d.Text())
			}
			count := map[string]int{}
			for _, comment := range commentNames.FindAllString(edited.Text(), -1) {
				count[comment]++
			}
			for _, comment := range kept {
				if count[comment] != 1 {
					r.Fatalf("%s at %v: %q is there %d times in\n%s\nbefore\n%s", name, at, comment, count[comment], edited.Text(), d.Text())
				}
			}
		}
	})
}
