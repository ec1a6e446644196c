import { hostname } from 'node:os'
import { planFormat } from '../../src/core/plan.ts'
import { fileSchema } from '../../src/declaration/schema.ts'
import { documentFormat } from '../../src/render/json.ts'
import { wrap } from '../../src/render/width.ts'
import { settingsSchema } from '../../src/settings/schema.ts'
import { presentKeysOf, schemaAt } from '../../src/yaml/schemaAt.ts'
import type { z } from '../../src/yaml/zod.ts'
import { type Given, usualFiles } from './bad-input-world.ts'

/** One bad input, and the output for it. docs/dev/bad-input.md is generated from these. */
export type BadInput = Given & {
  readonly what: string
  readonly exit: 0 | 1 | 64 | 78
  /** The output for a person. If the input is refused, it is the whole output; otherwise it is the lines with the reason. */
  readonly shows: string
  /** The number of requests that changed data at the service. Default: 0. */
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
    workspaces: [
      {
        workspace,
        slug: workspace,
        host: 'plane.example.com',
        fingerprint: 'a'.repeat(64),
        changes: [],
        holds: [],
        later: [],
        laterUntil: '2099-01-01T00:00:00.000Z',
      },
    ],
  })

/** The cure for an unknown key, in lines of the program's width: with the keys that the schema has now, so that the page has them, too. */
const didYouMean = (key: string, indent: number, schema: z.ZodType | undefined) =>
  wrap(`did you mean "${key}"? Allowed here: ${presentKeysOf(schema, {}).join(', ')}`, 110 - indent)
    .map((line) => ' '.repeat(indent) + line)
    .join('\n')

/** A file of a journal: a head with an empty memory, and entries. */
const journalOf = (format: number, ...entries: readonly object[]) =>
  [{ format, memory: {} }, ...entries].map((line) => `${JSON.stringify(line)}\n`).join('')

