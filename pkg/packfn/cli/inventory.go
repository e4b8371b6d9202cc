package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/inventory"
	"github.com/krm-packs/functions/pkg/packfn/internal/registry"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/shown"
	"github.com/krm-packs/functions/pkg/preset"
)

// packs reads the packs below the paths, or below the working directory if there are no paths.
func (c *commands) packs(paths []string) ([]check.Pack, *check.Options, error) {
	options := c.checks()
	var err error
	if options.Root, err = report.Root(); err != nil {
		return nil, nil, err
	}
	file, err := c.noted()
	if err != nil {
		return nil, nil, err
	}
	if options.Excluded, err = file.Excluded(); err != nil {
		return nil, nil, err
	}
	paths = orHere(paths)
	packs, err := check.Packs(paths, options)
	if err == nil && len(packs) == 0 {
		err = fmt.Errorf("%s has no packs", strings.Join(paths, " "))
	}
	return packs, &options, err
}

// packNamed returns the only pack of a name, which may be in several sets.
func (c *commands) packNamed(name string, paths []string) (*check.Pack, *check.Options, error) {
	packs, options, err := c.packs(paths)
	if err != nil {
		return nil, nil, err
	}
	var found *check.Pack
	var places []string
	for i := range packs {
		if p := &packs[i]; p.Name == name {
			place := p.Place(options, p.Metadata.Origin, "", diag.Position{})
			if !slices.Contains(places, place) {
				places = append(places, place)
			}
			if found == nil {
				found = p
			}
		}
	}
	if info, err := os.Stat(name); found == nil && err == nil && info.IsDir() {
		return nil, nil, fmt.Errorf("no pack named %q: PACK is the name in pack.json, and the path comes after it", name)
	}
	if found == nil {
		return nil, nil, noPack(name, packs)
	}
	if len(places) > 1 {
		return nil, nil, fmt.Errorf("%d packs are named %q: %s; name the path of one", len(places), name, diag.AllOf(places))
	}
	return found, options, nil
}

// noPack is the error about a name that no pack has.
func noPack(name string, packs []check.Pack) error {
	names := packNames(packs)
	if hint := nearest.Hint(name, names); hint != "" {
		return fmt.Errorf("no pack named %q%s", name, hint)
	}
	return fmt.Errorf("no pack named %q. Available: %s", name, diag.Names(name, names))
}

// listPacks returns a command that prints a table with rows for each pack.
func (c *commands) listPacks(name, short string, head []string, rows func(*check.Pack, *check.Options) ([][]string, error)) *cobra.Command {
	return &cobra.Command{
		Use:   name + " [PATH…]",
		Short: short,
		RunE: func(_ *cobra.Command, paths []string) error {
			packs, options, err := c.packs(paths)
			if err != nil {
				return err
			}
			var all [][]string
			for i := range packs {
				some, err := rows(&packs[i], options)
				if err != nil {
					return err
				}
				all = append(all, some...)
			}
			c.table(head, all)
			c.noteMasked(slices.ContainsFunc(all, func(row []string) bool { return slices.Contains(row, shown.Hidden) }))
			return nil
		},
	}
}

// listInventory returns the commands below list that read packs: values, packs, presets and macros.
func (c *commands) listInventory() []*cobra.Command {
	var show bool
	values := c.listPacks("values", "List the values of packs: default, accepted, hints, presets that set them", []string{"PACK", "KEY", "DEFAULT", "ACCEPTED", "PRESETS", "HINTS"},
		func(p *check.Pack, _ *check.Options) ([][]string, error) { return valueRows(p, c.audience(show)) })
	showValues(values, &show)
	packs := c.listPacks("packs", "List the packs: name, version, layer and place; oci://HOST/BASE lists those of a registry", []string{"PACK", "VERSION", "LAYER", "PRESETS", "OVERRIDES", "FILE"}, packRow)
	local, isOutdated, given := packs.RunE, false, []string(nil)
	packs.Flags().BoolVar(&isOutdated, "outdated", false, "list only packs for which a source has a newer version, with the newest one that all requirements allow")
	packs.Flags().StringArrayVar(&given, "source", nil, "with --outdated: a folder with pack directories, or a registry oci://HOST/BASE")
	packs.RunE = func(cmd *cobra.Command, paths []string) error {
		if isOutdated {
			return c.listOutdated(cmd, paths, given)
		}
		if cmd.Flags().Changed("source") {
			return errors.New("--source is only for --outdated")
		}
		if len(paths) == 1 && registry.Is(paths[0]) {
			return c.printRegistry(cmd.Context(), paths[0])
		}
		return local(cmd, paths)
	}
	return []*cobra.Command{
		packs,
		c.listPacks("presets", "List the presets of packs, and which are applied", []string{"PACK", "PRESET", "APPLIED", "DISPLAY NAME", "FILE"}, presetRows),
		values,
		c.listPacks("macros", "List the macros in values of packs", []string{"PACK", "KEY", "READS", "FILE"}, macroRows),
	}
}

