import { execFileSync } from 'node:child_process'
import { appendFile, mkdir, readdir, truncate } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { openPlace, stateOf, writesTo } from './program.ts'

const groups = Array.from({ length: 12 }, (_, n) => `team-${String(n).padStart(2, '0')}`)
const declaration = {
  version: 1,
  workspaces: { acme: { projectRoles: [{ groups, project: 'ENG', role: 'member' }] } },
}
const whole = groups.map((group) => `ENG ${group} → member`)

type Entry = { readonly entry: string; readonly change?: { readonly id: string }; readonly outcome?: { readonly is: string } }
const entriesOf = (text: string): readonly Entry[] =>
  text
    .split('\n')
    .slice(1, -1)
    .map((line) => JSON.parse(line) as Entry)

describe.concurrent('what the journal is for', () => {
  test('a file that is too large to be read is damaged, and nothing is written', async () => {
    await using place = await openPlace({ declaration, groups })
    expect((await place.run(['apply', '--yes'])).code).toBe(0)
    const asked = place.sandbox.requests.length
    // The file has a hole: it takes no room on the disk.
    await truncate(place.path('state/journal-000001.jsonl'), 3 * 2 ** 30)
    for (const command of [['plan'], ['run', '--once']]) {
      const { code, err } = await place.run(command)
      expect([code, err.replaceAll(/\s+/g, ' ')], command[0]).toEqual([1, expect.stringContaining('so it is damaged')])
      expect(err).toContain('move all files of the folder away')
    }
    expect(place.sandbox.requests.length).toBe(asked)
  })

  test('an intent before each write, its result after, and a clean end', async () => {
    await using place = await openPlace({ declaration, groups })
    expect((await place.run(['apply', '--yes'])).code).toBe(0)
    const entries = entriesOf(await place.read('state/journal-000001.jsonl'))
    const writes = entries.filter(({ entry }) => entry === 'intent' || entry === 'result').map(({ entry, change }) => [entry, change?.id])
    const ids = writes.filter(([entry]) => entry === 'intent').map(([, id]) => id)
    expect(writes).toEqual(
      ids.flatMap((id) => [
        ['intent', id],
        ['result', id],
      ]),
    )
    expect([ids.length, entries[0]?.entry, entries.at(-1)?.entry]).toEqual([groups.length, 'start', 'end'])
  })

  test('a torn last line: what it was about is settled first, and the line does not spoil the next', async () => {
    await using place = await openPlace({ declaration, groups, settings: { service: { unknownOutcomeWait: '8s' } } })
    await place.run(['apply', '--yes'])
    const file = 'state/journal-000001.jsonl'
    const lines = (await place.read(file)).split('\n').slice(0, -1)
    const last = lines.findLastIndex((line) => line.includes('"entry":"result"'))
    // The journal as after a power failure while the result was written to the disk.
    await place.write(file, `${lines.slice(0, last).join('\n')}\n${lines[last]?.slice(0, 200)}`)
    place.sandbox.state.workspaces.acme?.projectMappings.pop()

    const { code, out, err } = await place.run(['apply', '--yes'])
    expect(code, out + err).toBe(0)
    expect(err).toMatch(/^Waiting \d s, until [\d: -]+ UTC, before 1 more change: /)
    expect(stateOf(place.sandbox)).toEqual(whole)
    expect(entriesOf(await place.read(file)).at(-1)).toMatchObject({ entry: 'end' })
  })

  test('a journal that cannot be understood stops everything before it begins', async () => {
    await using place = await openPlace({ declaration, groups })
    await place.run(['apply', '--yes'])
    await appendFile(place.path('state/journal-000001.jsonl'), 'not an entry\n{"entry":"end"}\n')
    const { code, err } = await place.run(['apply', '--yes'])
    expect(code).toBe(1)
    expect(err).toContain('journal-000001.jsonl:')
    expect(writesTo(place.sandbox)).toHaveLength(groups.length)
  })

  test('an existing folder without a journal, as a fresh volume is: plan shows the wait that apply then makes', async () => {
    await using place = await openPlace({ declaration, groups, settings: { service: { unknownOutcomeWait: '9s' } } })
    // The wait is longer than a slow machine takes from the start of `plan` to its lists.
    await mkdir(place.path('state'))
    const plan = await place.run(['plan'])
    expect(plan.out).toContain('a create of the previous process may still be executed; held until ')
    expect(plan.out).not.toContain('Will be applied')
    const apply = await place.run(['apply', '--yes'])
    expect(apply.err).toMatch(/^Waiting \d s, until [\d: -]+ UTC, before 12 more changes: /)
    expect(stateOf(place.sandbox)).toEqual(whole)
  })

  test('a first apply to a wrong address or slug that no answer confirmed does not bind the journal; an answer does', async () => {
    await using place = await openPlace({ declaration, groups, settings: { service: { baseUrl: 'http://127.0.0.1:9', timeout: '1s' } } })
    const env = { PLANE_BASE_URL: '' }
    expect((await place.run(['apply', '--yes'], { env })).code).toBe(1)
    const service = { baseUrl: place.sandbox.url }
    await place.settings({ service, workspaces: { acme: { slug: 'acne' } } })
    expect((await place.run(['apply', '--yes'], { env })).code).toBe(1)
    await place.settings({ service })
    const right = await place.run(['apply', '--yes'], { env })
    expect(right.code, right.err).toBe(0)
    expect(stateOf(place.sandbox)).toEqual(whole)

    await place.settings({ service: { baseUrl: 'http://127.0.0.1:9' } })
    const host = await place.run(['apply', '--yes', '--log-format', 'pretty'], { env })
    expect(host.err).toContain(`this journal is about the service at ${new URL(place.sandbox.url).host}, not at 127.0.0.1:9`)
    await place.settings({ service, workspaces: { acme: { slug: 'acne' } } })
    const slug = await place.run(['apply', '--yes', '--log-format', 'pretty'], { env })
    expect(slug.err).toContain('whether the workspace with the slug "acne" is one that the journal has (acme with the slug "acme")')
    expect(writesTo(place.sandbox)).toHaveLength(groups.length)
  })

  test('two daemons on one journal: the second says who has it, and writes nothing', async () => {
    await using place = await openPlace({ declaration, groups })
    const first = place.start(['run'])
    await first.until(() => first.log().some(({ event }) => event === 'summary'))
    const second = await place.run(['run'])
    expect(second.code).toBe(1)
    expect(second.err).toContain(`state/lock: process ${first.child.pid} `)
    expect(second.err).toContain(
      `It is a daemon: let it do the work (plane-group-sync reconcile makes it run a cycle now), or stop it first`,
    )
    // Standard error is not a terminal here, so the error that ends the command is a JSON line of the log.
    const said = second.err.trimEnd().split('\n')
    expect(said.map((line) => JSON.parse(line))).toMatchObject([{ level: 'error', event: 'failure' }])
    expect((await place.run(['run', '--log-format', 'pretty'])).err).toMatch(/^\S*state\/lock: process /)
    first.child.kill('SIGTERM')
    expect((await first.ended).code).toBe(0)
    expect(writesTo(place.sandbox)).toHaveLength(groups.length)
    expect((await readdir(place.path('state'))).toSorted()).toEqual(['journal-000001.jsonl', 'last.json', 'orders'])
  })

  test.each([
    ['an `apply`', ['apply', '--yes']],
    ['a `run --once`', ['run', '--once']],
  ])('%s that has the journal takes no orders, so it is waited for', async (what, args) => {
    await using place = await openPlace({ declaration, groups, sandbox: { faults: ['POST project-mappings: latency 2s'] } })
    const first = place.start(args)
    await first.until(() => writesTo(place.sandbox).length > 0)
    const second = await place.run(['run', '--once', '--log-format', 'pretty'])
    expect(second.code).toBe(1)
    expect(second.err).toContain(`It is ${what}: wait until it ends, or stop it first`)
    expect(second.err).not.toContain('plane-group-sync reconcile')
  })

  test.each([
    ['apply', ['apply', '--yes']],
    ['run', ['run']],
  ])('%s that stood still so long that another took the journal sends nothing more', async (_verb, args) => {
    await using place = await openPlace({ declaration, groups, sandbox: { faults: ['POST project-mappings: latency 300ms'] } })
    const stopped = place.start(args)
    await stopped.until(() => writesTo(place.sandbox).length === 3)
    stopped.child.kill('SIGSTOP')
    // Another process takes over the lock like this after 20 s.
    await place.write('state/lock', { token: 'other', pid: 7, host: 'elsewhere', sinceMs: 0 })
    const journal = await place.read('state/journal-000001.jsonl')
    stopped.child.kill('SIGCONT')
    const { code, out, err } = await stopped.ended
    expect(code, out + err).toBe(1)
    expect(err).toContain('taken over while this process stood still: process 7 on elsewhere has held this journal since 1970')
    expect(writesTo(place.sandbox)).toHaveLength(3)
    expect(await place.read('state/journal-000001.jsonl')).toBe(journal)
    expect(JSON.parse(await place.read('state/lock'))).toMatchObject({ token: 'other' })
  })

  test('four at once over a lock that was left: each does the work or says who does', { timeout: 60_000 }, async () => {
    await using place = await openPlace({ declaration, groups, sandbox: { faults: ['POST project-mappings: latency 20ms'] } })
    const first = place.start(['apply', '--yes'])
    await first.until(() => writesTo(place.sandbox).length > 3)
    // Its lock stays, and all other processes find it.
    first.child.kill('SIGKILL')
    await first.ended
    const ended = await Promise.all(Array.from({ length: 4 }, () => place.run(['apply', '--yes'])))
    expect(ended.map(({ code }) => code)).toContain(0)
    for (const { code, err } of ended) if (code !== 0) expect(err).toMatch(/wait until it ends|Let it do the work/)
    expect(stateOf(place.sandbox)).toEqual(whole)
  })
})

