# Two commands are all a newcomer needs: `make demo` and `make test`. Both set everything up in .venv, once.

.PHONY: demo test check system promises experiments bench clean

# The first Python on this machine that is new enough and can make environments; override with PYTHON=/path/to/python.
PYTHON ?= $(shell scripts/find-python)
# Recipes see the environment's tools first.
IN_VENV = PATH="$(CURDIR)/.venv/bin:$$PATH"
INSTALL = $(IN_VENV) PIP_DISABLE_PIP_VERSION_CHECK=1 pip install -qq -c constraints.txt

demo: .venv/demo.stamp
	@$(IN_VENV) scripts/demo

# What continuous integration runs, and nothing else.
test check: .venv/dev.stamp
	@$(IN_VENV) scripts/check

# What needs a browser: Debian's chromium and npm's playwright-core.
system: .venv/dev.stamp
	@$(IN_VENV) scripts/system

# Slow statistical tests of what is promised.
promises: .venv/dev.stamp
	@if ls tests/promises/test_*.py >/dev/null 2>&1; then $(IN_VENV) pytest tests/promises; else echo "There is nothing in tests/promises/ yet."; fi

experiments bench: .venv/dev.stamp
	@$(IN_VENV) scripts/run-all $@

clean:
	rm -rf .venv .cache build dist src/*.egg-info .coverage .coverage.* .hypothesis .pytest_cache .mypy_cache .ruff_cache
	rm -rf .import_linter_cache report.html demo-output
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp is written last, so an interrupted step is done again.
.venv/created:
	@test -n "$(PYTHON)" || { echo "leakbound needs Python 3.11 or newer with the venv module (on Debian: apt-get install python3-venv); name one with PYTHON=..."; exit 2; }
	@echo "Creating .venv with $(PYTHON)"
	@$(PYTHON) -m venv --clear .venv
	@touch $@

.venv/demo.stamp: .venv/created pyproject.toml constraints.txt
	@echo "Installing leakbound and what the demo needs into .venv (a minute or two, once)"
	@$(INSTALL) -e '.[cli,report,verify,compose]'
	@touch $@

.venv/dev.stamp: .venv/created pyproject.toml constraints.txt
	@echo "Installing leakbound and what its tests need into .venv (a minute or two, once)"
	@$(INSTALL) -e '.[dev]'
	@touch $@
