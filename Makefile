# `make demo` shows Circuy; `make` lists the rest.

ROOMS := organizations engine moderation skills tours shadow demo circuy
PYTHON_FILES := $(ROOMS) tests scripts bench manage.py
BIN := .venv/bin
# Those that drive a browser.
BROWSER_TESTS := tests/e2e tests/scan tests/tour tests/widget tests/preview tests/shadow_browser tests/browsers tests/extension
# More at a time than there are cores, each with services of its own: they wait for these a third of their time, and for
# browsers half of it.
PYTEST := $(BIN)/python -m pytest -q --dist loadfile
CORES := $(shell getconf _NPROCESSORS_ONLN)
# Checks that need Django's models run on the tests' settings: scratch services, gone when they are done.
MANAGE_TEST := DJANGO_SETTINGS_MODULE=tests.settings $(BIN)/python manage.py

.DEFAULT_GOAL := help
.PHONY: help demo test test-python test-sdk test-e2e lint lint-python lint-sdk api sdk sdk-check extension bench bench-mask bench-scan bench-names bench-locators bench-sdk bench-engine bench-learning bench-answers bench-segmenter scan smoke demo-scans screenshots messages lock run-env dev-env

help: ## List what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

demo: run-env ## Run Circuy with its demonstration (ARGS="--port 9000 …")
	@$(BIN)/python manage.py up $(ARGS)

test: test-python test-sdk test-e2e ## Run every test

test-python: dev-env
	$(call heading,Python tests)
	@$(PYTEST) -n $$(( $(CORES) * 3 / 2 )) tests $(addprefix --ignore ,$(BROWSER_TESTS))

test-sdk: sdk/node_modules/.installed
	$(call heading,SDK tests)
	@cd sdk && npm test --silent

test-e2e: dev-env sdk/node_modules/.installed
	$(call heading,Browser tests)
	@scripts/system_packages.sh browsers
	@$(PYTEST) -n $$(( $(CORES) * 2 )) $(BROWSER_TESTS)

lint: lint-python lint-sdk ## Run every check that runs no test

lint-python: dev-env
	$(call heading,Ruff)
	@$(BIN)/ruff check $(PYTHON_FILES)
	@$(BIN)/ruff format --check $(PYTHON_FILES)
	$(call heading,Mypy)
	@$(BIN)/mypy $(PYTHON_FILES)
	$(call heading,Direction of imports)
	@$(BIN)/lint-imports --no-logo
	$(call heading,Migrations)
	@$(MANAGE_TEST) makemigrations --check --dry-run
	$(call heading,API description)
	@scripts/same_after.sh docs/openapi.yaml 'make api' \
		env $(MANAGE_TEST) spectacular --lang en --validate --fail-on-warn --file docs/openapi.yaml

lint-sdk: sdk/node_modules/.installed
	$(call heading,SDK)
	@scripts/same_after.sh sdk/src/api/schema.ts 'make api' npm --prefix sdk run --silent api
	@cd sdk && npm run --silent lint
	@cd sdk && npm run --silent lint:extension
	@cd sdk && npm run --silent check

api: dev-env sdk/node_modules/.installed ## Write docs/openapi.yaml from the views, and the SDK's types from it
	@$(MANAGE_TEST) spectacular --lang en --validate --fail-on-warn --file docs/openapi.yaml
	@cd sdk && npm run --silent api

sdk: sdk/node_modules/.installed ## Build the SDK into static/circuy/, and its npm package into sdk/dist/
	@cd sdk && npm run --silent build

extension: sdk/node_modules/.installed ## Build the browser extension into dist/: a folder to load, and a zip file
	@node extension/build.mjs

sdk-check: sdk/node_modules/.installed ## Check that the built SDK belongs to its sources
	@cd sdk && npm run --silent check

bench: dev-env ## Measure: how many labelled questions reach the right element
	$(call heading,Questions of the demonstration)
	@$(MANAGE_TEST) evaluate
	$(call heading,Masks)
	@$(BIN)/python -m bench.mask

bench-mask: dev-env ## Measure what the masks hide, beside their peers (ARGS="--split held")
	@bench/mask/install_peers.sh
	@$(BIN)/python -m bench.mask $(ARGS)

