import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { doublesOf, openPlace, type Place, stateOf, writesTo } from './program.ts'
import { started } from './startedDaemon.ts'

const names = (kind: string, count: number) => Array.from({ length: count }, (_, n) => `${kind}-${String(n).padStart(3, '0')}`)
const byHand = names('hand', 150)
const byProgram = names('made', 150)
const row = (group: string) => ({ group, project: 'ENG', role: 'member' })
const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ')
const stored = (group: string) => ({ idp_group_name: group, project: 'ENG', role: 'member' })

type World = { readonly hand?: readonly string[]; readonly made?: readonly string[]; readonly dialect?: 'plane' | 'specification' }

/** A place in which the program has made some mappings and has seen others, and in which Δ after its writes is over. */
async function settled({ hand = byHand, made = byProgram, dialect = 'plane' }: World = {}): Promise<Place> {
  const place = await openPlace({
    sandbox: { dialect, seed: 7 },
    workspaces: { acme: { projects: ['ENG', 'OPS'], projectMappings: hand.map(stored) } },
    declaration: { version: 1, workspaces: { acme: { projectRoles: [...hand, ...made].map(row) } } },
    groups: [...hand, ...made, 'new'],
    settings: { service: { unknownOutcomeWait: '1s' } },
  })
  expect((await place.run(['run', '--once'])).code).toBe(0)
  expect(stateOf(place.sandbox)).toHaveLength(hand.length + made.length)
  await pause(1_100)
  return place
}

/** The requests for one mapping by its id since the last call. */
function askedBy({ sandbox }: Place): () => number {
  const all = () => sandbox.requests.filter(({ method, path }) => method === 'GET' && /-mappings\/[^/]+\/$/.test(path)).length
  let before = all()
  return () => {
    const now = all() - before
    before += now
    return now
  }
}

describe('a list that lacks a share of its rows without a sign', () => {
  test.each([
    [5, '', 'plane'],
    [25, 'the same ', 'specification'],
    [45, '', 'specification'],
    [60, 'the last ', 'plane'],
    [60, 'the same ', 'plane'],
    [100, '', 'plane'],
  ] as const)('%i %% (%s): nothing is made twice, in three processes', async (share, which, dialect) => {
    await using place = await settled({ dialect })
    const before = stateOf(place.sandbox)
    const writes = writesTo(place.sandbox).length
    const asked = askedBy(place)
    place.sandbox.setFaults([`GET project-mappings/: list lacks ${which}${share}%`])
    for (let process = 0; process < 3; process++) {
      const { code, out } = await place.run(['plan'])
      expect([code, asked()]).toEqual([1, 1])
      expect(inOneLine(out)).toMatch(/the list lacks the mapping project\/ENG\/hand-\d+ \(id [-0-9a-f]+\), which Plane still has/)
      expect(inOneLine(out)).toContain('compare the list with the mapping at its own address')
      expect((await place.run(['run', '--once'])).code).toBe(1)
      expect(asked()).toBe(1)
    }
    expect([stateOf(place.sandbox), doublesOf(place.sandbox), writesTo(place.sandbox).length]).toEqual([before, [], writes])
    place.sandbox.setFaults([])
    expect([(await place.run(['run', '--once'])).code, asked()]).toEqual([0, 0])
  })

  test.each([5, 25, 45, 60, 100])('%i per cent, in one answer: nothing is made twice', async (share) => {
    await using place = await settled({ hand: names('hand', 20), made: names('made', 20) })
    const before = stateOf(place.sandbox)
    place.sandbox.setFaults([`GET project-mappings/: list lacks ${share}%, once`])
    for (let process = 0; process < 2; process++) await place.run(['run', '--once'])
    expect([stateOf(place.sandbox), doublesOf(place.sandbox)]).toEqual([before, []])
  })

  test.each([5, 25, 45, 60, 100])('%i per cent, without a journal: a running daemon knows the ids of its first cycle', async (share) => {
    await using place = await settled({ hand: names('hand', 20), made: names('made', 20) })
    const before = stateOf(place.sandbox)
    await place.settings({ journal: 'none' })
    const { cycle, stop } = await started(place)
    // From now on the start holds no create.
    await pause(1_100)
    place.sandbox.setFaults([`GET project-mappings/: list lacks ${share}%`])
    for (let n = 0; n < 4; n++) await cycle()
    expect([stateOf(place.sandbox), doublesOf(place.sandbox)]).toEqual([before, []])
    await stop()
  })

  test('holds the create of a mapping that never existed, too', async () => {
    await using place = await settled({ hand: names('hand', 20), made: names('made', 20) })
    place.sandbox.setFaults(['GET project-mappings/: list lacks 25%'])
    const all = [...names('hand', 20), ...names('made', 20), 'new'].map(row)
    await place.write('groups.yaml', { version: 1, workspaces: { acme: { projectRoles: all } } })
    await place.run(['run', '--once'])
    expect(stateOf(place.sandbox)).toHaveLength(40)
    place.sandbox.setFaults([])
    await place.run(['run', '--once'])
    expect(stateOf(place.sandbox)).toHaveLength(41)
  })

  test('lacks rows once, while a running plan is written: nothing is made twice', async () => {
    await using place = await settled()
    const more = names('more', 100)
    await place.groups([...byHand, ...byProgram, ...more])
    await place.write('groups.yaml', { version: 1, workspaces: { acme: { projectRoles: [...byHand, ...byProgram, ...more].map(row) } } })
    place.sandbox.setFaults(['GET project-mappings/: list lacks 45%, once, from the 2nd'])
    await place.run(['run', '--once'])
    await place.run(['run', '--once'])
    expect([stateOf(place.sandbox).length, doublesOf(place.sandbox)]).toEqual([400, []])
  })
})

