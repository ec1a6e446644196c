import { describe, expect, test } from 'vitest'
import type { WhoDocument } from '../../../src/documents/who.ts'
import { clientId, entraStandIn, tenantId } from '../standIns/entra.ts'
import { idOf, user } from '../standIns/entraMembers.ts'
import { openPlace } from './program.ts'

const hiding = [{}, { visibility: 'HiddenMembership' }]

const declaration = `version: 1
workspaces:
  acme:
    workspaceRoles:
      - { group: leads, role: admin }
    projectRoles:
      - { group: devs, project: [ENG, OPS], role: member }
      - { group: staff, allProjects: true, role: guest }
`
const directory = {
  groups: [
    { name: 'devs', members: ['ann@example.com', 'ben@example.com'] },
    { name: 'staff', members: ['Ann@Example.com', 'ben@example.com', 'cho@example.com'] },
    { name: 'leads', members: ['ann@example.com'] },
  ],
}

async function openCompany() {
  const place = await openPlace({
    declaration,
    groups: [],
    workspaces: { acme: { projects: ['ENG', 'OPS'], projectMappings: [{ idp_group_name: 'staff', all_projects: true, role: 'guest' }] } },
  })
  await place.write('directory.yaml', directory)
  return place
}

describe('who', () => {
  test('shows the roles of a person today and after the plan, by which groups, and what waits', async () => {
    await using place = await openCompany()
    const { code, out, err } = await place.run(['who', 'ANN@example.com'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(
      out.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST').replaceAll(/[0-9a-f]{32}/g, 'ID'),
    ).toBe(`ANN@example.com is a member of 3 groups that have a role, or would get one: devs, leads and staff.

acme at HOST
  ↑ 2 projects    guest → member
      by devs: no role → member · groups.yaml:7
      by staff: guest in all projects · groups.yaml:8
      in ENG, OPS
  = all projects  guest
      by staff: guest · groups.yaml:8
  ! workspace  leads → admin  waits: protected role
      to approve this change: --allow ID · or in the file: allowProtected: true
Takes no effect: group sync is off in this workspace.

Roles that are given by hand in Plane are not seen.
`)
    expect((await place.run(['plan', '--detailed-exitcode'])).code).toBe(3)
  })

  test('limits on people decide as in a plan', async () => {
    await using place = await openCompany()
    await place.settings({ guards: { people: { raise: 2 } } })
    const grants = async () => (await place.run(['who', 'ben@example.com'])).out
    expect(await grants()).toContain('by devs: no role → member')
    expect(await grants()).not.toContain('waits')
    await place.settings({ guards: { people: { raise: 1 } } })
    expect(await grants()).toMatch(/2 people would get a higher role[^]*--allow [0-9a-f]{32}:2/)
  })

  test('the document has each project, with the rule', async () => {
    await using place = await openCompany()
    const { out } = await place.run(['who', 'ben@example.com', '-o', 'json'])
    const [acme] = (JSON.parse(out) as WhoDocument).workspaces
    expect(acme).toMatchObject({ groups: ['devs', 'staff'], unknown: [], held: [] })
    expect(acme?.roles.map(({ target, before, after }) => [target, before, after])).toEqual([
      [{ kind: 'allProjects' }, 'guest', 'guest'],
      [{ kind: 'project', project: 'ENG' }, 'guest', 'member'],
      [{ kind: 'project', project: 'OPS' }, 'guest', 'member'],
    ])
    expect(acme?.roles[1]?.by[0]).toMatchObject({ group: 'devs', before: null, after: 'member', because: { at: { line: 7 } } })
  })

  test('a person in no group is told, and no other person is named', async () => {
    await using place = await openCompany()
    const { code, out } = await place.run(['who', 'dan@example.com'])
    expect(code).toBe(0)
    expect(out).toContain('No group that has a role, or would get one, has dan@example.com as a member.')
    expect(out).not.toContain('cho@')
  })

  test('groups whose members are not known are named, and the exit code is 1', async () => {
    await using place = await openCompany()
    await place.write('directory.yaml', { groups: directory.groups.map((one) => (one.name === 'devs' ? { name: 'devs' } : one)) })
    const { code, out } = await place.run(['who', 'ben@example.com'])
    expect(code).toBe(1)
    expect(out).toContain(
      'Not all members of 1 group are known, so this person may also have other roles.\n      corp has no list of the members of "devs" (in a file of groups: "members")',
    )
  })

  test('a person in no known group is no plain no: the hidden group is named, with the finding and its cure', async () => {
    const groups = [idOf(1), idOf(2)].map((id, index) => ({ id, displayName: index === 0 ? 'Sales' : 'Board', ...hiding[index] }))
    await using server = await entraStandIn({ groups, members: { [idOf(1)]: [user(11)], [idOf(2)]: [user(12)] } })
    const client = { id: clientId, secret: { env: 'PLANE_API_KEY' } }
    const urls = { graphUrl: server.url.origin, loginUrl: server.url.origin }
    const corp = { kind: 'entra', tenant: tenantId, ...urls, client, people: {} }
    const rules = groups.map(({ id }) => ({ group: id, project: 'ENG', role: 'member' }))
    await using place = await openPlace({
      declaration: { version: 1, workspaces: { acme: { projectRoles: rules } } },
      groups: [],
      settings: { directories: { corp } },
    })
    const { code, out } = await place.run(['who', 'person-12@example.com'])
    expect(code).toBe(1)
    const line = out.replaceAll(/\s+/g, ' ')
    expect(line).toContain('No group has person-12@example.com among its known members.')
    expect(line).toContain(`does not show all members of "Board" (${idOf(2)}), see the finding people-at-least the roles are not known`)
    expect(line).toMatch(
      /info people-at-least: .*HiddenMembership.* · corp first make sure that another account does not see them either; then: look in the directory/,
    )
    const document = JSON.parse((await place.run(['who', 'person-11@example.com', '-o', 'json'])).out) as WhoDocument
    expect(document.workspaces).toMatchObject([
      {
        groups: [idOf(1)],
        unknown: [idOf(2)],
        labels: { [idOf(1)]: 'Sales', [idOf(2)]: 'Board' },
        findings: [{ code: 'people-at-least' }],
      },
    ])
  })

  test('a word that can be no person has a hint', async () => {
    await using place = await openCompany()
    const { code, out } = await place.run(['who', 'Ann Smith'])
    expect(code).toBe(0)
    expect(out.replaceAll(/\s+/g, ' ')).toContain('every person is known by a text with "@", and this one has none')
    expect((await place.run(['who', 'dan@example.com'])).out).not.toContain('another name')
  })

  test('a role by a list that the declaration does not manage is a role, and a list that cannot be read is named', async () => {
    const whoBeside = async (faults: readonly string[]) => {
      await using place = await openPlace({
        declaration: { version: 1, workspaces: { acme: { projectRoles: [] } } },
        groups: [],
        workspaces: { acme: { projects: ['ENG'], workspaceMappings: [{ idp_group_name: 'leads', role: 'admin' }] } },
        sandbox: { faults },
      })
      await place.write('directory.yaml', directory)
      const { code, out } = await place.run(['who', 'ann@example.com', '-o', 'json'])
      return { code, acme: (JSON.parse(out) as WhoDocument).workspaces[0] }
    }
    const { code, acme } = await whoBeside([])
    expect(code).toBe(0)
    expect(acme).toMatchObject({
      groups: ['leads'],
      unknown: [],
      roles: [{ target: { kind: 'workspace' }, before: 'admin', after: 'admin' }],
    })
    expect(acme).not.toHaveProperty('unread')
    const blind = await whoBeside(['GET workspace-mappings: 403'])
    expect(blind).toMatchObject({ code: 1, acme: { groups: [], roles: [], unread: [{ list: 'workspaceRoles' }] } })
  })

  test('a directory that no rule asks is asked about the person', async () => {
    const rules = [{ group: 'devs', from: 'corp', project: 'ENG', role: 'member' }]
    await using place = await openPlace({
      declaration: { version: 1, workspaces: { acme: { projectRoles: rules } } },
      groups: [],
      workspaces: { acme: { projects: ['ENG'], projectMappings: [{ idp_group_name: 'staff', all_projects: true, role: 'guest' }] } },
      settings: { directories: { lab: { kind: 'file', path: 'lab.yaml' } } },
    })
    await place.write('directory.yaml', { groups: directory.groups.slice(0, 1) })
    await place.write('lab.yaml', { groups: directory.groups.slice(1) })
    const { code, out } = await place.run(['who', 'cho@example.com'])
    expect(out).toContain('by staff: guest')
    expect(code).toBe(0)
    expect((await place.run(['who', 'dan@example.com'])).code).toBe(0)
  })

  test('a change that waits for a limit changes no role', async () => {
    await using place = await openCompany()
    await place.settings({ policy: 'exclusive', guards: { deletes: { count: 0, share: '0%', minExisting: 0 } } })
    await place.write('groups.yaml', declaration.replace('      - { group: staff, allProjects: true, role: guest }\n', ''))
    const { code, out } = await place.run(['who', 'cho@example.com'])
    expect(code).toBe(0)
    expect(out).toContain('staff = guest  waits: the only project mapping would be deleted')
    expect(out).toContain('= all projects  guest\n')
  })

  test('without a directory that knows members, or without a person, the command line is wrong', async () => {
    await using place = await openCompany()
    expect(await place.run(['who'])).toMatchObject({ code: 64, err: expect.stringContaining('who ann@example.com') as string })
    const ldap = { kind: 'ldap', addresses: ['ldaps://127.0.0.1:9'], bind: 'anonymous', groups: { base: 'dc=example' } }
    await place.write('config.yaml', { ...(JSON.parse(await place.read('config.yaml')) as object), directories: { corp: ldap } })
    const ended = await place.run(['who', 'ann@example.com'])
    expect(ended).toMatchObject({ code: 64, out: '' })
    expect(ended.err).toContain('no directory of these settings says who the members of groups are')
  })
})
