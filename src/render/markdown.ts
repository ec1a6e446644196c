import { by } from '../core/compare.ts'
import { type Finding } from '../core/finding.ts'
import { sharedFindings } from '../core/findings/shared.ts'
import { isNothing } from '../core/planDifference.ts'
import { count, counted } from '../core/quantity.ts'
import { type DirectoryReport } from '../core/report.ts'
import { oneLine } from '../core/safeName.ts'
import { type RowWords } from './bundle.ts'
import { isAllRead, isSameAsBase } from './differenceText.ts'
import { type PlanEntry } from './entry.ts'
import { invalidDeclarationParts } from './invalidDeclaration.ts'
import { entryTable } from './markdownTable.ts'
import { failedMarkdown, findingsTable, workspaceMarkdown } from './markdownWorkspace.ts'
import { code, prose } from './markup.ts'
import { capital } from './nextStep.ts'
import { isUnusual, originTexts } from './originText.ts'
import { overallText } from './plansText.ts'
import { setsOf, standingOf } from './sections.ts'
import { unreadDirectories, unreadWarning } from './unread.ts'
import { byUrgency, urgentEntries } from './urgent.ts'
import { type FailedView, type View } from './view.ts'

/** Characters of a comment: what GitHub accepts, and the least that a bound may be, since titles and boxes need some. */
export const commentMax = { usual: 65_536, least: 30_000 }
/** The share of the bound that is used, so that a host which counts otherwise takes the text, too: 60,000 characters for GitHub. */
const usedShare = 60_000 / 65_536
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
 * Plans as a comment on a pull request, in GitHub-flavoured Markdown. First comes what failed or needs approval, then a table of the
 * changes or of their outcomes, then folded sections, and the fingerprint at the end. Rows are folded only if they do not all fit, and what has no row is
 * counted.
 *
 * @param all each change, hold and unchanged mapping has a row of its own. If these do not fit, there are as many rows as fit, and a note says so.
 * @param lengthMax how many characters the host of the comment takes
 */
export function planMarkdown(
  views: readonly (View | FailedView)[],
  { all = false, lengthMax = commentMax.usual }: { readonly all?: boolean; readonly lengthMax?: number } = {},
): string {
  const charactersMax = Math.floor(lengthMax * usedShare)
  if (all) {
    const everyRow = wholeText(layoutOf(views, { charactersMax, times: Number.POSITIVE_INFINITY }))
    if (everyRow !== undefined) return everyRow
  }
  const note = all ? [box('NOTE', [leftOutText(lengthMax)])] : []
  for (const times of roomier) {
    const text = wholeText(layoutOf(views, { charactersMax, note, times }))
    if (text !== undefined) return text
  }
  return cutText(layoutOf(views, { charactersMax, note }))
}

/** The tables of a workspace may be this many times as long as their shares, if the whole still fits. */
const roomier = [64, 2, 1.5, 1.2, 1]

const leftOutText = (lengthMax: number): string =>
  `A comment has at most ${count(lengthMax)} characters, and these plans need more. So some rows stand for several changes, and each table says how many rows it leaves out. The same command with --all and --format text shows every row.`

/**
 * The parts of a comment. `head` and `end` are always shown. `room`: the characters that they leave for the parts of `loud`, the workspaces that do
 * not stand in the line about those in sync. `partOf`: the text of one of them. `shared`: the findings about all workspaces, shown if there is room.
 */
type Layout = {
  readonly head: readonly string[]
  readonly loud: readonly (View | FailedView)[]
  readonly partOf: (view: View | FailedView) => string
  readonly end: readonly string[]
  readonly room: number
  readonly shared: readonly Finding[]
}

type Size = { readonly charactersMax: number; readonly note?: readonly string[]; readonly times?: number }

/** @param size `times`: how many times as long the tables of a workspace may be */
function layoutOf(views: readonly (View | FailedView)[], { charactersMax, note = [], times = 1 }: Size): Layout {
  const { true: quiet = [], false: others = [] } = Object.groupBy(views, (view) => `${views.length > 1 && isQuiet(view)}`)
  const loud = others.toSorted((a, b) => Number(isEmpty(a)) - Number(isEmpty(b)))
  const totals = views.length < 2 || (loud.length === 0 && isBeside(views)) ? [] : [`**${prose(overallText(views))}**`]
  const { above, below } = originParts(views)
  const head = [...note, ...above, ...invalidBox(views), ...unreadBoxes(unreadDirectories(views)), ...totals]
  const end = [...quietText(quiet), ...below]
  const room = charactersMax - [...head, ...end].join('\n\n').length
  const share = times * Math.floor(room / Math.min(shares, Math.max(1, loud.length)))
  const known = new Map<View | FailedView, string>()
  const partOf = (view: View | FailedView) => {
    const part = known.get(view) ?? ('failed' in view ? failedMarkdown(view) : workspaceMarkdown(view, share))
    known.set(view, part)
    return part
  }
  return { head, loud, partOf, end, room, shared: sharedFindings(views) }
}

/** Where the plans come from. A reader needs it first only if it is not as usual. */
function originParts(views: readonly (View | FailedView)[]): { readonly above: readonly string[]; readonly below: readonly string[] } {
  const sentences = originTexts(views).map((text) => `${text}.`)
  if (sentences.length === 0) return { above: [], below: [] }
  return isUnusual(views)
    ? { above: [box('NOTE', sentences)], below: [] }
    : { above: [], below: [`<sub>${prose(sentences.join(' '))}</sub>`] }
}

