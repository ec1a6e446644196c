import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { openPlace, type Place, stateOf, writesTo } from './program.ts'
import { atTerminal, hasTerminal } from './terminals.ts'

const groups = Array.from({ length: 4 }, (_, n) => `team-${n}`)
const rules = { projectRoles: [{ groups, project: 'ENG', role: 'member' }] }
const declaration = { version: 1, workspaces: { acme: rules } }
const whole = groups.map((group) => `ENG ${group} → member`)
const question = 'Type "yes" to write: '

const terminal = (command: readonly string[], after = '') => atTerminal(command, { columns: 120, after })

/** Runs `apply` at a terminal and answers its question; `undefined` ends the input instead. The text is returned without the terminal's changes. */
async function applied(place: Place, answer: string | undefined, args: readonly string[] = [], after?: string) {
  const running = place.start(['apply', ...args], { wrap: (command) => terminal(command, after) })
  await running.until(() => running.out().includes(question))
  if (answer === undefined) running.child.stdin?.end()
  else running.child.stdin?.write(answer)
  const { code, out } = await running.ended
  return { code, raw: out, out: stripVTControlCharacters(out).replaceAll('\r\n', '\n') }
}

describe.skipIf(!hasTerminal)('at a terminal', { concurrent: true }, () => {
  test('yes: what was shown is written, with a line that says how far it is', async () => {
    await using place = await openPlace({ declaration, groups })
    const { code, out, raw } = await applied(place, 'yes\n')
    expect(code, out).toBe(0)
    expect(out).toContain(`Write 4 changes? ${question}`)
    expect(raw).toMatch(/J1\/4 written · under \d+ s to go\r/)
    expect(raw).toContain('\r\u001b[J4/4 written')
    expect(out).toContain('4 of 4 written')
    expect(stateOf(place.sandbox)).toEqual(whole)
  })

  test.each([
    ['y', 'y\n', 3, 'Nothing was written: only "yes" writes.'],
    ['the end of the input', undefined, 3, 'Nothing was written.'],
    ['Ctrl-C', '\u0003', 130, 'Nothing was written.'],
  ])('%s: nothing is written, and that is no success', async (_, answer, expected, sentence) => {
    await using place = await openPlace({ declaration, groups })
    const { code, out } = await applied(place, answer)
    expect(code, out).toBe(expected)
    expect(out).toContain(sentence)
    expect(writesTo(place.sandbox)).toEqual([])
  })

  test('a terminal that is closed ends an apply between two writes, and its journal', async () => {
    await using place = await openPlace({
      declaration,
      groups,
      sandbox: { faults: ['POST project-mappings: latency 1500ms after commit'] },
    })
    const running = place.start(['apply', '--yes'], { wrap: (command) => terminal(command) })
    await running.until(() => writesTo(place.sandbox).length === 1)
    running.child.kill('SIGKILL')
    const journal = async () => (await place.read('state/journal-000001.jsonl')).trimEnd()
    await expect.poll(journal, { timeout: 20_000, interval: 100 }).toMatch(/"entry":"end"(?:,"cycle":\{.*\})?}$/)
    expect(writesTo(place.sandbox)).toHaveLength(1)
    expect(await journal()).toMatch(/"entry":"result"/)
  })

  test('a workspace with nothing to do does not spoil the other', async () => {
    const workspaces = { acme: { projects: ['ENG'] }, beta: { projects: ['ENG'] } }
    const both = { version: 1, workspaces: { acme: rules, beta: { projectRoles: [] } } }
    await using place = await openPlace({ workspaces, declaration: both, groups, settings: { workspaces: { beta: {} } } })
    const { code, out } = await applied(place, 'yes\n')
    expect(out).not.toMatch(/stale/i)
    expect(code, out).toBe(0)
    expect(stateOf(place.sandbox)).toEqual(whole)
  })

  test('a world that moves while the question stands: nothing is written', async () => {
    await using place = await openPlace({ declaration, groups })
    const running = place.start(['apply'], { wrap: terminal })
    await running.until(() => running.out().includes(question))
    await place.groups(groups.slice(1))
    running.child.stdin?.write('yes\n')
    expect((await running.ended).code, running.out()).toBe(3)
    expect(writesTo(place.sandbox)).toEqual([])
  })

  test('a plan that is saved at a terminal says how to write it; not with --quiet, and not into a pipe', async () => {
    await using place = await openPlace({ declaration, groups })
    const next = 'saved; to write exactly this plan: plane-group-sync apply plan.json'
    const shown = place.start(['plan', '--out', 'plan.json'], { wrap: terminal })
    expect((await shown.ended).code, shown.out()).toBe(0)
    expect(shown.out()).toContain(next)
    const quiet = place.start(['plan', '--out', 'plan.json', '--quiet'], { wrap: terminal })
    await quiet.ended
    expect(quiet.out()).not.toContain('saved')
    expect((await place.run(['plan', '--out', 'plan.json'])).err).not.toContain('saved')
  })

  test('a saved plan of a world that has moved: no question, nothing written', async () => {
    await using place = await openPlace({ declaration, groups })
    await place.run(['plan', '--out', 'plan.json'])
    await place.groups(groups.slice(1))
    const running = place.start(['apply', 'plan.json'], { wrap: terminal })
    expect((await running.ended).code, running.out()).toBe(3)
    expect(running.out()).not.toContain(question)
    expect(writesTo(place.sandbox)).toEqual([])
  })

  test('a waiver of a plan that writes nothing is taken up without a question, and said', async () => {
    await using place = await openPlace({ declaration, groups, workspaces: { acme: { projects: ['ENG', 'OPS'] } } })
    expect((await place.run(['apply', '--yes'])).code).toBe(0)
    const writes = writesTo(place.sandbox).length
    // The identifiers are swapped, and the mappings equal the declaration. Only the meaning of ENG is undecided.
    const { projects = [] } = place.sandbox.state.workspaces.acme ?? {}
    for (const project of projects) project.identifier = project.identifier === 'ENG' ? 'OPS' : 'ENG'
    const planned = await place.run(['plan'])
    const [pass = ''] = /(?<=--allow\s+)[0-9a-f]{32}/.exec(planned.out) ?? []
    expect(planned.out).toContain('project-changed')
    const running = place.start(['apply', '--allow', pass], { wrap: terminal })
    expect((await running.ended).code, running.out()).toBe(0)
    expect(running.out()).not.toContain(question)
    expect(running.out()).toContain(`: ${pass} (--allow)`)
    expect(running.out()).not.toContain('project-changed')
    expect((await place.run(['plan'])).out).not.toContain('project-changed')
    const journal = (await place.read('state/journal-000001.jsonl')).split('\n').filter((line) => line.includes('"waiver"'))
    expect(journal.map((line) => (JSON.parse(line) as { passes: string[] }).passes)).toEqual([[pass]])
    expect(writesTo(place.sandbox)).toHaveLength(writes)
  })

  test('a protected grant among many others: it is the first row, and the question counts it', async () => {
    const projects = Array.from({ length: 70 }, (_, n) => `P${n}`)
    const projectRoles = [
      { group: 'team-0', projects, role: 'guest' },
      { group: 'team-1', project: 'P69', role: 'admin', allowProtected: true },
    ]
    const many = { version: 1, workspaces: { acme: { projectRoles } } }
    await using place = await openPlace({ workspaces: { acme: { projects } }, declaration: many, groups })
    const { code, out } = await applied(place, 'no\n')
    expect(code, out).toBe(3)
    expect(out).toMatch(
      /1 protected role, approved in the file \(allowProtected\); will be applied\n {2}‼ P69 {2}team-1 → admin .*\nWill be applied \(70\)/,
    )
    expect(out).toMatch(/ {2}\+ team-0 → guest {2}in 70 projects: P0, P1, /)
    expect(out).toContain('71 create (1 protected), 0 raise')
    expect(out).toContain(`Write 71 changes (1 protected)? ${question}`)
    expect(writesTo(place.sandbox)).toEqual([])
  })

  test('a document on standard output is one, and the person still sees what they agree to', async () => {
    await using place = await openPlace({ declaration, groups })
    const { code, out } = await applied(place, 'yes\n', ['--format', 'json'], ' > document.json')
    expect(code, out).toBe(0)
    expect(out).toContain('team-3 → member')
    const { workspaces } = JSON.parse(await place.read('document.json')) as { workspaces: { applied: { results: unknown[] } }[] }
    expect(workspaces[0]?.applied.results).toHaveLength(4)
  })

  test('a terminal that does not know its width is not a narrow one', async () => {
    await using place = await openPlace({ declaration, groups })
    const running = place.start(['apply'], { wrap: (command) => atTerminal(command) })
    await running.until(() => running.out().includes(question))
    expect(running.out()).toMatch(/^8 calls, under 5 s at [\d,]+ a minute\.\r?$/m)
  })
})

test('nobody to answer, and no --yes', async () => {
  await using place = await openPlace({ declaration, groups })
  const { code, err } = await place.run(['apply'])
  expect([code, err]).toEqual([64, 'apply asks before it writes, but the input is not a terminal\n  add --yes to write without asking\n'])
  expect(place.sandbox.requests).toEqual([])
})
