import { type Cause, storedCause } from '../core/cause.ts'
import type { Change, ChangeId, Uncounted } from '../core/change.ts'
import { type Codec, converted, flag, implied, list, literal, nullable, number, object, optional, string, union } from '../core/codec.ts'
import { type GroupSync, storedGroupSync } from '../core/groupSync.ts'
import type { ApprovalWhy, HoldReason } from '../core/hold.ts'
import { grantsProtected } from '../core/judge/guards.ts'
import { type GroupName, type Key, type ProjectIdentifier, type Role, storedTarget, type Target } from '../core/mapping.ts'
import { type Outcome, outcomeCodec } from '../core/outcome.ts'
import type { CountedEffect, PeopleEffect } from '../core/peopleEffect.ts'
import type { RoleSettings } from '../core/roles.ts'
import { type Position, type Provenance, placeText, provenanceFields } from '../core/rule.ts'
import { storedBounds, storedSize } from '../core/storedBounds.ts'
import type { DocumentChange } from '../documents/change.ts'
import type { DocumentOutcome } from '../documents/outcome.ts'
import type { DocumentBecause, DocumentCause, DocumentSettings, DocumentTarget } from '../documents/parts.ts'
import type { DocumentReason } from '../documents/reason.ts'

/* What several documents for programs have in common, field by field, in the order of the JSON. `documents/` has the schemas. */

/** Other fields of a document are ignored, because a later program may add fields without a new version. */
const ignored = () => undefined

const before = nullable(string<Role>())
const because = object<Provenance>(provenanceFields)

const counted = object<CountedEffect>({
  kind: implied('counted'),
  newly: storedBounds,
  raised: storedBounds,
  lowered: storedBounds,
  lost: storedBounds,
  raise: storedBounds,
  gainProtected: storedBounds,
  lose: storedBounds,
  why: optional(string()),
})
const notRecorded = converted<Extract<PeopleEffect, { kind: 'notRecorded' }>, { readonly notRecorded: true }>(
  object<{ readonly notRecorded: true }>({ notRecorded: flag<true>() }),
  () => ({ notRecorded: true }),
  () => ({ kind: 'notRecorded' }),
)
const effects = { counted, notRecorded } as const
const effect: Codec<PeopleEffect> = {
  write: (value) => effects[value.kind].write(value as never),
  read: (stored, tell) => effects[Object.hasOwn(Object(stored), 'notRecorded') ? 'notRecorded' : 'counted'].read(stored, tell),
}

type WithProtected<T> = T extends unknown ? T & { readonly protected?: true } : never
const named = { requires: list(string<ChangeId>()) } as const
const id = string<ChangeId>()
const place = { key: string<Key>(), target: storedTarget, group: string<GroupName>() } as const
const about = {
  label: optional(string()),
  groupId: optional(string()),
  size: optional(storedSize),
  effect: optional(effect),
  allowProtected: optional(flag()),
  uncounted: optional(string<Uncounted>()),
  givenBy: optional(string()),
  cause: optional(storedCause),
  /** It is computed anew by the program that reads the document. */
  protected: { write: (value: true | undefined) => value, read: () => undefined },
  because: optional(because),
  ...named,
} as const
const change = union<WithProtected<Change>, 'action'>('the change', 'action', {
  create: { id, action: literal('create'), ...place, role: string(), ...about },
  patch: { id, action: literal('patch'), ...place, mapping: string(), before, role: string(), ...about },
  rename: {
    id,
    action: literal('rename'),
    ...place,
    mapping: string(),
    from: string(),
    fromGroup: string(),
    sameGroup: optional(flag<true>()),
    before,
    role: string(),
    ...about,
  },
  delete: { id, action: literal('delete'), ...place, mapping: string(), before, why: string(), ...about },
  settings: {
    ...{ id, action: literal('settings'), key: string(), before: storedGroupSync, after: storedGroupSync },
    ...{ because: optional(because), uncounted: optional(string<Uncounted>()), ...named, protected: 'notStored' },
  },
})

const outcome = outcomeCodec(optional(number()))

type Approval = Extract<HoldReason, { kind: 'approval' }>
const kind = <Kind extends HoldReason['kind']>(name: Kind) => ({ kind: literal(name) })
const plainApproval = object<Extract<Approval, { why: ApprovalWhy }>>({ ...kind('approval'), why: string() })
const text = string<string>()
const near = { near: optional(text), nearNote: optional(text) } as const
const project = string<ProjectIdentifier>()
const role = string<Role>()
/** Nothing reads the place of a file in a reason. */
const fileAt: Codec<Position> = {
  write: placeText,
  read: (stored) => {
    const at = String(stored)
    const [, file = at, line = 0, column = 0] = /^(.*):(\d+):(\d+)$/s.exec(at) ?? []
    return { file, line: Number(line), column: Number(column) }
  },
}

