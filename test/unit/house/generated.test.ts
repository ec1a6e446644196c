import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generated } from '../../../scripts/generate/files.ts'
import { root } from './files.ts'

test('every generated file is current (npm run generate)', async () => {
  const read = (path: string) => readFile(join(root, path), 'utf8')
  const files = await generated(read)
  const stale = await Promise.all(files.map(async ({ path, content }) => ((await read(path)) === content ? [] : [path])))
  expect(stale.flat()).toEqual([])
})
