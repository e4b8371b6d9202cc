package dependency

// The tags of findings about a version: the pack that requires another one, and the
// path of the requirement in its pack.json.
const (
	tagRequirer   = "requirer"
	tagDependency = "dependency"
)
