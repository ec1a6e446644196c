import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { type Call, callsIn, layBuildah, layStandIns } from './standIns.ts'
import { baseDigest } from './world.ts'

type Step = {
  readonly uses?: string
  readonly with?: Readonly<Record<string, unknown>>
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
}
export type Job = {
  readonly permissions: Readonly<Record<string, string>>
  readonly needs?: string | readonly string[]
  readonly if?: string
  readonly environment?: string
  readonly 'timeout-minutes': number
  readonly steps: readonly Step[]
}
export type Workflow = { readonly on: unknown; readonly permissions: unknown; readonly jobs: Readonly<Record<string, Job>> }

export const workflowOf = (text: string): Workflow => parse(text) as Workflow

/** What GitHub puts into an expression. */
const context: Readonly<Record<string, string>> = {
  'github.token': 'the-token-of-the-job',
  'github.repository': 'acme/plane-group-sync',
  'github.server_url': 'https://github.com',
  'github.run_id': '17',
}

const filled = (text: string): string =>
  text.replaceAll(/\$\{\{ ([\w.]+) \}\}/g, (_, name: string) => {
    const value = context[name]
    if (value === undefined) throw new Error(`the workflow asks for ${name}`)
    return value
  })

/** Runs the steps of a job as GitHub does, each `run` with bash, in a clone of its own. Returns the calls of stand-ins. */
export async function runJob(job: Job, repository: string, folder: string, env: NodeJS.ProcessEnv): Promise<readonly Call[]> {
  const [clone, standIns, temporary] = ['clone', 'stand-ins', 'temporary'].map((name) => join(folder, name)) as [string, string, string]
  await rm(standIns, { recursive: true, force: true })
  await layStandIns(standIns)
  await layBuildah(standIns, baseDigest)
  await mkdir(temporary, { recursive: true })
  const own: NodeJS.ProcessEnv = { ...env, STAND_INS: standIns, RUNNER_TEMP: temporary, GITHUB_ACTOR: 'ann', CI: 'true' }
  let path = env['PATH'] ?? ''
  for (const { uses, with: inputs, run, env: extra } of job.steps) {
    if (uses !== undefined) await act(uses.split('@')[0] as string, inputs ?? {}, repository, clone, join(folder, '..', 'artifacts'))
    if (run === undefined) continue
    const [envFile, pathFile] = [join(temporary, 'env'), join(temporary, 'path')]
    for (const file of [envFile, pathFile]) await writeFile(file, '')
    await writeFile(join(temporary, 'step.sh'), filled(run))
    const values = Object.fromEntries(Object.entries(extra ?? {}).map(([name, value]) => [name, filled(value)]))
    const stepEnv = { ...own, ...values, PATH: `${standIns}:${path}`, GITHUB_ENV: envFile, GITHUB_PATH: pathFile }
    await promisify(execFile)('bash', ['-e', join(temporary, 'step.sh')], { cwd: clone, env: stepEnv, maxBuffer: 64 * 2 ** 20 })
    const lines = async (file: string) => (await readFile(file, 'utf8')).split('\n').filter(Boolean)
    Object.assign(own, Object.fromEntries((await lines(envFile)).map((line) => line.split(/=(.*)/, 2) as [string, string])))
    path = [...(await lines(pathFile)).toReversed(), path].join(':')
  }
  return callsIn(standIns)
}

/** What an action does for the steps after it. */
async function act(
  name: string,
  inputs: Readonly<Record<string, unknown>>,
  repository: string,
  clone: string,
  artifacts: string,
): Promise<void> {
  if (name === 'actions/checkout') {
    await rm(clone, { recursive: true, force: true })
    await promisify(execFile)('git', ['clone', '--quiet', repository, clone])
    return
  }
  const [stored, path] = [join(artifacts, String(inputs['name'])), join(clone, String(inputs['path']))]
  if (name === 'actions/upload-artifact') await cp(path, stored, { recursive: true })
  if (name === 'actions/download-artifact') await cp(stored, path, { recursive: true })
}

/** What the token of a job must be allowed to do for a call, and nothing for others. */
export function needed(calls: readonly Call[], { steps }: Job): Readonly<Record<string, string>> {
  const reads = steps.some(({ uses }) => uses?.startsWith('actions/checkout@')) ? { contents: 'read' } : {}
  return Object.assign(reads, ...calls.map(neededFor)) as Readonly<Record<string, string>>
}

function neededFor([program, ...args]: Call): Readonly<Record<string, string>> {
  const call = args.join(' ')
  if (program === 'skopeo' && call.includes(' docker://')) return { packages: 'write' }
  if (program === 'helm' && args[0] === 'push') return { packages: 'write' }
  if (program === 'cosign')
    return { ...(!args.includes('--key') && { 'id-token': 'write' }), ...(!args[0]?.endsWith('-blob') && { packages: 'write' }) }
  if (program === 'npm' && args[0] === 'publish') return { 'id-token': 'write' }
  if (program === 'gh' && args[0] === 'release') return { contents: 'write' }
  if (program === 'gh' && args[0] === 'issue') return { issues: 'write' }
  return {}
}
