import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '../../../..')
const bin = join(root, 'bin/plane-group-sync')

type Env = Readonly<Record<string, string>>
type Step = { readonly name?: string; readonly run?: string; readonly env?: Env }
type Job = { readonly env?: Env; readonly steps: readonly Step[] }
type Workflow = { readonly env?: Env; readonly jobs: Readonly<Record<string, Job>> }

const fileOf = async (name: string): Promise<unknown> => parse(await readFile(join(root, 'config/pull-requests', name), 'utf8'))

/** What a program in `PATH` answers if its arguments contain `to`. Bytes are in base64, and `fails` is its exit code. */
export type Answer = {
  readonly program: string
  readonly to: string
  readonly json?: unknown
  readonly bytes?: string
  readonly fails?: number
}

export type Call = { readonly program: string; readonly args: readonly string[]; readonly input?: { readonly body: string } }

type Ended = { readonly code: number; readonly out: string; readonly err: string }

/** A folder in which steps run, with stand-ins first in `PATH` that record each call. */
export type Runner = AsyncDisposable & {
  readonly folder: string
  readonly path: (name: string) => string
  readonly read: (name: string) => Promise<string>
  readonly answers: (answers: readonly Answer[]) => Promise<void>
  readonly calls: () => Promise<readonly Call[]>
  /** Runs the steps of a job of GitHub one after the other, as GitHub does, until one fails. `given`: the values of the expressions. */
  readonly github: (file: string, job: string, given: Env, env?: Env) => Promise<Ended>
  /** Runs the script of a job of GitLab. */
  readonly gitlab: (job: string, env?: Env) => Promise<Ended>
  readonly git: (where: string, ...args: readonly string[]) => Promise<string>
}

export async function openRunner(): Promise<Runner> {
  const above = await mkdtemp(join(tmpdir(), 'pull-requests-'))
  const [folder, programs] = [join(above, 'work'), join(above, 'programs')]
  await Promise.all([mkdir(folder), mkdir(programs)])
  const [answersFile, callsFile] = [join(above, 'answers.json'), join(above, 'calls')]
  await Promise.all([writeFile(answersFile, '[]'), writeFile(callsFile, '')])
  for (const program of ['gh', 'curl', 'docker', 'kubectl', 'plane-group-sync']) {
    await writeFile(join(programs, program), standIn(answersFile, callsFile))
    await chmod(join(programs, program), 0o755)
  }
  const { PATH = '', HOME = '' } = process.env
  const bash = async (script: string, env: Env): Promise<Ended> => {
    const file = join(above, 'step.sh')
    await writeFile(file, script)
    const given = { PATH: `${programs}:${PATH}`, HOME, GITHUB_REPOSITORY: 'acme/access', GITHUB_SERVER_URL: 'https://github.com', ...env }
    const options = { cwd: folder, env: given, timeout: 60_000 }
    return new Promise((resolve) =>
      execFile('bash', ['--noprofile', '--norc', '-eo', 'pipefail', file], options, (error, out, err) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), out, err }),
      ),
    )
  }
  return {
    folder,
    path: (name) => join(folder, name),
    read: (name) => readFile(join(folder, name), 'utf8'),
    answers: (answers) => writeFile(answersFile, JSON.stringify(answers)),
    calls: async () => (await readFile(callsFile, 'utf8')).split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Call])),
    async github(file, job, given, env = {}) {
      const workflow = (await fileOf(`github/${file}`)) as Workflow
      const { env: ofJob, steps } = workflow.jobs[job] as Job
      let ended: Ended = { code: 0, out: '', err: '' }
      for (const { run, env: ofStep } of steps) {
        if (run === undefined || ended.code !== 0) continue
        const { code, out, err } = await bash(run, { ...evaluated({ ...workflow.env, ...ofJob, ...ofStep }, given), ...env })
        ended = { code, out: ended.out + out, err: ended.err + err }
      }
      return ended
    },
    async gitlab(job, env = {}) {
      const file = (await fileOf('gitlab/.gitlab-ci.yml')) as Readonly<
        Record<string, { readonly script: readonly string[]; readonly variables?: Env }>
      >
      const { script, variables } = file[job] as { readonly script: readonly string[]; readonly variables?: Env }
      const all = file.variables as unknown as Env
      return bash(script.join('\n'), { ...all, ...variables, CI_API_V4_URL: 'https://gitlab.example.com/api/v4', ...env })
    },
    async git(where, ...args) {
      const author = ['-c', 'user.name=ann', '-c', 'user.email=ann@example.com', '-c', 'init.defaultBranch=main']
      const { stdout } = await promisify(execFile)('git', ['-C', where, ...author, ...args], { env: { PATH, HOME } })
      return stdout.trim()
    },
    [Symbol.asyncDispose]: () => rm(above, { recursive: true, force: true }),
  }
}

