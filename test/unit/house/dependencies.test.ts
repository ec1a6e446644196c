import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesBelow, importsOf, root } from './files.ts'

type Dependencies = Readonly<Record<string, string>>
type Manifest = {
  readonly dependencies: Dependencies
  readonly devDependencies?: Dependencies
  readonly optionalDependencies?: Dependencies
}
const manifestIn = (folder: string) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
const manifest = manifestIn('.')
/** Folders with a package of their own, so that `npm ci` of the project stays small. */
const nested = [...filesBelow('scripts', 'package.json'), ...filesBelow('test', 'package.json')].map(({ path }) => posix.dirname(path))
const page = readFileSync(join(root, 'docs/dev/dependencies.md'), 'utf8')

/** Names and reasons of the rows below a heading. */
function rowsBelow(heading: string): ReadonlyMap<string, string> {
  const [, rest = ''] = page.split(`## ${heading}\n`)
  const section = rest.split('\n## ')[0] as string
  const rows = [...section.matchAll(/^\| (`[^|]+`) \| ([^|]+) \|/gm)]
  return new Map(
    rows.flatMap(([, names = '', reason = '']) => [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => [name, reason] as const)),
  )
}

const chapters: readonly { readonly of: string; readonly dependencies: Dependencies; readonly heading: string }[] = [
  { of: 'dependencies of package.json', dependencies: manifest.dependencies, heading: 'At run time' },
  {
    of: 'devDependencies and optionalDependencies of package.json',
    dependencies: { ...manifest.devDependencies, ...manifest.optionalDependencies },
    heading: 'For development',
  },
  ...nested.map((folder) => ({ of: folder, dependencies: manifestIn(folder).dependencies, heading: `In \`${folder}\`` })),
]

describe.each(chapters)('$of', ({ dependencies, heading }) => {
  const rows = rowsBelow(heading)

  test('each has a row in docs/dev/dependencies.md, and the other way round', () => {
    expect([...rows.keys()].toSorted()).toEqual(Object.keys(dependencies).toSorted())
  })

  test('each row has a reason', () => {
    expect([...rows].filter(([, reason]) => reason.trim().length < 20)).toEqual([])
  })

  test('each version is exact', () => {
    expect(Object.entries(dependencies).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
  })
})

test.each(['.', ...nested])('the lockfile in %s is for what its manifest asks, and names no registry host', (folder) => {
  const text = readFileSync(join(root, folder, 'package-lock.json'), 'utf8')
  const lock = JSON.parse(text) as { readonly packages: Readonly<Record<string, Manifest>> }
  expect(lock.packages['']?.dependencies).toEqual(manifestIn(folder).dependencies)
  expect(text).not.toContain('"resolved"')
})

test('each Go module that .ci/kubernetes-server asks for has a row with a reason', () => {
  const [, block = ''] = /^require \(\n([^)]*)\)/m.exec(readFileSync(join(root, '.ci/kubernetes-server/go.mod'), 'utf8')) ?? []
  const modules = [...block.matchAll(/^\t(\S+) v[\d.]+$/gm)].map(([, name = '']) => name)
  const rows = rowsBelow('In `.ci/kubernetes-server`')
  expect([...rows.keys()].toSorted()).toEqual(modules.toSorted())
  expect([...rows].filter(([, reason]) => reason.trim().length < 20)).toEqual([])
})

describe.each([
  ['test/functional/clients/python', 'plane-sdk'],
  ['test/functional/servers/scim2-server', 'scim2-server'],
])('requirements.txt of %s', (folder, wanted) => {
  const text = readFileSync(join(root, folder, 'requirements.txt'), 'utf8')
  const packages = text.split(/\n(?=\S)/).map((entry) => entry.replaceAll(/\s*\\\n\s*/g, ' ').trim())

  test('has exact versions with hashes, and names no registry host', () => {
    expect(packages.filter((entry) => !/^[a-z0-9-]+==\d+(?:\.\d+)+(?: --hash=sha256:[0-9a-f]{64})+$/.test(entry))).toEqual([])
  })

  test('has each package of docs/dev/dependencies.md', () => {
    const rows = [...rowsBelow(`In \`${folder}\``).keys()]
    expect(rows).toEqual([wanted])
    expect(packages.map((entry) => entry.split('==')[0])).toEqual(expect.arrayContaining(rows))
  })
})

test('every dependency at run time is imported, and nothing else', () => {
  const packageOf = (name: string) => (name.startsWith('@') ? name.split('/').slice(0, 2).join('/') : (name.split('/')[0] as string))
  const imported = filesBelow('src', '.ts')
    .flatMap(importsOf)
    .filter((name) => !name.startsWith('.') && !name.startsWith('node:'))
  expect([...new Set(imported.map(packageOf))].toSorted()).toEqual(Object.keys(manifest.dependencies).toSorted())
})
