import { describe, expect, test } from 'vitest'
import { doublesOf, openPlace, type Place, stateOf, writesTo } from './program.ts'
import { started } from './startedDaemon.ts'
import { atTerminal, hasTerminal } from './terminals.ts'

const groups = ['leads', 'devs', 'old']
const declared = (acme: object) => ({ version: 1, workspaces: { acme } })
/** A grant of a protected role waits; the others are written. */
const declaration = declared({
  projectRoles: [
    { group: 'leads', project: 'ENG', role: 'admin' },
    { group: 'devs', project: 'ENG', role: 'member' },
  ],
})
const waiting = 'ENG leads → admin'

/** A person changes the role of a mapping in Plane. The daemon sees it in its next cycle; an edit of a file would begin one by itself. */
function setByHand({ sandbox }: Place, group: string, role: string): void {
  const mapping = sandbox.state.workspaces['acme']?.projectMappings.find(({ idp_group_name }) => idp_group_name === group)
  if (mapping !== undefined) mapping.role = role
}

type PlanDocument = { readonly workspaces: readonly { readonly holds: readonly { readonly change?: { readonly id: string } }[] }[] }

/** The id of the change that waits. */
async function idThatWaits(place: Place): Promise<string> {
  const { out } = await place.run(['plan', '--format', 'json'])
  const { workspaces } = JSON.parse(out) as PlanDocument
  return workspaces.flatMap(({ holds }) => holds.flatMap(({ change }) => change?.id ?? []))[0] ?? 'none'
}

