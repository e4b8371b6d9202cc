package main

import (
	"bufio"
	"fmt"
	"io"
)

// What the generated bundles hold: properties that CEL looks at, constraints,
// and how many rules there are among all bundles. One constraint in three is a
// rule.
const (
	bundleProperties  = 100
	bundleConstraints = 5
	distinctRules     = 50
)

// bundleList is a ResourceList of bundles, each in a ConfigMap.
func bundleList(bundles int) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		fmt.Fprint(out, `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
`)
		for n := range bundles {
			fmt.Fprintf(out, bundleHead, n)
			for i := range bundleProperties {
				name, level := bundleFeature(n, i, bundles)
				fmt.Fprintf(out, "      - {type: feature, value: {name: %s, level: %d}}\n", name, level)
			}
			for i := range bundleConstraints {
				fmt.Fprint(out, `      - type: olm.constraint
        value:
          failureMessage: needs another
`)
				switch which := n*bundleConstraints + i; which % 3 {
				case 0:
					fmt.Fprintf(out, `          cel:
            rule: '%s'
`, bundleRule(which/3%distinctRules))
				case 1:
					fmt.Fprintf(out, `          package:
            packageName: operator-%04d
            versionRange: '>=1.0.0 <2.0.0'
`, which%bundles)
				default:
					fmt.Fprintf(out, `          gvk:
            group: operators.example.com
            version: v1
            kind: Operator%04d
`, which%bundles)
				}
			}
		}
		return out.Flush()
	}
}

const bundleHead = `- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: operator-%04[1]d
    annotations:
      config.kubernetes.io/local-config: "true"
      config.kubernetes.io/path: 'bundles/operator-%04[1]d.yaml'
      internal.config.kubernetes.io/path: 'bundles/operator-%04[1]d.yaml'
  data:
    bundle.yaml: |
      schema: olm.bundle
      name: operator-%04[1]d.v1.4.0
      package: operator-%04[1]d
      properties:
      - {type: olm.package, value: {packageName: operator-%04[1]d, version: 1.4.0}}
      - {type: olm.gvk, value: {group: operators.example.com, version: v1, kind: Operator%04[1]d}}
`

// bundleRule is one of the rules.
func bundleRule(which int) string {
	return fmt.Sprintf(`properties.exists(p, p.type == "feature" && p.value.name == "rare-%02d" && p.value.level >= 3)`, which)
}

// bundleFeature is a property of a bundle. Each rule is satisfied by one bundle,
// at the end of the list.
func bundleFeature(bundle, i, bundles int) (name string, level int) {
	if last := bundles - 1 - bundle; last < 5 && i < distinctRules && i%5 == last {
		return fmt.Sprintf("rare-%02d", i), 3
	}
	return fmt.Sprintf("feature-%02d", i), bundle % 5
}

// ruleTexts is the rules and the properties of these bundles as JSON, as
// evaluate-rules reads them.
func ruleTexts(bundles int) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		for rule := range distinctRules {
			fmt.Fprintf(out, "%q\n", bundleRule(rule))
		}
		for n := range bundles {
			fmt.Fprint(out, "[")
			for i := range bundleProperties {
				name, level := bundleFeature(n, i, bundles)
				if i > 0 {
					fmt.Fprint(out, ",")
				}
				fmt.Fprintf(out, `{"type":"feature","value":{"name":%q,"level":%d}}`, name, level)
			}
			fmt.Fprint(out, "]\n")
		}
		return out.Flush()
	}
}

// celList is a ResourceList of ten items; one is a bundle with a rule
// that holds.
func celList(w io.Writer) error {
	if err := blockList(9, noConfig)(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, bundleHead+`      - type: olm.constraint
        value:
          cel:
            rule: 'properties.exists(p, p.type == "olm.package")'
`, 0)
	return err
}
