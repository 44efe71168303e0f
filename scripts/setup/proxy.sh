# shellcheck shell=bash
# The proxy that tests put before the service: nginx.

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
