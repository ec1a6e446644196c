import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { realDisk } from '../../../src/journal/disk.ts'
import { dropKeptFiles, keepFiles, lastDeclarationFile, readKeptFiles } from '../../../src/journal/keptFiles.ts'

const disk = realDisk({ pid: 1, isAlive: () => false })
const { signal } = new AbortController()
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'last-declaration-'))
})
afterEach(() => rm(folder, { recursive: true }))

const bytes = (text: string) => Buffer.from(text)
const files = [
  { file: 'a.yaml', bytes: bytes('version: 1\n') },
  { file: 'teams/ü "quoted".yaml', bytes: bytes('') },
  { file: 'teams/z.yaml', bytes: Buffer.from([0xef, 0xbb, 0xbf, 0x0a, 0x00, 0xff]) },
]
const declaration = { lastValidMs: 1_700_000_000_000, hash: 'ab', files }
const read = () => readKeptFiles(lastDeclarationFile(folder), signal)
const content = (head: unknown, more = '') =>
  writeFile(lastDeclarationFile(folder), `${typeof head === 'string' ? head : JSON.stringify(head)}\n${more}`)

test('it is read as it was kept, byte by byte; only its owner may read it; nothing else is left in the folder', async () => {
  expect(await read()).toBeUndefined()
  expect(await keepFiles(lastDeclarationFile(folder), declaration, disk)).toBeUndefined()
  expect(await read()).toEqual(declaration)
  expect((await stat(lastDeclarationFile(folder))).mode & 0o777).toBe(0o600)

  await keepFiles(lastDeclarationFile(folder), { ...declaration, hash: 'cd', files: [] }, disk)
  expect(await read()).toEqual({ ...declaration, hash: 'cd', files: [] })
  expect(await readdir(folder)).toEqual(['last-valid-declaration'])

  await dropKeptFiles(lastDeclarationFile(folder), disk)
  expect(await read()).toBeUndefined()
  await dropKeptFiles(lastDeclarationFile(folder), disk)
})

test('a write that fails leaves the older one whole', async () => {
  await keepFiles(lastDeclarationFile(folder), declaration, disk)
  const full = {
    ...disk,
    open: async (...args: Parameters<typeof disk.open>) => {
      const file = await disk.open(...args)
      const write = () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' }))
      return {
        write,
        datasync: () => file.datasync(),
        truncate: (length: number) => file.truncate(length),
        placeAt: (path: string) => file.placeAt(path),
        close: () => file.close(),
      }
    },
  }
  await expect(keepFiles(lastDeclarationFile(folder), { ...declaration, hash: 'cd' }, full)).rejects.toThrow('no space')
  expect(await read()).toEqual(declaration)
  expect(await readdir(folder)).toEqual(['last-valid-declaration'])
  await keepFiles(lastDeclarationFile(folder), { ...declaration, hash: 'ef' }, disk)
  expect(await read()).toMatchObject({ hash: 'ef' })
})

test('names that are too long in sum, and too many bytes, are not kept', async () => {
  const long = Array.from({ length: 2_000 }, (_, n) => ({ file: `${'x'.repeat(1_000)}${n}.yaml`, bytes: bytes('') }))
  expect(await keepFiles(lastDeclarationFile(folder), { ...declaration, files: long }, disk)).toBe('the names of its files are too long')
  const large = [{ file: 'a.yaml', bytes: Buffer.alloc(21 * 1024 * 1024) }]
  expect(await keepFiles(lastDeclarationFile(folder), { ...declaration, files: large }, disk)).toContain('more than')
  expect(await readdir(folder)).toEqual([])
})

const head = { format: 1, lastValidMs: 1, hash: 'ab', files: [{ file: 'a.yaml', bytes: 3 }] }
describe('a file that is damaged, hostile or of a newer version is a sentence', () => {
  test.each<readonly [what: string, head: unknown, more: string]>([
    ['no JSON', 'version: 1', ''],
    ['an empty line', '', ''],
    ['null', 'null', 'abc'],
    ['a list', '[]', 'abc'],
    ['a newer format', { ...head, format: 2 }, 'abc'],
    ['no time', { ...head, lastValidMs: null }, 'abc'],
    ['a time that is a text', { ...head, lastValidMs: '1' }, 'abc'],
    ['no hash', { ...head, hash: undefined }, 'abc'],
    ['files that are no list', { ...head, files: { length: 1 } }, 'abc'],
    ['a file that is null', { ...head, files: [null] }, 'abc'],
    ['a name that is a number', { ...head, files: [{ file: 1, bytes: 3 }] }, 'abc'],
    [
      'a negative size',
      {
        ...head,
        files: [
          { file: 'a', bytes: -3 },
          { file: 'b', bytes: 6 },
        ],
      },
      'abc',
    ],
    [
      'half a byte',
      {
        ...head,
        files: [
          { file: 'a', bytes: 2.5 },
          { file: 'b', bytes: 0.5 },
        ],
      },
      'abc',
    ],
    ['a size beyond everything', { ...head, files: [{ file: 'a', bytes: 1e300 }] }, 'abc'],
    ['less than it says', head, 'ab'],
    ['more than it says', head, 'abcd'],
    ['a head without an end', `${JSON.stringify(head)}${' '.repeat(2 * 1024 * 1024)}`, 'abc'],
    ['deep brackets', '['.repeat(500_000), ''],
  ])('%s', async (_what, said, more) => {
    await content(said, more)
    expect(await read()).toEqual(expect.stringMatching(/so it is damaged/))
  })

  test('none of the checks above refuses the good one', async () => {
    await content(head, 'abc')
    expect(await read()).toEqual({ lastValidMs: 1, hash: 'ab', files: [{ file: 'a.yaml', bytes: bytes('abc') }] })
  })

  test('a folder, a device and a huge file', async () => {
    await mkdir(lastDeclarationFile(folder))
    expect(await read()).toBe('this is a folder, not a file')
    await rm(lastDeclarationFile(folder), { recursive: true })
    await symlink('/dev/zero', lastDeclarationFile(folder))
    expect(await read()).toBe('this is a device, not a file')
    await rm(lastDeclarationFile(folder))
    await writeFile(lastDeclarationFile(folder), Buffer.alloc(21 * 1024 * 1024))
    expect(await read()).toContain('the file is larger than')
  })

  test('a link in its place is replaced, not followed', async () => {
    const elsewhere = join(folder, 'elsewhere')
    await writeFile(elsewhere, 'untouched')
    await symlink(elsewhere, lastDeclarationFile(folder))
    await symlink(elsewhere, `${lastDeclarationFile(folder)}.new`)
    await keepFiles(lastDeclarationFile(folder), declaration, disk)
    expect(await readFile(elsewhere, 'utf8')).toBe('untouched')
    expect(await read()).toEqual(declaration)
  })
})
