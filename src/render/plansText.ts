import { sharedFindings } from '../core/findings/shared.ts'
import { holdEffectsOf } from '../core/holdEffects.ts'
import { count, counted } from '../core/quantity.ts'
import { oneLine } from '../core/safeName.ts'
import { appliedText, isWhole, resultText, wasTried } from './applied.ts'
import { type Canvas, canvasOf, type TextOptions } from './canvas.ts'
import { headline, restText, writesText } from './counts.ts'
import { placeOfWork } from './header.ts'
import { findingLines } from './notices.ts'
import { originTexts } from './originText.ts'
import { planText } from './planText.ts'
import { addCounts, countsOf, type Standing, standingOf } from './sections.ts'
import { indented, paragraph } from './table.ts'
import { unreadDirectories, unreadWarning } from './unread.ts'
import type { FailedView, View } from './view.ts'
import { wrap } from './width.ts'

/**
 * Warnings about directories that were not read whole, all workspaces of a run, with a blank line between them, then findings about several of them. If there is more than one workspace, the last line
 * sums up all.
 */
export function plansText(views: readonly (View | FailedView)[], options: TextOptions): string {
  const each = views.map((view) => {
    if ('failed' in view) return failedText(view, options)
    return wasTried(view) ? appliedText(view, options) : planText(view, options)
  })
  const canvas = canvasOf(options, 0)
  const warnings = unreadDirectories(views).flatMap((directory) => warningLines(unreadWarning(directory), canvas))
  const overall = views.length < 2 ? [] : wrap(overallText(views), canvas.width).map((line) => canvas.paint('bold', line))
  const findings = findingLines(sharedFindings(views), canvas)
  const blocks = (...parts: readonly (readonly string[])[]) => parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'))
  const origin = originTexts(views).flatMap((text) => wrap(text, canvas.width).map((line) => canvas.paint('yellow', line)))
  return [...blocks(origin, warnings), ...each, ...blocks(findings, overall)].join('\n\n')
}

const warningLines = ({ sentence, cure }: ReturnType<typeof unreadWarning>, { width, paint }: Canvas): readonly string[] => [
  ...paragraph(`WARNING ${sentence}`, width).map((line) => paint('alarm', line)),
  ...indented(cure, width),
]

function failedText({ about, failed, cure }: FailedView, options: TextOptions): string {
  const { width, paint } = canvasOf(options, 0)
  const lines = paragraph(`Failed, nothing was planned: ${oneLine(failed, 1000)}`, width)
  const next = cure === undefined ? [] : indented(oneLine(cure, 1000), width)
  return [paint('bold', placeOfWork(about)), ...lines.map((line) => paint('alarm', line)), ...next].join('\n')
}

/** `held`: nothing is written now, and no person is asked. `later`: beside its base, a branch only adds what dates will change. */
type WorkspaceState = Standing | 'failed' | 'written' | 'partly' | 'unwritten' | 'unknown' | 'held' | 'later'

const fates: Readonly<Record<WorkspaceState, string>> = {
  failed: 'failed',
  moved: 'stale',
  unknown: 'with an unknown outcome',
  unwritten: 'not written',
  partly: 'partly written',
  written: 'written',
  writes: 'with changes',
  waits: 'waiting',
  held: 'with nothing to write now',
  nothing: 'with nothing to write',
  unmanaged: 'with no managed list',
  inSync: 'in sync',
  later: 'with changes at later dates only',
  same: 'without a new change',
}

/** `3 workspaces: 1 failed, 1 with changes, 1 in sync · 1 create, … · 146 unchanged` */
export function overallText(views: readonly (View | FailedView)[]): string {
  const planned = views.flatMap((view) => ('failed' in view ? [] : [view]))
  const byFate = Map.groupBy(views, fateOf)
  const parts = (Object.keys(fates) as WorkspaceState[]).flatMap((fate) => {
    const n = byFate.get(fate)?.length ?? 0
    return n === 0 ? [] : [`${count(n)} ${fates[fate]}`]
  })
  const applied = planned.filter(wasTried)
  const counts = planned.map(({ judged: { plan }, about }) => countsOf(plan, about))
  const sum = counts.length === 0 ? undefined : counts.reduce(addCounts)
  return headline(
    `${counted(views.length, 'workspace')}: ${parts.join(', ')}`,
    applied.length > 0 ? resultText(applied) : sum === undefined ? '' : writesText(sum),
    sum === undefined ? '' : restText(sum),
  )
}

function fateOf(view: View | FailedView): WorkspaceState {
  if ('failed' in view) return 'failed'
  if (!wasTried(view)) {
    const standing = standingOf(view)
    if (standing === 'same' && view.judged.plan.later.length > 0) return 'later'
    const effects = holdEffectsOf(view.judged.plan.holds)
    return standing === 'waits' && !effects.has('waits') && !effects.has('paused') ? 'held' : standing
  }
  if (isWhole(view.applied)) return 'written'
  const outcomes = new Set(view.applied.results.map(({ outcome }) => outcome.kind))
  return outcomes.has('done') ? 'partly' : outcomes.has('unknown') ? 'unknown' : 'unwritten'
}
