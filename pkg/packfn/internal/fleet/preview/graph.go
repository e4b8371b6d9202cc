package preview

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/pack"
)

// graph is the dependency graph of the packs of an upstream. Width, Height and NodeWidth are the
// sizes of its drawing.
type graph struct {
	// Title names the upstream.
	Title string `json:"title"`
	// Nodes are the packs of the upstream, and the packs that they require and that are not there.
	Nodes []graphNode `json:"nodes"`
	// Edges are the requirements between nodes.
	Edges []graphEdge `json:"edges"`

	Width, Height, NodeWidth int `json:"-"`
}

// graphNode is a pack in a graph.
type graphNode struct {
	// Name is the name of the pack.
	Name string `json:"name"`
	// Version is the pack's version, or `not in the package`.
	Version string `json:"version"`
	// Absent is true if the package does not contain the pack.
	Absent bool `json:"absent,omitempty"`
	// Depth is the length of the longest path of requirements from this node.
	Depth int `json:"depth"`

	// X and Y are the upper left corner of the node in the drawing, in units of the drawing.
	X, Y int `json:"-"`
}

// graphEdge is a requirement of one node for another one.
type graphEdge struct {
	// From and To are indexes of nodes: From requires To.
	From int `json:"from"`
	To   int `json:"to"`
	// Versions is the range that the requirement allows, such as `1.14 or newer`.
	Versions string `json:"versions"`
	// Optional is true for a requirement that holds only if the pack is there.
	Optional bool `json:"optional,omitempty"`

	// Path is the SVG path of the edge, or "" for a pack that requires itself.
	Path string `json:"-"`
}

// AddGraph adds the dependency graph of the packs of an upstream, or a note if it is too large to draw. A package
// without packs has no graph.
func (p *Preview) AddGraph(title string, packs []*pack.Pack) {
	g := newGraph(title, packs)
	switch {
	case len(g.Nodes) == 0:
	case !areDrawable(append(p.graphs, g)):
		p.Notes = append(p.Notes, fmt.Sprintf("the page has no graph of %s, because it has more than %s packs and requirements", g.Title, number(mostParts)))
	default:
		p.graphs = append(p.graphs, g)
	}
}

// note returns " (optional)" for an optional requirement.
func (e *graphEdge) note() string {
	if e.Optional {
		return " (optional)"
	}
	return ""
}

// newGraph returns the graph of the packs of a package.
func newGraph(title string, packs []*pack.Pack) graph {
	g := graph{Title: title}
	index := map[string]int{}
	for i := range packs {
		if _, known := index[packs[i].Name]; !known {
			index[packs[i].Name] = len(g.Nodes)
			g.Nodes = append(g.Nodes, graphNode{Name: packs[i].Name, Version: packs[i].Version})
		}
	}
	for i := range packs {
		metadata, err := packs[i].Metadata.Document()
		if err != nil {
			continue
		}
		all, _ := dependency.Read(metadata.Root())
		for _, d := range all {
			if d.Type != dependency.Required && d.Type != dependency.Optional || d.Pack == "" {
				continue
			}
			to, known := index[d.Pack]
			if !known {
				if d.Type == dependency.Optional {
					continue
				}
				to = len(g.Nodes)
				index[d.Pack] = to
				g.Nodes = append(g.Nodes, graphNode{Name: d.Pack, Version: "not in the package", Absent: true})
			}
			g.Edges = append(g.Edges, graphEdge{From: index[packs[i].Name], To: to, Versions: fmt.Sprint(d.Range), Optional: d.Type == dependency.Optional})
		}
	}
	g.layer()
	return g
}

// layer computes the depth of each node. In a cycle it stops after as many steps as there are
// nodes.
func (g *graph) layer() {
	for range g.Nodes {
		isDone := true
		for _, e := range g.Edges {
			if deeper := g.Nodes[e.To].Depth + 1; e.From != e.To && deeper > g.Nodes[e.From].Depth && deeper < len(g.Nodes) {
				g.Nodes[e.From].Depth, isDone = deeper, false
			}
		}
		if isDone {
			return
		}
	}
}

// mostParts is the maximum number of packs, requirements and bends that a page draws.
const mostParts = 20_000

// areDrawable reports whether the page can draw graphs: each requirement is between packs of the
// graph, each depth is in the range that [graph.layer] computes, and the graphs are not too
// large.
func areDrawable(graphs []graph) bool {
	parts := 0
	for _, g := range graphs {
		isIn := func(n int) bool { return n >= 0 && n < len(g.Nodes) }
		parts += len(g.Nodes)
		if slices.ContainsFunc(g.Nodes, func(n graphNode) bool { return !isIn(n.Depth) }) {
			return false
		}
		for _, e := range g.Edges {
			if !isIn(e.From) || !isIn(e.To) {
				return false
			}
			parts += 1 + max(g.Nodes[e.From].Depth-g.Nodes[e.To].Depth, 0)
		}
	}
	return parts <= mostParts
}

// Requires lists the packs that a node requires.
func (g *graph) Requires(node int) (all []string) {
	for _, e := range g.Edges {
		if e.From == node {
			all = append(all, strings.TrimSpace(g.Nodes[e.To].Name+" "+e.Versions)+e.note())
		}
	}
	return all
}

// RequiredBy lists the packs that require a node.
func (g *graph) RequiredBy(node int) (all []string) {
	for _, e := range g.Edges {
		if e.To == node {
			all = append(all, g.Nodes[e.From].Name+e.note())
		}
	}
	return all
}

// The sizes of a graph's parts in pixels. characterWidth is the width of a character in a wide
// font.
const (
	nodeHeight, nodeGap = 40, 14
	bendHeight          = 10
	layerGap            = 72
	characterWidth      = 7
	mostCharacters      = 28
)

