#!/bin/sh
# Meetdeck's commands with the settings and the account of its service, for root; installed as in docs/operations/install.md.
set -eu
set -a
. /etc/meetdeck/meetdeck.env
case "${1-}" in migrate | restore) . /etc/meetdeck/owner.env ;; esac
MEETDECK_DATA_DIR=/var/lib/meetdeck
PATH=$PATH:/usr/sbin:/sbin # runuser's folder, which the PATH of cron and of other users lacks
exec runuser -u meetdeck -- /opt/meetdeck/bin/meetdeck "$@"
