#!/bin/bash
# Makes an instance of 389-ds from instance.inf and set.ldif in the folder, and starts it. Its CA is then ca.pem in the folder.
# Runs in an enclosure: the folders that are written to lie in memory, or in the folder.
set -euo pipefail
folder=$1
instance=/etc/dirsrv/slapd-test

# dscreate takes its paths from this file, and asks systemd if the file says so.
defaults=/usr/share/dirsrv/inf/defaults.inf
sed -e 's/^with_systemd = .*/with_systemd = 0/' "$defaults" > "$folder/defaults.inf"
mount --bind "$folder/defaults.inf" "$defaults"
cp -a /etc/dirsrv "$folder/etc"
mount --bind "$folder/etc" /etc/dirsrv
for writable in /var/lib/dirsrv /var/log/dirsrv /run/dirsrv /run/lock/dirsrv; do
  mkdir -p "$writable"
  mount -t tmpfs -o mode=0770,uid=dirsrv,gid=dirsrv none "$writable"
done

dscreate from-file "$folder/instance.inf"
install -o dirsrv "$folder/set.ldif" /var/lib/dirsrv/slapd-test/ldif/set.ldif
dsctl test ldif2db userroot /var/lib/dirsrv/slapd-test/ldif/set.ldif
dsctl test start
cp "$instance/ca.crt" "$folder/ca.pem"
