// Command release builds what a release of the suite has: programs for all platforms,
// images, licences, bills of materials and notes. See docs/release.md.
//
//	go run -C build/release . binaries   # archives of the programs, and SHA256SUMS
//	go run -C build/release . images     # an OCI index for each program; --load, --push
//	go run -C build/release . runner     # Porch's function runner with the programs
//	go run -C build/release . notes      # the notes of this version from CHANGELOG.md
//
// It is a separate module: the functions do not depend on what builds images.
package main
