import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { changedFunctions } from '../../../scripts/proof/mutation/changes.ts'
import { due } from '../../../scripts/proof/mutation/due.ts'
import { disagreements } from '../../../scripts/proof/mutation/explained.ts'
import { reasons } from '../../../scripts/proof/mutation/reasons.ts'
import { type MutationReport, shareOf, totalOf } from '../../../scripts/proof/mutation/score.ts'
import { shareMin } from '../../../scripts/proof/mutation/targets.ts'
import { filesBelow, root } from './files.ts'

const read = (path: string) => readFile(join(root, path), 'utf8')
const { files } = JSON.parse(await read('scripts/proof/reports/mutation.json')) as MutationReport

describe('scripts/proof/reports/mutation.json (npm run mutation)', () => {
  test('in every file enough mutants are noticed', () => {
    const low = Object.entries(files).filter(([, score]) => shareOf(totalOf([score])) < shareMin)
    expect(low.map(([path]) => path)).toEqual([])
    expect(Object.keys(files).length).toBeGreaterThan(60)
  })

  test('every survivor has a reason, and every reason a survivor', () => {
    expect(disagreements({ files }, reasons)).toEqual([])
  })

  test('every file of it is there', () => {
    const present = new Set(filesBelow('src', '.ts').map(({ path }) => path))
    expect(Object.keys(files).filter((path) => !present.has(path))).toEqual([])
  })

  test('every function with survivors does what it did when its mutants were tried', async () => {
    const changed = await changedFunctions(files, read)
    const isDue = ({ path }: { readonly path: string }) => due.includes(path)
    const toDo = changed
      .filter((one) => !isDue(one))
      .map(({ path, name, newName }) =>
        newName === undefined
          ? `${path}: ${name} changed: npm run mutation -- ${path}`
          : `${path}: ${name} is now called ${newName}: npm run generate`,
      )
    expect(toDo).toEqual([])
    expect(due).toEqual([...new Set(changed.filter(isDue).map(({ path }) => path))].toSorted())
  })

  test('docs/proof.md names the files that have to be measured again', async () => {
    const page = await read('docs/proof.md')
    expect(due.filter((path) => !page.includes(`- \`${path}\`\n`))).toEqual([])
  })
})
