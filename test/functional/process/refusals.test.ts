import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { openPlace, type Place, stateOf, writesTo } from './program.ts'
import { started } from './startedDaemon.ts'

const created = ['new-0', 'new-1', 'new-2', 'new-3', 'new-4', 'new-5']
const groups = [...created, 'gone', 'lower', 'raise']
const mapping = (idp_group_name: string, role: string) => ({ idp_group_name, project: 'OPS', role })

/** One lowering, one delete, one raise and six creates. */
const world = (settings: object = {}) =>
  openPlace({
    workspaces: {
      acme: {
        projects: ['ENG', 'OPS'],
        projectMappings: [mapping('gone', 'guest'), mapping('lower', 'member'), mapping('raise', 'guest')],
      },
    },
    declaration: {
      version: 1,
      workspaces: {
        acme: {
          projectRoles: [
            ...created.map((group) => ({ group, project: 'ENG', role: 'member' })),
            { group: 'lower', project: 'OPS', role: 'guest' },
            { group: 'raise', project: 'OPS', role: 'member' },
          ],
          removed: [{ group: 'gone', project: 'OPS' }],
        },
      },
    },
    groups,
    settings: { guards: { raises: { share: '100%' }, lowers: { share: '100%' }, deletes: { share: '100%' } }, ...settings },
  })
const wanted = [...created.map((group) => `ENG ${group} → member`), 'OPS lower → guest', 'OPS raise → member']

const faults = async ({ sandbox }: Place, texts: readonly string[]) => {
  const answer = await fetch(`${sandbox.url}/_sandbox/faults`, { method: 'PUT', body: JSON.stringify({ faults: texts }) })
  expect(answer.status).toBe(200)
}
const setRights = ({ sandbox }: Place, rights: 'admin' | 'read-only') => {
  const [key] = sandbox.state.keys
  if (key === undefined) throw new Error('no key')
  key.rights = rights
}

describe('a key that may not write', () => {
  test('costs a few requests a cycle, and everything is written in the first cycle after it may', async () => {
    await using place = await world()
    setRights(place, 'read-only')
    const { cycle, stop } = await started(place)
    const first = writesTo(place.sandbox).length
    // Of the lowering and the delete, the raise, and the first create: three, and one of each other rank.
    expect(first).toBeLessThanOrEqual(4)
    await cycle()
    expect(writesTo(place.sandbox).length - first).toBeLessThanOrEqual(4)
    setRights(place, 'admin')
    await cycle()
    expect(stateOf(place.sandbox)).toEqual(wanted)
    await stop()
  })

  test.each([
    ['apply', ['apply', '--yes']],
    ['run --once', ['run', '--once']],
  ])('is replaced, and the next command writes everything: %s', async (_name, command) => {
    await using place = await world()
    setRights(place, 'read-only')
    const refused = await place.run(command)
    expect(refused.code, refused.out + refused.err).toBe(1)
    expect(refused.out + refused.err, 'output').toContain('not tried')
    setRights(place, 'admin')
    const { code, out, err } = await place.run(command)
    expect(code, out + err).toBe(0)
    expect(stateOf(place.sandbox)).toEqual(wanted)
  })

  test('beside a daemon: apply writes everything as soon as it may', async () => {
    await using place = await world()
    setRights(place, 'read-only')
    const { stop } = await started(place)
    setRights(place, 'admin')
    const { code, out, err } = await place.run(['apply', '--yes'])
    expect(code, out + err).toBe(0)
    expect(stateOf(place.sandbox)).toEqual(wanted)
    await stop()
  })
})

describe('an answer of a proxy in place of Plane', () => {
  test.each([403, 404, 405, 406, 409, 413, 400])(
    '%i to the DELETE and the PATCH: all else is written at once, they in the next cycle',
    async (status) => {
      await using place = await world()
      await faults(place, [`DELETE project-mappings: ${status}`, `PATCH project-mappings: ${status}`])
      const { cycle, stop } = await started(place)
      expect(stateOf(place.sandbox)).toEqual([...wanted.slice(0, -2), 'OPS gone → guest', 'OPS lower → member', 'OPS raise → guest'])
      await faults(place, [])
      await cycle()
      expect(stateOf(place.sandbox)).toEqual(wanted)
      await stop()
    },
  )

  test('403 to one DELETE: the next cycle writes it', async () => {
    await using place = await world()
    await faults(place, ['DELETE project-mappings: 403, once'])
    const { cycle, stop } = await started(place)
    expect(stateOf(place.sandbox)).toContain('OPS gone → guest')
    await cycle()
    expect(stateOf(place.sandbox)).toEqual(wanted)
    await stop()
  })

  test.each([502, 500, 'html'])(
    '%s to the DELETE and the PATCH, again and again: they are written as soon as the last try is settled',
    async (answer) => {
      await using place = await world()
      await faults(place, [`DELETE project-mappings: ${answer}`, `PATCH project-mappings: ${answer}`])
      const { cycle, stop } = await started(place)
      for (let again = 0; again < 3; again++) {
        await sleep(1_100)
        await cycle()
      }
      await faults(place, [])
      await sleep(1_100)
      expect((await place.run(['apply', '--yes'])).code).toBe(0)
      expect(stateOf(place.sandbox)).toEqual(wanted)
      await stop()
    },
    60_000,
  )
})
