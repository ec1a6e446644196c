import { spawn } from 'node:child_process'
import { cp, mkdtempDisposable, readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sandboxOptions } from '../../../src/sandbox/options.ts'
import { startSandbox } from '../../../src/sandbox/server.ts'
import { follow } from './running.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const bin = join(root, 'bin/plane-group-sync')

test('the plan of a recording of the example company is the live plan, and the recording has no member, key or path', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'plane-group-sync-'))
  const company = join(folder.path, 'example-company')
  await cp(join(root, 'config/example-company'), company, { recursive: true })
  const state = { name: 'service.yaml', text: await readFile(join(company, 'service.yaml'), 'utf8') }
  await using sandbox = await startSandbox({ ...sandboxOptions({ state }), limit: { requests: 100_000, windowMs: 1_000 } })
  const settings = await readFile(join(company, 'config.yaml'), 'utf8')
  await writeFile(join(company, 'config.yaml'), settings.replace('http://127.0.0.1:8787', sandbox.url))

  async function run(args: readonly string[], wrap: readonly string[] = []) {
    const [file = bin, ...rest] = [...wrap, bin, ...args]
    const { PATH = '', HOME = '' } = process.env
    const env = wrap.length > 0 ? { PATH } : { PATH, HOME, PLANE_API_KEY: 'sandbox-key' }
    await using running = follow(spawn(file, rest, { cwd: company, env, stdio: ['pipe', 'pipe', 'pipe'] }))
    running.child.stdin?.end()
    return await running.ended
  }

  const live = await run(['plan', '-o', 'json'])
  expect((await run(['record', '--out', 'recording.json', '--quiet'])).code).toBe(0)
  await rename(join(company, 'directory.yaml'), join(company, 'moved.yaml'))
  const recorded = await run(['plan', '--recorded', 'recording.json', '-o', 'json'], ['unshare', '-rn'])
  expect(recorded.code).toBe(live.code)
  const [ofRecording, ofLive] = [recorded, live].map(({ out }) => workspacesIn(out))
  expect(ofRecording).toEqual(ofLive)
  expect(ofLive?.map(({ workspace }) => workspace)).toEqual(['business', 'platform', 'product'])

  const text = await readFile(join(company, 'recording.json'), 'utf8')
  for (const secret of ['@example.com', 'ann.adams', 'sandbox-key', company, 'directory.yaml', './groups'])
    expect(text).not.toContain(secret)
})

type Workspace = Readonly<Record<string, unknown>> & { readonly workspace: string }
/** Moments and the state of the budget differ, and what is said of the recording itself. */
function workspacesIn(out: string): readonly Workspace[] {
  const { workspaces } = JSON.parse(out) as { readonly workspaces: readonly Workspace[] }
  const varying = new Set(['at', 'directories', 'cost', 'recorded'])
  return workspaces.map((workspace) => Object.fromEntries(Object.entries(workspace).filter(([name]) => !varying.has(name))) as Workspace)
}
