package program

import (
	"fmt"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// AddFunctionConfigs adds the programs of a file with FunctionConfigs of Porch. programs is the folder where
// relative paths begin. A goExecutor runs in Porch itself: here it is the program of its id there.
//
//	apiVersion: config.porch.kpt.dev/v1alpha1
//	kind: FunctionConfig
//	metadata: {name: set-namespace}
//	spec:
//	  image: set-namespace
//	  prefixes: [ghcr.io/kptdev/krm-functions-catalog]
//	  binaryExecutor: {path: set-namespace, tags: [v0.4.1]}
func (s *Set) AddFunctionConfigs(file, programs string) error {
	text, err := folder.ReadText(file)
	if err != nil {
		return err
	}
	found := false
	for _, item := range list.Flat(text, file, nil) {
		if item.Kind() != "FunctionConfig" || !strings.HasPrefix(item.APIVersion(), "config.porch.kpt.dev/") {
			continue
		}
		found = true
		document, err := item.Document()
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if err := s.addFunctionConfig(values.Field(document.Root(), "spec"), item.Name(), programs, fmt.Sprintf("%s: FunctionConfig %s", file, item.Name())); err != nil {
			return err
		}
	}
	if !found {
		return fmt.Errorf("%s: no FunctionConfig of Porch is here", file)
	}
	return nil
}

// addFunctionConfig reads the functionConfig that stands for an image, as kpt's catalog writes it.
func (s *Set) addFunctionConfig(spec *yaml.Node, name, programs, from string) error {
	texts := func(n *yaml.Node) (all []string) {
		if n != nil && n.Kind == yaml.SequenceNode {
			for _, child := range n.Content {
				all = append(all, values.Text(child))
			}
		}
		return all
	}
	image := values.Text(values.Field(spec, "image"))
	if image == "" {
		image = name
	}
	images := []string{image}
	if prefixes := texts(values.Field(spec, "prefixes")); len(prefixes) > 0 {
		images = nil
		for _, prefix := range prefixes {
			images = append(images, strings.TrimPrefix(strings.TrimSuffix(prefix, "/")+"/"+image, "/"))
		}
	}
	for _, executor := range []struct{ key, program string }{{"binaryExecutor", "path"}, {"goExecutor", "id"}} {
		of := values.Field(spec, executor.key)
		command := values.Text(values.Field(of, executor.program))
		if command == "" {
			continue
		}
		if !filepath.IsAbs(command) {
			command = "./" + command
		}
		tags := texts(values.Field(of, "tags"))
		if len(tags) == 0 {
			tags = []string{""}
		}
		for _, image := range images {
			for _, tag := range tags {
				if tag != "" {
					tag = ":" + tag
				}
				if err := s.add(image+tag, command, programs, from, rankFunctionConfig); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return nil
}
