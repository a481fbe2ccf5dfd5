# Everything that the build makes or downloads by itself lives in .cache; Go's own caches are left where they are.
CACHE    := $(CURDIR)/.cache
PROVIDER := $(CACHE)/bin/terraform-provider-estate
LINTER   := $(CACHE)/bin/golangci-lint
DOCS     := $(CACHE)/bin/tfplugindocs
TOFU      = $(shell tools/tofu/find.sh $(CACHE)/bin/tofu)

MOTO_VERSION := 5.2.5
MOTO         := $(CACHE)/moto
MOTO_READY   := $(MOTO)/ready-$(MOTO_VERSION)

ACCEPTANCE := ./internal/provider/acceptance
PAGES      := ./internal/docs
# Packages whose tests ask the real CLIs what they say to a configuration.
ORACLES    := ./internal/configuration/...
COUNTS     := $(CACHE)/cli-tests.tsv
TESTFLAGS  ?=

# What the packages acceptance and docs need to know. With ESTATE_ACCEPTANCE=1 a missing part fails the tests;
# without it, as in a bare `go test ./...`, they are skipped.
ENVIRONMENT = ESTATE_ACCEPTANCE=1 ESTATE_TOFU=$(TOFU) ESTATE_MOTO=$(MOTO) ESTATE_PROVIDER=$(PROVIDER) \
              ESTATE_TFPLUGINDOCS=$(DOCS) ESTATE_COUNTS=$(COUNTS)

.PHONY: build install lint test race mutations crash soak demo permissions docs bench-start testacc sweep clean prerequisites

build:
	@mkdir -p $(CACHE)/bin
	@echo "==> building the provider"
	CGO_ENABLED=0 go build -ldflags "-s -w" -o $(PROVIDER) .

install:
	go install .

lint: $(LINTER)
	GOLANGCI_LINT_CACHE=$(CACHE)/golangci-lint $(LINTER) run --allow-parallel-runners ./...

# The second run goes through the real CLIs and the emulator, and generates the pages. One package at a time, so that go
# test shows its progress.
test: prerequisites $(DOCS)
	@rm -f $(COUNTS)
	@echo "==> go vet"
	go vet ./...
	@echo "==> unit and engine tests"
	go test -count=1 $(TESTFLAGS) $$(go list ./... | grep -v -e /acceptance -e /internal/docs -e /internal/configuration)
	@echo "==> acceptance tests, and the pages in docs"
	@status=0; $(ENVIRONMENT) go test -count=1 -p 1 -timeout 80m -v $(TESTFLAGS) $(PAGES) $(ORACLES) $(ACCEPTANCE)/... || status=$$?; \
	 tools/cli-tests.sh $(COUNTS) || status=$$?; \
	 exit $$status

race:
	@if [ "$$(go env CGO_ENABLED)" != 1 ] || ! command -v "$$(go env CC)" >/dev/null; then \
	   echo "make race needs a C compiler and CGO_ENABLED=1"; exit 1; fi
	go test -race -count=1 $(TESTFLAGS) $$(go list ./... | grep -v /acceptance)

# Breaks the rules of DESIGN.md one at a time, and demands that tests notice. MUTATIONS chooses, such as "-only fence".
mutations:
	@go run ./internal/mutations $(MUTATIONS)

# Strikes each call of each operation of each type with each fault, in the emulator; then 60 through each CLI. make test
# runs a sample of both.
# CRASHFLAGS chooses, such as -types vpc or -sample 20, and -write FILE writes the table as Markdown.
crash: prerequisites
	@$(ENVIRONMENT) go run $(ACCEPTANCE)/crash $(CRASHFLAGS)
	@$(ENVIRONMENT) go run $(ACCEPTANCE)/crash -cli 60

# Lets an estate live for half an hour, half of it under each CLI, with everything going wrong; make test runs a short one.
# SOAKFLAGS chooses, such as -seed 7 -for 5m -cli OpenTofu, and -write FILE writes the counts as Markdown.
soak: prerequisites
	@$(ENVIRONMENT) go run $(ACCEPTANCE)/soak $(SOAKFLAGS)

demo: prerequisites
	@$(ENVIRONMENT) go run $(ACCEPTANCE)/demo

# Writes docs/ anew from the provider's schema, templates/ and examples/.
docs: $(TOFU) $(DOCS) build
	@$(ENVIRONMENT) go run $(PAGES)

# Writes internal/permissions/types.json anew: the IAM actions that the emulator shows each type to need. The guide follows.
permissions: prerequisites
	@$(ENVIRONMENT) ESTATE_COUNTS= go test -count=1 -run '^TestBehaviour25LeastPrivilege$$' $(ACCEPTANCE)/crash -args -relearn
	@$(MAKE) docs

bench-start: build
	@go run $(ACCEPTANCE)/start $(PROVIDER)

# In the AWS account that ESTATE_TESTACC_ACCOUNT names, and no other.
testacc: $(TOFU) build
	@ESTATE_TESTACC=1 $(ENVIRONMENT) ESTATE_COUNTS= go test -count=1 -timeout 120m -v -run '^TestLive$$' $(TESTFLAGS) $(ACCEPTANCE)

# Removes what testacc left in that account; with DRY=1 it lists only.
sweep:
	@go run $(ACCEPTANCE)/sweep $(if $(DRY),-dry)

clean:
	rm -rf $(CACHE)

prerequisites: $(TOFU) $(MOTO_READY) build
	@echo "==> OpenTofu: $(TOFU)"
	@echo "==> Terraform: $$(command -v terraform || echo 'not on PATH, not used')"

$(CACHE)/bin/tofu: tools/tofu/go.mod tools/tofu/go.sum
	@mkdir -p $(@D)
	@echo "==> building OpenTofu from source, once; five to ten minutes on two cores"
	tools/tofu/build.sh $@

$(MOTO_READY):
	@echo "==> installing the AWS emulator (moto $(MOTO_VERSION)) in .cache/moto, once; about a minute"
	python3 -m venv $(MOTO)
	$(MOTO)/bin/pip install --quiet --disable-pip-version-check 'moto[server]==$(MOTO_VERSION)'
	@touch $@

$(DOCS): tools/go.mod tools/go.sum
	@mkdir -p $(@D)
	@echo "==> building tfplugindocs from source, once; half a minute"
	cd tools && CGO_ENABLED=0 go build -trimpath -o $@ github.com/hashicorp/terraform-plugin-docs/cmd/tfplugindocs

$(LINTER): tools/go.mod tools/go.sum
	@mkdir -p $(@D)
	@echo "==> building golangci-lint from source, once; a few minutes"
	cd tools && go build -trimpath -o $@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint
