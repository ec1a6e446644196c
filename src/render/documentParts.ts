import type { Change, ChangeId, Uncounted } from '../core/change.ts'
import { type Codec, flag, implied, list, literal, nullable, number, object, optional, string, union } from '../core/codec.ts'
import { type GroupSync, storedGroupSync } from '../core/groupSync.ts'
import type { HoldReason } from '../core/hold.ts'
import { grantsProtected } from '../core/judge/guards.ts'
import { type GroupName, type Key, type Role, storedTarget, type Target } from '../core/mapping.ts'
import { type Outcome, outcomeCodec } from '../core/outcome.ts'
import type { CountedEffect, PeopleEffect } from '../core/peopleEffect.ts'
import type { RoleSettings } from '../core/roles.ts'
import { type PatternText, type Position, type Provenance, placeText, storedPosition } from '../core/rule.ts'
import type { DocumentChange } from '../documents/change.ts'
import type { DocumentOutcome } from '../documents/outcome.ts'
import type { DocumentBecause, DocumentSettings, DocumentTarget } from '../documents/parts.ts'
import type { DocumentReason } from '../documents/reason.ts'

/* What several documents for programs have in common, field by field, in the order of the JSON. `documents/` has the schemas. */

/** Other fields of a document are ignored, because a later program may add fields without a new version. */
const ignored = () => undefined

const before = nullable(string<Role>())
const because = object<Provenance>({
  at: storedPosition,
  owner: optional(string()),
  reason: optional(string()),
  pattern: optional(object<PatternText>({ syntax: string(), source: string() })),
  directory: optional(string()),
  expiresMs: optional(number()),
})

const counted = object<CountedEffect>({
  kind: implied('counted'),
  newly: number(),
  raised: number(),
  lowered: number(),
  lost: number(),
  gainProtected: number(),
  atLeast: optional(flag()),
})
const unknown = object<Extract<PeopleEffect, { kind: 'unknown' }>>({ kind: implied('unknown'), why: ['unknown', string()] })
const effect: Codec<PeopleEffect> = {
  write: (value) => (value.kind === 'unknown' ? unknown.write(value) : counted.write(value)),
  read: (stored, tell) => (Object.hasOwn(Object(stored), 'unknown') ? unknown : counted).read(stored, tell),
}

type WithProtected<T> = T extends unknown ? T & { readonly protected?: true } : never
const named = { requires: list(string<ChangeId>()) } as const
const id = string<ChangeId>()
const place = { key: string<Key>(), target: storedTarget, group: string<GroupName>() } as const
const about = {
  label: optional(string()),
  groupId: optional(string()),
  people: optional(number()),
  effect: optional(effect),
  allowProtected: optional(flag()),
  uncounted: optional(string<Uncounted>()),
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

/** `kind`, then the other names in alphabetical order. */
export function documentReason({ kind, ...facts }: HoldReason): DocumentReason {
  const named: Readonly<Record<string, unknown>> = facts
  return Object.fromEntries([
    ['kind', kind],
    ...Object.keys(named)
      .toSorted()
      .map((name) => documentFact(name, named[name])),
  ]) as DocumentReason
}

function documentFact(name: string, value: unknown): readonly [string, unknown] {
  switch (name) {
    case 'at':
      return [name, placeText(value as Position)]
    case 'rules':
      return [name, (value as readonly Provenance[]).map(documentBecause)]
    case 'by':
    case 'unmanaged':
      return [name, value === undefined ? undefined : documentBecause(value as Provenance)]
    case 'storedKey':
      return ['keptAs', value]
    default:
      return [name, value]
  }
}

export const documentTarget = (value: Target): DocumentTarget => storedTarget.write(value) as DocumentTarget
export const targetFromDocument = (stored: DocumentTarget): Target => storedTarget.read(stored, ignored)
export const documentBecause = (value: Provenance): DocumentBecause => because.write(value) as DocumentBecause
export const becauseFromDocument = (stored: DocumentBecause): Provenance => because.read(stored, ignored)
export const documentSettings = (value: GroupSync): DocumentSettings => storedGroupSync.write(value) as DocumentSettings
export const settingsFromDocument = (stored: DocumentSettings): GroupSync => storedGroupSync.read(stored, ignored)
export const documentOutcome = (value: Outcome): DocumentOutcome => outcome.write(value) as DocumentOutcome
export const documentChange = (value: Change, roles: RoleSettings): DocumentChange =>
  change.write(grantsProtected(value, roles) ? { ...value, protected: true } : value) as DocumentChange
/** @throws if it is no change that this program knows */
export const changeFromDocument = (stored: unknown): Change => change.read(stored, ignored)
