import type { Change } from '../../../src/core/change.ts'
import type { Hold } from '../../../src/core/hold.ts'
import type { View } from '../../../src/render/view.ts'
import { ordinaryRoles } from './anyLargePlan.ts'

/** The section of a rendering that shows a `Danger`. */
export type Place = 'waiting' | 'written' | 'held' | 'unknown' | 'refused' | 'notSent' | 'done' | 'heldMeanwhile' | 'left'

/**
 * A change that each rendering must show, by the documentation: a protected grant, a change that waits for approval, a write that the service
 * refused or did not answer. This file shares no code with the renderer: it decides itself which roles are protected and how a name is shown.
 */
export type Danger = {
  readonly place: Place
  readonly isProtected: boolean
  readonly kind: 'workspace' | 'allProjects' | 'project' | 'settings'
  /** The shown role: `→ admin`, `= guest`. Empty for settings. */
  readonly role: string
  /** Target, group, role before and after in one text. */
  readonly row: string
}

export function dangersOf({ judged, applied }: View): readonly Danger[] {
  const { changes, holds } = judged.plan
  const from = (place: Place, some: readonly Change[], all: boolean) =>
    some.map((change) => dangerOf(place, change)).filter(({ isProtected }) => all || isProtected)
  const changesOf = (some: readonly Hold[]) => some.flatMap(({ change }) => change ?? [])
  const waiting = holds.filter(({ reason }) => reason.kind === 'approval')
  const others = holds.filter(({ reason }) => reason.kind !== 'approval')
  const common = [...from('waiting', changesOf(waiting), true), ...from('held', changesOf(others), false)]
  if (applied === undefined || !wasTried(applied)) return [...common, ...from('written', changes, false)]
  const came = (is: string) => applied.results.filter(({ outcome }) => outcome.kind === is).map(({ change }) => change)
  return [
    ...common,
    ...(['unknown', 'refused', 'notSent'] as const).flatMap((is) => from(is, came(is), true)),
    ...from('done', came('done'), false),
    ...from('heldMeanwhile', changesOf(applied.holds), false),
    ...from('left', applied.left, false),
  ]
}

export const wasTried = ({ results, holds, left }: NonNullable<View['applied']>): boolean =>
  results.length > 0 || holds.length > 0 || left.length > 0

export const isProtected = (change: Change): boolean =>
  change.action !== 'delete' && change.action !== 'settings' && !ordinaryRoles.some((one) => one === change.role)

function dangerOf(place: Place, change: Change): Danger {
  if (change.action === 'settings') return { place, isProtected: false, kind: 'settings', role: '', row: 'settings' }
  const { target } = change
  const where = target.kind === 'project' ? quoted(target.project) : target.kind === 'workspace' ? 'workspace' : 'all projects'
  const who = change.action === 'rename' ? `${quoted(change.fromGroup)} » ${quoted(change.group)}` : quoted(change.group)
  const [before, role] = rolesOf(change)
  const row = [where, who, ...(before === '' ? [] : [before]), role].join(' | ')
  return { place, isProtected: isProtected(change), kind: target.kind, role, row }
}

const shown = (role: string | null): string => (role === null ? 'no role' : quoted(role))

function rolesOf(change: Exclude<Change, { action: 'settings' }>): readonly [before: string, role: string] {
  switch (change.action) {
    case 'create':
      return ['', `→ ${quoted(change.role)}`]
    case 'delete':
      return ['', `= ${shown(change.before)}`]
    case 'rename':
      return change.before === change.role ? ['', `= ${quoted(change.role)}`] : [shown(change.before), `→ ${quoted(change.role)}`]
    case 'patch':
      return [shown(change.before), `→ ${quoted(change.role)}`]
    default:
      return change satisfies never
  }
}

/** A name as the documentation describes it: invisible characters as codes, and quotes if the name could be read as two words. */
export function quoted(name: string): string {
  // Several blanks in a row would look like columns.
  const text = seen(name).replaceAll(/(?<= ) /g, '\\u{20}')
  const isOneWord = text !== '' && Array.from(text).every((sign) => sign.trim() !== '' && !'"→»=·'.includes(sign))
  return isOneWord
    ? text
    : `"${Array.from(text)
        .map((sign) => (sign === '"' || sign === '\\' ? `\\${sign}` : sign))
        .join('')}"`
}

export const seen = (text: string): string =>
  Array.from(text, (sign) => (isUnseen(sign) ? `\\u{${(sign.codePointAt(0) as number).toString(16)}}` : sign)).join('')

const isUnseen = (sign: string): boolean =>
  sign !== ' ' && (/^[\p{C}\p{Z}]$/u.test(sign) || /^\p{Default_Ignorable_Code_Point}$/u.test(sign) || sign === '\u2800')
