// Command release builds what a release of the suite has and GoReleaser does not make: images,
// licences, bills of materials and notes. See docs/release.md.
//
//	go run -C build/release . images       # an OCI index for each program; --load, --push
//	go run -C build/release . runner       # Porch's function runner with the programs
//	go run -C build/release . notes        # the notes of this version from CHANGELOG.md
//
// GoReleaser, with the configuration in this folder, makes the archives and Linux packages, and calls:
//
//	go run . describe PROGRAM              # the licences and the bill of materials of a built program
//	go run . completions --out FOLDER      # the completions of packfn
//
// It is a separate module: the functions do not depend on what builds images.
package main
