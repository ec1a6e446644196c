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
/** Refuses all that `allowed` refuses, with this sentence in Helm's message. */
const orSaid = (allowed: JsonSchema, sentence: string): JsonSchema => ({
  if: allowed,
  else: { const: sentence },
  not: { const: sentence },
})
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

const part = '[a-z0-9]([a-z0-9-]*[a-z0-9])?'
const subdomain = `${part}(\\.${part})*`
const nameSentence = (example: string) =>
  `the name of an object: lower-case letters, digits, hyphens and dots, such as ${example}, with a letter or digit at both ends`
/** The name of an existing object. */
export const nameOf = (example: string): JsonSchema => ({ ...said(`^${subdomain}$`, nameSentence(example)), maxLength: 253 })
/** The name of an existing object, or empty. */
export const nameOrNone = (example: string): JsonSchema => ({ ...said(`^(${subdomain})?$`, nameSentence(example)), maxLength: 253 })
/** The name of a container or a volume. */
export const partName = said(
  '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$',
  'at most 63 lower-case letters, digits and hyphens, such as git-sync, with a letter or digit at both ends',
)
export const variableName = said('^[A-Za-z_.-][A-Za-z0-9_.-]*$', 'the name of a variable, such as HTTPS_PROXY')
export const dataKey = said(
  '^[A-Za-z0-9._-]+$',
  'a key of a Secret or ConfigMap: letters, digits, hyphens, underscores and dots, such as api-key',
)
const address = said('^([0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)$', 'an IP address, such as 192.0.2.1')
const hostname = said(
  '^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*\\.?$',
  'the name of a host, such as plane.example.com',
)

/** The name of a label or an annotation. */
const qualified = said(
  `^(${subdomain}/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$`,
  'a name such as team or example.com/team, with at most 63 characters after the slash',
)
export const words: JsonSchema = { type: 'object', propertyNames: qualified, additionalProperties: text }
/** Labels with the values that Kubernetes accepts. */
export const labels: JsonSchema = {
  type: 'object',
  propertyNames: qualified,
  additionalProperties: said(
    '^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$',
    'at most 63 letters, digits, hyphens, underscores and dots, such as team-a, with a letter or digit at both ends',
  ),
}
/** The same map, without the names that the chart itself sets. */
export const but = (map: JsonSchema, names: readonly string[]): JsonSchema => ({
  ...map,
  propertyNames: { allOf: [map['propertyNames'], noneOf(names)] },
})
/** A part of the names of objects, a Service among them. Empty: the chart's own. */
export const objectName = said(
  '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)?$',
  'at most 63 lower-case letters, digits and hyphens, such as plane-groups, with a letter or digit at both ends',
)
const above0 = '(?:0*[1-9][0-9]*(?:\\.[0-9]+)?|0+\\.[0-9]*[1-9][0-9]*)'
/** 500 without m is a mistake: the program uses one core, and a pod that requests more cores than a node has never starts. */
const coresMax = 16
const cores = orSaid(
  {
    anyOf: [
      { type: 'number', exclusiveMinimum: 0, maximum: coresMax },
      { type: 'string', pattern: `^(?:${above0}m|0*(?:[1-9]|1[0-6])(?:\\.[0-9]+)?|0+\\.[0-9]*[1-9][0-9]*)$` },
    ],
  },
  `a number of cores up to ${coresMax}, such as 0.5 or 500m`,
)
/** A number without a unit counts single bytes, and m thousandths of a byte: both are mistakes. */
const bytes = orSaid(
  { type: 'string', pattern: `^(?:[1-9][0-9]{3,}(?:k|Ki)|${above0}(?:M|Mi|G|Gi|T|Ti))$` },
  'a size with a unit, of at least a megabyte, such as 512Mi or 1Gi',
)
export const volume = bytes
export const amounts = closed({ cpu: cores, memory: bytes, 'ephemeral-storage': bytes })
export const keyed = closed({ name: nameOf('plane-secrets'), key: dataKey, optional: flag }, ['name', 'key'])

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
const named = closed({ name: nameOf('proxy'), optional: flag }, ['name'])
export const envSources = list({
  ...closed({ prefix: text, configMapRef: named, secretRef: named }),
  oneOf: [{ required: ['configMapRef'] }, { required: ['secretRef'] }],
})
export const hostAliases = list(closed({ ip: address, hostnames: list(hostname) }, ['ip', 'hostnames']))
export const dnsConfig = closed({
  nameservers: list(address),
  searches: list(filled),
  options: list(closed({ name: filled, value: text }, ['name'])),
})
const open: JsonSchema = { type: 'object' }
export const affinity = closed({ nodeAffinity: open, podAffinity: open, podAntiAffinity: open })
/** Only the name is checked: the rest has the shape of Kubernetes, and the API server checks it. */
export const containers = (own: string): JsonSchema =>
  list({ type: 'object', properties: { name: { allOf: [partName, noneOf([own])] }, image: filled }, required: ['name', 'image'] })
export const objects = list({
  type: 'object',
  properties: { apiVersion: filled, kind: filled, metadata: { type: 'object', properties: { name: filled }, required: ['name'] } },
  required: ['apiVersion', 'kind', 'metadata'],
})
