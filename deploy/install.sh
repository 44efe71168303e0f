#!/bin/sh
# Installs Meetdeck from this folder alone, without a network: ./install.sh [FOLDER], by default /opt/meetdeck.
# PYTHON=… names the interpreter. Debian's packages are in packages.txt, and perhaps in debs/: install them before.
set -eu
cd -- "$(dirname -- "$0")"
target=${1:-/opt/meetdeck}
sha256sum --check --strict --quiet SHA256SUMS
"${PYTHON:-python3}" -m venv "$target"
export PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_QUIET=1
"$target/bin/pip" install --find-links wheels --no-deps --require-hashes -r requirements.lock
"$target/bin/pip" install --no-deps meetdeck-*.whl
"$target/bin/meetdeck" --version
