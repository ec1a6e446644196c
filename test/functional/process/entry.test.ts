import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'

const program = join(import.meta.dirname, '../../../bin/plane-group-sync')

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'entry-'))
  onTestFinished(() => rm(made, { recursive: true }))
  return made
}

const start = (env: NodeJS.ProcessEnv, cwd?: string) =>
  promisify(execFile)(process.execPath, [program, '--version'], { cwd, env: { PATH: process.env['PATH'], ...env } })

const own = new RegExp(`^\\d+\\.\\d+\\.\\d+-node-${process.versions.node}[-0-9A-Za-z]{1,60}$`)

describe('the compile cache', () => {
  test.each([
    ['HOME', '.cache/plane-group-sync/compiled'],
    ['XDG_CACHE_HOME', 'plane-group-sync/compiled'],
  ])('is below %s, for this version of the program and of Node', async (variable, place) => {
    const home = await folder()
    const { stdout } = await start({ [variable]: home })
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(await readdir(join(home, place))).toEqual([expect.stringMatching(own)])
    await start({ [variable]: home })
    expect(await readdir(join(home, place))).toHaveLength(1)
  })

  test('a folder of the environment is used as it is', async () => {
    const [home, cache] = await Promise.all([folder(), folder()])
    await start({ HOME: home, NODE_COMPILE_CACHE: cache })
    expect(await readdir(home)).toEqual([])
    expect(await readdir(cache)).not.toEqual([])
  })

  test('an empty variable switches it off', async () => {
    const home = await folder()
    await start({ HOME: home, NODE_COMPILE_CACHE: '' })
    expect(await readdir(home)).toEqual([])
  })

  test.each([
    ['an empty home', { HOME: '' }],
    ['no home', {}],
    ['empty variables alone', { HOME: '', XDG_CACHE_HOME: '', LOCALAPPDATA: '' }],
  ])('an account with %s has none: neither at the root nor in the working directory', async (_which, env) => {
    // An account with the home / may have made one of them before.
    const absent = ['/.cache/plane-group-sync', '/plane-group-sync'].filter((path) => !existsSync(path))
    onTestFinished(() => Promise.all(absent.map((path) => rm(path, { recursive: true, force: true }))).then(() => undefined))
    const working = await folder()
    await start(env, working)
    expect(absent.filter((path) => existsSync(path))).toEqual([])
    expect(await readdir(working)).toEqual([])
  })

  test('keeps five folders: a new one takes the place of the oldest', async () => {
    const home = await folder()
    const all = join(home, '.cache/plane-group-sync/compiled')
    const old = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    for (const [index, name] of old.entries()) {
      await mkdir(join(all, name), { recursive: true })
      await utimes(join(all, name), 1_000 + index, 1_000 + index)
    }
    await start({ HOME: home })
    expect((await readdir(all)).toSorted()).toEqual([expect.stringMatching(own), 'd', 'e', 'f', 'g'])
  })
})

test('below node_modules, where Node runs no TypeScript, the entry says what to do', async () => {
  const home = await folder()
  const place = join(home, 'node_modules/plane-group-sync')
  await mkdir(place, { recursive: true })
  const { cp } = await import('node:fs/promises')
  const root = join(import.meta.dirname, '../../..')
  for (const name of ['bin', 'src', 'package.json']) await cp(join(root, name), join(place, name), { recursive: true })
  const failed: unknown = await promisify(execFile)(process.execPath, [join(place, 'bin/plane-group-sync'), 'plan']).catch(
    (error: unknown) => error,
  )
  expect(failed).toMatchObject({
    code: 78,
    stderr: expect.stringContaining('Node runs no TypeScript below a folder named node_modules') as string,
  })
})
