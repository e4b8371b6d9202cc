package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// opmCatalog is a catalog as opm render prints it: ten versions of each operator, each with the
// metadata of its ClusterServiceVersion, APIs, and requirements of other operators.
func opmCatalog(bundles int) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		description := strings.Repeat("An operator runs a program in the cluster. ", 200)
		for n := range bundles {
			operator, other := n/10, (n/10*7+3)%max(bundles/10, 1)
			fmt.Fprintf(out, opmBundle, operator, n%10, description, other)
		}
		return out.Flush()
	}
}

const opmBundle = `{
    "schema": "olm.bundle",
    "name": "operator-%04[1]d.v1.%[2]d.0",
    "package": "operator-%04[1]d",
    "image": "registry.example.com/operator-%04[1]d:1.%[2]d.0",
    "properties": [
        {
            "type": "olm.package",
            "value": {
                "packageName": "operator-%04[1]d",
                "version": "1.%[2]d.0"
            }
        },
        {
            "type": "olm.gvk",
            "value": {
                "group": "operators.example.com",
                "kind": "Operator%04[1]d",
                "version": "v1"
            }
        },
        {
            "type": "example.com/operator",
            "value": {
                "displayName": "Operator %[1]d",
                "description": "%[3]s",
                "minKubeVersion": "1.25.0"
            }
        },
        {
            "type": "olm.package.required",
            "value": {
                "packageName": "operator-%04[4]d",
                "versionRange": ">=1.0.0 <2.0.0"
            }
        },
        {
            "type": "olm.gvk.required",
            "value": {
                "group": "operators.example.com",
                "kind": "Operator%04[4]d",
                "version": "v1"
            }
        },
        {
            "type": "olm.constraint",
            "value": {
                "failureMessage": "needs an operator that is described",
                "cel": {
                    "rule": "properties.exists(p, p.type == 'example.com/operator' && p.value.displayName == 'Operator 7')"
                }
            }
        }
    ]
}
`
