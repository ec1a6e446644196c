/**
 * `config/example-company`: the settings, declaration, directory and sandbox state of a made-up company, for tests, measurements and the docs. 40 teams
 * own 200 projects in 3 workspaces. The declaration stands for about 800 mappings; nearly all of them do not exist yet.
 */
export function exampleCompany(): readonly { readonly path: string; readonly content: string }[] {
  const files = [
    { name: 'config.yaml', text: settings() },
    { name: 'directory.yaml', text: directory() },
    { name: 'service.yaml', text: service() },
    ...workspaces.map((workspace) => ({ name: `groups/platform/${workspace}.yaml`, text: platformFile(workspace) })),
    ...teams.map((team) => ({ name: `groups/teams/${team.name}.yaml`, text: teamFile(team) })),
  ]
  return files.map(({ name, text }) => ({ path: `config/example-company/${name}`, content: `${generatedNote}${text}` }))
}

const generatedNote = '# A made-up company. npm run generate writes this file (scripts/generate/example-company.ts).\n'

type Workspace = 'product' | 'platform' | 'business'
type Team = { readonly name: string; readonly workspace: Workspace; readonly projects: readonly string[]; readonly people: number }

const teamNames: Readonly<Record<Workspace, readonly string[]>> = {
  product: [
    'web',
    'mobile',
    'search',
    'checkout',
    'payments',
    'catalog',
    'media',
    'maps',
    'chat',
    'growth',
    'ads',
    'reviews',
    'accounts',
    'email',
    'video',
    'games',
    'partners',
    'loyalty',
    'orders',
    'returns',
  ],
  platform: ['infra', 'network', 'storage', 'identity', 'observability', 'build', 'release', 'security', 'data', 'ml', 'compute', 'edge'],
  business: ['finance', 'legal', 'people', 'sales', 'support', 'facilities', 'procurement', 'marketing'],
}
const workspaces = Object.keys(teamNames) as Workspace[]

/** Five projects a team: `WEB`, `WEBAPI`, `WEBOPS`, `WEBQA`, `WEBDOC`. Plane allows 12 characters. */
const projectsOf = (name: string) => ['', 'API', 'OPS', 'QA', 'DOC'].map((end) => `${name.toUpperCase().slice(0, 9)}${end}`)

const teams: readonly Team[] = workspaces.flatMap((workspace) =>
  teamNames[workspace].map((name, index) => ({ name, workspace, projects: projectsOf(name), people: 5 + ((index * 7) % 19) })),
)
const teamsOf = (workspace: Workspace) => teams.filter((team) => team.workspace === workspace)

/** Words and groups of a team beyond those that each team has. */
const more: Readonly<Record<string, Partial<Record<'may' | 'groups' | 'projects', readonly string[]>>>> = {
  legal: { groups: ['partners-legal'] },
  finance: { projects: ['FINNANCE'] },
  video: { may: ['allowProtected'] },
  web: { may: ['removed'], groups: ['interns'] },
}

/** What the file of a team may say: its own projects, and the groups that work in them. */
function fenceOf({ name, workspace, projects }: Team): string {
  const { may = [], groups = [], projects: others = [] } = more[name] ?? {}
  const all = [`team-${name}`, `team-${name}-*`, `contractors-${workspace}`, `oncall-${workspace}`, 'security-review', ...groups]
  const roles = '[guest, commenter, contributor, member, admin]'
  const inWorkspace = name === 'video' ? ' workspaceRoles: { groups: [contractors-all], roles: [admin] },' : ''
  return [
    `  teams/${name}.yaml:\n`,
    `    { owner: team-${name}, workspace: ${workspace}, may: ${list(['expires', ...may])},${inWorkspace}\n`,
    `      projectRoles: { projects: ${list([...projects, ...others])}, roles: ${roles},\n`,
    `        groups: ${list(all.map((one) => (one.endsWith('*') ? `"${one}"` : one)))} } }\n`,
  ].join('')
}

