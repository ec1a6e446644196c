import { counted } from '../core/quantity.ts'
import type { DirectoryReport } from '../core/report.ts'
import { oneLine } from '../core/safeName.ts'
import { invalidDeclarationText } from './invalidDeclaration.ts'
import { prose } from './markup.ts'
import { unreadWarning } from './unread.ts'
import type { FailedView, View } from './view.ts'

/** A paragraph for each text. GitHub shows it as a coloured box, other sites as a quotation. */
export const box = (kind: 'NOTE' | 'WARNING', texts: readonly string[]): string =>
  [`> [!${kind}]`, texts.map((text) => `> ${prose(text)}`).join('\n>\n')].join('\n')

/** All views have the same declaration, so its mistakes stand once, before them. */
export function invalidBox(views: readonly (View | FailedView)[]): readonly string[] {
  const text = views.map((view) => ('failed' in view ? '' : invalidDeclarationText(view.declaration))).find((one) => one !== '')
  return text === undefined ? [] : [box('WARNING', [oneLine(text, 1000)])]
}

const unreadMax = 5

/** A box for each of the first directories that were not read whole, and one that counts the others. */
export function unreadBoxes(directories: readonly DirectoryReport[]): readonly string[] {
  const shown = directories.slice(0, unreadMax).map((directory) => {
    const { sentence, cure } = unreadWarning(directory)
    const texts = [sentence, cure].filter((text) => text !== '')
    return box('WARNING', texts)
  })
  const others = directories.length - shown.length
  return others === 0
    ? shown
    : [...shown, box('WARNING', [`${counted(others, 'more directory', 'more directories')} could not be read whole`])]
}