const isBeside = (views: readonly (View | FailedView)[]): boolean =>
  views.some((view) => !('failed' in view) && view.difference !== undefined)

/** The comment if all workspaces fit. */
function wholeText({ head, loud, partOf, end, room, shared }: Layout): string | undefined {
  const { parts, rest } = partsWithin(loud, partOf, room)
  if (rest.length > 0) return undefined
  return [...head, ...parts, ...end, ...findingsTable(shared, room - parts.join('\n\n').length)].join('\n\n')
}

/** The comment with the most urgent workspaces that fit. The others are counted. */
function cutText({ head, loud, partOf, end, room, shared }: Layout): string {
  const { urgent, others } = byUrgency(loud)
  const forRest = urgent.length === 0 ? restMax.counts : restMax.totals
  const { parts, rest } = partsWithin([...urgent, ...others], partOf, room - forRest)
  return [...head, ...parts, moreWorkspaces(rest, forRest), ...end, ...findingsTable(shared, 0)].join('\n\n')
}

/** Whether a branch changes nothing in a workspace. Without a base: whether it is in sync, without any hold, date to come, finding or used approval, and no apply of it was stopped. */
function isQuiet(view: View | FailedView): boolean {
  if ('failed' in view || view.applied?.stopped !== undefined) return false
  if (view.difference !== undefined) return isSameAsBase(view) && isAllRead(view)
  if (standingOf(view) !== 'inSync') return false
  const { plan, waived } = view.judged
  return [plan.holds, plan.later, plan.findings, waived].every(({ length }) => length === 0)
}

/** Such a workspace would only push those with a change down. */
function isEmpty(view: View | FailedView): boolean {
  if ('failed' in view || view.difference === undefined) return false
  const { changes, holds, later } = view.judged.plan
  return isNothing({ changes, holds, later, findings: [] })
}

const quietMax = 50

/** One line for all quiet workspaces. */
function quietText(quiet: readonly (View | FailedView)[]): readonly string[] {
  if (quiet.length === 0) return []
  const names = quiet.slice(0, quietMax).map(({ about }) => code(about.workspace.slice(0, 60)))
  const more = quiet.length > quietMax ? ` and ${count(quiet.length - quietMax)} more` : ''
  return [
    `${isBeside(quiet) ? '**Nothing changes for anyone**' : 'In sync'} (${counted(quiet.length, 'workspace')}): ${names.join(', ')}${more}`,
  ]
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

/** A paragraph for each text. GitHub shows it as a coloured box, other sites as a quotation. */
const box = (kind: 'NOTE' | 'WARNING', texts: readonly string[]): string =>
  [`> [!${kind}]`, texts.map((text) => `> ${prose(text)}`).join('\n>\n')].join('\n')

/** All views have the same declaration, so its mistakes stand once, before them. */
export function invalidBox(views: readonly (View | FailedView)[]): readonly string[] {
  const planned = views.flatMap((view) => ('failed' in view ? [] : [view]))
  const plans = planned.map(({ judged }) => judged.plan)
  const texts = planned.map(({ declaration }) => invalidDeclarationParts(declaration, plans)).find(({ length }) => length > 0)
  return texts === undefined
    ? []
    : [
        box(
          'WARNING',
          texts.map((text, index) => oneLine(text, index === 0 ? 1000 : 300)),
        ),
      ]
}

const unreadMax = 5

/** A box for each of the first directories that were not read whole, and one that counts the others. */
export function unreadBoxes(directories: readonly DirectoryReport[]): readonly string[] {
  const shown = directories.slice(0, unreadMax).map((directory) => {
    const { sentence, cure } = unreadWarning(directory)
    const texts = [sentence, capital(cure)].filter((text) => text !== '')
    return box('WARNING', texts)
  })
  const others = directories.length - shown.length
  return others === 0
    ? shown
    : [...shown, box('WARNING', [`${counted(others, 'more directory', 'more directories')} could not be read whole`])]
}

/**
 * The workspaces that do not fit, in about `charactersMax` characters: their outcomes, the limits that they exceed, and totals of the urgent
 * changes.
 */
export function moreWorkspaces(views: readonly (View | FailedView)[], charactersMax: number): string {
  const planned = views.flatMap((view) => ('failed' in view ? [] : [view]))
  const sets = planned.flatMap(({ judged }) => setsOf(judged.plan.holds))
  const limits = [...Map.groupBy(sets, ({ over }) => over.name)].toSorted(by(([name]) => name))
  const parts = [
    `… and ${counted(views.length, 'more workspace')} (\`--format text\` shows all)`,
    prose(overallText(views)),
    ...(limits.length === 0
      ? []
      : [limits.map(([name, of]) => `- above the limit ${name}: ${counted(of.length, 'set')} of changes`).join('\n')]),
  ]
  const entries = planned.flatMap((view) => urgentEntries(view).map((entry) => ofWorkspace(entry, view.about.workspace)))
  if (entries.length === 0) return parts.join('\n\n')
  const room = charactersMax - parts.join('\n\n').length - 500
  return [...parts, entryTable(entries, urgentColumns, () => true, room)].join('\n\n')
}

const urgentColumns = { titles: ['people', 'what'], cells: ({ fact, why }: RowWords) => [fact, why] as const } as const

/** An entry beside those of other workspaces, with its label in place of its reason. The cure is left out, since its `--allow` names one plan. */
function ofWorkspace(entry: PlanEntry, workspace: string): PlanEntry {
  const { parts, label } = entry
  return { ...entry, why: label, times: '', cure: '', sharedCure: '', parts: { ...parts, target: `${workspace}/${parts.target}` } }
}
