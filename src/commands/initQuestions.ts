import { flowMap, yamlScalar } from '../render/yamlText.ts'

/** What `init` has to know: a name, the question, and what is taken without an answer. */
export type Question = {
  readonly name: string
  readonly asks: string
  readonly usually?: string
  /** The answer only names the secret. */
  readonly secret?: true
  /** The answers that are possible; absent: any text. */
  readonly among?: readonly string[]
  /** Whether a person is asked, by the answers so far. The command line can always give the value. `isAgain`: the answers before did not work. */
  readonly asked?: (answers: Answers, isAgain: boolean) => boolean
}

type Answers = Readonly<Record<string, string>>
/** The questions of a kind, and the lines of its settings. */
type Kind = { readonly questions: readonly Question[]; readonly lines: (answers: Answers) => readonly string[] }

const question = (name: string, asks: string, usually?: string): Question =>
  usually === undefined ? { name, asks } : { name, asks, usually }
const secret = (name: string, asks: string, usually: string): Question => ({ name, asks, usually, secret: true })
/** Few have a CA of their own, so it is asked when a connection may have failed because of it. */
const caFile = (whose: string, hasTls: (answers: Answers) => boolean): Question => ({
  name: 'caFile',
  asks: `PEM file with the CA of ${whose}, if it is your own`,
  usually: 'none',
  asked: (answers, isAgain) => isAgain && hasTls(answers),
})

const text = (answers: Answers, name: string): string => yamlScalar(answers[name] ?? '')
const reference = (answers: Answers, name: string): string => referenceYaml(answers[name] ?? '')
const caLine = ({ caFile: file = 'none' }: Answers): readonly string[] => (file === 'none' ? [] : [`caFile: ${yamlScalar(file)}`])

const begins = (name: string, scheme: string) => (answers: Answers) => (answers[name] ?? '').startsWith(scheme)
const isPlainLdap = begins('address', 'ldap:')
const hasLdapTls = (answers: Answers): boolean => begins('address', 'ldaps:')(answers) || answers['tls'] === 'startTls'

export const planeQuestions: readonly Question[] = [
  question('base-url', 'Address of Plane, such as https://plane.example.com'),
  caFile('Plane', begins('base-url', 'https:')),
  question('workspace', 'Slug of the workspace, from its address in Plane'),
  secret('key', 'API key of Plane', 'env:PLANE_API_KEY'),
]

/** Only what a directory cannot be read without. docs/directories.md has the rest. */
export const directoryKinds = {
  ldap: {
    questions: [
      question('address', 'Address of the LDAP server, such as ldaps://ldap.example.com'),
      {
        name: 'tls',
        asks: 'Encryption: startTls, or none, with which everyone on the way can read the password',
        usually: 'startTls',
        among: ['startTls', 'none'],
        asked: isPlainLdap,
      },
      caFile('the LDAP server', hasLdapTls),
      {
        ...question('serverName', "Name in the server's certificate, if the address has another one", 'none'),
        asked: (answers, isAgain) => isAgain && hasLdapTls(answers),
      },
      question('bindDn', 'DN of the account that reads (Active Directory also: reader@example.com), or "anonymous"'),
      { ...secret('password', 'Its password', 'env:LDAP_PASSWORD'), asked: ({ bindDn }) => bindDn !== 'anonymous' },
      question('base', 'DN below which the groups are, such as ou=groups,dc=example,dc=com'),
      question('name', 'Attribute with the names as the claim of a login has them; Active Directory often: sAMAccountName', 'cn'),
    ],
    lines: (of) => [
      `addresses: [${text(of, 'address')}]`,
      ...(of['tls'] === 'startTls' ? ['startTls: true'] : []),
      ...(of['tls'] === 'none' ? ['allowPlaintext: true # everyone on the way can read the password'] : []),
      ...caLine(of),
      ...((of['serverName'] ?? 'none') === 'none' ? [] : [`serverName: ${text(of, 'serverName')}`]),
      of['bindDn'] === 'anonymous' ? 'bind: anonymous' : `bind: { dn: ${text(of, 'bindDn')}, password: ${reference(of, 'password')} }`,
      `groups: { base: ${text(of, 'base')}, name: ${text(of, 'name')} } # with "member: member" plans count people`,
    ],
  },
  keycloak: {
    questions: [
      question('url', 'Address of Keycloak, without /realms/…'),
      caFile('Keycloak', begins('url', 'https:')),
      question('realm', 'Realm'),
      question('client', 'Client id, whose service account has the role view-users', 'plane-group-sync'),
      secret('secret', 'Its secret', 'env:KEYCLOAK_SECRET'),
      {
        ...question('names', 'Names of groups in the claim: path (/engineering) or name (engineering)', 'path'),
        among: ['path', 'name'],
      },
    ],
    lines: (of) => [
      `url: ${text(of, 'url')}`,
      ...caLine(of),
      `realm: ${text(of, 'realm')}`,
      `client: { id: ${text(of, 'client')}, secret: ${reference(of, 'secret')} }`,
      `groups: { name: ${text(of, 'names')} } # as the claim of a login has them. With "members: true" plans count people`,
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
    questions: [
      question('url', 'Address of the SCIM server, up to /v2'),
      caFile('the SCIM server', begins('url', 'https:')),
      secret('token', 'Bearer token', 'env:SCIM_TOKEN'),
    ],
    lines: (of) => [`url: ${text(of, 'url')}`, ...caLine(of), `token: ${reference(of, 'token')}`],
  },
  file: {
    questions: [question('path', 'YAML file with the groups, such as groups: [{ name: eng }]')],
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

/** What was answered: the values of `planeQuestions`, and those of the kind. */
export type PlaneAnswers = Answers
export type DirectoryAnswers = { readonly kind: InitKind; readonly values: Answers }

/** The settings file. It has no secret. */
export function settingsText(plane: PlaneAnswers, { kind, values }: DirectoryAnswers): string {
  const { lines }: Kind = directoryKinds[kind]
  return [
    '# The settings of plane-group-sync: docs/settings.md. Secrets are only named here.',
    'version: 1',
    'service:',
    `  baseUrl: ${text(plane, 'base-url')}`,
    ...caLine(plane).map((line) => `  ${line}`),
    `  credential: { apiKey: ${reference(plane, 'key')} }`,
    'workspaces: # the only ones that are ever touched',
    `  ${text(plane, 'workspace')}: {}`,
    `declaration: ./${declarationFolder}`,
    ...(kind === 'none'
      ? ['# directories: without one, nothing checks that the groups exist, and patterns are an error. docs/directories.md']
      : ['directories:', `  ${directoryName}:`, `    kind: ${kind}`, ...lines(values).map((line) => `    ${line}`)]),
    'journal: { folder: ./state } # keep it, and keep it out of git',
    'policy: observe # writes nothing. Remove this line when "plane-group-sync plan" shows what you want',
    '',
  ].join('\n')
}

/** The files that the answers name as places of secrets. */
export const secretFiles = (plane: PlaneAnswers, { kind, values }: DirectoryAnswers): readonly string[] => [
  ...filesIn(planeQuestions, plane),
  ...filesIn(directoryKinds[kind].questions, values),
]

const filesIn = (questions: readonly Question[], answers: Answers): readonly string[] =>
  questions.flatMap(({ name, secret: isSecret }) => {
    const named = isSecret === true ? referenceIn(answers[name] ?? '') : undefined
    return named?.how === 'file' ? [named.where] : []
  })

export const declarationFolder = 'groups'
export const newSettingsFile = 'plane-group-sync.yaml'
