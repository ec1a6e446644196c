import { builtinModules } from 'node:module'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { circlesOf } from '../../../scripts/source/circles.ts'
import { filesBelow, importsOf } from './files.ts'

/**
 * The allowed imports of each part, from the inside to the outside. A part imports only parts above it, so there is no circle. A part is a folder
 * of `src`, a file in it, or both under one name. `others`: packages, and `node` for modules of Node itself.
 */
const parts: readonly Part[] = [
  { part: 'core', imports: '', others: '' },
  { part: 'documents', imports: 'core', others: 'zod' },
  { part: 'render', imports: 'core documents', others: '' },
  { part: 'files', imports: 'core', others: 'node' },
  { part: 'sandbox', imports: '', others: 'node yaml zod' },
  { part: 'http', imports: 'core', others: 'node openid-client undici zod' },
  { part: 'yaml', imports: 'core render files', others: 'node yaml zod' },
  { part: 'plane', imports: 'core http', others: 'zod' },
  { part: 'directories', imports: 'core files http yaml', others: 'node ldapts openid-client' },
  { part: 'declaration', imports: 'core files yaml', others: 'node re2js' },
  { part: 'journal', imports: 'core files', others: 'node' },
  { part: 'orders', imports: 'core files journal', others: 'node' },
  { part: 'secrets', imports: 'core files', others: '' },
  { part: 'cycle', imports: 'core', others: '' },
  { part: 'settings', imports: 'core files http yaml directories declaration secrets cycle', others: 'node node-cron' },
  { part: 'worker', imports: 'yaml directories declaration settings', others: 'node' },
  { part: 'log', imports: 'core render files cycle', others: 'node pino' },
  { part: 'recording', imports: 'core yaml journal cycle settings', others: '' },
  { part: 'compose', imports: 'core render files http plane directories secrets cycle settings log recording', others: 'node' },
  { part: 'daemon', imports: 'core documents render cycle settings log compose', others: 'node prom-client' },
  {
    part: 'commands',
    imports: 'core documents render files sandbox yaml plane declaration journal orders cycle settings log recording compose daemon',
    others: 'node',
  },
  { part: 'main', imports: 'core commands log', others: 'node' },
]
type Part = { readonly part: string; readonly imports: string; readonly others: string }

const words = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '')

/** The part of an imported file of this project; undefined for a module of Node or of a package. */
function targetOf(from: string, name: string): { readonly part: string; readonly inside: boolean } | undefined {
  if (!name.startsWith('.')) return undefined
  const path = posix.join(posix.dirname(from), name)
  return { part: partOf(path), inside: path.startsWith('src/') }
}

/** `reconcile.ts` belongs to the part `cycle`, which calls it. */
const partOf = (path: string): string => (path === 'src/reconcile.ts' ? 'cycle' : (path.split('/')[1] as string).replace(/\.ts$/, ''))
const otherOf = (name: string): string =>
  name.startsWith('node:') || builtinModules.includes(name) ? 'node' : (name.split('/')[0] as string)

const used = filesBelow('src', '.ts').flatMap((file) =>
  importsOf(file).map((name) => ({ file: file.path, name, to: targetOf(file.path, name) })),
)

describe('arrows between the parts of src', () => {
  test.each(parts)('$part imports only what it may', ({ part, imports, others }) => {
    const wrong = used
      .filter(({ file }) => partOf(file) === part)
      .filter(({ name, to }) => {
        if (to === undefined) return !words(others).includes(otherOf(name))
        return !to.inside || (to.part !== part && !words(imports).includes(to.part))
      })
    expect(wrong.map(({ file, name }) => `${file} imports ${name}`)).toEqual([])
  })

  test('every part is in the table, and none that is not there', () => {
    const present = new Set(filesBelow('src', '.ts').map(({ path }) => partOf(path)))
    expect(parts.map(({ part }) => part).toSorted()).toEqual([...present].toSorted())
  })

  test('each part imports only parts above it in the table', () => {
    const order = parts.map(({ part }) => part)
    const wrong = parts.flatMap(({ part, imports }) =>
      words(imports)
        .filter((other) => !order.slice(0, order.indexOf(part)).includes(other))
        .map((other) => `${part} → ${other}`),
    )
    expect(wrong).toEqual([])
  })

  test('what the table allows is used', () => {
    const unused = parts.flatMap(({ part, imports, others }) => {
      const mine = used.filter(({ file }) => partOf(file) === part)
      const names = new Set(mine.map(({ name, to }) => to?.part ?? otherOf(name)))
      return words(`${imports} ${others}`)
        .filter((name) => !names.has(name))
        .map((name) => `${part} → ${name}`)
    })
    expect(unused).toEqual([])
  })
})

/** The folders of the core, from the inside to the outside. The files beside them have the shared types. */
const stages: readonly (readonly [string, string])[] = [
  ['memory', ''],
  ['resolve', 'memory'],
  ['findings', 'memory resolve'],
  ['diff', 'findings'],
  ['explain', 'memory resolve'],
  ['judge', 'memory'],
  ['notice', 'memory'],
  ['access', 'memory'],
]
const stageOf = (path: string): string => (path.split('/').length > 3 ? (path.split('/')[2] as string) : '')

test('the stages of the core import only stages before them, and the shared words import none', () => {
  const inCore = used.filter(({ file, name }) => file.startsWith('src/core/') && name.startsWith('.'))
  const arrows = inCore.map(({ file, name }) => [stageOf(file), stageOf(posix.join(posix.dirname(file), name))] as const)
  const found = arrows.filter(([from, to]) => from !== to && to !== '').map(([from, to]) => `${from} → ${to}`)
  const allowed = stages.flatMap(([stage, before]) => words(before).map((other) => `${stage} → ${other}`))
  expect([...new Set(found)].toSorted()).toEqual(allowed.toSorted())
})

test('no files of src import each other in a circle, types included', () => {
  const imports = new Map(
    filesBelow('src', '.ts').map((file) => [
      file.path,
      importsOf(file).flatMap((name) => (name.startsWith('.') ? [posix.join(posix.dirname(file.path), name)] : [])),
    ]),
  )
  expect(circlesOf(imports)).toEqual([])
})

test('a circle is found', () => {
  const files = { a: ['b'], b: ['c', 'd'], c: ['a'], d: [], e: ['d'] }
  expect(circlesOf(new Map(Object.entries(files)))).toEqual([['a', 'b', 'c']])
})
