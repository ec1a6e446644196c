import { count, momentText } from '../core/quantity.ts'
import type { DeclarationReport } from '../core/report.ts'
import { visible } from '../core/safeName.ts'
import { keptFilesText } from './keptFiles.ts'

/** Says that files of the declaration are invalid, and which version is in use; empty if all files are valid. */
export function invalidDeclarationText({ kept, keptFiles, lastValidMs }: DeclarationReport): string {
  if (kept === undefined) return ''
  const when = lastValidMs === undefined ? '' : ` (valid at ${momentText(lastValidMs)})`
  const mistakes = mistakesText(kept)
  if (keptFiles?.length === 0) return `Files of different owners contradict each other, and the mappings in dispute are held: ${mistakes}`
  if (keptFiles !== undefined) return `Invalid: ${keptFilesText(keptFiles)}. The last valid text${when} stays in use: ${mistakes}`
  return `The declaration is invalid, the last valid one${when} stays in use: ${mistakes}`
}

const shownMax = 3

/**
 * The first mistakes in one line, each with its place.
 *
 * @param text all mistakes as `validate` prints them. The lines of the source and the cures need lines of their own, so they are left to `validate`.
 */
export function mistakesText(text: string): string {
  const mistakes = text.split('\n\n').map((one) => one.split('\n', 1)[0] ?? '')
  const more = mistakes.length > shownMax ? [`and ${count(mistakes.length - shownMax)} more`] : []
  const end = text.includes('\n') ? ['plane-group-sync validate shows what to correct'] : []
  return [...mistakes.slice(0, shownMax).map(visible), ...more, ...end].join('; ')
}
