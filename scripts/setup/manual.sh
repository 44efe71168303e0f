# shellcheck shell=bash
# The manual: pages made of docs/ and of the code.

# Makes it unless it is up to date; without it /docs says so, and all else works.
ensure_manual() {
  ! venv_python tools/manual/sources.py || return 0
  if ! step "The manual, served at /docs" .venv/bin/python -m tools.manual; then
    said_last 4
    advise "The manual, at /docs" "scripts/setup.sh run"
  fi
}
