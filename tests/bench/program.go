package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// module is the path that the programs are built from.
const module = "github.com/krm-packs/functions/"

// program is a package of this module, by its path in the repository.
type program string

// The programs beside the functions.
const (
	empty program = "tests/bench/programs/empty"
	// measureProgram runs each of the others, and reports the resources that it used.
	measureProgram program = "tests/bench/programs/measure"
	sdkNoop        program = "tests/bench/programs/sdk-noop"
	changeThird    program = "tests/bench/programs/change-third"
	parsePacks     program = "tests/bench/programs/parse-packs"
	// evaluateRules only evaluates the rules of bundles.
	evaluateRules program = "pkg/internal/celenv/evaluate-rules"
	// previewFleet previews a fleet, as packfn fleet does.
	previewFleet program = "tests/bench/programs/fleet"
	// previewShard computes a tenth of a fleet, as packfn fleet --shard does.
	previewShard program = "tests/bench/programs/fleet-shard"
	// upgradePack plans the upgrade of a pack, as packfn upgrade does.
	upgradePack program = "tests/bench/programs/upgrade"
	// checkCatalog checks a file-based catalog, as packfn check does.
	checkCatalog program = "tests/bench/programs/check-catalog"
	// renderByKpt renders the packages of a fleet by kpt.
	renderByKpt program = "tests/bench/programs/kpt-render"
)

// The functions.
const (
	validatePackValues    program = "functions/validate-pack-values"
	checkDependencies     program = "functions/check-dependencies"
	checkResources        program = "functions/check-resources"
	applyPreset           program = "functions/apply-preset"
	resolveMacros         program = "functions/resolve-macros"
	injectConfig          program = "functions/inject-config"
	expandVariantSet      program = "functions/expand-variant-set"
	selectImplementations program = "functions/select-implementations"
)

func (p program) file(dir string) string { return filepath.Join(dir, filepath.Base(string(p))) }

// build builds programs into a folder as they are released. With trimpath, what
// `go test` has compiled cannot be taken from its cache.
func build(dir string, trimpath bool, programs []program) error {
	args := []string{"build", "-ldflags", "-s -w", "-o", dir + string(filepath.Separator)}
	if trimpath {
		args = append(args, "-trimpath")
	}
	for _, p := range programs {
		args = append(args, module+string(p))
	}
	command := exec.Command("go", args...)
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	if slices.Contains(programs, renderByKpt) {
		return buildKpt(dir)
	}
	return nil
}

// buildKpt builds the pinned kpt into a folder.
func buildKpt(dir string) error {
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	command := exec.Command("go", "build", "-mod=readonly", "-ldflags", "-s -w", "-o", absolute+string(filepath.Separator), "./kpt")
	command.Dir = filepath.Join(strings.TrimSpace(string(root)), "tests", "tools")
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("go build ./kpt: %w\n%s", err, out)
	}
	return nil
}
