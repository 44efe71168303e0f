# shellcheck shell=bash
# What makes clients of the API's documents: npm's packages, exactly as locked, run by a developer's Node.

readonly client_tools=tests/clients
readonly client_tools_stamp=$client_tools/node_modules/meetdeck-stamp

client_tools_facts() { # short | all
  echo "$1"
  cksum <$client_tools/package-lock.json
}

# Installs what the short form of the tests needs, or all; what is installed in full stays so.
ensure_client_tools() { # short | all
  local flavour=$1 omitted=()
  if [ "$(head -n 1 $client_tools_stamp 2>/dev/null)" = all ]; then flavour=all; fi
  [ "$(cat $client_tools_stamp 2>/dev/null)" != "$(client_tools_facts "$flavour")" ] || return 0
  if [ "$flavour" = short ]; then omitted=(--omit=dev); fi
  step "Generators of clients, as locked" npm_of_venv $client_tools ci --no-progress ${omitted[@]+"${omitted[@]}"} || return 1
  client_tools_facts "$flavour" >$client_tools_stamp
}

advise_on_client_tools() {
  printf '\n  Missing: the generators of clients, by npm. Their tests are skipped; all else works.\n\n'
}
