#!/bin/sh
# Prints a file of this folder with each @NAME@ replaced by the variable NAME:
#   NODE=db1 ADDRESS=10.0.0.11 … deploy/ha/fill.sh patroni.yml
# docs/operations/high-availability.md has the variables. One that is missing ends it with a line that names it.
set -eu
exec perl -pe 's/\@([A-Z][A-Z0-9_]*)\@/$ENV{$1} || die "fill.sh: $1 is not set, which $ARGV needs\n"/ge' \
  "$(dirname -- "$0")/${1:?which file}"
