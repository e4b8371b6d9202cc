# Needs Go, make and git; `make images` needs Docker.

# Everything is built static, which also lets the tests, the linters and the builds share one cache.
export CGO_ENABLED = 0

# The tag of the images, the time that each fuzz target runs, the packages to test.
TAG ?= dev
FUZZTIME ?= 10s
PACKAGES ?= ./...

# Modules of their own, for tests against the code of others.
MODULES = tests/olm tests/porch tests/browser tests/kubeconform

GO_BUILD = go build -trimpath -ldflags '-s -w'

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: ## run a package that passes and one that fails with kpt
	@tests/demo.sh

.PHONY: demo-fleet
demo-fleet: ## preview a fleet of ten clusters, offline: one table of what can be deployed
	@go run ./functions/packfn fleet --set examples/expand-variant-set-fleet --upstream blueprints/platform=examples/inject-config-fleet || [ $$? -eq 1 ]

.PHONY: test
test: lint ## check the sources and run all tests; UPDATE=1 rewrites the expectations of examples/, PACK_CORPUS names public packs
	@go run ./tests/report $(PACKAGES)
	@for module in $(MODULES); do go run ./tests/report -C $$module ./... || exit 1; done

.PHONY: lint
lint: ## check formatting and vet
	@unformatted=$$(gofmt -l .) || exit 1; \
	if [ -n "$$unformatted" ]; then echo "not formatted, run gofmt -w on:"; echo "$$unformatted"; exit 1; fi
	go vet ./...
	@for module in tests/tools $(MODULES); do (cd $$module && go vet ./...) || exit 1; done

.PHONY: build
build: ## build the functions into bin/
	@mkdir -p bin
	$(GO_BUILD) -o bin/ $(patsubst %/main.go,./%,$(wildcard functions/*/main.go))

.PHONY: tools
tools: ## build the pinned kpt and kustomize into .cache/bin/
	@mkdir -p .cache/bin
	cd tests/tools && go build -mod=readonly -ldflags '-s -w' -o ../../.cache/bin/ ./kpt sigs.k8s.io/kustomize/kustomize/v5

.PHONY: bench
bench: ## run the benchmarks and print them as one table
	@go run ./tests/bench

.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZTIME
	@FUZZTIME=$(FUZZTIME) tests/fuzz.sh

.PHONY: images
images: ## build the image of each function, ghcr.io/krm-packs/<function>:$(TAG)
	@TAG=$(TAG) build/images.sh

.PHONY: clean
clean: ## remove what was built
	rm -rf bin .cache
