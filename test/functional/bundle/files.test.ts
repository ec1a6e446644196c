import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { writeBundle } from '../../../scripts/bundle/build.ts'
import { root, temporaryFolder } from './layOut.ts'

const folder = await temporaryFolder()
await writeBundle(folder)
const names = readdirSync(folder).toSorted()
const code = new Map(names.filter((name) => name.endsWith('.js')).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))

test('two builds are equal to the byte', async () => {
  const second = await temporaryFolder()
  await writeBundle(second)
  expect(readdirSync(second).toSorted()).toEqual(names)
  for (const name of names) expect(await readFile(join(second, name), 'utf8'), name).toBe(await readFile(join(folder, name), 'utf8'))
})

test('a build empties its folder first', async () => {
  const used = await temporaryFolder()
  await writeBundle(join(used, 'dist'))
  const { writeFile } = await import('node:fs/promises')
  await writeFile(join(used, 'dist/old.js'), '')
  await writeBundle(join(used, 'dist'))
  expect(readdirSync(join(used, 'dist')).toSorted()).toEqual(names)
})

test('the bundle says nothing of the machine that made it', () => {
  for (const name of names) expect(readFileSync(join(folder, name), 'utf8').includes(root), name).toBe(false)
})

test('the image has few and small files: with the entry, its package.json, the README and the licence at most 75, and 1.15 MB compressed', () => {
  expect(names.length + 6).toBeLessThanOrEqual(75)
  const bytes = names.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name)), { level: 9 }).length, 0)
  expect(bytes).toBeLessThan(1_150_000)
})

test('the code has ASCII characters only: one other can double the memory of its file', () => {
  expect([...code].filter(([, text]) => Buffer.byteLength(text) > text.length).map(([name]) => name)).toEqual([])
})

const statement = /(?:^|[;}])(?:import|export)\b[^'"`;()]*?"([^"\n]+)"(?:;|$)/gm
// Code without blanks has its texts in backticks.
const late = /\bimport\(["`]([^"`\n]+)["`]\)/g
const required = /(?<![.\w])(?:__require|require)\(["`]([^"`\n]+)["`]\)/g
const found = (text: string, pattern: RegExp): readonly string[] => [...text.matchAll(pattern)].map(([, name]) => name as string)

test('the bundle needs nothing but Node: no package, and no compiled module', () => {
  const foreign = [...code].flatMap(([name, text]) =>
    [statement, late, required].flatMap((pattern) =>
      found(text, pattern)
        .filter((imported) => !isBuiltin(imported) && !code.has(imported.replace(/^\.\//, '')))
        .map((imported) => `${name}: ${imported}`),
    ),
  )
  expect(foreign).toEqual([])
  expect(names.filter((name) => !/\.(?:js|js\.map|txt)$/.test(name))).toEqual([])
  expect([...code].filter(([, text]) => /\bprocess\.dlopen\b/.test(text)).map(([name]) => name)).toEqual([])
})

test('no file imports a module of Node: an import would also load what the module makes only when it is asked for', () => {
  const imported = [...code].flatMap(([name, text]) =>
    found(text, statement)
      .filter((module) => isBuiltin(module))
      .map((module) => `${name}: ${module}`),
  )
  expect(imported).toEqual([])
  const taken = found(code.get('start.js') ?? '', /^const .* = process\.getBuiltinModule\("([^"]+)"\);$/gm)
  expect(taken).toContain('node:util')
})

/** The files of the bundle that are loaded with one of them. */
function loadedWith(start: string): ReadonlySet<string> {
  const seen = new Set<string>()
  const visit = (name: string): void => {
    if (seen.has(name)) return
    seen.add(name)
    for (const imported of found(code.get(name) ?? '', statement)) if (imported.startsWith('./')) visit(imported.slice(2))
  }
  visit(start)
  return seen
}

const packages = ['ldapts', 'node-cron', 'openid-client', 'pino', 'prom-client', 're2js', 'undici', 'yaml', 'zod'].map(
  (name) => `${name}.js`,
)
const packagesWith = (start: string) => packages.filter((name) => loadedWith(start).has(name))

describe('a file is loaded when it is needed', () => {
  test('each package is one file', () => expect(names).toEqual(expect.arrayContaining(packages)))

  test.each([
    ['main.js', []],
    ['help.js', []],
    ['worker.js', []],
    ['settings.js', ['yaml.js', 'zod.js']],
    ['declaration.js', ['re2js.js', 'yaml.js', 'zod.js']],
    ['ldapFilter.js', ['ldapts.js']],
    ['cycle.js', ['pino.js', 'yaml.js', 'zod.js']],
    ['connections.js', ['pino.js', 'undici.js', 'yaml.js', 'zod.js']],
    ['daemon.js', ['node-cron.js', 'pino.js', 'prom-client.js', 'yaml.js', 'zod.js']],
    ['keycloak.js', ['pino.js', 'yaml.js', 'zod.js']],
    ['ldap.js', ['ldapts.js', 'pino.js', 'yaml.js', 'zod.js']],
  ])('%s loads the packages %j', (name, expected) => {
    expect(names).toContain(name)
    expect(packagesWith(name)).toEqual(expected)
  })

  test('what reads a declaration is loaded with no command', () => {
    expect(code.get('declaration.js')).toContain('// src/declaration/understand.ts\n')
    for (const name of ['settings.js', 'cycle.js', 'daemon.js', 'ldap.js']) expect(loadedWith(name), name).not.toContain('declaration.js')
    // The worker starts with nothing of the commands.
    for (const name of ['settings.js', 'cycle.js']) expect(loadedWith('worker.js')).not.toContain(name)
  })

  test('no kind of directory is loaded with another one', () => {
    const kinds = ['entra', 'google', 'keycloak', 'ldap', 'okta', 'scim'].map((kind) => `${kind}.js`)
    for (const kind of kinds) expect(kinds.filter((other) => loadedWith(kind).has(other))).toEqual([kind])
    expect(kinds.filter((kind) => loadedWith('daemon.js').has(kind))).toEqual([])
  })
})

test('each package in the bundle has its licence beside it', () => {
  const text = readFileSync(join(folder, 'THIRD-PARTY.txt'), 'utf8')
  const listed = [...text.matchAll(/^-{80}\n(\S+) (\S+) \((\S+)\)$/gm)].map(([, name, , licence]) => [name, licence] as const)
  const direct = packages.map((name) => name.replace(/\.js$/, ''))
  expect(listed.map(([name]) => name)).toEqual(expect.arrayContaining([...direct, 'oauth4webapi', 'sonic-boom', 'tdigest']))
  expect(new Set(listed.map(([, licence]) => licence)).difference(new Set(['MIT', 'ISC', 'Apache-2.0', 'BSD-3-Clause']))).toEqual(new Set())
  expect(text.match(/Permission (?:is hereby granted|to use)/g)?.length).toBeGreaterThan(10)
})

test('our own files have a source map, which names the files of src', () => {
  const mapped = names.filter((name) => name.endsWith('.map'))
  expect(mapped).toContain('cycle.js.map')
  expect(mapped.filter((name) => packages.includes(name.replace(/\.map$/, '')))).toEqual([])
  const { sources, sourcesContent } = JSON.parse(readFileSync(join(folder, 'cycle.js.map'), 'utf8')) as Record<string, unknown>
  expect(sources).toContain('../src/reconcile.ts')
  expect(sourcesContent).toBeUndefined()
})