const refused: readonly BadInput[] = [
  {
    what: 'An unknown key',
    files: rule('{ group: engineering, project: ENG, role: member, expire: 2099-01-31 }'),
    exit: 78,
    shows: `groups.yaml:5:59: unknown key "expire"
  5 |       - { group: engineering, project: ENG, role: member, expire: 2099-01-31 }
    |                                                           ^^^^^^
${didYouMean('expires', 4, schemaAt(fileSchema, ['workspaces', 'acme', 'projectRoles', 0]))}`,
  },
  {
    what: 'A duplicate key',
    files: rule('{ group: engineering, project: ENG, project: OPS, role: member }'),
    exit: 78,
    shows: `groups.yaml:5:45: the key "project" is here twice
  5 |       - { group: engineering, project: ENG, project: OPS, role: member }
    |                                             ^^^^^^^
    it is already on line 5; put both together, or remove one`,
  },
  {
    what: 'A list item that is indented too deeply, which YAML makes a part of the name above',
    files: {
      'groups.yaml':
        'version: 1\nworkspaces:\n  acme:\n    workspaceRoles:\n      - role: member\n        group:\n          - engineering\n            - design\n',
    },
    exit: 78,
    shows: `groups.yaml:8:13: this list item is indented further than the text in line 7, so it would be a part of that text
  8 |             - design
    |             ^
    items of one list have their "- " in the same column; if this is no item, put the text in quotes`,
  },
  {
    what: 'A first line that is indented, and the others are not',
    files: { 'groups.yaml': '  version: 1\nworkspaces:\n  acme:\n    projectRoles: []\n' },
    exit: 78,
    shows: `groups.yaml:1:3: this line is indented further than line 2
  1 |   version: 1
    |   ^^^^^^^^^^
    the keys of one map begin in the same column: begin this line in column 1, like line 2`,
  },
  {
    what: 'A tag',
    files: rule('{ group: !!str 2024, project: ENG, role: member }'),
    exit: 78,
    shows: `groups.yaml:5:18: tags such as !!str are not allowed
  5 |       - { group: !!str 2024, project: ENG, role: member }
    |                  ^^^^^
    remove it; a text that begins with ! goes in quotes`,
  },
  {
    what: 'Aliases of aliases, which would fill the memory (a YAML bomb)',
    files: { 'groups.yaml': 'version: 1\na: &a [x, x, x]\nb: &b [*a, *a, *a]\nc: [*b, *b, *b]\n' },
    exit: 78,
    shows: `groups.yaml:2:4: anchors such as &a are not allowed
  2 | a: &a [x, x, x]
    |    ^^
    write the value out wherever it is used; a text that begins with & goes in quotes

groups.yaml:3:4: anchors such as &b are not allowed
  3 | b: &b [*a, *a, *a]
    |    ^^
    write the value out wherever it is used; a text that begins with & goes in quotes`,
  },
  {
    what: 'A file of 2 MB',
    files: { 'groups.yaml': `version: 1\n# ${'x'.repeat(2_000_000)}\n` },
    exit: 78,
    shows: `groups.yaml: the file is larger than 1024 KiB
  split it into several files`,
  },
  {
    what: 'A `%YAML` directive',
    files: { 'groups.yaml': '%YAML 1.1\n---\nversion: 1\nworkspaces: {}\n' },
    exit: 78,
    shows: `groups.yaml:1:1: the directive %YAML 1.1 is not allowed
  1 | %YAML 1.1
    | ^^^^^^^^^
    remove the line; files are read as YAML 1.2`,
  },
  {
    what: 'Lookaround in a pattern',
    files: rule('{ groupRegex: "(?!eng-x)eng-.*", project: ENG, role: member }'),
    exit: 78,
    shows: `groups.yaml:5:23: lookaround is not supported
  5 |       - { groupRegex: "(?!eng-x)eng-.*", project: ENG, role: member }
    |                       ^^^^^^^^^^^^^^^^^
    patterns are RE2 (https://github.com/google/re2/wiki/Syntax), which answers in linear time; leave names
    out with "except"`,
  },
  {
    what: 'A back-reference in a pattern',
    files: rule("{ groupRegex: '(a+)b\\1', project: ENG, role: member }"),
    exit: 78,
    shows: `groups.yaml:5:23: back-references are not supported
  5 |       - { groupRegex: '(a+)b\\1', project: ENG, role: member }
    |                       ^^^^^^^^^
    patterns are RE2 (https://github.com/google/re2/wiki/Syntax), which answers in linear time`,
  },
  {
    what: '`capture` names a group that the pattern does not have',
    files: rule('{ groupRegex: "eng-(?<app>[a-z]+)", project: { capture: ap }, role: member }'),
    exit: 78,
    shows: `groups.yaml:5:65: the pattern has no capture named "ap"
  5 |       - { groupRegex: "eng-(?<app>[a-z]+)", project: { capture: ap }, role: member }
    |                                                                 ^^
    it captures: app`,
  },
  {
    what: 'A captured role without `map`',
    files: rule('{ groupRegex: "eng-(?<level>[a-z]+)", project: ENG, role: { capture: level } }'),
    exit: 78,
    shows: `groups.yaml:5:67: "map" is missing
  5 |       - { groupRegex: "eng-(?<level>[a-z]+)", project: ENG, role: { capture: level } }
    |                                                                   ^^^^^^^^^^^^^^^^^^
    Captured value → role. Any other value gets no role`,
  },
  {
    what: 'Two exact rules that give one key different roles',
    files: declared(`    projectRoles:
      - { group: engineering, project: ENG, role: member }
      - { groups: [engineering, platform], project: ENG, role: guest }
`),
    exit: 78,
    shows: `groups.yaml:6:20: "engineering" in ENG is "guest" here and "member" at groups.yaml:5:9
  6 |       - { groups: [engineering, platform], project: ENG, role: guest }
    |                    ^^^^^^^^^^^
    a group has one role on a target: remove one of the two, or give both the same role`,
  },
  {
    what: 'A group name of more than 255 characters',
    files: rule(`{ project: ENG, role: member, group: ${'engineering-'.repeat(22)} }`),
    exit: 78,
    shows: `groups.yaml:5:46: the group name has 264 characters
  5 |       - { project: ENG, role: member, group: engineering-engineering-engineering-engineering-engineering-engin…
    |                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    the service takes at most 255`,
  },
  {
    what: '`project` beside `allProjects`',
    files: rule('{ group: engineering, project: ENG, allProjects: true, role: member }'),
    exit: 78,
    shows: `groups.yaml:5:45: "allProjects" cannot stand beside "project"
  5 |       - { group: engineering, project: ENG, allProjects: true, role: member }
    |                                             ^^^^^^^^^^^
    exactly one of: project, allProjects`,
  },
  {
    what: 'A list without a value',
    files: declared('    projectRoles:\n'),
    exit: 78,
    shows: `groups.yaml:4:18: "projectRoles" has no value
  4 |     projectRoles:
    |                  ^
    Groups → roles in projects. Omitted: not managed. []: managed, and none should exist`,
  },
  {
    what: 'A workspace that the settings do not name',
    files: { 'groups.yaml': 'version: 1\nworkspaces:\n  acmee: { projectRoles: [] }\n' },
    exit: 78,
    shows: `groups.yaml:3:3: the settings name no workspace "acmee"
  3 |   acmee: { projectRoles: [] }
    |   ^^^^^
    did you mean "acme"? The settings have these workspaces: acme`,
  },
  {
    what: 'A secret file that does not exist',
    files: { 'api-key': null },
    exit: 78,
    shows: `config.yaml:4:25: secret file /etc/plane-group-sync/api-key does not exist
  4 |   credential: { apiKey: { file: api-key } }
    |                         ^^^^^^^^^^^^^^^^^
    create it, or correct its path in the settings`,
  },
  {
    what: 'A secret file that is empty',
    files: { 'api-key': '\n' },
    exit: 78,
    shows: `config.yaml:4:25: secret file /etc/plane-group-sync/api-key is empty
  4 |   credential: { apiKey: { file: api-key } }
    |                         ^^^^^^^^^^^^^^^^^
    put the secret into it`,
  },
  {
    what: 'An environment variable for a secret that is not set',
    files: settings('{ file: api-key }', '{ env: PLANE_KEY }'),
    exit: 78,
    shows: `config.yaml:4:25: environment variable PLANE_KEY is not set
  4 |   credential: { apiKey: { env: PLANE_KEY } }
    |                         ^^^^^^^^^^^^^^^^^^
    set it, or name a file: { file: … }`,
  },
  {
    what: 'An API key directly in the settings: the error does not show it',
    files: settings('{ file: api-key }', 'plane_api_5d41402abc4b2a76'),
    exit: 78,
    shows: `config.yaml:4:25: "apiKey" must say where the secret is, not the secret itself
  4 |   credential: { apiKey: ••• }
    |                         ^^^
    write { file: … }, the path of a file that holds it, or { env: … }, the name of a variable`,
  },
  {
    what: 'An API key in the place of the name of its variable',
    files: settings('{ file: api-key }', '{ env: plane_api_5d41402abc4b2a76 }'),
    exit: 78,
    shows: `config.yaml:4:25: the environment variable that is named here is not set
  4 |   credential: { apiKey: ••• }
    |                         ^^^
    set it, or name a file: { file: … }`,
  },
  {
    what: 'A password in an address',
    files: settings('baseUrl: SERVICE', 'baseUrl: https://ann:hunter2@plane.example.com'),
    exit: 78,
    shows: `config.yaml:3:12: an address must not contain credentials
  3 |   baseUrl: •••
    |            ^^^
    secrets come by reference: { file: … } or { env: … }`,
  },
  {
    what: 'Settings that cannot be parsed: the error shows only their keys',
    files: settings('{ file: api-key }', '"plane_api_5d41402abc4b2a76'),
    exit: 78,
    shows: `config.yaml:11:11: a quote is not closed
  11 | http: •••
     |          ^
     the text began in this line or above`,
  },
  {
    what: 'The file of the API key, given as the settings file',
    args: ['validate', '--config', 'api-key'],
    exit: 78,
    shows: `api-key:1:1: the file must be a map (key: value), this is a text
  1 | •••
    | ^^^
    The settings of plane-group-sync: a map with version, service, workspaces and declaration.`,
  },
  {
    what: 'A certificate file that does not exist',
    files: settings('workspaces:', '  caFile: ca.pem\nworkspaces:'),
    exit: 78,
    shows: `config.yaml:5:11: the certificates of ca.pem cannot be read: there is no such file
  5 |   caFile: ca.pem
    |           ^^^^^^
    name a file of certificates (PEM) that this program may read`,
  },
  {
    what: 'A device in the place of the certificate file',
    files: settings('workspaces:', '  caFile: /dev/zero\nworkspaces:'),
    exit: 78,
    shows: `config.yaml:5:11: the certificates of /dev/zero cannot be read: this is a device, not a file
  5 |   caFile: /dev/zero
    |           ^^^^^^^^^
    name a file of certificates (PEM) that this program may read`,
  },
  {
    what: 'A link in the folder of the declaration to a file elsewhere',
    files: { ...settings('groups.yaml', 'groups'), 'groups/acme.yaml': usualFiles['groups.yaml'] as string },
    links: { 'groups/more.yaml': '../api-key' },
    exit: 78,
    writes: 1,
    shows: `more.yaml: this link leads out of /etc/plane-group-sync/groups, to /etc/plane-group-sync/api-key
  replace the link with a file, or set "declaration" in the settings to a folder that contains both`,
  },
  {
    what: 'A link to another file of the declaration',
    files: { ...settings('groups.yaml', 'groups'), 'groups/acme.yaml': usualFiles['groups.yaml'] as string },
    links: { 'groups/copy.yaml': 'acme.yaml' },
    exit: 78,
    writes: 1,
    shows: `copy.yaml: this is the same file as acme.yaml: it would be read twice
  remove one of the two`,
  },
  {
    what: 'A declaration that does not exist',
    files: { 'groups.yaml': null },
    exit: 78,
    shows: `/etc/plane-group-sync/groups.yaml: there is no such file or folder
  mount it or check it out again, or see "declaration" in the settings`,
  },
  {
    what: 'A folder of the declaration without a YAML file',
    files: { ...settings('groups.yaml', 'groups'), 'groups/README.md': 'see the wiki' },
    exit: 78,
    shows: `/etc/plane-group-sync/groups: there is no .yaml or .yml file in this folder
  mount it or check it out again; for a workspace without mappings write projectRoles: []`,
  },
  {
    what: 'No settings file in any of the usual places',
    files: { 'config.yaml': null },
    args: ['plan'],
    isUnnamed: true,
    exit: 78,
    shows: `settings: there is no settings file: looked for config/config.yaml, ./plane-group-sync.yaml, ./config.yaml
  name the settings file with --config or PLANE_GROUP_SYNC_CONFIG, or let plane-group-sync init write one;
  without one this command needs PLANE_BASE_URL, PLANE_API_KEY and PLANE_WORKSPACE_SLUG`,
  },
  {
    what: 'A settings file that does not exist',
    args: ['apply', '--config', 'conf.yaml', '--yes'],
    exit: 78,
    shows: `conf.yaml: there is no such file
  name the settings file with --config or PLANE_GROUP_SYNC_CONFIG`,
  },
  {
    what: 'A folder in the place of the settings file',
    args: ['apply', '--config', '.', '--yes'],
    exit: 78,
    shows: `.: this is a folder, not a file
  name the settings file with --config or PLANE_GROUP_SYNC_CONFIG`,
  },
  {
    what: 'A device in the place of the settings file',
    args: ['apply', '--config', '/dev/zero', '--yes'],
    exit: 78,
    shows: `/dev/zero: this is a device, not a file
  name the settings file with --config or PLANE_GROUP_SYNC_CONFIG`,
  },
  {
    what: 'A setting that does not exist',
    files: settings('journal:', 'jurnal:'),
    exit: 78,
    shows: `config.yaml:10:1: unknown key "jurnal"
  10 | jurnal: •••
     | ^^^^^^
${didYouMean('journal', 5, settingsSchema)}`,
  },
  {
    what: 'No address of the service, neither in the file nor in the environment',
    files: settings('  baseUrl: SERVICE\n', ''),
    exit: 78,
    shows: `config.yaml:3:3: "baseUrl" is missing
  3 |   credential: { apiKey: { file: api-key } }
    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    The address of Plane, without \`/api/v1\`. Environment: \`PLANE_BASE_URL\`.`,
  },
  {
    what: 'An address without TLS, which would expose the API key on the network',
    files: settings('SERVICE', 'http://plane.example.com'),
    exit: 78,
    shows: `config.yaml:3:12: plain http:// would show the credential to everyone on the way
  3 |   baseUrl: http://plane.example.com
    |            ^^^^^^^^^^^^^^^^^^^^^^^^
    use https://, or say allowPlaintext: true beside it`,
  },
  {
    what: 'A workspace without a slug, whose name is not a valid slug',
    files: settings('  acme: {}', '  acme: {}\n  Acme Corp: { policy: observe }'),
    exit: 78,
    shows: `config.yaml:7:3: workspace "Acme Corp" has no "slug", and its name cannot be one
  7 |   Acme Corp: { policy: observe }
    |   ^^^^^^^^^
    add the slug from the workspace's address in Plane, which has letters, digits, hyphens and underscores
    only: { slug: … }`,
  },
  {
    what: 'An invalid slug',
    files: settings('  acme: {}', '  acme: { slug: acme/stg }'),
    exit: 78,
    shows: `config.yaml:6:17: "acme/stg" cannot be a slug
  6 |   acme: { slug: acme/stg }
    |                 ^^^^^^^^
    write the slug from the workspace's address in Plane, which has letters, digits, hyphens and underscores
    only`,
  },
  {
    what: 'An empty slug',
    files: settings('  acme: {}', '  acme: { slug: "" }'),
    exit: 78,
    shows: `config.yaml:6:17: "" cannot be a slug
  6 |   acme: { slug: "" }
    |                 ^^
    write the slug from the workspace's address in Plane, which has letters, digits, hyphens and underscores
    only`,
  },
  {
    what: 'Two workspaces with one slug',
    files: settings('  acme: {}', '  acme: {}\n  emca: { slug: acme }'),
    exit: 78,
    shows: `config.yaml:7:9: the slug "acme" is used twice: two workspaces of the settings would write to one workspace of Plane
  7 |   emca: { slug: acme }
    |         ^^^^^^^^^^^^^^`,
  },
  {
    what: 'An invalid schedule',
    files: settings('http: none', 'schedule: { cron: "61 * * * *" }\nhttp: none'),
    args: ['run'],
    exit: 78,
    shows: `config.yaml:11:19: "61 * * * *" is not a schedule: "61" is not a minute
  11 | schedule: { cron: "61 * * * *" }
     |                   ^^^^^^^^^^^^
     as a minute write 0 to 59, a list such as 0,30, or a step such as */2`,
  },
  {
    what: 'A schedule in words',
    files: settings('http: none', 'schedule: { cron: every hour }\nhttp: none'),
    args: ['run'],
    exit: 78,
    shows: `config.yaml:11:19: "every hour" is not a schedule: it has 2 fields, and a schedule has five, or six with seconds first
  11 | schedule: { cron: every hour }
     |                   ^^^^^^^^^^
     write five fields: minute, hour, day of month, month, day of week; every hour is "0 * * * *", every ten
     minutes "*/10 * * * *"`,
  },
  {
    what: 'A range in the schedule that ends before it begins',
    files: settings('http: none', 'schedule: { cron: "0 22-6 * * *" }\nhttp: none'),
    args: ['run'],
    exit: 78,
    shows: `config.yaml:11:19: "0 22-6 * * *" is not a schedule: the range "22-6" ends before it begins
  11 | schedule: { cron: "0 22-6 * * *" }
     |                   ^^^^^^^^^^^^^^
     write "6-22", or "22-23,0-6" if the range wraps around the end`,
  },
  {
    what: 'A day in the schedule that the month does not have',
    files: settings('http: none', 'schedule: { cron: "0 0 31 2 *" }\nhttp: none'),
    args: ['run'],
    exit: 78,
    shows: `config.yaml:11:19: "0 0 31 2 *" is not a schedule: month 2 has no day 31
  11 | schedule: { cron: "0 0 31 2 *" }
     |                   ^^^^^^^^^^^^
     write a day that the month has, or L for its last day: "0 0 L 2 *"`,
  },
  {
    what: 'An invalid time zone',
    files: settings('http: none', 'schedule: { timezone: Europe/Berln }\nhttp: none'),
    args: ['run'],
    exit: 78,
    shows: `config.yaml:11:23: "Europe/Berln" is not a time zone
  11 | schedule: { timezone: Europe/Berln }
     |                       ^^^^^^^^^^^^
     write an IANA name: UTC, Europe/Berlin, America/New_York`,
  },
  {
    what: 'A listen address without a port',
    files: settings('http: none', 'http: { listen: 127.0.0.1 }'),
    args: ['run'],
    exit: 78,
    shows: `config.yaml:11:17: http.listen "127.0.0.1" is not host:port, as in 127.0.0.1:9464
  11 | http: { listen: 127.0.0.1 }
     |                 ^^^^^^^^^
     write host:port, [::1]:port, or :port for every address; a port is at most 65535`,
  },
  {
    what: 'The address of Plane with the path of its API',
    files: settings('SERVICE', 'https://plane.example.com/api/v1'),
    args: ['validate'],
    exit: 78,
    shows: `config.yaml:3:12: this address contains the path of the API
  3 |   baseUrl: https://plane.example.com/api/v1
    |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    leave out /api/v1 and all that follows`,
  },
  {
    what: 'Durations that are too short and too long',
    files: settings('workspaces:', '  timeout: 0s\n  unknownOutcomeWait: 0s\n  limit: { window: 999999999d }\nworkspaces:'),
    args: ['validate'],
    exit: 78,
    shows: `config.yaml:5:12: this is shorter than 10ms
  5 |   timeout: 0s
    |            ^^
    write 10ms to 1h

config.yaml:6:23: this is shorter than 1s
  6 |   unknownOutcomeWait: 0s
    |                       ^^
    write 1s to 1d

config.yaml:7:20: this is longer than 1d
  7 |   limit: { window: 999999999d }
    |                    ^^^^^^^^^^
    write 1s to 1d`,
  },
  {
    what: 'A share above 100 %',
    files: settings('workspaces:', '  limit: { reserve: 200% }\nworkspaces:'),
    args: ['validate'],
    exit: 78,
    shows: `config.yaml:5:21: a share is a percentage from 0% to 100%
  5 |   limit: { reserve: 200% }
    |                     ^^^^
    write it as 10% or 2.5%`,
  },
  {
    what: 'A word of YAML 1.1 for "true"',
    files: settings('http: none', 'suspend: yes\nhttp: none'),
    args: ['validate'],
    exit: 78,
    shows: `config.yaml:11:10: "suspend" cannot be "yes"
  11 | suspend: yes
     |          ^^^
     write true, without quotes. Allowed: true, false, grants`,
  },
  {
    what: 'An LDAP directory with a wrong base and a wrong filter',
    files: directory(
      'corp: { kind: ldap, addresses: ["ldaps://ldap.example.com"], bind: anonymous, groups: { base: Groups, filter: "(cn=eng" } }',
    ),
    args: ['validate'],
    exit: 78,
    shows: `config.yaml:9:97: this is not a DN
  9 | …], bind: anonymous, groups: { base: Groups, filter: "(cn=eng" } }
    |                                      ^^^^^^
    write it as RFC 4514 says: ou=groups,dc=example,dc=com, with , + " \\ inside values as \\, \\+ \\" \\\\

config.yaml:9:113: this is not an LDAP filter: a parenthesis is missing
  9 | …us, groups: { base: Groups, filter: "(cn=eng" } }
    |                                      ^^^^^^^^^
    write it as RFC 4515 says, on one line and without blanks between the parts, with ( ) * \\ inside values as
    \\28 \\29 \\2a \\5c`,
  },
  {
    what: 'A client certificate for an LDAP directory without TLS',
    files: directory(
      'corp: { kind: ldap, addresses: ["ldap://127.0.0.1"], bind: { dn: "cn=x", external: { certificateFile: a.pem, key: { file: a.key } } }, groups: { base: "dc=x" } }',
    ),
    args: ['validate'],
    exit: 78,
    shows: `config.yaml:9:35: a certificate can only be shown in TLS, and this address has none
  9 |   corp: { kind: ldap, addresses: ["ldap://127.0.0.1"], bind: { dn: "cn=x", external: { certificateFile: a.pem,…
    |                                   ^^^^^^^^^^^^^^^^^^
    use ldaps:// or startTls: true`,
  },
  {
    what: 'The address of a Keycloak with the path of its realm',
    files: directory(
      'corp: { kind: keycloak, url: "https://sso.example.com/realms/corp", realm: corp, client: { id: sync, secret: { file: api-key } } }',
    ),
    args: ['validate'],
    exit: 78,
    shows: `config.yaml:9:32: this address contains the path of a realm
  9 |   corp: { kind: keycloak, url: "https://sso.example.com/realms/corp", realm: corp, client: { id: sync, secret:…
    |                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    leave out /realms/ or /admin/ and all that follows; the name of the realm is the setting "realm"`,
  },
  {
    what: "The address of Okta's Admin Console",
    files: directory('corp: { kind: okta, url: "https://example-admin.okta.com", token: { file: api-key } }'),
    args: ['validate'],
    exit: 78,
    shows: `config.yaml:9:28: this address has a path, or is that of the Admin Console
  9 |   corp: { kind: okta, url: "https://example-admin.okta.com", token: { file: api-key } }
    |                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    write the address of the organization alone, without a path and without -admin: https://example.okta.com`,
  },
  {
    what: 'An Okta with both kinds of account',
    files: directory(
      'corp: { kind: okta, url: "https://example.okta.com", client: { id: sync, privateKey: { key: { file: api-key } } }, token: { file: api-key } }',
    ),
    args: ['validate'],
    exit: 78,
    shows: `config.yaml:9:118: a directory of this kind has either "client" or "token"
  9 | …eKey: { key: { file: api-key } } }, token: { file: api-key } }
    |                                      ^^^^^
    keep exactly one of them; \`client\` has fewer rights`,
  },
  {
    what: 'Aliases of roles that lead in a circle',
    files: settings('http: none', 'roles: { aliases: { member: contributor, contributor: member } }\nhttp: none'),
    args: ['validate'],
    exit: 78,
    shows: `config.yaml:11:55: these aliases lead in a circle: contributor → member → contributor
  11 | roles: { aliases: { member: contributor, contributor: member } }
     |                                                       ^^^^^^
     write one entry for each role that Plane renames: the name in the declaration, then the slug that Plane
     answers`,
  },
  {
    what: 'A role that `roles.order` does not have',
    files: rule('{ group: engineering, project: ENG, role: membr }'),
    args: ['validate'],
    exit: 78,
    shows: `groups.yaml:5:51: "membr" is not one of the roles in roles.order
  5 |       - { group: engineering, project: ENG, role: membr }
    |                                                   ^^^^^
    did you mean "member"? roles.order in the settings has: guest, commenter, contributor, member, admin,
    owner. If Plane has this role, add it there, at its place from least to most access`,
  },
  {
    what: 'A name of a group that no mapping can have',
    files: rule('{ groups: ["engineering ", "eng\\e[31m"], project: ENG, role: member }'),
    args: ['validate'],
    exit: 78,
    shows: `groups.yaml:5:20: no mapping can be written for this name: it begins or ends with a blank, which the service would cut off
  5 |       - { groups: ["engineering ", "eng\\e[31m"], project: ENG, role: member }
    |                    ^^^^^^^^^^^^^^
    if the directory has another spelling, write that one; otherwise rename the group there; if Plane has a
    mapping with this name that should stay, list it under "unmanaged"

groups.yaml:5:36: no mapping can be written for this name: it contains U+001B, which cannot be seen
  5 |       - { groups: ["engineering ", "eng\\e[31m"], project: ENG, role: member }
    |                                    ^^^^^^^^^^^
    in double quotes YAML reads \\n, \\t, \\e and the like as one character: write single quotes, or \\\\ for a
    backslash`,
  },
  {
    what: 'A day before 2000',
    files: rule('{ group: engineering, project: ENG, role: member, expires: 1999-12-31 }'),
    args: ['validate'],
    exit: 78,
    shows: `groups.yaml:5:68: this day is not between 2000 and 2999
  5 |       - { group: engineering, project: ENG, role: member, expires: 1999-12-31 }
    |                                                                    ^^^^^^^^^^
    write a day from 2000-01-01 to 2999-12-31, as in 2099-01-31, or a moment, as in 2099-01-31T18:00Z`,
  },
  {
    what: 'A moment without a time zone',
    files: rule('{ group: engineering, project: ENG, role: member, expires: 2099-01-31T18:00 }'),
    args: ['validate'],
    exit: 78,
    shows: `groups.yaml:5:68: this moment has no time zone
  5 |       - { group: engineering, project: ENG, role: member, expires: 2099-01-31T18:00 }
    |                                                                    ^^^^^^^^^^^^^^^^
    write Z for UTC, or an offset: 2099-01-31T18:00Z, 2099-01-31T18:00+01:00`,
  },
  {
    what: 'A start that is not before the end',
    files: rule('{ group: engineering, project: ENG, role: member, starts: 2099-02-01, expires: 2099-01-31 }'),
    args: ['validate'],
    exit: 78,
    shows: `groups.yaml:5:67: "starts" is not before the end of the rule
  5 |       - { group: engineering, project: ENG, role: member, starts: 2099-02-01, expires: 2099-01-31 }
    |                                                                   ^^^^^^^^^^
    "expires" is 2099-01-31: write an earlier "starts" or a later "expires"`,
  },
  {
    what: '`unknownProjects: skip` for a project that the rule names itself',
    files: rule('{ group: engineering, project: ENG, role: member, unknownProjects: skip }'),
    args: ['validate'],
    exit: 78,
    shows: `groups.yaml:5:76: "skip" needs a captured project
  5 |       - { group: engineering, project: ENG, role: member, unknownProjects: skip }
    |                                                                            ^^^^
    a project that the rule names itself is held or sent: write hold or send, or capture the project from
    groupRegex`,
  },
  {
    what: 'Waivers in a file that the settings do not name under `waivers.files`',
    files: declared('    waivers:\n      - { group: leads, project: ENG, from: none, to: admin, until: 2026-01-31, reason: INC-99 }\n'),
    exit: 78,
    shows: `groups.yaml:4:5: this file may not have "waivers"
  4 |     waivers:
    |     ^^^^^^^
    remove it, or let the settings name the file under "waivers.files"; no file is named there now`,
  },
  {
    what: 'A waiver that says the same before and after the change',
    files: {
      ...declared('    waivers:\n      - { group: leads, project: ENG, from: admin, to: admin, until: 2026-01-31, reason: INC-99 }\n'),
      ...settings('declaration:', 'waivers: { files: [groups.yaml] }\ndeclaration:'),
    },
    exit: 78,
    shows: `groups.yaml:5:56: "from" and "to" are the same, so there is no change
  5 |       - { group: leads, project: ENG, from: admin, to: admin, until: 2026-01-31, reason: INC-99 }
    |                                                        ^^^^^
    write the role before and the role after; for a rename add "previously"`,
  },
  {
    what: 'A certificate file that does not exist, as `validate` says it',
    files: settings('workspaces:', '  caFile: ca.pem\nworkspaces:'),
    args: ['validate'],
    exit: 78,
    shows: `config.yaml:5:11: the certificates of ca.pem cannot be read: there is no such file
  5 |   caFile: ca.pem
    |           ^^^^^^
    name a file of certificates (PEM) that this program may read`,
  },
  {
    what: 'A group file with a mistake, as `validate` says it',
    files: { 'corp.yaml': 'groups:\n  - { nam: engineering }\n' },
    args: ['validate'],
    exit: 78,
    shows: `config.yaml:9:29: the groups cannot be read: /etc/plane-group-sync/corp.yaml:2:5: "name" is missing (the name as in the claim of the identity provider), and 1 more mistake
  9 |   corp: { kind: file, path: corp.yaml }
    |                             ^^^^^^^^^
    correct the file; nothing of it is used until then`,
  },
  {
    what: 'A proxy in the environment that is not an address',
    args: ['plan'],
    env: { https_proxy: 'proxy.example.com:3128/path' },
    exit: 78,
    shows: `environment variable https_proxy: this is not the address of a proxy
  write http://proxy.example.com:3128, or remove the variable`,
  },
]

