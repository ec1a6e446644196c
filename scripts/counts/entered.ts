import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The part of a file in NODE_V8_COVERAGE that is used here. */
type Coverage = { readonly result: readonly Script[] }
type Script = { readonly url: string; readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[] }

/** The code that a run entered. `loaded`: the number of files of src that it imported. `files`: how many of these files had at least one function called. */
export type Entered = { readonly loaded: number; readonly files: number; readonly functions: number }

const workspace = `keys: [{ value: counts-key, owner: ann }]
workspaces: { acme: { config: { is_enabled: true }, projects: [ENG] } }
`
const settings = `version: 1
service: {}
workspaces: { acme: {} }
declaration: ./groups.yaml
journal: { folder: ./journal }
`
const declaration = `version: 1
owner: team
workspaces: { acme: { projectRoles: [{ group: engineering, project: ENG, role: member }] } }
`

/** Runs the tree's own `bin/plane-group-sync apply` for one new mapping against its own sandbox, which is a process that is not counted. */
export async function enteredByApply(root: string): Promise<Entered> {
  const folder = await mkdtemp(join(tmpdir(), 'plane-counts-'))
  const start = (args: readonly string[], env: Readonly<Record<string, string>>) =>
    spawn(join(root, 'bin/plane-group-sync'), args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const files = { 'state.yaml': workspace, 'config.yaml': settings, 'groups.yaml': declaration }
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    const sandbox = start(['sandbox', '--port', '0', '--state', join(folder, 'state.yaml')], {})
    try {
      const apply = start(['apply', '--yes', '--config', join(folder, 'config.yaml')], {
        PLANE_BASE_URL: await firstLine(sandbox),
        PLANE_API_KEY: 'counts-key',
        NODE_V8_COVERAGE: join(folder, 'coverage'),
        // Node counts functions from the compile cache less exactly.
        NODE_DISABLE_COMPILE_CACHE: '1',
      })
      const [text, [code, signal]] = await Promise.all([apply.stdout.toArray(), once(apply, 'close')])
      if (code !== 0 || !text.join('').includes('1 of 1 written'))
        throw new Error(`apply in ${root} ended with ${code ?? signal}:\n${text.join('')}`)
    } finally {
      const closed = once(sandbox, 'close')
      if (sandbox.kill()) await closed
    }
    return sumOf(await scriptsIn(join(folder, 'coverage')), pathToFileURL(join(root, 'src/')).href)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the sandbox has no output')
  const [text] = (await once(stdout, 'data', { signal: AbortSignal.timeout(20_000) })) as [Buffer]
  return String(text).split('\n')[0] ?? ''
}

async function scriptsIn(folder: string): Promise<readonly Script[]> {
  const reports = (await readdir(folder)).map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as Coverage)
  return (await Promise.all(reports)).flatMap(({ result }) => result)
}

/** The first function of a script is the module itself, which runs when it is imported. */
function sumOf(scripts: readonly Script[], source: string): Entered {
  const ours = scripts.filter(({ url }) => url.startsWith(source))
  const calls = ours.map(({ functions }) => functions.slice(1).filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).length)
  return {
    loaded: ours.length,
    files: calls.filter((count) => count > 0).length,
    functions: calls.reduce((sum, count) => sum + count, 0),
  }
}
