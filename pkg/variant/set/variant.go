package set

// Variant is a PackageVariant that a set makes. What is empty is absent.
type Variant struct {
	// Name and Namespace are those of the metadata.
	Name, Namespace string
	Upstream        *Upstream
	// Repo and Package are the downstream.
	Repo, Package                  string
	AdoptionPolicy, DeletionPolicy string
	// Labels, Annotations and Data, of the package context, are in the order of
	// their keys.
	Labels, Annotations, Data []Entry
	// RemoveKeys are those of the package context, in order, each once.
	RemoveKeys           []string
	Mutators, Validators []PipelineFunction
	Injectors            []Injector

	// from is what the variant is made of.
	from *candidate
}

// Entry is an entry of a map.
type Entry struct{ Key, Value string }

// PipelineFunction is a function of the pipeline of a PackageVariant.
type PipelineFunction struct {
	// ConfigMap is in the order of its keys.
	ConfigMap []Entry
	template  *FunctionTemplate
}

// Injector is an injection selector of a PackageVariant.
type Injector struct {
	Name     string
	template *InjectorTemplate
}
