import { groupNameCharactersMax, unsafeName } from '../core/safeName.ts'
import { isFilePath, isPlainName, isVariableName } from '../core/secretText.ts'
import { escapesCure } from '../yaml/cures.ts'
import { layersOf, secretPlace } from '../yaml/schemaAt.ts'
import { atMost, z } from '../yaml/zod.ts'
import { ListenError, ldapKeywords, listenKeywords, parseListen, type WrongPath, webKeywords } from './patterns/address.ts'
import {
  attributePattern,
  customerIdPattern,
  emailAddressPattern,
  exactGroupPattern,
  groupPathPattern,
  guidPattern,
  homelessPathPattern,
  hostNamePattern,
  identityProviderPattern,
  nameTemplatePattern,
  plainTextPattern,
  realmPattern,
  roleNamePattern,
  scopePattern,
  settingsName,
  slugPattern,
  tenantPattern,
} from './patterns/name.ts'
import {
  cronKeywords,
  cronProblem,
  cronSentence,
  durationMs,
  durationOf,
  durationPattern,
  durationsWithin,
  timezoneKeywords,
  zoneProblem,
} from './patterns/time.ts'

/** The most bytes of a path of Linux. */
const boundedMax = 4096
/** A text of the settings, such as a DN, a filter or an address. */
export const boundedText = atMost(boundedMax, z.string())

/** `30s`, `10m`, `2h` → milliseconds, from `least` to `most`, which are written in the same way. */
export function duration(least: string, most: string) {
  const [leastMs = 0, mostMs = 0] = [durationMs(least), durationMs(most)]
  const bounds = `${least} to ${most}`
  const text = z
    .string()
    .superRefine((text, context) => {
      const ms = durationMs(text)
      if (ms !== undefined && ms >= leastMs && ms <= mostMs) return
      const isLong = ms === undefined ? /^[1-9]\d{6,}(?:ms|s|m|h|d)$/.test(text) : ms > mostMs
      if (isLong) return context.addIssue(customIssue(`this is longer than ${most}`, `write ${bounds}`))
      if (ms !== undefined) return context.addIssue(customIssue(`this is shorter than ${least}`, `write ${bounds}`))
      context.addIssue(customIssue('a duration is a whole number with a unit', `write it as in 500ms, 30s, 10m, 2h or 1d: ${bounds}`))
    })
    .meta({ pattern: durationPattern, ...durationsWithin(leastMs, mostMs) })
  return z.codec(text, z.number(), { decode: (written) => durationMs(written) ?? Number.NaN, encode: durationOf })
}

const customIssue = (message: string, cure: string) => ({ code: 'custom', message, params: { cure } }) as const

/** A text for which a pattern is enough, with a sentence for other values. */
const patterned = (pattern: string, error: string, cure: string, charactersMax = boundedMax) =>
  atMost(charactersMax, z.string())
    .refine((text) => new RegExp(pattern, 'u').test(text), { error, params: { cure } })
    .meta({ pattern })

/** The name of a workspace, a directory or a credential in the settings. */
export const name = patterned(
  settingsName,
  'a name neither begins nor ends with a blank, and has no slash and no invisible characters',
  'write it with visible characters other than a slash; letters of every script are fine',
  groupNameCharactersMax,
)

const percentagePattern = '^(?:100(?:\\.0+)?|\\d{1,2}(?:\\.\\d+)?)%$'

/** `10%` → 0.1. */
export const percentage = z.codec(
  patterned(percentagePattern, 'a share is a percentage from 0% to 100%', 'write it as 10% or 2.5%'),
  z.number(),
  // 7 % is 0.07, and 0.07 × 100 is 7.000000000000001.
  { decode: (text) => Number.parseFloat(text) / 100, encode: (share) => `${Number((share * 100).toPrecision(12))}%` },
)

/** The path of a file or folder, an id, a name of an account: any text without control characters. */
export const plainText = boundedText
  .min(1)
  .refine((text) => new RegExp(plainTextPattern, 'u').test(text), { error: 'this has a control character', params: { cure: escapesCure } })
  .meta({ pattern: plainTextPattern })

