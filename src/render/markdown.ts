import { sharedFindings } from '../core/findings/shared.ts'
import { count, counted } from '../core/quantity.ts'
import type { DirectoryReport } from '../core/report.ts'
import { invalidDeclarationText } from './invalidDeclaration.ts'
import { moreWorkspaces } from './markdownRest.ts'
import { failedMarkdown, findingsTable, workspaceMarkdown } from './markdownWorkspace.ts'
import { code, prose } from './markup.ts'
import { standingOf } from './sections.ts'
import { overallText } from './text.ts'
import { unreadDirectories, unreadWarning } from './unread.ts'
import { byUrgency } from './urgent.ts'
import type { FailedView, View } from './view.ts'

/** GitHub accepts 65,536 characters in a comment. */
const charactersMax = 60_000
/**
 * Each workspace gets an equal part of `charactersMax`. With more than `shares` workspaces each still gets `charactersMax / shares`, so perhaps not
 * all of them fit.
 */
const shares = 20
/**
 * The room for the workspaces that do not fit, in characters. `counts`: no workspace is urgent, so only counts are shown. `totals`: totals of the
 * urgent changes are shown, too.
 */
const restMax = { counts: 2000, totals: 12_000 }

/**
 * Plans as a comment on a pull request, in GitHub-flavoured Markdown. First comes what stops a plan or needs approval, then a table of the
 * changes or of their outcomes, then folded sections, and the fingerprint at the end. The text has at most 60,000 characters. Changes that do not
 * fit are counted; protected grants, changes that need approval and refusals are counted by kind.
 *
 * @param all each change, hold and unchanged mapping has a row of its own. If these do not fit, there are as many rows as fit, and a note says so.
 */
export function planMarkdown(views: readonly (View | FailedView)[], { all = false }: { readonly all?: boolean } = {}): string {
  if (!all) return comment(views, []).text
  const isTooLong = views.reduce((sum, view) => sum + rowsOf(view), 0) * rowMin > charactersMax
  const note = [noteBox(leftOutText)]
  const tries = [
    ...(isTooLong ? [] : [comment(views, [], Number.POSITIVE_INFINITY)]),
    ...roomier.map((times) => comment(views, note, times)),
  ]
  return tries.find(({ isWhole }) => isWhole)?.text ?? comment(views, note).text
}

/** With `all`, the tables of a workspace may be this many times as long, if the whole still fits. */
const roomier = [16, 8, 4, 2]
/** No row is shorter, in characters. */
const rowMin = 40

const rowsOf = (view: View | FailedView): number => {
  if ('failed' in view) return 0
  const { changes, holds, unchangedMappings = [] } = view.verdict.plan
  return changes.length + holds.length + unchangedMappings.length
}

const leftOutText =
  'A comment has at most 65,536 characters, and these plans need more. So some rows stand for several changes, and each table says how many rows it leaves out. The same command with --all and --format text shows every row.'
const noteBox = (text: string): string => `> [!NOTE]\n> ${prose(text)}`

type Comment = { readonly text: string; readonly isWhole: boolean }

/** @param times how many times as long the tables of a workspace may be. `isWhole`: all workspaces fit. */
function comment(views: readonly (View | FailedView)[], note: readonly string[], times = 1): Comment {
  const totals = views.length < 2 ? [] : [`**${prose(overallText(views))}**`]
  const head = [...note, ...invalidBox(views), ...unreadDirectories(views).slice(0, warningsMax).map(warningBox), ...totals]
  const { true: quiet = [], false: loud = [] } = Object.groupBy(views, (view) => `${views.length > 1 && isQuiet(view)}`)
  const end = quietText(quiet)
  const whole = charactersMax - [...head, ...end].join('\n\n').length
  const room = times * Math.floor(whole / Math.min(shares, Math.max(1, loud.length)))
  const known = new Map<View | FailedView, string>()
  const partOf = (view: View | FailedView) => {
    const part = known.get(view) ?? ('failed' in view ? failedMarkdown(view) : workspaceMarkdown(view, room))
    known.set(view, part)
    return part
  }
  const all = partsWithin(loud, partOf, whole)
  if (all.rest.length === 0) {
    const left = whole - all.parts.join('\n\n').length
    return { text: [...head, ...all.parts, ...end, ...findingsTable(sharedFindings(views), left)].join('\n\n'), isWhole: true }
  }
  if (times > 1) return { text: '', isWhole: false }
  const { urgent, others } = byUrgency(loud)
  const forRest = urgent.length === 0 ? restMax.counts : restMax.totals
  const { parts, rest } = partsWithin([...urgent, ...others], partOf, whole - forRest)
  return { text: [...head, ...parts, moreWorkspaces(rest, forRest), ...end].join('\n\n'), isWhole: false }
}

/** Whether a workspace is in sync, without any hold or finding, and nothing was written to it. */
const isQuiet = (view: View | FailedView): boolean =>
  !('failed' in view) &&
  view.applied === undefined &&
  standingOf(view) === 'inSync' &&
  view.verdict.plan.holds.length + view.verdict.plan.findings.length + view.verdict.waived.length === 0

const quietMax = 50

/** One line for all quiet workspaces. */
function quietText(quiet: readonly (View | FailedView)[]): readonly string[] {
  if (quiet.length === 0) return []
  const names = quiet.slice(0, quietMax).map(({ about }) => code(about.workspace.slice(0, 60)))
  const more = quiet.length > quietMax ? ` and ${count(quiet.length - quietMax)} more` : ''
  return [`In sync (${counted(quiet.length, 'workspace')}): ${names.join(', ')}${more}`]
}

/** All views have the same declaration, so its mistakes stand once, before them. */
function invalidBox(views: readonly (View | FailedView)[]): readonly string[] {
  const text = views.map((view) => ('failed' in view ? '' : invalidDeclarationText(view.declaration))).find((one) => one !== '')
  return text === undefined ? [] : [`> [!WARNING]\n> ${prose(text.slice(0, 1000))}`]
}

const warningsMax = 5

/** GitHub shows `[!WARNING]` as a yellow box, other sites as a quotation. */
function warningBox(directory: DirectoryReport): string {
  const { sentence, cure } = unreadWarning(directory)
  return ['> [!WARNING]', `> ${prose(sentence.slice(0, 500))}`, ...(cure === '' ? [] : ['>', `> ${prose(cure.slice(0, 500))}`])].join('\n')
}

type Parts = { readonly parts: readonly string[]; readonly rest: readonly (View | FailedView)[] }

function partsWithin(views: readonly (View | FailedView)[], partOf: (view: View | FailedView) => string, room: number): Parts {
  const parts: string[] = []
  let left = room
  for (const [index, view] of views.entries()) {
    const part = partOf(view)
    left -= part.length + 2
    if (left < 0) return { parts, rest: views.slice(index) }
    parts.push(part)
  }
  return { parts, rest: [] }
}
