import * as fc from 'fast-check'
import type { GroupSize } from '../../../src/core/bounds.ts'
import type { Change, ChangeId } from '../../../src/core/change.ts'
import { type Hold, type HoldReason, limitNames } from '../../../src/core/hold.ts'
import type { Key, Role } from '../../../src/core/mapping.ts'
import type { View } from '../../../src/render/view.ts'
import { outside } from '../properties/anyText.ts'
import { about, corp, create, nowMs, patch, remove, rename, settings, unsure, view } from './sample.ts'

/* Any plan, with any text from outside and any number, in any state. */

const moment = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(nowMs, nowMs + 60_000, Number.POSITIVE_INFINITY))
const where = fc.oneof(fc.constantFrom('workspace', '*'), outside)
const bounds = { least: fc.nat(), most: fc.nat(), why: outside }
const anySize: fc.Arbitrary<GroupSize> = fc.record(
  { of: fc.constantFrom('people' as const, 'members' as const), ...bounds },
  { requiredKeys: ['of', 'least'] },
)
const more = fc.record(
  {
    size: anySize,
    because: fc.record(
      { at: fc.record({ file: outside, line: fc.nat(), column: fc.nat() }), owner: outside, reason: outside, directory: outside },
      { requiredKeys: ['at'] },
    ),
  },
  { requiredKeys: [] },
)

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(where, outside, outside, more).map((of) => create(...of)),
  fc.tuple(where, outside, outside, outside, more).map((of) => patch(...of)),
  fc.tuple(where, outside, outside, outside, outside, more).map((of) => rename(...of)),
  fc.tuple(where, outside, outside, fc.constantFrom('removed', 'expired', 'duplicate', 'undeclared'), more).map((of) => remove(...of)),
  fc
    .record(
      { groupAttribute: outside, defaultWorkspaceRole: fc.oneof(outside, fc.constant(null)), enabled: fc.boolean() },
      { requiredKeys: [] },
    )
    .map((after) => ({ ...settings, after }) as Change),
)

const reason: fc.Arbitrary<HoldReason> = fc.oneof(
  fc.record(
    {
      ...{ kind: fc.constant('groupUnknown' as const), directories: fc.array(outside, { maxLength: 3 }), mapped: fc.boolean() },
      ...{ near: outside, asksOnly: fc.constant(true as const), elsewhere: fc.array(outside, { minLength: 1, maxLength: 2 }) },
    },
    { requiredKeys: ['kind', 'directories', 'mapped'] },
  ),
  fc.record({ kind: fc.constant('projectUnknown' as const), project: outside }),
  fc.record({ kind: fc.constant('roleUnmapped' as const), captured: outside, allowed: fc.array(outside, { maxLength: 3 }) }),
  fc.record(
    {
      kind: fc.constant('ambiguous' as const),
      places: fc.array(outside, { maxLength: 3 }),
      names: fc.array(outside, { maxLength: 3 }),
    },
    { requiredKeys: ['kind', 'places'] },
  ),
  fc.record({
    kind: fc.constant('conflict' as const),
    roles: fc.array(outside as fc.Arbitrary<Role>, { maxLength: 3 }),
    rules: fc.constant([]),
  }),
  fc.record({ kind: fc.constant('readingIncomplete' as const), of: outside, why: outside }),
  fc.record({ kind: fc.constantFrom('undeclared' as const, 'policy' as const), policy: outside }),
  fc.record({
    kind: fc.constant('approval' as const),
    why: fc.constantFrom('protectedRole' as const, 'protectedGroup' as const, 'groupSync' as const, 'allProjectsProtected' as const),
  }),
  fc.record({
    ...{ kind: fc.constant('approval' as const), why: fc.constant('limit' as const), name: fc.constantFrom(...limitNames) },
    ...{ count: fc.nat(), limit: fc.nat(), setting: outside, sentence: outside, pass: outside as fc.Arbitrary<ChangeId> },
  }),
  fc.record({
    kind: fc.constant('quarantined' as const),
    since: fc.constantFrom('unknownOutcome' as const, 'startUp' as const, 'justWritten' as const),
  }),
  fc.record({ kind: fc.constant('nameEchoed' as const), storedKey: outside as fc.Arbitrary<Key> }),
  fc.record({ kind: fc.constant('flapping' as const), rounds: fc.nat(), sinceMs: fc.double() }),
  fc.record({ kind: fc.constant('anotherWriter' as const), twins: fc.nat() }),
  fc.record({ kind: fc.constant('requires' as const), key: outside as fc.Arbitrary<Key> }),
  fc.record({ kind: fc.constant('suspended' as const), what: fc.constantFrom('all' as const, 'grants' as const) }),
  fc.record({
    kind: fc.constant('fileInvalid' as const),
    at: fc.record({ file: outside, line: fc.nat(), column: fc.nat() }),
    why: outside,
  }),
)
const hold: fc.Arbitrary<Hold> = fc
  .record({ where, group: outside, reason, change: fc.option(change), untilMs: fc.option(moment), bare: fc.boolean() })
  .map(({ where: at, group, reason: why, change: waiting, untilMs, bare }) => {
    const { key, ...place } = unsure(at, group, why)
    const rest = { ...(waiting === null ? {} : { change: waiting }), ...(untilMs === null ? {} : { untilMs }) }
    return bare ? { key, reason: why, ...rest } : { key, ...place, ...rest }
  })

const finding = fc.record({
  code: fc.constant('duplicate-mapping' as const),
  severity: fc.constantFrom('info' as const, 'warning' as const, 'error' as const),
  place: outside,
  sentence: outside,
  cure: outside,
})
const outcome = fc.oneof(
  fc.record({ kind: fc.constant('done' as const), echoed: outside }),
  fc.record({ kind: fc.constant('notSent' as const), why: outside }),
  fc.record({
    kind: fc.constant('refused' as const),
    status: fc.nat(),
    code: fc.constantFrom('credential' as const, 'gone' as const),
    sentence: outside,
  }),
  fc.record({ kind: fc.constant('unknown' as const), why: outside, lastByteMs: moment }),
)
const applied: fc.Arbitrary<NonNullable<View['applied']>> = fc.record({
  results: fc.array(fc.record({ change, outcome })),
  holds: fc.array(hold),
  left: fc.array(change),
})

export const anyView: fc.Arbitrary<View> = fc
  .record({
    parts: fc.record({
      changes: fc.array(change),
      holds: fc.array(hold),
      findings: fc.array(finding, { maxLength: 4 }),
      unchanged: fc.nat(),
    }),
    host: outside,
    slug: outside,
    why: outside,
    kept: outside,
    atMs: moment,
    applied: fc.option(applied),
    others: fc.double(),
    quietCalls: fc.nat(),
    intervalMs: fc.double(),
    moved: fc.boolean(),
  })
  .map(({ parts, host, slug, why, kept, atMs, applied: wrote, others, moved, ...counted }) =>
    view(parts, {
      about: { ...about, host, slug, ...counted, budget: { ...about.budget, others } },
      declaration: { hash: kept, files: 2, kept },
      directories: [{ ...corp, name: host, status: 'partial', why, atMs }],
      moved,
      ...(wrote === null ? {} : { applied: wrote }),
    }),
  )
export const views = fc.array(
  fc.oneof(
    anyView,
    outside.map((failed) => ({ about, failed })),
  ),
  { maxLength: 3 },
)