/** The path of a folder that the program makes itself. YAML has no `~` for the home folder, so the folder would be called `~`. */
export const madeFolder = plainText
  .refine((text) => !/^~(?:\/|$)/.test(text), {
    error: '~ is not the home folder here: only a shell replaces it',
    params: { cure: 'write the whole path, as in /home/ann/state' },
  })
  .meta({ pattern: homelessPathPattern })

const certificateFiles = z.registry<{ readonly holds: 'certificates' }>()
/** The path of a PEM file with certificates. All such settings are found by this mark. */
export const certificateFile = plainText.clone().register(certificateFiles, { holds: 'certificates' })
// `get` also finds the mark of the schema from which a description has made a copy.
export const isCertificateFile = (schema: z.ZodType): boolean => layersOf(schema).some((layer) => certificateFiles.get(layer) !== undefined)

export const attribute = patterned(
  attributePattern,
  'this is not the name of an attribute',
  'write one name of letters, digits and hyphens, such as cn or entryUUID',
)

/** The name of a group in LDAP: an attribute, or a template of attributes. */
export const nameTemplate = patterned(
  nameTemplatePattern,
  'this is neither the name of an attribute nor a text with attributes in braces',
  "write an attribute, such as cn, or a template in single quotes, such as 'AD\\{sAMAccountName}'",
)

/** A name of a host, without a scheme and a port. */
export const hostName = patterned(
  hostNamePattern,
  'this is not the name of a host',
  'write it without scheme, port and path: ldap.example.com',
)

export const realmName = patterned(
  realmPattern,
  'this is not the name of a realm',
  'write only its name, as in the address after /realms/: without slashes, blanks at its ends and invisible characters',
)

/** The e-mail address of an account of Google. */
export const emailAddress = patterned(emailAddressPattern, 'this is not an e-mail address', 'write it as in reader@example.com')

/** A provider of a workload identity pool of Google Cloud. */
export const identityProvider = patterned(
  identityProviderPattern,
  'this is not the name of a provider of a workload identity pool',
  'write it as in projects/123456/locations/global/workloadIdentityPools/pool/providers/cluster, with the number of the project and nothing before "projects/"',
)

/** The customer id of a Google Workspace. */
export const customerId = patterned(customerIdPattern, 'this is not a customer id', 'write it as in C046psxkn, or my_customer')

/** The application (client) id of an application in Microsoft Entra ID. */
export const applicationId = patterned(
  guidPattern,
  'this is not the id of an application',
  'write the application (client) id, as in 00001111-aaaa-2222-bbbb-3333cccc4444',
)

export const tenant = patterned(
  tenantPattern,
  'this is not a tenant',
  'write its id, as in aaaabbbb-0000-cccc-1111-dddd2222eeee, or one of its domains, as in contoso.onmicrosoft.com',
)

/** The path of a group in Keycloak, as its admin console shows it. */
export const groupPath = patterned(
  groupPathPattern,
  'this is not the path of a group',
  'write the whole path from the top, without a slash at its end: /plane/teams; a slash inside a name is written ~/',
)

export const roleName = patterned(
  roleNamePattern,
  'this is not the slug of a role',
  'write it without blanks at its ends and invisible characters, such as guest, member, admin',
  groupNameCharactersMax,
)
export const roleNames = z
  .array(roleName)
  .refine((names) => new Set(names).size === names.length, { error: 'a role is here twice', params: { cure: 'name each role once' } })
  .meta({ uniqueItems: true })

/** Exact names of groups. A longer name than Plane takes is no group. */
export const groupNames = z.array(z.string().min(1).max(groupNameCharactersMax))

/** An OAuth scope (RFC 6749 §3.3). */
export const scope = patterned(scopePattern, 'this is not an OAuth scope', 'write each scope as an item of its own, such as projects:read')

/** The name of an environment variable has no `=` and no NUL. */
const variableName = patterned(
  '^[^=\\x00-\\x1f\\x7f]+$',
  'this is not the name of a variable',
  'write the name only, such as PLANE_API_KEY',
)

const inFile = plainText.describe(
  'A file that contains the secret. One line end after it is ignored. The file is read again at every cycle.',
)

