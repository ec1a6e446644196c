import { spawnSync } from 'node:child_process'
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sandboxOptions } from '../../src/sandbox/options.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { firstReady, rssAfterCycles } from './daemon.ts'
import { bundleIn, folderWith, start } from './program.ts'
import { median, ms, type Row } from './row.ts'

const pairs = 7
const goals = { validateMs: 150, readyRatio: 9, rssBytes: 72e6, files: 70, bytes: 1.1e6 }

/** Measures the bundle: how soon it is ready, what it needs, and how it compares with the source. Runs of both sides alternate, with a warm compile cache. */
export async function bundleRows(): Promise<readonly Row[]> {
  await using folder = await folderWith({})
  const place = join(folder.path, 'program')
  const bundle = await bundleIn(place)

  const company = join(folder.path, 'company')
  await cp('config/example-company', company, { recursive: true })
  const state = { name: 'service.yaml', text: await readFile(join(company, 'service.yaml'), 'utf8') }
  await using sandbox = await startSandbox({ ...sandboxOptions({ state }), limit: { requests: 100_000, windowMs: 1_000 } })
  const settings = await readFile(join(company, 'config.yaml'), 'utf8')
  await writeFile(join(company, 'config.yaml'), settings.replace('http://127.0.0.1:8787', sandbox.url))

  const whole = async (args: readonly string[], cwd: string, program?: string) => {
    const begun = performance.now()
    await start(args, cwd, { PLANE_API_KEY: 'sandbox-key' }, program, [0, 3]).ended
    return performance.now() - begun
  }
  async function against(verb: string): Promise<Row> {
    const args = [verb, '--config', 'config.yaml']
    const times: (readonly [bundle: number, source: number])[] = []
    for (let pair = -1; pair < pairs; pair++) {
      const both = [await whole(args, company, bundle), await whole(args, company)] as const
      // The first pair fills the compile cache.
      if (pair >= 0) times.push(both)
    }
    const [ofBundle, ofSource] = [median(times.map(([first]) => first)), median(times.map(([, second]) => second))]
    const measure = `\`${verb}\` of the example company, from the bundle`
    return {
      measure,
      figure: ms(ofBundle),
      against: `from the source: ${ms(ofSource)}`,
      ratio: ofBundle / ofSource,
      goal: '< 1',
      reached: ofBundle < ofSource,
    }
  }
  async function small(): Promise<Row> {
    const times: number[] = []
    for (let run = -1; run < pairs; run++) times.push(await whole(['validate'], process.cwd(), bundle))
    const middle = median(times.slice(1))
    const measure = '`validate` on the example, from the bundle'
    return { measure, figure: ms(middle), against: '', goal: `≤ ${goals.validateMs} ms`, reached: middle <= goals.validateMs }
  }
  return [await small(), await against('validate'), await against('plan'), await ready(bundle), await memory(bundle), await layers(place)]
}

async function ready(program: string): Promise<Row> {
  const times: (readonly [bundle: number, node: number])[] = []
  for (let pair = -1; pair < pairs; pair++) {
    const both = [await firstReady(program), cpuOfNode()] as const
    if (pair >= 0) times.push(both)
  }
  const [ofDaemon, ofNode] = [median(times.map(([first]) => first)), median(times.map(([, second]) => second))]
  const measure = `CPU of the daemon until it is ready (load ${(loadavg()[0] as number).toFixed(1)})`
  const ratio = ofDaemon / ofNode
  return {
    measure,
    figure: ms(ofDaemon),
    against: `node -e 0: ${ms(ofNode)}`,
    ratio,
    goal: `≤ ${goals.readyRatio}`,
    reached: ratio <= goals.readyRatio,
  }
}

/** The processor time of all threads of a Node that does nothing. */
function cpuOfNode(): number {
  const code =
    'process.on("exit", () => { const { user, system } = process.cpuUsage(); process.stdout.write(String((user + system) / 1e3)) })'
  return Number(spawnSync(process.execPath, ['-e', code], { encoding: 'utf8' }).stdout)
}

/** The options of Node in the image. */
async function optionsOfImage(): Promise<string> {
  const [, entry = ''] = /^ENTRYPOINT (.*)$/m.exec(await readFile('Dockerfile', 'utf8')) ?? []
  return (JSON.parse(entry) as string[]).filter((word) => word.startsWith('--')).join(' ')
}

async function memory(program: string): Promise<Row> {
  const { bytes, bareBytes } = await rssAfterCycles(program, 10, await optionsOfImage())
  const more = bytes - bareBytes
  const mb = (value: number) => `${(value / 1e6).toFixed(0)} MB`
  const measure = 'memory (RSS) of the daemon in the image after ten cycles, above that of Node'
  return {
    measure,
    figure: mb(more),
    against: `bare Node: ${mb(bareBytes)}`,
    goal: `≤ ${mb(goals.rssBytes)}`,
    reached: more <= goals.rssBytes,
  }
}

async function layers(place: string): Promise<Row> {
  const entries = (await readdir(place, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const contents = await Promise.all(entries.map(({ parentPath, name }) => readFile(join(parentPath, name))))
  const bytes = gzipSync(Buffer.concat(contents), { level: 9 }).length
  return {
    measure: 'the files of the program in the image',
    figure: `${entries.length} files, ${(bytes / 1e6).toFixed(2)} MB by gzip -9`,
    against: '',
    goal: `≤ ${goals.files}, ≤ ${goals.bytes / 1e6} MB`,
    reached: entries.length <= goals.files && bytes <= goals.bytes,
  }
}