describe.concurrent('a disk that takes no more', () => {
  // For the program a limit on the size of files is the same as a full disk, and a test needs no rights to set it.
  const limited = (command: readonly string[]) => ['bash', '-c', `trap '' XFSZ; ulimit -S -f 4; exec "$@"`, 'bash', ...command]

  test.each([
    ['apply', ['apply', '--yes']],
    ['run', ['run', '--once']],
  ])('stops %s: a change that is not in the journal is not sent', async (verb, args) => {
    await using place = await openPlace({ declaration, groups })
    const { code, out, err } = await place.run(args, { wrap: limited })
    expect(code, out + err).toBe(1)
    const said = (verb === 'apply' ? out : err).replaceAll(/\s+/g, ' ')
    expect(said).toMatch(/state: the journal cannot be written \(its file may not become larger \(EFBIG\)\)/)
    expect(said).toMatch(/a change that is not in the journal is not sent/i)
    const written = writesTo(place.sandbox).length
    expect(written).toBeGreaterThan(0)
    expect(written).toBeLessThan(groups.length)
    // The report contains the writes before the failure.
    expect(said).toContain(`${written} of ${groups.length} written`)
    if (verb === 'run') expect(err.match(/"event":"change"/g)).toHaveLength(written)

    const again = await place.run(['apply', '--yes'])
    expect(again.code, again.out + again.err).toBe(0)
    expect(stateOf(place.sandbox)).toEqual(whole)
  })

  test('a folder that cannot be made', async () => {
    await using place = await openPlace({ declaration, groups, settings: { journal: { folder: 'config.yaml/state' } } })
    const { code, err } = await place.run(['apply', '--yes'])
    expect(code).toBe(1)
    expect(err).toContain('config.yaml/state')
    expect(err).not.toContain('    at ')
    expect(writesTo(place.sandbox)).toEqual([])
    const run = await place.run(['run', '--once'])
    expect(run.code).toBe(1)
    expect(JSON.parse(run.err)).toMatchObject({ level: 'error', event: 'failure', cure: expect.stringContaining('journal.folder') })
  })

  test('the daemon says so at every cycle, and goes on when there is room again', async () => {
    await using place = await openPlace({ declaration, groups })
    const daemon = place.start(['run'], { wrap: limited })
    const summaries = () => daemon.log().filter(({ event }) => event === 'summary')
    await daemon.until(() => summaries().length === 1)
    expect(summaries()[0]).toMatchObject({ level: 'error', outcome: 'partial', msg: expect.stringContaining('(EFBIG)') as string })
    const written = writesTo(place.sandbox).length
    const limit = (bytes: string) => execFileSync('prlimit', ['--pid', String(daemon.child.pid), `--fsize=${bytes}`])
    // The limit applies to each file, so a new file has room.
    limit('0:unlimited')
    daemon.child.kill('SIGHUP')
    await daemon.until(() => summaries().length === 2)
    expect(writesTo(place.sandbox)).toHaveLength(written)

    limit('unlimited')
    daemon.child.kill('SIGHUP')
    await daemon.until(() => summaries().length === 3)
    expect(stateOf(place.sandbox)).toEqual(whole)
    daemon.child.kill('SIGTERM')
    expect((await daemon.ended).code).toBe(0)
    expect((await place.run(['plan', '--detailed-exitcode'])).code).toBe(0)
  })
})
