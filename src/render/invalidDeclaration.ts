import type { Change } from '../core/change.ts'
import type { Plan } from '../core/plan.ts'
import { count } from '../core/quantity.ts'
import { visible } from '../core/safeName.ts'
import { keptConsequence, keptWhat, type ShownFile } from './keptFiles.ts'

type Invalid = {
  readonly kept?: string | undefined
  readonly keptFiles?: readonly ShownFile[] | undefined
  readonly besideDaemon?: boolean | undefined
}
type Plans = readonly Pick<Plan, 'changes'>[]

/**
 * Says that files of the declaration are invalid, and what that means; empty if all files are valid.
 *
 * @param plans those with which the text is shown
 */
export function invalidDeclarationText(declaration: Invalid, plans: Plans = []): string {
  const { kept } = declaration
  return kept === undefined ? '' : `${whatAndConsequence(declaration, plans)}: ${mistakesText(kept)}`
}

/** Says that the present settings are not used; empty if they are. */
export const unusedSettingsText = (settings: { readonly kept?: string | undefined } = {}): string =>
  settings.kept === undefined ? '' : `The settings are invalid, and those that were read before stay in use: ${mistakesText(settings.kept)}`

/** The same in parts: what it means, then each of the first mistakes. Empty if all files are valid. */
export function invalidDeclarationParts(declaration: Invalid, plans: Plans = []): readonly string[] {
  const { kept } = declaration
  return kept === undefined ? [] : [`${whatAndConsequence(declaration, plans)}.`, ...mistakesOf(kept)]
}

/** The same, with the mistakes as `validate` prints them; empty if all files are valid. */
export function invalidFilesText(declaration: Invalid, plans: Plans = []): string {
  const { kept } = declaration
  return kept === undefined ? '' : `${kept}\n\n${whatAndConsequence(declaration, plans)}.`
}

/** Says that a saved plan may differ from that of a running daemon, which applies it; empty if both decide from the same texts. */
export function savedBesideDaemonText({ keptFiles = [], besideDaemon = false }: Invalid, apply: string): string {
  const unused = keptFiles.filter(({ isUsed }) => !isUsed)
  if (!besideDaemon || unused.length === 0) return ''
  const [it, file] = unused.length === 1 ? ['it', 'file'] : ['them', 'files']
  return `${keptWhat(unused)}${apply} decides from the last valid text of ${it}, if the running daemon has one, and refuses this plan as stale where that text gives another one. Correct the ${file}, then plan again.`
}

function whatAndConsequence({ keptFiles = [], besideDaemon = false }: Invalid, plans: Plans): string {
  const unused = new Set(keptFiles.flatMap(({ file, isUsed }) => (isUsed ? [] : [file])))
  const ends = plans.some(({ changes }) => changes.some((change) => isEnd(change) && unused.has(change.because?.at.file ?? '')))
  return `${keptWhat(keptFiles)}${keptConsequence(keptFiles, { besideDaemon, ends })}`
}

/** A file of which nothing is used says itself no end, so the journal has it. */
const isEnd = (change: Change): boolean => change.action === 'delete' && change.why === 'expired'

const shownMax = 3

/**
 * The first mistakes in one line, each with its place.
 *
 * @param text all mistakes as `validate` prints them. The lines of the source and the cures need lines of their own, so they are left to `validate`.
 */
export const mistakesText = (text: string): string => mistakesOf(text).join('; ')

function mistakesOf(text: string): readonly string[] {
  const mistakes = text.split('\n\n').map((mistake) => mistake.split('\n', 1)[0] ?? '')
  const more = mistakes.length > shownMax ? [`and ${count(mistakes.length - shownMax)} more`] : []
  const end = text.includes('\n') ? ['plane-group-sync validate shows what to correct'] : []
  return [...mistakes.slice(0, shownMax).map(visible), ...more, ...end]
}
