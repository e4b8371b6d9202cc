// Package packcheck checks packs for what no function of the suite looks at:
//
//   - [Settings]: the fields that Palette reads in values.yaml and pack.json, such as pack.namespace;
//   - [LeftPresets]: presets that are recorded in values, but that no step of a pipeline selects any more;
//   - [Directory]: what the author of a pack directory should know, such as a chart that pack.json names and that is not
//     there, or an image with the tag latest;
//   - [Unlisted]: images that the pack deploys, and that pack.content.images does not have.
package packcheck
