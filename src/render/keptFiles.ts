import { listedFirst } from '../core/quantity.ts'
import { visible } from '../core/safeName.ts'

const shownMax = 3

/** Of the report, or of a document. */
export type ShownFile = {
  readonly file: string
  readonly owner?: string | undefined
  readonly isUsed: boolean
  /** It cannot be read. Absent: it is invalid. */
  readonly unread?: true | undefined
}

/**
 * `besideDaemon`: a running daemon has last valid texts, and this command has none. `ends`: the plan has an end that the journal recorded of a mapping that
 * such a file gave.
 */
type KeptHow = { readonly besideDaemon?: boolean; readonly ends?: boolean }

/** What happens while these files are invalid, as a sentence. None: files contradict each other. */
export function keptConsequence(files: readonly ShownFile[], { besideDaemon = false, ends = false }: KeptHow = {}): string {
  if (files.length === 0) return 'Files contradict each other, and what is in dispute is held, or decided by a file without limits'
  if (files.every(({ isUsed }) => isUsed)) return 'The last valid text stays in use'
  if (files.some(({ isUsed }) => isUsed))
    return `The last valid text stays in use; without one, what the file names or gave is held, and nothing undeclared is deleted`
  const [it, names] = files.length === 1 ? ['it', 'it names'] : ['them', 'they name']
  const until = ends ? ' until the end that the journal has recorded' : ''
  const held = `what ${names} or gave is held${until}, and nothing undeclared is deleted`
  if (besideDaemon)
    return `A running daemon uses the last valid text of ${it}, if it has one, so it may plan otherwise. Here nothing of ${it} is used: ${held}`
  return `Nothing of ${it} is used, since no valid text of ${it} was read before: ${held}`
}

/** `Not read: groups. Invalid: teams/pay/a.yaml (team-pay). ` */
export function keptWhat(files: readonly ShownFile[]): string {
  const { true: unread = [], false: invalid = [] } = Object.groupBy(files, (file) => `${file.unread === true}`)
  return [
    ...(unread.length === 0 ? [] : [`Not read: ${keptFilesText(unread)}. `]),
    ...(invalid.length === 0 ? [] : [`Invalid: ${keptFilesText(invalid)}. `]),
  ].join('')
}

/** `teams/pay/a.yaml (team-pay) and teams/ops/b.yaml (team-ops)`, at most three. If nothing of any is used, `keptConsequence` says so. */
export function keptFilesText(files: readonly ShownFile[]): string {
  const unused = files.some(({ isUsed }) => isUsed) ? 'nothing of it is used' : ''
  const each = files.slice(0, shownMax).map(({ file, owner, isUsed }) => {
    const notes = [owner === undefined ? '' : visible(owner), isUsed ? '' : unused].filter((note) => note !== '')
    return notes.length === 0 ? visible(file) : `${visible(file)} (${notes.join(', ')})`
  })
  return listedFirst(each, files.length)
}
