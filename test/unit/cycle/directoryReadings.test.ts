import { describe, expect, test } from 'vitest'
import { type GroupIndex, indexGroups } from '../../../src/core/group.ts'
import type { GroupName, WorkspaceName } from '../../../src/core/mapping.ts'
import { emptyMemory } from '../../../src/core/memory/memory.ts'
import type { Reading } from '../../../src/core/reading.ts'
import { type CycleSources, runCycle } from '../../../src/cycle/cycle.ts'
import type { CycleReport } from '../../../src/cycle/cycleReport.ts'
import { byDirectories } from '../../../src/cycle/directoryReadings.ts'
import { cycleOutcome } from '../../../src/cycle/outcome.ts'
import { failed } from '../core/smallWorld.ts'
import { declared } from '../declaration/declare.ts'
import { programOfManyKeys } from '../manyKeys/program.ts'
import { type Seen, serviceOfManyKeys } from '../manyKeys/service.ts'
import { never, virtualTime } from '../plane/virtualTime.ts'

const slowMs = 300_000
const [fast, slow, all, none] = [
  'projectRoles:\n  - { group: devs, project: ENG, role: member, from: corp }\n',
  'projectRoles:\n  - { group: devs, project: ENG, role: member, from: lab }\n',
  'projectRoles:\n  - { group: devs, project: ENG, role: member }\n',
  'projectRoles: []\n',
]

/** A cycle with the directories `corp`, which answers at once, and `lab`. One credential has all workspaces. */
async function cycleOf(
  rules: Readonly<Record<string, string>>,
  { signal = never, only = Object.keys(rules), configured = ['lab', 'corp'], fails = false, throws = false } = {},
) {
  const clock = virtualTime()
  const beganMs = clock.now()
  const seen: Seen[] = []
  const onRequest = (one: Seen) => seen.push(one)
  const row = { id: 'm', idp_group_name: 'devs', project: 'ENG', all_projects: false, role: 'member' }
  const stock = (_slug: string, list: string) => (list === 'project-mappings' ? [row] : [])
  const { connect } = serviceOfManyKeys({ clock, latencyMs: 100, limit: 10_000, projects: ['ENG'], stock, onRequest })
  const { program } = await programOfManyKeys({
    credentials: { a: Object.keys(rules) },
    declaration: all,
    groups: [],
    clock,
    connect,
    service: { limit: { requests: 10_000 } },
  })
  const read: string[] = []
  const indexOf = (name: string) => indexGroups([{ name: name as GroupName, id: name, place: `cn=${name}` }])
  const directory = (name: string, ms: number) => ({
    kind: 'file',
    shrink: { share: 1, minExisting: 0 },
    async read(until: AbortSignal): Promise<Reading<GroupIndex>> {
      read.push(name)
      if (throws && name === 'lab') throw new Error('the journal is full')
      const times = { atMs: clock.now(), tookMs: ms }
      // Each directory has other groups, so that an exact rule over both is not ambiguous.
      if (ms === 0) return { status: 'complete', value: indexOf('devs'), ...times }
      if (fails) return failed
      return clock.sleep(ms, until).then(
        () => ({ status: 'complete', value: indexOf('ops'), ...times }),
        () => failed,
      )
    },
  })
  const declarations = Object.entries(rules).map(([name, text]) => [name, { ...declared(text), workspace: name as WorkspaceName }] as const)
  const sources: CycleSources = {
    ...program.sources,
    declaration: async () => ({ workspaces: new Map(declarations) as never, hash: 'd', files: 1 }),
    directories: new Map(configured.map((name) => [name, directory(name, name === 'lab' ? slowMs : 0)])),
  }
  const told: string[] = []
  const cycle = {
    now: clock.now,
    wall: clock.wall,
    memory: () => emptyMemory,
    rebind: async () => undefined,
    only: new Set(only as WorkspaceName[]),
    onWorkspaces: (ended: number, of: number) => void told.push(`${ended}/${of}`),
  }
  const [report] = await Promise.all([runCycle(sources, cycle, undefined, signal), clock.run()])
  const firstMs = (slug: string) => Math.min(...seen.filter((one) => one.slug === slug).map(({ receivedAtMs }) => receivedAtMs)) - beganMs
  return { report, read, told, firstMs, tookMs: clock.now() - beganMs }
}

