# shellcheck shell=bash
# What tests of the deployment need: a proxy to put before the service, and what makes a fresh Debian.

has_nginx() {
  venv_python tests/support/nginx.py >/dev/null
}

missing_proxy_packages() {
  has_nginx || echo nginx-light
}

# Installs nginx where it is missing and can be had; without it the tests behind it are skipped. Where systemd runs, the
# package would serve on port 80 at once, so that it is left to whoever wants that.
ensure_proxy() {
  local what='nginx, which tests put before the service'
  if command -v apt-get >/dev/null && [ ! -d /run/systemd/system ]; then
    ensure_by_apt "$what" missing_proxy_packages
  elif ! has_nginx; then
    advise "$what" "install nginx"
  fi
}

missing_image_packages() {
  [ -x /usr/sbin/debootstrap ] || echo debootstrap
}

# What a fresh Debian is made by; without it the test of the images is skipped.
ensure_debootstrap() {
  local what='debootstrap, which the images are tried out with'
  if command -v apt-get >/dev/null; then
    ensure_by_apt "$what" missing_image_packages
  elif [ -n "$(missing_image_packages)" ]; then
    advise "$what" "install debootstrap"
  fi
}
