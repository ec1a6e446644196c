import { hostname } from 'node:os'
import { planFormat } from '../../src/core/plan.ts'
import { documentFormat } from '../../src/core/render/json.ts'
import { type Given, usualFiles } from './bad-input-world.ts'

/** Something that is given to the program, and what a person gets. docs/bad-input.md is made from these. */
export type BadInput = Given & {
  readonly what: string
  readonly exit: 0 | 1 | 64 | 78
  /** What a person sees: of what is refused all of it, otherwise the lines that say why. */
  readonly shows: string
  /** How many requests changed something at the service; none unless said. */
  readonly writes?: number
}

export type Chapter = { readonly title: string; readonly says: string; readonly rows: readonly BadInput[] }

const declared = (lists: string, more: Readonly<Record<string, string>> = {}) => ({
  'groups.yaml': `version: 1\nworkspaces:\n  acme:\n${lists}`,
  ...more,
})
const rule = (text: string) => declared(`    projectRoles:\n      - ${text}\n`)
const known = (...names: readonly string[]) => ({ 'corp.yaml': JSON.stringify({ groups: names.map((name) => ({ name })) }) })
export const settings = (from: string, to: string) => ({ 'config.yaml': (usualFiles['config.yaml'] as string).replace(from, to) })
const directory = (text: string) => settings('corp: { kind: file, path: corp.yaml }', text)
const projects = { workspaces: { acme: { projects: ['ENG', 'OPS'] } } }

const savedPlanOf = (workspace: string) =>
  JSON.stringify({
    format: documentFormat,
    version: planFormat,
    workspaces: [{ workspace, slug: workspace, host: 'plane.example.com', fingerprint: 'a'.repeat(64), changes: [] }],
  })

