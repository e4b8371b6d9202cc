package main

import (
	"fmt"
	"io"
	"slices"
)

// sizes are how many items the lists have, and how many packages kpt renders.
type sizes struct {
	small, usual, large, packs, rendered, clusters, bundles int
	// largePack is the size of the text of one pack in MiB.
	largePack int
}

var (
	fullSizes  = sizes{small: 1_000, usual: 10_000, large: 50_000, packs: 1_000, rendered: 50, clusters: 100_000, bundles: 3_000, largePack: 30}
	quickSizes = sizes{small: 100, usual: 100, large: 300, packs: 48, rendered: 1, clusters: 20, bundles: 400, largePack: 1}
)

// The bars of a start, as often as an empty program: the packages that the SDK and CEL
// import take the most of it.
const (
	startBar      = 6.5
	startBarOfCEL = 13
	// The JSON Schema library first compiles the meta-schemas of all drafts.
	startBarOfSchema = 11
)

// rows are the bars. A function adds its own here: a row is a name, a bar, the
// run that is measured, and the run that it is compared with.
func rows(s sizes) []row {
	var (
		ten                = list("ten", 10, noConfig, blockList)
		tenThird           = list("ten-third", 10, thirdConfig, blockList)
		small              = list("small", s.small, noConfig, blockList)
		smallThird         = list("small-third", s.small, thirdConfig, blockList)
		usual              = list("usual", s.usual, noConfig, blockList)
		usualThird         = list("usual-third", s.usual, thirdConfig, blockList)
		usualAll           = list("usual-all", s.usual, allConfig, blockList)
		usualJSON          = list("usual-json", s.usual, noConfig, jsonList)
		usualThirdJSON     = list("usual-third-json", s.usual, thirdConfig, jsonList)
		usualThirdFlow     = list("usual-third-flow", s.usual, thirdConfig, flowList)
		large              = list("large", s.large, noConfig, blockList)
		largeThird         = list("large-third", s.large, thirdConfig, blockList)
		packs              = packInput("packs", s.packs, packList)
		macros             = packInput("macros", s.packs, macroList)
		macroTexts         = packInput("macro-texts", s.packs, macroTextList)
		fewMacros          = packInput("few-macros", s.packs/4, macroList)
		firstTime          = packInput("first-render", s.packs/10, firstRender)
		secondTime         = packInput("second-render", s.packs/10, secondRender)
		hub                = packInput("hub", fullImplementations, hubList)
		smallHub           = packInput("small-hub", fullImplementations/4, hubList)
		texts              = packInput("texts", s.packs, packTexts)
		fewPacks           = packInput("few-packs", s.packs/4, func(n int) func(io.Writer) error { return dependencyList(n, false) })
		catalog            = packInput("catalog", s.packs/4, func(n int) func(io.Writer) error { return dependencyList(n, true) })
		bundles            = packInput("bundles", s.packs, bundleList)
		fewBundles         = packInput("few-bundles", s.packs/4, bundleList)
		tenBundles         = packInput("ten-bundles", 10, bundleList)
		rules              = packInput("rules", s.packs, ruleTexts)
		tenCEL             = &input{name: "ten-cel", items: 10, write: celList}
		catalogText        = &input{name: "catalog-texts", items: catalogVersions, write: catalogTexts}
		resources          = packInput("resources", s.packs, resourceList)
		resourceTexts      = packInput("resource-texts", s.packs, resourceTextList)
		fewResources       = packInput("few-resources", s.packs/4, resourceList)
		manyPacks          = packInput("many-packs", s.usual, packList)
		manyPackTexts      = packInput("many-pack-texts", s.usual, withResources(packList, packTexts))
		manyRequiring      = packInput("many-requiring", s.usual, requiringList)
		manyRequiringTexts = packInput("many-requiring-texts", s.usual, withResources(requiringList, requiringTexts))
		manyResources      = packInput("many-resources", s.usual, resourceList)
		manyResourceTexts  = packInput("many-resource-texts", s.usual, withResources(resourceList, resourceTextList))
		variants           = packInput("variants", s.usual, variantList)
		fewVariants        = packInput("few-variants", s.small, variantList)
		manyVariants       = packInput("many-variants", s.large, variantList)
		tenVariants        = packInput("ten-variants", 10, variantList)
		fleet              = packInput("fleet-usual", s.packs, fleetArchive)
		smallFleet         = packInput("small-fleet", s.packs/4, fleetArchive)
		tenFleet           = packInput("ten-fleet", 10, fleetArchive)
		kptFleet           = packInput("kpt-fleet", s.rendered, fleetArchive)
		ofOLM              = packInput("olm-catalog", s.bundles, opmCatalog)
		fewOfOLM           = packInput("few-olm-catalog", s.bundles/2, opmCatalog)
		tenOfOLM           = packInput("ten-olm-catalog", 100, opmCatalog)
		edits              = packInput("edits", 2*s.packs, editedValues)
		fewEdits           = packInput("few-edits", s.packs/2, editedValues)
		tenEdits           = packInput("ten-edits", 10, editedValues)
		largeFleet         = packInput("large-fleet", s.usual, fleetArchive)
	)
	var (
		noop        = run{program: sdkNoop, input: usual}
		noopJSON    = run{program: sdkNoop, input: usualJSON}
		none        = run{program: validatePackValues, input: usual}
		third       = run{program: validatePackValues, input: usualThird}
		all         = run{program: validatePackValues, input: usualAll}
		change      = run{program: changeThird, input: usual}
		noneOfJSON  = run{program: validatePackValues, input: usualJSON}
		thirdOfJSON = run{program: validatePackValues, input: usualThirdJSON}
		thirdOfFlow = run{program: validatePackValues, input: usualThirdFlow}
	)
	items := fmt.Sprintf("%d items", s.usual)
	from := fmt.Sprintf("%d to %d items", s.small, s.large)
	fleetShards := &shards{clusters: s.clusters, of: 10}
	return slices.Concat(fleetShards.rows(), wholeFleet(s.clusters/5), editingRows(max(s.packs/10, 2), s.packs), largePack(s.largePack), []row{
		sharingSets(max(s.packs, 4)),
		monorepo(5 * s.packs),
		cpuRow("CPU: want none of "+items, 0.02, none, noop),
		cpuRow("CPU: check a third of "+items, 0.12, third, noop),
		cpuRow("CPU: check all of "+items, 0.22, all, noop),
		cpuRow("CPU: change a third of "+items, 0.20, change, noop),
		cpuRow("CPU: JSON, want none of "+items, 0.9, noneOfJSON, noopJSON),
		cpuRow("CPU: JSON, check a third of "+items, 0.9, thirdOfJSON, noopJSON),
		cpuRow("CPU: SDK path, check a third of "+items, 0.9, thirdOfFlow, noopJSON),
		memoryRow("memory: want none of "+items, 4, 20, none, noop),
		memoryRow("memory: check all of "+items, 4, 20, all, noop),
		memoryRow("memory: check a third of "+items, 4, 20, third, noop),
		memoryRow("memory: change a third of "+items, 4, 20, change, noop),
		memoryRow("memory: SDK path, check a third of "+items, 35, 0, thirdOfFlow, noopJSON),
		growthRow("growth: want none, "+from, 1.2, validatePackValues, small, large, ten),
		growthRow("growth: check a third, "+from, 1.2, validatePackValues, smallThird, largeThird, tenThird),
		growthRow("growth: change a third, "+from, 1.2, changeThird, small, large, ten),
		cpuRow("start: validate-pack-values on 10 items", startBarOfSchema, run{program: validatePackValues, input: ten}, run{program: empty}),
		cpuRow(fmt.Sprintf("CPU: validate-pack-values on %d packs", s.packs), 1.5, run{program: validatePackValues, input: packs}, run{program: parsePacks, input: texts}),
		cpuRow(fmt.Sprintf("CPU: resolve-macros on %d packs", s.packs), 3, run{program: resolveMacros, input: macros}, run{program: parsePacks, input: macroTexts}),
		cpuRow(fmt.Sprintf("CPU: resolve-macros on %d packs again, with another fact", s.packs/10), 1.1, run{program: resolveMacros, input: secondTime}, run{program: resolveMacros, input: firstTime}),
		growthRow(fmt.Sprintf("growth: resolve-macros, %d to %d packs", s.packs/4, s.packs), 1.2, resolveMacros, fewMacros, macros, ten),
		cpuRow(fmt.Sprintf("CPU: expand-variant-set to %d targets", s.usual), 0.20, run{program: expandVariantSet, input: variants}, noop),
		growthRow(fmt.Sprintf("growth: expand-variant-set, %d to %d targets", s.small, s.large), 1.2, expandVariantSet, fewVariants, manyVariants, tenVariants),
		cpuRow("start: expand-variant-set to 10 targets", startBarOfCEL, run{program: expandVariantSet, input: tenVariants}, run{program: empty}),
		cpuRow("start: apply-preset on 10 items", startBar, run{program: applyPreset, input: ten}, run{program: empty}),
		cpuRow("start: resolve-macros on 10 items", startBar, run{program: resolveMacros, input: ten}, run{program: empty}),
		cpuRow("start: check-dependencies on 10 items", startBar, run{program: checkDependencies, input: ten}, run{program: empty}),
		cpuRow("start: check-dependencies on 10 items, with CEL", startBarOfCEL, run{program: checkDependencies, input: tenCEL}, run{program: empty}),
		cpuRow(fmt.Sprintf("CPU: check-dependencies on %d bundles", s.packs), 1.5, run{program: checkDependencies, input: bundles}, run{program: evaluateRules, input: rules}),
		growthRow(fmt.Sprintf("growth: check-dependencies, %d to %d bundles", s.packs/4, s.packs), 1.2, checkDependencies, fewBundles, bundles, tenBundles),
		memoryRow(fmt.Sprintf("memory: check-dependencies on %d bundles", s.packs/4), 8, 20, run{program: checkDependencies, input: fewBundles}, run{program: empty}),
		memoryRow(fmt.Sprintf("memory: check-dependencies on %d bundles", s.packs), 8, 20, run{program: checkDependencies, input: bundles}, run{program: empty}),
		memoryRow(fmt.Sprintf("memory: check-dependencies on %d packs", s.usual), 8, 20, run{program: checkDependencies, input: manyRequiring}, run{program: empty}),
		sumRow(fmt.Sprintf("CPU: check-dependencies with a catalog of %d versions", catalogVersions), 2, run{program: checkDependencies, input: catalog}, run{program: checkDependencies, input: fewPacks}, run{program: parsePacks, input: catalogText}),
		cpuRow(fmt.Sprintf("CPU: check-dependencies on %d packs", s.usual), 1.5, run{program: checkDependencies, input: manyRequiring}, run{program: parsePacks, input: manyRequiringTexts}),
		cpuRow(fmt.Sprintf("CPU: validate-pack-values on %d packs", s.usual), 1.5, run{program: validatePackValues, input: manyPacks}, run{program: parsePacks, input: manyPackTexts}),
		cpuRow(fmt.Sprintf("CPU: check-resources on %d packs", s.usual), 1.5, run{program: checkResources, input: manyResources}, run{program: parsePacks, input: manyResourceTexts}),
		sizeRow("size: check-dependencies", 22, checkDependencies),
		cpuRow("start: select-implementations on 10 items", startBarOfSchema, run{program: selectImplementations, input: ten}, run{program: empty}),
		growthRow(fmt.Sprintf("growth: select-implementations, %d to %d Implementations", smallHub.items, hub.items), 1.2, selectImplementations, smallHub, hub, ten),
		sizeRow("size: select-implementations", 12, selectImplementations),
		sizeRow("size: apply-preset", 12, applyPreset),
		cpuRow("start: check-resources on 10 items", startBar, run{program: checkResources, input: ten}, run{program: empty}),
		cpuRow(fmt.Sprintf("CPU: check-resources on %d packs", s.packs), 2.5, run{program: checkResources, input: resources}, run{program: parsePacks, input: resourceTexts}),
		growthRow(fmt.Sprintf("growth: check-resources, %d to %d packs", s.packs/4, s.packs), 1.2, checkResources, fewResources, resources, ten),
		sizeRow("size: check-resources", 12, checkResources),
		cpuRow("start: inject-config on 10 items", startBar, run{program: injectConfig, input: ten}, run{program: empty}),
		sizeRow("size: inject-config", 12, injectConfig),
		sizeRow("size: expand-variant-set", 22, expandVariantSet),
		limitRow(fmt.Sprintf("limit: CPU of packfn fleet, %d variants", s.packs), 1.5, "s", run{program: previewFleet, input: fleet}),
		limitRow(fmt.Sprintf("limit: memory of packfn fleet, %d variants", s.packs), 1000, "MB", run{program: previewFleet, input: fleet}),
		limitRow(fmt.Sprintf("limit: memory of a tenth of packfn fleet, %d variants", s.usual), 200, "MB", run{program: previewShard, input: largeFleet}),
		limitRow(fmt.Sprintf("limit: CPU of packfn check, a catalog of %d bundles", s.bundles), 5, "s", run{program: checkCatalog, input: ofOLM}),
		limitRow(fmt.Sprintf("limit: memory of packfn check, a catalog of %d bundles", s.bundles), 200, "MB", run{program: checkCatalog, input: ofOLM}),
		growthRow(fmt.Sprintf("growth: packfn check, a catalog of %d to %d bundles", s.bundles/2, s.bundles), 1.2, checkCatalog, fewOfOLM, ofOLM, tenOfOLM),
		shareRow(fmt.Sprintf("sharing: packfn fleet of %d variants, kpt fn render of %d", s.packs, kptFleet.items), 0.0067, fleet, kptFleet),
		growthRow(fmt.Sprintf("growth: packfn fleet, %d to %d variants", s.packs/4, s.packs), 1.2, previewFleet, smallFleet, fleet, tenFleet),
		growthRow(fmt.Sprintf("growth: packfn upgrade, %d to %d edited keys", s.packs/2, 2*s.packs), 1.2, upgradePack, fewEdits, edits, tenEdits),
		doublingRow("growth: validate-pack-values, overrides of a pack", validatePackValues, overrideList, s.packs),
		doublingRow("growth: apply-preset, keys of a preset", applyPreset, addingList, s.packs),
		doublingRow("growth: validate-pack-values, values of a regex", validatePackValues, matchingList, 4*s.packs),
		doublingRow("growth: expand-variant-set, targets and Repositories", expandVariantSet, crossedList, s.packs),
		doublingRow("growth: check-resources, packs and pools", checkResources, poolList, s.packs/2),
		doublingRow("growth: check-dependencies, missing packs", checkDependencies, missingList, 2*s.packs),
		sizeRow("size: resolve-macros", 12, resolveMacros),
		sizeRow("size: validate-pack-values", 12, validatePackValues),
	})
}

// doublingRow compares the cost of an item at a size and at twice the size.
func doublingRow(name string, p program, write func(int) func(io.Writer) error, size int) row {
	in := func(n int) *input { return packInput(fmt.Sprintf("%s-%d", p.file(""), n), n, write) }
	return growthRow(fmt.Sprintf("%s, %d to %d", name, size, 2*size), 1.15, p, in(size), in(2*size), in(10))
}

// list is a list of ordinary resources.
func list(name string, items int, config string, write func(int, string) func(io.Writer) error) *input {
	return &input{name: name, items: items, write: write(items, config)}
}

// packInput is an input that is made of packs, or of variants.
func packInput(name string, packs int, write func(int) func(io.Writer) error) *input {
	return &input{name: name, items: packs, write: write(packs)}
}
