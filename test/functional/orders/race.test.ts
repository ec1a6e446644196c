import { link, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type PlacedOrder, placeOrder } from '../../../src/orders/hand.ts'
import { takeOrder } from '../../../src/orders/look.ts'
import { filesOf, orderBytesMax } from '../../../src/orders/orderFiles.ts'
import { type OwnFile, openOwn, removeName } from '../../../src/orders/ownFile.ts'

let folder = ''
let orders = ''
let nonce = ''
let placed: PlacedOrder
let file: OwnFile
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orders-'))
  orders = join(folder, 'orders')
  placed = (await placeOrder('x', 'run', folder)) as PlacedOrder
  nonce = ((await readdir(orders))[0] as string).replace('.order', '')
  const bounds = { uid: BigInt(process.getuid?.() ?? 0), bytesMax: orderBytesMax }
  file = (await openOwn(filesOf(orders, nonce).order, bounds)) as OwnFile
})
afterEach(async () => {
  await file[Symbol.asyncDispose]()
  await placed[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** The daemon's file. Another process does something directly before or after the daemon marks it. */
function withMoment(moments: { readonly before?: () => Promise<unknown>; readonly after?: () => Promise<unknown> }): OwnFile {
  const handle = new Proxy(file.handle, {
    get(target, name) {
      if (name !== 'chmod') return (target[name as 'stat'] as (...all: unknown[]) => unknown).bind(target)
      return async (mode: number) => {
        await moments.before?.()
        await target.chmod(mode)
        await moments.after?.()
      }
    },
  })
  return { ...file, handle }
}

const take = (moments: Parameters<typeof withMoment>[0] = {}) => takeOrder(orders, nonce, withMoment(moments))

describe('daemon and asker agree who was first', () => {
  test('the asker withdraws before the daemon takes', async () => {
    expect([await placed.withdraw(), await take(), await placed.state()]).toEqual([true, false, 'deleted'])
  })

  test('the asker withdraws between the name and the mark', async () => {
    let isWithdrawn: boolean | undefined
    const isTaken = await take({ before: async () => void (isWithdrawn = await placed.withdraw()) })
    expect([isTaken, isWithdrawn, await readdir(orders)]).toEqual([false, true, []])
  })

  test('the asker withdraws after the mark, before the check', async () => {
    let isWithdrawn: boolean | undefined
    const isTaken = await take({ after: async () => void (isWithdrawn = await placed.withdraw()) })
    expect([isTaken, isWithdrawn, await placed.state()]).toEqual([true, false, 'taken'])
  })

  test('the asker withdraws after the daemon has taken', async () => {
    expect([await take(), await placed.withdraw(), await placed.state()]).toEqual([true, false, 'taken'])
  })

  test('the next daemon cleans up between the name and the mark: the asker sees that it was not executed', async () => {
    let seen: string | undefined
    const isTaken = await take({
      before: async () => {
        await removeName(filesOf(orders, nonce).taken)
        seen = await placed.state()
      },
    })
    expect([isTaken, seen]).toEqual([false, 'deleted'])
  })

  test('the next daemon cleans up between the mark and the check: it is not executed, and the asker cannot know', async () => {
    const isTaken = await take({ after: () => removeName(filesOf(orders, nonce).taken) })
    expect([isTaken, await placed.state(), await placed.withdraw()]).toEqual([false, 'ended', false])
  })

  test('the daemon is killed between the name and the mark: the asker still waits, and can withdraw', async () => {
    const { order, taken } = filesOf(orders, nonce)
    await rename(order, taken)
    expect([await placed.state(), await placed.withdraw(), await readdir(orders)]).toEqual(['waiting', true, []])
  })
})

test('an order is not taken twice', async () => {
  expect([await take(), await take()]).toEqual([true, false])
})

test('another file that gets the name of an order between check and taking is not executed', async () => {
  const { order } = filesOf(orders, nonce)
  await writeFile(`${order}.new`, 'another', { mode: 0o600 })
  await rename(`${order}.new`, order)
  expect([await take(), await readdir(orders)]).toEqual([false, []])
})

test('another file that gets the name of an order, which has another name itself now, is not executed', async () => {
  const { order } = filesOf(orders, nonce)
  await rename(order, `${order}.old`)
  await writeFile(order, 'another', { mode: 0o600 })
  expect(await take()).toBe(false)
})

test('an order that gets a second name while it is taken is not executed', async () => {
  const { order, taken } = filesOf(orders, nonce)

  expect(await take({ before: () => link(taken, order) })).toBe(false)
})
