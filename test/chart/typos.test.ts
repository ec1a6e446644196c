import { expect, it } from 'vitest'
import { render } from './helm.ts'

/** A typo in values → the name in Helm's message. Each of them would otherwise have no effect, or an effect that nobody meant. */
const typos: readonly (readonly [values: string, name: string])[] = [
  ['replicaCount=0', 'replicaCount'],
  ['image.repositry=x', 'repositry'],
  ['image.pullPolicy=Allways', '/image/pullPolicy'],
  ['image.digest=sha256:12', '/image/digest'],
  ['imagePullSecrets[0]=registry', '/imagePullSecrets/0'],
  ['declaration.existingConfigmap=x', 'existingConfigmap'],
  ['declaration.configMaps[0].name=x,declaration.configMaps[0].path=x', 'folder'],
  ['declaration.path=groups', '/declaration/path'],
  ['existingSecrets=x', 'existingSecrets'],
  ['persistence.storageClass=fast', 'storageClass'],
  ['persistence.size=1GB', '/persistence/size'],
  ['resources.limit.memory=1Gi', 'limit'],
  ['resources.limits.memory=512m', '/resources/limits/memory'],
  ['serviceMonitor.enable=true', 'enable'],
  ['serviceMonitor.interval=30', '/serviceMonitor/interval'],
  ['prometheusRule.disabled={PlaneGroupSyncNoCycles}', '/prometheusRule/disabled/0'],
  ['prometheusRule.selector={job="x"}', '/prometheusRule/selector'],
  ['prometheusRule.docsUrl=https://git.example.com', '/prometheusRule/docsUrl'],
  ['prometheusRule.runbookUrl=docs/operations.md', '/prometheusRule/runbookUrl'],
  ['prometheusRule.alertLabels.team-name=x', 'team-name'],
  ...[
    ...['existingSecret', 'declaration.existingConfigMap', 'persistence.existingClaim', 'persistence.storageClassName'],
    ...['serviceAccount.name', 'priorityClassName', 'imagePullSecrets[0].name', 'declaration.configMaps[0].name'],
    ...['extraVolumes[0].name', 'extraVolumeMounts[0].name', 'initContainers[0].name', 'extraContainers[0].name'],
    ...['extraEnvFrom[0].secretRef.name', 'extraEnv[0].valueFrom.secretKeyRef.name', 'fullnameOverride'],
  ].map((path) => [`${path}=Bad_Name`, `/${path.replaceAll(/[.[]/g, '/').replaceAll(']', '')}'`] as const),
  ['extraEnv[0].name=1 a,extraEnv[0].value=x', '/extraEnv/0/name'],
  ['secretItems[0].key=a/b,secretItems[0].path=x', '/secretItems/0/key'],
  ['secretItems[0].key=a,secretItems[0].path=../x', '/secretItems/0/path'],
  ['podAnnotations.two words=x', 'two words'],
  ['hostAliases[0].ip=plane.example.com,hostAliases[0].hostnames={x}', '/hostAliases/0/ip'],
  ['dnsConfig.nameservers={dns.example.com}', '/dnsConfig/nameservers/0'],
  ['tolerations[0].effect=NoSchedul', '/tolerations/0/effect'],
  ['dashboard.label.grafana_dashboard=1', 'label'],
  ['networkPolicy.egress[0].to[0].ipBlock.cidr=plane.example.com', '/networkPolicy/egress/0/to/0/ipBlock/cidr'],
  ['networkPolicy.egress[0].to[0].podSelector.matchLabel.app=x', 'matchLabel'],
  ['networkPolicy.egress[0].port=443', 'port'],
  ['probes.startup.periodseconds=1', 'periodseconds'],
  ['probes.liveness.failureThreshold=0', '/probes/liveness/failureThreshold'],
  ['probes.startupProbe.periodSeconds=1', 'startupProbe'],
  ['affinity.nodeAffinty=x', 'nodeAffinty'],
  ['tolerations[0].operator=Equals', '/tolerations/0/operator'],
  ['dnsConfig.nameserver={192.0.2.1}', 'nameserver'],
  ['hostAliases[0].ip=192.0.2.1,hostAliases[0].hostname=x', 'hostname'],
  ['extraEnvFrom[0].secretName=x', 'secretName'],
  ['extraContainers[0].name=git-sync', 'image'],
  ['initContainers[0].name=plane-group-sync,initContainers[0].image=x', '/initContainers/0/name'],
  ['extraObjects[0].kind=Secret', 'apiVersion'],
  ['commonLabels.app\\.kubernetes\\.io/name=x', 'it sets app.kubernetes.io/name'],
  ['podAnnotation.a=b', 'podAnnotation'],
  ['settings.workspace.acme.slug=x', 'workspace'],
]

it.each(typos)('the chart refuses %s', async (values, name) => {
  const said = await render('--values', 'test/chart/values/small.yaml', '--set', values).then(
    () => 'accepted',
    (error: Error) => error.message,
  )
  expect(said).toContain(name)
  expect(said).toContain("values don't meet the specifications of the schema")
})
