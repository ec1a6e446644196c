import type { Change } from '../change.ts'
import type { Finding } from '../finding.ts'
import type { Hold } from '../hold.ts'
import { scheduleTooShort } from '../scheduleLoad.ts'
import { type ChangeParts, changeParts, kindOf, nameText, placeOf, placeText, symbols } from './change.ts'
import { sumText } from './counts.ts'
import { directoryText, placeOfWork } from './header.ts'
import { explainHold } from './hold.ts'
import { code, folded, prose, table } from './markup.ts'
import { meaningText } from './meaning.ts'
import { allowText, movedText, refusedText } from './notices.ts'
import { counted, untilText } from './quantity.ts'
import { countsOf, sectionsOf, standingOf } from './sections.ts'
import type { About, FailedView, View } from './view.ts'

/** GitHub takes 65,536 characters in a comment. */
const charactersMax = 60_000

/**
 * Plans as a comment on a pull request (GitHub-flavoured Markdown): a table of what is written, the rest folded, the fingerprint at the end.
 * At most 60,000 characters: what has no room is counted.
 */
export function planMarkdown(views: readonly (View | FailedView)[]): string {
  const room = Math.floor(charactersMax / Math.min(20, Math.max(1, views.length)))
  const parts: string[] = []
  let left = charactersMax - 100
  for (const [index, view] of views.entries()) {
    const part = 'failed' in view ? failedMarkdown(view) : workspaceMarkdown(view, room)
    left -= part.length + 2
    if (left < 0) return [...parts, `… and ${counted(views.length - index, 'more workspace')} (\`--format json\` shows all)`].join('\n\n')
    parts.push(part)
  }
  return [...parts, ...findingsTable(scheduleTooShort(views), left)].join('\n\n')
}

const failedMarkdown = ({ about, failed, cure }: FailedView): string =>
  `### ${code(about.workspace)}: failed, nothing was planned\n\n> [!CAUTION]\n> ${prose(failed.slice(0, 1000))}${cure === undefined ? '' : `; ${prose(cure.slice(0, 1000))}`}`

const changeTitles = ['', 'target', 'group', 'role', 'people', 'reason', 'declared in']
const holdTitles = ['', 'target', 'group', 'role', 'why', 'what to do', 'declared in']
const findingTitles = ['', 'finding', 'where', 'what to do']

function workspaceMarkdown(view: View, room: number): string {
  const { about, verdict, nowMs } = view
  const { plan } = verdict
  const { writes, waiting, held, dangling, undeclared } = sectionsOf(plan)
  const holds = (title: string, symbol: string, of: readonly Hold[]) =>
    folded(
      title,
      holdTitles,
      of.map((hold) => () => holdCells(hold, symbol, nowMs)),
      room * 0.08,
    )
  const changes = writes.map((change) => () => changeCells(change, about))
  return [
    `### ${code(about.workspace)}: ${sumText(countsOf(plan, about), standingOf(view))}`,
    ...cautions(view),
    ...(writes.length === 0 ? [] : [table(changeTitles, changes, room * 0.5)]),
    ...(standingOf(view) === 'writes' ? [prose(meaningText(view))] : []),
    ...holds('Waits for approval', '!', waiting),
    ...holds('Held', '?', held),
    ...holds('Dangling, kept', '?', dangling),
    ...holds('Undeclared, kept by policy', '·', undeclared),
    ...findingsTable(plan.findings, room * 0.08),
    footer(view),
  ].join('\n\n')
}

/** GitHub draws it as a red box; elsewhere it is a quotation. */
function cautions(view: View): readonly string[] {
  const { verdict, moved } = view
  const box = (lines: readonly string[]) => ['> [!CAUTION]', ...lines.map((line) => `> ${line}`)].join('\n')
  return [
    ...(moved === true ? [box([prose(movedText)])] : []),
    ...(verdict.approved
      ? []
      : [
          box([
            `**${refusedText}**`,
            '',
            ...verdict.refusals.map(({ guard, sentence }) => `- ${guard}: ${prose(sentence)}`),
            '',
            prose(allowText(verdict)),
          ]),
        ]),
  ]
}

function changeCells(change: Change, about: Pick<About, 'roles'>): readonly string[] {
  const { target, who, fact, reason, place, ...roles } = changeParts(change)
  return [
    symbols[kindOf(change, about.roles)].symbol,
    code(target),
    code(who),
    code(roleText(roles)),
    prose(fact),
    prose(reason),
    code(place),
  ]
}

function holdCells(hold: Hold, symbol: string, nowMs: number): readonly string[] {
  const { change, group, target, because, key, untilMs } = hold
  const { sentence, cure } = explainHold(hold)
  const why = untilMs === undefined ? sentence : `${sentence}, ${untilText(untilMs, nowMs)}`
  const told = [prose(why), prose(cure), code(because === undefined ? '' : placeText(because))]
  if (change === undefined) {
    return [symbol, code(target === undefined ? '' : placeOf(target)), code(group === undefined ? key : nameText(group)), '', ...told]
  }
  const { target: where, who, ...roles } = changeParts(change)
  return [symbol, code(where), code(who), code(roleText(roles)), ...told]
}

const roleText = ({ before, role }: Pick<ChangeParts, 'before' | 'role'>): string => (before === undefined ? role : `${before} ${role}`)

const findingsTable = (findings: readonly Finding[], room: number): readonly string[] =>
  folded(
    'Findings',
    findingTitles,
    findings.map((finding) => () => findingCells(finding)),
    room,
  )

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
