import { execFileSync } from 'node:child_process'
import { mkdir, stat, symlink } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { openPlace, stateOf, writesTo } from './program.ts'

const groups = ['a', 'b', 'c']
const declaration = { version: 1, workspaces: { acme: { projectRoles: [{ groups, project: 'ENG', role: 'member' }] } } }
const raw = /\n\s+at |Error: E[A-Z]+|errno|syscall/

/** Standard output goes to a device that is always full. */
const toFullDevice = { wrap: (command: readonly string[]) => ['bash', '-c', '"$@" > /dev/full', 'bash', ...command] }

describe.concurrent('no error of the system reaches a person as it is', () => {
  test.each([
    ['plan', ['plan']],
    ['apply', ['apply', '--yes']],
    ['a document', ['plan', '--format', 'json']],
    ['export', ['export']],
    ['schema', ['schema', 'settings']],
    ['help', ['--help']],
  ])('standard output on a full device: %s', async (_what, args) => {
    await using place = await openPlace({ declaration, groups })
    const { code, err } = await place.run(args, toFullDevice)
    expect(err).toContain('standard output cannot be written: the disk is full, or its file system takes no further file')
    expect(err).not.toMatch(raw)
    expect(code).toBe(1)
    if (args[0] === 'apply') expect(stateOf(place.sandbox)).toHaveLength(groups.length)
  })

  test.each([
    ['/dev/full', 'the disk is full'],
    ['nowhere/plan.json', 'there is no such folder'],
    ['.', 'this is a folder'],
  ])('--out %s', async (out, why) => {
    await using place = await openPlace({ declaration, groups })
    const { code, err } = await place.run(['plan', '--out', out])
    expect(err).toContain(`--out ${out}: the plan could not be saved: ${why}`)
    expect(err).not.toMatch(raw)
    expect(code).toBe(1)
  })

  test('--out through a link: the file behind it stays as it is', async () => {
    await using place = await openPlace({ declaration, groups })
    await place.write('other', 'of another person')
    await symlink(place.path('other'), place.path('plan.json'))
    const { code, err } = await place.run(['plan', '--out', 'plan.json'])
    expect(err).toContain('--out plan.json: the plan could not be saved: this is a link, and the file must have this name itself')
    expect([code, await place.read('other')]).toEqual([1, 'of another person'])
    expect((await place.run(['plan', '--out', 'other'])).code).toBe(0)
    expect((await stat(place.path('other'))).mode & 0o777).toBe(0o600)
  })

  test.each([
    ['a folder', 'plan', 'journal-000001.jsonl'],
    ['a folder', 'apply', 'journal-000001.jsonl'],
    ['a folder', 'apply', 'lock'],
    ['a pipe', 'plan', 'journal-000001.jsonl'],
    ['a pipe', 'apply', 'journal-000001.jsonl'],
    ['a pipe', 'apply', 'lock'],
    ['a link', 'plan', 'journal-000001.jsonl'],
    ['a link', 'apply', 'lock'],
  ])('%s with the name of a file of the journal: %s, %s', async (kind, command, name) => {
    await using place = await openPlace({ declaration, groups })
    await mkdir(place.path('state'))
    const path = place.path(`state/${name}`)
    if (kind === 'a folder') await mkdir(path)
    else if (kind === 'a link') await symlink('/dev/zero', path)
    else execFileSync('mkfifo', [path])
    const { code, err, tookMs } = await place.run([command, ...(command === 'apply' ? ['--yes'] : [])])
    expect(err).toContain(`state/${name}: this file is ${kind === 'a link' ? kind : 'not a regular file'}, so it is not believed`)
    expect(err).not.toMatch(raw)
    expect([code, writesTo(place.sandbox)]).toEqual([1, []])
    expect(tookMs).toBeLessThan(45_000)
  })

  test.each(['plan', 'apply'])('a line of the journal that is JSON and no entry: %s', async (command) => {
    await using place = await openPlace({ declaration, groups })
    await place.run(['apply', '--yes'])
    const file = 'state/journal-000001.jsonl'
    const lines = (await place.read(file)).split('\n')
    await place.write(file, lines.with(2, '{"entry":"result","atMs":"yesterday","run":7}').join('\n'))
    const { code, err } = await place.run([command, ...(command === 'apply' ? ['--yes'] : [])])
    expect(err).toContain('journal-000001.jsonl:3: this line is no entry of a journal; stop the program')
    expect(err).not.toMatch(raw)
    expect(code).toBe(1)
  })
})
