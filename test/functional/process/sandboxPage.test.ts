import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { freePort } from '../freePorts.ts'
import { blockBelow, pagePort, program, sectionBelow } from '../sandboxPage.ts'

/** The examples of docs/sandbox.md as they are on the page, in bash. Only the port is another. */

type Shell = AsyncDisposable & {
  readonly folder: string
  readonly port: number
  /** Runs a script as GitHub Actions does. What it started in the background goes on until the end of the test. */
  readonly bash: (script: string, env?: Record<string, string>) => Promise<{ readonly code: number | null; readonly out: string }>
}

async function openShell(): Promise<Shell> {
  const folder = await mkdtemp(join(tmpdir(), 'plane-group-sync-page-'))
  const port = await freePort()
  await mkdir(join(folder, 'bin'))
  await symlink(program, join(folder, 'bin/plane-group-sync'))
  const groups: ChildProcess[] = []
  return {
    folder,
    port,
    async bash(script, env = {}) {
      const { PATH = '', HOME = '' } = process.env
      const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script.replaceAll(pagePort, String(port))], {
        cwd: folder,
        detached: true,
        env: { PATH: `${join(folder, 'bin')}:${PATH}`, HOME, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      groups.push(child)
      let out = ''
      for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (out += text))
      // `close` would wait for the sandbox, which keeps the streams.
      const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
      return { code, out }
    },
    async [Symbol.asyncDispose]() {
      for (const { pid = 0 } of groups) killGroup(pid)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // every process of the group has ended
  }
}

type Step = { readonly name: string; readonly run: string; readonly env?: Record<string, string>; readonly if?: string }

/** A client that looks before it sends again, or one that does not. */
const clientScript = (looks: boolean) => `#!/bin/bash
list=$PLANE_BASE_URL/api/v1/workspaces/acme/group-sync/project-mappings/
send() { curl --silent -H "X-API-Key: $PLANE_API_KEY" -H 'Content-Type: application/json' "$@" "$list"; }
create() { send -d '{"idp_group_name": "engineering", "project": "ENG", "role": "member"}'; }
create || ${looks ? 'send | grep --quiet engineering || ' : ''}create
`

describe('docs/sandbox.md', () => {
  test('the example with curl prints what the page shows', async () => {
    await using shell = await openShell()
    const commands = [...blockBelow('### With curl', 'console').matchAll(/^\$ (.*)\n((?:[^$].*\n)*)/gm)].map(
      ([, command = '', shown = '']) => ({ command, shown }),
    )
    expect(commands.length).toBeGreaterThan(5)
    // The sandbox starts in the background: the script waits until it answers, before the next command.
    const ready = `curl --silent --retry 60 --retry-delay 1 --retry-connrefused http://127.0.0.1:${pagePort}/_sandbox/ > ready`
    const lines = commands.map(({ command }, index) => [
      `{ ${command.replace(/^curl /, 'curl --silent ').replace(/ &$/, ' 2> log & sleep 0')}; }`,
      ...(index === 0 ? [ready] : []),
      `printf '\\n=====\\n'`,
    ])
    const { code, out } = await shell.bash(lines.flat().join('\n'))
    expect(code, out).toBe(0)
    const outputs = out.replaceAll('\r', '').split('\n=====\n')
    for (const [index, { command, shown }] of commands.entries()) {
      const pattern = shown.trim().replaceAll(pagePort, String(shell.port)).split('…').map(RegExp.escape).join('[^]*?')
      expect(outputs[index]?.trim(), command).toMatch(new RegExp(`^${pattern}$`))
    }
  })

  test('a declaration is planned with the files that the page shows', async () => {
    await using shell = await openShell()
    const section = sectionBelow('## Plan your own declaration')
    const files = [...section.matchAll(/```yaml\n# ~\/(trial\/\S+)\n([^]*?)```/g)].map(([, path = '', text = '']) => ({ path, text }))
    expect(files.map(({ path }) => path)).toEqual(['trial/config.yaml', 'trial/directory.yaml', 'trial/groups.yaml'])
    await mkdir(join(shell.folder, 'trial'))
    for (const { path, text } of files) await writeFile(join(shell.folder, path), text.replaceAll(pagePort, String(shell.port)))
    const { code, out } = await shell.bash(blockBelow('## Plan your own declaration', 'sh'), { HOME: shell.folder })
    expect(out).toContain('+ ENG  engineering → member  30 people')
    expect(code).toBe(0)
  })

  const { steps } = parse(blockBelow('### In CI', 'yaml')) as { steps: readonly Step[] }

  test.each([
    [true, 'goes through'],
    [false, 'fails at the step that counts'],
  ])('the steps in CI: a client that looks before it sends again: %s; it %s', async (looks) => {
    await using shell = await openShell()
    await writeFile(join(shell.folder, 'test-my-client'), clientScript(looks))
    await chmod(join(shell.folder, 'test-my-client'), 0o755)
    const ran: string[] = []
    let failed: string | undefined
    let log = ''
    for (const { name, run, env = {}, if: condition } of steps) {
      if ((condition === 'failure()') !== (failed !== undefined)) continue
      const here = Object.fromEntries(Object.entries(env).map(([key, value]) => [key, value.replaceAll(pagePort, String(shell.port))]))
      const { code, out } = await shell.bash(run, here)
      ran.push(name)
      if (condition !== undefined) log = out
      if (code !== 0) failed ??= `${name}: ${out}`
    }
    if (looks) return expect([failed, ran]).toEqual([undefined, steps.slice(0, -1).map(({ name }) => name)])
    expect(failed).toContain('Nothing was created twice')
    expect(ran).toEqual(steps.map(({ name }) => name))
    expect(log).toMatch(/POST \/api\/v1\/workspaces\/acme\/group-sync\/project-mappings\/ no answer in \d+ ms/)
  })
})
