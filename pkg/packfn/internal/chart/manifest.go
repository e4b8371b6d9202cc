package chart

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Manifest is an entry of kubeManifests of a pack. If the values of the pack contain
// `manifests.KEY`, the manifest is a template that reads these values. Otherwise it is used as it
// is.
type Manifest struct {
	// Path is the path of the manifest in the directory of the pack, as written in pack.json. Key
	// is the key of its values.
	Path, Key string
	// Text is the content of the file.
	Text []byte
	// Fault is the reason why the manifest cannot be read, or nil.
	Fault *diag.Finding
}

// ManifestFile is the path of a manifest in the chart that Files returns.
const ManifestFile = templates + "manifest.yaml"

// Values returns the values of the manifest, given the values of its pack. It returns false if
// the values do not contain its key, because the manifest is not a template then:
//
//	manifests:
//	  issuer:
//	    email: ops@example.com
func (m *Manifest) Values(root *yaml.Node) (n *yaml.Node, isTemplate bool) {
	for _, pair := range values.Pairs(values.Field(root, "manifests")) {
		if name, ok := pair.Name(); ok && name == m.Key {
			return pair.Value, true
		}
	}
	return nil, false
}

// Files returns the files of a chart with a single template that renders the manifest.
func (m *Manifest) Files(isTemplate bool) map[string][]byte {
	text := m.Text
	if !isTemplate {
		text = []byte("{{`" + strings.ReplaceAll(string(text), "`", "`}}{{\"`\"}}{{`") + "`}}")
	}
	return map[string][]byte{chartFile: []byte("apiVersion: v2\nname: manifest\nversion: 0.0.0\n"), ManifestFile: text}
}

// Asks returns the path of the value that the manifest reads where Helm's engine fails with a
// message, relative to its values. It returns nil if the path is unknown.
func (m *Manifest) Asks(message string) []string {
	return (&Chart{files: m.Files(true)}).Locate(message).Key
}

// reads returns the values that the manifest reads as a template. All values count as read if it
// runs any of them as templates.
func (m *Manifest) reads(steps *int) *facts.Tree {
	read := (&Chart{files: m.Files(true)}).facts(steps)
	if len(read.TPL) > 0 {
		return &facts.Tree{Whole: true}
	}
	if global := read.Reads.Keys["global"]; global != nil && global.Leaf { // only charts have global; the manifest does not read it
		delete(read.Reads.Keys, "global")
	}
	return read.Reads
}

var errManifests = fmt.Errorf("the manifests before it are too large together: at most %d MiB and %d files are read", maxBytes>>20, maxFiles)

// readManifests reads the manifests that pack.json names.
func (k *reader) readManifests(in *folder.Folder, metadata *values.Document) {
	size := 0
	for i, entry := range values.Elements(values.Field(metadata.Root(), "kubeManifests")) {
		name := values.Text(entry)
		m := Manifest{Path: name, Key: strings.TrimSuffix(path.Base(name), path.Ext(name))}
		err := errManifests
		if i < maxFiles && size <= maxBytes {
			m.Text, err = in.ReadText(filepath.FromSlash(name))
			size += len(m.Text)
		}
		if is := outside(name, err); is != nil {
			err = is
		}
		if err != nil {
			said := diag.Say("the manifest %s cannot be read: %s", name, diag.OneLine(err.Error()))
			if errors.Is(err, fs.ErrNotExist) {
				said = diag.Say("the manifest %s is not in the directory of the pack", name)
			}
			said = said.Do("add the file, or correct its name").In(metadata.Origin(), "kubeManifests", values.At(entry)).Of(rule.PackMissingFile).For(k.pack.Name)
			m.Fault = &said
		} else {
			k.digests[name] = fmt.Sprintf("%x", sha256.Sum256(m.Text))
		}
		k.manifests = append(k.manifests, m)
	}
}

// manifestFacts returns the values that the manifests read, by key. It leaves out manifests for
// which they are unknown.
func (k *reader) manifestFacts() map[string]*facts.Tree {
	all, isUnknown := map[string]*facts.Tree{}, map[string]bool{}
	b, steps := budget{}, 0
	for i := range k.manifests {
		m := &k.manifests[i]
		if bytes.Contains(m.Text, []byte(".manifests.")) { // a macro that may read the values of any manifest
			return nil
		}
		if m.Fault != nil || all[m.Key] != nil || b.parse(ManifestFile, string(m.Text)) != nil { // two manifests may share a key
			isUnknown[m.Key] = true
		}
		if !isUnknown[m.Key] {
			all[m.Key] = m.reads(&steps)
		}
	}
	maps.DeleteFunc(all, func(key string, _ *facts.Tree) bool { return isUnknown[key] })
	return all
}
