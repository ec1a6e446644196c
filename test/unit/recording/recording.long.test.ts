import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { planOnly } from '../../../src/commands/planOnly.ts'
import { recordedMeaning } from '../../../src/commands/takeRecording.ts'
import { recordedSources } from '../../../src/compose/recordedSources.ts'
import { type Group, indexGroups } from '../../../src/core/group.ts'
import type { HoldReason } from '../../../src/core/hold.ts'
import { type GroupName, type Key, keyOf, listOf, lists, type MappingId, type Role } from '../../../src/core/mapping.ts'
import type { Entry } from '../../../src/core/memory/entry.ts'
import { emptyMemory, type Memory, remember } from '../../../src/core/memory/memory.ts'
import type { Members, Memberships } from '../../../src/core/people/members.ts'
import type { Plan } from '../../../src/core/plan.ts'
import { type Reading, valueIfRead } from '../../../src/core/reading.ts'
import type { WorkspaceDeclaration } from '../../../src/core/rule.ts'
import type { CycleReport } from '../../../src/cycle/cycleReport.ts'
import type { Declared } from '../../../src/cycle/workspaceContext.ts'
import { openAdmission } from '../../../src/declaration/fence.ts'
import { type KeptReadings, openReadingsKeeper } from '../../../src/recording/readings.ts'
import { groupsKept, type RecordedMemberships, type Recording, recordingOf } from '../../../src/recording/recording.ts'
import { recordingFrom, recordingSchema, recordingText } from '../../../src/recording/stored.ts'
import { recordedSettingsSchema } from '../../../src/settings/recordedSettings.ts'
import { acme, complete, failed, hash, partial, target } from '../core/smallWorld.ts'
import { nowMs } from '../properties/anyDeclaration.ts'
import { type AnyWorld, anyWorld } from '../properties/anyWorld.ts'
import { holds } from '../properties/runs.ts'

const waitMs = 120_000
const takenMs = nowMs
const steadyMs = 50_000_000
const budget = { limit: 60, allowed: 54, others: 0, remaining: 54, waitMs: 0, waitsMs: [0], windowMs: 60_000 }

const settings = (over: object = {}) =>
  recordedSettingsSchema.parse({
    service: { baseUrl: 'https://plane.example.com', limit: {}, unknownOutcomeWait: '2m' },
    workspaces: { acme: {} },
    ...{ policy: 'sync', suspend: false, waivers: {}, later: {}, unknownGroups: 'hold', unknownProjects: 'hold', roles: {} },
    guards: { people: { raise: 3, lose: 1 }, raises: { count: 3 } },
    directories: {},
    hasJournal: true,
    intervalMs: 600_000,
    ...over,
  })

/** What a program reads of a world: with the DNs, the people and the causes that a recording must not have. */
function live({ directories, stored, projects, policy, existing }: AnyWorld, memory: Memory, readings: Readings): Recording {
  const whole = <T>(reading: Reading<T>, status: Reading<T>['status']): Reading<T> =>
    status === 'complete' || reading.status !== 'complete' ? reading : status === 'partial' ? partial(reading.value) : failed
  return {
    takenMs,
    readMs: takenMs,
    steadyMs,
    settings: settings({
      policy,
      directories: Object.fromEntries([...directories.keys()].map((name) => [name, { kind: 'ldap' }])),
    }),
    workspaces: new Map([
      [
        acme,
        {
          lists: new Map(lists.map((list) => [list, whole(complete(stored.filter((one) => listOf(one.target) === list)), readings.lists)])),
          byId: new Map([['m1-0' as MappingId, { is: 'gone' as const }]]),
          projects,
          ...(existing.groupSync === undefined ? {} : { groupSync: existing.groupSync }),
          credential: 'default',
          budget,
        },
      ],
    ]),
    directories: new Map(
      [...directories].map(([name, reading]) => [
        name,
        { reading: whole(reading, readings.directories), members: complete(membersIn(reading)) },
      ]),
    ),
    memberships: 'all',
    memory,
  }
}
type Readings = { readonly lists: 'complete' | 'partial'; readonly directories: 'complete' | 'partial' | 'failed' }

