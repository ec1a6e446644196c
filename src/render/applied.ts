import type { Change } from '../core/change.ts'
import type { Hold } from '../core/hold.ts'
import { grantsProtected } from '../core/judge/guards.ts'
import { isAsSent, type Outcome, type RefusalCode, settledMs } from '../core/outcome.ts'
import { count, untilText } from '../core/quantity.ts'
import type { Applied, WorkspaceAbout } from '../core/report.ts'
import { oneLine } from '../core/safeName.ts'
import { rowWords } from './bundle.ts'
import { type Canvas, canvasOf, type TextOptions } from './canvas.ts'
import { nameText } from './change.ts'
import { approvalText, grantsText, restText, titleCount } from './counts.ts'
import { changeEntry, type PlanEntry } from './entry.ts'
import { groupSyncAnswerText } from './groupSync.ts'
import { placeOfWork, troubleLines } from './header.ts'
import { clause } from './hold.ts'
import { laterEntries, laterLines } from './later.ts'
import { heldMark, undeclaredMark } from './marks.ts'
import { nextText } from './nextStep.ts'
import { approvedLines, findingLines } from './notices.ts'
import type { Style } from './paint.ts'
import { keptLines, waitingLines } from './planText.ts'
import { bundleRow, changeRows, entryRows, type HoldStyle, holdRows, type SectionLines, sharedText } from './rows.ts'
import { appliedHolds, countsOf, isProtectedHold, sectionsOf, undeclaredText } from './sections.ts'
import { titleLines } from './title.ts'
import { keptHolds, shownFindings } from './unread.ts'
import type { AppliedView, View } from './view.ts'
import { wrap } from './width.ts'

type TriedChange = Applied['results'][number]
type Word = { readonly title: string; readonly short: string; readonly style: Style }

export const outcomeWords: Readonly<Record<Outcome['kind'], Word>> = {
  unknown: { title: 'Outcome unknown', short: 'unknown', style: 'magenta' },
  refused: { title: 'Refused by the service', short: 'refused', style: 'red' },
  notSent: { title: 'Not sent', short: 'not sent', style: 'red' },
  done: { title: 'Written', short: 'written', style: 'green' },
}

/** Whether the apply had anything to write. If not, the plan is shown instead. */
export const wasTried = (view: View): view is AppliedView =>
  view.applied !== undefined && view.applied.results.length + view.applied.holds.length + view.applied.left.length > 0

/**
 * The result of an apply: first the changes that need a person, then the written ones, the counts, and the next step. It has all holds and findings
 * of the plan, because `apply --yes` shows no plan.
 */
export function appliedText(view: AppliedView, options: TextOptions): string {
  const canvas = canvasOf(options, view.nowMs)
  const { about, applied, judged } = view
  const { width, paint } = canvas
  const { results, left } = applied
  const section = (style: Style, title: string, of: readonly unknown[], { lines, shared }: SectionLines, after = '', grants = 0) =>
    of.length === 0
      ? []
      : [...titleLines(style, title + titleCount(of.length, grants), canvas, after + sharedText({ lines, shared })), ...lines]
  const tried = (is: Outcome['kind']) => {
    const { title, style } = outcomeWords[is]
    const entries = results.filter(({ outcome }) => outcome.kind === is).map((result) => triedEntry(result, view))
    return section(style, title, entries, triedRows(entries, is !== 'done', canvas))
  }
  const held = (title: string, of: readonly Hold[], how: Partial<HoldStyle> = {}, after = '', grants = 0) =>
    section('yellow', title, of, holdRows(of, { mark: heldMark, ...how }, view, canvas), after, grants)
  const counts = countsOf(judged.plan, about)
  const { waiting, held: heldBefore, kept, dangling, undeclared, meanwhile } = appliedHolds(view)
  return [
    ...titleLines('bold', `${placeOfWork(about)} · plan ${judged.plan.fingerprint.slice(0, 8)}`, canvas),
    ...troubleLines(view, canvas),
    ...approvedLines(judged, canvas),
    ...tried('unknown'),
    ...tried('refused'),
    ...tried('notSent'),
    ...waitingLines(waiting, approvalText(waiting.length), view, canvas),
    ...held('Held meanwhile', meanwhile),
    ...(canvas.all ? held('Kept', kept) : keptLines(keptHolds(kept, view.about.roles), canvas)),
    ...held('Held', heldBefore),
    ...section('yellow', 'Not tried', left, changeRows(left, about, canvas)),
    ...laterLines(laterEntries(judged.plan, about), judged.plan.laterUntilMs, canvas),
    ...held('Dangling', dangling, {}, ', kept'),
    ...held(
      'Undeclared',
      undeclared,
      { mark: undeclaredMark, silent: true, apart: true },
      `, ${undeclaredText(about)}`,
      counts.protected.undeclared,
    ),
    ...findingLines(shownFindings(view), canvas),
    ...tried('done'),
    ...wrap(`${resultText([view])} · ${restText(counts)}`, width).map((line) => paint(isWhole(applied) ? 'green' : 'alarm', line)),
    ...wrap(nextText(view, isWhole(applied)), width),
  ].join('\n')
}

