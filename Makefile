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

# Where it is set, each of the suite's hundreds of processes would compile pgrag anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-slow lint suite bench golden setup clean
.DEFAULT_GOAL := demo

demo: $(VENV)/.runtime
	@$(BIN)/python examples/demo.py

# Side by side: where tests wait, for a server or a clock, linters need not.
test: $(VENV)/.development
	@$(TOOLS)/ensure_browser.sh
	@$(TOOLS)/timed.sh "linters, types and tests" $(MAKE) --no-print-directory -j 2 lint suite

# More processes than two cores, because many tests wait. A file stays in one process, which makes its fixtures once;
# files go in the order of their names, by which the long ones (acceptance) come first and the short ones (unit) last.
suite: $(VENV)/.development
	@$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder $(PYTEST_ARGS)

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
	find alembic pgrag scripts tests -name __pycache__ -prune -exec rm -rf {} +
