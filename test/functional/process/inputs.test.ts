import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, symlink } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { openPlace, type Place } from './program.ts'

const declaration = { version: 1, workspaces: { acme: { projectRoles: [{ group: 'ops', project: 'OPS', role: 'guest' }] } } }
const open = () => openPlace({ declaration, groups: ['ops'] })

describe('what has no end is refused at once', () => {
  const ldap = { kind: 'ldap', addresses: ['ldap://127.0.0.1:9'], bind: 'anonymous', groups: { base: 'dc=a' }, caFile: '/dev/zero' }
  test.each<[name: string, args: readonly string[], settings: object, code: number, said: string]>([
    ['a saved plan', ['apply', '/dev/zero', '--yes'], {}, 64, '/dev/zero: this is a device, not a file'],
    [
      'a saved plan that is a pipe with a silent writer',
      ['apply', 'pipe', '--yes'],
      {},
      64,
      'pipe: nothing more came through this pipe within 2 s',
    ],
    ["the service's certificates", ['plan'], { service: { caFile: '/dev/zero' } }, 78, 'this is a device, not a file'],
    ["a directory's certificates", ['groups'], { directories: { corp: ldap } }, 78, 'this is a device, not a file'],
    ['a directory', ['groups'], { directories: { corp: { kind: 'file', path: '/dev/zero' } } }, 1, 'this is a device, not a file'],
    ['a secret', ['plan'], { service: { credential: { apiKey: { file: '/dev/zero' } } } }, 78, 'is not a regular file: this is a device'],
    ['a declaration', ['validate'], { declaration: '/dev/zero' }, 78, 'this is neither a file nor a folder'],
    ['a declaration that is a pipe', ['validate'], { declaration: 'pipe' }, 78, 'this is neither a file nor a folder'],
  ])('%s', async (_, args, settings, code, said) => {
    await using place = await open()
    execFileSync('mkfifo', [place.path('pipe')])
    await place.settings(settings)
    const ended = await place.run(args)
    expect(ended.out + ended.err).toContain(said)
    expect(ended.code).toBe(code)
    expect(ended.tookMs).toBeLessThan(45_000)
  })

  test.each<[name: string, make: (place: Place) => unknown, said: string]>([
    ['a device', (place) => symlink('/dev/zero', place.path('other')), 'this is a device, not a file'],
    ['a pipe', (place) => execFileSync('mkfifo', [place.path('other')]), 'nothing more came through this pipe within 2 s'],
    ['a large file', (place) => execFileSync('truncate', ['-s', '5G', place.path('other')]), 'the file is larger than 1024 KiB'],
  ])('settings, and the state of the sandbox: %s', async (_, make, said) => {
    await using place = await open()
    await make(place)
    // The command line ends with `--config` and its path. `wrap` replaces the path.
    const wrap = ([bin = '', ...rest]: readonly string[]) => [bin, ...rest.slice(0, -1), place.path('other')]
    const settings = await place.run(['validate'], { wrap })
    expect(settings).toMatchObject({ code: 78, err: expect.stringContaining(said) })
    const state = await place.run(['sandbox', '--port', '0', '--state', place.path('other')])
    expect(state).toMatchObject({ code: 64, err: expect.stringContaining(said.replace('1024 KiB', '16384 KiB')) })
  })
})

test('settings, a plan and a state may come through a pipe of the shell', async () => {
  await using place = await open()
  const piped =
    (file: string) =>
    ([bin = '', ...rest]: readonly string[]) => ['bash', '-c', `"$0" "$@" <(sleep 0.2; cat ${file})`, bin, ...rest.slice(0, -1)]
  await place.settings({ declaration: place.path('groups.yaml') })
  expect(await place.run(['validate'], { wrap: piped(place.path('config.yaml')) })).toMatchObject({ code: 0, err: '' })
  expect(await place.run(['plan', '--out', place.path('plan.json')])).toMatchObject({ code: 0 })
  const applied = await place.run(['apply', '--yes', '--no-wait'], {
    wrap: ([bin = '', ...rest]) => ['bash', '-c', `"$0" "$@" <(cat ${place.path('plan.json')})`, bin, ...rest],
  })
  expect(applied).toMatchObject({ code: 0, out: expect.stringContaining('Written (1)') })
})

test('a signal ends the wait for a pipe', async () => {
  await using place = await open()
  const running = place.start(['validate'], {
    wrap: ([bin = '', ...rest]) => ['bash', '-c', 'exec "$0" "$@" <(sleep 5)', bin, ...rest.slice(0, -1)],
  })
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  running.child.kill('SIGTERM')
  const [code, signal] = (await once(running.child, 'exit')) as [number | null, string | null]
  // After two seconds without a byte the wait ends by itself, with code 78.
  expect(signal ?? code).toBe('SIGTERM')
})

describe('a command saves nothing in the place of what it reads', () => {
  const corp = { kind: 'file', path: './directory.yaml' }
  test.each<[option: string, args: readonly string[], names: readonly string[]]>([
    ['--out', ['plan', '--out'], ['config.yaml', 'groups/acme.yaml', 'directory.yaml', 'key.txt']],
    ['--transcript', ['groups', '--transcript'], ['config.yaml', 'groups/acme.yaml', 'directory.yaml', 'key.txt']],
  ])('%s', async (option, args, names) => {
    await using place = await open()
    await mkdir(place.path('groups'))
    await place.write('groups/acme.yaml', declaration)
    await place.write('key.txt', 'key-of-a-test')
    await place.settings({ declaration: './groups', directories: { corp }, service: { credential: { apiKey: { file: './key.txt' } } } })
    for (const name of names) {
      const before = await place.read(name)
      const ended = await place.run([...args, place.path(name)])
      expect([name, ended.code, ended.err.replaceAll(/\s+/g, ' ')]).toEqual([
        name,
        64,
        expect.stringMatching(new RegExp(`${option} .*would (replace an input of this command|be a file of the declaration)`)),
      ])
      expect(await place.read(name)).toBe(before)
    }
    const added = await place.run([...args, place.path('groups/new.yml')])
    expect([added.code, added.err.replaceAll(/\s+/g, ' ')]).toEqual([64, expect.stringContaining('would be a file of the declaration')])
    expect(await readdir(place.path('groups'))).toEqual(['acme.yaml'])
  })
})

test('plan --out saves a plan beside the files of the declaration, if its name is none of theirs', async () => {
  await using place = await open()
  await mkdir(place.path('groups'))
  await place.write('groups/acme.yaml', declaration)
  await place.settings({ declaration: './groups' })
  for (const name of ['groups/plan.json', 'groups/.plan.yaml', 'plan.yaml'])
    expect(await place.run(['plan', '--out', place.path(name)])).toMatchObject({ code: 0 })
})

test('a signal ends the wait of plan --out for the reader of a pipe', async () => {
  await using place = await open()
  execFileSync('mkfifo', [place.path('pipe')])
  const running = place.start(['plan', '--out', place.path('pipe')])
  await running.until(() => running.out().includes('1 create'))
  running.child.kill('SIGTERM')
  // The end of the wait would be another code.
  expect((await running.ended).code).toBe(143)
})
