import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { disagreements } from '../../../scripts/proof/mutation/explained.ts'
import { reasons } from '../../../scripts/proof/mutation/reasons.ts'
import { type MutationReport, shareOf, totalOf } from '../../../scripts/proof/mutation/score.ts'
import { shareMin } from '../../../scripts/proof/mutation/targets.ts'

const { files } = JSON.parse(
  await readFile(new URL('../../../scripts/proof/reports/mutation.json', import.meta.url), 'utf8'),
) as MutationReport

describe('scripts/proof/reports/mutation.json (npm run mutation)', () => {
  test('in every file enough mutants are noticed', () => {
    const low = Object.entries(files).filter(([, score]) => shareOf(totalOf([score])) < shareMin)
    expect(low.map(([path]) => path)).toEqual([])
    expect(Object.keys(files).length).toBeGreaterThan(60)
  })

  test('every survivor has a reason, and every reason a survivor', () => {
    expect(disagreements({ files }, reasons)).toEqual([])
  })

  test.each(Object.entries(files).filter(([, { survived }]) => survived.length > 0))(
    '%s still has the lines of which a mutant survived',
    async (path, { survived }) => {
      const source = await readFile(new URL(`../../../${path}`, import.meta.url), 'utf8')
      const lines = new Set(source.split('\n').map((line) => line.trim()))
      expect(survived.map(({ code }) => code).filter((code) => !lines.has(code))).toEqual([])
    },
  )
})