// packRow returns the row of a pack in a list: its name, version and layer, how many presets and
// overrides it has, and its place.
//
//	PACK  VERSION  LAYER  PRESETS  OVERRIDES  FILE
//	shop  1.0.0    addon  1        1          p/shop.yaml:6:3
func packRow(p *check.Pack, options *check.Options) ([][]string, error) {
	presets, _ := p.ReadPresets()
	return [][]string{{p.Name, cell(p.Version), cell(p.Layer), fmt.Sprint(len(presets)), fmt.Sprint(len(p.Overrides)), p.Place(options, p.Metadata.Origin, "", diag.Position{})}}, nil
}

// presetRows returns a row for each preset of a pack, with whether the layers record it as applied.
//
//	PACK  PRESET   APPLIED  DISPLAY NAME       FILE
//	shop  size:ha  -        High availability  p/shop.yaml:30:7
func presetRows(p *check.Pack, options *check.Options) ([][]string, error) {
	presets, findings := p.ReadPresets()
	if len(findings) > 0 {
		return nil, fmt.Errorf("%s: %s", p.Place(options, findings[0].Origin, findings[0].Key, findings[0].Position), findings[0].Message())
	}
	applied := map[string]bool{}
	for _, layer := range p.Layers() {
		record, _ := preset.ParseRecord(layer.Annotation(preset.RecordAnnotation))
		for _, name := range record.Names() {
			applied[name] = true
		}
	}
	var rows [][]string
	for _, one := range presets {
		mark := ""
		if applied[preset.FullName(one)] {
			mark = "yes"
		}
		rows = append(rows, []string{p.Name, preset.FullName(one), cell(mark), cell(one.DisplayName), p.Place(options, p.Presets.Origin, "", one.Position)})
	}
	return rows, nil
}

// showValues adds the flag that shows what may be a secret.
func showValues(command *cobra.Command, show *bool) {
	command.Flags().BoolVar(show, "show-values", false, "do not mask values, which may be secrets")
}

// valueRows returns a row for each value of a pack. A value that the audience must not see is masked.
//
//	PACK  KEY              DEFAULT  ACCEPTED                        PRESETS  HINTS
//	shop  server.replicas  1        required, a number from 1 to 5  size:ha  how many
//	shop  token            •••      a string                        -
func valueRows(p *check.Pack, audience diag.Audience) ([][]string, error) {
	all, err := inventory.Values(p.Pack)
	if err != nil {
		return nil, err
	}
	entries, err := inventory.EntriesOf(p.Pack)
	if err != nil {
		return nil, err
	}
	var rows [][]string
	for _, v := range all {
		hints := ""
		if v.Entry != nil {
			hints = strings.Join(v.Entry.Template.Hints, "; ")
		}
		rows = append(rows, []string{p.Name, v.Key, entries.Show(v.Key, v.Node, audience), cell(inventory.Accepted(v.Entry)), cell(strings.Join(v.Presets, ", ")), hints})
	}
	return rows, nil
}