/** A reference to a secret, never the secret itself, because the settings file may be in git. */
export const secret = secretPlace(
  z
    .union([
      z.strictObject({ file: inFile }),
      z.strictObject({ env: variableName.describe('The name of an environment variable that contains the secret.') }),
    ])
    .describe('A reference to a secret: `{file: …}` or `{env: …}`.'),
  {
    shows: (name, key) => (key === 'env' ? isVariableName(name) : key === 'file' && isFilePath(name)),
    cure: 'write { file: … }, the path of a file that holds it, or { env: … }, the name of a variable',
  },
)
/** A reference to a secret that another program renews: a variable would keep the old one. */
export const secretFile = secretPlace(z.strictObject({ file: inFile }), {
  shows: (name, key) => key === 'file' && isFilePath(name),
  cure: 'write { file: … }, the path of a file that holds it',
})
export type SecretReference = z.output<typeof secret>

/** The name of a credential. By mistake it may be the secret itself, so it is only shown if it looks like a name. */
export const credentialName = secretPlace(atMost(groupNameCharactersMax, z.string()), { shows: isPlainName })

/**
 * Texts whose errors come from `checkSettings`, since a pattern has no good error message. The patterns are for the JSON Schemas, which Helm and
 * editors read. Tests check that the patterns and `checkSettings` accept the same texts.
 */
const address = boundedText.refine((text) => URL.canParse(text), {
  error: 'this is not an address of HTTP',
  params: { cure: 'write https://plane.example.com, with a port or a path where they are needed' },
})
const webAddresses = z.registry<{ readonly wrong: WrongPath | undefined }>()
export const webAddress = (wrong?: WrongPath) => address.meta({ format: 'uri', ...webKeywords(wrong) }).register(webAddresses, { wrong })
/** The mark of an address of HTTP; undefined for any other schema. All such settings are found by it. */
export const webAddressMark = (schema: z.ZodType | undefined) =>
  schema && layersOf(schema).flatMap((layer) => webAddresses.get(layer) ?? [])[0]
export const ldapAddress = boundedText.meta(ldapKeywords)
export const listenAddress = boundedText
  .superRefine((text, context) => {
    try {
      parseListen(text)
    } catch (error) {
      if (!(error instanceof ListenError)) throw error
      const cure = 'write host:port, [::1]:port, or :port for every address; a port is at most 65535'
      context.addIssue({ code: 'custom', message: error.message, params: { cure } })
    }
  })
  .meta(listenKeywords)
export const cron = boundedText
  .superRefine((text, context) => {
    const problem = cronProblem(text)
    if (problem !== undefined) context.addIssue({ code: 'custom', message: cronSentence(text, problem), params: { cure: problem.cure } })
  })
  .meta(cronKeywords)
export const timezone = boundedText
  .superRefine((text, context) => {
    const problem = zoneProblem(text)
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem.why, params: { cure: problem.cure } })
  })
  .meta(timezoneKeywords)
export const slugCure = "the slug from the workspace's address in Plane, which has letters, digits, hyphens and underscores only"
export const isSlug = (text: string): boolean => new RegExp(slugPattern, 'u').test(text)
export const slug = boundedText
  .refine(isSlug, { error: ({ input }) => `"${String(input)}" cannot be a slug`, params: { cure: `write ${slugCure}` } })
  .meta({ pattern: slugPattern })

/** A name that no mapping can have would protect nothing. */
const protectedGroup = groupNames.element
  .superRefine((name, context) => {
    const add = (message: string) => context.addIssue({ code: 'custom', message, params: { cure: exactNameCure, unseen: true } })
    if (/[*?]/.test(name)) return add('"protectedGroups" takes exact names, without * and ?')
    const why = name === '' || name.length > groupNameCharactersMax ? undefined : unsafeName(name)
    if (why !== undefined) add(`no mapping can be written for this name: ${why}`)
  })
  .meta({ pattern: exactGroupPattern })

export const protectedGroups = z
  .array(protectedGroup)
  .default([])
  .describe('Groups, by their exact names, for which every change needs approval.')

const exactNameCure = 'write each name exactly as the directory has it'

/** @param what that is sent: a secret, a token */
export const plainHttp = (what: string) =>
  z.boolean().default(false).describe(`Allow plain \`http:\` to another host. Everybody on the network path can then read the ${what}.`)
