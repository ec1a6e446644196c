import type { Change } from '../change.ts'
import { isAsSent, type Outcome, type RefusalCode, unsettledByteMs } from '../outcome.ts'
import { visible } from '../safeName.ts'
import { type Canvas, canvasOf, type TextOptions } from './canvas.ts'
import { changeParts, kindOf, symbols } from './change.ts'
import { restText } from './counts.ts'
import { placeOfWork } from './header.ts'
import { clause } from './hold.ts'
import type { Style } from './paint.ts'
import { count, untilText } from './quantity.ts'
import { changeRows, holdRows, more, rowOf } from './rows.ts'
import { countsOf } from './sections.ts'
import { layout } from './table.ts'
import type { About, AppliedSeen, View } from './view.ts'
import { wrap } from './width.ts'

const rowsMax = { tried: 60, held: 30, left: 12 }

type Tried = AppliedSeen['results'][number]
type Word = { readonly title: string; readonly short: string; readonly style: Style }

const words: Readonly<Record<Outcome['is'], Word>> = {
  unknown: { title: 'Outcome unknown', short: 'unknown', style: 'magenta' },
  refused: { title: 'Refused by the service', short: 'refused', style: 'red' },
  notSent: { title: 'Not sent', short: 'not sent', style: 'red' },
  done: { title: 'Written', short: 'written', style: 'green' },
}

export type AppliedView = View & { readonly applied: AppliedSeen }

/** Whether there was anything to write; where there was not, the plan says all. */
export const wasTried = (view: View): view is AppliedView =>
  view.applied !== undefined && view.applied.results.length + view.applied.holds.length + view.applied.left.length > 0

/** What came of an apply: what needs a person first, then what was written, what is left, and what to do next. */
export function appliedText(view: AppliedView, options: TextOptions): string {
  const canvas = canvasOf(options, view.nowMs)
  const { about, applied, verdict } = view
  const { width, paint } = canvas
  const by = Map.groupBy(applied.results, ({ outcome }) => outcome.is)
  const section = (style: Style, title: string, of: readonly unknown[], lines: () => readonly string[]) =>
    of.length === 0 ? [] : [paint(style, `${title} (${count(of.length)})`), ...lines()]
  const tried = (is: Outcome['is']) => {
    const of = by.get(is) ?? []
    return section(words[is].style, words[is].title, of, () => triedRows(of, about, canvas))
  }
  const { holds, left } = applied
  return [
    paint('bold', `${placeOfWork(about)} · plan ${verdict.plan.fingerprint.slice(0, 8)}`),
    ...tried('unknown'),
    ...tried('refused'),
    ...tried('notSent'),
    ...section('yellow', 'Held meanwhile', holds, () => holdRows(holds, { symbol: '?', style: 'yellow', rowsMax: rowsMax.held }, canvas)),
    ...section('yellow', 'Not tried', left, () => changeRows(left, about, canvas, rowsMax.left)),
    ...tried('done'),
    ...wrap(`${resultText([applied])} · ${restText(countsOf(verdict.plan, about))}`, width).map((line) =>
      paint(isWhole(applied) ? 'green' : 'alarm', line),
    ),
    ...wrap(nextText(applied, about), width),
  ].join('\n')
}

/** Whether everything that was approved is written. */
export const isWhole = ({ results, holds, left }: AppliedSeen): boolean =>
  left.length === 0 && holds.length === 0 && results.every(({ outcome }) => isAsSent(outcome))

