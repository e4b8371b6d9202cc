package function

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"io"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/recent"
)

// Memo keeps outcomes of functions by all that a run reads: the function, its
// functionConfig, the items that it wants, and what the harness reads of the others. A
// function depends on nothing else, so that packages which are equal in these share one
// run. It is safe for concurrent use.
type Memo struct{ kept *recent.Cache[memoKey, *kept] }

// mostKept is the number of outcomes that a Memo keeps.
const mostKept = 4096

// NewMemo returns a Memo that keeps nothing yet.
func NewMemo() *Memo {
	return &Memo{&recent.Cache[memoKey, *kept]{Most: mostKept / 2}}
}

type memoKey [sha256.Size]byte

// kept is what a run did.
type kept struct {
	outcome Outcome
	// texts are the texts of the wanted items that it changed, by their order; removed
	// are those that it removed.
	texts   map[int]string
	removed []int
	added   []string
}

// Evaluate is [Evaluate] for lists of items of files.
func (m *Memo) Evaluate(f Function, l *list.List) Outcome {
	key, read, ok := m.key(&f, l)
	if !ok {
		return Evaluate(f, l)
	}
	if k, known := m.kept.Get(key); known && k.replay(l, read) {
		return k.outcome
	}
	k := &kept{outcome: Evaluate(f, l), texts: map[int]string{}}
	for i, item := range read {
		switch text, changed := item.Edited(); {
		case item.Text() == nil:
			k.removed = append(k.removed, i)
		case changed:
			k.texts[i] = text
		}
	}
	for _, item := range l.Items {
		if item.Added() {
			k.added = append(k.added, string(item.Text()))
		}
	}
	m.kept.Put(key, k, 1)
	return k.outcome
}

// replay does to a list what the run did.
func (k *kept) replay(l *list.List, read []*list.Item) bool {
	for i, text := range k.texts {
		read[i].ReplaceText(text)
	}
	for _, i := range k.removed {
		read[i].Remove()
	}
	for _, text := range k.added {
		if _, err := l.Add(text); err != nil {
			l.Restore()
			return false
		}
	}
	return true
}

// key returns the digest of all that a run reads, and the items among it. It is not ok
// when the function fails before it reads anything.
func (m *Memo) key(f *Function, l *list.List) (key memoKey, read []*list.Item, ok bool) {
	defer func() { recover() }() // a panic is for Evaluate to report
	r := &Run{function: f, list: l, collector: newCollector(f)}
	processor := f.New()
	r.readConfig(processor, processor.Config())
	sum := sha256.New()
	digest(sum, f.Name)
	if config := l.Config(); config != nil {
		resource := l.ConfigResource()
		digest(sum, resource.PackagePath, resource.File)
		if !digestNode(sum, config, maxConfigDepth) {
			return key, nil, false
		}
	}
	for _, item := range l.Items {
		resource := item.Resource()
		binary.Write(sum, binary.LittleEndian, int64(resource.Index))
		digest(sum, resource.PackagePath, resource.File)
		if item.Fault() != "" || !l.IsConfig(item) && processor.Wants(item) {
			digest(sum, "wanted", string(item.Text()))
			read = append(read, item)
			continue
		}
		// Of all others the harness reads the head, with its misspelt names, and the names of
		// annotations.
		annotations, err := item.Annotations()
		if err != nil {
			return key, nil, false
		}
		digest(sum, resource.APIVersion, resource.Kind, resource.Namespace, resource.Name, annotations[AcceptAnnotation])
		binary.Write(sum, binary.LittleEndian, int64(len(annotations)))
		digest(sum, slices.Sorted(maps.Keys(annotations))...)
		for _, f := range item.Slips(false) {
			digest(sum, f.Key)
		}
	}
	sum.Sum(key[:0])
	return key, read, true
}

// maxConfigDepth bounds the depth of functionConfigs that are kept.
const maxConfigDepth = 100

// digestNode adds a tree with its positions, which findings name. It reports false for
// one that is too deep.
func digestNode(sum hash.Hash, n *yaml.Node, depth int) bool {
	if depth == 0 {
		return false
	}
	binary.Write(sum, binary.LittleEndian, [...]int64{int64(n.Kind), int64(n.Style), int64(n.Line), int64(n.Column), int64(len(n.Content))})
	digest(sum, n.Tag, n.Value)
	if n.Kind == yaml.AliasNode && !digestNode(sum, n.Alias, depth-1) {
		return false
	}
	for _, child := range n.Content {
		if !digestNode(sum, child, depth-1) {
			return false
		}
	}
	return true
}

// digest adds texts to a sum, so that their borders count.
func digest(sum hash.Hash, texts ...string) {
	for _, text := range texts {
		binary.Write(sum, binary.LittleEndian, int64(len(text)))
		io.WriteString(sum, text)
	}
}
