# shellcheck shell=bash
# The assets of the pages: files that others wrote, exactly as locked in assets/.

# Fetches them unless they are here; without them the pages that need them say so, and all else works.
ensure_assets() {
  ! venv_python assets/fetch.py --check || return 0
  if ! step "Assets of the pages, as locked" .venv/bin/python assets/fetch.py; then
    said_last 4
    advise "Swagger UI, which the API page is made of" "scripts/setup.sh run"
  fi
}
