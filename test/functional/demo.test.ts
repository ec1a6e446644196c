import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** The demo as `npm run demo` starts it. `said` returns its output so far. */
function startDemo(...args: readonly string[]): { readonly child: ChildProcess; readonly said: () => string } {
  const { NO_COLOR: _colours, ...env } = process.env
  const child = spawn(process.execPath, ['scripts/demo.ts', ...args], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()))
  child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()))
  return { child, said: () => said }
}

const found = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? `nothing like ${pattern} in:\n${text}`

test('shows validate, plan, apply and a plan with nothing to write, and leaves nothing', async () => {
  const beganMs = Date.now()
  const { child, said } = startDemo()
  const [code] = (await once(child, 'close')) as [number | null]
  const commands = [...said().matchAll(/^\$ bin\/plane-group-sync (\w+)/gm)].map(([, verb]) => verb)
  expect(commands, said()).toEqual(['sandbox', 'validate', 'plan', 'apply', 'plan'])
  expect(said()).toContain('plane-eng-devs')
  expect(said()).toContain('4 of 4 written')
  expect(said()).toMatch(/^nothing to write: 1 held, 1 undeclared \(1 protected\), 42 unchanged/m)
  expect(code).toBe(0)
  expect(existsSync(found(said(), /^\$ cp -r config\/demo (\S+)$/m))).toBe(false)
  // Two seconds on an idle machine.
  expect(Date.now() - beganMs).toBeLessThan(40_000)
})

test('the README names the commands of the demo', async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  expect(readme).toContain('npm ci       # in a clone, with npm on Node 20 or later\nnpm run demo # validate, plan, apply and plan again')
})

test('ends with its parent: npm does not pass SIGTERM on', async () => {
  // The shell of npm stays between npm and the demo, and ends at SIGTERM.
  const shell = spawn('sh', ['-c', '"$0" scripts/demo.ts --serve; :', process.execPath], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  shell.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()))
  for (let tries = 0; !said.includes('declare ') && tries < 300; tries++) await pause(100)
  shell.kill('SIGTERM')
  // The streams close when the demo and its daemon have ended, too.
  await once(shell, 'close')
  expect(said).toContain('Stopped')
  expect(existsSync(found(said, /^\$ cp -r config\/demo (\S+)$/m))).toBe(false)
})

test('leaves sandbox and daemon running when asked to, until it is stopped', async () => {
  const { child, said } = startDemo('--serve')
  try {
    for (let tries = 0; !said().includes('declare ') && tries < 200; tries++) await pause(100)
    expect((await fetch(found(said(), /^health +curl -s (\S+)$/m))).status).toBe(200)
    expect(await (await fetch(found(said(), /^metrics +curl -s (\S+)/m))).text()).toContain('plane_group_sync_owned_mappings')
    const mappings = await fetch(found(said(), /^API .* (\S+)$/m), { headers: { 'x-api-key': 'demo-key' } })
    expect(((await mappings.json()) as unknown[]).length).toBe(37)
  } finally {
    child.kill('SIGINT')
  }
  const [code] = (await once(child, 'close')) as [number | null]
  expect(said()).toContain('Stopped')
  expect(code).toBe(0)
  expect(existsSync(found(said(), /^\$ cp -r config\/demo (\S+)$/m))).toBe(false)
})
