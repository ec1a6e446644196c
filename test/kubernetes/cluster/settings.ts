import { pauseImage } from './images.ts'

/** The folder of the cluster has its name only when the cluster starts: start.sh puts it in the place of this text. */
const folder = '@folder@'

/** JSON is YAML, too. */
export const kubeconfig = (server: string, token: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'tests' } }],
    // The server makes this certificate at its start.
    clusters: [
      { name: 'test', cluster: { server, 'tls-server-name': 'kubernetes', 'certificate-authority': 'certificates/apiserver.crt' } },
    ],
    users: [{ name: 'tests', user: { token } }],
  })

export const kubeletYaml = (cgroup: string): string =>
  JSON.stringify({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    // Only processes of the enclosure reach it.
    authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
    authorization: { mode: 'AlwaysAllow' },
    address: '127.0.0.1',
    healthzPort: 0,
    containerRuntimeEndpoint: `unix://${folder}/containerd.sock`,
    podLogsDir: `${folder}/logs`,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: cgroup,
    enforceNodeAllocatable: [],
    failCgroupV1: false,
    failSwapOn: false,
    // A machine of tests often lacks the right to protect a process from the OOM killer.
    oomScoreAdj: 0,
    makeIPTablesUtilChains: false,
    resolvConf: '',
    // An edited ConfigMap reaches the pod within this time, in place of a minute.
    syncFrequency: '5s',
    evictionHard: { 'memory.available': '0%', 'nodefs.available': '0%', 'imagefs.available': '0%', 'nodefs.inodesFree': '0%' },
    imageGCHighThresholdPercent: 100,
    localStorageCapacityIsolation: false,
  })

export const containerdToml = (tools: string): string => `version = 2
root = "${folder}/containerd"
state = "${folder}/containerd-state"
oom_score = 0
[grpc]
  address = "${folder}/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${pauseImage}"
  restrict_oom_score_adj = true
  disable_apparmor = true
  stream_server_address = "127.0.0.1"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "${tools}/root/usr/lib/cni"
    conf_dir = "${folder}/network"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
`

/** The network of the pods: each one has a link to the node. */
export const podsConflist = JSON.stringify({
  cniVersion: '0.4.0',
  name: 'pods',
  plugins: [
    {
      type: 'ptp',
      ipam: { type: 'host-local', dataDir: `${folder}/addresses`, subnet: '10.1.0.0/24', routes: [{ dst: '0.0.0.0/0' }] },
    },
  ],
})