const held: readonly BadInput[] = [
  {
    what: 'A group in the directory whose name begins or ends with a blank, and which a pattern matches',
    files: { ...rule('{ groupGlob: "eng*", project: ENG, role: member }'), ...known('engineering ') },
    exit: 0,
    shows: `Held (1)
  ? ENG  "engineering " → member
      the name cannot be sent: it begins or ends with a blank, which the service would cut off; rename the group in its
      directory  groups.yaml:5`,
  },
  {
    what: 'A name with a control character',
    files: { ...rule('{ groupGlob: "eng*", project: ENG, role: member }'), ...known('eng\u001b[31m') },
    exit: 0,
    shows: `Held (1)
  ? ENG  eng\\u{1b}[31m → member
      the name cannot be sent: it contains U+001B, which cannot be seen; rename the group in its directory
      groups.yaml:5`,
  },
  {
    what: 'A name with a direction character, which is displayed in another order',
    files: { ...rule('{ groupGlob: "eng*", project: ENG, role: member }'), ...known('eng\u202egnp') },
    exit: 0,
    shows: `Held (1)
  ? ENG  eng\\u{202e}gnp → member
      the name cannot be sent: it contains U+202E, which cannot be seen; rename the group in its directory
      groups.yaml:5`,
  },
  {
    what: 'A name that is in two directories',
    files: {
      ...directory('corp: { kind: file, path: corp.yaml }\n  cloud: { kind: file, path: cloud.yaml }'),
      'cloud.yaml': 'groups:\n  - { name: engineering }\n',
    },
    exit: 0,
    shows: `Held (1)
  ? ENG  engineering → member
      the name is in 2 places: cloud: /etc/plane-group-sync/cloud.yaml:2; corp: /etc/plane-group-sync/corp.yaml:2; first
      look in the claim of a login which group it is; then: name the directory with from:, or rename one of the
      groups  groups.yaml:5`,
  },
  {
    what: 'A name that is twice in one directory',
    files: { 'corp.yaml': 'groups:\n  - { name: engineering }\n  - { name: engineering }\n' },
    exit: 0,
    shows: `Held (1)
  ? ENG  engineering → member
      the name is in 2 places: corp: /etc/plane-group-sync/corp.yaml:2; corp: /etc/plane-group-sync/corp.yaml:3; first
      look in the claim of a login which group it is; then: rename one of the groups, or let the settings of the
      directory leave one out  groups.yaml:5`,
  },
  {
    what: 'Two patterns that match the same group of the directory',
    files: declared(`    projectRoles:
      - { groupGlob: "eng*", project: ENG, role: member }
      - { groupGlob: "*ing", project: ENG, role: guest }
`),
    exit: 0,
    shows: `Held (1)
  ? ENG  engineering
      patterns want different roles: guest, member (groups.yaml:5, groups.yaml:6); write an exact rule for this group:
      it beats the patterns  groups.yaml:5`,
  },
  {
    what: 'A captured role that is not in the map',
    files: {
      ...rule('{ groupRegex: "eng-(?<level>[a-z]+)", project: ENG, role: { capture: level, map: { rw: member, ro: guest } } }'),
      ...known('eng-adm'),
    },
    exit: 0,
    shows: `Held (1)
  ? ENG  eng-adm
      the captured role "adm" is not in the rule's map (rw, ro); first make sure that the people of the group should
      have the role; then: add it to the rule's map, or leave the group out with except:  groups.yaml:5`,
  },
  {
    what: 'A group that is in no directory',
    files: rule('{ group: enginering, project: ENG, role: member }'),
    exit: 0,
    shows: `Held (1)
  ? ENG  enginering → member  corp does not know this group; did you mean engineering?  groups.yaml:5`,
  },
  {
    what: 'A project that the owner of the API key cannot see',
    files: rule('{ group: engineering, project: ENGG, role: member }'),
    exit: 0,
    shows: `Held (1)
  ? ENGG  engineering → member  the credential sees no project ENGG; did you mean ENG?  groups.yaml:5`,
  },
]

