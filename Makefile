# Needs Go, make and git; `make load` needs Docker.

# Everything is built static, which also lets the tests, the linters and the builds share one cache.
export CGO_ENABLED = 0

# The time that each fuzz target runs, the packages to test.
FUZZTIME ?= 10s
PACKAGES ?= ./pkg/... ./functions/... ./build/...

# The packages whose unit tests leave out what takes long, which `make verify` runs: see cases.All.
SWEEPS = ./pkg/packfn/helm/engine ./pkg/packfn/internal/chart ./pkg/packfn/internal/upgrade ./pkg/values

# What `make mutants` tries: see `go run ./tests/mutants -h`.
MUTANTS ?= -sample 100 ./pkg/...

# Modules of their own, mostly for tests against the code of others.
MODULES = tests/olm tests/porch tests/porchcluster tests/browser tests/kubeconform tests/crds tests/helm tests/apiserver tests/gotestsum build/release

GO_BUILD = go build -trimpath -ldflags '-s -w'

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: ## import a pack, check it, break it, and render it with kpt
	@tests/demo.sh

.PHONY: demo-fleet
demo-fleet: ## preview a fleet of ten clusters, offline: one table of what can be deployed
	@mkdir -p bin
	@$(GO_BUILD) -o bin/ ./functions/packfn
	@bin/packfn fleet --set examples/expand-variant-set-fleet --upstream blueprints/platform=examples/inject-config-fleet || [ $$? -eq 1 ]

# go vet -v names each package when it is done with it, because the first run takes minutes.
.PHONY: test
test: format ## run the unit tests, and each example with the pinned kpt; UPDATE=1 rewrites expectations, PACK_CORPUS names public packs
	go vet -v ./...
	@tests/gotestsum/run.sh $(PACKAGES)
	@tests/gotestsum/run.sh -run 'TestExamples|TestEveryFunctionHasAnExample' ./tests/e2e

.PHONY: verify
verify: lint ## run all other tests: documents, clients, images, hostile input, releases, and the code of other systems
	@tests/gotestsum/run.sh ./tests/...
	@TEST_ALL=1 tests/gotestsum/run.sh $(SWEEPS)
	@for module in $(MODULES); do tests/gotestsum/run.sh -C $$module ./... || exit 1; done

.PHONY: race
race: ## run the unit tests with the race detector, without those that count or limit memory, which it uses; needs a C compiler
	@CGO_ENABLED=1 tests/gotestsum/run.sh -race -skip "TestMatchDoesNotAllocate|TestHostileActions|TestHostile$$" ./pkg/... ./functions/...

.PHONY: test-porch
test-porch: ## test with a whole Porch, without a cluster; building it takes 15 to 20 minutes of CPU, once
	@go run -C tests/porchcluster ./cmd/porch -build
	@PORCH_CLUSTER=1 tests/gotestsum/run.sh -C tests/porchcluster -timeout 30m ./...

.PHONY: porch
porch: ## run a whole Porch with a fleet of ten clusters until ctrl-C, to try it without a cluster
	@mkdir -p .cache/bin
	@go build -C tests/porchcluster -o $(CURDIR)/.cache/bin/porch ./cmd/porch
	@.cache/bin/porch

.PHONY: format
format:
	@unformatted=$$(gofmt -l .) || exit 1; \
	if [ -n "$$unformatted" ]; then echo "not formatted, run gofmt -w on:"; echo "$$unformatted"; exit 1; fi

.PHONY: lint
lint: format ## check formatting, and run vet, staticcheck and actionlint
	go vet -v ./...
	@for module in tests/tools $(MODULES); do (cd $$module && go vet -v ./...) || exit 1; done
	@mkdir -p .cache/lint
	@go -C tests/lint build -ldflags '-s -w' -o $(CURDIR)/.cache/lint/ honnef.co/go/tools/cmd/staticcheck
	.cache/lint/staticcheck ./...
	go -C tests/tools tool actionlint $(abspath $(wildcard .github/workflows/*.yml))

.PHONY: vulnerabilities
vulnerabilities: ## look for known vulnerabilities in what the programs link; needs vuln.go.dev
	go run golang.org/x/vuln/cmd/govulncheck@v1.9.0 ./...
	go run -C build/release golang.org/x/vuln/cmd/govulncheck@v1.9.0 ./...

.PHONY: build
build: ## build the functions into bin/
	@mkdir -p bin
	$(GO_BUILD) -o bin/ $(patsubst %/main.go,./%,$(wildcard functions/*/main.go))

.PHONY: tools
tools: ## build the pinned kpt and kustomize into .cache/bin/
	@mkdir -p .cache/bin
	@echo "building kpt and kustomize into .cache/bin/; the first time takes some minutes"
	cd tests/tools && go build -mod=readonly -ldflags '-s -w' -o ../../.cache/bin/ ./kpt sigs.k8s.io/kustomize/kustomize/v5

.PHONY: generate
generate: ## write what is made from the code: schemas, metadata, tables of rules, lists of messages, output in documents
	go run ./build/schemas
	go run ./build/porch
	UPDATE=1 go test -count=1 ./functions/suite -run TestDocuments
	UPDATE=1 go test -count=1 -p 1 $(PACKAGES)
	UPDATE=1 go test -count=1 ./tests/contract -run TestExported
	UPDATE=1 go test -count=1 ./tests/packfn -run 'TestScript/check_cases|TestSessions'
	UPDATE=1 go test -count=1 ./tests/docs
	UPDATE=1 go test -C tests/browser -count=1 -run 'TestPicture$$' .

.PHONY: limits
limits: ## check that CPU time and memory grow no faster than hostile inputs
	@go run ./tests/hostile

.PHONY: bench
bench: ## run the benchmarks and print them as one table
	@go run ./tests/bench

.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZTIME, property tests with 1,000 draws, and every slip of every name
	@FUZZTIME=$(FUZZTIME) tests/fuzz.sh

.PHONY: mutants
mutants: ## change the code in small ways and list the changes that no test notices, such as MUTANTS=./pkg/capacity
	@go run ./tests/mutants $(MUTANTS)

# With SNAPSHOT= the commit must have a tag, which names the version. The program is run by its name, because
# `go tool` puts the Go that GoReleaser needs before the one that builds the programs.
SNAPSHOT ?= --snapshot

.PHONY: packages
packages: ## build archives, deb, rpm, apk, SHA256SUMS and manifests into build/release/dist/, and publish nothing
	@mkdir -p .cache/release
	go build -C build/release/goreleaser -trimpath -ldflags '-s -w' -o $(CURDIR)/.cache/release/goreleaser github.com/goreleaser/goreleaser/v2
	cd build/release && ../../.cache/release/goreleaser release --clean --skip=publish $(SNAPSHOT)

.PHONY: images
images: ## build the image of each program into dist/, without Docker
	go run -C build/release . images

.PHONY: load
load: ## build the images for this machine, and give them to Docker
	go run -C build/release . images --load --platforms linux/$$(go env GOARCH)

.PHONY: catalog
catalog: ## write the functions to dist/catalog/, in the layout of kpt's function catalog
	@go run ./build/catalog

.PHONY: image-examples
image-examples: ## write the examples with images in place of programs to .cache/image-examples/
	@go run ./build/imageexamples

.PHONY: clean
clean: ## remove what was built
	rm -rf bin dist .cache build/release/completions build/release/dist
