package language

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/inventory"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/cursor"
	"github.com/krm-packs/functions/pkg/values"
)

// releaseDocument is the kind of documents with values of a Helm release.
const releaseDocument = "release"

// layer is a layer of values of a release.
type layer struct {
	*check.Released
	// above is the path to the values in the document.
	above []values.Step
	// index is the index of the layer in the release.
	index int
}

// layersIn returns the layers of releases in a file.
func layersIn(releases []*check.Released, path string) (all []layer) {
	for _, r := range releases {
		for i, file := range r.Files {
			if file != path || r.Layers[i].IsFlat || r.Layers[i].IsAuthors {
				continue
			}
			one := layer{Released: r, index: i}
			field := r.Layers[i].Prefix
			if of := r.Layers[i].Origin; of.Embedded && !r.IsFile[i] {
				field = of.Field
			}
			if key, ok := strings.CutPrefix(field, "data["); ok {
				one.above = values.Keys("data", strings.TrimSuffix(key, "]"))
			} else if key, ok := strings.CutPrefix(field, "stringData["); ok {
				one.above = values.Keys("stringData", strings.TrimSuffix(key, "]"))
			} else if field != "" {
				one.above = stepsOf(field)
			}
			all = append(all, one)
		}
	}
	return all
}

// stepsOf returns the steps of a path of fields, such as spec.sources[0].helm.
func stepsOf(path string) (steps []values.Step) {
	for part := range strings.SplitSeq(path, ".") {
		name, index, isElement := strings.Cut(strings.TrimSuffix(part, "]"), "[")
		steps = append(steps, values.Key(name))
		if n, err := strconv.Atoi(index); isElement && err == nil {
			steps = append(steps, values.Element(n))
		}
	}
	return steps
}

// layerAt returns the layer that contains the position, or nil.
func (s *site) layerAt() *layer {
	for i := range s.layers {
		one := &s.layers[i]
		of := one.Layers[one.index].Origin.Resource
		isIt := one.IsFile[one.index] || of.Kind == s.head.kind && (of.Name == s.head.name || s.head.name == "")
		if isIt && len(s.path) >= len(one.above) && slices.Equal(s.path[:len(one.above)], one.above) {
			return one
		}
	}
	return nil
}

// chartState is the state of a chart that an editor shows.
type chartState struct {
	// read is the chart as it was read, by which a newer version of the chart is told apart. form
	// describes its values.
	read *facts.Chart
	form *form
	// own are the chart's own values, or nil, and file is the path of their file, or "" for an archive.
	own  *values.Document
	file string
}

// chartOf returns the state of the chart of a release.
func (l *Language) chartOf(r *check.Released) *chartState {
	if known := l.charts[r.Path]; known != nil && known.read == r.Chart {
		return known
	}
	known := &chartState{read: r.Chart}
	opened, err := chart.Open(r.Path)
	if err == nil {
		var constraints *values.Document
		if text := opened.Text("values.yaml"); text != nil {
			known.own, _ = values.Parse(string(text))
		}
		if text := opened.Text("values.schema.json"); text != nil {
			constraints, _ = values.Parse(string(text))
		}
		guarded(func() { known.form = formOf(inventory.ChartSchema(r.Chart, known.own, constraints)) })
	}
	if file := filepath.Join(r.Path, "values.yaml"); err == nil && opened.Archive == nil {
		if _, err := os.Stat(file); err == nil {
			known.file = file
		}
	}
	l.charts[r.Path] = known
	return known
}

// releaseText returns the description of a value of a release: its type and its default, the layers that set
// it, and the charts that read it.
func (c *Query) releaseText(path []values.Step) string {
	r := c.site.layer
	known := c.chartOf(r.Released)
	lines := []string{fmt.Sprintf("**%s** of the chart %s (%s)", cursor.PathText(path), r.Chart, r.Name)}
	described := known.form.at(path)
	if described != nil {
		if text := described.detail(false); text != "" {
			lines = append(lines, text)
		}
		if text := described.documentation(); text != "" {
			lines = append(lines, text)
		}
	}
	places := c.setBy(path)
	for _, at := range places {
		lines = append(lines, "Set in "+c.snapshot.show(at)+".")
	}
	readers := chartReaders("", r.Chart, path)
	if len(readers) > 0 {
		lines = append(lines, "Read by "+diag.AllOf(readers)+".")
	}
	if described == nil && len(readers) == 0 {
		return ""
	}
	return strings.Join(lines, "\n\n")
}

// setBy returns the positions where the layers of the release set a value, the highest first.
func (c *Query) setBy(path []values.Step) (places []filePosition) {
	r := c.site.layer
	for i, one := range slices.Backward(r.Layers) {
		key := keyAt(one.Root, path)
		if key == nil || one.IsFlat || one.IsAuthors {
			continue
		}
		text := []byte(c.workspace.Text(r.Files[i]).Text)
		in := place.In{File: place.NewText(r.Files[i], text)}
		if !r.IsFile[i] {
			in = place.In{File: place.NewFlat(r.Files[i], text), Index: one.Origin.Resource.Index}
		}
		f := diag.Finding{Where: diag.Where{Origin: one.Origin, Key: diag.Join(one.Prefix, cursor.PathText(path)), Position: values.At(key)}}
		places = append(places, filePosition{r.Files[i], in.Of(&f)})
	}
	return places
}

// keyAt returns the key at the end of a path of values, or nil.
func keyAt(root *yaml.Node, path []values.Step) *yaml.Node {
	if len(path) == 0 {
		return nil
	}
	last := path[len(path)-1]
	for _, pair := range values.Pairs(values.Follow(root, path[:len(path)-1])) {
		if name, ok := pair.Name(); ok && name == last.Key && !last.IsIndex {
			return pair.Key
		}
	}
	return nil
}

// chartPlace returns the position of a value in the chart's own values, or the zero value if the chart is an
// archive, or has no such value.
func (c *Query) chartPlace(path []values.Step) filePosition {
	known := c.chartOf(c.site.layer.Released)
	if known.file == "" || known.own == nil {
		return filePosition{}
	}
	key := keyAt(known.own.Root(), path)
	if key == nil {
		return filePosition{}
	}
	return filePosition{known.file, values.At(key)}
}
