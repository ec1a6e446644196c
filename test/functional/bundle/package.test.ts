import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { layOut, root, temporaryFolder } from './layOut.ts'

/** The package needs nothing but Node. npm works offline here. */

const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { readonly version: string }
const home = await temporaryFolder()
const run = promisify(execFile)
const npm = (args: readonly string[], cwd: string) =>
  run('npm', [...args], { cwd, env: { ...process.env, HOME: home, npm_config_cache: join(home, 'npm'), npm_config_offline: 'true' } })

test('npm pack makes one file of the package, without the source', async () => {
  const { stdout } = await npm(['pack', await layOut(), '--json', '--pack-destination', home], home)
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ readonly filename: string; readonly files: { path: string }[] }]
  const paths = packed.files.map(({ path }) => path)
  expect(packed.filename).toBe(`plane-group-sync-${version}.tgz`)
  expect(paths).toEqual(
    expect.arrayContaining([
      'LICENSE',
      'README.md',
      'bin/plane-group-sync',
      'dist/main.js',
      'dist/THIRD-PARTY.txt',
      'dist/worker.js',
      'package.json',
    ]),
  )
  expect(paths.filter((path) => !/^(?:bin|dist)\/|^(?:LICENSE|README\.md|package\.json)$/.test(path))).toEqual([])
})

test('its manifest asks for no other package', async () => {
  const manifest = JSON.parse(await readFile(join(await layOut(), 'package.json'), 'utf8')) as Record<string, unknown>
  expect(Object.keys(manifest).filter((name) => /dependencies|scripts/i.test(name))).toEqual([])
})

test('npm install --global makes the command from it, and installs no other package', async () => {
  const prefix = join(home, 'global')
  const { stdout } = await npm(['install', '--global', '--prefix', prefix, `./plane-group-sync-${version}.tgz`], home)
  expect(stdout).toContain('added 1 package')
  const env = { PATH: dirname(process.execPath), HOME: home }
  expect((await run(join(prefix, 'bin/plane-group-sync'), ['--version'], { env })).stdout).toBe(`${version}\n`)
  const config = join(root, 'config/example-company/config.yaml')
  const { stdout: valid } = await run(join(prefix, 'bin/plane-group-sync'), ['validate', '--config', config], { env })
  expect(valid).toContain('valid: 810 mappings')
})

test('npx runs it as a file', async () => {
  const { stdout } = await npm(['exec', '--yes', '--', `./plane-group-sync-${version}.tgz`, '--version'], home)
  expect(stdout).toBe(`${version}\n`)
})
