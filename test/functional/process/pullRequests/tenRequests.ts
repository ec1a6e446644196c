/* Ten pull requests over the company of config/example-company, of the kinds that a reviewer meets. */

type Edit = (text: string) => string

export type PullRequest = {
  readonly name: string
  /** What it does to each file. A file that does not exist yet has the text ''. */
  readonly edits: Readonly<Record<string, Edit>>
  /** Whether the directory was not read whole when the recording was made. */
  readonly incomplete?: true
  readonly code: number
  /** The beginning of what the reviewer reads. */
  readonly first: string
  /** What the reviewer reads without a click, in this order. */
  readonly says: readonly string[]
}

const [web, product, platform, business] = ['teams/web.yaml', 'platform/product.yaml', 'platform/platform.yaml', 'platform/business.yaml']
const without =
  (text: string): Edit =>
  (file) =>
    replaced(file, text, '')
const instead =
  (text: string, by: string): Edit =>
  (file) =>
    replaced(file, text, by)
/** Rules after the first line that begins a list. */
const rules =
  (list: 'projectRoles' | 'workspaceRoles' | 'removed', ...rows: readonly string[]): Edit =>
  (file) =>
    replaced(file, `    ${list}:\n`, `    ${list}:\n${rows.map((row) => `      - ${row}\n`).join('')}`)
const all =
  (...edits: readonly Edit[]): Edit =>
  (file) =>
    edits.reduce((text, edit) => edit(text), file)

/** An edit that finds nothing to replace would leave a request that asks for nothing. */
function replaced(file: string, text: string, by: string): string {
  if (!file.includes(text)) throw new Error(`The example company has no longer: ${text}`)
  return file.replace(text, () => by)
}

const leads = 'team-(?<team>[a-z]+)-leads'

