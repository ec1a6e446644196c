import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { wrongKeys } from '../../../scripts/proof/mutation/explained.ts'
import { reasons } from '../../../scripts/proof/mutation/reasons.ts'
import { targets } from '../../../scripts/proof/mutation/targets.ts'
import { root } from './files.ts'

test('each reason for a mutant that no test notices names one function of the code that decides', async () => {
  const paths = await Array.fromAsync(glob(targets, { cwd: root }))
  const sources = await Promise.all(paths.map(async (path) => [path, await readFile(join(root, path), 'utf8')] as const))
  expect(wrongKeys(reasons, new Map(sources))).toEqual([])
})
