import { roleDefaults } from '../../../src/sandbox/projects.ts'
import type { Project, State, Workspace } from '../../../src/sandbox/state.ts'
import type { StateInput } from '../../../src/sandbox/state-input.ts'

export const project = '0190f0a0-0000-4000-a000-000000000001'
export const sticky = '0190f0a0-0000-4000-a000-000000000002'
export const page = '0190f0a0-0000-4000-a000-000000000003'
export const installation = '0190f0a0-0000-4000-a000-000000000004'
export const absent = '0190f0a0-0000-4000-a000-00000000ffff'
export const application = { id: 'an-application', secret: 'a-secret' }

/** Names and values of each kind that the models of the clients distinguish: null or not, expanded or not, open or secret. */
export const input: StateInput = {
  users: [{ name: 'ann', email: 'ann@example.org', utcOffset: '+05:30' }],
  keys: [
    { value: 'good-key', owner: 'ann' },
    { value: 'reading-key', owner: 'ann', rights: 'read-only' },
    { value: 'spent-key', owner: 'ann', limit: { requests: 0, windowMs: 60_000 } },
  ],
  applications: [{ clientId: application.id, clientSecret: application.secret, installationId: installation, owner: 'ann' }],
  workspaces: {
    acme: {
      projects: [
        {
          id: project,
          identifier: 'ENG',
          name: 'Engineering',
          project_lead: 'ann',
          states: [{ name: 'Todo', group: 'unstarted' }],
          workItems: [
            { name: 'Nobody does it' },
            { name: 'Two do it', state: 'Todo', priority: 'urgent', assignees: ['ann', 'ben'] },
            { name: 'Ünïcode, "quoted"', state: 'Todo', assignees: ['ann'] },
          ],
        },
        { identifier: 'OLD', archived_at: '2026-01-31T12:00:00.250Z' },
        { identifier: 'SECRET', network: 0, members: ['ann'] },
        { identifier: 'OTHERS', network: 0, members: ['ben'] },
        'OPS',
      ],
      projectMappings: ['a', 'b', 'c'].map((idp_group_name) => ({ idp_group_name, project: 'ENG', role: 'member' })),
      roles: {
        workspace: roleDefaults.workspace,
        project: Array.from({ length: 22 }, (_, index) => `role-${String(index).padStart(2, '0')}`),
      },
      stickies: [{ id: sticky, name: 'Remember', description_html: '<p>the milk</p>', owner: 'ann' }],
      pages: [{ id: page, name: 'Handbook', description: 'How we work', description_html: '<p>How we work</p>', owned_by: 'ben' }],
    },
  },
}

/** The state of the sandbox with the field names of an answer. Times are epoch ms. `comparable` converts the times of an answer in the same way. */
export function stored(state: State) {
  const idOf = (name: string | null) => state.users.find((user) => user.name === name)?.id ?? null
  const workspace = state.workspaces['acme'] as Workspace
  const { projects, roles, stickies, pages, projectMappings, workspaceMappings, config } = workspace
  const [eng] = projects as [Project, ...Project[]]
  const place = { workspace: workspace.id }
  return {
    user: (name: string) => {
      const { id, email } = state.users.find((user) => user.name === name) ?? {}
      return { id, email, display_name: name, first_name: name, last_name: '' }
    },
    projects: projects
      .filter(({ identifier }) => identifier !== 'OTHERS')
      .map(({ id, identifier, name, network, archived_at, project_lead, created_at, updated_at }) => ({
        ...{ id, identifier, name, network, archived_at, created_at, updated_at },
        ...{ ...place, project_lead: idOf(project_lead) },
      })),
    workItems: eng.workItems.map((row) => ({
      ...{ ...row, ...place, project: eng.id },
      state: eng.states.find(({ name }) => name === row.state)?.id ?? null,
      assignees: row.assignees.map(idOf),
    })),
    states: eng.states,
    roles: (['project', 'workspace'] as const).flatMap((namespace) =>
      (roles?.[namespace] ?? []).map((slug) => ({ slug, name: slug, namespace })),
    ),
    stickies: stickies.map((row) => ({ ...row, ...place, owner: idOf(row.owner) })),
    pages: pages.map((row) => ({ ...row, ...place, owned_by: idOf(row.owned_by) })),
    ...{ projectMappings, workspaceMappings, config },
  }
}

/** The value with all times as epoch ms. */
export function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]: [string, unknown]) => [
      name,
      name.endsWith('_at') && typeof one === 'string' ? Date.parse(one) : comparable(one),
    ]),
  )
}
