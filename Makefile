# `make help` lists what there is.
.DEFAULT_GOAL := help
PYTHON := .venv/bin/python
PORT ?= 8080

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 14

.PHONY: format
format: ## format and fix what can be fixed by itself
	$(PYTHON) -m ruff format .
	$(PYTHON) -m ruff check --fix .

.PHONY: check
check: ## format, lint, types, import contracts
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m ruff check .
	.venv/bin/lint-imports
	.venv/bin/basedpyright