/** Each value with its expressions replaced, as GitHub does before it starts a step. */
const evaluated = (env: Env, given: Env): Env =>
  Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{\{\s*([^}]+?)\s*\}\}/g, (_, expression: string) => {
        const found = given[expression]
        if (found === undefined) throw new Error(`nothing is given for ${expression}`)
        return found
      }),
    ]),
  )

/**
 * A program that writes down its call, and gives the first answer that fits; without one it fails. `docker run` and `plane-group-sync` run the real program: `docker`
 * with the volume in place of `/input`.
 */
const standIn = (answersFile: string, callsFile: string): string => `#!${process.execPath}
const { appendFileSync, readFileSync, writeFileSync } = require('node:fs')
const { basename } = require('node:path')
const { spawnSync } = require('node:child_process')
const program = basename(process.argv[1])
const args = process.argv.slice(2)
const after = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined)
const bodyFile = after('--input') ?? after('--data')?.slice(1)
const call = { program, args, ...(bodyFile === undefined ? {} : { input: JSON.parse(readFileSync(bodyFile, 'utf8')) }) }
appendFileSync(${JSON.stringify(callsFile)}, JSON.stringify(call) + '\\n')
const answer = JSON.parse(readFileSync(${JSON.stringify(answersFile)}, 'utf8')).find((one) => one.program === program && args.join(' ').includes(one.to))
if (answer === undefined && (program === 'docker' || program === 'plane-group-sync')) {
  const volume = after('--volume')?.split(':')[0]
  const own = program === 'docker' ? args.slice(args.findIndex((arg) => arg.includes('@sha256:')) + 1) : args
  const given = own.map((arg) => (volume === undefined ? arg : arg.replace('/input', volume)))
  const cwd = volume === undefined ? process.cwd() : volume + '/empty'
  if (volume !== undefined) require('node:fs').mkdirSync(cwd, { recursive: true })
  const { status, stdout, stderr } = spawnSync(${JSON.stringify(bin)}, given, { cwd, env: { PATH: process.env.PATH, HOME: process.env.HOME }, maxBuffer: 1e8 })
  process.stdout.write(stdout.toString().replaceAll('file=../branch/', 'file=../input/branch/'))
  process.stderr.write(stderr)
  process.exit(status)
}
if (answer === undefined || answer.fails !== undefined) {
  console.error(program + ': no answer to ' + args.join(' '))
  process.exit(answer?.fails ?? 22)
}
let bytes = answer.bytes === undefined ? Buffer.from(JSON.stringify(answer.json)) : Buffer.from(answer.bytes, 'base64')
if (after('--jq') !== undefined) bytes = spawnSync('jq', ['-r', after('--jq')], { input: bytes }).stdout
if (after('--output') !== undefined) writeFileSync(after('--output'), bytes)
else process.stdout.write(bytes)
`

/** A zip as an artifact has it. `make` runs in an empty folder and leaves \`made.zip\` there. */
export async function zipped(make: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pull-requests-zip-'))
  try {
    await promisify(execFile)('bash', ['-euc', make], { cwd: folder })
    return (await readFile(join(folder, 'made.zip'))).toString('base64')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
