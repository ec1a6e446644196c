import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { generated } from './generate/files.ts'

/** Writes every generated file. With --check it writes none, and fails if one is out of date. */
const check = process.argv.includes('--check')
const stale: string[] = []
for (const { path, content } of await generated((name) => readFile(name, 'utf8'))) {
  if ((await readFile(path, 'utf8').catch(() => '')) === content) continue
  stale.push(path)
  if (check) continue
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}
if (check && stale.length > 0) {
  process.stderr.write(`stale: ${stale.join(', ')}; run npm run generate\n`)
  process.exitCode = 1
}
