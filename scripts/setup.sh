#!/usr/bin/env bash
# Makes this clone ready: Python packages in .venv, the assets of its pages, LibreOffice and fonts, and for tests a
# browser and a proxy, where they can be installed.
#
#   scripts/setup.sh run      what the product needs
#   scripts/setup.sh test     that, and what its tests need
#   scripts/setup.sh clients  that, and every generator of clients
#   scripts/setup.sh libraries  what builds the client libraries
#   scripts/setup.sh image    what the test of the images needs
#   scripts/setup.sh check    what format, lint and types need: no LibreOffice
#
# PYTHON=… names the interpreter; SYSTEM_PACKAGES=no leaves the system's packages alone.
# What is done already is not done again, and what was interrupted is repaired.
set -euo pipefail
CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

. scripts/setup/steps.sh
. scripts/setup/system.sh
. scripts/setup/venv.sh
. scripts/setup/assets.sh
. scripts/setup/manual.sh
. scripts/setup/npm.sh
. scripts/setup/clients.sh
. scripts/setup/browser.sh
. scripts/setup/deploy.sh
. scripts/setup/database.sh

trap 'printf "\nInterrupted. The same command again repairs and goes on.\n" >&2; exit 130' INT TERM

# One set-up at a time in a clone, where the system has flock; the lock is on this very file.
exec 9<scripts/setup.sh
if command -v flock >/dev/null && ! flock -n 9; then
  echo 'Another set-up of this clone is at work; waiting for it.'
  flock 9
fi

case ${1:-} in
run)
  ensure_venv run
  ensure_assets
  ensure_manual
  ensure_office
  ;;
test)
  ensure_venv dev
  ensure_assets
  ensure_manual
  ensure_office
  ensure_client_tools short || advise_on_client_tools
  ensure_browser_tests
  ensure_proxy
  ensure_database_tests
  ;;
clients)
  ensure_venv dev
  ensure_assets
  ensure_manual
  ensure_office
  ensure_client_tools all || stop_after_step "the generators of clients could not be installed" "$advice_on_network"
  ;;
libraries)
  ensure_venv dev
  ensure_client_tools short || stop_after_step "the generators of clients could not be installed" "$advice_on_network"
  ;;
image)
  ensure_venv dev
  ensure_debootstrap
  ;;
lock-npm) lock_npm_packages ;;
check) ensure_venv dev ;;
*) stop "'${1:-}' is no kind of set-up" "Usage: scripts/setup.sh run|test|clients|libraries|image|check" ;;
esac