const refused: readonly BadInput[] = [
  {
    what: 'An unknown key',
    files: rule('{ group: engineering, project: ENG, role: member, expire: 2027-01-31 }'),
    exit: 78,
    shows: ``,
  },
  {
    what: 'A key that is there twice',
    files: rule('{ group: engineering, project: ENG, project: OPS, role: member }'),
    exit: 78,
    shows: ``,
  },
  {
    what: 'A tag',
    files: rule('{ group: !!str 2024, project: ENG, role: member }'),
    exit: 78,
    shows: ``,
  },
  {
    what: 'Aliases of aliases, which would fill the memory',
    files: { 'groups.yaml': 'a: &a [x, x, x]\nb: &b [*a, *a, *a]\nc: [*b, *b, *b]\n' },
    exit: 78,
    shows: ``,
  },
  {
    what: 'A file of two megabytes',
    files: { 'groups.yaml': `version: 1\n# ${'x'.repeat(2_000_000)}\n` },
    exit: 78,
    shows: ``,
  },
  {
    what: 'A `%YAML` directive',
    files: { 'groups.yaml': '%YAML 1.1\n---\nversion: 1\nworkspaces: {}\n' },
    exit: 78,
    shows: ``,
  },
  {
    what: 'Lookaround in a pattern',
    files: rule('{ groupRegex: "(?!eng-x)eng-.*", project: ENG, role: member }'),
    exit: 78,
    shows: ``,
  },
  {
    what: 'A back-reference in a pattern',
    files: rule("{ groupRegex: '(a+)b\\1', project: ENG, role: member }"),
    exit: 78,
    shows: ``,
  },
  {
    what: 'A capture that the pattern does not have',
    files: rule('{ groupRegex: "eng-(?<app>[a-z]+)", project: { capture: ap }, role: member }'),
    exit: 78,
    shows: ``,
  },
  {
    what: 'A captured role without a map',
    files: rule('{ groupRegex: "eng-(?<level>[a-z]+)", project: ENG, role: { capture: level } }'),
    exit: 78,
    shows: ``,
  },
  {
    what: 'Two exact rules that give one key different roles',
    files: declared(`    projectRoles:
      - { group: engineering, project: ENG, role: member }
      - { groups: [engineering, platform], project: ENG, role: guest }
`),
    exit: 78,
    shows: ``,
  },
  {
    what: 'A group name of more than 255 characters',
    files: rule(`{ project: ENG, role: member, group: ${'engineering-'.repeat(22)} }`),
    exit: 78,
    shows: ``,
  },
  {
    what: '`project` beside `allProjects`',
    files: rule('{ group: engineering, project: ENG, allProjects: true, role: member }'),
    exit: 78,
    shows: ``,
  },
  {
    what: 'A list without a value',
    files: declared('    projectRoles:\n'),
    exit: 78,
    shows: ``,
  },
  {
    what: 'A workspace that the settings do not name',
    files: { 'groups.yaml': 'version: 1\nworkspaces:\n  acmee: { projectRoles: [] }\n' },
    exit: 78,
    shows: ``,
  },
  {
    what: 'A secret file that is not there',
    files: { 'api-key': null },
    exit: 78,
    shows: ``,
  },
  {
    what: 'A secret file that is empty',
    files: { 'api-key': '\n' },
    exit: 78,
    shows: ``,
  },
  {
    what: 'A secret variable that is not set',
    files: settings('{ file: api-key }', '{ env: PLANE_KEY }'),
    exit: 78,
    shows: ``,
  },
  {
    what: 'Certificates that are not there',
    files: settings('workspaces:', '  caFile: ca.pem\nworkspaces:'),
    exit: 78,
    shows: ``,
  },
  {
    what: 'A declaration that is not there',
    files: { 'groups.yaml': null },
    exit: 78,
    shows: ``,
  },
  {
    what: 'A declaration folder without a YAML file',
    files: { ...settings('groups.yaml', 'groups'), 'groups/README.md': 'see the wiki' },
    exit: 78,
    shows: ``,
  },
  {
    what: 'A settings file that is not there',
    args: ['apply', '--config', 'conf.yaml', '--yes'],
    exit: 78,
    shows: ``,
  },
  {
    what: 'A folder in place of the settings file',
    args: ['apply', '--config', '.', '--yes'],
    exit: 78,
    shows: ``,
  },
  {
    what: 'A setting that does not exist',
    files: settings('journal:', 'jurnal:'),
    exit: 78,
    shows: ``,
  },
  {
    what: 'No address of the service, in the file or in the environment',
    files: settings('  baseUrl: SERVICE\n', ''),
    exit: 78,
    shows: ``,
  },
  {
    what: 'An address that would show the key to everyone on the way',
    files: settings('SERVICE', 'http://plane.example.com'),
    exit: 78,
    shows: ``,
  },
  {
    what: 'Two workspaces with one slug',
    files: settings('  acme: {}', '  acme: {}\n  emca: { slug: acme }'),
    exit: 78,
    shows: ``,
  },
  {
    what: 'A schedule that is none',
    files: settings('http: none', 'schedule: { cron: "61 * * * *" }\nhttp: none'),
    args: ['run'],
    exit: 78,
    shows: ``,
  },
  {
    what: 'A time zone that is none',
    files: settings('http: none', 'schedule: { timezone: Europe/Berln }\nhttp: none'),
    args: ['run'],
    exit: 78,
    shows: ``,
  },
  {
    what: 'An address to listen on without a port',
    files: settings('http: none', 'http: { listen: 127.0.0.1 }'),
    args: ['run'],
    exit: 78,
    shows: ``,
  },
]

const held: readonly BadInput[] = [
  {
    what: 'A name with a blank at its edge',
    files: { ...rule('{ group: "engineering ", project: ENG, role: member }'), ...known('engineering ') },
    exit: 0,
    shows: ``,
  },
  {
    what: 'A name with a control character',
    files: { ...rule('{ groupGlob: "eng*", project: ENG, role: member }'), ...known('eng\u001b[31m') },
    exit: 0,
    shows: ``,
  },
  {
    what: 'A name with a direction character, which would read otherwise than it is',
    files: { ...rule('{ groupGlob: "eng*", project: ENG, role: member }'), ...known('eng\u202egnp') },
    exit: 0,
    shows: ``,
  },
  {
    what: 'A name that two directories have',
    files: {
      ...directory('corp: { kind: file, path: corp.yaml }\n  cloud: { kind: file, path: cloud.yaml }'),
      'cloud.yaml': 'groups:\n  - { name: engineering }\n',
    },
    exit: 0,
    shows: ``,
  },
  {
    what: 'A name that is twice in one directory',
    files: { 'corp.yaml': 'groups:\n  - { name: engineering }\n  - { name: engineering }\n' },
    exit: 0,
    shows: ``,
  },
  {
    what: 'Two patterns that meet in one group only because of what the directory has',
    files: declared(`    projectRoles:
      - { groupGlob: "eng*", project: ENG, role: member }
      - { groupGlob: "*ing", project: ENG, role: guest }
`),
    exit: 0,
    shows: ``,
  },
  {
    what: 'A captured role that the map does not have',
    files: {
      ...rule('{ groupRegex: "eng-(?<level>[a-z]+)", project: ENG, role: { capture: level, map: { rw: member, ro: guest } } }'),
      ...known('eng-adm'),
    },
    exit: 0,
    shows: ``,
  },
  {
    what: 'A group that no directory knows',
    files: rule('{ group: enginering, project: ENG, role: member }'),
    exit: 0,
    shows: ``,
  },
  {
    what: 'A project that the key does not see',
    files: rule('{ group: engineering, project: ENGG, role: member }'),
    exit: 0,
    shows: ``,
  },
]

