import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exactly } from '../../../src/core/bounds.ts'
import type { Group } from '../../../src/core/group.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import type { Members } from '../../../src/core/people/members.ts'
import { noDeadline } from '../../../src/directories/deadline.ts'
import type { ScimSettings } from '../../../src/directories/scim/read.ts'
import { openPlace } from '../process/program.ts'
import { scimServers } from './scimmyServer.ts'
import { type ScimServer, scimReader, scimServerToken } from './scimServer.ts'

type People = NonNullable<ScimSettings['people']>

function directory(server: ScimServer, people: Partial<People>) {
  const asked: string[] = []
  const reader = scimReader(server, { people: { identity: 'email', nested: false, ...people } }, ({ path }) => asked.push(path))
  return { reader, asked }
}

/** The members of the groups with these names. */
async function membersOf(server: ScimServer, names: readonly string[], people: Partial<People> = {}) {
  const { reader, asked } = directory(server, people)
  const signal = AbortSignal.timeout(20_000)
  const listed = await reader.read(signal)
  if (listed.status !== 'complete' || reader.members === undefined) throw new Error(`not read: ${JSON.stringify(listed)}`)
  const groups = names.flatMap((name): readonly Group[] => listed.value.get(name as GroupName) ?? [])
  asked.length = 0
  const reading = await reader.members(groups, 0, signal, noDeadline)
  const members = new Map(
    groups.map(({ id, name }): readonly [string, Members | undefined] => [
      name,
      reading.status === 'failed' ? undefined : reading.value.get(id),
    ]),
  )
  return {
    reading,
    people: Object.fromEntries([...members].map(([name, found]) => [name, found?.people.toSorted()])),
    doubtful: Object.fromEntries([...members].map(([name, found]) => [name, found?.doubtful?.members.length])),
    more: Object.fromEntries([...members].map(([name, found]) => [name, found?.more])),
    notCounted: Object.fromEntries([...members].map(([name, found]) => [name, found?.notCounted])),
    asked,
  }
}

const none = { disabled: 0, groups: 0 }
const wide = Array.from({ length: 100 }, (_, n) => `user-${n}`)

