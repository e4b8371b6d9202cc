package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"
)

// blockList is a ResourceList of ordinary resources in the block style of kpt,
// with a functionConfig after the items.
func blockList(items int, config string) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		fmt.Fprint(out, `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
`)
		for n := range items {
			if err := writeItem(out, n); err != nil {
				return err
			}
		}
		fmt.Fprint(out, config)
		return out.Flush()
	}
}

// jsonList is the same list as JSON, which is flow style to the text reader.
// It is written item by item, so that this program stays small.
func jsonList(items int, config string) func(io.Writer) error {
	return flowStyle(items, config, `{"apiVersion":`)
}

// flowList is the same list again, with a key that JSON does not know: only a
// YAML parser can read it.
func flowList(items int, config string) func(io.Writer) error {
	return flowStyle(items, config, `{apiVersion: `)
}

func flowStyle(items int, config, begin string) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		fmt.Fprint(out, begin, `"config.kubernetes.io/v1","kind":"ResourceList","items":[`)
		for n := range items {
			var block bytes.Buffer
			if err := writeItem(&block, n); err != nil {
				return err
			}
			var item []any
			if err := writeJSON(out, block.Bytes(), &item, func() any { return item[0] }); err != nil {
				return err
			}
			if n < items-1 {
				fmt.Fprint(out, ",")
			}
		}
		fmt.Fprint(out, "]")
		var outside map[string]any
		if config != "" {
			fmt.Fprint(out, `,"functionConfig":`)
			if err := writeJSON(out, []byte(config), &outside, func() any { return outside["functionConfig"] }); err != nil {
				return err
			}
		}
		fmt.Fprint(out, "}\n")
		return out.Flush()
	}
}

// writeJSON writes a part of a YAML text as JSON: text is decoded into into,
// and part then returns the part.
func writeJSON(w io.Writer, text []byte, into any, part func() any) error {
	if err := yaml.Unmarshal(text, into); err != nil {
		return err
	}
	encoded, err := json.Marshal(part())
	if err == nil {
		_, err = w.Write(encoded)
	}
	return err
}

// The configurations of validate-pack-values for these lists, in which no item
// is a pack. Without one it wants none of them.
const (
	noConfig    = ""
	thirdConfig = `functionConfig:
  apiVersion: fn.kpt.dev/v1alpha1
  kind: ValidatePackValues
  metadata:
    name: third
  spec:
    targets:
    - selector:
        kind: ` + third + `
      path: spec
      schema:
        replicas:
          schema: '{{ required | format "${number:[1-9]}" }}'
        template.spec.containers.$[].image:
          schema: '{{ required | format "${string}/${string}:${version}" }}'
        template.spec.containers.$[].resources.requests.memory:
          schema: '{{ required | format "${string:/^[0-9]+Mi$/}" }}'
`
	allConfig = `functionConfig:
  apiVersion: fn.kpt.dev/v1alpha1
  kind: ValidatePackValues
  metadata:
    name: all
  spec:
    targets:
    - selector:
        labelSelector: app.kubernetes.io/part-of=shop
      path: metadata
      schema:
        name:
          schema: '{{ required | format "${string:/^[a-z0-9-]+$/}" }}'
        namespace:
          schema: '{{ required | format "${string:/^team-/}" }}'
        labels.app.kubernetes.io/part-of:
          schema: '{{ required | format "${list:[shop,office]}" }}'
`
)