const error: readonly BadInput[] = [
  {
    what: 'A service that cannot be reached',
    files: settings('SERVICE', 'http://127.0.0.1:1'),
    exit: 1,
    shows: ``,
  },
  {
    what: 'A redirect to another host',
    service: { faults: ['*: 301 redirect to https://login.example.com/'] },
    exit: 1,
    shows: ``,
  },
  {
    what: 'A web page instead of JSON',
    service: { faults: ['*: html'] },
    exit: 1,
    shows: ``,
  },
  {
    what: 'JSON that is cut off',
    service: { faults: ['*: truncated'] },
    exit: 1,
    shows: ``,
  },
  {
    what: 'A key that is not valid, answered with 401',
    files: { 'api-key': 'wrong-key' },
    exit: 1,
    shows: ``,
  },
  {
    what: 'The same, answered with 403',
    service: { dialect: 'plane' },
    files: { 'api-key': 'wrong-key' },
    exit: 1,
    shows: ``,
  },
  {
    what: 'A wrong slug, answered with 403',
    service: { dialect: 'plane' },
    files: settings('{}', '{ slug: acmee }'),
    exit: 1,
    shows: ``,
  },
  {
    what: 'The same, answered with 404',
    files: settings('{}', '{ slug: acmee }'),
    exit: 1,
    shows: ``,
  },
  {
    what: 'A key that may only read',
    service: { dialect: 'plane', state: { ...projects, keys: [{ value: 'sandbox-key', rights: 'read-only' }] } },
    exit: 1,
    shows: ``,
  },
  {
    what: 'An LDAP server that cannot be reached',
    files: directory('corp: { kind: ldap, addresses: ["ldap://127.0.0.1:1"], bind: anonymous, groups: { base: "dc=example,dc=org" } }'),
    exit: 1,
    shows: ``,
  },
  {
    what: 'A Keycloak that cannot be reached',
    files: directory('corp: { kind: keycloak, url: "http://127.0.0.1:1", realm: corp, client: { id: sync, secret: { file: api-key } } }'),
    exit: 1,
    shows: ``,
  },
  {
    what: 'A group file that is not there',
    files: { 'corp.yaml': null },
    exit: 1,
    shows: ``,
  },
  {
    what: 'A group file with a mistake',
    files: { 'corp.yaml': 'groups:\n  - { nam: engineering }\n' },
    exit: 1,
    shows: ``,
  },
  {
    what: 'A directory that answers with no group at all',
    files: { 'corp.yaml': 'groups: []\n' },
    exit: 1,
    shows: ``,
  },
  {
    what: 'A journal folder that is a file',
    files: { state: 'here was a folder' },
    exit: 1,
    shows: ``,
  },
  {
    what: 'A journal with a line that is none',
    files: { 'state/journal-000001.jsonl': '{"format":1,"memory":\n' },
    exit: 1,
    shows: ``,
  },
  {
    what: 'A journal that another process writes',
    files: { 'state/lock': JSON.stringify({ token: 't', pid: 1, host: hostname(), sinceMs: Date.parse('2027-01-31T08:00:00Z') }) },
    exit: 1,
    shows: ``,
  },
  {
    what: 'An address to listen on that is taken',
    files: settings('http: none', 'http: { listen: "HOST" }'),
    args: ['run'],
    exit: 1,
    shows: ``,
  },
]

