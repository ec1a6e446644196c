import { describe, expect, test } from 'vitest'
import { openPlace, stateOf } from './program.ts'

const groups = Array.from({ length: 4 }, (_, n) => `team-${n}`)
const rules = { projectRoles: [{ group: groups, project: 'ENG', role: 'member' }] }
const declaration = { version: 1, workspaces: { acme: rules } }
const whole = groups.map((group) => `ENG ${group} → member`)

type Document = {
  readonly workspaces: readonly {
    readonly standing: string
    readonly changes: readonly { readonly id: string }[]
    readonly holds: readonly unknown[]
    readonly applied?: {
      readonly results: readonly { readonly change: string; readonly outcome: { readonly is: string } }[]
      readonly stopped?: string
    }
  }[]
}

/** What the one document of an apply says, in short. */
function told(text: string) {
  const [{ changes, holds, applied } = { changes: [], holds: [], applied: undefined }] = (JSON.parse(text) as Document).workspaces
  const ids = new Set(changes.map(({ id }) => id))
  const results = applied?.results ?? []
  return {
    outcomes: results.map(({ outcome }) => outcome.is),
    unnamed: results.filter(({ change }) => !ids.has(change)).length,
    holds: holds.length,
    stopped: applied?.stopped,
  }
}

describe.concurrent('the document of an apply that waited and went on', () => {
  test.each(['lost after commit for 1s', '500'])('says what became of a write whose answer was lost: %s', async (fault) => {
    const settings = { service: { timeout: '1s', unknownOutcomeWait: '3s' } }
    await using place = await openPlace({ declaration, groups, settings, sandbox: { faults: [`POST project-mappings: ${fault}, once`] } })
    const { code, out, err } = await place.run(['apply', '--yes', '--format', 'json'])
    expect(code, out + err).toBe(0)
    expect(stateOf(place.sandbox)).toEqual(whole)
    expect(err).toContain('Waiting')
    expect(told(out)).toEqual({ outcomes: ['done', 'done', 'done', 'done'], unnamed: 0, holds: 0, stopped: undefined })
    expect(err.replaceAll(/^\{.*\n/gm, '')).not.toContain('unknown')
  })

  test('has no hold for a create that waited and was written', async () => {
    await using place = await openPlace({ declaration, groups, settings: { journal: 'none' } })
    const { code, out, err } = await place.run(['apply', '--yes', '--format', 'json'])
    expect(code, out + err).toBe(0)
    expect(told(out)).toEqual({ outcomes: ['done', 'done', 'done', 'done'], unnamed: 0, holds: 0, stopped: undefined })
  })

  test('counts a change once that was refused before the wait and written after it', async () => {
    const faults = ['POST project-mappings: 400, once', 'POST project-mappings: 500, from the 2nd, once']
    const settings = { service: { unknownOutcomeWait: '3s' } }
    await using place = await openPlace({ declaration, groups, settings, sandbox: { faults } })
    const { code, out, err } = await place.run(['apply', '--yes', '--format', 'json'])
    expect(code, out + err).toBe(0)
    expect(told(out)).toMatchObject({ outcomes: ['done', 'done', 'done', 'done'], holds: 0 })
  })

  test('has what was written, also if the service gives no list any more', async () => {
    // The first read, the read before the first create, and then the read after the wait.
    const faults = ['POST project-mappings: 500, once', 'GET project-mappings: 403, from the 3rd']
    const settings = { service: { unknownOutcomeWait: '3s' } }
    await using place = await openPlace({ declaration, groups, settings, sandbox: { faults } })
    const { code, out, err } = await place.run(['apply', '--yes', '--format', 'json'])
    expect(code, out + err).toBe(1)
    expect(told(out)).toMatchObject({ outcomes: ['unknown', 'done', 'done', 'done'], unnamed: 0, stopped: 'unreachable' })
    expect(err).toMatch(/^acme failed, nothing was planned: .*403/m)
    expect(err).toContain('acme: 3 of 4 written, 1 unknown\n')
  })
})

test('a saved plan is applied with the ID of a set that waits', async () => {
  const names = Array.from({ length: 20 }, (_, n) => `g${n}`)
  const [gone, kept] = [names.slice(0, 12), names.slice(12)]
  const declaring = (acme: object) => ({ version: 1, workspaces: { acme } })
  const projectRoles = (some: readonly string[]) => [{ group: some, project: 'ENG', role: 'guest' }]
  await using place = await openPlace({ groups: names, declaration: declaring({ projectRoles: projectRoles(names) }) })
  expect((await place.run(['apply', '--yes'])).code).toBe(0)
  const removed = gone.map((group) => ({ group, project: 'ENG' }))
  await place.write('groups.yaml', JSON.stringify(declaring({ projectRoles: projectRoles(kept), removed })))
  const planned = await place.run(['plan', '--out', 'plan.json'])
  expect(planned.code).toBe(3)
  const [, id = ''] = /--allow ([0-9a-f]{32})/.exec(planned.out) ?? []
  const { code, out, err } = await place.run(['apply', 'plan.json', '--yes', '--allow', id])
  expect(code, planned.out + out + err).toBe(0)
  expect(stateOf(place.sandbox)).toHaveLength(8)
})
