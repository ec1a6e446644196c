import { compareWith, type GroupSize } from '../core/bounds.ts'
import type { Change } from '../core/change.ts'
import type { HeldWrite, Hold } from '../core/hold.ts'
import { grantsProtected } from '../core/judge/guards.ts'
import type { GroupName, Target } from '../core/mapping.ts'
import type { UnchangedMapping } from '../core/plan.ts'
import { holdUntilText, sizeText } from '../core/quantity.ts'
import { type RoleSettings, rankOf } from '../core/roles.ts'
import type { Provenance } from '../core/rule.ts'
import { oneLine } from '../core/safeName.ts'
import { unknownToText } from '../core/unknownTo.ts'
import { type PlanApprovals, planApprovals } from './approval.ts'
import { type ChangeParts, causeText, changeKindOf, changeParts, heldParts, symbols, unchangedParts } from './change.ts'
import { explainHold } from './hold.ts'
import type { Style } from './paint.ts'
import { isProtectedHold } from './sections.ts'
import { waitsForDirectory } from './unread.ts'
import type { View } from './view.ts'

export type Mark = { readonly symbol: string; readonly style: Style }

/** One change or one hold, in the words that every format shows. All texts are safe for a terminal. */
export type PlanEntry = {
  readonly mark: Mark
  /** It gives a group a protected role, or it is an undeclared mapping that does. */
  readonly isProtected: boolean
  readonly target?: Target
  readonly group?: GroupName
  readonly size?: GroupSize
  /** The date of what a date will change, epoch ms. */
  readonly atMs?: number
  /** The rule that declares it. */
  readonly because?: Provenance
  readonly parts: ChangeParts
  /** The place of the role in the order of roles. A role that is not in the order comes above all others: nothing is known of it. */
  readonly rank: number
  /** The reason of the hold, or the outcome of the write. */
  readonly why: string
  /** Since when and until when it is held. */
  readonly times?: string
  /** `why` in a few words, without numbers. Entries of one row have the same. */
  readonly label: string
  readonly cure: string
  /** The cure of a row that several entries share. */
  readonly sharedCure: string
}

/** Characters of a row's reason and cure. A cure may name two groups by their whole names. */
const whyMax = 500
export const cureMax = 1200

/** Marks a protected grant, in place of the symbol of its kind. */
export const protectedMark: Mark = { symbol: '‼', style: 'alarm' }

export function changeEntry(change: Change, roles: RoleSettings): PlanEntry {
  const isProtected = grantsProtected(change, roles)
  return {
    mark: isProtected ? protectedMark : symbols[changeKindOf(change, roles)],
    isProtected,
    ...subjectOf(change),
    parts: changeParts(change),
    rank: rankIn(change, roles),
    why: '',
    label: '',
    cure: '',
    sharedCure: '',
  }
}

export const unchangedMark: Mark = { symbol: '=', style: 'dim' }

/** An entry for a mapping that stays as it is. */
export const unchangedEntry = (mapping: UnchangedMapping): PlanEntry => ({
  mark: unchangedMark,
  isProtected: false,
  ...subjectOf(mapping),
  parts: unchangedParts(mapping),
  rank: -1,
  why: '',
  label: '',
  cure: '',
  sharedCure: '',
})

export type HoldView = Pick<View, 'about' | 'judged' | 'applied' | 'directories' | 'nowMs'>

/** An entry for each hold. */
export function holdEntries(holds: readonly Hold[], mark: Mark, view: HoldView): readonly PlanEntry[] {
  const approvals = planApprovals(view)
  return holds.map((hold) => holdEntry(hold, mark, view, approvals))
}