describe('beside a daemon', () => {
  test('apply --allow is an order: the daemon writes, and the command ends with its report', async () => {
    await using place = await openPlace({ declaration, groups })
    const { stop } = await started(place)
    expect(stateOf(place.sandbox)).toEqual(['ENG devs → member'])
    const id = await idThatWaits(place)
    const { code, out, err } = await place.run(['apply', '--yes', '--allow', id])
    expect(code, err).toBe(0)
    expect(err).toContain('A daemon has the journal open (process ')
    expect(out).toContain('leads')
    expect(stateOf(place.sandbox)).toEqual(['ENG devs → member', waiting])
    const journal = await place.read('state/journal-000001.jsonl')
    expect(journal).toContain(`"passes":["${id}"]`)
    await stop()
  })

  test('a saved plan that is applied twice ends with 0 and says so, as without a daemon', async () => {
    await using place = await openPlace({
      declaration: declared({ projectRoles: [{ group: 'devs', project: 'ENG', role: 'member' }] }),
      groups,
    })
    const { daemon, stop } = await started(place)
    setByHand(place, 'devs', 'guest')
    expect((await place.run(['plan', '--out', 'plan.json'])).code).toBe(0)
    for (const text of ['', 'acme: already as planned']) {
      const { code, out, err } = await place.run(['apply', 'plan.json', '--yes'])
      expect([code, out.includes('Stale')], out + err).toEqual([0, false])
      expect(err).toContain(text)
    }
    expect(stateOf(place.sandbox)).toEqual(['ENG devs → member'])
    expect(daemon.log().filter(({ level }) => level === 'error')).toEqual([])
    await stop()
  })

  test('apply waits for what became of a write whose answer was lost, and ends with 0 as without a daemon', async () => {
    const faults = ['POST project-mappings: reset after commit, from the 2nd, once']
    await using place = await openPlace({ declaration, groups, sandbox: { faults } })
    const { stop } = await started(place)
    const { code, out, err } = await place.run(['apply', '--yes', '--allow', await idThatWaits(place)])
    expect(code, err + out).toBe(0)
    expect(out).toContain('Outcome unknown (1)')
    expect(out).not.toContain('Next:')
    expect(stateOf(place.sandbox)).toEqual(['ENG devs → member', waiting])
    expect(writesTo(place.sandbox)).toHaveLength(2)
    await stop()
  })

  test('apply with a saved plan writes exactly that plan', async () => {
    await using place = await openPlace({ declaration, groups, settings: { policy: 'exclusive' } })
    const { stop } = await started(place)
    setByHand(place, 'devs', 'guest')
    await place.run(['plan', '--out', 'plan.json'])
    setByHand(place, 'devs', 'contributor')
    const stale = await place.run(['apply', 'plan.json', '--yes'])
    expect(stale.code, stale.err).toBe(3)
    expect(stateOf(place.sandbox)).toEqual(['ENG devs → contributor'])
    setByHand(place, 'devs', 'guest')
    const { code, err } = await place.run(['apply', 'plan.json', '--yes', '--format', 'json'])
    // A change of the plan waits for approval.
    expect(code, err).toBe(3)
    expect(stateOf(place.sandbox)).toEqual(['ENG devs → member'])
    await stop()
  })

  test('apply with a saved plan in which 5,000 changes wait writes the others', { timeout: 120_000 }, async () => {
    const many = Array.from({ length: 5_000 }, (_, index) => `group-${index}-with-a-name-of-a-usual-length`)
    const existing = {
      acme: {
        projects: ['ENG'],
        projectMappings: ['old', 'kept'].map((group) => ({ idp_group_name: group, project: 'ENG', role: 'guest' })),
      },
    }
    const all = declared({
      projectRoles: many.map((group) => ({ group, project: 'ENG', role: 'member' })),
      removed: [{ group: 'old', project: 'ENG' }],
    })
    await using place = await openPlace({ declaration: declared({}), groups: ['old', ...many], workspaces: existing })
    const { stop } = await started(place)
    await place.write('groups.yaml', all)
    const planned = await place.run(['plan', '--out', 'plan.json'])
    expect(planned.code, planned.err).toBe(3)
    const { code, err } = await place.run(['apply', 'plan.json', '--yes', '--format', 'json'])
    expect([code, err.includes('KiB')], err).toEqual([3, false])
    expect(stateOf(place.sandbox)).toEqual(['ENG kept → guest'])
    await stop()
  })

  test.each([['reconcile'], ['run', '--once']])('%s %s is one cycle of the daemon', async (...args) => {
    await using place = await openPlace({ declaration, groups })
    const { metric, stop } = await started(place)
    setByHand(place, 'devs', 'guest')
    const before = await metric('cycles_begun_total{trigger="order"}')
    const { code, out, err } = await place.run(args)
    expect(code, err).toBe(3)
    expect(out).toContain('devs')
    expect(stateOf(place.sandbox)).toEqual(['ENG devs → member'])
    expect(await metric('cycles_begun_total{trigger="order"}')).toBe((before ?? 0) + 1)
    await stop()
  })

  test.skipIf(!hasTerminal)('apply asks about the plan that the daemon makes', async () => {
    await using place = await openPlace({ declaration, groups })
    const { stop } = await started(place)
    setByHand(place, 'devs', 'guest')
    const refused = place.start(['apply'], { wrap: atTerminal })
    await refused.until(() => refused.out().includes('Type "yes" to write'))
    refused.child.stdin?.write('no\n')
    expect((await refused.ended).code).toBe(3)
    expect(stateOf(place.sandbox)).toEqual(['ENG devs → guest'])
    const agreed = place.start(['apply'], { wrap: atTerminal })
    await agreed.until(() => agreed.out().includes('Write 1 change'))
    agreed.child.stdin?.write('yes\n')
    await agreed.ended
    expect(stateOf(place.sandbox)).toEqual(['ENG devs → member'])
    await stop()
  })

  test.each([
    ['suspend', { suspend: true }, ['run'], 'The settings suspend acme'],
    ['the policy observe', { policy: 'observe' }, ['run'], 'The policy of acme is "observe"'],
    ['--dry-run', {}, ['run', '--dry-run'], 'The daemon runs with --dry-run'],
  ])('%s refuses orders to write', async (_, settings, args, why) => {
    await using place = await openPlace({ declaration, groups, settings })
    const daemon = place.start(args)
    await daemon.until(() => daemon.log().some(({ event }) => event === 'summary'))
    const { code, err } = await place.run(['apply', '--yes', '--allow', '0'.repeat(32)])
    expect([code, err.includes(why)], err).toEqual([3, true])
    expect(writesTo(place.sandbox)).toEqual([])
    daemon.child.kill('SIGTERM')
    await daemon.ended
  })

  test('what an order has read does not stay in use after its files are as before', async () => {
    await using place = await openPlace({ declaration, groups })
    const { stop } = await started(place)
    await place.write('groups.yaml', declared({ projectRoles: [{ group: 'devs', project: 'ENG', role: 'guest' }] }))
    expect((await place.run(['reconcile'])).code).toBe(0)
    expect(stateOf(place.sandbox)).toEqual(['ENG devs → guest'])
    await place.write('groups.yaml', declaration)
    // Edits begin a cycle at most once a minute, and the first one may have begun one already.
    await expect.poll(() => stateOf(place.sandbox), { timeout: 90_000 }).toEqual(['ENG devs → member'])
    await stop()
  })

  test('suspend refuses orders no longer than it is in the settings', async () => {
    await using place = await openPlace({ declaration, groups })
    const { stop } = await started(place)
    const id = await idThatWaits(place)
    setByHand(place, 'devs', 'guest')
    await place.settings({ suspend: true })
    expect(await place.run(['reconcile'])).toMatchObject({ code: 3, err: expect.stringContaining('The settings suspend acme') })
    const approved = await place.run(['approve', id, '--now', '--reason', 'INC-99'])
    expect([approved.code, approved.err], approved.out).toEqual([0, expect.stringContaining('Approved in acme until')])
    expect(stateOf(place.sandbox)).toEqual(['ENG devs → guest'])
    await place.settings({ suspend: false })
    expect((await place.run(['reconcile'])).code).toBe(0)
    expect(stateOf(place.sandbox)).toEqual(['ENG devs → member', waiting])
    await stop()
  })

  test('50 orders at a time lead to one write for each change', { timeout: 300_000 }, async () => {
    await using place = await openPlace({ declaration, groups })
    const { stop } = await started(place)
    const id = await idThatWaits(place)
    // `run` would kill a command after 50 s, and a busy machine may need longer for so many.
    const askers = Array.from({ length: 50 }, () => place.start(['apply', '--yes', '--allow', id]))
    for (const { child } of askers) child.stdin?.end()
    const all = await Promise.all(askers.map(({ ended }) => ended))
    expect(all.map(({ code }) => code)).toEqual(Array.from({ length: 50 }, () => 0))
    expect(doublesOf(place.sandbox)).toEqual([])
    expect(writesTo(place.sandbox)).toHaveLength(2)
    await stop()
  })
})

