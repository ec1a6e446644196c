import { alertTable } from '../monitoring/alertTable.ts'
import {
  affinity,
  amounts,
  closed,
  containers,
  dnsConfig,
  envSources,
  filled,
  flag,
  hostAliases,
  type JsonSchema,
  keyed,
  labels,
  list,
  match,
  noneOf,
  objectName,
  objects,
  peers,
  policyPorts,
  positive,
  probe,
  said,
  text,
  volume,
  words,
} from './kubernetes-shapes.ts'

/**
 * The schema of the chart's values: closed, with the program's own settings in `$defs.settings`.
 * Values whose shape is Kubernetes' own (a volume's source) stay open: the API server checks them.
 *
 * @param settings the JSON Schema of the settings file (`config/settings.schema.json`)
 */
export const chartSchema = (settings: JsonSchema): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Values of the chart plane-group-sync',
  ...closed(
    {
      global: { type: 'object', description: 'Helm gives it to every subchart. Not used.' },
      image: closed(
        {
          repository: imageName,
          tag: said('^([A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?$', 'a tag, such as 0.1.0'),
          digest: match('^(sha256:[0-9a-f]{64})?$'),
          pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
        },
        ['repository'],
      ),
      imagePullSecrets: list(closed({ name: filled }, ['name'])),
      replicas: { enum: [0, 1] },
      nameOverride: objectName,
      fullnameOverride: objectName,
      settings: { $ref: '#/$defs/settings' },
      declaration: closed({
        files: {
          type: 'object',
          propertyNames: match('^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\\.ya?ml|\\.revision)$'),
          additionalProperties: text,
        },
        existingConfigMap: text,
        configMaps: list(closed({ name: filled, folder, optional: flag }, ['name', 'folder'])),
        path: said('^((/[^/]+)+/?)?$', 'an absolute path, such as /git/current/groups'),
      }),
      existingSecret: text,
      secretItems: list(closed({ key: filled, path: filled }, ['key', 'path'])),
      persistence: closed({ enabled: flag, size: volume, storageClassName: text, existingClaim: text }, ['enabled', 'size']),
      serviceAccount: closed({ create: flag, name: text, annotations: words }),
      service: closed({ enabled: flag, port: { type: 'integer', minimum: 1, maximum: 65_535 }, annotations: words }, ['port']),
      page: closed(
        { enabled: flag, tokenFile: said('^(/[^/]+)+$', 'an absolute path, such as /run/secrets/plane-group-sync/page-token') },
        ['enabled', 'tokenFile'],
      ),
      serviceMonitor: closed({ enabled: flag, labels: addedLabels, interval: duration, scrapeTimeout: duration }, ['enabled']),
      prometheusRule: closed(
        {
          enabled: flag,
          labels: addedLabels,
          selector: said(`^(${matcher}(,${matcher})*)?$`, 'matchers of labels, such as namespace="plane",job="groups"'),
          disabled: list({ enum: alertTable.map(({ name }) => name) }),
          alertLabels: { ...words, propertyNames: noneOf(['severity']) },
          docsUrl: said('^(https?://.*/)?$', 'an address that ends with /'),
        },
        ['enabled'],
      ),
      dashboard: closed({ enabled: flag, labels: addedLabels, annotations: words }, ['enabled']),
      networkPolicy: closed({ enabled: flag, metricsFrom: peers, dnsTo: peers, egress: list(closed({ to: peers, ports: policyPorts })) }, [
        'enabled',
      ]),
      resources: closed({ requests: amounts, limits: amounts }),
      podSecurityContext: closed({ runAsUser: positive, runAsGroup: positive, fsGroup: positive }),
      probes: closed({ startup: probe, liveness: probe, readiness: probe }),
      commonLabels: addedLabels,
      deploymentAnnotations: words,
      podAnnotations: { ...words, propertyNames: noneOf(['checksum/settings']) },
      podLabels: { ...labels, propertyNames: noneOf(selectorLabels) },
      nodeSelector: words,
      tolerations: list(
        closed({ key: text, operator: { enum: ['Exists', 'Equal'] }, value: text, effect: text, tolerationSeconds: { type: 'integer' } }),
      ),
      affinity,
      priorityClassName: text,
      hostAliases,
      dnsConfig,
      extraEnv: list({
        ...closed(
          {
            name: { ...filled, ...noneOf(['PLANE_GROUP_SYNC_CONFIG']) },
            value: text,
            valueFrom: closed({ secretKeyRef: keyed, configMapKeyRef: keyed, fieldRef: closed({ fieldPath: filled }, ['fieldPath']) }),
          },
          ['name'],
        ),
        not: { required: ['value', 'valueFrom'] },
      }),
      extraEnvFrom: envSources,
      extraVolumes: list({ type: 'object', properties: { name: filled }, required: ['name'] }),
      extraVolumeMounts: list(closed({ name: filled, mountPath: match('^/'), subPath: text, readOnly: flag }, ['name', 'mountPath'])),
      initContainers: containers('plane-group-sync'),
      extraContainers: containers('plane-group-sync'),
      extraObjects: objects,
    },
    // The templates use parts of these. A value `null` removes them.
    [
      ...['settings', 'image', 'declaration', 'persistence', 'serviceAccount', 'service'],
      ...['page', 'serviceMonitor', 'prometheusRule', 'dashboard', 'networkPolicy', 'probes'],
    ],
  ),
  ...someCredential,
  $defs: { settings: withoutTheChartsOwn(settings) },
})

