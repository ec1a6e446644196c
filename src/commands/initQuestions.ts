import { flowMap, yamlScalar } from '../render/yamlText.ts'

/** What `init` has to know of a directory: a name for `--set`, the question, and what is taken without an answer. `secret`: the answer only names it. */
export type Question = {
  readonly name: string
  readonly asks: string
  readonly usually?: string
  readonly secret?: true
}

type Answers = Readonly<Record<string, string>>
/** The questions of a kind, and the lines of its settings. */
type Kind = { readonly questions: readonly Question[]; readonly lines: (answers: Answers) => readonly string[] }

const question = (name: string, asks: string, usually?: string): Question =>
  usually === undefined ? { name, asks } : { name, asks, usually }
const secret = (name: string, asks: string, usually: string): Question => ({ name, asks, usually, secret: true })

const text = (answers: Answers, name: string): string => yamlScalar(answers[name] ?? '')
const reference = (answers: Answers, name: string): string => referenceYaml(answers[name] ?? '')

/** Only what a directory cannot be read without. docs/directories.md has the rest. */
export const directoryKinds = {
  ldap: {
    questions: [
      question('address', 'Address of the LDAP server, such as ldaps://ldap.example.com'),
      question('bindDn', 'DN of the account that reads, or "anonymous"'),
      secret('password', 'Its password', 'env:LDAP_PASSWORD'),
      question('base', 'DN below which the groups are, such as ou=groups,dc=example,dc=com'),
    ],
    lines: (of) => [
      `addresses: [${text(of, 'address')}]`,
      of['bindDn'] === 'anonymous' ? 'bind: anonymous' : `bind: { dn: ${text(of, 'bindDn')}, password: ${reference(of, 'password')} }`,
      `groups: { base: ${text(of, 'base')} } # name: cn, unless the claim of a login has another attribute`,
    ],
  },
  keycloak: {
    questions: [
      question('url', 'Address of Keycloak, without /realms/…'),
      question('realm', 'Realm'),
      question('client', 'Client id, whose service account has the role view-users', 'plane-group-sync'),
      secret('secret', 'Its secret', 'env:KEYCLOAK_SECRET'),
      question('names', 'Names of groups in the claim: path (/engineering) or name (engineering)', 'path'),
    ],
    lines: (of) => [
      `url: ${text(of, 'url')}`,
      `realm: ${text(of, 'realm')}`,
      `client: { id: ${text(of, 'client')}, secret: ${reference(of, 'secret')} }`,
      `groups: { name: ${text(of, 'names')} } # as the claim of a login has them`,
    ],
  },
  entra: {
    questions: [
      question('tenant', 'Tenant: its id, or one of its domains'),
      question('client', 'Application (client) id of the app registration'),
      secret('secret', 'Its secret', 'env:ENTRA_SECRET'),
    ],
    lines: (of) => [`tenant: ${text(of, 'tenant')}`, `client: { id: ${text(of, 'client')}, secret: ${reference(of, 'secret')} }`],
  },
  okta: {
    questions: [
      question('url', 'Address of the organization, such as https://example.okta.com'),
      secret('token', 'API token', 'env:OKTA_TOKEN'),
    ],
    lines: (of) => [`url: ${text(of, 'url')}`, `token: ${reference(of, 'token')}`],
  },
  google: {
    questions: [
      secret('key', 'Key (JSON) of the service account', 'file:google-key.json'),
      question('subject', 'E-mail address of the user in whose name it reads, or "none"', 'none'),
    ],
    lines: (of) => {
      const subject = of['subject'] === 'none' ? '' : `, subject: ${text(of, 'subject')}`
      return [`account: { key: ${reference(of, 'key')}${subject} }`]
    },
  },
  scim: {
    questions: [question('url', 'Address of the SCIM server, up to /v2'), secret('token', 'Bearer token', 'env:SCIM_TOKEN')],
    lines: (of) => [`url: ${text(of, 'url')}`, `token: ${reference(of, 'token')}`],
  },
  file: {
    questions: [question('path', 'YAML file with the groups')],
    lines: (of) => [`path: ${text(of, 'path')}`],
  },
  none: { questions: [], lines: () => [] },
} as const satisfies Readonly<Record<string, Kind>>
export type InitKind = keyof typeof directoryKinds

/** `env:NAME` or `file:PATH` as the settings have it: `{ env: NAME }`. */
function referenceYaml(answer: string): string {
  const { how, where } = referenceIn(answer) ?? { how: 'env', where: answer }
  return flowMap([[how, yamlScalar(where)]])
}

/** Undefined for anything else, such as a secret itself. */
export function referenceIn(answer: string): { readonly how: 'env' | 'file'; readonly where: string } | undefined {
  const [, how, where] = /^(env|file):(.+)$/s.exec(answer) ?? []
  if (where === undefined || (how === 'env' && !/^[A-Za-z_]\w*$/.test(where))) return undefined
  return { how: how as 'env' | 'file', where }
}

/** The name of the directory in the settings. */
export const directoryName = 'corp'

/** What a person has answered. `key`: where the API key is, `env:NAME` or `file:PATH`. */
export type InitAnswers = {
  readonly baseUrl: string
  readonly key: string
  readonly slug: string
  readonly kind: InitKind
  readonly directory: Answers
}

/** The settings file. It has no secret. */
export function settingsText({ baseUrl, key, slug, kind, directory }: InitAnswers): string {
  const { lines }: Kind = directoryKinds[kind]
  const own = lines(directory)
  return [
    '# The settings of plane-group-sync: docs/settings.md. Secrets are only named here.',
    'version: 1',
    'service:',
    `  baseUrl: ${yamlScalar(baseUrl)}`,
    `  credential: { apiKey: ${referenceYaml(key)} }`,
    'workspaces: # the only ones that are ever touched',
    `  ${yamlScalar(slug)}: {}`,
    `declaration: ./${declarationFolder}`,
    ...(kind === 'none'
      ? ['# directories: without one, nothing checks that the groups exist, and patterns are an error. docs/directories.md']
      : ['directories:', `  ${directoryName}:`, `    kind: ${kind}`, ...own.map((line) => `    ${line}`)]),
    'journal: { folder: ./state } # keep it, and keep it out of git',
    'policy: observe # writes nothing. Remove this line when "plane-group-sync plan" shows what you want',
    '',
  ].join('\n')
}

export const declarationFolder = 'groups'
export const newSettingsFile = 'plane-group-sync.yaml'