describe('mappings that a person deleted', () => {
  test('are asked for once each, and made again', async () => {
    await using place = await settled()
    const asked = askedBy(place)
    const { projectMappings = [] } = place.sandbox.state.workspaces['acme'] ?? {}
    projectMappings.splice(0, 100)
    projectMappings.splice(-80)
    const { out } = await place.run(['plan'])
    // Those that this program wrote are held until Δ after the start of this process, which is over for some if the start was slow.
    const count = asked()
    expect(count).toBeGreaterThanOrEqual(100)
    // An apply asks for each of them again, and writes it. The other calls are those of its start and of its lists.
    expect(out).toContain(`${count} create, `)
    expect(inOneLine(out)).toContain(` ${2 * count + 5} calls, `)
    expect((await place.run(['run', '--once'])).code).toBe(0)
    expect([asked(), stateOf(place.sandbox).length, doublesOf(place.sandbox)]).toEqual([180, 300, []])
    await place.run(['run', '--once'])
    expect(asked()).toBe(0)
  })

  test.each([
    ['404', 'not Plane'],
    ['html', 'a web page'],
    ['403', 'forbidden'],
    ['503', 'an outage'],
    ['truncated', 'half an answer'],
    ['307 redirect to http://127.0.0.1:9/', 'a redirect'],
    ['lost for 20ms', 'no answer'],
  ])('are not made again after %s (%s)', async (fault) => {
    const hand = names('hand', 4)
    await using place = await settled({ hand, made: [] })
    place.sandbox.state.workspaces['acme']?.projectMappings.splice(0, 1)
    place.sandbox.setFaults([`GET project-mappings/*/: ${fault}`])
    const { out } = await place.run(['plan'])
    expect(inOneLine(out)).toContain('and Plane did not say whether it still has it: ')
    expect([(await place.run(['run', '--once'])).code, stateOf(place.sandbox).length]).toEqual([1, 3])
    place.sandbox.setFaults([])
    await place.run(['run', '--once'])
    expect(stateOf(place.sandbox)).toHaveLength(4)
  })

  test('with another name are no missing rows: Plane says the same by id, and is asked once', async () => {
    await using place = await settled({ hand: names('hand', 4), made: [] })
    const [first] = place.sandbox.state.workspaces['acme']?.projectMappings ?? []
    if (first !== undefined) first.idp_group_name = 'new'
    const asked = askedBy(place)
    await place.run(['run', '--once'])
    expect([asked(), stateOf(place.sandbox).length]).toEqual([1, 5])
    await place.run(['run', '--once'])
    expect([asked(), stateOf(place.sandbox).length]).toEqual([0, 5])
  })
})

test('a list of projects that lacks rows deletes and creates nothing', async () => {
  const rules = (more: readonly object[] = []) => ({
    version: 1,
    workspaces: { acme: { projectRoles: [{ group: 'a', project: 'ENG', role: 'member' }, ...more] } },
  })
  await using place = await openPlace({
    workspaces: {
      acme: {
        projects: ['ENG', 'OPS', 'API'],
        projectMappings: [stored('a'), { ...stored('a'), project: 'OPS' }, { ...stored('b'), all_projects: true, project: null }],
      },
    },
    declaration: rules([
      { group: 'a', project: 'OPS', role: 'member' },
      { groupGlob: 'b', allProjects: true, role: 'member' },
    ]),
    groups: ['a', 'b'],
    settings: { policy: 'exclusive', service: { unknownOutcomeWait: '1s' } },
  })
  await place.run(['run', '--once'])
  const before = stateOf(place.sandbox)
  for (const fault of ['list lacks 45%', 'list lacks the last 60%', 'list lacks 100%']) {
    place.sandbox.setFaults([`GET projects/: ${fault}`])
    for (let process = 0; process < 2; process++) await place.run(['run', '--once'])
  }
  expect([stateOf(place.sandbox), writesTo(place.sandbox)]).toEqual([before, []])
})
