import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageOf } from './packageOf.ts'

/** The names and licences of the packages whose modules are in the bundle, in one text. @throws if a package has no licence */
export function licences(moduleIds: readonly string[]): string {
  const folders = moduleIds.flatMap((id) => packageOf(id)?.folder ?? [])
  const texts = [...new Set(folders)].map(licenceIn).toSorted()
  return [introduction, ...texts].join(`\n${'-'.repeat(80)}\n`)
}

const introduction = 'The files in this folder contain code of these packages, under the licences below.\n'

function licenceIn(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string>
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice)\b/i.test(file))
  if (license === undefined || files.length === 0) throw new Error(`${name} has no licence: the bundle must not contain it`)
  const texts = files.toSorted().map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim())
  return [`${name} ${version} (${license})`, ...texts, ''].join('\n\n')
}