const settings = (): string => `# yaml-language-server: $schema=../settings.schema.json
version: 1
service: { baseUrl: "http://127.0.0.1:8787" } # the sandbox, started with --state service.yaml
workspaces: { product: {}, platform: {}, business: {} }
declaration: ./groups
fences: # what the files of each team may say; docs/fences.md
  platform/**: everything
${teams.map(fenceOf).join('')}directories:
  corp: { kind: file, path: ./directory.yaml }
roles:
  ordinary: # a lead is admin of the own projects; admin of a workspace needs approval
    project: [guest, commenter, contributor, member, admin]
    workspace: [guest, commenter, contributor, member]
guards: { creates: { count: 1000 }, run: { creates: 1000 }, day: { creates: 1000 } } # for the first import
journal: { folder: ./state }
`

const list = (names: readonly string[]): string => `[${names.join(', ')}]`
const declared = (owner: string, workspace: Workspace, lists: readonly string[]): string =>
  `# yaml-language-server: $schema=../../../declaration.schema.json\nversion: 1\nowner: ${owner}\nworkspaces:\n  ${workspace}:\n${lists.join('')}`

function platformFile(workspace: Workspace): string {
  const own = teamsOf(workspace)
  const lists = [
    '    workspaceRoles:\n',
    '      - { group: leadership, role: admin, allowProtected: true, reason: ACC-1201 }\n',
    ...(workspace === 'platform' ? ['      - { group: it-leads, role: admin }\n'] : []),
    `      - group: ${list(own.map(({ name }) => `team-${name}`))}\n        role: member\n`,
    '    projectRoles:\n',
    '      - { group: all-staff, allProjects: true, role: guest }\n',
    `      - group: auditors\n        project: ${list(own.flatMap(({ projects }) => projects))}\n        role: guest\n        reason: ISO 27001\n`,
    `    unmanaged:\n      - { groupGlob: "legacy-*", reason: ACC-77 }\n`,
  ]
  return declared('platform-team', workspace, lists)
}

function teamFile({ name, workspace, projects }: Team): string {
  const [main = '', api = '', ops = '', qa = '', docs = ''] = projects
  const lists = [
    '    projectRoles:\n',
    `      - { group: team-${name}, project: ${list(projects)}, role: member }\n`,
    `      - { group: team-${name}-leads, project: ${list(projects)}, role: admin }\n`,
    `      - { group: contractors-${workspace}, project: ${list([qa, docs])}, role: contributor, expires: 2099-12-31 }\n`,
    `      - { group: oncall-${workspace}, project: ${ops}, role: member, reason: on-call edits runbooks }\n`,
    `      - { group: security-review, project: ${api}, role: commenter }\n`,
    ...(oddRules[name]?.(main) ?? []).map((rule) => `      - ${rule}\n`),
    ...(name === 'video' ? ['    workspaceRoles:\n      - { group: contractors-all, role: admin, allowProtected: true }\n'] : []),
    ...(name === 'web' ? [`    removed:\n      - { group: interns, project: ${main} }\n`] : []),
  ]
  return declared(`team-${name}`, workspace, lists)
}

/** Rules that a reviewer should notice: a misspelt group, a misspelt project. */
const oddRules: Readonly<Record<string, (main: string) => readonly string[]>> = {
  legal: (main) => [`{ group: partners-legal, project: ${main}, role: guest }`],
  finance: () => ['{ group: team-finance, project: FINNANCE, role: guest }'],
}

