package terraform

import (
	"errors"
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// Run is what the modules of one run share: the packs of the sources, and the limits.
type Run struct {
	// Pack returns the values of a pack in a version, and whether a source has it; nil if
	// there are no sources.
	Pack func(name, version string) (values string, ok bool, err error)
	// steps, made and read are what is spent: steps, and bytes of texts that are put together,
	// and of files.
	steps, made, read int
	// beyond says which limit was met. Nothing is evaluated after that.
	beyond error
	packs  map[[2]string]*packText
}

// packText is what the sources have of a pack.
type packText struct {
	value cty.Value // a text
	ok    bool
	err   error
}

// Beyond returns an error if a limit of the run was met. Nothing is evaluated after that.
func (r *Run) Beyond() error { return r.beyond }

// limit is a limit of a run.
type limit struct {
	spent       func(*Run) *int
	most        int
	of, instead string
}

var (
	stepLimit = limit{func(r *Run) *int { return &r.steps }, maxSteps, "steps of evaluation", "write the value that results instead of the expression"}
	madeLimit = limit{func(r *Run) *int { return &r.made }, maxMade, "bytes of texts that templates and functions put together", "write the text to a file, and read it with file()"}
	readLimit = limit{func(r *Run) *int { return &r.read }, maxRead, "bytes of files and of values of packs that are read", "import fewer packs at a time"}
)

// spend spends n of a limit, and reports whether that was left.
func (r *Run) spend(l *limit, n int, at hcl.Range) bool {
	spent := l.spent(r)
	if n < 0 || n > l.most-*spent {
		*spent = l.most
		if r.beyond == nil {
			r.beyond = &Fault{at.Filename, positionOf(at), fmt.Sprintf("the limit of %d %s is exceeded here; %s", l.most, l.of, l.instead)}
		}
		return false
	}
	*spent += n
	return r.beyond == nil
}

// errBeyond ends an evaluation at a limit.
var errBeyond = errors.New("the evaluation is beyond a limit")

// pack returns the values of a pack that a source has.
func (r *Run) pack(name, version string, at hcl.Range) *packText {
	key := [2]string{name, version}
	if known := r.packs[key]; known != nil {
		return known
	}
	if r.packs == nil {
		r.packs = map[[2]string]*packText{}
	}
	p := &packText{}
	var text string
	if r.Pack != nil {
		text, p.ok, p.err = r.Pack(name, version)
	}
	r.spend(&readLimit, len(text), at)
	p.value = cty.StringVal(text)
	r.packs[key] = p
	return p
}