describe.each(scimServers)('%s with pages by %s', (_, paging, start) => {
  let server: ScimServer
  const ids = new Map<string, string>()
  const idOf = (name: string) => ids.get(name) ?? ''
  beforeAll(async () => {
    server = await start()
    for (const userName of [...wide, 'ann', 'bob', 'off', 'bare', 'left']) {
      const emails = [{ value: `second-${userName}@example.org` }, { value: `${userName}@Example.org`, primary: true }]
      ids.set(userName, await server.addUser({ userName, active: userName !== 'off', ...(userName === 'bare' ? {} : { emails }) }))
    }
    const user = (name: string) => ({ value: idOf(name), type: 'User' })
    ids.set('night', await server.add('night', [user('bob')]))
    ids.set(
      'devs',
      await server.add('devs', [user('ann'), user('off'), user('left'), user('bare'), { value: idOf('night'), type: 'Group' }]),
    )
    await server.replaceMembers(idOf('night'), 'night', [user('bob'), user('ann'), { value: idOf('devs'), type: 'Group' }])
    await server.add('untyped', [{ value: idOf('bob') }, { value: idOf('night') }, { value: idOf('left') }])
    await server.add('by reference', [{ value: idOf('night'), $ref: `${server.url.href}/Groups/${idOf('night')}` }])
    await server.add('wide', wide.map(user))
    await server.add('empty')
    await server.removeUser(idOf('left'))
  })
  afterAll(() => server?.[Symbol.asyncDispose]())

  test('enabled people by their primary mail address; disabled ones, groups, and those who are gone are counted apart', async () => {
    const { reading, people, notCounted, doubtful } = await membersOf(server, ['devs', 'night'])
    expect(reading.status).toBe('complete')
    expect(people).toEqual({ devs: [`\u0000${idOf('bare')}`, 'ann@example.org'], night: ['ann@example.org', 'bob@example.org'] })
    expect(notCounted).toEqual({ devs: { ...none, disabled: 1, groups: 1 }, night: { ...none, groups: 1 } })
    expect(doubtful).toEqual({ devs: 1, night: undefined })
  })

  test('nested: groups inside in a circle, each person once', async () => {
    const { people, notCounted, doubtful } = await membersOf(server, ['devs', 'night', 'by reference'], {
      nested: true,
      identity: 'userName',
    })
    const all = ['ann', 'bare', 'bob']
    expect(people).toEqual({ devs: all, night: all, 'by reference': all })
    expect(notCounted['night']).toEqual({ ...none, disabled: 1 })
    // A member of the type User is no group.
    expect(doubtful['night']).toBe(1)
  })

  test('members without a type', async () => {
    const direct = await membersOf(server, ['untyped'], { identity: 'userName' })
    expect(direct.people).toEqual({ untyped: ['bob'] })
    expect(direct.notCounted).toEqual({ untyped: { ...none, groups: 1 } })
    expect(direct.doubtful).toEqual({ untyped: 1 })
    const nested = await membersOf(server, ['untyped'], { identity: 'userName', nested: true })
    expect(nested.people).toEqual({ untyped: ['ann', 'bare', 'bob'] })
    expect(nested.more['untyped']).toContain('do not exist')
  })

  test('by their ids', async () => {
    const { people } = await membersOf(server, ['night'], { identity: 'id' })
    expect(people).toEqual({ night: [idOf('ann'), idOf('bob')].map((id) => id.toLowerCase()).toSorted() })
  })

  test('many people are read by the list of users, in pages, and few one by one', async () => {
    const many = await membersOf(server, ['wide', 'devs'], { identity: 'userName' })
    expect(many.people['wide']).toEqual(wide.toSorted())
    expect(many.notCounted['devs']).toMatchObject({ disabled: 1 })
    expect(many.asked.filter((path) => path === '/Users').length).toBeGreaterThan(3)
    expect(many.asked.filter((path) => path.startsWith('/Users/')).length).toBeLessThan(9)
    const few = await membersOf(server, ['devs'])
    expect(few.asked.filter((path) => path.startsWith('/Users')).every((path) => path.startsWith('/Users/'))).toBe(true)
  })

  test('a group without members has none: the schema says that the server shows members', async () => {
    const { reading, people, asked } = await membersOf(server, ['empty'])
    expect(reading.status).toBe('complete')
    expect(people).toEqual({ empty: [] })
    expect(asked.at(-1)).toContain('/Schemas/')
  })

  test('a group that is gone leaves the others known', async () => {
    const gone = { name: 'gone', id: 'nowhere', place: '' } as unknown as Group
    const night = { name: 'night', id: idOf('night'), place: '' } as unknown as Group
    const reading = await directory(server, {}).reader.members?.([gone, night], 0, AbortSignal.timeout(9_000), noDeadline)
    expect(reading).toMatchObject({
      status: 'partial',
      missing: expect.stringContaining('/Groups/nowhere: 404, it does not exist any more'),
    })
    expect(reading?.status === 'partial' && [...reading.value.keys()]).toEqual([idOf('night')])
  })

  if (paging === 'index')
    test('a plan says how many people its changes concern, and who they are stays unsaid', async () => {
      const projectRoles = ['devs', 'wide', 'empty'].map((group) => ({ group, project: 'ENG', role: 'member' }))
      const corp = { kind: 'scim', url: server.url.href, token: { env: 'TOKEN' }, people: { nested: true } }
      const settings = { directories: { corp }, log: { level: 'debug' } }
      await using place = await openPlace({ declaration: { version: 1, workspaces: { acme: { projectRoles } } }, groups: [], settings })
      const { code, out, err } = await place.run(['plan', '--format', 'json'], { env: { TOKEN: scimServerToken } })
      expect(code, err).toBe(0)
      const [workspace] = (JSON.parse(out) as { workspaces: { changes: { group: string; effect?: object }[] }[] }).workspaces
      const effects = Object.fromEntries((workspace?.changes ?? []).map(({ group, effect }) => [group, effect]))
      expect(effects).toMatchObject({ devs: { newly: { least: 3 } }, wide: { newly: exactly(100) }, empty: { newly: exactly(0) } })
      for (const [name, id] of ids) if (name !== 'devs' && name !== 'night') expect(out + err, name).not.toContain(id)
      expect(out + err).not.toMatch(/@example|user-\d/i)
      expect(err).toContain('/Groups/')
    })
})