const error: readonly BadInput[] = [
  {
    what: 'A service that cannot be reached',
    files: settings('SERVICE', 'http://127.0.0.1:1'),
    exit: 1,
    shows: `Failed, nothing was planned: the project mappings cannot be read: cannot connect (ECONNREFUSED) (GET
http://127.0.0.1:1/api/v1/workspaces/acme/group-sync/project-mappings/, workspace acme, credential "default")
      check the address of Plane (service.baseUrl, or PLANE_BASE_URL), that Plane runs, and that proxies, firewalls and
      network policies let this through`,
  },
  {
    what: 'A redirect to another host',
    service: { faults: ['*: 301 redirect to https://login.example.com/'] },
    exit: 1,
    shows: `Failed, nothing was planned: the project mappings cannot be read: 301, a redirect to https://login.example.com/, which
is not followed (GET https://plane.example.com/api/v1/workspaces/acme/group-sync/project-mappings/, workspace acme,
credential "default")
      set the address of Plane (service.baseUrl, or PLANE_BASE_URL) to the final address`,
  },
  {
    what: 'A web page instead of JSON',
    service: { faults: ['*: html'] },
    exit: 1,
    shows: `Failed, nothing was planned: the project mappings cannot be read: a web page instead of JSON (200: a web page "Sign in")
(GET https://plane.example.com/api/v1/workspaces/acme/group-sync/project-mappings/, workspace acme, credential "default")
      the address of Plane (service.baseUrl, or PLANE_BASE_URL) must be that of the API, not of the web application or
      of a login page in front of it`,
  },
  {
    what: 'JSON that is cut off',
    service: { faults: ['*: truncated'] },
    exit: 1,
    shows: `Failed, nothing was planned: the project mappings cannot be read: JSON that is cut off or broken (200, 1 character: [)
(GET https://plane.example.com/api/v1/workspaces/acme/group-sync/project-mappings/, workspace acme, credential "default")
      Plane, or a proxy in front of it, ended the answer early: see its log; the next run reads again`,
  },
  {
    what: 'A key that is not valid, answered with 401',
    files: { 'api-key': 'wrong-key' },
    exit: 1,
    shows: `Failed, nothing was planned: the project mappings cannot be read: the service refuses the credential "default" (401:
Given API token is not valid) (GET https://plane.example.com/api/v1/workspaces/acme/group-sync/project-mappings/, workspace
acme, credential "default")
      the key may have expired: make a new key (Plane: profile settings, personal access tokens) and put it into the
      file or variable that the settings name`,
  },
  {
    what: 'The same, answered with 403',
    service: { dialect: 'plane' },
    files: { 'api-key': 'wrong-key' },
    exit: 1,
    shows: `Failed, nothing was planned: the project mappings cannot be read: the service refuses the credential "default" (403:
Given API token is not valid) (GET https://plane.example.com/api/v1/workspaces/acme/group-sync/project-mappings/, workspace
acme, credential "default")
      the key may have expired: make a new key (Plane: profile settings, personal access tokens) and put it into the
      file or variable that the settings name`,
  },
  {
    what: 'A wrong slug, answered with 403',
    service: { dialect: 'plane' },
    files: settings('{}', '{ slug: acmee }'),
    exit: 1,
    shows: `Failed, nothing was planned: the project mappings cannot be read: the service forbids this (403: You do not have
permission to perform this action.) (GET https://plane.example.com/api/v1/workspaces/acmee/group-sync/project-mappings/,
workspace acme, credential "default")
      check the workspace slug "acmee" (Plane answers 403 for a misspelt one, too), and that the owner of credential
      "default" is an admin of the workspace, or a member of the project`,
  },
  {
    what: 'The same, answered with 404',
    files: settings('{}', '{ slug: acmee }'),
    exit: 1,
    shows: `Failed, nothing was planned: the project mappings cannot be read: not there (404: Workspace not found.) (GET
https://plane.example.com/api/v1/workspaces/acmee/group-sync/project-mappings/, workspace acme, credential "default")
      check the workspace slug "acmee"; if every address answers 404, the address of Plane (service.baseUrl, or
      PLANE_BASE_URL) is wrong, or this Plane has no group sync (Commercial edition)`,
  },
  {
    what: 'A key that may only read',
    service: { dialect: 'plane', state: { ...projects, keys: [{ value: 'sandbox-key', rights: 'read-only' }] } },
    exit: 1,
    shows: `Refused by the service (1)
  + ENG  engineering → member  groups.yaml:5
      403: the service forbids this (You do not have permission to perform this action.): check the workspace slug
      "acme" (Plane answers 403 for a misspelt one, too), and that credential "default" may write: its owner must
      be a workspace admin, an API key must not be read-only, an OAuth token needs the scope
      workspaces.group_sync:write; tried again at the next run`,
  },
  {
    what: 'An LDAP server that cannot be reached',
    files: directory('corp: { kind: ldap, addresses: ["ldap://127.0.0.1:1"], bind: anonymous, groups: { base: "dc=example,dc=org" } }'),
    exit: 1,
    shows: `WARNING corp could not be read: ldap://127.0.0.1:1: cannot connect (ECONNREFUSED): check the address, that the server
runs, and that firewalls and network policies let it through`,
  },
  {
    what: 'A Keycloak that cannot be reached',
    files: directory('corp: { kind: keycloak, url: "http://127.0.0.1:1", realm: corp, client: { id: sync, secret: { file: api-key } } }'),
    exit: 1,
    shows: `WARNING corp could not be read: GET http://127.0.0.1:1/realms/corp/.well-known/openid-configuration: cannot connect
(ECONNREFUSED): check the address, that the server runs, and that firewalls and network policies let it through`,
  },
  {
    what: 'A group file that does not exist',
    files: { 'corp.yaml': null },
    exit: 1,
    shows: `WARNING corp could not be read: /etc/plane-group-sync/corp.yaml: there is no such file: check the path, and that this
program may read it`,
  },
  {
    what: 'A group file with a mistake',
    files: { 'corp.yaml': 'groups:\n  - { nam: engineering }\n' },
    exit: 1,
    shows: `WARNING corp could not be read: /etc/plane-group-sync/corp.yaml:2:5: "name" is missing (the name as in the claim of the
identity provider), and 1 more mistake: correct the file; nothing of it is used until then`,
  },
  {
    what: 'A directory that returns no group at all',
    files: { 'corp.yaml': 'groups: []\n' },
    exit: 1,
    shows: `WARNING corp could not be read whole: the read succeeded but found no group, which proves nothing; check that the
account may read groups, and that the place where they are looked for exists`,
  },
  {
    what: 'A journal folder that is a file',
    files: { state: 'here was a folder' },
    exit: 1,
    shows: `/etc/plane-group-sync/state: no journal can be kept here: this is not a folder
  set journal.folder to a folder that this program may write to, on a persistent volume; or set journal: none, which loses much (docs/journal.md)`,
  },
  {
    what: 'A journal with a line that is not JSON',
    files: { 'state/journal-000001.jsonl': '{"format":1,"memory":\n' },
    exit: 1,
    shows: `/etc/plane-group-sync/state/journal-000001.jsonl:1: this line is not JSON; stop the program, then move all files of the folder away to begin a new journal (its first creates then wait)`,
  },
  {
    what: 'A journal with a line that is not an entry',
    files: { 'state/journal-000001.jsonl': journalOf(2, { kind: 'note' }) },
    exit: 1,
    shows: `/etc/plane-group-sync/state/journal-000001.jsonl:2: this line is no entry of a journal; stop the program, then move all files of the folder away to begin a new journal (its first creates then wait)`,
  },
  {
    what: 'A journal without its first line',
    files: { 'state/journal-000001.jsonl': '{"entry":"end","run":"r","atMs":1}\n' },
    exit: 1,
    shows: `/etc/plane-group-sync/state/journal-000001.jsonl:1: this line is not the head of a journal; stop the program, then move all files of the folder away to begin a new journal (its first creates then wait)`,
  },
  {
    what: 'A journal folder of a newer version, with older files beside the newest',
    files: { 'state/journal-000001.jsonl': journalOf(2), 'state/journal-000002.jsonl': journalOf(3) },
    exit: 1,
    shows: `/etc/plane-group-sync/state/journal-000002.jsonl:1: a newer version wrote this journal (format 3); this version reads format 2: start the newer version again; or stop the program, move all journal-*.jsonl out of this folder, keep the folder itself, and start (its first creates then wait)`,
  },
  {
    what: 'A journal with an entry that only a newer program understands',
    files: {
      'state/journal-000001.jsonl': journalOf(2, {
        ...{ entry: 'intent', run: 'r', atMs: 1, workspace: 'acme', declaration: 'd' },
        change: { action: 'merge', id: 'c1', key: 'acme/workspace/a', requires: [] },
      }),
    },
    exit: 1,
    shows: `/etc/plane-group-sync/state/journal-000001.jsonl:2: a newer version wrote this line; this version does not know the change "merge": start the newer version again; or stop the program, move all journal-*.jsonl out of this folder, keep the folder itself, and start (its first creates then wait)`,
  },
  {
    what: 'A journal for another Plane installation',
    files: {
      'state/journal-000001.jsonl': journalOf(
        2,
        {
          ...{ entry: 'start', run: 'r', atMs: 1, version: '0.1.0', command: 'apply', waits: 'no' },
          service: { host: 'stage.example.com', slugs: { acme: 'acme' } },
        },
        { entry: 'reading', run: 'r', atMs: 2, of: 'acme/projectRoles', size: 1 },
      ),
    },
    exit: 1,
    shows: `/etc/plane-group-sync/state: this journal is about the service at stage.example.com, not at plane.example.com; give these settings a journal.folder of their own`,
  },
  {
    what: 'A journal that another process is writing',
    files: {
      'state/lock': JSON.stringify({ token: 't', pid: 1, host: hostname(), sinceMs: Date.parse('2026-01-31T08:00:00Z'), as: 'daemon' }),
    },
    args: ['run'],
    exit: 1,
    shows: `/etc/plane-group-sync/state/lock: process 1 on this-host has held this journal since 2026-01-31T08:00:00.000Z. It is a daemon: let it do the work (plane-group-sync reconcile makes it run a cycle now), or stop it first`,
  },
  {
    what: 'A listen address that is in use',
    files: settings('http: none', 'http: { listen: "HOST" }'),
    args: ['run'],
    exit: 1,
    shows: `http.listen plane.example.com: another program listens there already; choose another port, or http: none`,
  },
]