describe('the directories of a cycle', () => {
  test('a workspace waits only for those that its rules ask, whoever else waits', async () => {
    const waiting = Object.fromEntries(['w1', 'w2', 'w3', 'w4', 'w5', 'w6'].map((name) => [name, all]))
    const { report, firstMs, read } = await cycleOf({ ...waiting, quick: fast })
    expect(firstMs('quick')).toBeLessThan(1_000)
    expect(firstMs('w1')).toBeGreaterThanOrEqual(slowMs)
    expect(report.workspaces.map((one) => one.workspace)).toEqual(['quick', ...Object.keys(waiting)])
    expect(read.toSorted()).toEqual(['corp', 'lab'])
    expect(report.directories.map(({ name }) => name)).toEqual(['lab', 'corp'])
  })

  test('one that no rule asks is not read', async () => {
    const { report, read, told, tookMs } = await cycleOf({ quick: fast, empty: none })
    expect(told).toEqual(['0/2', '1/2', '2/2'])
    expect(read).toEqual(['corp'])
    expect(report.directories.map(({ name, status }) => `${name} ${status}`)).toEqual(['corp complete'])
    expect(report.workspaces.map(cycleOutcome)).toEqual(['success', 'success'])
    expect(tookMs).toBeLessThan(10_000)
  })

  test('one that only a workspace asks that is not wanted now is not read', async () => {
    const { read, told } = await cycleOf({ quick: fast, w: all }, { only: ['quick'] })
    expect(told).toEqual(['0/1', '1/1'])
    expect(read).toEqual(['corp'])
  })

  test('one that cannot be remembered fails the cycle, and who is behind its workspaces does not wait for ever', async () => {
    const deletes = 'projectRoles: []\nremoved:\n  - { group: devs, project: ENG }\n'
    await expect(cycleOf({ first: slow, quick: deletes }, { throws: true })).rejects.toThrow('the journal is full')
  })

  test('a rule without from asks all: a group that the fast one has is not decided before the slow one has answered', async () => {
    const { report, firstMs } = await cycleOf({ w: all })
    expect(firstMs('w')).toBeGreaterThanOrEqual(slowMs)
    expect(report.directories.map(({ status }) => status)).toEqual(['complete', 'complete'])
  })

  const holdsOf = ({ workspaces }: CycleReport, name: string) =>
    workspaces.flatMap((one) => {
      if (one.workspace !== name || one.kind !== 'judged') return []
      return [...one.judged.plan.changes.map(({ action }) => action), ...one.judged.plan.holds.map(({ reason }) => reason.kind)]
    })

  test('one that fails holds the groups of every rule that it could contain, also of a rule without from', async () => {
    const other = all.replace('member', 'guest')
    const { report } = await cycleOf({ all: other, quick: fast, lab: slow }, { fails: true })
    expect(holdsOf(report, 'all')).toEqual(['readingIncomplete'])
    expect(holdsOf(report, 'lab')).toEqual(['readingIncomplete'])
    expect(holdsOf(report, 'quick')).toEqual([])
    const { report: well } = await cycleOf({ all: other })
    expect(holdsOf(well, 'all')).toEqual(['patch'])
  })

  test.each([[['corp']], [[]]])(
    'one that was removed from the settings, but not from the rules, holds their groups: %j',
    async (configured) => {
      const { report } = await cycleOf({ lab: slow.replace('member', 'guest') }, { configured })
      expect(holdsOf(report, 'lab')).toEqual(['readingIncomplete'])
    },
  )

  test('one that is being read when the program is asked to stop is told from one that fails', async () => {
    const stop = new AbortController()
    setImmediate(() => stop.abort())
    const { report } = await cycleOf({ w: all }, { signal: stop.signal })
    expect(report.directories.map(({ name, status, stopped }) => [name, status, stopped])).toEqual([
      ['lab', 'failed', true],
      ['corp', 'complete', undefined],
    ])
  })
})

test('workspaces that ask the same directories are together, and no others', () => {
  const one = { directories: ['corp', 'eu'] }
  const other = { directories: ['corp eu'] }
  const commas = { directories: ['corp,eu'] }
  expect(byDirectories([one, other, commas, { ...one }])).toEqual([[one, one], [other], [commas]])
})