// macroRows returns a row for each macro in the values of a pack: the key, the names that it reads,
// and its place.
//
//	PACK  KEY   READS              FILE
//	shop  host  .spectro.var.HOST  p/shop.yaml:17:11
func macroRows(p *check.Pack, options *check.Options) ([][]string, error) {
	all, err := inventory.Macros(p.Pack)
	if err != nil {
		return nil, err
	}
	var rows [][]string
	for _, m := range all {
		rows = append(rows, []string{p.Name, m.Key, strings.Join(m.Names, ", "), p.Place(options, m.Source.Origin, m.Key, m.Position)})
	}
	return rows, nil
}

// cell returns the text of a cell of a table, a dash for an empty one.
func cell(text string) string { return cmp.Or(diag.OneLine(text), "-") }

func (c *commands) whyCommand() *cobra.Command {
	var show bool
	command := &cobra.Command{
		Use:               "why PACK KEY [PATH…]",
		Short:             "Say where a value of a pack comes from, and what reads it",
		GroupID:           "packages",
		Example:           "  packfn why vault server.replicas platform",
		ValidArgsFunction: c.completePack(true),
		Args:              cobra.MinimumNArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			packs, options, err := c.packs(args[2:])
			if err != nil {
				return err
			}
			found := false
			for i := range packs {
				p := &packs[i]
				if p.Name != args[0] {
					continue
				}
				if found {
					fmt.Fprintln(c.out)
				}
				found = true
				if err := c.why(p, args[1], options, c.audience(show)); err != nil {
					return err
				}
			}
			if !found {
				return noPack(args[0], packs)
			}
			return nil
		},
	}
	showValues(command, &show)
	return command
}

// why prints the layers of a value, the presets and macros that change it, and what reads it.
//
//	shop 1.0.0: server.replicas = 5
//
//	layers (a later one overrides an earlier one):
//	  p/shop.yaml:14:17  ConfigMap shop   1
//	  p/prod.yaml:10:17  PackValues prod  5  used
//	preset: size:ha sets it (p/shop.yaml:30:7)
//	read by: validate-pack-values
func (c *commands) why(p *check.Pack, key string, options *check.Options, audience diag.Audience) error {
	why, err := inventory.Why(p.Pack, key)
	if err != nil {
		return err
	}
	c.say("%s %s: %s = %s", p.Name, p.Version, key, why.Show(why.Effective, audience))
	fmt.Fprint(c.out, "\nlayers (a later one overrides an earlier one):\n")
	var rows [][]string
	for _, layer := range why.Layers {
		mark := ""
		if layer.Counts {
			mark = "used"
		}
		origin := layer.Source.Origin
		at := key
		if layer.Node == nil {
			at = ""
		}
		rows = append(rows, []string{"  " + p.Place(options, origin, at, layer.Position), origin.Resource.String(), why.Show(layer.Node, audience), mark})
	}
	c.table(nil, rows)
	for _, one := range why.Presets {
		applied := ""
		if slices.Contains(why.Applied, preset.FullName(one)) {
			applied = ", applied"
		}
		c.say("preset: %s sets it%s (%s)", preset.FullName(one), applied, p.Place(options, p.Presets.Origin, "", one.Position))
	}
	for _, m := range why.Macros {
		how := "reads"
		if m.IsKept {
			how = "from"
		}
		c.say("macro: %s %s (%s)", how, diag.AllOf(m.Names), p.Place(options, m.Source.Origin, m.Key, m.Position))
	}
	if why.Entry != nil {
		c.say("schema: %s (%s)", cmp.Or(inventory.Accepted(why.Entry), "any value"), p.Place(options, p.Schema.Origin, why.Entry.Key, why.Entry.Position))
		for _, hint := range why.Entry.Template.Hints {
			c.say("hint: %s", diag.OneLine(hint))
		}
		fmt.Fprintln(c.out, "read by: validate-pack-values")
	}
	for _, reader := range why.Readers {
		c.say("read by: check-resources, %s (%s)", reader.Key, p.Place(options, p.Metadata.Origin, reader.Key, reader.Position))
	}
	c.noteMasked(slices.ContainsFunc(rows, func(row []string) bool { return slices.Contains(row, shown.Hidden) }))
	return nil
}