const usage: readonly BadInput[] = [
  {
    what: 'A command that does not exist',
    args: ['aply'],
    exit: 64,
    shows: `plane-group-sync has no command "aply"; did you mean "apply"?
  plane-group-sync --help shows all commands`,
  },
  {
    what: 'An option that does not exist',
    args: ['apply', '--yess'],
    exit: 64,
    shows: `apply has no option "--yess"; did you mean "--yes"?
  plane-group-sync apply --help shows its options`,
  },
  {
    what: 'An option without its value',
    args: ['plan', '--out'],
    exit: 64,
    shows: `--out needs a value
  plane-group-sync plan --help shows its options`,
  },
  {
    what: 'An invalid value of an option',
    args: ['plan', '--format', 'xml'],
    exit: 64,
    shows: `--format takes one of text, json, markdown, not "xml"
  plane-group-sync plan --help shows its options`,
  },
  {
    what: 'A workspace that the settings do not have',
    args: ['apply', '--yes', '--workspace', 'acmee'],
    exit: 64,
    shows: `the settings name no workspace "acmee"; did you mean "acme"?
  they have acme`,
  },
  {
    what: '`apply` without a terminal, so that it cannot ask',
    args: ['apply'],
    exit: 64,
    shows: `apply asks before it writes, but the input is not a terminal
  add --yes to write without asking`,
  },
  {
    what: 'A saved plan that does not exist',
    args: ['apply', 'plan.json', '--yes'],
    exit: 64,
    shows: `plan.json: there is no such file
  apply takes a plan that plan --out has saved; without a file it makes a fresh plan`,
  },
  {
    what: 'A device in the place of a saved plan',
    args: ['apply', '/dev/zero', '--yes'],
    exit: 64,
    shows: `/dev/zero: this is a device, not a file
  apply takes a plan that plan --out has saved; without a file it makes a fresh plan`,
  },
  {
    what: 'A saved plan of a workspace that the settings do not have',
    files: { 'plan.json': savedPlanOf('globex') },
    args: ['apply', 'plan.json', '--yes'],
    exit: 64,
    shows: `plan.json has a plan for the workspace "globex", and the settings name no such workspace
  they have acme; add "globex" to the settings, or name others with --workspace, or make a new plan`,
  },
  {
    what: 'A saved plan that is cut off',
    files: { 'plan.json': '{"format":' },
    args: ['apply', 'plan.json', '--yes'],
    exit: 64,
    shows: `plan.json is not a saved plan: it is not JSON, or cut off
  save it again with plan --out, with this version of the program`,
  },
  {
    what: 'An invalid waiver',
    args: ['apply', '--yes', '--allow', 'all'],
    exit: 64,
    shows: `--allow takes the 32 digits (0-9, a-f) that the plan shows after --allow, not "all"
  plane-group-sync apply --help shows its options`,
  },
]

