# shellcheck shell=bash
# What makes clients of the API's documents: npm's packages, exactly as locked, run by a developer's Node.

readonly client_tools=tests/clients

# Installs what the short form of the tests needs, or all; what is installed in full stays so.
ensure_client_tools() { # short | all
  local flavour=$1 omitted=()
  if [ "$(head -n 1 $client_tools/node_modules/meetdeck-stamp 2>/dev/null)" = all ]; then flavour=all; fi
  if [ "$flavour" = short ]; then omitted=(--omit=dev); fi
  ensure_npm_packages "Generators of clients, as locked" $client_tools "$flavour" ${omitted[@]+"${omitted[@]}"}
}

advise_on_client_tools() {
  printf '\n  Missing: the generators of clients, by npm. Their tests are skipped; all else works.\n\n'
}
