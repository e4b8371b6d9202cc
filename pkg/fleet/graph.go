package fleet

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/krm-packs/functions/pkg/check"
	"github.com/krm-packs/functions/pkg/dependency"
)

// graph is what the packs of an upstream require of each other.
type graph struct {
	title string
	nodes []graphNode
	edges []graphEdge
}

type graphNode struct {
	name, version string
	// absent says that the package does not have the pack.
	absent bool
	// depth is the number of packs below it on the longest way.
	depth int
}

// graphEdge says that one node requires another one.
type graphEdge struct {
	from, to int
	title    string
}

// newGraph reads the packs of a package. It has no nodes if they cannot be read, which
// the checks report.
func newGraph(dir, title string) graph {
	g := graph{title: title}
	packs, err := check.Packs([]string{dir}, check.Options{})
	if err != nil {
		return g
	}
	index := map[string]int{}
	for i := range packs {
		if _, known := index[packs[i].Name]; !known {
			index[packs[i].Name] = len(g.nodes)
			g.nodes = append(g.nodes, graphNode{name: packs[i].Name, version: packs[i].Version})
		}
	}
	for i := range packs {
		if packs[i].Metadata == nil {
			continue
		}
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
				to = len(g.nodes)
				index[d.Pack] = to
				g.nodes = append(g.nodes, graphNode{name: d.Pack, version: "from the cluster", absent: true})
			}
			g.edges = append(g.edges, graphEdge{index[packs[i].Name], to, fmt.Sprintf("%s requires %s %s", packs[i].Name, d.Pack, d.Range)})
		}
	}
	g.layer()
	return g
}

// layer finds the depth of each node. A cycle ends after as many steps as there are
// nodes.
func (g *graph) layer() {
	for range g.nodes {
		for _, e := range g.edges {
			if deeper := g.nodes[e.to].depth + 1; e.from != e.to && deeper > g.nodes[e.from].depth && deeper < len(g.nodes) {
				g.nodes[e.from].depth = deeper
			}
		}
	}
}

// pageGraph is a graph with the places of its parts.
type pageGraph struct {
	Title         string
	Width, Height int
	Nodes         []struct {
		Name, Version       string
		Absent              bool
		X, Y, TextX, Y1, Y2 int
	}
	Edges []struct {
		Title              string
		X1, Y1, XM, X2, Y2 int
	}
}

// The sizes of a graph's parts.
const (
	nodeWidth, nodeHeight = 180, 40
	stepX, stepY          = 260, 56
)

// draw places the packs that require nothing on the left, and others right of what they
// require.
func (g *graph) draw() pageGraph {
	out := pageGraph{Title: g.title}
	order := make([]int, len(g.nodes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(g.nodes[a].depth, g.nodes[b].depth), cmp.Compare(g.nodes[a].name, g.nodes[b].name))
	})
	rows := map[int]int{}
	x, y := make([]int, len(g.nodes)), make([]int, len(g.nodes))
	for _, at := range order {
		n := g.nodes[at]
		x[at], y[at] = 1+n.depth*stepX, 1+rows[n.depth]*stepY
		rows[n.depth]++
		out.Width, out.Height = max(out.Width, x[at]+nodeWidth+1), max(out.Height, y[at]+nodeHeight+1)
		out.Nodes = append(out.Nodes, struct {
			Name, Version       string
			Absent              bool
			X, Y, TextX, Y1, Y2 int
		}{n.name, n.version, n.absent, x[at], y[at], x[at] + 8, y[at] + 16, y[at] + 32})
	}
	for _, e := range g.edges {
		x1, x2 := x[e.from], x[e.to]+nodeWidth
		out.Edges = append(out.Edges, struct {
			Title              string
			X1, Y1, XM, X2, Y2 int
		}{e.title, x1, y[e.from] + nodeHeight/2, (x1 + x2) / 2, x2, y[e.to] + nodeHeight/2})
	}
	return out
}
