export type JsonSchema = { readonly [keyword: string]: unknown }

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
          repository: filled,
          tag: text,
          digest: match('^(sha256:[0-9a-f]{64})?$'),
          pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
        },
        ['repository'],
      ),
      imagePullSecrets: list(closed({ name: filled }, ['name'])),
      replicas: { enum: [0, 1] },
      nameOverride: text,
      fullnameOverride: text,
      settings: { $ref: '#/$defs/settings' },
      declaration: closed({
        files: { type: 'object', propertyNames: match('^[A-Za-z0-9_-][A-Za-z0-9._-]*\\.ya?ml$'), additionalProperties: text },
        existingConfigMap: text,
      }),
      existingSecret: text,
      secretItems: list(closed({ key: filled, path: filled }, ['key', 'path'])),
      persistence: closed({ enabled: flag, size: volume, storageClassName: text, existingClaim: text }, ['enabled', 'size']),
      serviceAccount: closed({ create: flag, name: text, annotations: words }),
      service: closed({ enabled: flag, port: { type: 'integer', minimum: 1, maximum: 65_535 }, annotations: words }, ['port']),
      resources: closed({ requests: amounts, limits: amounts }),
      podSecurityContext: closed({ runAsUser: id, runAsGroup: id, fsGroup: id }),
      podAnnotations: { ...words, propertyNames: noneOf(['checksum/settings']) },
      podLabels: { ...words, propertyNames: noneOf(['app.kubernetes.io/name', 'app.kubernetes.io/instance']) },
      nodeSelector: words,
      tolerations: list(
        closed({ key: text, operator: { enum: ['Exists', 'Equal'] }, value: text, effect: text, tolerationSeconds: { type: 'integer' } }),
      ),
      extraEnv: list({
        ...closed(
          {
            name: { ...filled, ...noneOf(['PLANE_GROUP_SYNC_CONFIG']) },
            value: text,
            valueFrom: closed({ secretKeyRef: keyed, configMapKeyRef: keyed, fieldRef }),
          },
          ['name'],
        ),
        not: { required: ['value', 'valueFrom'] },
      }),
      extraVolumes: list({ type: 'object', properties: { name: filled }, required: ['name'] }),
      extraVolumeMounts: list(closed({ name: filled, mountPath: match('^/'), subPath: text, readOnly: flag }, ['name', 'mountPath'])),
    },
    // The templates use parts of these. A value `null` removes them.
    ['settings', 'image', 'declaration', 'persistence', 'serviceAccount', 'service'],
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

const closed = (properties: JsonSchema, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
  additionalProperties: false,
})
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
const match = (pattern: string): JsonSchema => ({ type: 'string', pattern })
/**
 * Refuses a text that does not match `pattern`: such a text would have to be equal to `sentence`, so Helm's message contains the sentence. `not`
 * refuses the sentence itself.
 */
const said = (pattern: string, sentence: string): JsonSchema => ({
  type: 'string',
  if: { pattern },
  else: { const: sentence },
  not: { const: sentence },
})
/** Refuses the names that the chart itself sets: YAML would have them twice. */
const noneOf = (names: readonly string[]): JsonSchema => {
  const sentence = `a name that the chart does not set itself; it sets ${names.join(' and ')}`
  return { if: { not: { enum: names } }, else: { const: sentence }, not: { const: sentence } }
}

const text: JsonSchema = { type: 'string' }
const filled: JsonSchema = { type: 'string', minLength: 1 }
const flag: JsonSchema = { type: 'boolean' }
const id: JsonSchema = { type: 'integer', minimum: 1 }
const words: JsonSchema = { type: 'object', additionalProperties: text }
const above0 = '(?:0*[1-9][0-9]*(?:\\.[0-9]+)?|0+\\.[0-9]*[1-9][0-9]*)'
const cores = said(`^${above0}m?$`, 'a number of cores, such as 0.5 or 500m')
const bytes = said(`^${above0}(?:k|Ki|M|Mi|G|Gi|T|Ti)?$`, 'a number of bytes, such as 512Mi or 1Gi; m means thousandths')
const volume = said(
  `^(?:[1-9][0-9]{6,}|${above0}(?:M|Mi|G|Gi|T|Ti))$`,
  'a size of at least a megabyte, such as 1Gi or 500M; m means thousandths',
)
const amountOf = (texts: JsonSchema): JsonSchema => ({ if: { type: 'number' }, else: texts, exclusiveMinimum: 0 })
const amounts = closed({ cpu: amountOf(cores), memory: amountOf(bytes), 'ephemeral-storage': amountOf(bytes) })
const keyed = closed({ name: filled, key: filled, optional: flag }, ['name', 'key'])
const fieldRef = closed({ fieldPath: filled }, ['fieldPath'])