/** One outcome in a clause: of a refusal the service's own sentence, of an unknown one until when its keys are left alone. */
export function outcomeText(
  outcome: Outcome,
  change: Change,
  { unknownOutcomeWaitMs }: Pick<About, 'unknownOutcomeWaitMs'>,
  nowMs: number,
): string {
  const byteMs = unsettledByteMs(change, outcome)
  const alone =
    byteMs === undefined ? '' : `left alone ${untilText(byteMs + unknownOutcomeWaitMs, nowMs)}, then read again and planned anew`
  const earlier = alone === '' ? '' : `; an earlier sending got no answer: ${alone}`
  switch (outcome.is) {
    case 'done':
      if (outcome.keptAs !== undefined) return `the service keeps it as ${visible(outcome.keptAs)}, which is another mapping`
      return outcome.echoed === undefined || !('role' in change) || outcome.echoed === change.role
        ? ''
        : `the service answers ${visible(outcome.echoed)}; if that is the same role: roles.aliases`
    case 'notSent':
      return visible(clause(outcome.why)) + earlier
    case 'refused':
      return `${outcome.status}: ${visible(clause(outcome.sentence))}; ${afterRefusal[outcome.code]}${earlier}`
    case 'unknown':
      return `${visible(clause(outcome.why))}; ${alone}`
    default:
      return outcome satisfies never
  }
}

const afterRefusal: Readonly<Record<RefusalCode, string>> = {
  credential: 'nothing more is sent with this credential',
  forbidden: 'held until the declaration changes or an hour has passed',
  rejected: 'held until the declaration changes or an hour has passed',
  conflict: 'held until the declaration changes or an hour has passed',
  gone: 'planned anew from the next read',
  throttled: 'tried again later',
  redirected: 'redirects are not followed: is service.baseUrl right?',
}

/** `2 of 5 written, 1 refused, 2 not tried` */
export function resultText(applied: readonly AppliedSeen[]): string {
  const results = applied.flatMap(({ results }) => results)
  const left = applied.flatMap(({ left }) => left)
  // What could not be sent and was then stopped by the gate is in both lists.
  const held = applied.flatMap(({ results, holds }) => holds.filter((hold) => !results.some(({ change }) => change.id === hold.change?.id)))
  const of = (is: Outcome['is']) => results.filter(({ outcome }) => outcome.is === is).length
  const rest = [
    ...(['unknown', 'refused', 'notSent'] as const).map((is) => [of(is), words[is].short] as const),
    [held.length, 'held'] as const,
    [left.length, 'not tried'] as const,
  ]
  return [
    `${count(of('done'))} of ${count(results.length + held.length + left.length)} ${words.done.short}`,
    ...rest.flatMap(([n, what]) => (n === 0 ? [] : [`${count(n)} ${what}`])),
  ].join(', ')
}

function triedRows(tried: readonly Tried[], about: About, { width, paint, nowMs }: Canvas): readonly string[] {
  const shown = tried.slice(0, rowsMax.tried)
  const rows = shown.map(({ change, outcome }) => {
    const note = outcomeText(outcome, change, about, nowMs)
    return rowOf({ ...changeParts(change), fact: '', reason: '' }, symbols[kindOf(change, about.roles)], '', [note])
  })
  return [...layout(rows, width, paint), ...more(tried.length - shown.length).map((line) => `  ${paint('dim', line)}`)]
}

function nextText(applied: AppliedSeen, about: About): string {
  switch (applied.stopped) {
    case 'credential':
      return `Next: the service does not accept the credential ${visible(about.credential)}. Check its key, its rights and its workspace, then apply again.`
    case 'throttled':
      return 'Next: the service asked to slow down. Apply again in a minute; the daemon does so by itself.'
    case 'unreachable':
      return `Next: ${visible(about.host)} did not answer. See that it does, then apply again; nothing is written twice.`
    case 'signal':
      return 'Next: stopped on request. Apply again: it reads afresh and plans only what is missing.'
    case 'journal':
      return `Next: ${visible(clause(applied.why ?? 'the journal cannot be written'))}; what is not in the journal is not sent.`
    case 'slice':
      return 'Next: the rest follows from a fresh read.'
    case undefined:
      return isWhole(applied) ? '' : 'Next: plan again; it shows what is still missing, and why.'
    default:
      return applied.stopped satisfies never
  }
}
