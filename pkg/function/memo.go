package function

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"sync"
	"sync/atomic"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/internal/recent"
	"github.com/krm-packs/functions/pkg/list"
)

// Memo keeps outcomes of functions by all that a run reads: the function, its
// functionConfig, the items that it wants, and what the harness reads of the others. A
// function depends on nothing else, so that packages which are equal in these share one
// run. It is safe for concurrent use.
type Memo struct {
	// kept are the outcomes by the digest of the input.
	kept *recent.Cache[memoKey, *kept]
	// tallies are the tallies of the functions, by name.
	tallies sync.Map
}

// tally counts how often earlier runs of a function were looked for, and found. A look costs up to a
// sixth of a run, so a function that almost never reads the same twice gets none.
// runs counts the runs, looks the digests that were made, and hits the outcomes that were found.
type tally struct{ runs, looks, hits atomic.Int64 }

const (
	// fairTrial is the number of looks at first, and again in each trialsAgain runs: the next part of
	// a fleet may differ from the one before.
	fairTrial   = 256
	trialsAgain = 4096
	// looksForHit is the number of looks that are worth one hit.
	looksForHit = 10
)

// isWorthLooking reports whether an earlier run is looked for before the next one.
func (t *tally) isWorthLooking() bool {
	return t.runs.Add(1)%trialsAgain <= fairTrial || looksForHit*t.hits.Load() >= t.looks.Load()
}

// mostKept bounds the bytes of the texts that a Memo keeps, and keptFinding is what one finding
// adds to them.
const (
	mostKept    = 8 << 20
	keptFinding = 1 << 10
)

// NewMemo returns a Memo that keeps nothing yet.
func NewMemo() *Memo {
	return &Memo{kept: &recent.Cache[memoKey, *kept]{Most: mostKept / 2}}
}

// memoKey is the digest of all that a run reads.
type memoKey [sha256.Size]byte

// kept is the recorded result of a run.
type kept struct {
	// outcome has the findings.
	outcome Outcome
	// texts are the texts of the wanted items that it changed, by their order; removed
	// are those that it removed.
	texts   map[int]string
	removed []int
	// added are the texts of new items.
	added []string
}

// Evaluate is [Evaluate] for lists of items of files. A nil Memo keeps nothing.
func (m *Memo) Evaluate(f Function, l *list.List) Outcome {
	if m == nil {
		return Evaluate(f, l)
	}
	known, _ := m.tallies.LoadOrStore(f.Name, new(tally))
	t := known.(*tally)
	if !t.isWorthLooking() {
		return Evaluate(f, l)
	}
	t.looks.Add(1)
	r := newRun(&f, l)
	key, read, partly, ok := r.key()
	if !ok {
		return Evaluate(f, l)
	}
	if k, known := m.kept.Get(key); known && k.replay(l, read) {
		t.hits.Add(1)
		return k.outcome
	}
	k := &kept{outcome: r.evaluate(), texts: map[int]string{}}
	if k.isAbout(partly) {
		return k.outcome
	}
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
	size := keptFinding * (1 + len(k.outcome.All()))
	for _, text := range k.texts {
		size += len(text)
	}
	for _, text := range k.added {
		size += len(text)
	}
	m.kept.Put(key, k, size)
	return k.outcome
}

// isAbout reports whether the run found something in items, or changed them.
func (k *kept) isAbout(items []*list.Item) bool {
	return slices.ContainsFunc(items, func(item *list.Item) bool {
		_, changed := item.Edited()
		resource := item.Resource()
		return changed || item.Removed() || slices.ContainsFunc(k.outcome.All(), func(f diag.Finding) bool { return f.Resource() == resource })
	})
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

// key returns the digest of all that a run reads, and the items among it: those that it reads
// as a whole, and those that it reads partly, of which it must find and change nothing. It is
// not ok when the function fails before it reads anything, or waits for its configuration: such a
// run begins again.
func (r *Run) key() (key memoKey, read, partly []*list.Item, ok bool) {
	defer func() { recover() }() // a panic is for Evaluate to report
	l := r.list
	if r.waitsForConfig() {
		return key, nil, nil, false
	}
	r.configure()
	sum := digests.Get().(*digest)
	defer digests.Put(sum)
	sum.read = sum.read[:0]
	sum.texts(r.function.Name)
	if config := l.Config(); config != nil {
		resource := l.ConfigResource()
		sum.texts(resource.PackagePath, resource.File)
		if !sum.node(config, maxConfigDepth) {
			return key, nil, nil, false
		}
	}
	_, ofConditions := r.processor.(ConditionReader)
	asked := make([]bool, len(l.Items))
	for i, item := range l.Items {
		resource := item.Resource()
		sum.number(resource.Index)
		sum.texts(resource.PackagePath, resource.File)
		asked[i] = item.Fault() == "" && !l.IsConfig(item) && r.processor.Wants(item)
		isWanted := item.Fault() != "" || asked[i] || r.misspelt(item) != nil
		if isWanted && ofConditions && item.Fault() == "" && injection.Wants(item) {
			if types, err := injection.Conditions(item); err == nil {
				sum.texts("conditions")
				sum.number(len(types))
				sum.texts(types...)
				partly, isWanted = append(partly, item), false
			}
		}
		if isWanted {
			text := item.Text()
			sum.texts("wanted")
			sum.number(len(text))
			sum.read = append(sum.read, text...)
			read = append(read, item)
			continue
		}
		// Of all others the harness reads the head, with its misspelt names, and the names of
		// annotations.
		names, err := item.AnnotationNames(nil)
		if err != nil {
			return key, nil, nil, false
		}
		sum.texts(resource.APIVersion, resource.Kind, resource.Namespace, resource.Name, item.Annotation(AcceptAnnotation))
		sum.number(len(names))
		slices.Sort(names)
		sum.texts(names...)
		for _, name := range names {
			if f := annotationFault(name, annotationsOf(item)); f != nil {
				sum.texts(name, f.Found)
			}
		}
		for _, f := range item.Misspelt(len(partly) > 0 && partly[len(partly)-1] == item) {
			sum.texts(f.Key)
		}
	}
	r.asked = asked
	return sha256.Sum256(sum.read), read, partly, true
}

// maxConfigDepth bounds the depth of functionConfigs that are kept.
const maxConfigDepth = 100

// digest is what a run reads, one after the other, so that borders are told apart.
// read is the input so far, with the length before each text.
type digest struct{ read []byte }

// digests are buffers: each run of each package needs one.
var digests = sync.Pool{New: func() any { return new(digest) }}

func (d *digest) number(n int) { d.read = binary.LittleEndian.AppendUint64(d.read, uint64(n)) }

// texts adds texts with their lengths.
func (d *digest) texts(texts ...string) {
	for _, text := range texts {
		d.number(len(text))
		d.read = append(d.read, text...)
	}
}

// node adds a tree with its positions, which findings name. It reports false for one that is
// too deep.
func (d *digest) node(n *yaml.Node, depth int) bool {
	if depth == 0 {
		return false
	}
	for _, number := range [...]int{int(n.Kind), int(n.Style), n.Line, n.Column, len(n.Content)} {
		d.number(number)
	}
	d.texts(n.Tag, n.Value)
	if n.Kind == yaml.AliasNode && !d.node(n.Alias, depth-1) {
		return false
	}
	for _, child := range n.Content {
		if !d.node(child, depth-1) {
			return false
		}
	}
	return true
}
