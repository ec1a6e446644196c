import { count } from '../core/quantity.ts'
import { visible } from '../core/safeName.ts'
import { keptConsequence, keptFilesText, type ShownFile } from './keptFiles.ts'

type Invalid = { readonly kept?: string | undefined; readonly keptFiles?: readonly ShownFile[] | undefined }

/** Says that files of the declaration are invalid, and what that means; empty if all files are valid. */
export function invalidDeclarationText({ kept, keptFiles = [] }: Invalid): string {
  if (kept === undefined) return ''
  const what = keptFiles.length === 0 ? '' : `Invalid: ${keptFilesText(keptFiles)}. `
  return `${what}${keptConsequence(keptFiles)}: ${mistakesText(kept)}`
}

/** The same, with the mistakes as `validate` prints them; empty if all files are valid. */
export function invalidFilesText({ kept, keptFiles = [] }: Invalid): string {
  if (kept === undefined) return ''
  const what = keptFiles.length === 0 ? '' : `Invalid: ${keptFilesText(keptFiles)}. `
  return `${kept}\n\n${what}${keptConsequence(keptFiles)}.`
}

const shownMax = 3

/**
 * The first mistakes in one line, each with its place.
 *
 * @param text all mistakes as `validate` prints them. The lines of the source and the cures need lines of their own, so they are left to `validate`.
 */
export function mistakesText(text: string): string {
  const mistakes = text.split('\n\n').map((mistake) => mistake.split('\n', 1)[0] ?? '')
  const more = mistakes.length > shownMax ? [`and ${count(mistakes.length - shownMax)} more`] : []
  const end = text.includes('\n') ? ['plane-group-sync validate shows what to correct'] : []
  return [...mistakes.slice(0, shownMax).map(visible), ...more, ...end].join('; ')
}
