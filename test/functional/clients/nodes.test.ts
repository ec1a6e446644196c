import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSandbox } from '../../../src/sandbox/server.ts'

/** The program without development dependencies, on versions of Node that people have (.ci/install-nodes). */

const root = join(import.meta.dirname, '../../..')
const home = join(process.env['PLANE_GROUP_SYNC_CACHE'] ?? join(homedir(), '.cache/plane-group-sync'), 'nodes')
const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly engines: { readonly node: string } }
const needed = Number(/^>=(\d+)$/.exec(engines.node)?.[1])

function installed(path: string): string {
  if (existsSync(path)) return path
  throw new Error(`${path} is missing: install it with .ci/install-nodes`)
}

const folder = mkdtempSync(join(tmpdir(), 'nodes-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A copy of the program beside its dependencies at run time. */
beforeAll(() => {
  const lock = ['package-lock.json', 'package.json'].map((name) => readFileSync(join(root, name), 'utf8'))
  const dependencies = `program-${createHash('sha256').update(lock.join('')).digest('hex').slice(0, 16)}`
  for (const name of ['bin', 'src', 'package.json']) cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(installed(join(home, dependencies, 'installed')), '../node_modules'), join(folder, 'node_modules'))
})

/** Settings for this service, with a journal of their own, and a declaration with one change. */
function prepare(service: string, version: number): void {
  const settings = {
    version: 1,
    service: { baseUrl: service },
    workspaces: { acme: {} },
    declaration: 'groups.yaml',
    directories: { corp: { kind: 'file', path: 'corp.yaml' } },
    journal: { folder: `state-${version}` },
  }
  const rules = { projectRoles: [{ group: 'devs', project: 'ENG', role: 'member' }] }
  const files = {
    'config.yaml': settings,
    'groups.yaml': { version: 1, workspaces: { acme: rules } },
    'corp.yaml': { groups: [{ name: 'devs' }] },
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(content))
}

type Got = { readonly code: number; readonly stdout: string; readonly stderr: string }

async function start(version: number, args: readonly string[]): Promise<Got> {
  const node = installed(join(home, `node-${version}/node_modules/node/bin/node`))
  const env = { HOME: folder, PLANE_API_KEY: 'sandbox-key' }
  return promisify(execFile)(node, [join(folder, 'bin/plane-group-sync'), ...args], { cwd: folder, env }).then(
    (ended) => ({ code: 0, ...ended }),
    (error: unknown) => error as Got,
  )
}

describe.each([20, 22, 24, 26])('Node %i', (version) => {
  test.skipIf(version >= needed).each([['--version'], ['plan'], ['run', '--once']])(
    'is too old, and the program says so: %s',
    async (...args) => {
      await using sandbox = await startSandbox()
      prepare(sandbox.url, version)
      const { code, stdout, stderr } = await start(version, args)
      expect([code, stdout]).toEqual([78, ''])
      expect(stderr).toMatch(
        new RegExp(
          `^plane-group-sync needs Node ${needed} or later, and this is Node ${version}\\.\\d+\\.\\d+ \\(/.*\\)\\.\\n {2}Install .*\\n$`,
        ),
      )
      expect(stderr).toContain(`export PATH="${folder}/bin:${folder}/node_modules/.bin:$PATH"`)
      expect(sandbox.requests).toEqual([])
    },
  )

  test.skipIf(version < needed)('runs the program, and warns of nothing', async () => {
    await using sandbox = await startSandbox()
    prepare(sandbox.url, version)
    expect(await start(version, ['--version'])).toMatchObject({ code: 0, stderr: '' })
    expect(await start(version, ['validate'])).toMatchObject({ code: 0, stderr: '' })
    const plan = await start(version, ['plan', '--detailed-exitcode'])
    expect(plan).toMatchObject({ code: 2, stdout: expect.stringContaining('devs') as string })
    expect(plan.stderr).not.toMatch(/warning/i)
    const applied = await start(version, ['apply', '--yes', '--no-wait', '--quiet'])
    expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining('1 of 1 written') as string })
    // A failure of a command that holds resources: the first error is reported.
    const failed = await start(version, ['export', '--workspace', 'nowhere'])
    expect(failed).toMatchObject({ code: 64, stderr: expect.stringContaining('the settings name no workspace "nowhere"') as string })
  })
})
