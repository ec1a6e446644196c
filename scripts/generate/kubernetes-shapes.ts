export type JsonSchema = { readonly [keyword: string]: unknown }

// Shapes of Kubernetes that several values have, each closed, and small builders of schemas.

export const closed = (properties: JsonSchema, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
  additionalProperties: false,
})
export const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
export const match = (pattern: string): JsonSchema => ({ type: 'string', pattern })
/**
 * Refuses a text that does not match `pattern`: such a text would have to be equal to `sentence`, so Helm's message contains the sentence. `not`
 * refuses the sentence itself.
 */
export const said = (pattern: string, sentence: string): JsonSchema => ({
  type: 'string',
  if: { pattern },
  else: { const: sentence },
  not: { const: sentence },
})
/** Refuses the names that the chart itself sets: YAML would have them twice. */
export const noneOf = (names: readonly string[]): JsonSchema => {
  const sentence = `a name that the chart does not set itself; it sets ${names.join(' and ')}`
  return { if: { not: { enum: names } }, else: { const: sentence }, not: { const: sentence } }
}

export const text: JsonSchema = { type: 'string' }
export const filled: JsonSchema = { type: 'string', minLength: 1 }
export const flag: JsonSchema = { type: 'boolean' }
export const positive: JsonSchema = { type: 'integer', minimum: 1 }
export const words: JsonSchema = { type: 'object', additionalProperties: text }
/** Labels with the values that Kubernetes accepts. */
export const labels: JsonSchema = {
  type: 'object',
  additionalProperties: said(
    '^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$',
    'at most 63 letters, digits, hyphens, underscores and dots, such as team-a, with a letter or digit at both ends',
  ),
}
/** A part of the names of objects, a Service among them. Empty: the chart's own. */
export const objectName = said(
  '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)?$',
  'at most 63 lower-case letters, digits and hyphens, such as plane-groups, with a letter or digit at both ends',
)
const above0 = '(?:0*[1-9][0-9]*(?:\\.[0-9]+)?|0+\\.[0-9]*[1-9][0-9]*)'
const cores = said(`^${above0}m?$`, 'a number of cores, such as 0.5 or 500m')
const bytes = said(`^${above0}(?:k|Ki|M|Mi|G|Gi|T|Ti)?$`, 'a number of bytes, such as 512Mi or 1Gi; m means thousandths')
export const volume = said(
  `^(?:[1-9][0-9]{6,}|${above0}(?:M|Mi|G|Gi|T|Ti))$`,
  'a size of at least a megabyte, such as 1Gi or 500M; m means thousandths',
)
const amountOf = (texts: JsonSchema): JsonSchema => ({ if: { type: 'number' }, else: texts, exclusiveMinimum: 0 })
export const amounts = closed({ cpu: amountOf(cores), memory: amountOf(bytes), 'ephemeral-storage': amountOf(bytes) })
export const keyed = closed({ name: filled, key: filled, optional: flag }, ['name', 'key'])

const selector = closed({
  matchLabels: words,
  matchExpressions: list(
    closed({ key: filled, operator: { enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'] }, values: list(text) }, ['key', 'operator']),
  ),
})
const cidr = said('^[0-9a-fA-F.:]+/[0-9]{1,3}$', 'addresses, such as 192.0.2.0/24; a NetworkPolicy cannot name hosts')
/** The other side of a connection in a NetworkPolicy. */
export const peers = list(
  closed({ podSelector: selector, namespaceSelector: selector, ipBlock: closed({ cidr, except: list(cidr) }, ['cidr']) }),
)
export const policyPorts = list(
  closed({ port: { type: ['integer', 'string'] }, endPort: positive, protocol: { enum: ['TCP', 'UDP', 'SCTP'] } }),
)
export const probe = closed({
  initialDelaySeconds: { type: 'integer', minimum: 0 },
  periodSeconds: positive,
  timeoutSeconds: positive,
  failureThreshold: positive,
})
const named = closed({ name: filled, optional: flag }, ['name'])
export const envSources = list({
  ...closed({ prefix: text, configMapRef: named, secretRef: named }),
  oneOf: [{ required: ['configMapRef'] }, { required: ['secretRef'] }],
})
export const hostAliases = list(closed({ ip: filled, hostnames: list(filled) }, ['ip', 'hostnames']))
export const dnsConfig = closed({
  nameservers: list(filled),
  searches: list(filled),
  options: list(closed({ name: filled, value: text }, ['name'])),
})
const open: JsonSchema = { type: 'object' }
export const affinity = closed({ nodeAffinity: open, podAffinity: open, podAntiAffinity: open })
/** Only the name is checked: the rest has the shape of Kubernetes, and the API server checks it. */
export const containers = (own: string): JsonSchema =>
  list({ type: 'object', properties: { name: { ...filled, ...noneOf([own]) }, image: filled }, required: ['name', 'image'] })
export const objects = list({
  type: 'object',
  properties: { apiVersion: filled, kind: filled, metadata: { type: 'object', properties: { name: filled }, required: ['name'] } },
  required: ['apiVersion', 'kind', 'metadata'],
})
