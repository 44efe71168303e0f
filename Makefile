# `make` alone lists the targets. scripts/setup.sh installs what a target needs, once.
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PORT ?= 8080
WORKERS ?= 3
ARGS ?=
BENCH ?= *
DATES ?=
LOOPS ?=
MINUTES ?=
TIMES ?= 1
WAYS ?= by HAProxy,by addresses
RATE ?= 50
TYPES ?=
DEBS ?=
DECKS ?=
EXAMPLES ?= 500
FOLDER ?= /tmp/meetdeck-pictures
# Keep compiled files whatever the machine's settings: without them, each start takes twice as long. `make clean` deletes them.
export PYTHONDONTWRITEBYTECODE :=
BIN := .venv/bin
LOCK := $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-header --no-annotate --quiet $(if $(UPGRADE),--upgrade)

.PHONY: help
help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' Makefile

.PHONY: run
run: ## set up, load demo data and serve on http://127.0.0.1:8080 (another port: PORT=9000)
	@scripts/setup.sh run
	@exec $(BIN)/python -m meetdeck serve --migrate --demo-data --demo-meetings --port $(PORT)

.PHONY: demo
demo: ## take a tour of the running service: decks, PDFs, a booking
	@scripts/setup.sh run
	@$(BIN)/python -m meetdeck demo

.PHONY: test
test: ## set up and run all tests (WORKERS=4, ARGS='-k slots')
	@scripts/setup.sh test
	@$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder --times $(ARGS)

.PHONY: again
again: ## rerun the tests that failed last, one at a time
	@scripts/setup.sh test
	@$(BIN)/python -m pytest --last-failed --last-failed-no-failures none $(ARGS)

.PHONY: thorough
thorough: ## run slow tests that rarely fail, and all tests on two other dates (DATES=all, DATES=2028-02-29, MINUTES=60: as many as fit)
	@scripts/setup.sh test
	@PYTHONPATH=tests $(BIN)/python tests/thorough.py --workers $(WORKERS) --dates '$(DATES)' --loops '$(LOOPS)' \
		--minutes '$(MINUTES)' $(ARGS)

.PHONY: unit
unit: ## run the unit tests: seconds, without database and LibreOffice
	@scripts/setup.sh check
	@$(BIN)/python -m pytest -q -n $(WORKERS) tests/unit $(ARGS)

.PHONY: corpus
corpus: ## download other people's presentations, and check the decks made from them (DECKS=folder: include that folder)
	@scripts/setup.sh test
	@$(BIN)/python tests/corpus/sources.py
	@$(BIN)/python -m pytest -q -n $(WORKERS) tests/corpus --decks='$(DECKS)' $(ARGS)

.PHONY: fuzz
fuzz: ## search for input that breaks the deck engine (EXAMPLES=5000 for each test)
	@scripts/setup.sh check
	@$(BIN)/python -m pytest -q -n $(WORKERS) tests/fuzz --examples=$(EXAMPLES) $(ARGS)

.PHONY: upgrade
upgrade: ## upgrade from each earlier release under load, on PostgreSQL 15 and 18
	@scripts/setup.sh test
	@MEETDECK_UPGRADE_SECONDS=10 $(BIN)/python -m pytest -m thorough tests/e2e/test_upgrade.py $(ARGS)

.PHONY: failover
failover: ## kill, unplug and switch over the database of deploy/ha, restart and upgrade, under load (TIMES=10, RATE=200: bookings a second, WAYS='by HAProxy')
	@scripts/setup.sh test
	@$(BIN)/python -m pytest -q -n 0 -s -rs tests/failover --rounds=$(TIMES) --rate=$(RATE) --ways='$(WAYS)' $(ARGS)

.PHONY: clients
clients: ## build the client libraries and generate clients with four generators; type-check them, and call a service with them
	@scripts/setup.sh clients
	@MEETDECK_CLIENTS=all $(BIN)/python -m pytest -m thorough -n $(WORKERS) tests/e2e/test_generated_clients.py \
		tests/e2e/test_client_libraries.py $(ARGS)

.PHONY: libraries
libraries: ## build the client libraries for Python and TypeScript into dist/
	@scripts/setup.sh libraries
	@$(BIN)/python clients/build.py dist

.PHONY: image
image: ## build deploy/Dockerfile in a fresh Debian, and serve from both images without privileges (needs root, takes minutes)
	@scripts/setup.sh image
	@$(BIN)/python -m pytest -q -n 0 -s tests/image $(ARGS)

.PHONY: check
check: ## check format, lint, import contracts, licences, and the types of files that differ from main (TYPES=all: of all files)
	@scripts/setup.sh check
	@$(BIN)/python -m ruff format --check .
	@$(BIN)/python -m ruff check .
	@$(BIN)/lint-imports
	@$(BIN)/python tools/licences.py
	@$(BIN)/python tools/check_types.py $(if $(TYPES),--all)

.PHONY: format
format: ## format, and fix what can be fixed automatically
	@scripts/setup.sh check
	@$(BIN)/python -m ruff format .
	@$(BIN)/python -m ruff check --fix .

.PHONY: assets
assets: ## build the message layouts from their MJML, after changing it
	@scripts/setup.sh check
	@$(BIN)/python assets/layouts.py

.PHONY: template
template: ## redraw the demo template, after changing tools/demo_template
	@scripts/setup.sh check
	@$(BIN)/python tools/make_demo_template.py

.PHONY: pictures
pictures: ## draw all pages of the console and the portal, and some of the manual, in all looks (FOLDER=/tmp/pictures, ARGS='--firms empty,many')
	@scripts/setup.sh test
	@$(BIN)/python tools/make_pictures.py '$(FOLDER)' $(ARGS)

.PHONY: bench
bench: ## compare with other products (BENCH=decks: only benchmarks/decks.py)
	@scripts/setup.sh test
	@for benchmark in benchmarks/$(BENCH).py; do echo "== $$benchmark"; $(BIN)/python "$$benchmark" || exit 1; done

.PHONY: release
release: ## build a release into dist/: wheel, sdist, client libraries, SBOM, API collections, notes and checksums, the same bytes each time
	@scripts/setup.sh test
	@$(BIN)/python -m tools.release

.PHONY: bundle
bundle: ## collect a release and all it needs in dist/bundle/ and a tar, for machines without a network (DEBS=1: Debian's packages, too)
	@scripts/setup.sh test
	@$(BIN)/python -m tools.bundle $(if $(DEBS),--debs)

.PHONY: setup
setup: ## only install what run, test and check need
	@scripts/setup.sh test

.PHONY: hooks
hooks: ## run the checks before each git commit
	@scripts/setup.sh check
	@$(BIN)/python -m pre_commit install

.PHONY: lock
lock: ## update the lock files from pyproject.toml (UPGRADE=1: to the newest versions)
	@scripts/setup.sh check
	@$(LOCK) pyproject.toml --extra otel --group build -o requirements.lock >/dev/null
	@$(LOCK) pyproject.toml --extra otel --group dev -o requirements-dev.lock >/dev/null
	@echo uv | $(LOCK) - -o requirements-bootstrap.lock >/dev/null
	@$(LOCK) --group node -o requirements-node.lock >/dev/null
	@$(LOCK) --no-config --group judges -o requirements-judges.lock >/dev/null
	@scripts/setup.sh lock-npm

.PHONY: clean
clean: ## delete everything that was installed, downloaded or cached; var/ with the data stays
	@rm -rf .venv src/meetdeck/web/assets src/meetdeck/pages/manual/made assets/fetched.json build dist .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	@find . -path ./var -prune -o -type d -name __pycache__ -prune -exec rm -rf {} +
