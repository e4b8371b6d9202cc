package variant

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/distribution/reference"

	"github.com/krm-packs/functions/pkg/diag"
)

// reservedKeys of the package context are set by kpt and Porch alone.
var reservedKeys = []string{"name", "package-path"}

// IsReservedKey reports whether only kpt and Porch set a key of the package context.
func IsReservedKey(key string) bool { return slices.Contains(reservedKeys, key) }

// ReservedKey returns the finding of a reserved key of the package context.
func ReservedKey(key string) diag.Finding {
	return diag.Say("the key %q is reserved: kpt and Porch set it", key).Do("remove it")
}

// validator collects what is wrong with a PackageVariant.
type validator struct{ findings []diag.Finding }

func (v *validator) report(path string, f diag.Finding) {
	if f.Rule == (diag.Rule{}) {
		f.Rule = RuleInvalid
	}
	v.findings = append(v.findings, f.At(path, diag.Position{}))
}

func (v *validator) required(path, text string) {
	if text == "" {
		v.report(path, diag.Missing(""))
	}
}

// Validate returns all that is wrong with the PackageVariant. Keys of the findings are
// paths in it, `spec.injectors[1].name`.
func (v *PackageVariant) Validate() []diag.Finding {
	w, s := &validator{}, &v.Spec
	w.required("metadata.name", v.Name)
	w.required("spec.upstream.repo", s.Upstream.Repo)
	w.required("spec.upstream.package", s.Upstream.Package)
	if f := s.Upstream.TextRevision(); f != nil {
		w.report("spec.upstream.revision", f.Of(RuleNotInPorch))
	}
	w.required("spec.downstream.repo", s.Downstream.Repo)
	w.required("spec.downstream.package", s.Downstream.Package)
	if s.AdoptionPolicy != "" && !slices.Contains(AdoptionPolicies, s.AdoptionPolicy) {
		w.report("spec.adoptionPolicy", diag.GotName(s.AdoptionPolicy, AdoptionPolicies))
	}
	if s.DeletionPolicy != "" && !slices.Contains(DeletionPolicies, s.DeletionPolicy) {
		w.report("spec.deletionPolicy", diag.GotName(s.DeletionPolicy, DeletionPolicies))
	}
	for key := range s.PackageContext.Data {
		w.contextKey("spec.packageContext.data."+key, key)
	}
	for i, key := range s.PackageContext.RemoveKeys {
		at := fmt.Sprintf("spec.packageContext.removeKeys[%d]", i)
		w.required(at, key)
		w.contextKey(at, key)
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

func (v *validator) contextKey(path, key string) {
	if IsReservedKey(key) {
		v.report(path, ReservedKey(key).Of(RuleReservedKey))
	}
}

// TextRevision returns the finding of a revision that is written as text. It is nil if
// the revision is a number or absent.
func (u *Upstream) TextRevision() *diag.Finding {
	if u.Revision == "" || u.RevisionIsNumber {
		return nil
	}
	f := diag.Got(fmt.Sprintf("the text %q", u.Revision), "a whole number, as the resources of Porch have it today")
	if number, err := strconv.Atoi(strings.TrimPrefix(string(u.Revision), "v")); err == nil {
		f.Current, f.Proposed = string(u.Revision), number
		f.Action = fmt.Sprintf("write the number %d", number)
	}
	return &f
}

// Validate returns what is wrong with the function at a path: all that kpt refuses in a
// Kptfile, and dots in its name.
func (f *PipelineFunction) Validate(at string) []diag.Finding {
	v := &validator{}
	switch {
	case f.Image != "" && f.Exec != "":
		v.report(at, diag.Got("image and exec", "one of them").Do("remove one"))
	case f.Image == "" && f.Exec == "":
		v.report(at, diag.Got("neither image nor exec", "one of them").Do("add one"))
	}
	if f.ConfigPath != "" && len(f.ConfigMap) > 0 {
		v.report(at, diag.Got("configPath and configMap", "one of them").Do("remove one"))
	}
	if _, err := reference.Parse(f.Image); f.Image != "" && err != nil {
		v.report(at+".image", diag.Got(fmt.Sprintf("%q", f.Image), "the reference of an image, such as example.com/functions/name:v1"))
	}
	if p := f.ConfigPath; p != "" && (strings.TrimSpace(p) == "" || path.IsAbs(p) || strings.Contains(path.Clean(p), "..")) {
		v.report(at+".configPath", diag.Got(fmt.Sprintf("%q", p), "a path in the package, from the folder of the Kptfile"))
	}
	if strings.Contains(f.Name, ".") {
		proposal := strings.ReplaceAll(f.Name, ".", "-")
		v.report(at+".name", diag.Got(fmt.Sprintf("%q", f.Name), "a name without dots, which separate the parts of the name in the Kptfile").Propose(f.Name, proposal))
	}
	return v.findings
}

// Validate returns what is wrong with the injector at a path.
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
		v.report(path+".group", diag.Got(fmt.Sprintf("%q", *i.Group), "a group").Do("put the version into the field version"))
	}
	return v.findings
}
