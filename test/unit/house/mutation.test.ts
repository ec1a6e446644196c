import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { disagreements } from '../../../scripts/proof/mutation/explained.ts'
import { reasons } from '../../../scripts/proof/mutation/reasons.ts'
import { type MutationReport, shareOf, totalOf } from '../../../scripts/proof/mutation/score.ts'
import { shareMin } from '../../../scripts/proof/mutation/targets.ts'
import { root } from './files.ts'

const report = JSON.parse(readFileSync(join(root, 'scripts/proof/reports/mutation.json'), 'utf8')) as MutationReport

test('the mutation report has a reason for every survivor, and no reason too many', () => {
  expect(disagreements(report, reasons)).toEqual([])
})

test('the mutation report reaches its goal in every file', () => {
  const low = Object.entries(report.files).filter(([, score]) => shareOf(totalOf([score])) < shareMin)
  expect(low.map(([path]) => path)).toEqual([])
})
