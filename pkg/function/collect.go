package function

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
)

// The limits of a run. Beyond them findings are counted and not listed.
const (
	// maxAlike is the number of findings of one rule at one key or field of a
	// resource; the elements of a list are one field.
	maxAlike = 100
	// maxFindings is the number of all findings.
	maxFindings = 10_000
)

// collector keeps the findings of a run within the limits.
type collector struct {
	// function is the function of the run.
	function *Function
	// overrides are the severities that the functionConfig sets, by rule.
	overrides map[string]diag.Severity
	// acceptances are the lines that accept findings.
	acceptances acceptances

	// kept are the listed findings.
	kept []diag.Finding
	// fixed is the number of kept findings whose rule cannot be overridden.
	fixed int
	// faults are the places with errors, where nothing more is reported as missing.
	faults Faults
	// failed reports whether there was an error before overrides, and lost whether no change can be
	// kept.
	failed, lost bool

	// errors are the rules of errors that are neither accepted nor overridden.
	errors map[string]bool

	// seed is the seed of the hashes.
	seed maphash.Seed
	// seen has the hash of each finding, since two packs that share an override
	// have the same findings in it.
	seen map[uint64]struct{}
	// alike counts the findings of each group, by its hash, and overfull has the first
	// one of a group that is not listed.
	alike    map[uint64]int
	overfull map[uint64]diag.Finding
	rest     map[string]int // findings beyond the limit of a run, by rule
}

// group is the key that similar findings share.
type group struct {
	// rule is the id of the rule.
	rule     string
	severity diag.Severity
	resource diag.Resource
	// field and key are paths without indexes, so that all elements of a list are one group.
	field, key string
}

func newCollector(f *Function) *collector {
	return &collector{function: f, faults: newFaults()}
}

// isFixed reports whether no one can change the severity of a rule, or accept its findings.
func isFixed(r diag.Rule) bool { return rule.Of(r.ID).Fixed }

// add records a finding: it gives the finding its severity, applies acceptances and overrides, and
// keeps it within the limits.
func (c *collector) add(f diag.Finding) {
	if !c.function.has(f.Rule) {
		f = unknownRule(f)
	}
	f.Severity = f.Level()
	c.failed = c.failed || f.Severity == diag.Error
	c.lost = c.lost || f.Rule == rule.InternalPanic || f.Rule == rule.ConfigInvalid
	if f.Rule.Cause {
		c.faults.add(&f)
	}
	f = c.acceptances.apply(f)
	if override, ok := c.overrides[f.Rule.ID]; ok {
		f.Severity = override
	}
	if f.Severity == diag.Off {
		return
	}
	if c.seen == nil { // most runs find nothing
		c.seed, c.errors, c.rest = maphash.MakeSeed(), map[string]bool{}, map[string]int{}
		c.seen, c.alike, c.overfull = map[uint64]struct{}{}, map[uint64]int{}, map[uint64]diag.Finding{}
	}
	if f.Severity == diag.Error {
		c.errors[f.Rule.ID] = true
	}
	hash := c.hash(&f)
	if _, known := c.seen[hash]; known {
		return
	}
	c.seen[hash] = struct{}{}
	group := maphash.Comparable(c.seed, groupOf(&f))
	c.alike[group]++
	if n := c.alike[group]; n > maxAlike {
		if n == maxAlike+1 {
			c.overfull[group] = f
		}
		return
	}
	c.keep(f)
}

// keep lists a finding, if the limit of a run allows it. Causes have a limit of their
// own: they come first, whenever they are found.
func (c *collector) keep(f diag.Finding) {
	kept := len(c.kept) - c.fixed
	if isFixed(f.Rule) {
		kept = c.fixed
	}
	if kept >= maxFindings {
		c.rest[f.Rule.ID]++
		return
	}
	if isFixed(f.Rule) {
		c.fixed++
	}
	c.kept = append(c.kept, f)
}

