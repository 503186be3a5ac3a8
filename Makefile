# Everything a newcomer types: `make demo` and `make test`. Both set up what they need, and are quick once that is done.
#
#   make demo       the main job on real documents: ingest, ask, draw
#   make test       linters, types, and the whole test suite on a real server with AGE
#   make test-slow  what takes minutes: very large files, crashes at every stage, many workers
#   make bench      the latency table of benchmarks/README.md
#   make golden     what LightRAG finds in the conformance graphs, asked anew (LIGHTRAG_PYTHON: an interpreter that has it)
#   make clean      take away .venv and caches (never data)

SHELL := /bin/bash
PYTHON ?=
LIGHTRAG_PYTHON ?=
VENV   := .venv
BIN    := $(VENV)/bin
TOOLS  := scripts

.PHONY: demo test test-slow lint bench golden setup clean
.DEFAULT_GOAL := demo

demo: $(VENV)/.runtime
	@$(BIN)/python examples/demo.py

test: $(VENV)/.development
	@$(TOOLS)/ensure_browser.sh
	@$(TOOLS)/timed.sh "linters and types" $(MAKE) --no-print-directory lint
	@$(TOOLS)/timed.sh "tests" $(BIN)/python -m pytest -n 2 --dist loadfile $(PYTEST_ARGS)

test-slow: $(VENV)/.development
	@$(TOOLS)/timed.sh "slow tests" $(BIN)/python -m pytest -m slow $(PYTEST_ARGS)

lint: $(VENV)/.development
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

bench: $(VENV)/.development
	@$(BIN)/python benchmarks/retrieve_demo.py

golden: $(VENV)/.development
	@$(BIN)/python tests/conformance/make_golden.py $(if $(LIGHTRAG_PYTHON),--python $(LIGHTRAG_PYTHON))

setup: $(VENV)/.development

$(VENV)/.runtime: pyproject.toml $(TOOLS)/make_venv.sh
	@$(TOOLS)/timed.sh "setting up $(VENV)" $(TOOLS)/make_venv.sh $(VENV) "embedded,offline,files" $(PYTHON)
	@touch $@

$(VENV)/.development: pyproject.toml $(TOOLS)/make_venv.sh
	@$(TOOLS)/timed.sh "setting up $(VENV)" $(TOOLS)/make_venv.sh $(VENV) "embedded,offline,files,dev" $(PYTHON)
	@touch $@ $(VENV)/.runtime

clean:
	rm -rf $(VENV) .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
