import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeRelease } from './release/make.ts'
import { sign } from './release/sign.ts'

const { values } = parseArgs({
  options: { local: { type: 'boolean', default: false }, into: { type: 'string', default: 'released' }, key: { type: 'string' } },
})
const root = join(import.meta.dirname, '..')
try {
  const folder = join(root, values.into)
  await makeRelease(root, folder, values.local)
  if (values.key !== undefined) await sign(folder, { key: values.key })
  process.stderr.write(
    `${values.into}: ${values.local ? 'a trial, not for publication' : 'ready to be signed and published by the workflow'}\n`,
  )
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
