import { describe, expect, test } from 'vitest'
import type { CycleReport } from '../../../src/cycle/cycleReport.ts'
import { cycleOutcome } from '../../../src/cycle/outcome.ts'
import type { Answer } from '../../../src/http/origin.ts'
import { NotSent } from '../../../src/plane/errors.ts'
import type { Queue } from '../../../src/plane/rate/queue.ts'
import { longTest } from '../../long.ts'
import { type ManyKeys, programOfManyKeys } from '../manyKeys/program.ts'
import { type Seen, type ServiceOptions, serviceOfManyKeys } from '../manyKeys/service.ts'
import { never, virtualTime } from '../plane/virtualTime.ts'

const ok: Answer = { status: 200, headers: {}, body: '', sentAtMs: 0, receivedAtMs: 0 }
const declaration = 'projectRoles:\n  - { group: devs, project: ENG, role: member }\n'
const row = { id: 'm', idp_group_name: 'devs', project: 'ENG', all_projects: false, role: 'member' }
const numbered = (count: number, name: (n: string) => string) => Array.from({ length: count }, (_, n) => name(String(n).padStart(4, '0')))

/** Runs one cycle over many keys in virtual time, and returns the requests that the service saw. */
async function cycleOnce(
  credentials: ManyKeys['credentials'],
  service: Partial<ServiceOptions> = {},
  program: Partial<ManyKeys> = {},
  signal = never,
) {
  const clock = virtualTime()
  const beganMs = clock.now()
  const seen: Seen[] = []
  const onRequest = (one: Seen) => seen.push(one)
  const stock: ServiceOptions['stock'] = (_slug, list) => (list === 'project-mappings' ? [row] : [])
  const { connect, counts } = serviceOfManyKeys({ clock, latencyMs: 100, limit: 60, projects: ['ENG'], stock, onRequest, ...service })
  const { cycle } = await programOfManyKeys({ credentials, declaration, groups: ['devs'], clock, connect, ...program })
  const reported = cycle(signal)
  await clock.run()
  const report = await reported
  return { report, counts, seen, endedMs: (slug: string) => lastOf(seen, slug) - beganMs }
}

const lastOf = (seen: readonly Seen[], slug: string) =>
  seen.reduce((last, one) => (one.slug === slug ? Math.max(last, one.answeredAtMs) : last), 0)
const outcomes = ({ workspaces }: CycleReport) => new Set(workspaces.map(cycleOutcome))

/** The most workspaces that were in work at one moment. A workspace is in work from its first request to the answer to its last one. */
function mostAtOnce(seen: readonly Seen[]): number {
  const spans = [...Map.groupBy(seen, ({ slug }) => slug).values()].map((mine) => ({
    from: Math.min(...mine.map(({ receivedAtMs }) => receivedAtMs)),
    to: Math.max(...mine.map(({ answeredAtMs }) => answeredAtMs)),
  }))
  return Math.max(...spans.map(({ from }) => spans.filter((other) => other.from <= from && from < other.to).length))
}

