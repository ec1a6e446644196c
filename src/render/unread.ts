import type { Hold } from '../core/hold.ts'
import { count, counted } from '../core/quantity.ts'
import type { DirectoryReport } from '../core/report.ts'
import type { RoleSettings } from '../core/roles.ts'
import { oneLine } from '../core/safeName.ts'
import { clause } from './hold.ts'
import { keepsProtected } from './sections.ts'
import type { FailedView, View } from './view.ts'

/** The directories that were not read whole, each once. */
export function unreadDirectories(views: readonly (View | FailedView)[]): readonly DirectoryReport[] {
  const directories = views.flatMap((view) => ('failed' in view ? [] : view.directories))
  return [...new Map(directories.map((directory) => [directory.name, directory])).values()].filter(isUnread)
}

const isUnread = ({ status }: Pick<DirectoryReport, 'status'>): boolean => status !== 'complete'

/** The warning about a directory that was not read whole: it concerns every workspace, so it is shown once, before them. */
export function unreadWarning({ name, status, why, stopped }: DirectoryReport): { readonly sentence: string; readonly cure: string } {
  const how = status === 'failed' ? 'could not be read' : 'could not be read whole'
  return {
    sentence: oneLine(`${name} ${how}${why === undefined ? '' : `: ${clause(why)}`}`, 500),
    cure:
      stopped === true
        ? ''
        : oneLine(`until ${name} is read whole, existing mappings stay, new ones wait, and patterns may miss groups; ${repair}`, 500),
  }
}

const repair = 'repair this, then plan again'

/** What stands above the rows of a plan, also of one in a document. */
type SaidAbove = {
  readonly directories: readonly Pick<DirectoryReport, 'name' | 'status'>[]
  readonly declaration: { readonly kept?: string | undefined }
}

/** Findings without those about invalid files and directories that were not read whole: a warning above the rows says the same. */
export const notSaidAbove = <T extends { readonly code: string; readonly place: string }>(
  findings: readonly T[],
  { directories, declaration }: SaidAbove,
): readonly T[] =>
  findings.filter(({ code, place }) => {
    if (code === 'file-invalid') return declaration.kept === undefined
    return code !== 'reading-incomplete' || !directories.some((directory) => directory.name === place && isUnread(directory))
  })

/** The findings that the text of a plan shows. */
export const shownFindings = ({ judged, ...above }: Pick<View, 'judged' | 'directories' | 'declaration'>) =>
  notSaidAbove(judged.plan.findings, above)

/** Whether a hold waits for a directory about which a warning stands above the plan. */
export const waitsForDirectory = ({ reason }: Pick<Hold, 'reason'>, directories: View['directories']): boolean =>
  reason.kind === 'readingIncomplete' && directories.some((directory) => directory.name === reason.of && isUnread(directory))

/** `isProtected`: the mapping gives its group a protected role. */
export type KeptHold = { readonly hold: Hold; readonly isProtected: boolean }

export const keptHolds = (holds: readonly Hold[], roles: RoleSettings): readonly KeptHold[] =>
  holds.map((hold) => ({ hold, isProtected: keepsProtected(hold, roles) }))

/** `403 existing mappings (2 protected) are kept until corp is read whole`: one line for each directory, list or file. */
export const keptTexts = (kept: readonly KeptHold[]): readonly string[] =>
  [...Map.groupBy(kept, ({ hold }) => untilWhat(hold))].map(([until, holds]) => {
    const grants = holds.filter(({ isProtected }) => isProtected).length
    const what = `${counted(holds.length, 'existing mapping')}${grants === 0 ? '' : ` (${count(grants)} protected)`}`
    return `${what} ${holds.length === 1 ? 'is' : 'are'} kept until ${until}`
  })

function untilWhat({ reason }: Hold): string {
  if (reason.kind === 'readingIncomplete') return untilRead(reason.of)
  if (reason.kind !== 'fileInvalid') return 'the patterns are matched'
  const file = oneLine(reason.at.file)
  return reason.isOutside === true ? `the fence of ${file} or its pattern is edited` : `${file} is valid`
}

/** Lists are named in the plural: `the project mappings`, `projects`. */
const untilRead = (of: string): string => `${oneLine(of)} ${/^(?:the .* mappings|projects)$/.test(of) ? 'are' : 'is'} read whole`
