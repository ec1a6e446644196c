import { alertTable } from '../monitoring/alertTable.ts'
import { withValues } from './chart-values.ts'
import {
  affinity,
  amounts,
  but,
  closed,
  containers,
  dataKey,
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
  nameOf,
  nameOrNone,
  noneOf,
  objectName,
  objects,
  partName,
  peers,
  policyPorts,
  positive,
  probe,
  said,
  text,
  variableName,
  volume,
  words,
} from './kubernetes-shapes.ts'

/**
 * The schema of the chart's values: closed, with the program's own settings in `$defs.settings`.
 * Values whose shape is Kubernetes' own (a volume's source) stay open: the API server checks them.
 *
 * @param settings the JSON Schema of the settings file (`config/settings.schema.json`)
 * @param values the text of `values.yaml`: each default, and the meaning in the comment above it
 */
export const chartSchema = (settings: JsonSchema, values: string): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Values of the chart plane-group-sync',
  ...withValues(
    closed({
      global: { type: 'object', description: 'Values of all charts of a release. This chart uses none of them.' },
      enabled: {
        ...flag,
        description: 'Only for a chart that has this one as a dependency, as its `condition`. `false` without such a chart is refused.',
      },
      image: closed({
        repository: imageName,
        tag: said('^([A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?$', 'a tag, such as 0.2.0'),
        digest: match('^(sha256:[0-9a-f]{64})?$'),
        pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
      }),
      imagePullSecrets: list(closed({ name: nameOf('registry') }, ['name'])),
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
        existingConfigMap: nameOrNone('plane-groups'),
        configMaps: list(closed({ name: nameOf('groups-payments'), folder, optional: flag }, ['name', 'folder'])),
        path: said('^((/[^/]+)+/?)?$', 'an absolute path, such as /git/current/groups'),
      }),
      existingSecret: nameOrNone('plane-group-sync'),
      secretItems: list(closed({ key: dataKey, path: fileBelow }, ['key', 'path'])),
      persistence: closed({
        enabled: flag,
        size: volume,
        storageClassName: nameOrNone('fast'),
        existingClaim: nameOrNone('plane-journal'),
      }),
      serviceAccount: closed({ create: flag, name: nameOrNone('plane-groups'), annotations: words }),
      service: closed({ enabled: flag, port: { type: 'integer', minimum: 1, maximum: 65_535 }, annotations: words }),
      page: closed({
        enabled: flag,
        tokenFile: said('^(/[^/]+)+$', 'an absolute path, such as /run/secrets/plane-group-sync/page-token'),
      }),
      serviceMonitor: closed({ enabled: flag, labels: addedLabels, interval: duration, scrapeTimeout: duration }),
      prometheusRule: closed({
        enabled: flag,
        labels: addedLabels,
        selector: said(`^(${matcher}(,${matcher})*)?$`, 'matchers of labels, such as namespace="plane",job="groups"'),
        disabled: list({ enum: alertTable.map(({ name }) => name) }),
        alertLabels: { ...words, propertyNames: { allOf: [promLabel, noneOf(['severity'])] } },
        runbookUrl: said(
          '^(https?://[^/\\s#?]+(/[^\\s#?]*)?)?$',
          'the address of a page without a fragment, such as https://docs.example.com/operations',
        ),
        docsUrl: {
          ...said('^(https?://.*/)?$', 'an address that ends with /'),
          deprecated: true,
          description: 'The former name of `runbookUrl`: the address below which `docs/operations.md` is.',
        },
      }),
      dashboard: closed({ enabled: flag, labels: addedLabels, annotations: words }),
      networkPolicy: closed({ enabled: flag, metricsFrom: peers, dnsTo: peers, egress: list(closed({ to: peers, ports: policyPorts })) }),
      resources: closed({ requests: amounts, limits: amounts }),
      podSecurityContext: closed({ runAsUser: positive, runAsGroup: positive, fsGroup: positive }),
      probes: closed({ startup: probe, liveness: probe, readiness: probe }),
      commonLabels: addedLabels,
      deploymentAnnotations: words,
      podAnnotations: but(words, ['checksum/settings']),
      podLabels: but(labels, selectorLabels),
      nodeSelector: labels,
      tolerations: list(
        closed({
          key: text,
          operator: { enum: ['Exists', 'Equal'] },
          value: text,
          effect: { enum: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] },
          tolerationSeconds: { type: 'integer' },
        }),
      ),
      affinity,
      priorityClassName: nameOrNone('important'),
      hostAliases,
      dnsConfig,
      extraEnv: list({
        ...closed(
          {
            name: { allOf: [variableName, noneOf(['PLANE_GROUP_SYNC_CONFIG'])] },
            value: text,
            valueFrom: closed({ secretKeyRef: keyed, configMapKeyRef: keyed, fieldRef: closed({ fieldPath: filled }, ['fieldPath']) }),
          },
          ['name'],
        ),
        not: { required: ['value', 'valueFrom'] },
      }),
      extraEnvFrom: envSources,
      extraVolumes: list({ type: 'object', properties: { name: partName }, required: ['name'] }),
      extraVolumeMounts: list(closed({ name: partName, mountPath: match('^/'), subPath: text, readOnly: flag }, ['name', 'mountPath'])),
      initContainers: containers('plane-group-sync'),
      extraContainers: containers('plane-group-sync'),
      extraObjects: objects,
    }),
    // Nothing is required that has a default: `helm upgrade --reuse-values` brings the values of an older chart. What is absent, the templates fill in.
    values,
  ),
  ...someCredential,
  $defs: { settings: withoutTheChartsOwn(settings) },
})

