import { listedFirst } from '../core/quantity.ts'
import type { KeptFile } from '../core/report.ts'
import { visible } from '../core/safeName.ts'

const shownMax = 3

/** What happens while these files are invalid, as a sentence. None: files of different owners contradict each other. */
export function keptConsequence(files: readonly KeptFile[] | undefined): string {
  if (files === undefined) return 'The last valid texts stay in use'
  if (files.length === 0) return 'Files of different owners contradict each other, and the mappings in dispute are held'
  if (files.every(({ isUsed }) => isUsed)) return 'The last valid text stays in use'
  if (files.some(({ isUsed }) => isUsed)) return 'The last valid text stays in use, or without one all that is inside the fence is held'
  return 'Nothing of it is used, and all that is inside its fence is held'
}

/** `teams/pay/a.yaml (team-pay) and teams/ops/b.yaml (team-ops)`, at most three. If nothing of any is used, `keptConsequence` says so. */
export function keptFilesText(files: readonly KeptFile[]): string {
  const unused = files.some(({ isUsed }) => isUsed) ? ', and nothing of it is used' : ''
  const each = files.slice(0, shownMax).map(({ file, owner, isUsed }) => `${visible(file)} (${visible(owner)}${isUsed ? '' : unused})`)
  return listedFirst(each, files.length)
}