const usage: readonly BadInput[] = [
  {
    what: 'A command that does not exist',
    args: ['aply'],
    exit: 64,
    shows: ``,
  },
  {
    what: 'An option that does not exist',
    args: ['apply', '--yess'],
    exit: 64,
    shows: ``,
  },
  {
    what: 'An option without its value',
    args: ['plan', '--out'],
    exit: 64,
    shows: ``,
  },
  {
    what: 'A value that an option does not take',
    args: ['plan', '--format', 'xml'],
    exit: 64,
    shows: ``,
  },
  {
    what: 'A workspace that the settings do not have',
    args: ['apply', '--yes', '--workspace', 'acmee'],
    exit: 64,
    shows: ``,
  },
  {
    what: '`apply` where nobody can be asked',
    args: ['apply'],
    exit: 64,
    shows: ``,
  },
  {
    what: 'A saved plan that is not there',
    args: ['apply', 'plan.json', '--yes'],
    exit: 64,
    shows: ``,
  },
  {
    what: 'A saved plan of a workspace that the settings do not have',
    files: { 'plan.json': savedPlanOf('globex') },
    args: ['apply', 'plan.json', '--yes'],
    exit: 64,
    shows: ``,
  },
  {
    what: 'A saved plan that is cut off',
    files: { 'plan.json': '{"format":' },
    args: ['apply', 'plan.json', '--yes'],
    exit: 64,
    shows: ``,
  },
  {
    what: 'A waiver that is none',
    args: ['apply', '--yes', '--allow', 'all'],
    exit: 64,
    shows: ``,
  },
]

const warning: readonly BadInput[] = [
  {
    what: 'A secret file that everybody on the machine can read',
    modes: { 'api-key': 0o644 },
    args: ['plan', '--log-format', 'pretty'],
    exit: 0,
    shows: ``,
  },
  {
    what: 'A key that others spend too, near its budget',
    othersSpend: 52,
    args: ['plan'],
    exit: 0,
    shows: ``,
  },
]

const works: readonly BadInput[] = [
  {
    what: 'A service whose clock is two minutes ahead',
    service: { dialect: 'plane', now: () => Date.now() + 120_000 },
    exit: 0,
    writes: 1,
    shows: ``,
  },
  {
    what: 'A service whose clock is two minutes behind',
    service: { dialect: 'plane', now: () => Date.now() - 120_000 },
    exit: 0,
    writes: 1,
    shows: ``,
  },
  {
    what: 'A pattern on which others would think for years',
    files: { ...rule('{ groupRegex: "(a+)+", project: ENG, role: member }'), ...known('a'.repeat(40), `${'a'.repeat(200)}!`) },
    exit: 0,
    writes: 1,
    shows: ``,
  },
  {
    what: 'Names in any script, with quotes, slashes, commas, backslashes',
    files: {
      ...rule(
        `{ project: ENG, role: member, groups: ["Müller & Söhne", 開発, مهندسين, "group 🚀", a/b, "a,b", 'a\\b', "the \\"best\\"", it's] }`,
      ),
      ...known('Müller & Söhne', '開発', 'مهندسين', 'group 🚀', 'a/b', 'a,b', 'a\\b', 'the "best"', "it's"),
    },
    exit: 0,
    writes: 9,
    shows: ``,
  },
  {
    what: 'Settings that leave to the environment what operators of Plane have there',
    files: settings('  baseUrl: SERVICE\n  credential: { apiKey: { file: api-key } }\nworkspaces:\n  acme: {}', '  {}'),
    env: { PLANE_BASE_URL: 'SERVICE', PLANE_API_KEY: 'sandbox-key', PLANE_WORKSPACE_SLUG: 'acme' },
    exit: 0,
    writes: 1,
    shows: ``,
  },
]

export const badInput: readonly Chapter[] = [
  {
    title: 'Refused',
    says: 'Exit code 78. The files are read whole before anyone is asked, and every mistake is told at once, with its line. Nothing is written.',
    rows: refused,
  },
  {
    title: 'Held',
    says: 'Exit code 0. The mapping waits, what exists stays as it is, and all that does not depend on it goes on.',
    rows: held,
  },
  {
    title: 'A clear error',
    says: 'Exit code 1. What could not be read proves nothing, so nothing that relies on it is written.',
    rows: error,
  },
  { title: 'A call that has to be worded otherwise', says: 'Exit code 64. Nothing is read and nothing is written.', rows: usage },
  { title: 'A warning', says: 'Exit code 0. The work goes on.', rows: warning },
  { title: 'Works', says: 'Exit code 0, and the mappings are written.', rows: works },
]