describe('without a daemon', () => {
  test('reconcile is run --once, and prints the report as well', async () => {
    await using place = await openPlace({ declaration, groups })
    const { code, out, err } = await place.run(['reconcile'])
    expect(code, err).toBe(3)
    expect(out).toContain('1 of 1 written')
    expect(stateOf(place.sandbox)).toEqual(['ENG devs → member'])
  })

  test('reconcile --format json prints one document', async () => {
    await using place = await openPlace({ declaration, groups })
    const { out } = await place.run(['reconcile', '--format', 'json'])
    const { format, workspaces } = JSON.parse(out) as { format: string; workspaces: { applied?: { results: unknown[] } }[] }
    expect([format, workspaces.map(({ applied }) => applied?.results.length)]).toEqual(['plane-group-sync/plan', [1]])
  })

  test('reconcile refuses an unknown format before it writes', async () => {
    await using place = await openPlace({ declaration, groups })
    const { code, err } = await place.run(['reconcile', '--format', 'xml'])
    expect([code, err]).toEqual([64, expect.stringContaining('--format takes one of text, json, markdown, not "xml"')])
    expect(stateOf(place.sandbox)).toEqual([])
  })

  test('run --once prints nothing: its log says all', async () => {
    await using place = await openPlace({ declaration, groups })
    expect((await place.run(['run', '--once'])).out).toBe('')
  })
})