describe('a cycle over many credentials', () => {
  longTest('those that are throttled for a minute keep nobody else waiting', async () => {
    const free = numbered(100, (n) => `a${n}`)
    const throttled = numbered(100, (n) => `t${n}`)
    const credentials = Object.fromEntries([...throttled, ...free].map((name) => [name, [`${name}-x`, `${name}-y`]]))
    const { report, endedMs, counts } = await cycleOnce(credentials, { isUsedUp: (key) => key.startsWith('key-t') })
    expect(outcomes(report)).toEqual(new Set(['success']))
    expect(report.workspaces).toHaveLength(400)
    expect(Math.max(...free.flatMap((name) => [endedMs(`${name}-x`), endedMs(`${name}-y`)]))).toBeLessThan(5_000)
    expect(Math.min(...throttled.map((name) => endedMs(`${name}-x`)))).toBeGreaterThan(60_000)
    expect(report.tookMs).toBeLessThan(70_000)
    // The service refuses each used-up key once. The program cannot know earlier that the key is used up.
    expect(counts.refused).toBe(100)
  })

  longTest('one with many workspaces works on four at a time, and others do not wait for it', async () => {
    const crowd = numbered(300, (n) => `crowd-${n}`)
    const others = numbered(50, (n) => `o${n}`)
    const credentials = { crowd, ...Object.fromEntries(others.map((name) => [name, [`${name}-x`]])) }
    const { report, seen, endedMs } = await cycleOnce(credentials, { limit: 10_000 }, { service: { limit: { requests: 10_000 } } })
    expect(outcomes(report)).toEqual(new Set(['success']))
    expect(mostAtOnce(seen.filter(({ slug }) => slug.startsWith('crowd')))).toBe(4)
    expect(Math.max(...others.map((name) => endedMs(`${name}-x`)))).toBeLessThan(1_500)
    expect(report.tookMs).toBeGreaterThan(5_000)
  })

  longTest('at most 64 requests are on their way, and the reports are sorted', async () => {
    const names = numbered(500, (n) => `c${n}`)
    const credentials = Object.fromEntries(names.toReversed().map((name) => [name, [`${name}-x`]]))
    const { report, counts } = await cycleOnce(credentials)
    expect(outcomes(report)).toEqual(new Set(['success']))
    expect(counts.inFlightMost).toBe(64)
    expect(report.workspaces.map(({ workspace }) => workspace)).toEqual(names.map((name) => `${name}-x`))
  })

  test('together they keep within what one run may delete', async () => {
    const credentials = Object.fromEntries(numbered(40, (n) => `c${n}`).map((name) => [name, [`${name}-x`, `${name}-y`]]))
    const groups = ['devs', 'ops', 'qa', 'sales']
    const stock: ServiceOptions['stock'] = (slug, list) =>
      list === 'workspace-mappings' ? [] : groups.map((group) => ({ ...row, id: `${slug}-${group}`, idp_group_name: group }))
    const gone = groups.slice(1).map((group) => `  - { group: ${group}, project: ENG }\n`)
    const { report, seen } = await cycleOnce(
      credentials,
      { stock },
      { declaration: `${declaration}removed:\n${gone.join('')}`, groups, guards: { run: { deletes: 20 } } },
    )
    const waiting = report.workspaces.filter((one) => cycleOutcome(one) === 'waiting')
    expect(waiting).toHaveLength(80 - 6)
    expect(seen.filter(({ method }) => method === 'DELETE')).toHaveLength(20)
  })

  test('after a stop nothing begins, and who waited for a connection has sent nothing', async () => {
    const names = numbered(200, (n) => `c${n}`)
    const stop = new AbortController()
    const onRequest = () => stop.abort()
    const { counts } = await cycleOnce(Object.fromEntries(names.map((name) => [name, [`${name}-x`]])), { onRequest }, {}, stop.signal)
    expect(counts.requests).toBe(64)
  })
})

