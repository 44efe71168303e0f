# shellcheck shell=bash
# What the database's tests stand on beside the embedded PostgreSQL: a pooler, and the oldest PostgreSQL that serves us.

# Installs what is missing and can be had; without it those tests are skipped.
ensure_database_tests() {
  local what='PgBouncer and PostgreSQL 15, which upgrades and pooling are tested with'
  if command -v apt-get >/dev/null; then
    ensure_by_apt "$what" missing_database_packages
  fi
}

missing_database_packages() {
  venv_python tests/support/pgbouncer.py >/dev/null || echo pgbouncer
  [ -d /usr/lib/postgresql/15/bin ] || echo postgresql-15
}
