// Package preset applies presets: named changes that a pack offers for its values. They are
// described in the section "Pack Presets" of Spectro Cloud's pack constraints document. A preset
// first removes keys, and then adds others.
//
// [Choose] returns the presets that names refer to, of those that [pack.Pack.ReadPresets]
// returns. [Apply] returns the values with the presets applied. [Target.Apply] does the same for
// values in a resource, and for overrides. Presets are applied at every run, and a [Record] on the
// resource has their names.
//
// # How the change is made
//
// First, the result of all presets is computed as a tree. Then the text is changed: keys that are
// not in the result are deleted, and what the presets add is merged with its comments. Values that
// already equal the result are not touched. So a path that is removed and added again keeps its
// place and its comments, and presets that are already applied do not change a byte.
//
// # Our choices
//
// A path removes every key that it can address: `a.b` removes both the key b in the map a, and the
// key "a.b". Elsewhere the nested key takes precedence, but here the next run would remove the other
// one. For the same reason, a single element of a list cannot be removed by its number: the next
// element would take its place.
//
// # The data
//
//	presets:
//	- name: ha
//	  group: size
//	  remove: [server.standalone]
//	  add: |
//	    server:
//	      replicas: 3
//
// A resource whose values have presets applied records their names in the annotation
// packs.kpt.dev/applied-presets. [Check] reports what the author of the presets should know.
package preset
