package main

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/spdx/tools-golang/json"
	"github.com/spdx/tools-golang/spdx/v2/common"
	spdx "github.com/spdx/tools-golang/spdx/v2/v2_3"
)

// notID is what the id of an SPDX element cannot have.
var notID = regexp.MustCompile(`[^A-Za-z0-9.-]+`)

// sbom returns the bill of materials of a program, as SPDX 2.3 in JSON: the program and
// the modules that Go recorded in it, with their licences. An image has nothing else but
// texts. The same program has the same bill.
func (p *program) sbom() ([]byte, error) {
	known := map[string]dependency{}
	for _, d := range p.dependencies {
		known[d.path] = d
	}
	own := &spdx.Package{
		PackageName:             p.name,
		PackageSPDXIdentifier:   common.ElementID("Package-" + p.name),
		PackageVersion:          p.version,
		PackageDownloadLocation: "git+" + source + ".git@" + p.version,
		PackageSupplier:         &common.Supplier{Supplier: "krm-packs", SupplierType: "Organization"},
		PackageChecksums:        []common.Checksum{{Algorithm: common.SHA256, Value: p.sha256}},
		PackageLicenseConcluded: "Apache-2.0",
		PackageLicenseDeclared:  "Apache-2.0",
		PackageCopyrightText:    "NOASSERTION",
		PackageExternalReferences: []*spdx.PackageExternalReference{
			purl(module + "@" + p.version + "#functions/" + p.name),
		},
		PackageDescription:    p.description,
		PrimaryPackagePurpose: "APPLICATION",
	}
	if p.revision != "" {
		own.PackageSourceInfo = "revision " + p.revision
		own.PackageDownloadLocation = "git+" + source + ".git@" + p.revision
	}
	document := common.MakeDocElementID("", "DOCUMENT")
	doc := &spdx.Document{
		SPDXVersion:       spdx.Version,
		DataLicense:       spdx.DataLicense,
		SPDXIdentifier:    "DOCUMENT",
		DocumentName:      fmt.Sprintf("%s_%s_%s_%s", p.name, p.version, p.platform.OS, p.platform.Architecture),
		DocumentNamespace: fmt.Sprintf("%s/sbom/%s/%s/%s", source, p.version, p.name, p.sha256),
		CreationInfo: &spdx.CreationInfo{
			Created:  p.time.UTC().Format(time.RFC3339),
			Creators: []common.Creator{{CreatorType: "Organization", Creator: "krm-packs"}, {CreatorType: "Tool", Creator: module + "/build/release-" + p.version}},
		},
		Packages:      []*spdx.Package{own},
		Relationships: []*spdx.Relationship{{RefA: document, RefB: common.MakeDocElementID("", string(own.PackageSPDXIdentifier)), Relationship: common.TypeRelationshipDescribe}},
	}
	add := func(path, version, sum string) error {
		d, ok := known[path]
		if !ok || d.version != version {
			return fmt.Errorf("%s has %s %s, which go list does not say", p.name, path, version)
		}
		delete(known, path)
		licences := strings.Join(d.ids(), " AND ")
		pkg := &spdx.Package{
			PackageName:               path,
			PackageSPDXIdentifier:     common.ElementID(notID.ReplaceAllString("Package-"+path+"-"+version, "-")),
			PackageVersion:            version,
			PackageDownloadLocation:   "NOASSERTION",
			PackageLicenseConcluded:   "NOASSERTION",
			PackageLicenseDeclared:    licences,
			PackageCopyrightText:      "NOASSERTION",
			PackageExternalReferences: []*spdx.PackageExternalReference{purl(path + "@" + version)},
			PrimaryPackagePurpose:     "LIBRARY",
		}
		if sum != "" {
			pkg.PackageSourceInfo = "go.sum " + sum
		}
		doc.Packages = append(doc.Packages, pkg)
		doc.Relationships = append(doc.Relationships, &spdx.Relationship{
			RefA:         common.MakeDocElementID("", string(own.PackageSPDXIdentifier)),
			RefB:         common.MakeDocElementID("", string(pkg.PackageSPDXIdentifier)),
			Relationship: common.TypeRelationshipDependsOn,
		})
		return nil
	}
	if err := add(standardLibrary, strings.TrimPrefix(p.info.GoVersion, "go"), ""); err != nil {
		return nil, err
	}
	for _, m := range p.info.Deps {
		if err := add(m.Path, m.Version, m.Sum); err != nil {
			return nil, err
		}
	}
	for path := range known {
		return nil, fmt.Errorf("%s links %s, which is not recorded in it", p.name, path)
	}
	var b bytes.Buffer
	err := json.Write(doc, &b, json.Indent("  "))
	return b.Bytes(), err
}

func purl(name string) *spdx.PackageExternalReference {
	return &spdx.PackageExternalReference{Category: "PACKAGE-MANAGER", RefType: "purl", Locator: "pkg:golang/" + name}
}
