package helm

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"helm.sh/helm/v4/pkg/action"
	"helm.sh/helm/v4/pkg/chart/common"
	v2 "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	release "helm.sh/helm/v4/pkg/release/v1"
	"sigs.k8s.io/yaml"

	"github.com/krm-packs/functions/pkg/packfn/helm/engine"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/deploy"
	"github.com/krm-packs/functions/pkg/packfn/internal/helm"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/transfer"
)

const kubernetes = "1.33.2"

// helmTemplate is what `helm template --include-crds` prints, with the hooks.
func helmTemplate(c *v2.Chart, given map[string]any, name, namespace string) (string, error) {
	version, err := common.ParseKubeVersion(kubernetes)
	if err != nil {
		return "", err
	}
	i := action.NewInstall(action.NewConfiguration())
	i.DryRunStrategy, i.ReleaseName, i.Namespace, i.Replace, i.IncludeCRDs = action.DryRunClient, name, namespace, true, true
	i.KubeVersion, i.SkipSchemaValidation, i.DisableOpenAPIValidation = version, true, true
	result, err := i.Run(c, given)
	if err != nil {
		return "", err
	}
	rel := result.(*release.Release)
	text := rel.Manifest
	for _, hook := range rel.Hooks {
		text += fmt.Sprintf(`---
# Source: %s
%s
`, hook.Path, hook.Manifest)
	}
	return text, nil
}

// documents splits what Helm prints.
func documents(text string) []string {
	var all []string
	for _, part := range strings.Split("\n"+text, "\n---\n# Source: ")[1:] {
		source, text, _ := strings.Cut(part, "\n")
		all = append(all, source+"\n"+strings.TrimSpace(text))
	}
	return all
}

// packs are pack directories: those of public packs, and those of the documents.
func packs(t *testing.T) []string {
	t.Helper()
	dirs, err := filepath.Glob("../../docs/packs/*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no packs in docs: %v", err)
	}
	root := os.Getenv("PACK_CORPUS")
	if root == "" {
		t.Log("PACK_CORPUS is not set: without public packs")
		return dirs
	}
	public, err := filepath.Glob(filepath.Join(root, "packs/*"))
	if err != nil {
		t.Fatal(err)
	}
	return append(dirs, public...)
}

// render is what packfn renders of a pack directory.
func render(t *testing.T, d *deploy.Deployer, dir string) (*deploy.Rendered, bool) {
	t.Helper()
	read, err := packdir.Read(dir)
	if err != nil {
		t.Logf("%s: %v", dir, err)
		return nil, false
	}
	p, _, err := transfer.Load(read.Item().Text(), "pack.json")
	if err != nil {
		t.Logf("%s: %v", dir, err)
		return nil, false
	}
	out, err := d.Render(p, dir, deploy.Cluster{})
	if err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	return out, true
}

// packfn template prints what Helm does, and reports what Helm refuses, for each chart of
// each pack with the pack's values.
func TestTemplate(t *testing.T) {
	common.DefaultCapabilities.APIVersions = engine.APIVersions(helm.APIs(kubernetes))
	d := &deploy.Deployer{Renderer: &helm.Renderer{Timeout: 10 * time.Minute}, Charts: &chart.Run{}, Cluster: deploy.Cluster{Kubernetes: kubernetes}}
	defer d.Renderer.Close()
	compared, random, failed := 0, 0, 0
	for _, dir := range packs(t) {
		var metadata struct{ Charts []string }
		var given struct {
			Pack struct {
				Namespace           string
				ReleaseNameOverride map[string]string
			}
			Charts map[string]map[string]any
		}
		text, err := os.ReadFile(filepath.Join(dir, "pack.json"))
		if err == nil {
			err = yaml.Unmarshal(text, &metadata)
		}
		if err == nil {
			if text, err = os.ReadFile(filepath.Join(dir, "values.yaml")); err == nil {
				err = yaml.Unmarshal(text, &given)
			}
		}
		if err != nil {
			t.Logf("%s: %v", dir, err)
			continue
		}
		out, ok := render(t, d, dir)
		if !ok {
			continue
		}
		var got, failures []string
		for _, m := range out.Manifests {
			got = append(got, m.Source+"\n"+strings.TrimSpace(m.Text))
		}
		for i := range out.Findings {
			failures = append(failures, out.Findings[i].Message())
		}
		var want, again []string
		var refused []error
		for _, name := range metadata.Charts {
			run := func() ([]string, error) {
				c, err := loader.Load(filepath.Join(dir, name))
				if err != nil {
					return nil, err
				}
				key := c.Name()
				if given.Charts[key] == nil { // pack/chart-name
					for _, other := range []string{filepath.Base(strings.TrimSuffix(name, ".tgz")), strings.TrimSuffix(filepath.Base(name), "-"+c.Metadata.Version+".tgz")} {
						if given.Charts[other] != nil {
							key = other
						}
					}
				}
				own, err := yaml.Marshal(given.Charts[key])
				if err != nil {
					return nil, err
				}
				values, err := loader.LoadValues(bytes.NewReader(own)) // Helm changes them
				if err != nil {
					return nil, err
				}
				release, namespace := c.Name(), "default"
				if override := given.Pack.ReleaseNameOverride[key]; override != "" {
					release = override
				}
				if given.Pack.Namespace != "" {
					namespace = given.Pack.Namespace
				}
				text, err := helmTemplate(c, values, release, namespace)
				return documents(text), err
			}
			first, err := run()
			if os.IsNotExist(err) {
				continue // too large for the corpus
			}
			second, _ := run()
			if err != nil {
				refused = append(refused, err)
			}
			want, again = append(want, first...), append(again, second...)
		}
		if (len(refused) > 0) != hasFailure(out) {
			t.Errorf("%s: Helm says %v, packfn %q", dir, refused, failures)
			continue
		}
		if len(refused) > 0 {
			failed++
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d documents; Helm has %d", dir, len(got), len(want))
			continue
		}
		for i := range want {
			switch {
			case got[i] == want[i]:
				compared++
			case want[i] != again[i]:
				random++
			default:
				t.Errorf("%s: got\n%s\nHelm has\n%s", dir, got[i], want[i])
			}
		}
	}
	t.Logf("%d documents are equal, %d are random in Helm, %d packs fail", compared, random, failed)
	if compared == 0 {
		t.Error("nothing was compared")
	}
}

func hasFailure(r *deploy.Rendered) bool {
	for _, f := range r.Findings {
		if f.Rule.ID == "values/chart-fails" || f.Rule.ID == "values/chart-version" {
			return true
		}
	}
	return false
}
