import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Situation, situations } from './bench/instead/situations.ts'
import { ours, script, type Tool, terraform } from './bench/instead/tools.ts'
import { bundleIn } from './bench/program.ts'

/**
 * `npm run instead` does the same work with what a user would pick instead of this program, and prints one table. docs/instead.md has a short form of it,
 * docs/dev/instead.md the figures and how to repeat them. The CI script needs `python3` with PyYAML.
 *
 * | option | |
 * |--------|-|
 * | --terraform FOLDER | also with `terraform`; the folder has the binary of the provider Mastercard/restapi |
 * | --tool NAME | only this tool; may be repeated |
 * | --situation TEXT | only situations whose name has this text |
 */
const { values } = parseArgs({
  options: {
    terraform: { type: 'string' },
    tool: { type: 'string', multiple: true, default: [] },
    situation: { type: 'string', default: '' },
  },
})
const folder = await mkdtemp(join(tmpdir(), 'bundle-'))
process.on('exit', () => rmSync(folder, { recursive: true }))
const program = await bundleIn(folder)
const known: readonly Tool[] = [...(values.terraform === undefined ? [] : [terraform(values.terraform)]), script, ours(program)]
const tools = known.filter(({ name }) => values.tool.length === 0 || values.tool.includes(name))

const row = (cells: readonly string[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`)
row(['', ...tools.map(({ name }) => name)])
row(['---', ...tools.map(() => '---')])
for (const situation of situations.filter(({ name }) => name.includes(values.situation))) {
  const cells: string[] = []
  for (const tool of tools) cells.push(await cell(situation, tool))
  row([situation.name, ...cells])
}

/** A tool that cannot do the work is a result, too. */
function cell({ run }: Situation, tool: Tool): Promise<string> {
  return run(tool).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`)
    return 'failed'
  })
}
