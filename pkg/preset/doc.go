// Package preset applies presets: named changes that a pack offers for its values. The
// rules come from the section "Pack Presets" of Spectro Cloud's pack constraints
// document. A preset first removes keys, and then adds others.
//
// [Choose] finds the presets that names ask for, and [Apply] makes their change in the
// text of the values:
//
//	presets, findings := p.ReadPresets() // package pack
//	choices, faults := preset.Choose(presets, "ha", "registry:private")
//	edited, err := preset.Apply(document, choices[0].Preset, choices[1].Preset)
//
// [Target.Apply] does the same for values inside of a resource, and for values that are
// laid over others. A preset holds: it is applied at every run, and a [Record] has its name.
//
// # How the change is made
//
// The result of all presets is first computed as a tree. Then the text is changed: keys
// that are not in the result are deleted, what the presets add is merged with its
// comments, and what is already right is left alone. So a path that is removed and added
// again keeps its place and its comments, and presets that are already applied do not
// change a byte.
//
// # Our choices
//
// A path removes everything that it can be read to address. Elsewhere a nested key wins
// over one with dots if both exist; if one of them were left here, the next run would
// remove it. For the same reason a single element of a list cannot be removed by its
// number: the next element would take its place.
package preset
