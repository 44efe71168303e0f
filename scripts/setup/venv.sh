# shellcheck shell=bash
# The project's Python packages, exactly as locked, in .venv.

# Its first line is "ready" or "incomplete"; the other lines are the facts it was made from.
readonly stamp=.venv/meetdeck-stamp

readonly advice_on_network='Is there a way to a package index? Behind a mirror or a proxy: PIP_INDEX_URL, PIP_CERT, HTTPS_PROXY.'

lock_of() { # run | dev
  case $1 in run) echo requirements.lock ;; dev) echo requirements-dev.lock ;; esac
}

venv_python() { # ARGUMENT…
  .venv/bin/python -E -S "$@" 2>/dev/null
}

# Prints the two facts that no update of packages can change: where .venv is, and its Python.
place_and_python() {
  pwd -P
  venv_python -c 'import sys; print("Python %d.%d" % sys.version_info[:2])' || echo 'no Python'
}

# Prints all that makes an installed .venv the right one.
facts() { # run | dev
  echo "$1"
  place_and_python
  { cat "$(lock_of "$1")" requirements-bootstrap.lock scripts/setup/venv.sh && what_is_built; } | cksum
}

# Prints the part of pyproject.toml that an installation depends on; the linters' settings are no part of it.
what_is_built() {
  awk '/^\[/ { built = /^\[(build-system|project|tool\.hatch)/ } built' pyproject.toml
}

stamped() { # LINES
  [ ! -r $stamp ] || sed -n "$1p" $stamp
}

mark_incomplete() { # run | dev
  printf 'incomplete\n%s\n' "$1" >$stamp
}

mark_ready() { # run | dev
  { echo ready && facts "$1"; } >$stamp.new
  mv $stamp.new $stamp
}

venv_is_ready() { # run | dev
  [ "$(stamped '1,$')" = "ready"$'\n'"$(facts "$1")" ] && venv_is_of_chosen_python
}

# True unless PYTHON names another interpreter than .venv was made of.
venv_is_of_chosen_python() {
  local identity='import sys; print(sys.base_prefix, sys.version)'
  [ -z "${PYTHON:-}" ] || [ "$(venv_python -c "$identity")" = "$("$PYTHON" -E -c "$identity" 2>/dev/null)" ]
}

# A half-made, moved or broken .venv is made anew; a sound one, even without our stamp, is only brought in line.
venv_is_sound() {
  { [ ! -e $stamp ] || [ "$(stamped 3,4)" = "$(place_and_python)" ]; } &&
    venv_python -c 'import sys; sys.exit(sys.version_info < (3, 11))' &&
    .venv/bin/python -c 'import pip' 2>/dev/null &&
    venv_is_of_chosen_python
}

# Prints the interpreter behind a name when it really is Python 3.11 or newer: a pyenv shim may exist and run nothing.
usable_python() { # NAME
  "$1" -E -c 'import sys
if sys.version_info < (3, 11) or sys.implementation.name != "cpython": sys.exit(1)
print(getattr(sys, "_base_executable", None) or sys.executable)' 2>/dev/null
}

can_make_venv() { # PYTHON
  "$1" -E -c 'import ensurepip, venv' 2>/dev/null
}

# Sets python to the newest interpreter that can make a venv, else to the newest.
find_python() {
  local name found
  local names=(python3.14 python3.13 python3.12 python3.11 python3)
  if [ -n "${PYTHON:-}" ]; then names=("$PYTHON"); fi
  python=''
  for name in "${names[@]}"; do
    found=$(usable_python "$name") || continue
    : "${python:=$found}"
    if can_make_venv "$found"; then
      python=$found
      break
    fi
  done
}

ensure_python() {
  find_python
  if [ -z "$python" ] && [ -n "${PYTHON:-}" ]; then
    stop "PYTHON=$PYTHON is not Python 3.11 or newer" "Name another one, or none: then the newest in PATH is taken."
  elif [ -z "$python" ]; then
    stop "there is no Python 3.11 or newer here" "Install one, or name it: make run PYTHON=/path/to/python3.12"
  fi
  can_make_venv "$python" || install_venv_module
}

