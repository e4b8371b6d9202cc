// Package preset applies presets, named changes that a pack offers for its
// values, as the section "Pack Presets" of Spectro Cloud's pack constraints
// document has them: what a preset removes goes first, then what it adds is laid
// over the values.
//
// Choose finds the presets that are asked for by their names, and Apply makes
// their change in the text of the values:
//
//	presets, problems, err := p.ReadPresets() // package pack
//	chosen, faults := preset.Choose(presets, "ha", "registry:private")
//	edited, err := preset.Apply(document, chosen...)
//
// [Target.Apply] does the same for values that lie over others: an override of a
// pack's values is edited so that what the pack's values come to is what the
// presets make of what they came to before.
//
// # How the change is made
//
// What the presets make of the values is computed on trees first, all of them
// together. The text is then changed to hold that: what has no place in the
// outcome is deleted, what the presets add is merged with its comments, and what
// is right already is left alone. So a path that is removed and added again
// keeps its place and its comments, and presets that are applied already change
// not one byte.
//
// # Our choices
//
// A path removes whatever it can be read to address. Elsewhere a nested key wins
// over one with dots where both exist; were one of them left here, the next run
// would remove it. For the same reason a single element of a list can not be
// removed by its number: the one behind it would be next.
package preset
