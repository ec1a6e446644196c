import { globSync, readFileSync } from 'node:fs'
import { posix, resolve } from 'node:path'
import { importsOf } from '../test/unit/house/files.ts'
import { enteredByApply } from './counts/entered.ts'
import { circlesOf } from './source/circles.ts'
import { linesOfCode } from './source/tree.ts'

/**
 * `npm run counts -- PATH …`: the size of `src`, the links between its files, and the part that one run enters. It prints a Markdown
 * table with a column for each checkout; without a path, for this one. Each checkout needs its node_modules.
 */
type Row = readonly [name: string, count: number]

/** Counts that follow from the source; types count as imports. */
function sourceRows(root: string): readonly Row[] {
  const files = globSync('src/**/*.ts', { cwd: root }).map((path) => ({ path, text: readFileSync(posix.join(root, path), 'utf8') }))
  const lines = files.map(({ text }) => linesOfCode(text)).toSorted((a, b) => a - b)
  const imports = files.map((file) => ({ from: file.path, names: importsOf(file) }))
  const arrows = new Map(
    imports.map(({ from, names }) => [from, new Set(names.filter(isOurs).map((name) => posix.join(from, '..', name)))]),
  )
  const importers = Map.groupBy(
    [...arrows.values()].flatMap((targets) => [...targets]),
    (target) => target,
  )
  return [
    ['files in `src`', files.length],
    ['files without the sandbox', files.filter(({ path }) => !path.startsWith('src/sandbox/')).length],
    ['lines of code, median file', lines[lines.length >> 1] ?? 0],
    ['lines of code, largest file', lines.at(-1) ?? 0],
    ['lines of code, all files', lines.reduce((sum, count) => sum + count, 0)],
    ['files under 30 lines of code', lines.filter((count) => count < 30).length],
    ['files with exactly one importer', [...importers.values()].filter(({ length }) => length === 1).length],
    ['imports', imports.reduce((sum, { names }) => sum + names.length, 0)],
    ['imports of other files in `src`', imports.reduce((sum, { names }) => sum + names.filter(isOurs).length, 0)],
    ['import circles', circlesOf(arrows).length],
    ['files and folders at the top of `src`', new Set(files.map(({ path }) => path.split('/')[1])).size],
  ]
}

const isOurs = (name: string): boolean => name.startsWith('.')

async function runRows(root: string): Promise<readonly Row[]> {
  const { loaded, files, functions } = await enteredByApply(root)
  return [
    ['`apply` of one mapping: files loaded', loaded],
    ['`apply` of one mapping: files with a function entered', files],
    ['`apply` of one mapping: functions entered', functions],
  ]
}

const roots = process.argv.length > 2 ? process.argv.slice(2) : ['.']
const columns: (readonly Row[])[] = []
// One after another: each run has the machine to itself.
for (const root of roots.map((path) => resolve(path))) columns.push([...sourceRows(root), ...(await runRows(root))])
const rows = (columns[0] ?? []).map(([name], index) => [name, ...columns.map((column) => column[index]?.[1] ?? '')])
const table = [['', ...roots], ['---', ...roots.map(() => '---:')], ...rows]
process.stdout.write(`${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`)