// hash covers the content and the place of a finding. A user sees two findings with the same hash
// as one.
func (c *collector) hash(f *diag.Finding) uint64 {
	var h maphash.Hash
	h.SetSeed(c.seed)
	text := func(all ...string) {
		for _, s := range all {
			h.WriteString(s)
			h.WriteByte(0)
		}
	}
	number := func(all ...int) {
		var b [8]byte
		for _, n := range all {
			binary.LittleEndian.PutUint64(b[:], uint64(n))
			h.Write(b[:])
		}
	}
	if o := f.Origin; o != nil {
		r := o.Resource
		text(r.PackagePath, r.File, r.APIVersion, r.Kind, r.Namespace, r.Name, o.Field, o.Name)
		number(r.Index, truth(o.Embedded))
	}
	text(f.Rule.ID, string(f.Severity), f.Key, f.Found, f.Sentence, f.Accepted, f.Nearest, f.Action, f.Unseen, f.Note, f.Pack)
	number(f.Position.Line, f.Position.Column, f.First.Line, f.First.Column, int(f.Kind), len(f.Hints), len(f.Tags))
	text(f.Hints...)
	if f.Current != nil || f.Proposed != nil {
		text(fmt.Sprintf("%#v %#v", f.Current, f.Proposed))
	}
	for _, name := range slices.Sorted(maps.Keys(f.Tags)) {
		text(name, f.Tags[name])
	}
	return h.Sum64()
}

// truth returns 1 or 0.
func truth(is bool) int {
	if is {
		return 1
	}
	return 0
}

// groupOf returns the group of a finding.
func groupOf(f *diag.Finding) group {
	g := group{rule: f.Rule.ID, severity: f.Severity, resource: f.Resource(), key: withoutIndexes(f.Key)}
	if f.Origin != nil {
		g.field = withoutIndexes(f.Origin.Field)
	}
	return g
}

// withoutIndexes replaces the indexes in a path, `a[3].b`, by empty brackets.
func withoutIndexes(path string) string {
	if strings.IndexByte(path, '[') < 0 {
		return path
	}
	out := make([]byte, 0, len(path))
	for i := 0; i < len(path); i++ {
		out = append(out, path[i])
		if path[i] != '[' {
			continue
		}
		digits := i + 1
		for digits < len(path) && '0' <= path[digits] && path[digits] <= '9' {
			digits++
		}
		if digits < len(path) && path[digits] == ']' {
			i = digits - 1
		}
	}
	return string(out)
}

// findings returns the listed findings in order, the findings and the error that count the others
// for each group and for the run, and the consequences of the listed findings.
func (c *collector) findings(l *list.List) (listed, following []diag.Finding) {
	tie(l, c.kept)
	c.kept, following = withoutConsequences(c.kept)
	for group, first := range c.overfull {
		f := diag.Say("%s of this rule at this resource are not shown", diag.Count(c.alike[group]-maxAlike, "more finding")).
			In(first.Origin, first.Key, first.Position).Of(first.Rule).For(first.Pack).
			Do(fmt.Sprintf("fix the %d that are listed, and run the function again", maxAlike))
		f.Severity = first.Severity
		c.kept = append(c.kept, f)
	}
	diag.Sort(c.kept)
	for i := maxFindings; i < len(c.kept); i++ {
		c.rest[c.kept[i].Rule.ID]++
	}
	listed = c.kept[:min(len(c.kept), maxFindings)]
	hinted := map[string]bool{}
	for i := range listed {
		f := &listed[i]
		if f.Unseen == "" {
			continue
		}
		if hinted[f.Rule.ID] {
			f.Unseen = ""
		}
		hinted[f.Rule.ID] = true
	}
	if len(c.rest) > 0 {
		listed = append(slices.Clip(listed), c.overflow())
	}
	return listed, following
}

// overflow returns the error that counts the findings beyond the limit of a run.
func (c *collector) overflow() diag.Finding {
	total := 0
	var counts []string
	for _, id := range slices.Sorted(maps.Keys(c.rest)) {
		total += c.rest[id]
		counts = append(counts, fmt.Sprintf("%d of %s", c.rest[id], id))
	}
	f := diag.Say("%s beyond the limit of %d: %s", diag.Count(total, "more finding"), maxFindings, diag.AllOf(counts)).
		Do(fmt.Sprintf("fix the %d that are listed, and run the function again", maxFindings)).Of(rule.InputInvalid)
	f.Severity = diag.Error
	return f
}
