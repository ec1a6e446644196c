/** A team has a folder, a project and groups of its own. */
const teams =
  `ads api app bank blog cart cash chat core crm data desk docs edge erp feed fleet games geo hr infra iot jobs kiosk lab legal maps media
mobile ops pay pos qa risk sales search sec shop web`.split(/\s+/)
const rolesOfTeam = {
  data: 'member',
  design: 'member',
  devs: 'member',
  leads: 'contributor',
  oncall: 'member',
  ops: 'member',
  pilots: 'guest',
  qa: 'member',
  readers: 'guest',
  review: 'commenter',
  support: 'guest',
  writers: 'guest',
}
/** The smallest team has fewer groups. */
const smallTeam = { name: 'lab', groups: 8 }
const contracts = Array.from({ length: 31 }, (_, index) => `ext-${String(index + 1).padStart(2, '0')}`)
/** These teams get another department, and with it other names of groups. */
const movedTeams = 18
const department = 'north'

type Group = { readonly name: string; readonly id: string; readonly people: number }
/** The files of the declaration, by their paths below its folder. */
export type Files = ReadonlyMap<string, string>

/** The company on the first day: what its directory has, and what its files declare. */
export function company() {
  const names = [
    ...teams.flatMap((team) => groupsOf(team).map(({ group }) => group)),
    ...contracts,
    ...['all-staff', 'auditors', 'it-admins', 'it-leads', 'leadership'],
  ]
  const groups = names.map((name, index): Group => ({ name, id: `id-${index + 1}`, people: 2 + (index % 17) }))
  const files: Files = new Map([
    ...teams.map((team) => [fileOf(team), fileOfTeam(team)] as const),
    ['platform/acme.yaml', platform],
    [contractsFile, fileWith(contracts.map((group, index) => rule(group, projectOf(teams[index] ?? ''), 'member')))],
  ])
  return { groups, files }
}

export const contractsFile = 'platform/contracts.yaml'
export const fileOf = (team: string): string => `teams/${team}/acme.yaml`
export const projectOf = (team: string): string => team.toUpperCase()
export const rule = (group: string, project: string, role: string, more = ''): string =>
  `      - { group: ${group}, project: ${project}, role: ${role}${more === '' ? '' : `, ${more}`} }`
export const fileWith = (rules: readonly string[]): string => `version: 1\nworkspaces:\n  acme:\n    projectRoles:\n${rules.join('\n')}\n`

const groupsOf = (team: string) =>
  Object.entries(rolesOfTeam)
    .slice(0, team === smallTeam.name ? smallTeam.groups : undefined)
    .map(([part, role]) => ({ group: `${team}-${part}`, role }))
const fileOfTeam = (team: string) => fileWith(groupsOf(team).map(({ group, role }) => rule(group, projectOf(team), role)))
const platform = `version: 1
workspaces:
  acme:
    workspaceRoles:
      - { group: it-admins, role: admin, allowProtected: true }
      - { group: leadership, role: member }
    projectRoles:
      - { group: all-staff, allProjects: true, role: guest }
${rule('auditors', 'RISK', 'guest')}
${rule('it-leads', 'INFRA', 'member')}
`

/** A group has its id whatever its name is. */
const renamed = (name: string): string => {
  const [team = ''] = name.split('-')
  if (name === 'auditors') return 'internal-audit'
  return teams.indexOf(team) < movedTeams && teams.includes(team) ? `${department}-${name}` : name
}

/** The reorganisation in the directory: other names, the same ids. */
export const reorganised = (groups: readonly Group[]): readonly Group[] => groups.map((group) => ({ ...group, name: renamed(group.name) }))

/** The reorganisation in the files: each rule has the new name of its group, and the former one. */
export const reorganisedFiles = (files: Files): Files =>
  new Map(
    [...files].map(([path, text]) => [
      path,
      text.replaceAll(/group: ([\w-]+),/g, (line, name: string) =>
        renamed(name) === name ? line : `group: ${renamed(name)}, previously: ${name},`,
      ),
    ]),
  )

/** The state with which the sandbox starts: a person made the mappings in Plane, as the files declare them. */
export function service(key: string): object {
  const ofTeams = teams.flatMap((team) =>
    groupsOf(team).map(({ group, role }) => ({ idp_group_name: group, project: projectOf(team), role })),
  )
  const ofContracts = contracts.map((group, index) => ({ idp_group_name: group, project: projectOf(teams[index] ?? ''), role: 'member' }))
  return {
    keys: [{ value: key, owner: 'plane-group-sync' }],
    workspaces: {
      acme: {
        config: { is_enabled: true, sync_offline: true, auto_remove: true },
        projects: [...teams.map(projectOf), 'ROBOTS'],
        workspaceMappings: [
          { idp_group_name: 'it-admins', role: 'admin' },
          { idp_group_name: 'leadership', role: 'member' },
        ],
        projectMappings: [
          { idp_group_name: 'all-staff', all_projects: true, role: 'guest' },
          { idp_group_name: 'auditors', project: 'RISK', role: 'guest' },
          { idp_group_name: 'it-leads', project: 'INFRA', role: 'member' },
          ...ofTeams,
          ...ofContracts,
        ],
      },
    },
  }
}

/** `hasMoved`: the fences of the teams with another department allow the new names, too. */
export type Fences = { readonly hasMoved: boolean; readonly has: (team: string) => boolean }

/** The text of the settings: the defaults but for the fences, and for a limit of requests with which a month takes a minute. */
export const settings = ({ hasMoved, has }: Fences): string => `version: 1
service: { limit: { requests: 6000, window: 1m } }
workspaces: { acme: {} }
declaration: ./groups
directories: { corp: { kind: file, path: ./directory.yaml } }
schedule: { jitter: 0s }
journal: { folder: ./state }
http: { listen: "127.0.0.1:0" }
fences:
  platform/**: everything
${[...teams, 'robots']
  .filter(has)
  .map((team) => fence(team, hasMoved && teams.indexOf(team) < movedTeams && teams.includes(team)))
  .join('\n')}
`

const fence = (team: string, isMoved: boolean): string => {
  const groups = [`"${team}-*"`, ...(isMoved ? [`"${department}-${team}-*"`] : [])].join(', ')
  return `  teams/${team}/**: { owner: team-${team}, workspace: acme, may: [removed, previously, expires],
    projectRoles: { projects: [${projectOf(team)}], groups: [${groups}], roles: [guest, commenter, contributor, member] } }`
}
