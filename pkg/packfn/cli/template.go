package cli

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"
	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/child"
	"github.com/krm-packs/functions/pkg/packfn/internal/deploy"
	"github.com/krm-packs/functions/pkg/packfn/internal/helm"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/rule"
)

// templating are the flags of commands that render charts.
type templating struct {
	// kubernetes is the version of the cluster, apis are API versions in addition to those of the
	// version, and timeout limits each chart.
	kubernetes string
	apis       []string
	timeout    time.Duration
}

// flags adds the flags of all commands that render charts.
func (t *templating) flags(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&t.kubernetes, "kube-version", "", "the Kubernetes version of the cluster, in place of that of the ClusterContext")
	listFlag(flags, &t.apis, "api-versions", "an API version that the cluster has in addition, cert-manager.io/v1 or cert-manager.io/v1/Certificate")
	flags.DurationVar(&t.timeout, "timeout", helm.DefaultTimeout, "end the rendering of a chart after this time")
}

// cluster returns the facts about the cluster in the flags.
func (t *templating) cluster() (cluster deploy.Cluster, err error) {
	if t.kubernetes != "" {
		if _, err := semver.NewVersion(t.kubernetes); err != nil {
			return cluster, fmt.Errorf("--kube-version: must be a version like 1.33.2, got %q", t.kubernetes)
		}
	}
	return deploy.Cluster{Kubernetes: t.kubernetes, APIs: t.apis}, nil
}

// deployer returns what renders charts. The caller closes its renderer.
func (c *commands) deployer(t *templating) (*deploy.Deployer, error) {
	cluster, err := t.cluster()
	if err != nil {
		return nil, err
	}
	if t.timeout <= 0 {
		return nil, fmt.Errorf("--timeout: must be a time like 10s, got %s", t.timeout)
	}
	return &deploy.Deployer{
		Renderer: &helm.Renderer{Process: child.Process{Program: c.program.Self}, Timeout: t.timeout},
		Cluster:  cluster,
	}, nil
}

// deployment is one run over what packs deploy.
type deployment struct {
	templating
	options check.Options
	// source are the values of --source.
	source []string
	// exec are the flags for programs of other suites.
	exec execFlags
}

// flags adds the flags of all commands that print what packs deploy.
func (d *deployment) flags(command *cobra.Command) {
	d.templating.flags(command)
	listFlag(command.Flags(), &d.options.Packs, "pack", "only the packs of these names")
	listFlag(command.Flags(), &d.options.Charts, "charts", "a folder with the charts of packs in packages, and of Helm releases")
	command.Flags().StringArrayVar(&d.source, "source", nil, "look in this folder for the charts of packs in packages, and of Helm releases")
	d.exec.flags(command)
}

// configureSources takes the sources of the configuration, unless a flag names others.
func (c *commands) configureSources(command *cobra.Command, d *deployment) error {
	file, err := c.noted()
	if err != nil {
		return err
	}
	found, err := c.sources(command, d.source, file)
	if err != nil {
		return err
	}
	if d.options.Programs, err = d.exec.set(command.Context(), file); err != nil {
		return err
	}
	return give(found, &d.options)
}

// deploy renders the packs that paths name. What is left out is on standard error, and then
// the error is errFindings.
func (c *commands) deploy(d *deployment, paths []string, take func(*deploy.Rendered)) error {
	deployer, err := c.deployer(&d.templating)
	if err != nil {
		return err
	}
	defer deployer.Renderer.Close()
	options := d.options
	options.Template = deployer
	if options.Root, err = report.Root(); err != nil {
		return err
	}
	options.Progress = c.bar.Set
	var macros []string
	hasPack := false
	r, err := check.Deploy(paths, options, func(one *deploy.Rendered) {
		hasPack = true
		if one.Macros > 0 {
			macros = append(macros, fmt.Sprintf("%s: %s with a macro, rendered as written; a package with resolve-macros in its pipeline has the value", one.Pack.Name, diag.Count(one.Macros, "value")))
		}
		take(one)
	})
	if err != nil {
		return err
	}
	c.noteAll(macros)
	if !hasPack && len(r.Findings) == 0 {
		return fmt.Errorf("%s: no pack and no release is here. Give packages with packs or releases, or pack directories", strings.Join(paths, " "))
	}
	if len(r.Findings) == 0 {
		return nil
	}
	if err := r.Write(c.notes, report.Table); err != nil {
		return err
	}
	if slices.ContainsFunc(r.Findings, func(f report.Finding) bool { return f.Rule != rule.PackImages.ID }) {
		return errFindings
	}
	return nil // nothing is left out
}