/** The members of each group: a part of the staff, so that most people are in several groups. Leads are the first members of their team. */
function directory(): string {
  const company = people(2140)
  // Contractors are the last ones of the staff, and teams share the others, one after another.
  const part = (from: number, count: number) => Array.from({ length: count }, (_, index) => company[(from + index) % company.length] ?? '')
  let next = 0
  const taken = (count: number) => {
    next += count
    return part(next - count, count)
  }
  const ofTeams = teams.flatMap(({ name, people: count }): readonly Members[] => {
    const team = taken(count)
    return [
      [`team-${name}`, team],
      [`team-${name}-leads`, team.slice(0, 1 + (count % 3))],
    ]
  })
  const contractors = part(-160 + company.length, 160)
  const groups: readonly Members[] = [
    ['all-staff', company],
    ['leadership', part(1200, 9)],
    ['it-leads', [...part(1300, 9), ...part(1205, 3)]],
    ['auditors', part(1400, 4)],
    ['security-review', part(1500, 6)],
    ['contractors-all', contractors],
    ['partner-legal', part(1600, 5)],
    ['interns', part(1700, 14)],
    ...workspaces.flatMap((workspace, index): readonly Members[] => [
      [`contractors-${workspace}`, contractors.slice(50 * index, 50 * index + 70 - 20 * index)],
      [`oncall-${workspace}`, part(200 * index, 24 - 7 * index)],
    ]),
    ...ofTeams,
  ]
  return `groups:\n${groups.map(([name, members]) => `  - { name: ${name}, members: ${list(members.map((one) => `${one}@example.com`))} }\n`).join('')}`
}

type Members = readonly [group: string, members: readonly string[]]

const firstNames = [
  'ann',
  'ben',
  'chen',
  'dana',
  'emre',
  'fatma',
  'goran',
  'hana',
  'ines',
  'jonas',
  'kofi',
  'lena',
  'malik',
  'nora',
  'omar',
  'priya',
  'quinn',
  'rosa',
  'sven',
  'tomas',
]
const lastNames = [
  'adams',
  'baker',
  'costa',
  'diaz',
  'evans',
  'fischer',
  'garcia',
  'huang',
  'ito',
  'jensen',
  'kim',
  'lopez',
  'meyer',
  'novak',
  'okafor',
  'patel',
  'rossi',
  'silva',
  'tanaka',
  'weber',
]

/** `ann.adams`, `ben.adams`, … `tomas.weber`, `ann.adams2`, … */
const people = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => {
    const round = Math.floor(index / (firstNames.length * lastNames.length))
    const last = lastNames[Math.floor(index / firstNames.length) % lastNames.length]
    return `${firstNames[index % firstNames.length]}.${last}${round === 0 ? '' : round + 1}`
  })

function service(): string {
  const each = workspaces.map((workspace) => {
    const own = teamsOf(workspace)
    const mapping = (group: string, where: string, role: string) => `      - { idp_group_name: ${group}, ${where}, role: ${role} }\n`
    const inProject = (group: string, project: string | undefined, role: string) => mapping(group, `project: ${project}`, role)
    // The first teams of the workspace use the mappings already.
    const used = own
      .slice(0, Math.ceil(own.length / 8))
      .flatMap(({ name, projects }) => [
        ...projects.map((project) => inProject(`team-${name}`, project, 'member')),
        ...projects.map((project) => inProject(`team-${name}-leads`, project, 'admin')),
        inProject(`oncall-${workspace}`, projects[2], 'guest'),
        inProject(`contractors-${workspace}`, projects[3], 'member'),
      ])
    const odd =
      workspace === 'product'
        ? [inProject('old-web-admins', 'WEB', 'admin'), inProject('legacy-wiki', 'WEBDOC', 'member'), inProject('interns', 'WEB', 'guest')]
        : []
    return [
      `  ${workspace}:\n`,
      '    config: { is_enabled: true, sync_offline: true, auto_remove: false }\n',
      `    projects: ${list(own.flatMap(({ projects }) => projects))}\n`,
      '    workspaceMappings:\n      - { idp_group_name: leadership, role: admin }\n',
      `    projectMappings:\n${mapping('all-staff', 'all_projects: true', 'guest')}`,
      ...used,
      ...odd,
    ].join('')
  })
  return `keys:\n  - { value: sandbox-key, owner: ann }\nworkspaces:\n${each.join('')}`
}