/** `kind`, then the other names in alphabetical order. */
const reason = union<HoldReason, 'kind'>('the reason', 'kind', {
  groupUnknown: {
    ...kind('groupUnknown'),
    asksOnly: optional(flag()),
    directories: list(text),
    elsewhere: optional(list(text)),
    hasLabel: optional(flag()),
    mapped: flag(),
    near: optional(text),
    nearLabel: optional(text),
    nearNote: optional(text),
  },
  projectUnknown: { ...kind('projectUnknown'), captured: optional(flag()), ...near, project: text },
  projectChanged: { ...kind('projectChanged'), called: optional(project), pass: text, project, replaced: flag() },
  perhapsRenamed: { ...kind('perhapsRenamed'), project },
  groupChanged: {
    ...kind('groupChanged'),
    called: optional(string<GroupName>()),
    directory: text,
    group: string(),
    pass: text,
    was: optional(text),
  },
  labelDiffers: { ...kind('labelDiffers'), called: text, directory: text, label: text, shared: optional(number()) },
  roleUnmapped: { ...kind('roleUnmapped'), allowed: list(text), captured: text },
  ambiguous: { ...kind('ambiguous'), names: optional(list(text)), places: list(text) },
  conflict: { ...kind('conflict'), roles: list(role), rules: list(because) },
  outranked: { ...kind('outranked'), by: because, inside: optional(before), outside: optional(before), unmanaged: optional(because) },
  contested: { ...kind('contested'), rules: list(because) },
  unsafeName: { ...kind('unsafeName'), what: text },
  readingIncomplete: { ...kind('readingIncomplete'), of: text, why: text },
  notRecorded: kind('notRecorded'),
  patternsUnmatched: { ...kind('patternsUnmatched'), why: text },
  clocksDiffer: kind('clocksDiffer'),
  notStarted: { ...kind('notStarted'), startsMs: number() },
  undeclared: { ...kind('undeclared'), policy: text },
  policy: { ...kind('policy'), policy: text },
  approval: union<Approval, 'why'>('the approval', 'why', {
    limit: {
      ...kind('approval'),
      count: number(),
      exceeds: optional(string()),
      limit: number(),
      name: string(),
      owned: optional(number()),
      pass: string(),
      sentence: text,
      setting: text,
      why: literal('limit'),
    },
    people: {
      ...kind('approval'),
      limit: number(),
      over: string(),
      pass: text,
      people: storedBounds,
      together: optional(storedBounds),
      setting: text,
      why: literal('people'),
    },
    protectedRole: plainApproval,
    protectedGroup: plainApproval,
    groupSync: plainApproval,
    allProjectsProtected: plainApproval,
  }),
  quarantined: { ...kind('quarantined'), since: string() },
  roleEchoed: { ...kind('roleEchoed'), echoed: role, sent: role },
  nameEchoed: { ...kind('nameEchoed'), storedKey: ['keptAs', string()] },
  requires: { ...kind('requires'), key: string() },
  flapping: { ...kind('flapping'), rounds: number(), sinceMs: number() },
  anotherWriter: { ...kind('anotherWriter'), twins: number() },
  suspended: { ...kind('suspended'), what: string() },
  fileInvalid: { ...kind('fileInvalid'), at: fileAt, why: text, isOutside: optional(flag<true>()) },
})

export const documentTarget = (value: Target): DocumentTarget => storedTarget.write(value) as DocumentTarget
export const targetFromDocument = (stored: DocumentTarget): Target => storedTarget.read(stored, ignored)
export const documentBecause = (value: Provenance): DocumentBecause => because.write(value) as DocumentBecause
export const becauseFromDocument = (stored: DocumentBecause): Provenance => because.read(stored, ignored)
export const documentSettings = (value: GroupSync): DocumentSettings => storedGroupSync.write(value) as DocumentSettings
export const settingsFromDocument = (stored: DocumentSettings): GroupSync => storedGroupSync.read(stored, ignored)
export const documentOutcome = (value: Outcome): DocumentOutcome => outcome.write(value) as DocumentOutcome
export const documentReason = (value: HoldReason): DocumentReason => reason.write(value) as DocumentReason
export const reasonFromDocument = (stored: DocumentReason): HoldReason => reason.read(stored, ignored)
export const documentChange = (value: Change, roles: RoleSettings): DocumentChange =>
  change.write(grantsProtected(value, roles) ? { ...value, protected: true } : value) as DocumentChange
export const documentCause = (value: Cause): DocumentCause => storedCause.write(value) as DocumentCause
export const causeFromDocument = (stored: DocumentCause): Cause => storedCause.read(stored, ignored)
/** @throws if it is no change that this program knows */
export const changeFromDocument = (stored: unknown): Change => change.read(stored, ignored)