# Debian and Ubuntu keep the venv module in a package of its own.
install_venv_module() {
  local package command
  package=$("$python" -E -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
  command=$(apt_command "$package")
  case $python in
  /usr/bin/*) ;;
  *) stop "$python has no venv module" "Name another Python: make run PYTHON=/path/to/python3.12" ;;
  esac
  if ! may_install && ! may_install_after_asking "$package"; then
    stop "$python has no venv module yet" "Run this once, then make again:" "    $command"
  fi
  step "$package, by apt" apt_install "$package" ||
    stop_after_step "$package could not be installed" "Run this once, then make again:" "    $command"
}

# uv comes by pip, by hash; pip's own settings (a mirror, a certificate) hold for uv too.
install_uv() {
  .venv/bin/python -m pip install --disable-pip-version-check --no-input --no-deps --require-hashes -r requirements-bootstrap.lock
}

pip_setting() { # NAME
  .venv/bin/python -m pip config get "global.$1" 2>/dev/null || true
}

tell_uv_what_pip_knows() {
  local index certificate
  index=${PIP_INDEX_URL:-$(pip_setting index-url)}
  certificate=${PIP_CERT:-$(pip_setting cert)}
  if [ -n "$index" ]; then export UV_DEFAULT_INDEX=${UV_DEFAULT_INDEX:-$index}; fi
  if [ -n "$certificate" ]; then export SSL_CERT_FILE=${SSL_CERT_FILE:-$certificate}; fi
  if [ ! -w "${HOME:-/nonexistent}" ]; then export UV_NO_CACHE=1; fi
}

# pip is slower, and knows ways to the packages that uv does not (keyrings, find-links, client certificates).
install_locked() { # LOCK
  tell_uv_what_pip_knows
  .venv/bin/uv pip sync --python .venv/bin/python --require-hashes --compile-bytecode --no-progress "$1" ||
    .venv/bin/python -m pip install --disable-pip-version-check --no-input --no-deps --require-hashes -r "$1"
}

install_meetdeck() {
  .venv/bin/uv pip install --python .venv/bin/python --no-deps --no-build-isolation --offline -e . &&
    .venv/bin/python -c 'import meetdeck'
}

ensure_venv() { # run | dev
  local flavour=$1
  if [ "$(stamped 2)" = dev ]; then flavour=dev; fi # what a developer installed stays
  ! venv_is_ready "$flavour" || return 0

  [ -w . ] || stop "$(pwd -P) is not writable for you" "Clone into a folder of your own."
  [ ! -e .venv ] || [ -O .venv ] || stop ".venv belongs to another user" "Run make as that user, or remove .venv and run again."
  if ! venv_is_sound; then
    ensure_python
    remove_venv "$flavour"
  fi
  mkdir -p .venv
  mark_incomplete "$flavour"
  install_venv "$(lock_of "$flavour")"
  mark_ready "$flavour"
}

remove_venv() { # run | dev
  if [ -d .venv ]; then mark_incomplete "$1"; fi # half removed is not ready
  rm -rf .venv
}

install_venv() { # LOCK
  [ -e .venv/bin/python ] || step ".venv, of $("$python" -V)" "$python" -m venv --prompt meetdeck .venv ||
    stop_after_step "$python could not make .venv" "Name another one: make run PYTHON=/path/to/python3.12"
  step "uv, which installs the rest" install_uv ||
    stop_after_step "pip could not install uv" "$advice_on_network"
  step "Python packages, as locked" install_locked "$1" ||
    stop_after_step "the Python packages could not be installed" "$advice_on_network"
  step "Meetdeck itself, from this folder" install_meetdeck ||
    stop_after_step "Meetdeck could not be installed" "Is the clone complete? See: git status"
}
