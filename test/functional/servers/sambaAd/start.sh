#!/bin/bash
# Makes a domain controller of Samba from load.py and set.ldif in the folder, and starts its LDAP server alone. Its CA is then ca.pem in the folder.
# Runs in an enclosure: the folders that are written to lie in memory, or in the folder.
set -euo pipefail
folder=$1
here=$(dirname "$0")

mkdir /run/samba
for writable in /var/lib/samba /var/cache/samba /var/log/samba; do
  mount -t tmpfs none "$writable"
done

# An option of the provisioning is not kept for the server.
options=(--option='interfaces=lo' --option='bind interfaces only=yes' --option='server services=ldap')
samba-tool domain provision --targetdir="$folder/dc" --realm=AD.EXAMPLE.ORG --domain=AD --server-role=dc --dns-backend=NONE \
  --adminpass="$(<"$folder/password")" --host-name=dc1 --host-ip=127.0.0.1 "${options[@]}"
/usr/bin/python3 "$here/load.py" "$folder/dc/etc/smb.conf" "$folder/set.ldif"

samba --foreground --model=single "${options[@]}" --no-process-group --debug-stdout --configfile="$folder/dc/etc/smb.conf" &
for port in 389 636 3268; do
  until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
    kill -0 $! || exit 1
    sleep 0.1
  done
done
cp "$folder/dc/private/tls/ca.pem" "$folder/ca.pem"