export const tenRequests: readonly PullRequest[] = [
  {
    name: '01-one-rule',
    code: 0,
    first: '3 workspaces: 1 with changes, 2 without a new change · 1 create, 0 raise, 0 lower, 0 delete',
    says: [
      '+ WEBDOC interns → member 14 people, 14 raised "summer school, ACC-1377" teams/web.yaml:8 · team-web',
      'Takes effect at the next login or within 2 h.',
      'Not of this change: ',
      'Nothing changes for anyone (2 workspaces): business, platform',
    ],
    edits: { [web]: rules('projectRoles', '{ group: interns, project: WEBDOC, role: member, reason: "summer school, ACC-1377" }') },
  },
  {
    name: '02-admin-by-name',
    code: 0,
    first: '3 workspaces: 1 with changes, 2 without a new change · 1 create (1 protected)',
    says: [
      '1 protected role, approved in the file (allowProtected); will be applied',
      '‼ workspace it-leads → admin 12 people, 9 new "ACC-1402"',
    ],
    edits: { [product]: rules('workspaceRoles', '{ group: it-leads, role: admin, allowProtected: true, reason: ACC-1402 }') },
  },
  {
    name: '03-admin-by-pattern',
    code: 3,
    first: '3 workspaces: 1 waiting, 2 without a new change · 40 need approval',
    says: [
      '40 changes need approval',
      '‼ workspace team-chat-leads → admin 3 people, 3 raised',
      'All 40 rows: approve it as below · or write an exact rule with allowProtected: true',
      'To approve all 40 protected changes (80 people):',
      'plane-group-sync apply --workspace product --allow',
    ],
    edits: { [product]: rules('workspaceRoles', '{ groupGlob: "team-*-leads", role: admin, reason: ACC-1403 }') },
  },
  {
    name: '04-admin-taken',
    code: 0,
    first: '3 workspaces: 1 with changes, 2 without a new change · 0 create, 0 raise, 0 lower, 7 delete · 5 undeclared',
    says: [
      '- workspace leadership = admin removed, 9 people, 9 lose it',
      '- 5 projects: ORDERS, ORDERSAPI, ORDERSDOC, ORDERSOPS, ORDERSQA team-orders-leads = admin',
      '- WEB old-web-admins = admin removed',
      'Auto-remove is off: people keep the access that they have.',
      'Undeclared, not ours: kept (5)',
      '· 4 projects: WEB, WEBAPI, WEBDOC, WEBOPS team-web-leads = admin 3 people',
      'to delete: export --workspace product --removed',
    ],
    edits: {
      'teams/orders.yaml': without(
        '      - { group: team-orders-leads, project: [ORDERS, ORDERSAPI, ORDERSOPS, ORDERSQA, ORDERSDOC], role: admin }\n',
      ),
      [web]: without('      - { group: team-web-leads, project: [WEB, WEBAPI, WEBOPS, WEBQA, WEBDOC], role: admin }\n'),
      [product]: all(
        without('      - { group: leadership, role: admin, allowProtected: true, reason: ACC-1201 }\n'),
        instead(
          '    unmanaged:\n',
          '    removed:\n      - { group: leadership, workspace: true }\n      - { group: old-web-admins, project: WEB }\n    unmanaged:\n',
        ),
      ),
    },
  },
  {
    name: '05-same-by-pattern',
    code: 0,
    first: 'Nothing changes for anyone (3 workspaces): business, platform, product',
    says: [],
    edits: {
      [business]: instead(
        '      - group: [team-finance, team-legal, team-people, team-sales, team-support, team-facilities, team-procurement, team-marketing]\n',
        '      - groupRegex: "team-(finance|legal|people|sales|support|facilities|procurement|marketing)"\n',
      ),
    },
  },
  {
    name: '06-dates',
    code: 0,
    first: '3 workspaces: 1 with changes at later dates only, 2 without a new change · 4 later (1 protected)',
    says: [
      '‼ workspace it-leads → admin from 2998-12-05 22:00 UTC, 12 people, until 2998-12-06 04:00 UTC, "move of the data centre" approved in the file',
      '- workspace it-leads = admin from 2998-12-06 04:00 UTC',
      '+ WEBOPS contractors-product → member from 2998-12-07, 70 people, until 2998-12-18',
      '- WEBOPS contractors-product = member after 2998-12-18',
    ],
    edits: {
      [web]: rules(
        'projectRoles',
        '{ group: contractors-product, project: WEBOPS, role: member, starts: 2998-12-07, expires: 2998-12-18 }',
      ),
      [product]: rules(
        'workspaceRoles',
        '{ group: it-leads, role: admin, allowProtected: true, starts: "2998-12-05T22:00:00Z", expires: "2998-12-06T04:00:00Z", reason: "move of the data centre" }',
      ),
    },
  },
  {
    name: '07-unknown-groups',
    code: 0,
    first: '3 workspaces: 1 with nothing to write, 2 without a new change · 4 held',
    says: [
      '? MOBIL interns → guest',
      'did you mean MOBILE?',
      '? 2 projects: MOBILE, WEB data-office → guest corp does not know this group',
      '? WEB team-web-leeds → contributor corp does not know this group "team-web-leads"',
    ],
    edits: {
      [web]: rules('projectRoles', '{ group: team-web-leeds, project: WEB, role: contributor }'),
      [product]: rules(
        'projectRoles',
        '{ group: data-office, project: [WEB, MOBILE], role: guest, reason: ACC-1410 }',
        '{ group: interns, project: MOBIL, role: guest }',
      ),
    },
  },
  {
    name: '08-many-changes',
    code: 3,
    first:
      '3 workspaces: 1 with changes, 2 without a new change · 0 create, 0 raise, 4 lower, 0 delete · 102 need approval (2 create, 100 raise), 39 held',
    says: [
      '‼ workspace contractors-product → admin 70 people',
      '100 raises (25 % of 403 owned mappings); guards.raises.count allows 50',
      '! 100 projects: ACCOUNTS, ACCOUNTSAPI',
      '100 projects of auditors, guest → commenter: ACCOUNTS,',
      '↓ WEB team-web-leads admin → member 3 people, 3 lowered',
    ],
    edits: {
      [product]: all(
        rules('workspaceRoles', '{ group: contractors-product, role: admin, allowProtected: true }'),
        rules('projectRoles', `{ groupRegex: "${leads}", project: { capture: team }, role: member }`),
        instead('        role: guest\n        reason: ISO 27001\n', '        role: commenter\n        reason: ISO 27001\n'),
      ),
      [web]: instead('WEBDOC], role: admin }', 'WEBDOC], role: member }'),
    },
  },
  {
    name: '09-invalid-file',
    code: 78,
    first: '[!WARNING] Invalid: team-web.yaml and teams/web.yaml (team-web).',
    says: [
      'team-web.yaml: no fence of the settings matches this file',
      'teams/web.yaml:8:48: unknown key "rol"',
      '14 existing mappings are kept until teams/web.yaml is valid',
    ],
    edits: {
      [web]: rules('projectRoles', '{ group: team-web-leads, project: WEB, rol: admin }'),
      'team-web.yaml': () => 'version: 1\nworkspaces: { product: { workspaceRoles: [{ group: team-web, role: admin }] } }\n',
      [platform]: without('      - { group: it-leads, role: admin }\n'),
    },
  },
  {
    name: '10-not-read-whole',
    code: 1,
    first: '[!WARNING] corp could not be read whole',
    says: [
      'Until corp is read whole, existing mappings stay',
      'product: 0 create, 0 raise, 0 lower, 1 delete · 3 held',
      '- WEBAPI security-review = commenter undeclared, 6 people',
      '? 2 projects: MAPS, MOBILE interns → guest 14 people; waits for corp',
      '? WEB "<img src=x>|@acme/owners`" → guest waits for corp',
      'business: no new change',
      'Nothing changes, as far as is known',
    ],
    incomplete: true,
    edits: {
      [web]: without('      - { group: security-review, project: WEBAPI, role: commenter }\n'),
      [product]: rules(
        'projectRoles',
        '{ group: interns, project: [MOBILE, MAPS], role: guest }',
        '{ group: "<img src=x>|@acme/owners`", project: WEB, role: guest, reason: "[free](https://x.example) | **now**" }',
      ),
    },
  },
]
