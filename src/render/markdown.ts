import { waiverId } from '../core/change.ts'
import type { Finding } from '../core/finding.ts'
import { sharedFindings } from '../core/findings/shared.ts'
import { count, counted } from '../core/quantity.ts'
import type { DirectoryReport } from '../core/report.ts'
import { resultText, wasTried } from './applied.ts'
import { planApprovals } from './approval.ts'
import { applyWith } from './commandLine.ts'
import { restText, sumText } from './counts.ts'
import { directoryText, placeOfWork } from './header.ts'
import { moreWorkspaces } from './markdownRest.ts'
import { appliedSections, planSections } from './markdownSections.ts'
import { code, details, line, prose, shellBlock, table } from './markup.ts'
import { capital } from './nextStep.ts'
import { approvedTexts, limitCures, movedText, refusedText } from './notices.ts'
import { countsOf, standingOf } from './sections.ts'
import { overallText } from './text.ts'
import { shownFindings, unreadDirectories, unreadWarning } from './unread.ts'
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
 */
export function planMarkdown(views: readonly (View | FailedView)[]): string {
  const totals = views.length < 2 ? [] : [`**${prose(overallText(views))}**`]
  const head = [...unreadDirectories(views).slice(0, warningsMax).map(warningBox), ...totals]
  const { true: quiet = [], false: loud = [] } = Object.groupBy(views, (view) => `${views.length > 1 && isQuiet(view)}`)
  const end = quietText(quiet)
  const whole = charactersMax - [...head, ...end].join('\n\n').length
  const room = Math.floor(whole / Math.min(shares, Math.max(1, loud.length)))
  const known = new Map<View | FailedView, string>()
  const partOf = (view: View | FailedView) => {
    const part = known.get(view) ?? ('failed' in view ? failedMarkdown(view) : workspaceMarkdown(view, room))
    known.set(view, part)
    return part
  }
  const all = partsWithin(loud, partOf, whole)
  if (all.rest.length === 0) {
    const left = whole - all.parts.join('\n\n').length
    return [...head, ...all.parts, ...end, ...findingsTable(sharedFindings(views), left)].join('\n\n')
  }
  const { urgent, others } = byUrgency(loud)
  const forRest = urgent.length === 0 ? restMax.counts : restMax.totals
  const { parts, rest } = partsWithin([...urgent, ...others], partOf, whole - forRest)
  return [...head, ...parts, moreWorkspaces(rest, forRest), ...end].join('\n\n')
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

const failedMarkdown = ({ about, failed, cure }: FailedView): string =>
  `### ${code(about.workspace)}: failed, nothing was planned\n\n> [!CAUTION]\n> ${prose(failed.slice(0, 1000))}${cure === undefined ? '' : `; ${prose(cure.slice(0, 1000))}`}`

function workspaceMarkdown(view: View, room: number): string {
  return [
    `### ${code(view.about.workspace)}: ${titleOf(view)}`,
    ...cautions(view),
    ...(wasTried(view) ? appliedSections(view, room) : planSections(view, room)),
    ...findingsTable(shownFindings(view), room * 0.06),
    footer(view),
  ].join('\n\n')
}

function titleOf(view: View): string {
  const counts = countsOf(view.verdict.plan, view.about)
  return wasTried(view) ? `${resultText([view])} · ${restText(counts)}` : sumText(counts, standingOf(view))
}

/** The reasons why nothing is written, and the approvals that were used. GitHub shows `[!CAUTION]` as a red box, other sites as a quotation. */
function cautions(view: View): readonly string[] {
  const { verdict, moved, nowMs } = view
  const box = (lines: readonly string[], kind = 'CAUTION') => [`> [!${kind}]`, ...lines.map((text) => `> ${text}`)].join('\n')
  const approved = approvedTexts(verdict, nowMs).map((text) => prose(text.slice(0, 1000)))
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
            prose(`${capital(planApprovals(view).refused.label)}:`),
            '',
            ...shellBlock(applyWith(view.about.workspace, [waiverId(verdict.plan.fingerprint)])),
            ...limitCures(view).flatMap((cure) => ['', prose(`Or, ${cure}.`)]),
          ]),
        ]),
    ...(approved.length === 0
      ? []
      : [
          box(
            approved.flatMap((text, index) => (index === 0 ? [text] : ['', text])),
            'IMPORTANT',
          ),
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
    `plan ${code(verdict.plan.fingerprint.slice(0, 8))}`,
    prose(placeOfWork(about)),
    `declaration ${code(declaration.hash.slice(0, 7))} (${counted(declaration.files, 'file')})`,
    `policy ${about.policy}`,
    ...directories.slice(0, 10).map((directory) => prose(directoryText(directory, nowMs).slice(0, 200))),
  ]
  return `<sub>${parts.join(' · ')}</sub>`
}