func (c *commands) templateCommand() *cobra.Command {
	d := deployment{options: c.checks()}
	var to string
	command := &cobra.Command{
		Use:     "template PACKAGE|PACK-DIR…",
		Short:   "Print what packs and Helm releases deploy: their charts, rendered by Helm's engine, and their manifests",
		GroupID: "packages",
		Long: `Template renders the charts of packs with Helm's engine and the effective values: the
mutators of the package's pipelines have run (presets, macros), and the overrides are
merged. The manifests of packs follow, each with its values below manifests.NAME. Charts are
in pack directories; for a package, --charts names these, or --source folders with them.
The charts of Helm releases (HelmRelease, Application, helmCharts) follow, with the values
that are in git.

The version of the cluster is --kube-version, else that of the ClusterContext. Nothing is
asked of a cluster or of a server: lookup returns nothing, there is one time, and random
texts, keys and certificates are the same always. Do not deploy them.

A chart that fails is left out, and standard error says why. Charts are rendered in another
process, which can use 1 GiB of memory and --timeout; all charts and manifests of a pack have
three times that time.`,
		Example: "  packfn template platform --charts packs/ | kubeconform -",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error {
			if err := c.configureSources(cmd, &d); err != nil {
				return err
			}
			texts := map[string]*bytes.Buffer{} // by their files; all in one without --to
			failure := c.deploy(&d, paths, func(one *deploy.Rendered) {
				for _, m := range one.Manifests {
					source, file := path.Join(one.Folder(), m.Source), ""
					if to != "" {
						file = filepath.FromSlash(source)
					}
					if texts[file] == nil {
						texts[file] = &bytes.Buffer{}
					}
					fmt.Fprintf(texts[file], "---\n# Source: %s\n%s", diag.OneLine(source), strings.TrimPrefix(m.Text, "---\n"))
				}
			})
			if failure != nil && failure != errFindings {
				return failure
			}
			if to != "" {
				var files []staging.Change
				for _, name := range slices.Sorted(maps.Keys(texts)) {
					files = append(files, staging.Change{Path: name, Text: texts[name].Bytes()})
				}
				if err := c.area.WriteTree(cmd.Context(), to, files); err != nil {
					return fmt.Errorf("--to: %w", err)
				}
				c.note("%s: %s", to, diag.Count(len(files), "file"))
				return failure
			}
			if text := texts[""]; text != nil && c.terminal { // which obeys some characters
				io.WriteString(c.out, diag.ShownLines(text.String()))
			} else if text != nil {
				text.WriteTo(c.out)
			}
			return failure
		},
	}
	d.flags(command)
	c.completePacks(command, "pack")
	command.Flags().StringVar(&to, "to", "", "write each manifest to a file below this folder, which must be absent or empty")
	return command
}

func (c *commands) imagesCommand() *cobra.Command {
	d := deployment{options: c.checks()}
	var format string
	formats := []string{"lines", "json"}
	command := &cobra.Command{
		Use:     "images PACKAGE|PACK-DIR…",
		Short:   "List the images that packs and Helm releases deploy",
		GroupID: "packages",
		Long: `Images lists the images in what packfn template prints, one for each line with the pack and
the workload: what an installation without a connection needs. Among them are images that
programs get as RELATED_IMAGE_NAME or --NAME-image=IMAGE, and those of custom resources. Standard
error names images that are not valid. The exit code is 1 if a chart is left out.`,
		Example: "  packfn images packs/vault-0.6.0 --format json",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error {
			if !slices.Contains(formats, format) {
				return wrongValue("format", format, []string{"lines", "json"})
			}
			if err := c.configureSources(cmd, &d); err != nil {
				return err
			}
			all := []deploy.Image{}
			failure := c.deploy(&d, paths, func(one *deploy.Rendered) { all = append(all, one.Images()...) })
			if failure != nil && failure != errFindings {
				return failure
			}
			if format == "json" {
				report.WriteJSON(c.out, all)
				return failure
			}
			var rows [][]string
			isShown := map[[3]string]bool{}
			for i := range all {
				row := [3]string{cell(all[i].Image), cell(all[i].Pack), cell(all[i].Workload())}
				if !isShown[row] {
					isShown[row], rows = true, append(rows, row[:])
				}
			}
			c.table(nil, rows)
			return failure
		},
	}
	d.flags(command)
	c.completePacks(command, "pack")
	command.Flags().StringVar(&format, "format", "lines", "lines or json")
	command.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
	return command
}
