package preset

import (
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// remove returns the values without the values at the paths of a preset. It returns root itself if
// there are none. Maps and lists that become empty stay, empty.
//
// Paths have the same syntax as in the schema, with one difference. If a path can be read in
// several ways, as in `a: {b: 1}` next to `a.b: 2`, the values of all readings are removed. If only
// the first were removed, the path would address the second in the next run.
//
// All paths are removed in one walk: a preset may have thousands.
func remove(root *yaml.Node, p pack.Preset) (*yaml.Node, error) {
	r := remover{preset: p}
	var all []suffix
	for _, path := range p.Remove {
		whole := suffix{path: path, text: path.String(), steps: path.Steps()}
		all = append(all, whole)
	}
	left := r.from(root, all)
	return left, r.err
}

// suffix is the rest of a path below a value.
type suffix struct {
	// path is the whole path, and text and steps the rest of it.
	path  values.Path
	text  string
	steps []string
}

// after returns the suffix below its first n steps, whose text has a length.
func (s suffix) after(n, length int) suffix {
	return suffix{s.path, s.text[min(length+1, len(s.text)):], s.steps[n:]}
}

// remover removes the paths of a preset from values.
type remover struct {
	// preset is the preset, and err the first path that cannot be removed.
	preset pack.Preset
	err    error
}

// from returns the rest of n, or nil if one of the suffixes addresses n itself.
func (r *remover) from(n *yaml.Node, suffixes []suffix) *yaml.Node {
	for _, s := range suffixes {
		if len(s.steps) == 0 {
			return nil
		}
	}
	n = values.Resolve(n)
	switch {
	case isMap(n):
		return r.fromMap(n, suffixes)
	case isList(n):
		return r.fromList(n, suffixes)
	}
	return n
}

// fromMap returns a map without what the suffixes remove. Keys with dots are tried against several
// steps.
func (r *remover) fromMap(n *yaml.Node, suffixes []suffix) *yaml.Node {
	all := values.Pairs(n)
	longest := 0
	for _, e := range all {
		if name, ok := e.Name(); ok {
			longest = max(longest, len(name))
		}
	}
	// A key may have dots: it is one or more steps.
	below := map[string][]suffix{}
	for _, s := range suffixes {
		length := -1
		for i, step := range s.steps {
			if length += 1 + len(step); step == values.Wildcard || length > longest {
				break
			}
			below[s.text[:length]] = append(below[s.text[:length]], s.after(i+1, length))
		}
	}
	changed := false
	var left []values.Pair
	for _, e := range all {
		if name, ok := e.Name(); ok && len(below[name]) > 0 {
			value := r.from(e.Value, below[name])
			changed = changed || value != e.Value
			if e.Value = value; value == nil {
				continue
			}
		}
		left = append(left, e)
	}
	if !changed {
		return n
	}
	return mapOf(n, left)
}

// fromList returns a list without what the suffixes remove in its elements. An index is an error.
func (r *remover) fromList(n *yaml.Node, suffixes []suffix) *yaml.Node {
	below := map[string][]suffix{}
	for _, s := range suffixes {
		step := s.steps[0]
		if index, err := strconv.Atoi(step); err == nil && len(s.steps) == 1 && step == strconv.Itoa(index) && index >= 0 && index < len(n.Content) {
			r.err = &Error{r.preset, s.path}
			return n
		}
		below[step] = append(below[step], s.after(1, len(step)))
	}
	left := *n
	left.Content, left.Anchor = nil, ""
	changed := false
	every := below[values.Wildcard]
	for index, element := range n.Content {
		value := element
		if own := below[strconv.Itoa(index)]; len(own)+len(every) > 0 {
			value = r.from(element, append(own, every...))
			changed = changed || value != values.Resolve(element)
		}
		if value != nil {
			left.Content = append(left.Content, value)
		}
	}
	if !changed {
		return n
	}
	return &left
}
