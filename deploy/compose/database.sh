#!/bin/sh
# The two roles and the database (docs/operations/database.md#the-database), once, when the volume is new.
set -eu
psql -v ON_ERROR_STOP=1 -U postgres -v owner="$MEETDECK_OWNER_PASSWORD" -v app="$MEETDECK_APP_PASSWORD" <<'SQL'
create role meetdeck_owner login password :'owner';
create role meetdeck_app login password :'app';
create database meetdeck owner meetdeck_owner template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C.UTF-8';
revoke all on database meetdeck from public;
grant connect on database meetdeck to meetdeck_app;
SQL