// slot is a position in a layer, taken by a node or by a bend of an edge that passes through the
// layer.
type slot struct {
	node int // -1 for a bend
	// y is the upper edge of the slot in the drawing, in units of the drawing.
	y int
	// left and right are the slots in the adjacent layers that edges connect to this slot.
	left, right []*slot
}

// height returns the height of the slot, in units of the drawing: a bend is lower than a node.
func (s *slot) height() int {
	if s.node < 0 {
		return bendHeight
	}
	return nodeHeight
}

// center returns the y coordinate where edges end.
func (s *slot) center() int { return s.y + s.height()/2 }

// draw places each pack to the left of the packs that it requires. An edge that passes through a
// layer gets a slot of its own there, so that it does not cross a pack.
func (g *graph) draw() {
	deepest, longest := 0, 12
	for _, n := range g.Nodes {
		deepest = max(deepest, n.Depth)
		longest = max(longest, min(mostCharacters, max(utf8.RuneCountInString(n.Name), utf8.RuneCountInString(n.Version))))
	}
	width := longest*characterWidth + 16
	layers := make([][]*slot, deepest+1)
	slots := make([]*slot, len(g.Nodes))
	for i, n := range g.Nodes {
		slots[i] = &slot{node: i}
		layers[deepest-n.Depth] = append(layers[deepest-n.Depth], slots[i])
	}
	for _, layer := range layers {
		slices.SortFunc(layer, func(a, b *slot) int { return cmp.Compare(g.Nodes[a.node].Name, g.Nodes[b.node].Name) })
	}
	ways := make([][]*slot, len(g.Edges))
	bends := map[[2]int]*slot{}
	for i, e := range g.Edges {
		ways[i] = []*slot{slots[e.From]}
		for at := deepest - g.Nodes[e.From].Depth + 1; at < deepest-g.Nodes[e.To].Depth; at++ {
			bend := bends[[2]int{e.To, at}] // edges to the same pack share their way
			if bend == nil {
				bend = &slot{node: -1}
				bends[[2]int{e.To, at}] = bend
				layers[at] = append(layers[at], bend)
			}
			ways[i] = append(ways[i], bend)
		}
		ways[i] = append(ways[i], slots[e.To])
		for j := range ways[i][1:] {
			from, to := ways[i][j], ways[i][j+1]
			from.right, to.left = append(from.right, to), append(to.left, from)
		}
	}
	g.Height = arrange(layers)
	x := func(node int) int { return 1 + (deepest-g.Nodes[node].Depth)*(width+layerGap) }
	g.Width, g.NodeWidth = deepest*(width+layerGap)+width+2, width
	for i := range g.Nodes {
		g.Nodes[i].X, g.Nodes[i].Y = x(i), slots[i].y+1
	}
	for i, e := range g.Edges {
		if e.From == e.To {
			continue
		}
		at := x(e.From) + width
		if x(e.To) <= x(e.From) { // part of a cycle
			at = x(e.From)
		}
		path := fmt.Sprintf("M%d %d", at, ways[i][0].center()+1)
		for j := range ways[i][1:] {
			from, to := ways[i][j], ways[i][j+1]
			next := at + layerGap
			switch {
			case x(e.To) < x(e.From):
				next = x(e.To) + width
			case x(e.To) == x(e.From):
				next = at
				path += fmt.Sprintf("C%d %d %d %d %d %d", at-layerGap/2, from.center()+1, at-layerGap/2, to.center()+1, at, to.center()+1)
				continue
			}
			middle := (at + next) / 2
			path += fmt.Sprintf("C%d %d %d %d %d %d", middle, from.center()+1, middle, to.center()+1, next, to.center()+1)
			if at = next; to.node < 0 { // pass the layer
				at += width
				path += fmt.Sprintf("H%d", at)
			}
		}
		g.Edges[i].Path = path
	}
}

// Says returns the text of an edge, such as `vault requires cert-manager 1.14 or newer`.
func (g *graph) Says(e graphEdge) string {
	return strings.TrimSpace(fmt.Sprintf("%s requires %s %s", g.Nodes[e.From].Name, g.Nodes[e.To].Name, e.Versions)) + e.note()
}

// arrange sorts the slots of each layer by the average position of the slots that they are
// connected to, which leaves few crossings, and sets their y coordinates. It returns the height
// of the drawing.
func arrange(layers [][]*slot) int {
	place := func(layer []*slot, height int) (bottom int) {
		for _, s := range layer {
			s.y = bottom
			bottom += s.height() + nodeGap
		}
		bottom = max(bottom-nodeGap, 0)
		for _, s := range layer {
			s.y += max(height-bottom, 0) / 2
		}
		return bottom
	}
	height := 0
	for _, layer := range layers {
		height = max(height, place(layer, 0))
	}
	for range 6 {
		for round := range 2 {
			for i := range layers {
				layer := layers[i]
				if round == 1 {
					layer = layers[len(layers)-1-i]
				}
				middle := map[*slot]int{}
				for _, s := range layer {
					next := s.left
					if round == 1 {
						next = s.right
					}
					middle[s] = s.center()
					sum := 0
					for _, n := range next {
						sum += n.center()
					}
					if len(next) > 0 {
						middle[s] = sum / len(next)
					}
				}
				slices.SortStableFunc(layer, func(a, b *slot) int { return cmp.Compare(middle[a], middle[b]) })
				place(layer, height)
			}
		}
	}
	return height + 2
}

// cut shortens a text to what fits into a node.
func cut(text string) string {
	runes := []rune(text)
	if len(runes) <= mostCharacters {
		return text
	}
	return string(runes[:mostCharacters-1]) + "…"
}
