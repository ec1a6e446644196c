#!/bin/bash
# The first process of an enclosure (enclosure.ts): its loopback, then the server by its own script, then the relay to the outside.
# It ends with the relay, and the kernel ends all other processes of the enclosure with it.
# Arguments: the node that runs the relay, the folder of the enclosure, the script, the ports.
set -euo pipefail
node=$1 folder=$2 script=$3
shift 3

ip link set lo up
mount -t tmpfs -o mode=0755 none /run
mount -t tmpfs -o mode=1777 none /dev/shm
mkdir -m 1777 /run/lock

# dscreate and samba also write their errors to standard output, where the relay says that it listens.
bash "$script" "$folder" 1>&2
"$node" "$(dirname "$0")/relay.ts" "$folder" "$@"
