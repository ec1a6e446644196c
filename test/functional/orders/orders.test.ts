import { readdirSync, writeFileSync } from 'node:fs'
import { chmod, chown, lstat, mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { submitOrder } from '../../../src/orders/hand.ts'
import type { TakenOrder } from '../../../src/orders/watch.ts'
import { openDesk } from './desk.ts'

describe('an order', () => {
  test('is executed once and answered, and leaves no file', async () => {
    await using desk = await openDesk()
    await using _ = desk.watch()
    const asked = desk.ask({ verb: 'reconcile' })
    await desk.time.pass(5_000)
    expect(await asked.ended).toEqual({ kind: 'answered', answer: 'did {"verb":"reconcile"}' })
    expect([desk.executed, desk.refused, await desk.files(), asked.isTaken]).toEqual([[{ verb: 'reconcile' }], [], [], true])
  })

  test('is taken within two seconds', async () => {
    await using desk = await openDesk()
    await using _ = desk.watch()
    await desk.time.pass(10_500)
    const asked = desk.ask('now')
    await desk.time.pass(2_500)
    expect(desk.executed).toEqual(['now'])
    await desk.time.pass(2_000)
    expect((await asked.ended).kind).toBe('answered')
  })

  test('whose asker looks often is answered soon after the first look that sees it', async () => {
    await using desk = await openDesk()
    await using _ = desk.watch()
    await desk.time.pass(10_500)
    const asked = desk.ask('now', { stepMs: 50 })
    await desk.time.pass(1_200)
    expect(desk.executed).toEqual(['now'])
    expect((await asked.ended).kind).toBe('answered')
  })

  test('is taken whatever the umask of its asker', async () => {
    await using desk = await openDesk()
    await using _ = desk.watch()
    await desk.time.pass(1_000)
    const before = process.umask(0o277)
    try {
      const asked = desk.ask(1)
      await desk.time.pass(5_000)
      expect((await asked.ended).kind).toBe('answered')
    } finally {
      process.umask(before)
    }
  })

  test('that cannot be taken waits, is reported once, and stops no other', async () => {
    await using desk = await openDesk()
    const asked = desk.ask(1)
    await desk.time.pass(1_000)
    const [name = ''] = await desk.files()
    await mkdir(join(desk.orders, name.replace('.order', '.taken'), 'x'), { recursive: true })
    await using _ = desk.watch()
    await desk.time.pass(1_000)
    const other = desk.ask(2)
    await desk.time.pass(5_000)
    expect((await other.ended).kind).toBe('answered')
    expect([asked.isTaken, desk.executed, desk.refused]).toEqual([
      false,
      [2],
      [`${join(desk.orders, name)}: this order waits, because it cannot be taken: this is a folder`],
    ])
  })

  test('names the account that gave it', async () => {
    await using desk = await openDesk()
    await using _ = desk.watch()
    desk.ask(1)
    await desk.time.pass(5_000)
    expect(desk.taken[0]?.account).toMatch(new RegExp(`^(?:\\S+ \\(uid ${process.getuid?.()}\\)|uid ${process.getuid?.()})$`))
  })

  test('waits while nobody watches, and is taken by its daemon when that begins', async () => {
    await using desk = await openDesk()
    const asked = desk.ask('early')
    await desk.time.pass(30_000)
    expect(asked.isTaken).toBe(false)
    await using _ = desk.watch()
    await desk.time.pass(5_000)
    expect((await asked.ended).kind).toBe('answered')
  })

  test('of 64 KiB is taken, a larger one is not placed', async () => {
    await using desk = await openDesk()
    await using _ = desk.watch()
    const asked = [65_000, 66_000].map((length) => desk.ask('x'.repeat(length)))
    await desk.time.pass(5_000)
    const [small, large] = await Promise.all(asked.map(({ ended }) => ended))
    expect(small?.kind).toBe('answered')
    expect(large).toEqual({
      kind: 'gone',
      wasTaken: false,
      why: expect.stringMatching(/^the order has 66,\d\d\d bytes, and a daemon takes at most 64 KiB$/),
    })
    expect(await desk.files()).toEqual([])
  })
})

test('50 orders in flight are each executed once and get their own answer', async () => {
  await using desk = await openDesk()
  await using _ = desk.watch()
  const asked = Array.from({ length: 50 }, (_, index) => desk.ask(index))
  await desk.time.pass(10_000)
  const answers = await Promise.all(asked.map(({ ended }) => ended))
  expect(answers).toEqual(asked.map((_, index) => ({ kind: 'answered', answer: `did ${index}` })))
  expect(desk.executed.toSorted((a, b) => Number(a) - Number(b))).toEqual(asked.map((_, index) => index))
  expect(await desk.files()).toEqual([])
})

test('more than 100 orders without an answer are not taken, and wait', async () => {
  await using desk = await openDesk()
  await using _ = desk.watch()
  desk.onOrder = () => undefined
  const asked = Array.from({ length: 103 }, (_, index) => desk.ask(index))
  await desk.time.pass(20_000)
  expect([desk.taken.length, asked.filter(({ isTaken }) => isTaken).length, desk.refused]).toEqual([100, 100, []])
  desk.onOrder = (taken) => void taken.answer('late')
  for (const taken of desk.taken.slice(0, 100)) await taken.answer('done')
  await desk.time.pass(10_000)
  const answers = await Promise.all(asked.map(({ ended }) => ended))
  expect(Object.groupBy(answers, (one) => (one.kind === 'answered' ? String(one.answer) : one.kind))).toMatchObject({
    done: { length: 100 },
    late: { length: 3 },
  })
})

describe('an asker that is stopped', () => {
  test('before it began places nothing', async () => {
    await using desk = await openDesk()
    await rm(desk.orders, { recursive: true })
    expect(await desk.ask(1, { signal: AbortSignal.abort() }).ended).toEqual({ kind: 'withdrawn' })
    expect(await readdir(desk.folder)).toEqual([])
  })

  test('before the order is taken withdraws it', async () => {
    await using desk = await openDesk()
    const stop = new AbortController()
    const asked = desk.ask(1, { signal: stop.signal })
    await desk.time.pass(3_000)
    expect(await desk.files()).toEqual([expect.stringMatching(/\.order$/)])
    stop.abort()
    expect(await asked.ended).toEqual({ kind: 'withdrawn' })
    await using _ = desk.watch()
    await desk.time.pass(5_000)
    expect([desk.executed, await desk.files()]).toEqual([[], []])
  })

  test('after that leaves the order to the daemon', async () => {
    await using desk = await openDesk()
    await using _ = desk.watch()
    desk.onOrder = () => undefined
    const stop = new AbortController()
    const asked = desk.ask(1, { signal: stop.signal })
    await desk.time.pass(5_000)
    stop.abort()
    expect(await asked.ended).toEqual({ kind: 'left' })
    expect(desk.executed).toEqual([1])
  })

  test('when the answer is there already has the answer', async () => {
    await using desk = await openDesk()
    await using _ = desk.watch()
    desk.onOrder = () => undefined
    const stop = new AbortController()
    const asked = desk.ask(1, { signal: stop.signal })
    await desk.time.pass(5_000)
    await desk.taken[0]?.answer('yes')
    stop.abort()
    expect(await asked.ended).toEqual({ kind: 'answered', answer: 'yes' })
  })
})

test('an answer that comes in the moment in which the asker is stopped, or finds no daemon, is not lost', async () => {
  await using desk = await openDesk()
  await using _ = desk.watch()
  desk.onOrder = () => undefined
  const { signal } = new AbortController()
  let isStopped = false
  Object.defineProperty(signal, 'aborted', {
    get() {
      if (isStopped) writeAnswer('first')
      return isStopped
    },
  })
  const writeAnswer = (answer: string) => {
    const taken = readdirSync(desk.orders).find((name) => name.endsWith('.taken')) as string
    writeFileSync(join(desk.orders, taken.replace('.taken', '.answer')), JSON.stringify({ answer }), { mode: 0o600 })
  }
  const stopped = desk.ask(1, { signal })
  await desk.time.pass(5_000)
  isStopped = true
  await desk.time.pass(2_000)
  expect(await stopped.ended).toEqual({ kind: 'answered', answer: 'first' })

  let looks = 0
  const holder = () => {
    if (desk.executed.length < 2) return Promise.resolve('run-1')
    // The third look without a daemon is the last one.
    if (++looks === 3) writeAnswer('second')
    return Promise.resolve(undefined)
  }
  const options = { folder: desk.folder, run: 'run-1', clock: desk.time, holder }
  const abandoned = desk.time.party(submitOrder(2, options, new AbortController().signal))
  await desk.time.pass(8_000)
  expect([await abandoned, desk.executed]).toEqual([{ kind: 'answered', answer: 'second' }, [1, 2]])
})

describe('if the daemon ends', () => {
  test('before it took the order, the order is withdrawn', async () => {
    await using desk = await openDesk()
    const asked = desk.ask(1)
    await desk.time.pass(3_000)
    desk.holder = undefined
    await desk.time.pass(4_000)
    expect(await asked.ended).toEqual({ kind: 'gone', why: 'the daemon ended before it took the order', wasTaken: false })
    await using _ = desk.watch()
    await desk.time.pass(5_000)
    expect(desk.executed).toEqual([])
  })

  test('after it took the order, the asker says so', async () => {
    await using desk = await openDesk()
    desk.onOrder = () => undefined
    const watch = desk.watch()
    const asked = desk.ask(1)
    await desk.time.pass(3_000)
    await watch[Symbol.asyncDispose]()
    desk.holder = 'run-2'
    await desk.time.pass(4_000)
    const why = 'the daemon was replaced by another process after it took the order, and left no answer'
    expect(await asked.ended).toEqual({ kind: 'gone', why, wasTaken: true })
  })

  test('and its lock is missing at one look only, the asker waits on', async () => {
    await using desk = await openDesk()
    const asked = desk.ask(1)
    await desk.time.pass(3_000)
    desk.holder = undefined
    await desk.time.pass(1_000)
    desk.holder = 'run-1'
    await desk.time.pass(20_000)
    await using _ = desk.watch()
    await desk.time.pass(5_000)
    expect((await asked.ended).kind).toBe('answered')
  })

  test('what it has taken can still be answered after the watch', async () => {
    await using desk = await openDesk()
    desk.onOrder = () => undefined
    const watch = desk.watch()
    const asked = desk.ask(1)
    await desk.time.pass(3_000)
    await watch[Symbol.asyncDispose]()
    await desk.taken[0]?.answer('last')
    await desk.time.pass(2_000)
    expect(await asked.ended).toEqual({ kind: 'answered', answer: 'last' })
  })

  test('the next one deletes the orders for it, and the asker knows that they were not executed', async () => {
    await using desk = await openDesk()
    const asked = desk.ask(1)
    await desk.time.pass(1_000)
    desk.holder = 'run-2'
    await using _ = desk.watch('run-2')
    await desk.time.pass(1_000)
    const why = 'the daemon was replaced by another process before it took the order'
    expect(await asked.ended).toEqual({ kind: 'gone', why, wasTaken: false })
    expect([desk.executed, desk.refused, await desk.files()]).toEqual([
      [],
      [expect.stringMatching(/this order is for another process than this daemon\. It was not executed, and it was deleted$/)],
      [],
    ])
  })
})

describe('an answer', () => {
  test('that nobody fetches is deleted after a minute', async () => {
    await using desk = await openDesk()
    await using _ = desk.watch()
    const stop = new AbortController()
    desk.onOrder = () => undefined
    const asked = desk.ask(1, { signal: stop.signal })
    await desk.time.pass(5_000)
    stop.abort()
    await asked.ended
    await desk.taken[0]?.answer('unread')
    await desk.time.pass(60_000)
    expect(await desk.files()).toEqual([expect.stringMatching(/\.answer$/)])
    await desk.time.pass(3_000)
    expect(await desk.files()).toEqual([])
  })

  test('counts once', async () => {
    await using desk = await openDesk()
    await using _ = desk.watch()
    desk.onOrder = () => undefined
    const asked = desk.ask(1)
    await desk.time.pass(5_000)
    const [taken] = desk.taken as [TakenOrder]
    await Promise.all([taken.answer('one'), taken.answer('two').catch(() => undefined)])
    await desk.time.pass(2_000)
    expect(await asked.ended).toEqual({ kind: 'answered', answer: 'one' })
    await taken.answer('three')
    expect([await desk.files(), desk.refused]).toEqual([[], []])
  })

  test('of more than 32 MiB is reported at both ends', async () => {
    await using desk = await openDesk()
    await using _ = desk.watch()
    desk.onOrder = (taken) => void taken.answer('x'.repeat(32 * 1024 * 1024))
    const asked = desk.ask(1)
    await desk.time.pass(5_000)
    expect(await asked.ended).toEqual({
      kind: 'gone',
      why: 'the daemon took the order, but its answer is missing; its log may say more',
      wasTaken: true,
    })
    expect(desk.refused).toEqual([`${desk.orders}: an order was executed, but its answer cannot be saved: it is larger than 32 MiB`])
    expect(await desk.files()).toEqual([])
  })

  test('that cannot be saved after the watch ended does not keep the asker waiting', async () => {
    await using desk = await openDesk()
    desk.onOrder = () => undefined
    const watch = desk.watch()
    const asked = desk.ask(1)
    await desk.time.pass(3_000)
    await watch[Symbol.asyncDispose]()
    await desk.taken[0]?.answer('x'.repeat(32 * 1024 * 1024))
    await desk.time.pass(2_000)
    expect([await asked.ended, await desk.files()]).toMatchObject([{ kind: 'gone', wasTaken: true }, []])
  })

  test('whose name is in use leaves no draft', async () => {
    await using desk = await openDesk()
    const watch = desk.watch()
    desk.onOrder = () => undefined
    desk.ask(1)
    await desk.time.pass(3_000)
    const [name = ''] = await desk.files()
    const inTheWay = name.replace('.taken', '.answer')
    await mkdir(join(desk.orders, inTheWay, 'x'), { recursive: true })
    await watch[Symbol.asyncDispose]()
    await desk.taken[0]?.answer('yes')
    expect(await desk.files()).toEqual([inTheWay])
    expect(desk.refused).toEqual([`${desk.orders}: an order was executed, but its answer cannot be saved: this is a folder`])
  })

  test('that is no answer of this account is not believed', async () => {
    await using desk = await openDesk()
    await using _ = desk.watch()
    desk.onOrder = () => undefined
    const asked = desk.ask(1)
    await desk.time.pass(5_000)
    const [name = ''] = await desk.files()
    const answer = join(desk.orders, name.replace('.taken', '.answer'))
    await writeFile(answer, '{"answer":1}')
    // The umask of this process may take rights from a new file.
    await chmod(answer, 0o644)
    await desk.time.pass(2_000)
    expect(await asked.ended).toMatchObject({
      kind: 'gone',
      why: expect.stringMatching(/has the mode 0644 instead of 0600$/),
      wasTaken: true,
    })
  })
})

test('a daemon that throws on an order says so, and takes the next one', async () => {
  await using desk = await openDesk()
  await using _ = desk.watch()
  desk.onOrder = () => {
    throw new Error('no such verb')
  }
  const asked = desk.ask(1)
  await desk.time.pass(5_000)
  expect(await asked.ended).toMatchObject({ kind: 'gone', wasTaken: true })
  expect(desk.refused).toEqual([`${desk.orders}: an order was taken, but could not be executed: no such verb`])
  desk.onOrder = (taken) => void taken.answer('yes')
  const other = desk.ask(2)
  await desk.time.pass(5_000)
  expect(await other.ended).toEqual({ kind: 'answered', answer: 'yes' })
  expect(desk.executed).toEqual([1, 2])
})

describe('at its start the daemon', () => {
  test('deletes what an earlier one left: taken orders at once, other files after a minute', async () => {
    await using desk = await openDesk()
    for (const name of ['a.taken', 'b.answer', 'c.answer-draft', 'notes.txt']) await writeFile(join(desk.orders, name), '', { mode: 0o600 })
    await mkdir(join(desk.orders, 'd.probe'))
    await using _ = desk.watch()
    await desk.time.pass(2_000)
    expect(await desk.files()).toEqual(['b.answer', 'c.answer-draft', 'd.probe', 'notes.txt'])
    await desk.time.pass(62_000)
    expect([await desk.files(), desk.executed]).toEqual([[], []])
  })
})

describe('a folder that cannot be used', () => {
  const ends = /\. The daemon takes no orders until this is mended$/

  test('is made by the asker or the daemon, for this account alone', async () => {
    await using desk = await openDesk()
    await rm(desk.orders, { recursive: true })
    await using _ = desk.watch()
    await desk.time.pass(1_000)
    expect((await lstat(desk.orders)).mode & 0o777).toBe(0o700)
    await chmod(desk.orders, 0o777)
    await desk.time.pass(2_000)
    expect((await lstat(desk.orders)).mode & 0o777).toBe(0o700)
  })

  test.each([
    ['a file', (path: string) => writeFile(path, ''), /: this is not a folder, and .*; move it away/],
    ['a link', (path: string) => symlink('/tmp', path), /: this is not a folder, and .*; move it away/],
    [
      'not to be made, because the journal is gone',
      (path: string) => rm(join(path, '..'), { recursive: true }),
      /^\S*(?<!\/orders): there is no such folder; look for a job that cleans up there, or for a volume that was unmounted/,
    ],
  ])('is %s: both say so, the daemon once, and it goes on', async (_what, make, why) => {
    await using desk = await openDesk()
    await rm(desk.orders, { recursive: true })
    await make(desk.orders)
    await using _ = desk.watch()
    await desk.time.pass(10_000)
    expect(desk.refused).toEqual([expect.stringMatching(ends)])
    expect(desk.refused).toEqual([expect.stringMatching(why)])
    expect(await desk.ask(1).ended).toMatchObject({ kind: 'gone', why: expect.stringMatching(why), wasTaken: false })
    await rm(desk.orders, { recursive: true, force: true })
    await mkdir(desk.orders, { recursive: true, mode: 0o700 })
    const asked = desk.ask(2)
    await desk.time.pass(5_000)
    expect((await asked.ended).kind).toBe('answered')
  })

  test('that vanishes under an order ends it: it was not executed', async () => {
    await using desk = await openDesk()
    const asked = desk.ask(1)
    await desk.time.pass(2_000)
    await rename(desk.orders, `${desk.orders}-moved`)
    await desk.time.pass(2_000)
    expect(await asked.ended).toMatchObject({ kind: 'gone', wasTaken: false })
  })

  test.runIf(process.getuid?.() === 0)('belongs to another account: both say so', async () => {
    await using desk = await openDesk()
    await chown(desk.orders, 12_345, 12_345)
    await using _ = desk.watch()
    await desk.time.pass(10_000)
    const why =
      /: this folder belongs to account 12345 \(mode 0700\), and this process may not use it; an order needs the account of the daemon/
    expect(desk.refused).toEqual([expect.stringMatching(why)])
    expect(await desk.ask(1).ended).toMatchObject({ kind: 'gone', why: expect.stringMatching(why) })
    expect(await readdir(desk.orders)).toEqual([])
  })
})

test('the asker never waits for its own clock to end when it is stopped', async () => {
  await using desk = await openDesk()
  const clock = { now: () => 0, sleep: (_ms: number, signal: AbortSignal) => pause(2 ** 30, undefined, { signal }) }
  const stop = new AbortController()
  const ended = submitOrder(1, { folder: desk.folder, run: 'x', clock, holder: () => Promise.resolve('x') }, stop.signal)
  await pause(100)
  stop.abort()
  expect(await ended).toEqual({ kind: 'withdrawn' })
})
