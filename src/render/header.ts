import { counted, durationText } from '../core/quantity.ts'
import type { DirectoryReport, WorkspaceAbout } from '../core/report.ts'
import { oneLine, visible } from '../core/safeName.ts'
import type { Canvas } from './canvas.ts'
import { groupSyncText } from './groupSync.ts'
import { invalidDeclarationText } from './invalidDeclaration.ts'
import type { Paint } from './paint.ts'
import { declarationText } from './revision.ts'
import { paragraph } from './table.ts'
import type { View } from './view.ts'
import { widthOf, wrap } from './width.ts'

/** The first lines of a plan: workspace, declaration, policy, fingerprint, the settings of group sync, and the directories' readings. */
export function header(view: View, canvas: Canvas): readonly string[] {
  const { about, directories, nowMs } = view
  const { width, paint } = canvas
  const first = titleOf(view)
  const titled = withDirectories(first, directories, nowMs, width)
  return [
    ...titled.lines.map((line) => paint('bold', line)),
    ...world(about, titled.isWhole ? [] : directories, nowMs, width, paint),
    ...troubleLines(view, canvas),
  ]
}

const titleOf = ({ about, declaration, judged }: View): string =>
  [
    placeOfWork(about),
    `declaration ${declarationText(declaration, visible)}`,
    `policy ${about.policy}`,
    `plan ${judged.plan.fingerprint.slice(0, 8)}`,
  ].join(' · ')

/** Only which plan it is. */
export const firstLines = (view: View, { width, paint }: Canvas): readonly string[] =>
  wrap(titleOf(view), width).map((line) => paint('bold', line))

/** The first line, wrapped. If it is too long for one line, the complete directories stand on its last line, where they fit (`isWhole`). */
function withDirectories(
  first: string,
  directories: readonly DirectoryReport[],
  nowMs: number,
  width: number,
): { readonly lines: readonly string[]; readonly isWhole: boolean } {
  const lines = wrap(first, width)
  const whole = wrap([first, ...directories.map((directory) => directoryText(directory, nowMs))].join(' · '), width)
  const isWhole = lines.length > 1 && whole.length === lines.length && directories.every(({ status }) => status === 'complete')
  return { lines: isWhole ? whole : lines, isWhole }
}

/** Only those first lines of a plan that report trouble: a suspension, an invalid declaration. */
export function troubleLines({ about, declaration, judged }: View, { width, paint }: Canvas): readonly string[] {
  const painted = (style: 'yellow' | 'alarm', text: string) => wrap(text, width).map((line) => paint(style, line))
  return [...painted('yellow', suspendedText(about)), ...painted('alarm', invalidDeclarationText(declaration, [judged.plan]))]
}

/** `acme at plane.example.com`; `acme (acme-stg) at plane.example.com` if the slug differs from the name. */
export function placeOfWork({ workspace, slug, host }: Readonly<Record<'workspace' | 'slug' | 'host', string>>): string {
  const name = visible(workspace)
  return `${name}${slug === workspace ? '' : ` (${visible(slug)})`} at ${visible(host)}`
}

/** `corp: complete, 1,912 groups, 40 s ago`. If the directory was not read whole, a warning above the plans says why, and how many groups it has. */
export function directoryText({ name, status, groups, why, atMs }: DirectoryReport, nowMs: number): string {
  const ago = `${durationText(nowMs - atMs)} ago`
  if (status === 'failed') return `${visible(name)}: failed ${ago}`
  if (status === 'partial') return `${visible(name)}: partial, ${ago}`
  return `${visible(name)}: ${status}, ${counted(groups, 'group')}, ${ago}${why === undefined ? '' : `: ${oneLine(why, 600)}`}`
}

function world(
  about: WorkspaceAbout,
  directories: readonly DirectoryReport[],
  nowMs: number,
  width: number,
  paint: Paint,
): readonly string[] {
  const settings = groupSyncText(about.groupSync ?? {})
  const plane = settings === '' ? [] : [`Plane: ${settings}`]
  const texts = directories.map((directory) => directoryText(directory, nowMs))
  const calm = directories.every(({ status }) => status === 'complete')
  const beside = [...plane, ...texts].join('     ')
  const unread =
    about.groupSyncUnread === undefined ? [] : paragraph(oneLine(about.groupSyncUnread, 500), width).map((part) => paint('alarm', part))
  if (beside === '') return unread
  if (calm && widthOf(beside) <= width) return [...unread, paint('dim', beside)]
  return [
    ...unread,
    ...plane.flatMap((line) => wrap(line, width).map((part) => paint('dim', part))),
    ...directories.flatMap((directory) =>
      paragraph(directoryText(directory, nowMs), width).map((part) => paint(directory.status === 'complete' ? 'dim' : 'alarm', part)),
    ),
  ]
}

export function suspendedText({ suspend }: WorkspaceAbout): string {
  if (suspend === false) return ''
  return suspend === 'grants' ? 'Grants are suspended: only what takes rights away is written.' : 'Suspended: nothing is written.'
}
