import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeBundle } from '../../../scripts/bundle/build.ts'
import { startSandbox } from '../../../src/sandbox/server.ts'
import { toolsFolder } from '../../toolsFolder.ts'

/** The program as a package or image has it, and as a clone has it, on versions of Node that people have (.ci/install-nodes). */

const root = join(import.meta.dirname, '../../..')
const home = join(toolsFolder, 'nodes')
const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly engines: { readonly node: string } }
const needed = Number(/^>=(\d+)$/.exec(engines.node)?.[1])

function installed(path: string): string {
  if (existsSync(path)) return path
  throw new Error(`${path} is missing: install it with .ci/install-nodes`)
}

const temporary = mkdtempSync(join(tmpdir(), 'nodes-'))
afterAll(() => rmSync(temporary, { recursive: true }))
const places = { bundle: join(temporary, 'bundle'), source: join(temporary, 'source') }

beforeAll(async () => {
  for (const folder of Object.values(places)) {
    mkdirSync(folder)
    for (const name of ['bin', 'package.json']) cpSync(join(root, name), join(folder, name), { recursive: true })
  }
  await writeBundle(join(places.bundle, 'dist'))
  cpSync(join(root, 'src'), join(places.source, 'src'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(places.source, 'node_modules'))
})

/** Settings for this service, with a journal of their own, and a declaration with one change. */
function prepare(folder: string, service: string, version: number): void {
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

async function start(folder: string, version: number, args: readonly string[]): Promise<Got> {
  const node = installed(join(home, `node_modules/node-${version}-${process.arch}/bin/node`))
  const env = { HOME: folder, PLANE_API_KEY: 'sandbox-key' }
  return promisify(execFile)(node, [join(folder, 'bin/plane-group-sync'), ...args], { cwd: folder, env }).then(
    (ended) => ({ code: 0, ...ended }),
    (error: unknown) => error as Got,
  )
}

const tried = [20, 22, 24, 26].flatMap((version) => [
  { version, of: 'bundle', folder: places.bundle },
  { version, of: 'source', folder: places.source },
])

describe.each(tried)('Node $version, $of', ({ version, of, folder }) => {
  test.skipIf(version >= needed).each([['--version'], ['plan'], ['run', '--once']])(
    'is too old, and the program says so: %s',
    async (...args) => {
      await using sandbox = await startSandbox()
      prepare(folder, sandbox.url, version)
      const { code, stdout, stderr } = await start(folder, version, args)
      expect([code, stdout]).toEqual([78, ''])
      expect(stderr).toMatch(
        new RegExp(
          `^plane-group-sync needs Node ${needed} or later, and this is Node ${version}\\.\\d+\\.\\d+ \\(/.*\\)\\.\\n {2}Install .*\\n$`,
        ),
      )
      // Only a clone has a Node of its own.
      const path = `export PATH="${folder}/bin:${folder}/node_modules/.bin:$PATH"`
      if (of === 'source') expect(stderr).toContain(path)
      else expect(stderr).not.toMatch(/clone|PATH/)
      expect(sandbox.requests).toEqual([])
    },
  )

  test.skipIf(version < needed)('runs the program, and warns of nothing', async () => {
    await using sandbox = await startSandbox()
    prepare(folder, sandbox.url, version)
    expect(await start(folder, version, ['--version'])).toMatchObject({ code: 0, stderr: '' })
    expect(await start(folder, version, ['validate'])).toMatchObject({ code: 0, stderr: '' })
    const plan = await start(folder, version, ['plan', '--detailed-exitcode'])
    expect(plan).toMatchObject({ code: 2, stdout: expect.stringContaining('devs') as string })
    expect(plan.stderr).not.toMatch(/warning/i)
    const applied = await start(folder, version, ['apply', '--yes', '--no-wait', '--quiet'])
    expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining('1 of 1 written') as string })
    // A failure of a command that holds resources: the first error is reported.
    const failed = await start(folder, version, ['export', '--workspace', 'nowhere'])
    expect(failed).toMatchObject({ code: 64, stderr: expect.stringContaining('the settings name no workspace "nowhere"') as string })
  })
})