describe('what waits for a limit of the run', () => {
  const groups = ['devs', 'ops', 'qa', 'sales']
  const stockOf = (slug: string, list: string) =>
    list === 'workspace-mappings' ? [] : groups.map((group) => ({ ...row, id: `${slug}-${group}`, idp_group_name: group }))
  const gone = `${declaration}removed:\n${groups
    .slice(1)
    .map((group) => `  - { group: ${group}, project: ENG }\n`)
    .join('')}`
  const waitsIn = ({ workspaces }: CycleReport) =>
    workspaces.filter((one) => cycleOutcome(one) === 'waiting').map(({ workspace }) => workspace as string)
  const deletes = (seen: readonly Seen[]) => seen.filter(({ method }) => method === 'DELETE')
  /** Three deletes in each workspace, and the run may have four. */
  const run = (credentials: ManyKeys['credentials'], latencyOf: (slug: string) => number, stock: ServiceOptions['stock'] = stockOf) =>
    cycleOnce(credentials, { stock, latencyMs: { of: latencyOf } }, { declaration: gone, groups, guards: { run: { deletes: 4 } } })

  test.each([
    ['of one key, by name', { key: ['labs', 'shop', 'acme'] }, ['labs', 'shop']],
    ['of several keys, first the first ones of all keys', { key: ['acme', 'labs'], other: ['shop'] }, ['labs', 'shop']],
    ['of more workspaces than are in work at once', { key: ['f', 'e', 'd', 'c', 'b', 'a'] }, ['b', 'c', 'd', 'e', 'f']],
  ])('is the same however fast each workspace is read: %s', async (_what, credentials, waiting) => {
    const names = Object.values(credentials).flat()
    const reports = [names, names.toReversed(), [...names.slice(1), ...names.slice(0, 1)]].map((slowestFirst) =>
      run(credentials, (slug) => Math.ceil(3_000 / 4 ** slowestFirst.indexOf(slug))),
    )
    for (const { report, seen } of await Promise.all(reports)) {
      expect(waitsIn(report)).toEqual(waiting)
      expect(deletes(seen)).toHaveLength(4)
    }
  })

  test('is judged without a workspace that fails: nobody waits for it any more', async () => {
    const stock: ServiceOptions['stock'] = (slug, list) => {
      if (slug === 'acme') throw new Error('broken')
      return stockOf(slug, list)
    }
    const { report } = await run({ key: ['acme', 'labs', 'shop'] }, () => 100, stock)
    expect(report.workspaces.map(cycleOutcome)).toEqual(['failed', 'success', 'waiting'])
  })

  test('keeps no workspace without such changes, nor the first one', async () => {
    const stock: ServiceOptions['stock'] = (slug, list) => (slug === 'quiet' && list === 'project-mappings' ? [row] : stockOf(slug, list))
    const { endedMs, report } = await run({ a: ['acme'], b: ['labs'], c: ['quiet'] }, (slug) => (slug === 'labs' ? 9_000 : 100), stock)
    expect(endedMs('acme')).toBeLessThan(2_000)
    expect(endedMs('quiet')).toBeLessThan(2_000)
    expect(waitsIn(report)).toEqual(['labs'])
  })

  test('is not judged after a stop, and the cycle ends', async () => {
    const stop = new AbortController()
    const latencyMs = { of: (slug: string) => (slug === 'acme' ? 9_000 : 100) }
    const onRequest = ({ slug }: Seen) => void (slug === 'acme' && stop.abort())
    const options = { stock: stockOf, latencyMs, onRequest }
    const program = { declaration: gone, groups, guards: { run: { deletes: 4 } } }
    const { report, seen } = await cycleOnce({ key: ['acme', 'labs'] }, options, program, stop.signal)
    expect(report.workspaces.map(({ kind }) => kind)).toEqual(['stopped', 'stopped'])
    expect(deletes(seen)).toEqual([])
  })
})

test('each cycle begins with hope for credentials that were refused in the last one', async () => {
  const clock = virtualTime()
  const { connect } = serviceOfManyKeys({ clock, latencyMs: 0, limit: 60, projects: [], stock: () => [] })
  const { program } = await programOfManyKeys({ credentials: { a: ['x'], b: ['y'] }, declaration, groups: [], clock, connect })
  const ask = (queue: Queue) => queue.enqueue({ kind: 'read' }, async () => ok, never)
  const queues = [...program.queues.values()]
  for (const queue of [...queues, ...queues]) queue.refused(new NotSent('credential', 'stale', {}))
  for (const queue of queues) await expect(ask(queue)).rejects.toThrow('stale')
  // There is no declaration, so the call fails. But a new cycle has begun.
  await program.sources.declaration(new AbortController().signal).catch(() => undefined)
  for (const queue of queues) expect(await ask(queue)).toBe(ok)
})
