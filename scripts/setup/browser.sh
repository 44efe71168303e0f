# shellcheck shell=bash
# What the pages are tested in: a browser, Chromium of any maker, and axe-core, which judges their accessibility.

# Installs what is missing of both and can be had; without them the tests in a browser are skipped.
ensure_browser_tests() {
  ensure_browser
  ensure_npm_packages "axe-core, as locked" tests/browser all || advise_on_axe
}

has_browser() {
  venv_python tests/support/chromium.py >/dev/null
}

missing_browser_packages() {
  has_browser || echo chromium
}

ensure_browser() {
  local what='Chromium, which the pages are tested in'
  if [ -n "${MEETDECK_CHROMIUM:-}" ]; then
    has_browser || advise "$what" "MEETDECK_CHROMIUM=/path/to/chromium (there is none at $MEETDECK_CHROMIUM)"
  elif command -v apt-get >/dev/null; then
    ensure_by_apt "$what" missing_browser_packages
  elif ! has_browser; then
    advise "$what" "install Chromium or Chrome, or name one: MEETDECK_CHROMIUM=/path/to/chromium"
  fi
}

advise_on_axe() {
  printf '\n  Missing: axe-core, by npm. The tests of accessibility are skipped; all else works.\n\n'
}