/** Settings that follow from the chart's mounts are set by the chart, and are not among its values. */
const withoutTheChartsOwn = (settings: JsonSchema): JsonSchema => {
  const { $schema: _dialect, ...rest } = settings
  const {
    declaration: _declaration,
    http: _http,
    journal,
    ...properties
  } = rest['properties'] as Record<'journal', JsonSchema> & JsonSchema
  return {
    ...rest,
    properties: { ...properties, journal: { ...journal, anyOf: (journal['anyOf'] as JsonSchema[]).map(withoutFolder) } },
    required: (rest['required'] as string[]).filter((name) => name !== 'version' && name !== 'declaration'),
  }
}

const withoutFolder = (branch: JsonSchema): JsonSchema => {
  if (branch['type'] !== 'object') return branch
  const { folder: _folder, ...properties } = branch['properties'] as Record<string, JsonSchema>
  return { ...branch, properties }
}

/** If the chart mounts no Secret, only the settings or `PLANE_API_KEY` can name a credential. */
const someCredential: JsonSchema = {
  if: {
    anyOf: [
      { properties: { existingSecret: { type: 'string', minLength: 1 } }, required: ['existingSecret'] },
      {
        properties: { extraEnv: { contains: { properties: { name: { const: 'PLANE_API_KEY' } }, required: ['name'] } } },
        required: ['extraEnv'],
      },
    ],
  },
  else: {
    properties: {
      settings: {
        properties: {
          service: {
            anyOf: [{ required: ['credential'] }, { properties: { credentials: { minProperties: 1 } }, required: ['credentials'] }],
          },
        },
      },
    },
  },
}

const registry = '([A-Za-z0-9.-]+|\\[[0-9a-fA-F:]+\\])(:[0-9]+)?/'
const imageName = said(
  `^(${registry})?[a-z0-9._-]+(/[a-z0-9._-]+)*$`,
  'the name of an image without tag and digest, such as registry.example.com/plane-group-sync',
)
const selectorLabels = ['app.kubernetes.io/name', 'app.kubernetes.io/instance']
const addedLabels: JsonSchema = {
  ...labels,
  propertyNames: noneOf([...selectorLabels, 'app.kubernetes.io/version', 'app.kubernetes.io/managed-by', 'helm.sh/chart']),
}
/** Names of folders without `.` and `..`. A name that begins with a dot would not be read. */
const folderName = '[A-Za-z0-9_-][A-Za-z0-9._-]*'
const folder = said(`^${folderName}(/${folderName})*$`, 'a folder below the declaration, such as teams/payments')
const duration = said('^([1-9][0-9]*(ms|s|m|h))?$', 'a time of Prometheus, such as 30s')
const matcher = '[a-zA-Z_][a-zA-Z0-9_]*(=|!=|=~|!~)"[^"{}]*"'
