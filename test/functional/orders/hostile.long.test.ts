import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, chown, lchown, link, mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { headOf, orderContent } from '../../../src/orders/orderFiles.ts'
import { type Desk, openDesk } from './desk.ts'

const isRoot = process.getuid?.() === 0

type Made = { readonly path: string; readonly nonce: string; readonly elsewhere: string }
const contentOf = (nonce: string, run = 'run-1') => orderContent(run, nonce, 'hostile')
/** A file that is a good order in all but one respect. */
const good = ({ path, nonce }: Made, mode = 0o600) => writeFile(path, contentOf(nonce), { mode })

/** Makes an order by hand, touches it once a second for half a minute, and returns what became of it. */
async function afterTouches(
  desk: Desk,
  make: (made: Made) => Promise<unknown>,
  isTouched = true,
  nameOf = (nonce: string) => `${nonce}.order`,
) {
  await using _ = desk.watch()
  const nonce = randomUUID()
  const made: Made = { path: join(desk.orders, nameOf(nonce)), nonce, elsewhere: join(desk.folder, 'elsewhere') }
  await make(made)
  for (let second = 1; second <= 30; second++) {
    if (isTouched) await utimes(made.path, second, second).catch(() => undefined)
    await desk.time.pass(1_000)
  }
  return { executed: desk.executed, left: await desk.files(), refused: desk.refused.map((why) => why.replace(made.path, '…')) }
}

test('an order that is made by hand and obeys all rules is executed', async () => {
  await using desk = await openDesk()
  expect(await afterTouches(desk, good)).toMatchObject({ executed: ['hostile'], refused: [] })
})

const deleted = 'It was not executed, and it was deleted'

describe('never executed, and deleted:', () => {
  test.each<[string, (made: Made) => Promise<unknown>, string]>([
    [
      'a link to a good order',
      async (made) => {
        await good({ ...made, path: made.elsewhere })
        await symlink(made.elsewhere, made.path)
      },
      'is not a regular file',
    ],
    [
      'a hard link to a good order',
      async (made) => {
        await good({ ...made, path: made.elsewhere })
        await link(made.elsewhere, made.path)
      },
      'has a second name (a hard link)',
    ],
    ['a pipe', ({ path }) => Promise.resolve(execFileSync('mkfifo', ['-m', '600', path])), 'is not a regular file'],
    ['an empty folder', ({ path }) => mkdir(path), 'is not a regular file'],
    ['0644', (made) => good(made).then(() => chmod(made.path, 0o644)), 'has the mode 0644 instead of 0600'],
    ['0400, as of a taken order', (made) => good(made, 0o400), 'has the mode 0400 instead of 0600'],
    ['4600', (made) => good(made).then(() => chmod(made.path, 0o4600)), 'has the mode 4600 instead of 0600'],
    [
      'one byte more than 64 KiB',
      async ({ path, nonce }) => {
        const content = orderContent('run-1', nonce, '')
        await writeFile(path, Buffer.concat([content, Buffer.alloc(64 * 1024 + 1 - content.length, ' ')]), { mode: 0o600 })
      },
      'is larger than 64 KiB',
    ],
    [
      'for another run',
      ({ path, nonce }) => writeFile(path, contentOf(nonce, 'run-2'), { mode: 0o600 }),
      'is for another process than this daemon',
    ],
    [
      'with the nonce of another',
      ({ path }) => writeFile(path, contentOf(randomUUID()), { mode: 0o600 }),
      'is for another process than this daemon',
    ],
    ['empty', ({ path }) => writeFile(path, '', { mode: 0o600 }), 'is for another process than this daemon'],
    ['no JSON', ({ path, nonce }) => writeFile(path, `${headOf('run-1', nonce).toString()}{`, { mode: 0o600 }), 'is no valid JSON'],
  ])('%s', async (_what, make, why) => {
    await using desk = await openDesk()
    expect(await afterTouches(desk, make)).toEqual({ executed: [], left: [], refused: [`…: this order ${why}. ${deleted}`] })
  })

  test.runIf(isRoot)('a file of another account, and a link of it', async () => {
    await using desk = await openDesk()
    const ofAnother = (made: Made) => good(made).then(() => chown(made.path, 12_345, 0))
    const why = `…: this order belongs to account 12345 instead of 0 (mode 0600). ${deleted}`
    expect(await afterTouches(desk, ofAnother)).toEqual({ executed: [], left: [], refused: [why] })
    const linked = (made: Made) => symlink('/etc/passwd', made.path).then(() => lchown(made.path, 12_345, 0))
    expect(await afterTouches(desk, linked)).toMatchObject({ executed: [], left: [] })
  })

  test('an order that nobody touches, unread', async () => {
    await using desk = await openDesk()
    const found = await afterTouches(desk, good, false)
    expect(found).toEqual({ executed: [], left: [], refused: [`…: its asker did not touch this order for 10 s. ${deleted}`] })
  })

  test.each(['\u001b[31m', '../', ' ', 'é', 'x'.repeat(200)])('a name that begins with %j, after a minute', async (start) => {
    await using desk = await openDesk()
    await using _ = desk.watch()
    const nonce = randomUUID()
    const path = join(desk.orders, `${start}${nonce}.order`)
    await good({ path, nonce, elsewhere: '' })
    for (let second = 1; second <= 70; second++) {
      await utimes(path, second, second).catch(() => undefined)
      await desk.time.pass(1_000)
    }
    expect([desk.executed, await desk.files(), desk.refused]).toEqual([[], [], []])
  })
})

test('a folder with files has the name of an order: it stays, is reported once, and others are executed', async () => {
  await using desk = await openDesk()
  const found = await afterTouches(desk, async ({ path }) => {
    await mkdir(path)
    await writeFile(join(path, 'file'), '')
  })
  expect(found).toMatchObject({ executed: [], left: [expect.stringMatching(/\.order$/)] })
  expect(found.refused).toEqual(['…: this order is not a regular file. It was not executed, and it cannot be deleted'])
  await using _ = desk.watch()
  const asked = desk.ask('mine')
  await desk.time.pass(5_000)
  expect((await asked.ended).kind).toBe('answered')
})

test('an order that had to wait, and whose asker is gone by then, is not executed when there is room', async () => {
  await using desk = await openDesk()
  await using _ = desk.watch()
  desk.onOrder = () => undefined
  for (let index = 0; index < 100; index++) desk.ask(index)
  await desk.time.pass(5_000)
  expect(desk.executed.length).toBe(100)
  const nonce = randomUUID()
  const path = join(desk.orders, `${nonce}.order`)
  await good({ path, nonce, elsewhere: '' })
  await desk.time.pass(2_000)
  await utimes(path, 1, 1)
  await desk.time.pass(15_000)
  for (const taken of desk.taken.slice(0, 50)) await taken.answer('')
  await desk.time.pass(15_000)
  expect([desk.executed.includes('hostile'), desk.refused.length]).toEqual([false, 1])
})

test('a flood of files is reported and does not end the watch', async () => {
  await using desk = await openDesk()
  await using _ = desk.watch()
  for (let index = 0; index < 1_100; index++) await mkdir(join(desk.orders, `${index}`, 'x'), { recursive: true })
  await desk.time.pass(3_000)
  expect(desk.refused).toEqual([expect.stringMatching(/this folder has 1,000 files or more, and only so many are looked at; remove those/)])
  expect((await readdir(desk.orders)).length).toBe(1_100)
})