/** Groups share people. Some groups have members that another directory has, and of some none is known. */
function membersIn(reading: AnyWorld['directories'] extends ReadonlyMap<string, infer R> ? R : never): Memberships {
  const groups = reading.status === 'failed' ? [] : [...reading.value.values()].flat()
  return new Map(
    groups.flatMap(({ id }: Group, index): [string, Members][] => {
      if (index % 5 === 4) return []
      const people = Array.from({ length: (index * 3) % 7 }, (_, n) => `person${(index + n) % 9}@example.com`)
      return [[id, { people, ...(index % 4 === 3 ? { more: 'memberURL of cn=x,ou=groups' } : {}) }]]
    }),
  )
}

const declaredBy = (declared: WorkspaceDeclaration) => async (): Promise<Declared> => ({
  workspaces: new Map([[acme, declared]]),
  hash: hash('declaration'),
  files: 1,
  names: new Set(['groups.yaml']),
})

async function planned(recording: Recording, declared: WorkspaceDeclaration) {
  const keeper = openReadingsKeeper()
  const read = recordedSources(recording, declaredBy(declared), [], () => nowMs)
  const bindings = new Map(
    [...read.bindings].map(([name, bound]) => [name, bound.map((one) => ({ ...one, read: keeper.reader(one.workspace, one.read) }))]),
  )
  const sources = { ...read, directories: keeper.directories(read.directories), bindings }
  const report = await planOnly(
    {
      sources,
      memory: recording.memory,
      clock: { now: () => steadyMs, wall: () => nowMs },
      unknownOutcomeWaitMs: waitMs,
      isBesideDaemon: false,
    },
    { only: undefined },
    new AbortController().signal,
  )
  return { report, readings: keeper.readings }
}

/** A recording of what was read, through its text. */
async function recorded(
  before: Recording,
  declared: WorkspaceDeclaration,
  { narrow = false, memberships = 'all' }: { readonly narrow?: boolean; readonly memberships?: RecordedMemberships } = {},
): Promise<{ readonly text: string; readonly recording: Recording }> {
  const { readings } = await planned(before, declared)
  const members = [...before.directories].map(([name, directory]) => {
    const known = memberships === 'all' ? (directory.members ?? complete(new Map())) : partial(new Map())
    return [name, known] as const
  })
  const kept: KeptReadings = {
    declared: await declaredBy(declared)(),
    directories: new Map([...before.directories].map(([name, { reading }]) => [name, reading])),
    workspaces: new Map(
      [...before.workspaces].map(([name, one]) => {
        const read = readings.workspaces.get(name)
        return [name, { ...one, ...read, lists: new Map([...one.lists, ...(read?.lists ?? [])]) }]
      }),
    ),
    members: new Map(),
  }
  const { isMeant, ...meaning } = await recordedMeaning(kept, before.settings.fences, narrow, new AbortController().signal)
  const made = recordingOf({
    ...before,
    ...meaning,
    memberships,
    readings: kept,
    about: before.workspaces,
    members: new Map(members),
    asked: memberships === 'all' ? undefined : new Map(members.map(([name]) => [name, new Set<string>()])),
    isKept: groupsKept(kept, isMeant),
    random: Math.random,
  })
  const text = recordingText(made)
  const read = recordingFrom(text)
  if (read.kind === 'unreadable') throw new Error(read.why)
  return { text, recording: read.recording }
}

