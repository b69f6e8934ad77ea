#!/bin/bash
# CUMULUS-AUTOPROVISIONING
# First boot of leaf-u01-r1: written by railyard. The line above marks the script for
# Cumulus Linux; exit code 0 ends provisioning, any other lets it be tried again.

exec >> /var/log/autoprovision 2>&1
set -E
trap 'echo "railyard: line $LINENO failed: $BASH_COMMAND"; exit 1' ERR

umask 077 # the configuration may hold password hashes
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

load() { # how, what
  curl --fail --silent --show-error --output "$dir/${2##*/}" "$2"
  nv config "$1" "$dir/${2##*/}"
  nv config apply -y
}

load patch 'http://ztp.invalid/switches/leaf-u01-r1/breakout.yaml'
load replace 'http://ztp.invalid/switches/leaf-u01-r1/startup.yaml'
nv config save

exit 0
