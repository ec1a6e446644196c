import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sandboxOptions } from '../src/sandbox/options.ts'
import { startSandbox } from '../src/sandbox/server.ts'
import { serve } from './demo/serve.ts'
import { openStage, type Stage } from './demo/stage.ts'

/**
 * Shows the real command line on a workspace that differs from its declaration. The sandbox stands for Plane, and a file for the directory.
 * `--serve` keeps sandbox and daemon running until Ctrl-C.
 */
const state = 'config/demo/service.yaml'
const staysUp = process.argv.includes('--serve')
const stop = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort())

// npm passes SIGTERM to its shell, which ends without passing it on. Then the demo has another parent.
const parent = process.ppid
setInterval(() => process.ppid === parent || stop.abort(), 300).unref()

process.chdir(join(import.meta.dirname, '..'))
const folder = await mkdtemp(join(tmpdir(), 'plane-demo-'))
try {
  await cp('config/demo', folder, { recursive: true })
  await using sandbox = await startSandbox(sandboxOptions({ state: { name: state, text: await readFile(state, 'utf8') } }))
  const env = { PLANE_BASE_URL: sandbox.url, PLANE_API_KEY: 'demo-key', PLANE_GROUP_SYNC_CONFIG: join(folder, 'config.yaml') }
  const stage = openStage({ env: { ...process.env, ...env }, terminal: process.stdout, signal: stop.signal })
  stage.heading('A Plane workspace that differs from its declaration, simulated on this machine.', [
    `cp -r config/demo ${folder}`,
    `bin/plane-group-sync sandbox --port ${new URL(sandbox.url).port} --state ${state} &`,
    ...Object.entries(env).map(([name, value]) => `export ${name}=${value}`),
  ])
  await tour(stage, join(folder, 'plan.json'))
  if (staysUp) await serve(stage, { folder, service: sandbox.url, key: env.PLANE_API_KEY })
  else stage.say('The demo is over, and its files are removed. To look around while it runs: npm run demo -- --serve')
} catch (error) {
  process.exitCode = 1
  if (!stop.signal.aborted) process.stderr.write(`${(error as Error).message}\n`)
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function tour({ heading, run }: Stage, saved: string): Promise<void> {
  heading('Are the files valid? This check works offline, and shows each mistake with its line.')
  await run(['validate'], [0])

  heading('What would change, and why? Nothing is written. Exit code 3: a change needs approval.')
  await run(['plan', '--out', saved], [3])

  heading('Apply exactly this plan, and approve the one change that needs approval.')
  await run(['apply', saved, '--yes', '--allow', await waitingId(saved), '--log-level', 'warn'], [0])

  heading('Plan again: nothing to write. One mapping is held because its group does not exist; the undeclared mapping is kept.')
  await run(['plan'], [0])
}

/** The id of the change that waits for approval, from the saved plan. */
async function waitingId(file: string): Promise<string> {
  type Saved = { readonly workspaces: readonly { readonly holds: readonly { reason: { kind: string }; change?: { id: string } }[] }[] }
  const { workspaces } = JSON.parse(await readFile(file, 'utf8')) as Saved
  const found = workspaces.flatMap(({ holds }) => holds).find(({ reason }) => reason.kind === 'approval')
  if (found?.change === undefined) throw new Error('nothing in the plan waits for approval: was config/demo changed?')
  return found.change.id
}
