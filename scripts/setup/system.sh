# shellcheck shell=bash
# What only the system's package manager can install: Python's venv module, LibreOffice, fonts, a browser for tests.

readonly office_packages=(libreoffice-impress-nogui python3-uno)
readonly font_packages=(fonts-liberation fonts-crosextra-carlito fonts-crosextra-caladea fonts-dejavu-core fonts-wqy-microhei fonts-symbola)

# Which system packages were tried in vain: they are not tried again by themselves, so that an offline start is quick.
readonly tried=.venv/meetdeck-system-packages-tried

as_root=() # how a command becomes root's: `env` for root itself, `sudo env` for others

# Succeeds when packages can be installed without asking anybody.
may_install() {
  if [ "${SYSTEM_PACKAGES:-yes}" = no ]; then
    return 1
  elif [ "$EUID" = 0 ]; then
    as_root=(env)
  elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root=(sudo -n env)
  else
    return 1
  fi
}

# Asks on a terminal whether sudo may be used; nobody to ask means no.
may_install_after_asking() { # WHAT-FOR
  local answer
  [ "${SYSTEM_PACKAGES:-yes}" != no ] && command -v sudo >/dev/null && [ -t 0 ] && [ -t 1 ] || return 1
  read -r -p "  Install $1 now, with sudo? [Y/n] " answer || return 1
  case $answer in [nN]*) return 1 ;; esac
  as_root=(sudo env)
  sudo -v
}

apt() { # apt-get's ARGUMENT…
  "${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get -y --no-install-recommends -o DPkg::Lock::Timeout=120 "$@"
}

apt_install() { # PACKAGE…
  "${as_root[@]}" DEBIAN_FRONTEND=noninteractive dpkg --configure -a || true # an earlier run may have been interrupted
  apt install "$@" || { apt update && apt install "$@"; }                     # no package lists yet, or stale ones
}

is_known() { # PACKAGE
  apt-cache show "$1" >/dev/null 2>&1
}

# Installs those of the packages that this release has; a release without the -nogui package has the full one.
apt_install_known() { # PACKAGE…
  local package known=()
  is_known "$1" || apt update || true
  for package in "$@"; do
    if is_known "$package"; then
      known+=("$package")
    elif [ "$package" = libreoffice-impress-nogui ]; then
      known+=(libreoffice-impress)
    else
      echo "This release has no $package."
    fi
  done
  apt_install "${known[@]}"
}

# LibreOffice from its makers, or macOS's: it brings its own Python bridge.
has_makers_office() {
  local program
  for program in /opt/libreoffice*/program/soffice.bin /Applications/LibreOffice.app/Contents/MacOS/soffice; do
    [ ! -x "$program" ] || return 0
  done
  return 1
}

# Prints the Debian packages, one a line, that PDF and pictures need and this machine lacks.
missing_packages() {
  local package installed wanted=("${font_packages[@]}")
  has_makers_office || wanted=("${office_packages[@]}" "${font_packages[@]}")
  installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${wanted[@]}" libreoffice-impress 2>/dev/null || true)
  # The desktop's LibreOffice does all that the one without a desktop does.
  installed=${installed/libreoffice-impress installed/libreoffice-impress-nogui installed}
  for package in "${wanted[@]}"; do
    case $installed in *"$package installed"*) ;; *) echo "$package" ;; esac
  done
}

# LibreOffice and its fonts, where they are missing and can be had; without them all but PDF and pictures works.
ensure_office() {
  if command -v apt-get >/dev/null; then
    ensure_office_by_apt
  elif ! has_makers_office && ! command -v soffice >/dev/null; then
    ensure_office_elsewhere
  fi
}

remember_as_tried() { # WHAT
  { echo "$1" >>$tried; } 2>/dev/null || true # another user's .venv: then it is tried again
}

was_tried() { # WHAT
  grep -qxF -- "$1" $tried 2>/dev/null
}

ensure_office_by_apt() {
  local what='fonts for PDF and pictures'
  case $(missing_packages) in *libreoffice*) what='LibreOffice for PDF and pictures' ;; esac
  ensure_by_apt "$what" missing_packages
}

# Installs the packages that a command lists as missing; what was tried in vain is advised on, and not tried again.
ensure_by_apt() { # WHAT COMMAND-THAT-LISTS-THEM
  local what=$1 missing
  missing=$("$2" | xargs)
  [ -n "$missing" ] || return 0
  if ! was_tried "$missing"; then
    if may_install || may_install_after_asking "$what"; then
      # shellcheck disable=SC2086 # package names have no spaces: one word each
      step "$what, by apt" apt_install_known $missing || true
      missing=$("$2" | xargs)
      [ -n "$missing" ] || return 0
    fi
    remember_as_tried "$missing"
  fi
  advise "$what" "$(apt_command "$missing")"
}

# Prints the one command that installs the packages, as this user has to type it.
apt_command() { # PACKAGES
  local command
  command="apt-get update && apt-get install -y --no-install-recommends $1"
  if [ "$EUID" = 0 ]; then
    echo "$command"
  elif command -v sudo >/dev/null; then
    echo "sudo sh -c '$command'"
  else
    echo "su -c '$command'"
  fi
}

ensure_office_elsewhere() {
  local what='LibreOffice for PDF and pictures'
  if [ "$(uname)" != Darwin ] || ! command -v brew >/dev/null; then
    advise "$what" "install LibreOffice Impress and its Python bridge (uno)"
  elif [ "${SYSTEM_PACKAGES:-yes}" = no ] || was_tried brew || ! step "$what, by brew" brew install --cask libreoffice; then
    remember_as_tried brew
    advise "$what" "brew install --cask libreoffice"
  fi
}

advise() { # WHAT COMMAND
  printf '\n  Missing: %s. All else works without. To have it, once:\n      %s\n\n' "$1" "$2"
}
