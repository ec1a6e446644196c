import { isUnknown, mostOf } from '../core/bounds.ts'
import type { Cause } from '../core/cause.ts'
import type { Change } from '../core/change.ts'
import type { HeldWrite, Hold } from '../core/hold.ts'
import { type GroupName, presentRole, type Role, type Target, targetText } from '../core/mapping.ts'
import type { UnchangedMapping } from '../core/plan.ts'
import { boundsWord, lastDayText, sizeText, spanText } from '../core/quantity.ts'
import { direction, type RoleSettings } from '../core/roles.ts'
import type { PatternText, Provenance } from '../core/rule.ts'
import { oneLine, visible } from '../core/safeName.ts'
import { groupSyncChangeText } from './groupSync.ts'
import type { Style } from './paint.ts'
import { fileText, firstColumns, ownerText, widthOf } from './width.ts'

/** Kinds of changes for the reader: a patch raises a role, lowers it, or does `other` if the two roles cannot be compared. */
export type ChangeKind = 'create' | 'raise' | 'lower' | 'other' | 'rename' | 'delete' | 'settings'
type Order = Pick<RoleSettings, 'order'>

export const symbols: Readonly<Record<ChangeKind, { readonly symbol: string; readonly style: Style }>> = {
  create: { symbol: '+', style: 'green' },
  raise: { symbol: '↑', style: 'yellow' },
  lower: { symbol: '↓', style: 'cyan' },
  other: { symbol: '~', style: 'yellow' },
  rename: { symbol: '»', style: 'blue' },
  delete: { symbol: '-', style: 'red' },
  settings: { symbol: '⚙', style: 'magenta' },
}

/** The parts of a change's line, safe to show. `role` is `→ member` for a role to be written and `= member` for a role that stays or is deleted. */
export type ChangeParts = {
  readonly target: string
  readonly who: string
  readonly before?: string
  readonly role: string
  /** `63 people, until 2027-01-31`; for a delete its reason, too. */
  readonly fact: string
  /** The part of `fact` that is no number: `until 2027-01-31`, `undeclared`, `kept`. A row for several groups shows it. */
  readonly remark?: string
  /** How many people the change concerns: `158 new, 2 raised`. */
  readonly effect?: string
  /** The rule's reason, quoted. */
  readonly reason: string
  /** `teams/eng.yaml:14 · owner`, `teams/eng.yaml:14 glob eng-* · owner` */
  readonly place: string
}

export function changeKindOf(change: Change, roles: Order): ChangeKind {
  if (change.action !== 'patch') return change.action
  const towards = direction(change.before, change.role, { ...roles, ordinary: [], aliases: {} })
  return towards === 'raise' || towards === 'lower' ? towards : 'other'
}

export function changeParts(change: Change): ChangeParts {
  const { because } = change
  const common = aboutRule(because)
  if (change.action === 'settings') {
    return { ...common, target: 'settings', who: groupSyncChangeText(change.before, change.after), role: '', fact: '' }
  }
  const people = sizeText(change.size)
  const cause = causeText(change.cause, change.action)
  const place = {
    ...common,
    target: placeOf(change.target),
    fact: factText(people, endText(because), cause),
    remark: factText(endText(because), cause),
    effect: effectText(change),
  }
  const who = groupText(change)
  switch (change.action) {
    case 'create':
      return { ...place, who, role: `→ ${nameText(change.role)}` }
    case 'patch':
      return { ...place, who, before: roleBefore(change.before), role: `→ ${nameText(change.role)}` }
    case 'rename': {
      const renamed = `${nameText(change.fromGroup)} » ${who}`
      if (change.before === change.role) return { ...place, who: renamed, role: `= ${nameText(change.role)}` }
      return { ...place, who: renamed, before: roleBefore(change.before), role: `→ ${nameText(change.role)}` }
    }
    case 'delete':
      return { ...place, who, role: `= ${roleBefore(change.before)}`, fact: factText(change.why, people), remark: change.why }
    default:
      return change satisfies never
  }
}

/** The cells of a hold without a change: what would be done without it, as far as that is known. */
export function heldParts({ key, group, label, target, would, size, because }: Omit<Hold, 'reason'>): ChangeParts {
  return {
    target: target === undefined ? '' : placeOf(target),
    who: group === undefined ? nameText(key) : groupText({ group, label }),
    ...heldRole(would),
    ...aboutRule(because),
    fact: factText(heldFact(would), sizeText(size)),
    remark: heldFact(would),
    reason: '',
  }
}

function heldRole(would: HeldWrite | undefined): Pick<ChangeParts, 'before' | 'role'> {
  switch (would?.action) {
    case undefined:
      return { role: '' }
    case 'create':
      return { role: `→ ${nameText(would.role)}` }
    case 'patch':
      return { before: roleBefore(would.before), role: `→ ${nameText(would.role)}` }
    case 'delete':
    case 'keep':
    case 'unknown':
      return { role: `= ${roleBefore(would.before)}` }
    default:
      return would satisfies never
  }
}

const heldFact = (would: HeldWrite | undefined): string =>
  would?.action === 'delete' ? 'to be deleted' : would?.action === 'keep' || would?.action === 'unknown' ? 'kept' : ''