/** The holds of a plan that keep a group from getting a protected role. */
export const protectedHeld = ({ judged, about }: Pick<View, 'judged' | 'about'>): readonly Hold[] =>
  sectionsOf(judged.plan).held.filter((hold) => isProtectedHold(hold, about.roles))

export function triedEntry({ change, outcome }: TriedChange, { about, nowMs }: Pick<View, 'about' | 'nowMs'>): PlanEntry {
  const entry = changeEntry(change, about.roles)
  const fact = entry.isProtected ? entry.parts.fact : ''
  return {
    ...entry,
    parts: { ...entry.parts, fact, reason: '' },
    why: outcomeText(outcome, change, about, nowMs),
    label: outcome.kind === 'refused' ? outcome.code : '',
  }
}

/** Whether everything that was approved is written. */
export const isWhole = ({ results, holds, left }: Applied): boolean =>
  left.length === 0 && holds.length === 0 && results.every(({ outcome }) => isAsSent(outcome))

/**
 * One outcome in a clause, empty for a plain success. A refusal quotes the service's own sentence. An unknown outcome says until when its key
 * is not written.
 */
export function outcomeText(
  outcome: Outcome,
  change: Change,
  { unknownOutcomeWaitMs }: Pick<WorkspaceAbout, 'unknownOutcomeWaitMs'>,
  nowMs: number,
): string {
  const untilMs = settledMs(change, outcome, unknownOutcomeWaitMs)
  const alone = untilMs === undefined ? '' : quarantineText(untilMs, nowMs)
  const earlier = alone === '' ? '' : `; an earlier attempt may have been executed: ${alone}`
  switch (outcome.kind) {
    case 'done':
      if (outcome.storedKey !== undefined) return `the service keeps it as ${nameText(outcome.storedKey)}, which is another mapping`
      if (outcome.answered !== undefined && change.action === 'settings')
        return `the service answers ${groupSyncAnswerText(change.after, outcome.answered)}; look at these settings in Plane, then plan again`
      return outcome.echoed === undefined || !('role' in change) || outcome.echoed === change.role
        ? ''
        : `the service answers ${nameText(outcome.echoed)}; if that is the same role, add it to roles.aliases`
    case 'notSent':
      return oneLine(clause(outcome.why), 600) + earlier
    case 'refused':
      return `${outcome.status}: ${oneLine(clause(outcome.sentence), 600)}; ${afterRefusal[outcome.code]}${earlier}`
    case 'unknown':
      return `${oneLine(clause(outcome.why), 600)}; ${alone}`
    default:
      return outcome satisfies never
  }
}

const quarantineText = (untilMs: number, nowMs: number): string =>
  untilMs <= nowMs
    ? 'the next read shows whether it was executed'
    : `this key is not written ${untilText(untilMs, nowMs)}, then it is read and planned again`

const afterRefusal: Readonly<Record<RefusalCode, string>> = {
  credential: 'nothing more is sent with this credential',
  forbidden: 'tried again at the next run',
  rejected: 'tried again at the next run',
  conflict: 'the next read shows whether it exists by now',
  gone: 'planned again from the next read',
  throttled: 'tried again later',
  redirected: 'tried again at the next run',
}

/** `2 of 5 written (1 protected), 1 refused, 2 not tried` */
export function resultText(views: readonly Pick<AppliedView, 'applied' | 'about'>[]): string {
  const fates = views.flatMap(({ applied: { results, holds, left }, about: { roles } }) => {
    // A change that the gate stopped at the last moment has a result and a hold. It counts as not sent.
    const tried = new Set(results.map(({ change }) => change.id))
    const held = holds.filter(({ change }) => change === undefined || !tried.has(change.id))
    const entries = [
      ...results.map(({ change, outcome }) => ({ what: outcomeWords[outcome.kind].short, change })),
      ...held.map(({ change }) => ({ what: 'held', change })),
      ...left.map((change) => ({ what: 'not tried', change })),
    ]
    return entries.map(({ what, change }) => ({ what, isGrant: change !== undefined && grantsProtected(change, roles) }))
  })
  const of = (what: string) => fates.filter((fate) => fate.what === what)
  const grants = (part: typeof fates) => grantsText(part.filter(({ isGrant }) => isGrant).length)
  const { unknown, refused, notSent, done } = outcomeWords
  const rest = [unknown.short, refused.short, notSent.short, 'held', 'not tried'].filter((what) => of(what).length > 0)
  const written = of(done.short)
  return [
    `${count(written.length)} of ${count(fates.length)} ${done.short}${grants(written)}`,
    ...rest.map((what) => `${count(of(what).length)} ${what}${grants(of(what))}`),
  ].join(', ')
}

const triedRows = (entries: readonly PlanEntry[], namesAll: boolean, canvas: Canvas): SectionLines =>
  entryRows(
    entries,
    (rows) =>
      rows.map((row) => {
        const { why } = rowWords(row)
        return bundleRow(row, { below: why === '' ? [] : [why], ...(namesAll ? { namesAll } : {}) })
      }),
    canvas,
  )