function holdEntry(hold: Hold, mark: Mark, { about, directories, nowMs }: HoldView, approvals: PlanApprovals): PlanEntry {
  const { change, reason, untilMs } = hold
  const { workspace, roles, doors } = about
  const { sentence, cure } = textOf(hold, { workspace, doors }, directories)
  const shared = sharedCureOf(hold, { workspace, doors, approvals }, cure)
  const isProtected = isProtectedHold(hold, roles)
  return {
    mark: isProtected ? protectedMark : mark,
    isProtected,
    ...subjectOf(change ?? hold),
    parts: holdParts(hold),
    rank: rankIn(change ?? hold.would, roles),
    why: oneLine(sentence, whyMax),
    ...(untilMs === undefined ? {} : { times: `held ${holdUntilText(untilMs, nowMs)}` }),
    label: labelOf(reason, sentence),
    cure: oneLine(cure, cureMax),
    sharedCure: oneLine(shared, cureMax),
  }
}

/** Equal for changes that wait for the same kind of reason, whatever their numbers are: they may share a row. */
export function labelOf(reason: Hold['reason'], sentence: string): string {
  if (reason.kind !== 'approval') return ''
  if (reason.why === 'limit') return 'above a limit'
  if (reason.why !== 'people') return oneLine(sentence)
  return compareWith(reason.limit, reason.together ?? reason.people) === 'above'
    ? `above ${reason.setting}`
    : `perhaps above ${reason.setting}`
}

export function holdParts(hold: Hold): ChangeParts {
  const { change, reason } = hold
  if (reason.kind === 'undeclared') return undeclaredParts(hold)
  if (change === undefined) return heldParts(hold)
  return changeParts(reason.kind === 'approval' && reason.why === 'people' ? withoutPeople(change) : change)
}

/** The reason of the hold has the numbers of people. */
function withoutPeople(change: Change): Change {
  if (change.action === 'settings') return change
  const { size: _, effect: __, ...rest } = change
  return rest
}

/** How many people an undeclared mapping concerns, or which directories do not know its group. That it is undeclared stands in the title. */
function undeclaredParts(hold: Hold): ChangeParts {
  const { change, unknownTo } = hold
  const parts = change === undefined ? heldParts(hold) : changeParts(change)
  const known = oneLine(unknownToText(hold))
  const remark = [known, hold.cause?.kind === 'plane' ? causeText(hold.cause) : ''].filter((text) => text !== '').join(', ')
  const people = unknownTo === undefined ? sizeText(subjectOf(change ?? hold).size) : ''
  return { ...parts, remark, fact: [people, remark].filter((text) => text !== '').join(', ') }
}

type Around = Pick<View['about'], 'workspace' | 'doors'>

/** The ID with a number of people approves one change only, so a row of several changes shows none. */
function sharedCureOf(hold: Hold, around: Around & { readonly approvals: PlanApprovals }, cure: string): string {
  if (hold.reason.kind !== 'approval') return cure
  return hold.reason.why === 'people' ? 'each of them needs an ID of its own (--all shows it)' : explainHold(hold, around).cure
}

/** The reason and the cure. Above the plan stands why a directory was not read whole, and what to do. */
const textOf = (hold: Hold, around: Around, directories: HoldView['directories']) =>
  hold.reason.kind === 'readingIncomplete' && waitsForDirectory(hold, directories)
    ? { sentence: `waits for ${hold.reason.of}`, cure: '' }
    : explainHold(hold, around)

export function rankIn(write: Change | HeldWrite | undefined, roles: RoleSettings): number {
  if (write === undefined || ('action' in write && write.action === 'settings')) return -1
  const role = 'role' in write ? write.role : write.before
  const rank = role === null ? 0 : rankOf(role, roles)
  return rank < 0 ? roles.order.length : rank
}

const subjectOf = (of: Change | Hold | UnchangedMapping): Pick<PlanEntry, 'target' | 'group' | 'size' | 'because'> => ({
  ...(of.because === undefined ? {} : { because: of.because }),
  ...('target' in of && of.target !== undefined ? { target: of.target } : {}),
  ...('group' in of && of.group !== undefined ? { group: of.group } : {}),
  ...('size' in of && of.size !== undefined ? { size: of.size } : {}),
})
