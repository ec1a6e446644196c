import type { Finding } from '../finding.ts'
import type { Hold } from '../hold.ts'
import type { Outcome } from '../outcome.ts'
import { scheduleTooShort } from '../scheduleLoad.ts'
import { type AppliedView, nextText, outcomeWords, protectedHeld, resultText, triedEntry, wasTried } from './applied.ts'
import { approvalText, restText, sumText } from './counts.ts'
import { changeEntry, holdEntry, type Mark } from './entry.ts'
import { directoryText, placeOfWork } from './header.ts'
import { moreWorkspaces } from './markdownRest.ts'
import { approvalColumns, changeColumns, entryTable, holdColumns, triedColumns } from './markdownTable.ts'
import { code, details, line, prose, table } from './markup.ts'
import { meaningText } from './meaning.ts'
import { allowText, movedText, refusedText } from './notices.ts'
import { heldMark, undeclaredMark, waitingMark } from './planText.ts'
import { count, counted } from './quantity.ts'
import { always, isProtected, isProtectedOrSettings } from './rows.ts'
import { countsOf, sectionsOf, standingOf } from './sections.ts'
import { byUrgency } from './urgent.ts'
import type { FailedView, View } from './view.ts'

/** GitHub takes 65,536 characters in a comment. */
const charactersMax = 60_000
/** Where there are more workspaces, each still gets its share of so many. */
const shares = 20
/** For workspaces that have no room: only counts, or totals of what may not be left out. */
const restMax = { counts: 2000, totals: 12_000 }

/**
 * Plans as a comment on a pull request (GitHub-flavoured Markdown): what stops a plan or waits for a person, a table of what is written or what
 * came of it, the rest folded, the fingerprint at the end. At most 60,000 characters: what has no room is counted, and of protected grants, what
 * waits for approval and refusals, how many of which kind.
 */