/** What of a report must be equal. The places of groups and the causes of incomplete readings are not in a recording. */
function decided({ workspaces }: CycleReport) {
  return workspaces.map((one) => {
    if (one.kind !== 'judged') return one.kind
    const { waived } = one.judged
    const plan: Plan = one.judged.plan
    const withoutTexts = (value: unknown) =>
      JSON.parse(
        JSON.stringify(value, (name, part: unknown) =>
          ['places', 'why', 'missing', 'whyUnknown'].includes(name) && typeof part !== 'object'
            ? ''
            : name === 'places'
              ? (part as []).length
              : part,
        ),
      )
    return withoutTexts({ ...plan, findings: plan.findings.map(({ code }) => code), waived })
  })
}

const planOf = ({ workspaces: [workspace] }: CycleReport): Plan | undefined =>
  workspace?.kind === 'judged' ? workspace.judged.plan : undefined

/** Key → what becomes of it. */
const outcomes = (plan: Plan | undefined): ReadonlyMap<Key, string> =>
  new Map([
    ...(plan?.changes ?? []).map(({ key, id }) => [key, `written ${id}`] as const),
    ...(plan?.holds ?? []).map(({ key, change, reason }) => [key, `held ${reason.kind}${change?.id ?? ''}`] as const),
  ])

/** A process has created some of the mappings, and one of its writes has an unknown outcome. */
function memoryOf({ stored }: AnyWorld, made: number): Memory {
  const stamp = { atMs: steadyMs - 3_600_000, run: 'r' }
  const change = ({ key, group, target: at, role }: AnyWorld['stored'][number]) =>
    ({
      ...{ key, group, target: at, because },
      action: 'create',
      role: role ?? ('guest' as Role),
      id: hash(key).slice(0, 32),
      requires: [],
    }) as never
  const writes = stored.slice(0, made).flatMap((one): Entry[] => [
    { ...stamp, kind: 'intent', workspace: acme, change: change(one), declaration: 'd' },
    {
      ...stamp,
      kind: 'result',
      workspace: acme,
      change: change(one),
      declaration: 'd',
      outcome: { kind: 'done', mapping: one.id } as never,
    },
  ])
  const service = { host: 'plane.example.com', slugs: { acme: 'acme' } }
  const entries: readonly Entry[] = [
    { ...stamp, kind: 'start', version: '1', command: 'run', waits: 'no', service },
    { ...stamp, kind: 'ownership', workspace: acme, list: 'projectRoles', begins: true, keys: {} },
    { ...stamp, kind: 'ownership', workspace: acme, list: 'workspaceRoles', begins: true, keys: {} },
    { ...stamp, kind: 'groups', ids: { 'corp/devs': 'devs@ou=groups' } },
    ...writes,
    { ...stamp, kind: 'approval', approval },
  ]
  return entries.reduce((memory, entry) => remember(memory, entry, waitMs), emptyMemory)
}
const because = { at: { file: 'groups.yaml', line: 3, column: 5 }, reason: 'secret project Falcon' }
const approval = {
  name: '0'.repeat(32),
  workspace: acme,
  passes: ['group:corp/devs:1'],
  ...{ by: 'ann', account: 'operator (uid 1000)', reason: 'INC-99 of Falcon' },
  fromMs: 0,
  untilMs: nowMs + 1_000_000,
}

const anyReadings = fc.record({
  lists: fc.constantFrom('complete', 'complete', 'complete', 'partial' as const),
  directories: fc.constantFrom('complete', 'complete', 'complete', 'partial', 'failed' as const),
}) as fc.Arbitrary<Readings>

/** Refuses a field that the schema does not name. */
const isOfSchema = new Ajv2020({ strict: false, validateFormats: false }).compile(closed(recordingSchema()) as object)
function closed(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return Array.isArray(schema) ? schema.map(closed) : schema
  const parts = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, closed(part)]))
  return 'properties' in parts && 'type' in parts && !('additionalProperties' in parts) ? { ...parts, additionalProperties: false } : parts
}