const warning: readonly BadInput[] = [
  {
    what: 'A secret file that every user of the machine can read',
    modes: { 'api-key': 0o644 },
    args: ['plan', '--log-format', 'pretty'],
    exit: 0,
    shows: `WARN: secret-file-world-readable: /etc/plane-group-sync/api-key: every user of this machine can read this secret; chmod o-r /etc/plane-group-sync/api-key; in Kubernetes: defaultMode: 0440 with securityContext.fsGroup`,
  },
  {
    what: 'A journal with entries of a newer version',
    files: { 'state/journal-000001.jsonl': journalOf(2, { entry: 'lease', run: 'r', atMs: 1 }, { entry: 'end', run: 'r', atMs: 2 }) },
    args: ['plan', '--log-format', 'pretty'],
    exit: 0,
    shows: `WARN: journal-entries-ignored: /etc/plane-group-sync/state: 1 × "lease" in this journal: entries of a newer version, which this version ignores; unless you went back to an older version on purpose, start the newer one`,
  },
  {
    what: 'A journal with fields of a newer version, in its memory and in an entry',
    files: {
      'state/journal-000001.jsonl': `${JSON.stringify({ format: 2, memory: { pauses: {} } })}\n${JSON.stringify({ entry: 'end', run: 'r', atMs: 1, unheardOf: 7 })}\n`,
    },
    args: ['plan', '--log-format', 'pretty'],
    exit: 0,
    shows: `WARN: journal-entries-ignored: /etc/plane-group-sync/state/journal-000001.jsonl:1: 1 × "memory.pauses" in the memory that this file begins with: fields of a newer version, which this version ignores; the next file of the journal will lack them; unless you went back to an older version on purpose, start the newer one before this version begins the next file (after journal.bytesMax of entries)
WARN: journal-entries-ignored: /etc/plane-group-sync/state/journal-000001.jsonl:2: 1 × "end.unheardOf" from this line on: fields of a newer version, which this version ignores; unless you went back to an older version on purpose, start the newer one`,
  },
  {
    what: 'A key that other programs use too, near its limit',
    files: { ...rule('{ groups: [engineering, ops], project: ENG, role: member }'), ...known('engineering', 'ops') },
    othersSpend: 51,
    args: ['plan'],
    exit: 0,
    shows: `Findings (1)
  warning budget-near: others use 51 of the 60 requests that this credential has in 60 s; 3 are left, and this cycle needs 4 · credential "default"
      use a separate key for this program, since Plane counts each key by itself; if this key has no other user, Plane
      allows it less than service.limit says: set that to about 9 in 60 s`,
  },
]