/**
 * Settings that follow from the chart's mounts are set by the chart, and are not among its values. What the settings require, the templates ask for: a
 * variable may give it.
 */
const withoutTheChartsOwn = (settings: JsonSchema): JsonSchema => {
  const { $schema: _dialect, required: _required, ...rest } = settings
  const {
    declaration: _declaration,
    http: _http,
    journal,
    service,
    ...properties
  } = rest['properties'] as Record<'journal' | 'service', JsonSchema> & JsonSchema
  const { required: _baseUrl, ...anyService } = service
  return {
    ...rest,
    properties: {
      ...properties,
      service: anyService,
      journal: { ...journal, anyOf: (journal['anyOf'] as JsonSchema[]).map(withoutFolder) },
    },
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
      { properties: { existingSecret: { type: 'string', minLength: 1 } } },
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
        required: ['service'],
      },
    },
    required: ['settings'],
  },
}

const registry = '([A-Za-z0-9.-]+|\\[[0-9a-fA-F:]+\\])(:[0-9]+)?/'
const imageName = said(
  `^(${registry})?[a-z0-9._-]+(/[a-z0-9._-]+)*$`,
  'the name of an image without tag and digest, such as registry.example.com/plane-group-sync',
)
const selectorLabels = ['app.kubernetes.io/name', 'app.kubernetes.io/instance']
const addedLabels = but(labels, [...selectorLabels, 'app.kubernetes.io/version', 'app.kubernetes.io/managed-by', 'helm.sh/chart'])
/** Names of folders without `.` and `..`. A name that begins with a dot would not be read. */
const fileName = '(?:[A-Za-z0-9_-]|\\.\\.?[A-Za-z0-9_-])[A-Za-z0-9._-]*'
const folderName = '[A-Za-z0-9_-][A-Za-z0-9._-]*'
const fileBelow = said(`^${fileName}(/${fileName})*$`, 'a file below the folder of the Secret, such as ldap/password')
const folder = said(`^${folderName}(/${folderName})*$`, 'a folder below the declaration, such as teams/payments')
const duration = said('^([1-9][0-9]*(ms|s|m|h))?$', 'a time of Prometheus, such as 30s')
/** Of Prometheus: without hyphens and dots. */
const promLabel = said('^[a-zA-Z_][a-zA-Z0-9_]*$', 'the name of a label of Prometheus, such as team')
const matcher = '[a-zA-Z_][a-zA-Z0-9_]*(=|!=|=~|!~)"[^"{}]*"'