export function planMarkdown(views: readonly (View | FailedView)[]): string {
  const room = Math.floor(charactersMax / Math.min(shares, Math.max(1, views.length)))
  const known = new Map<View | FailedView, string>()
  const partOf = (view: View | FailedView) => {
    const part = known.get(view) ?? ('failed' in view ? failedMarkdown(view) : workspaceMarkdown(view, room))
    known.set(view, part)
    return part
  }
  const all = partsWithin(views, partOf, charactersMax)
  if (all.rest.length === 0) {
    const left = charactersMax - all.parts.join('\n\n').length
    return [...all.parts, ...findingsTable(scheduleTooShort(views), left)].join('\n\n')
  }
  const { urgent, others } = byUrgency(views)
  const forRest = urgent.length === 0 ? restMax.counts : restMax.totals
  const { parts, rest } = partsWithin([...urgent, ...others], partOf, charactersMax - forRest)
  return [...parts, moreWorkspaces(rest, forRest)].join('\n\n')
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

const failedMarkdown = ({ about, failed, cure }: FailedView): string =>
  `### ${code(about.workspace)}: failed, nothing was planned\n\n> [!CAUTION]\n> ${prose(failed.slice(0, 1000))}${cure === undefined ? '' : `; ${prose(cure.slice(0, 1000))}`}`

function workspaceMarkdown(view: View, room: number): string {
  const { plan } = view.verdict
  return [
    `### ${code(view.about.workspace)}: ${titleOf(view)}`,
    ...cautions(view),
    ...(wasTried(view) ? appliedParts(view, room) : planParts(view, room)),
    ...findingsTable(plan.findings, room * 0.06),
    footer(view),
  ].join('\n\n')
}

function titleOf(view: View): string {
  const counts = countsOf(view.verdict.plan, view.about)
  return wasTried(view) ? `${resultText([view])} · ${restText(counts)}` : sumText(counts, standingOf(view))
}

function planParts(view: View, room: number): readonly string[] {
  const { about, verdict } = view
  const { writes, waiting, held, dangling, undeclared } = sectionsOf(verdict.plan)
  const standing = standingOf(view)
  const changes = writes.map((change) => changeEntry(change, about.roles))
  const others = (title: string, of: readonly Hold[], mark: Mark, more: number) =>
    holdDetails(title, of, mark, view, { pinned: 0, others: room * more })
  return [
    ...waitingTable(waiting, approvalText(waiting.length, standing), view, room * 0.2),
    ...titled(standing === 'writes' ? 'Will be applied' : 'Would be applied', changes, () =>
      entryTable(changes, changeColumns, isProtectedOrSettings, { pinned: room * 0.2, others: room * 0.3 }),
    ),
    ...(standing === 'writes' ? [prose(meaningText(view))] : []),
    ...holdDetails('Held', held, heldMark, view, { pinned: room * 0.08, others: room * 0.06 }),
    ...others('Dangling, kept', dangling, heldMark, 0.04),
    ...others('Undeclared, kept by policy', undeclared, undeclaredMark, 0.04),
  ]
}

const titled = (title: string, of: readonly unknown[], text: () => string): readonly string[] =>
  of.length === 0 ? [] : [`**${title} (${count(of.length)})**`, text()]

function appliedParts(view: AppliedView, room: number): readonly string[] {
  const { about, applied, verdict } = view
  const { results, holds, left } = applied
  const { waiting } = sectionsOf(verdict.plan)
  const tried = (is: Outcome['is'], pinned: number, others: number) => {
    const entries = results.filter(({ outcome }) => outcome.is === is).map((one) => triedEntry(one, view))
    const neverCut = is === 'done' ? isProtected : always
    const size = { pinned: room * pinned, others: room * others }
    return titled(outcomeWords[is].title, entries, () => entryTable(entries, triedColumns, neverCut, size))
  }
  const untried = left.map((change) => changeEntry(change, about.roles))
  return [
    ...tried('unknown', 0.1, 0),
    ...tried('refused', 0.15, 0),
    ...tried('notSent', 0.1, 0),
    ...waitingTable(waiting, approvalText(waiting.length), view, room * 0.12),
    ...holdDetails('Held meanwhile', holds, heldMark, view, { pinned: room * 0.06, others: room * 0.04 }),
    ...holdDetails('Held, protected', protectedHeld(view), heldMark, view, { pinned: room * 0.06, others: 0 }),
    ...titled('Not tried', untried, () =>
      entryTable(untried, changeColumns, isProtectedOrSettings, { pinned: room * 0.06, others: room * 0.04 }),
    ),
    ...tried('done', 0.1, 0.1),
    ...[nextText(applied, about)].filter((text) => text !== '').map(prose),
  ]
}

/** Open, since it is asked of the reader. */
function waitingTable(waiting: readonly Hold[], title: string, view: View, pinned: number): readonly string[] {
  if (waiting.length === 0) return []
  const entries = waiting.map((hold) => holdEntry(hold, waitingMark, view))
  return [`**${title}**`, entryTable(entries, approvalColumns, always, { pinned, others: 0 })]
}

/** Opened by a click, but for what is never cut. */
function holdDetails(
  title: string,
  holds: readonly Hold[],
  mark: Mark,
  view: View,
  room: { pinned: number; others: number },
): readonly string[] {
  if (holds.length === 0) return []
  const entries = holds.map((hold) => holdEntry(hold, mark, view))
  const isOpen = entries.some(isProtected)
  return [details(`${title} (${count(holds.length)})`, entryTable(entries, holdColumns, isProtected, room), isOpen)]
}

/** GitHub draws it as a red box; elsewhere it is a quotation. */
function cautions(view: View): readonly string[] {
  const { verdict, moved } = view
  const box = (lines: readonly string[]) => ['> [!CAUTION]', ...lines.map((text) => `> ${text}`)].join('\n')
  return [
    ...(moved === true ? [box([prose(movedText)])] : []),
    ...(verdict.approved
      ? []
      : [
          box([
            `**${refusedText(wasTried(view))}**`,
            '',
            ...verdict.refusals.map(({ guard, sentence }) => `- ${guard}: ${prose(sentence.slice(0, 1000))}`),
            '',
            prose(allowText(verdict)),
          ]),
        ]),
  ]
}

function findingsTable(findings: readonly Finding[], room: number): readonly string[] {
  if (findings.length === 0) return []
  const rows: string[] = []
  let left = room
  for (const finding of findings) {
    const row = line(findingCells(finding))
    left -= row.length + 1
    if (left < 0) break
    rows.push(row)
  }
  return [details(`Findings (${count(findings.length)})`, table(findingTitles, rows, findings.length - rows.length))]
}

const findingTitles = ['', 'finding', 'where', 'what to do']
const findingCells = ({ severity, sentence, place, cure = '' }: Finding): readonly string[] => [
  severity,
  prose(sentence),
  code(place),
  prose(cure),
]

function footer({ about, verdict, declaration, directories, nowMs }: View): string {
  const parts = [
    `plan ${code(verdict.plan.fingerprint)}`,
    prose(placeOfWork(about)),
    `declaration ${code(declaration.hash.slice(0, 7))} (${counted(declaration.files, 'file')})`,
    `policy ${about.policy}`,
    ...directories.slice(0, 10).map((directory) => prose(directoryText(directory, nowMs).slice(0, 200))),
  ]
  return `<sub>${parts.join(' · ')}</sub>`
}