const works: readonly BadInput[] = [
  {
    what: 'A service whose clock is two minutes ahead',
    service: { dialect: 'plane', now: () => Date.now() + 120_000 },
    exit: 0,
    writes: 1,
    shows: `Written (1)
  + ENG  engineering → member  groups.yaml:5`,
  },
  {
    what: 'A service whose clock is two minutes behind',
    service: { dialect: 'plane', now: () => Date.now() - 120_000 },
    exit: 0,
    writes: 1,
    shows: `Written (1)
  + ENG  engineering → member  groups.yaml:5`,
  },
  {
    what: 'A pattern that would run for years in a backtracking regex engine',
    files: { ...rule('{ groupRegex: "(a+)+", project: ENG, role: member }'), ...known('a'.repeat(40), `${'a'.repeat(200)}!`) },
    exit: 0,
    writes: 1,
    shows: `Written (1)
  + ENG  aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa → member  groups.yaml:5`,
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
    shows: `Written (9)
  + ENG  "Müller & Söhne" → member  groups.yaml:5
  + ENG  a,b              → member  groups.yaml:5
  + ENG  a/b              → member  groups.yaml:5
  + ENG  a\\b              → member  groups.yaml:5
  + ENG  "group 🚀"       → member  groups.yaml:5
  + ENG  it's             → member  groups.yaml:5
  + ENG  "the \\"best\\""   → member  groups.yaml:5
  + ENG  مهندسين          → member  groups.yaml:5
  + ENG  開発             → member  groups.yaml:5`,
  },
  {
    what: 'Settings that take address, key and workspace from the environment',
    files: settings('  baseUrl: SERVICE\n  credential: { apiKey: { file: api-key } }\nworkspaces:\n  acme: {}', '  {}'),
    env: { PLANE_BASE_URL: 'SERVICE', PLANE_API_KEY: 'sandbox-key', PLANE_WORKSPACE_SLUG: 'acme' },
    exit: 0,
    writes: 1,
    shows: `Written (1)
  + ENG  engineering → member  groups.yaml:5`,
  },
]

export const badInput: readonly Chapter[] = [
  {
    title: 'Refused',
    says: 'Exit code 78. All mistakes are shown at once, each with its line. With wrong settings no server is asked. Nothing of a wrong file of the declaration is used; a plan from its other files follows the mistakes.',
    rows: refused,
  },
  {
    title: 'Held',
    says: 'Exit code 0. The change waits, existing mappings stay as they are, and all other changes continue.',
    rows: held,
  },
  {
    title: 'A clear error',
    says: 'Exit code 1. An incomplete reading proves nothing, so no change that relies on it is written.',
    rows: error,
  },
  { title: 'A wrong command line', says: 'Exit code 64. Nothing is read and nothing is written.', rows: usage },
  { title: 'A warning', says: 'Exit code 0. The program continues.', rows: warning },
  { title: 'Works', says: 'Exit code 0, and the mappings are written.', rows: works },
]