bench-scan: dev-env sdk/node_modules/.installed ## Measure the scanner beside its peers, in Chromium (ARGS="--quick …")
	@scripts/system_packages.sh
	@$(BIN)/python -m bench.scan $(ARGS)

bench-names: dev-env sdk/node_modules/.installed ## Compare names and roles with Chromium's accessibility tree (ARGS="--quick")
	@scripts/system_packages.sh
	@$(BIN)/python -m bench.names $(ARGS)

bench-locators: dev-env sdk/node_modules/.installed ## Try locators in later releases and other languages (ARGS="--quick …")
	@scripts/system_packages.sh
	@$(BIN)/python -m bench.locators $(ARGS)

bench-sdk: dev-env sdk/node_modules/.installed ## Measure what the SDK costs on a page, beside its peers, in Chromium (ARGS="--loads …")
	@scripts/system_packages.sh
	@$(BIN)/python -m bench.sdk $(ARGS)

bench-engine: dev-env ## Measure answers to labelled questions (QUESTIONS=folder MODEL=base_url ARGS="--misses …")
	@scripts/system_packages.sh
	@QUESTIONS="$(QUESTIONS)" MODEL="$(MODEL)" $(BIN)/python -m bench.engine $(ARGS)

bench-learning: dev-env ## Learn the corpus's pages by the rules and by a model, and find their elements again (ARGS="--quick")
	@scripts/system_packages.sh
	@$(BIN)/python -m bench.learning $(ARGS)

bench-segmenter: dev-env sdk/node_modules/.installed ## Measure how well demonstrations are understood (ARGS="--quick …")
	@scripts/system_packages.sh
	@$(BIN)/python -m bench.segmenter $(ARGS)

train-ranker: dev-env ## Train what the offline ranking weighs, from our own lexicon and written pages
	$(call heading,Ranker)
	@OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m bench.engine.train

bench-answers: dev-env ## Measure how long answers take, and how much of it is ours (ARGS="--askers 16 …")
	@$(BIN)/python -m bench.answers $(ARGS)

scan: dev-env ## Scan a page and picture what was seen (URL=https://… or a file; OUT=folder)
	@scripts/system_packages.sh
	@$(BIN)/python scripts/scan_page.py "$(URL)" $(if $(OUT),--out "$(OUT)")

smoke: run-env ## Live the whole story over HTTP in a scratch folder
	@$(BIN)/python scripts/smoke.py

demo-scans: dev-env ## Record the demonstration's pages again, in Chromium
	@scripts/system_packages.sh
	@$(BIN)/python scripts/record_demo_pages.py

screenshots: dev-env ## Take the pictures of docs/images/ again
	@scripts/system_packages.sh
	@$(BIN)/python scripts/take_screenshots.py
	@$(BIN)/python scripts/picture_applications.py

messages: dev-env ## Collect and compile the French texts (needs GNU gettext)
	@$(MANAGE_TEST) makemessages -l fr --no-location --no-obsolete --ignore .circuy --ignore 'tests/*' --ignore sdk --ignore .venv --ignore demo
	@cd demo && DJANGO_SETTINGS_MODULE=tests.settings ../$(BIN)/python ../manage.py makemessages -l en --no-location --no-obsolete
	@$(MANAGE_TEST) compilemessages -l en --ignore .circuy --ignore .venv
	@$(MANAGE_TEST) compilemessages -l fr --ignore .circuy --ignore .venv

lock: ## Renew both lock files (needs uv)
	@uv pip compile -q --universal --generate-hashes --no-header --python-version 3.11 --upgrade \
		pyproject.toml -o requirements.lock
	@uv pip compile -q --universal --generate-hashes --no-header --python-version 3.11 -c requirements.lock \
		pyproject.toml --group dev -o requirements-dev.lock

run-env:
	@scripts/bootstrap.sh run

dev-env:
	@scripts/bootstrap.sh dev

sdk/node_modules/.installed: sdk/package-lock.json
	@scripts/system_packages.sh node
	@cd sdk && npm ci --silent --no-fund --no-audit
	@touch $@

define heading
	@printf '\n── %s\n' '$(1)'
endef
