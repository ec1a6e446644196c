import type { Hold, HoldKind } from './hold.ts'

/**
 * How a hold counts in the result of a cycle. Exit code, outcome and metrics read it; `cycle/outcome.ts` and `commands/exitCode.ts` say how.
 * - `waits`: for the decision of a person, an approval or the end of `suspend`.
 * - `unread`: names or lists were not read whole.
 * - `fails`: another writer makes the same mappings.
 * - `passes`: it may end by time or by another reading.
 * - `stays`: until a person edits something, a group or project exists, or a rule starts. `requires` follows from another hold, which counts by its own kind.
 */
type HoldEffect = 'waits' | 'unread' | 'fails' | 'passes' | 'stays'

const effects: Readonly<Record<HoldKind, HoldEffect>> = {
  groupUnknown: 'stays',
  projectUnknown: 'stays',
  projectChanged: 'stays',
  perhapsRenamed: 'stays',
  groupChanged: 'stays',
  labelDiffers: 'stays',
  roleUnmapped: 'stays',
  ambiguous: 'stays',
  conflict: 'stays',
  outranked: 'stays',
  contested: 'stays',
  unsafeName: 'stays',
  patternsUnmatched: 'unread',
  clocksDiffer: 'stays',
  notStarted: 'stays',
  roleEchoed: 'stays',
  nameEchoed: 'stays',
  undeclared: 'stays',
  policy: 'stays',
  approval: 'waits',
  requires: 'stays',
  readingIncomplete: 'unread',
  quarantined: 'passes',
  flapping: 'passes',
  anotherWriter: 'fails',
  suspended: 'waits',
  fileInvalid: 'stays',
}
export const holdKinds = Object.keys(effects) as readonly HoldKind[]

export const holdEffectsOf = (holds: readonly Hold[]): ReadonlySet<HoldEffect> => new Set(holds.map(({ reason }) => effects[reason.kind]))
