import type { Hold, HoldKind } from './hold.ts'

/**
 * How a hold counts in the result of a cycle. Exit code, outcome and metrics read it; `cycle/outcome.ts` and `commands/exitCode.ts` say how.
 * - `waits`: for the approval of a person.
 * - `paused`: for the end of `suspend`.
 * - `unread`: names or lists were not read whole.
 * - `fails`: another writer makes the same mappings.
 * - `passes`: it may end by time or by another reading.
 * - `stays`: until a person edits something, a group or project exists, or a rule starts. `requires` follows from another hold, which counts by its own kind.
 */
type HoldEffect = 'waits' | 'paused' | 'unread' | 'fails' | 'passes' | 'stays'

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
  notRecorded: 'unread',
  quarantined: 'passes',
  flapping: 'passes',
  anotherWriter: 'fails',
  suspended: 'paused',
  fileInvalid: 'stays',
}
export const holdKinds = Object.keys(effects) as readonly HoldKind[]

export const holdEffectsOf = (holds: readonly Hold[]): ReadonlySet<HoldEffect> => new Set(holds.map(({ reason }) => effects[reason.kind]))

/** Whether the hold waits because names or lists were not read whole, or not compared with the patterns. So the program cannot judge its key. */
const isUnread = (kind: HoldKind): boolean => effects[kind] === 'unread'

/** Whether the hold may end without an edit: after a complete reading, or when the clocks agree again. */
export const mayEndWithoutEdit = (kind: HoldKind): boolean => isUnread(kind) || kind === 'clocksDiffer'

/**
 * Whether the hold only keeps an existing mapping as it is, because names, lists or files were not read whole. One line stands for all such holds; a hold that
 * keeps a role from being given or taken away is never among them.
 */
export const isKeptUnread = ({ change, would, reason }: Pick<Hold, 'change' | 'would' | 'reason'>): boolean =>
  change === undefined &&
  (isUnread(reason.kind) || reason.kind === 'fileInvalid') &&
  (would?.action === 'keep' || would?.action === 'unknown')
