import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesBelow, importsOf, root } from './files.ts'

type Manifest = Readonly<Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>>
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
const page = readFileSync(join(root, 'docs/dependencies.md'), 'utf8')

/** Names and reasons of the rows below a heading. */
function rowsBelow(heading: string): ReadonlyMap<string, string> {
  const [, rest = ''] = page.split(`## ${heading}\n`)
  const section = rest.split('\n## ')[0] as string
  return new Map([...section.matchAll(/^\| `([^`]+)` \| ([^|]+) \|/gm)].map(([, name, reason]) => [name as string, reason as string]))
}

describe.each([
  ['dependencies', 'At run time'],
  ['devDependencies', 'For development'],
] as const)('%s of package.json', (kind, heading) => {
  const rows = rowsBelow(heading)

  test('each has a row in docs/dependencies.md, and the other way round', () => {
    expect([...rows.keys()].toSorted()).toEqual(Object.keys(manifest[kind]).toSorted())
  })

  test('each row has a reason', () => {
    expect([...rows].filter(([, reason]) => reason.trim().length < 20)).toEqual([])
  })

  test('each version is exact', () => {
    expect(Object.entries(manifest[kind]).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
  })
})

test('every dependency at run time is imported, and nothing else', () => {
  const packageOf = (name: string) => (name.startsWith('@') ? name.split('/').slice(0, 2).join('/') : (name.split('/')[0] as string))
  const imported = filesBelow('src', '.ts')
    .flatMap(importsOf)
    .filter((name) => !name.startsWith('.') && !name.startsWith('node:'))
  expect([...new Set(imported.map(packageOf))].toSorted()).toEqual(Object.keys(manifest.dependencies).toSorted())
})