describe('a recording', () => {
  holds(
    'plans as what it was made from: changes, holds, people, dates and fingerprint',
    800,
    fc.asyncProperty(anyWorld, fc.nat(4), anyReadings, async (world, made, readings) => {
      const before = live(world, memoryOf(world, made), readings)
      const { text, recording } = await recorded(before, world.declared)
      expect(decided((await planned(recording, world.declared)).report)).toEqual(decided((await planned(before, world.declared)).report))
      expect(isOfSchema(JSON.parse(text)), JSON.stringify(isOfSchema.errors)).toBe(true)
      for (const secret of ['@example.com', 'cn=', 'ou=groups,', 'Falcon', 'uid 1000', '"ann"', 'page 3', 'cannot connect', 'INC-99'])
        expect(text).not.toContain(secret)
    }),
  )

  holds(
    'of the groups that the declaration can mean plans it in the same way, and holds what another declaration means besides',
    300,
    fc.asyncProperty(anyWorld, anyWorld, fc.nat(4), async (world, branch, made) => {
      const before = live(world, memoryOf(world, made), { lists: 'complete', directories: 'complete' })
      const { recording, text } = await recorded(before, world.declared, { narrow: true })
      const plans = async (of: Recording, declared: WorkspaceDeclaration) => planOf((await planned(of, declared)).report)
      expect(outcomes(await plans(recording, world.declared))).toEqual(outcomes(await plans(before, world.declared)))

      const [narrow, wide] = [await plans(recording, branch.declared), await plans(before, branch.declared)]
      const unrecorded = new Set(narrow?.holds.flatMap(({ key, reason }) => (reason.kind === 'notRecorded' ? [key] : [])))
      const isOpen = narrow?.findings.some(({ code }) => code === 'reading-incomplete') === true
      // A limit counts the whole plan, so what it holds depends on the changes that are not known.
      const judgedLater = (outcome = 'none') => outcome.replace(/^(written |held approval|held requires)/, '')
      for (const [key, outcome] of isOpen ? [] : outcomes(wide))
        if (!unrecorded.has(key)) expect(judgedLater(outcomes(narrow).get(key))).toBe(judgedLater(outcome))
      for (const { key, reason } of narrow?.holds ?? [])
        if (reason.kind === 'groupUnknown') expect(outcomes(wide).get(key)).toBe('held groupUnknown')

      const names = new Set([...world.directories.values()].flatMap((reading) => [...(valueIfRead(reading)?.keys() ?? [])]))
      const mapped = new Set(world.stored.map(({ group }) => group))
      const selects = await recordedMeaning(
        { declared: await declaredBy(world.declared)(), directories: world.directories, workspaces: new Map(), members: new Map() },
        undefined,
        true,
        new AbortController().signal,
      )
      for (const name of names)
        if (!mapped.has(name) && !selects.isMeant(name)) expect(text).not.toContain(`"name":${JSON.stringify(name)}`)
    }),
  )

  holds(
    'without memberships holds no change because its people are not in it',
    200,
    fc.asyncProperty(anyWorld, fc.nat(4), async (world, made) => {
      const before = live(world, memoryOf(world, made), { lists: 'complete', directories: 'complete' })
      const { recording } = await recorded(before, world.declared, { memberships: 'none' })
      const [open, whole] = [(await planned(recording, world.declared)).report, (await planned(before, world.declared)).report].map(planOf)
      expect(open?.fingerprint).toBe(whole?.fingerprint)
      const forPeople = (plan: Plan | undefined) =>
        plan?.holds.filter(({ reason }) => reason.kind === 'approval' && reason.why === 'people') ?? []
      const isBounded = (reason: HoldReason) => 'people' in reason && reason.people.most !== undefined
      // What the live plan cannot count either, such as a group that no directory shows, is held as there.
      const uncounted = new Set(forPeople(whole).flatMap(({ change, reason }) => (isBounded(reason) ? [] : (change?.id ?? []))))
      expect(forPeople(open).filter(({ change }) => change !== undefined && !uncounted.has(change.id))).toEqual([])
      const isLater = ({ effect }: { readonly effect?: { readonly kind: string } }) => effect?.kind === 'notRecorded'
      const waiting = new Set(forPeople(whole).map(({ change }) => change?.id))
      for (const change of open?.changes ?? []) if (waiting.has(change.id)) expect(isLater(change as never)).toBe(true)
    }),
  )

  test('has other numbers for people each time', async () => {
    const members = new Map([['g', { people: Array.from({ length: 200 }, (_, n) => `p${n}@example.com`) }]])
    const numbers = () => {
      const index = indexGroups([{ name: 'devs' as GroupName, id: 'g', place: 'cn=devs' }])
      const made = recordingOf({
        ...{ takenMs, readMs: takenMs, steadyMs, settings: settings(), memberships: 'all' as const },
        readings: { directories: new Map([['corp', complete(index)]]), workspaces: new Map() },
        about: new Map(),
        members: new Map([['corp', complete(members)]]),
        memory: emptyMemory,
        isKept: () => true,
        random: Math.random,
      })
      return valueIfRead(made.directories.get('corp')?.members)?.get('g')?.people
    }
    expect(new Set(numbers())).toEqual(new Set(Array.from({ length: 200 }, (_, n) => `${n + 1}`)))
    expect(numbers()).not.toEqual(numbers())
  })

  test('keeps the groups that a fence admits, and those that have a mapping', () => {
    const names = ['web-a', 'web-b', 'pay-a', 'payroll', 'secret'] as GroupName[]
    const fence = { owner: 't', workspace: 'acme', projectRoles: { groups: ['web-*', 'pay-a'], roles: ['member'], projects: ['WEB'] } }
    const { fences } = settings({ fences: { 'web/**': fence } })
    const payroll = {
      id: 'm' as MappingId,
      group: 'payroll' as GroupName,
      target: target('ENG'),
      role: null,
      key: keyOf(acme, target('ENG'), 'payroll' as GroupName),
    }
    const readings = {
      directories: new Map([['corp', complete(indexGroups(names.map((name) => ({ name, id: name, place: `cn=${name}` }))))]]),
      workspaces: new Map([[acme, { lists: new Map([['projectRoles' as const, complete([payroll])]]), byId: new Map() }]]),
    } satisfies Pick<KeptReadings, 'directories' | 'workspaces'>
    const made = recordingOf({
      ...{ takenMs, readMs: takenMs, steadyMs, settings: settings(), memberships: 'all' as const },
      readings,
      about: new Map([[acme, { credential: 'default', budget }]]),
      members: new Map(),
      memory: remember(
        emptyMemory,
        { kind: 'groups', atMs: 0, run: '', ids: { 'corp/secret': '7', 'corp/web-a': '8', 'corp/web-b': 'cn=web-b,ou=secret-unit' } },
        waitMs,
      ),
      isKept: groupsKept(readings, openAdmission(fences)),
      random: Math.random,
    })
    const text = recordingText(made)
    expect(names.filter((name) => text.includes(name))).toEqual(['web-a', 'web-b', 'pay-a', 'payroll'])
    expect(text).toContain('"groupIds":{"corp/web-a":"8"}')
  })

  test.each([
    ['', 'it is not JSON, or cut off'],
    ['{"format":"other"}', 'its format is not plane-group-sync-recording'],
    ['{"format":"plane-group-sync-recording","version":9}', 'it is of version 9, and this program reads version 2'],
    [
      '{"format":"plane-group-sync-recording","version":2,"takenMs":1,"readMs":1,"steadyMs":1,"settings":{"policy":"sometimes"}}',
      'it lacks a part, or has one of another type: settings.service: must be a map (key: value)',
    ],
    ['{"format":"plane-group-sync-recording","version":2}', 'it lacks a part, or has one of another type: a value is no number'],
  ])('that is none: %s', (text, why) => {
    expect(recordingFrom(text)).toEqual({ kind: 'unreadable', why })
  })
})