/** The cells of a mapping that stays as it is. */
export function unchangedParts({ group, label, target, role, because, size }: UnchangedMapping): ChangeParts {
  return {
    target: placeOf(target),
    who: groupText({ group, label }),
    role: `= ${roleBefore(role)}`,
    fact: factText(sizeText(size), endText(because)),
    remark: endText(because),
    ...aboutRule(because),
  }
}

export const aboutRule = (because: Provenance | undefined): Pick<ChangeParts, 'reason' | 'place'> => ({
  reason: because?.reason === undefined ? '' : `"${oneLine(because.reason, 200)}"`,
  place: because === undefined ? '' : placeText(because),
})
const endText = (because: Provenance | undefined): string => (because?.expiresMs === undefined ? '' : lastDayText(because.expiresMs))

/** Where a change or hold comes from, if a reader does not expect it: `changed in Plane between 2026-11-03 02:14 and 02:24 UTC`. */
export function causeText(cause: Cause | undefined, action?: Change['action']): string {
  if (cause === undefined) return ''
  switch (cause.kind) {
    case 'plane':
      return cause.afterMs === undefined || cause.atMs === undefined
        ? 'changed in Plane'
        : `changed in Plane ${spanText(cause.afterMs, cause.atMs)}`
    case 'directory':
      return action === 'rename' ? 'renamed in the directory' : 'new in the directory'
    case 'service':
      return 'Plane stores it otherwise'
    case 'file':
    case 'date':
      return ''
    default:
      return cause.kind satisfies never
  }
}

/** `158 new, 2 raised`, `at most 12 new`, `will be counted when applied`; empty if nothing of the effect is known. */
function effectText({ effect, size }: Extract<Change, { target: unknown }>): string {
  if (effect?.kind === 'notRecorded') return `${size === undefined ? 'people ' : ''}will be counted when applied`
  if (effect?.kind !== 'counted') return ''
  const { newly, raised, lowered, lost } = effect
  const parts = (
    [
      [newly, 'new'],
      [raised, 'raised'],
      [lowered, 'lowered'],
      [lost, 'lose it'],
    ] as const
  ).filter(([number]) => mostOf(number) > 0)
  if (parts.length === 0) return 'no change for them'
  return parts.some(([number]) => !isUnknown(number)) ? parts.map(([number, word]) => `${boundsWord(number)} ${word}`).join(', ') : ''
}

const factText = (...facts: readonly string[]): string => facts.filter((fact) => fact !== '').join(', ')

/** A change as one line of the log: `+ ENG  plane-eng-devs → member   63 people   teams/eng.yaml:14 · team-eng` */
export function changeSentence(change: Change, roles: Order): string {
  const { target, who, before, role, fact, effect = '', reason, place } = changeParts(change)
  const subject = [before === undefined ? who : `${who}  ${before}`, role].filter((part) => part !== '').join(' ')
  return [`${symbols[changeKindOf(change, roles)].symbol} ${target}  ${subject}`, factText(fact, effect), reason, place]
    .filter((part) => part !== '')
    .join('   ')
}

/** `teams/eng.yaml:14 · team-eng`; with the pattern of a rule that has one: `teams/eng.yaml:14 glob eng-* · team-eng` */
const placeText = ({ at, owner, pattern }: Provenance): string =>
  `${fileText(at.file)}:${at.line}` +
  (pattern === undefined ? '' : ` ${patternText(pattern)}`) +
  (owner === undefined ? '' : ` · ${ownerText(owner)}`)

/** `glob eng-*`, `regex plane-(?<app>[a-z]+)…` */
function patternText({ syntax, source }: PatternText): string {
  const shown = oneLine(source, patternMax * 4)
  return `${syntax} ${widthOf(shown) > patternMax ? `${firstColumns(shown, patternMax - 1)}…` : shown}`
}
/** Columns of a pattern beside its place. The JSON has the whole pattern. */
const patternMax = 24

export const placeOf = (target: Target): string => (target.kind === 'project' ? nameText(target.project) : targetText(target))

/** The role of a mapping. A role that is really called `no role` is quoted. */
export const roleBefore = (role: Role | null): string => (role === null ? presentRole(role) : nameText(role))

/** The name of a group in a row. If the name is an id, the label and the beginning of the id: `"Sales EMEA" 3f1c0d2e…`. JSON has the whole id. */
export function groupText({ group, label }: { readonly group: GroupName; readonly label?: string | undefined }): string {
  if (label === undefined) return nameText(group)
  const id = visible(group)
  return `${nameText(oneLine(label, 100))} ${widthOf(id) > idMax ? `${firstColumns(id, idMax)}…` : id}`
}
/** Columns of an id beside its label. */
const idMax = 8

/**
 * Quotes a name that is empty, or that contains blanks or signs of the line such as `→`. A name stays whole. Several blanks in a row would look like
 * columns, so only the first is a blank.
 */
export function nameText(name: string): string {
  const shown = visible(name).replaceAll(/(?<= ) /g, '\\u{20}')
  return /^$|[\s"→»=·]/u.test(shown) ? `"${shown.replace(/["\\]/g, '\\$&')}"` : shown
}
