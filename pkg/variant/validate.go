package variant

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/distribution/reference"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

// reservedKeys of the package context are set by kpt and Porch alone.
var reservedKeys = []string{"name", "package-path"}

// IsReservedKey reports whether only kpt and Porch set a key of the package context.
func IsReservedKey(key string) bool { return slices.Contains(reservedKeys, key) }

// ReservedKey returns the finding of a reserved key of the package context.
func ReservedKey(key string) diag.Finding {
	return diag.Say("the key %q is reserved: kpt and Porch set it", key).Do("remove it")
}

// maxKey is the longest key of a ConfigMap, in bytes.
const maxKey = 253

// configMapKey is the form of the keys of a ConfigMap.
var configMapKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[-._a-zA-Z0-9]+$`) })

// KeyFault returns the fault of a key that is set in the package context, because the API server
// rejects a ConfigMap with other keys. It returns nil if nothing is wrong.
func KeyFault(key string) *diag.Finding {
	switch {
	case IsReservedKey(key):
		return new(ReservedKey(key))
	case configMapKey().MatchString(key) && len(key) <= maxKey && key != "." && !strings.HasPrefix(key, ".."):
		return nil
	}
	f := diag.GotText(key, "a key of a ConfigMap (letters, digits, '-', '_' and '.')")
	if fixed := strings.Join(strings.Fields(key), "-"); fixed != key && configMapKey().MatchString(fixed) {
		f.Action = fmt.Sprintf("write %q", fixed)
	}
	return &f
}

// validator collects the faults of a PackageVariant.
type validator struct{ findings []diag.Finding }

// report adds a fault at a path. Without a rule it is variant/invalid.
func (v *validator) report(path string, f diag.Finding) {
	if f.Rule == (diag.Rule{}) {
		f.Rule = rule.VariantInvalid
	}
	v.findings = append(v.findings, f.At(path, diag.Position{}))
}

// required reports a missing text.
func (v *validator) required(path, text string) {
	if text == "" {
		v.report(path, diag.Missing(""))
	}
}

// validate returns all that is wrong with the PackageVariant. Keys of the findings are
// paths in it, `spec.injectors[1].name`.
func (v *PackageVariant) validate() []diag.Finding {
	w, s := &validator{}, &v.Spec
	w.required("metadata.name", v.Name)
	w.required("spec.upstream.repo", s.Upstream.Repo)
	w.required("spec.upstream.package", s.Upstream.Package)
	if f := s.Upstream.TextRevision(); f != nil {
		w.report("spec.upstream.revision", f.Of(rule.VariantSetNotInPorch))
	}
	w.required("spec.downstream.repo", s.Downstream.Repo)
	w.required("spec.downstream.package", s.Downstream.Package)
	if s.AdoptionPolicy != "" && !slices.Contains(AdoptionPolicies, s.AdoptionPolicy) {
		w.report("spec.adoptionPolicy", diag.GotName(s.AdoptionPolicy, AdoptionPolicies))
	}
	if s.DeletionPolicy != "" && !slices.Contains(DeletionPolicies, s.DeletionPolicy) {
		w.report("spec.deletionPolicy", diag.GotName(s.DeletionPolicy, DeletionPolicies))
	}
	for _, key := range slices.Sorted(maps.Keys(s.PackageContext.Data)) {
		switch fault := KeyFault(key); {
		case fault == nil:
		case IsReservedKey(key):
			w.report("spec.packageContext.data."+key, fault.Of(rule.ContextReservedKey))
		default:
			w.report("spec.packageContext.data."+key, *fault)
		}
	}
	for i, key := range s.PackageContext.RemoveKeys {
		at := fmt.Sprintf("spec.packageContext.removeKeys[%d]", i)
		w.required(at, key)
		if IsReservedKey(key) {
			w.report(at, ReservedKey(key).Of(rule.ContextReservedKey))
		}
	}
	for i, f := range s.Pipeline.Mutators {
		w.findings = append(w.findings, f.Validate(fmt.Sprintf("spec.pipeline.mutators[%d]", i))...)
	}
	for i, f := range s.Pipeline.Validators {
		w.findings = append(w.findings, f.Validate(fmt.Sprintf("spec.pipeline.validators[%d]", i))...)
	}
	for i, injector := range s.Injectors {
		w.findings = append(w.findings, injector.Validate(fmt.Sprintf("spec.injectors[%d]", i))...)
	}
	diag.Sort(w.findings)
	return w.findings
}

// TextRevision returns the finding of a revision that is written as text. It is nil if
// the revision is a number or absent.
func (u *Upstream) TextRevision() *diag.Finding {
	if u.Revision == "" || u.RevisionIsNumber {
		return nil
	}
	f := diag.Say("Porch accepts only an integer as revision, and ignores it")
	switch number, err := strconv.Atoi(strings.TrimPrefix(string(u.Revision), "v")); {
	case u.WorkspaceName == "":
		f = f.Do("set workspaceName: " + string(u.Revision))
	case err == nil:
		f.Current, f.Proposed = string(u.Revision), number
		f = f.Do(fmt.Sprintf("write the number %d", number))
	default:
		f = f.Do("remove it")
	}
	return &f
}

// Validate returns the faults of the function at a path: all that kpt rejects in a Kptfile, and
// dots in its name.
func (f *PipelineFunction) Validate(at string) []diag.Finding {
	v := &validator{}
	switch {
	case f.Image != "" && f.Exec != "":
		v.report(at, diag.TooMany("image", "exec"))
	case f.Image == "" && f.Exec == "":
		v.report(at, diag.NoneOf("image", "exec"))
	}
	if f.ConfigPath != "" && len(f.ConfigMap) > 0 {
		v.report(at, diag.TooMany("configPath", "configMap"))
	}
	if _, err := reference.Parse(f.Image); f.Image != "" && err != nil {
		v.report(at+".image", diag.GotText(f.Image, "the reference of an image, such as example.com/functions/name:v1"))
	}
	if p := f.ConfigPath; p != "" && (strings.TrimSpace(p) == "" || path.IsAbs(p) || strings.Contains(path.Clean(p), "..")) {
		v.report(at+".configPath", diag.GotText(p, "a path in the package, from the folder of the Kptfile"))
	}
	if strings.Contains(f.Name, ".") {
		proposal := strings.ReplaceAll(f.Name, ".", "-")
		v.report(at+".name", diag.GotText(f.Name, "a name without dots (they separate the parts of the name in the Kptfile)").Propose(f.Name, proposal))
	}
	return v.findings
}

// Validate returns the faults of the injector at a path.
func (i *Injector) Validate(path string) []diag.Finding {
	v := &validator{}
	v.required(path+".name", i.Name)
	for _, field := range []struct {
		name string
		text *string
	}{{"version", i.Version}, {"kind", i.Kind}, {"point", i.Point}} {
		if field.text != nil && *field.text == "" {
			v.report(path+"."+field.name, diag.Say("empty, so the injector matches no injection point").Do("set it, or remove it to match every "+field.name))
		}
	}
	if i.Group != nil && strings.Contains(*i.Group, "/") {
		v.report(path+".group", diag.GotText(*i.Group, "a group").Do("put the version into the field version"))
	}
	return v.findings
}
