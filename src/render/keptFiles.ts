import { listedFirst } from '../core/quantity.ts'
import type { KeptFile } from '../core/report.ts'
import { visible } from '../core/safeName.ts'

const shownMax = 3

/** `teams/pay/a.yaml (team-pay) and teams/ops/b.yaml (team-ops)`, at most three. */
export const keptFilesText = (files: readonly KeptFile[]): string =>
  listedFirst(
    files
      .slice(0, shownMax)
      .map(({ file, owner, isUsed }) => `${visible(file)} (${visible(owner)}${isUsed ? '' : ', and nothing of it is used'})`),
    files.length,
  )
