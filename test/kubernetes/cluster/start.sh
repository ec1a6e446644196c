#!/bin/bash
# Starts a Kubernetes of one node: etcd, kube-apiserver, kube-controller-manager, kube-scheduler, containerd and kubelet, all on loopback. Their
# configuration files are in the folder; their data and logs go there. It ends when the node is ready. Runs in an enclosure.
#
# Pods reach each other by their addresses only: there is no DNS, no kube-proxy and no way out. NetworkPolicy objects are not enforced.
set -euo pipefail
folder=$1
cd "$folder"
# shellcheck source=/dev/null
. ./places # tools, images
sed -i "s|@folder@|$folder|g" kubelet.yaml containerd.toml pods.conflist
mkdir network && mv pods.conflist network # containerd takes every file of this folder for a network
export PATH=$tools/bin:$tools/root/usr/bin:$tools/root/usr/sbin:$PATH KUBECONFIG=$folder/kubeconfig

# The servers make folders in these places whatever their settings say. In memory they leave nothing on the machine.
for place in /var/lib /var/log; do mount -t tmpfs none "$place"; done

# The kubelet wants an address that is not loopback, and a default route, although no packet leaves the enclosure.
ip link add node type bridge
ip address add 10.0.2.1/32 dev node
ip link set node up
ip route add default dev node
echo 1 >/proc/sys/net/ipv4/ip_forward

start() { # NAME COMMAND...: starts a server with its log in the folder
  local name=$1
  shift
  "$@" >"$name.log" 2>&1 &
  servers[$name]=$!
}
declare -A servers=()

until_answers() { # NAME COMMAND...: waits until the command succeeds; the server NAME must go on meanwhile
  local name=$1
  shift
  until "$@" >/dev/null 2>&1; do
    kill -0 "${servers[$name]}" 2>/dev/null || { echo "$name ended:" && tail -5 "$name.log" && exit 1; }
    sleep 0.1
  done
}

start containerd containerd --config "$folder/containerd.toml"
start etcd etcd --data-dir "$folder/etcd" --unsafe-no-fsync --log-level warn \
  --listen-client-urls http://127.0.0.1:2379 --advertise-client-urls http://127.0.0.1:2379 \
  --listen-peer-urls http://127.0.0.1:2380 --initial-advertise-peer-urls http://127.0.0.1:2380 --initial-cluster default=http://127.0.0.1:2380
start kube-apiserver kube-apiserver --etcd-servers=http://127.0.0.1:2379 --secure-port=6443 --bind-address=127.0.0.1 \
  --advertise-address=10.0.2.1 --endpoint-reconciler-type=none --service-cluster-ip-range=10.96.0.0/16 \
  --cert-dir="$folder/certificates" --token-auth-file="$folder/tokens.csv" --authorization-mode=RBAC \
  --service-account-issuer=https://kubernetes.default.svc --service-account-key-file="$folder/accounts.pub" \
  --service-account-signing-key-file="$folder/accounts.key" --kubelet-preferred-address-types=Hostname
until_answers kube-apiserver kubectl get --raw /readyz

start kube-controller-manager kube-controller-manager --kubeconfig="$KUBECONFIG" --leader-elect=false --bind-address=127.0.0.1 \
  --cert-dir="$folder/certificates" --service-account-private-key-file="$folder/accounts.key" --root-ca-file="$folder/certificates/apiserver.crt"
start kube-scheduler kube-scheduler --kubeconfig="$KUBECONFIG" --leader-elect=false --bind-address=127.0.0.1 --cert-dir="$folder/certificates"

until_answers containerd ctr --address "$folder/containerd.sock" version
for image in "$images"/*.tar; do ctr --address "$folder/containerd.sock" --namespace k8s.io images import "$image"; done
# The API server reaches the kubelet by the name of its node.
start kubelet kubelet --config="$folder/kubelet.yaml" --kubeconfig="$KUBECONFIG" --root-dir="$folder/kubelet" --cert-dir="$folder/certificates" \
  --hostname-override=localhost --node-ip=10.0.2.1
until_answers kubelet kubectl wait --for=condition=Ready node/localhost --timeout=1s
until_answers kube-controller-manager kubectl get serviceaccount default
