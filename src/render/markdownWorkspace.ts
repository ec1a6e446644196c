import { cureText } from '../core/cures.ts'
import type { Finding } from '../core/finding.ts'
import { count } from '../core/quantity.ts'
import { oneLine } from '../core/safeName.ts'
import { resultText, wasTried } from './applied.ts'
import { restText, sumText } from './counts.ts'
import { within } from './fold.ts'
import { directoryText, placeOfWork } from './header.ts'
import { appliedSections, planSections } from './markdownSections.ts'
import { code, details, line, prose, table } from './markup.ts'
import { approvedTexts, findingMax, movedText } from './notices.ts'
import { declarationText } from './revision.ts'
import { countsOf, standingOf } from './sections.ts'
import { shownFindings } from './unread.ts'
import type { FailedView, View } from './view.ts'

/** A workspace without a plan. */
export const failedMarkdown = ({ about, failed, cure }: FailedView): string =>
  `### ${code(about.workspace)}: failed, nothing was planned\n\n> [!CAUTION]\n> ${prose(oneLine(failed, 1000))}${cure === undefined ? '' : `; ${prose(oneLine(cure, 1000))}`}`

/** The plan of one workspace, or its result, in about `room` characters. */
export function workspaceMarkdown(view: View, room: number): string {
  return [
    `### ${code(view.about.workspace)}: ${titleOf(view)}`,
    ...cautions(view),
    ...(wasTried(view) ? appliedSections(view, room) : planSections(view, room)),
    ...findingsTable(shownFindings(view), room * 0.06),
    footer(view),
  ].join('\n\n')
}

function titleOf(view: View): string {
  const counts = countsOf(view.judged.plan, view.about)
  return wasTried(view) ? `${resultText([view])} · ${restText(counts)}` : sumText(counts, standingOf(view))
}

/** The reasons why nothing is written, and the approvals that were used. GitHub shows `[!CAUTION]` as a red box, other sites as a quotation. */
function cautions(view: View): readonly string[] {
  const { judged, moved, nowMs } = view
  const box = (lines: readonly string[], kind = 'CAUTION') => [`> [!${kind}]`, ...lines.map((text) => `> ${text}`)].join('\n')
  const approved = approvedTexts(judged, nowMs).map((text) => prose(text))
  return [
    ...(moved === true ? [box([prose(movedText)])] : []),
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

export function findingsTable(findings: readonly Finding[], room: number): readonly string[] {
  if (findings.length === 0) return []
  const rows = within(
    findings.map((finding) => line(findingCells(finding))),
    room,
    (row) => row.length + 1,
  )
  return [details(`Findings (${count(findings.length)})`, table(findingTitles, rows, { hidden: findings.length - rows.length }))]
}

const findingTitles = ['', 'finding', 'where', 'what to do']
const findingCells = ({ code: name, severity, sentence, place, cure = '' }: Finding): readonly string[] => [
  severity,
  prose(oneLine(sentence, findingMax)),
  code(oneLine(place)),
  prose(oneLine(cureText(name, cure), findingMax)),
]

function footer({ about, judged, declaration, directories, nowMs }: View): string {
  const parts = [
    `plan ${code(judged.plan.fingerprint.slice(0, 8))}`,
    prose(placeOfWork(about)),
    `declaration ${declarationText(declaration, code)}`,
    `policy ${about.policy}`,
    ...directories.slice(0, 10).map((directory) => prose(oneLine(directoryText(directory, nowMs), 200))),
  ]
  return `<sub>${parts.join(' · ')}</sub>`
}
