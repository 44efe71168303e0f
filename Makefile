# `make` alone lists what there is. scripts/setup.sh installs what a target needs, and nothing twice.
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PORT ?= 8080
WORKERS ?= 2
ARGS ?=
BENCH ?= *
DATES ?=
LOOPS ?=
MINUTES ?=
TYPES ?=
DECKS ?=
EXAMPLES ?= 500
FOLDER ?= /tmp/meetdeck-pictures
# Compiled once, whatever the machine is set to: each start would take twice the time. `make clean` removes it.
export PYTHONDONTWRITEBYTECODE :=
BIN := .venv/bin
LOCK := $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-header --no-annotate --quiet $(if $(UPGRADE),--upgrade)

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' Makefile

.PHONY: run
run: ## set everything up, load demo data and serve on http://127.0.0.1:8080 (PORT=9000: there)
	@scripts/setup.sh run
	@exec $(BIN)/python -m meetdeck serve --migrate --demo-data --demo-meetings --port $(PORT)

.PHONY: demo
demo: ## walk through the running service: decks, PDFs, a booking
	@scripts/setup.sh run
	@$(BIN)/python -m meetdeck demo

.PHONY: test
test: ## set everything up and run every test (WORKERS=4, ARGS='-k slots')
	@scripts/setup.sh test
	@$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder --times $(ARGS)

.PHONY: again
again: ## run the tests that failed last, one at a time
	@scripts/setup.sh test
	@$(BIN)/python -m pytest --last-failed --last-failed-no-failures none $(ARGS)

.PHONY: thorough
thorough: ## what is heavy and rarely fails, and two dates of the day (DATES=all, DATES=2028-02-29, MINUTES=60: what fits)
	@scripts/setup.sh test
	@PYTHONPATH=tests $(BIN)/python tests/thorough.py --workers $(WORKERS) --dates '$(DATES)' --loops '$(LOOPS)' \
		--minutes '$(MINUTES)' $(ARGS)

.PHONY: unit
unit: ## the quick tests: no database, no LibreOffice, seconds
	@scripts/setup.sh check
	@$(BIN)/python -m pytest -q -n $(WORKERS) tests/unit $(ARGS)

.PHONY: corpus
corpus: ## download other people's presentations, and check the decks made of them (DECKS=folder: those in it too)
	@scripts/setup.sh test
	@$(BIN)/python tests/corpus/sources.py
	@$(BIN)/python -m pytest -q -n $(WORKERS) tests/corpus --decks='$(DECKS)' $(ARGS)

.PHONY: fuzz
fuzz: ## look for input that breaks the deck engine (EXAMPLES=5000 for each test)
	@scripts/setup.sh check
	@$(BIN)/python -m pytest -q -n $(WORKERS) tests/fuzz --examples=$(EXAMPLES) $(ARGS)

.PHONY: upgrade
upgrade: ## upgrade from the previous release under load, on PostgreSQL 15 and 18
	@scripts/setup.sh test
	@MEETDECK_UPGRADE_SECONDS=10 $(BIN)/python -m pytest -m thorough tests/e2e/test_upgrade.py $(ARGS)

.PHONY: clients
clients: ## make clients of the API's documents with four generators, type-check them, walk with them through a service
	@scripts/setup.sh clients
	@MEETDECK_CLIENTS=all $(BIN)/python -m pytest -m thorough -n $(WORKERS) tests/e2e/test_generated_clients.py $(ARGS)

.PHONY: image
image: ## carry out deploy/Dockerfile in a fresh Debian, and serve from both images without any right (root, minutes)
	@scripts/setup.sh image
	@$(BIN)/python -m pytest -q -n 0 -s tests/image $(ARGS)

.PHONY: check
check: ## format, lint, import contracts, types of what differs from main (TYPES=all: of everything)
	@scripts/setup.sh check
	@$(BIN)/python -m ruff format --check .
	@$(BIN)/python -m ruff check .
	@$(BIN)/lint-imports
	@$(BIN)/python tools/check_types.py $(if $(TYPES),--all)

.PHONY: format
format: ## format, and mend what can be mended by itself
	@scripts/setup.sh check
	@$(BIN)/python -m ruff format .
	@$(BIN)/python -m ruff check --fix .

.PHONY: assets
assets: ## make the layouts of messages of their MJML, after a change of it
	@scripts/setup.sh check
	@$(BIN)/python assets/layouts.py

.PHONY: template
template: ## draw the demo template again, after a change of tools/demo_template
	@scripts/setup.sh check
	@$(BIN)/python tools/make_demo_template.py

.PHONY: pictures
pictures: ## draw every page of the console and the portal in every look (FOLDER=/tmp/pictures, ARGS='--only settings')
	@scripts/setup.sh test
	@$(BIN)/python tools/make_pictures.py '$(FOLDER)' $(ARGS)

.PHONY: bench
bench: ## measure us beside our peers (BENCH=decks: benchmarks/decks.py alone)
	@scripts/setup.sh test
	@for benchmark in benchmarks/$(BENCH).py; do echo "== $$benchmark"; $(BIN)/python "$$benchmark" || exit 1; done

.PHONY: setup
setup: ## what run, test and check would install, and nothing else
	@scripts/setup.sh test

.PHONY: hooks
hooks: ## run the checks at every git commit
	@scripts/setup.sh check
	@$(BIN)/python -m pre_commit install

.PHONY: lock
lock: ## write the locks anew from pyproject.toml (UPGRADE=1: with the newest versions)
	@scripts/setup.sh check
	@$(LOCK) pyproject.toml --extra otel --group build -o requirements.lock >/dev/null
	@$(LOCK) pyproject.toml --extra otel --group dev -o requirements-dev.lock >/dev/null
	@echo uv | $(LOCK) - -o requirements-bootstrap.lock >/dev/null
	@$(LOCK) --group node -o requirements-node.lock >/dev/null
	@$(LOCK) --no-config --group calendars -o requirements-calendars.lock >/dev/null
	@scripts/setup.sh lock-npm

.PHONY: clean
clean: ## remove what was installed and fetched, and what tools left; var/, the data, stays
	@rm -rf .venv src/meetdeck/web/assets assets/fetched.json build dist .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	@find . -path ./var -prune -o -type d -name __pycache__ -prune -exec rm -rf {} +
