import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { median } from './bench/row.ts'
import { cellsOf, clients, quick, whole } from './bench/sideBySide/cells.ts'
import { load } from './bench/sideBySide/client.ts'
import { lateMaxMs, measureAll } from './bench/sideBySide/run.ts'
import { cellText, tablesOf } from './bench/sideBySide/table.ts'
import { between } from './generate/between.ts'
import { installNested } from './nested.ts'

/**
 * `npm run bench:clients` sends the same calls to the same limiters through our client and through other libraries, in real time over real sockets.
 * It takes a quarter of an hour and prints the tables; `--write` writes them into docs/dev/benchmarks.md.
 *
 * | option | |
 * |--------|-|
 * | --quick | fewer calls, a few minutes |
 * | --seed 1 | seed of the latencies and of the other users |
 * | --client ours | only this client; may be repeated |
 * | --at-a-time 12 | the number of cells that are measured at the same time |
 * | --json FILE | writes all measurements, with every arrival |
 */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    client: { type: 'string', multiple: true, default: [] },
    'at-a-time': { type: 'string', default: '12' },
    json: { type: 'string' },
  },
})
const root = join(import.meta.dirname, '..')
const nested = join(import.meta.dirname, 'bench/clients')
const page = join(root, 'docs/dev/benchmarks.md')
const say = (text: string) => void process.stderr.write(`${text}\n`)

if (values.write && (values.quick || values.client.length > 0))
  throw new Error('--write needs the whole table: use it without --quick and --client')
await installNested(nested)

const size = values.quick ? quick : whole
const seed = Number(values.seed)
const cells = cellsOf(size, seed, values.client)
const loadBefore = loadavg()[0] as number
const measured = await measureAll(cells, Number(values['at-a-time']), (one, done) =>
  say(`${done}: ${one.client}, ${one.kind}, ${one.situation}, ${one.calls} calls: ${cellText(one)}`),
)
if (values.json !== undefined) await writeFile(values.json, JSON.stringify(measured))

const shown = clients.filter((file) => measured.some(({ client }) => client === file))
const loaded = await Promise.all(shown.map(async (file) => ({ file, ...(await load(file)) })))
const text = [await circumstances(), tablesOf(measured, new Map(loaded.map(({ file, name }) => [file, name])), size), await notes()].join(
  '\n\n',
)
process.stdout.write(`${text}\n`)
if (values.write) await writeFile(page, between('clients', text)(await readFile(page, 'utf8')))

async function circumstances(): Promise<string> {
  const [cpu] = cpus()
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  const today = new Date().toISOString().slice(0, 10)
  const late = measured.map(({ lateMs }) => lateMs).toSorted((a, b) => a - b)
  const disturbed = late.filter((ms) => ms > lateMaxMs).length
  return [
    `Measured on ${today}: ${availableParallelism()} cores (${cpu?.model.trim()}), ${gigabytes} GB, ${process.platform} ${process.arch},`,
    `Node ${process.versions.node}, seed ${seed}. Load before: ${loadBefore.toFixed(1)}; in ${disturbed} of ${late.length} cells more than 1 % of the timers were`,
    `over ${lateMaxMs} ms late (99th percentile: median of the cells ${median(late).toFixed(1)} ms, worst ${(late.at(-1) as number).toFixed(1)} ms).`,
  ].join('\n')
}

async function notes(): Promise<string> {
  const said = loaded.map(
    async ({ name, packages, note }) => `| ${name} | ${(await Promise.all(packages.map(versioned))).join(', ')} | ${note} |`,
  )
  return ['### How each client is used', ['| | version | |', '|---|---|---|', ...(await Promise.all(said))].join('\n')].join('\n\n')
}

/** Name and version, as in `undici 8.12.4`. Our own version is in the manifest of this project. */
async function versioned(name: string): Promise<string> {
  const places = [join(nested, 'node_modules', name), join(root, 'node_modules', name), root].map((folder) => join(folder, 'package.json'))
  const manifest = JSON.parse(await readFile(places.find((file) => existsSync(file)) as string, 'utf8')) as { version: string }
  return `${name} ${manifest.version}`
}
